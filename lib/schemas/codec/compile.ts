import { z } from "zod";

/** A compiled schema, and whether it changes the values it reads. */
interface Node {
  readonly read: Read;
  readonly changes: Changes;
  /** Code of the same condition, if the value stays as it is. */
  readonly isValid?: ((variable: string) => string) | undefined;
}

const nodes = new WeakMap<z.core.$ZodType, Node>();

/** Builds a part that zod decodes: none of its schema is compiled. */
function buildDelegate(schema: z.core.$ZodType): Node {
  function read(value: unknown): unknown {
    if (hasProtoKey(value)) return INVALID;
    const result = z.core.safeParse(schema, value);
    return result.success ? result.data : INVALID;
  }
  return { read, changes: "always" };
}

function buildNullable({ read, changes }: Node): Node {
  return {
    read: (value) => value === null ? null : read(value),
    changes: changes === "always" ? "sometimes" : changes,
  };
}

/** A list as received up to the first element that changes; a copy from there on. */
const ARRAY_CODE = `"use strict";
return function readArray(value) {
  if (!Array.isArray(value)) return INVALID;
  const { length } = value;
  let list = value;
  for (let index = 0; index < length; index++) {
    const received = value[index];
    const element = read(received);
    if (element === INVALID) return INVALID;
    if (list !== value) list[index] = element;
    else if (element !== received) {
      list = new Array(length);
      for (let earlier = 0; earlier < index; earlier++) list[earlier] = value[earlier];
      list[index] = element;
    }
  }
  return list;
};`;

const RECORD_CODE = `"use strict";
return function readRecord(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return INVALID;
  const record = {};
  for (const name in value) {
    if (readKey(name) === INVALID) return INVALID;
    const member = read(value[name]);
    if (member === INVALID) return INVALID;
    record[name] = member;
  }
  return record;
};`;

/** Generates separate code for each list and map, so that the engine can inline the element's reader. */
function buildArray({ read, changes }: Node): Node {
  return {
    read: new Function("read", "INVALID", ARRAY_CODE)(read, INVALID),
    changes: changes === "never" ? "never" : "sometimes",
  };
}

function buildRecord(key: Node, { read }: Node): Node {
  const link = new Function("readKey", "read", "INVALID", RECORD_CODE);
  return { read: link(key.read, read, INVALID), changes: "always" };
}

function toField(key: string, schema: z.core.$ZodType): Field {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isOptional = def.type === "optional";
  const present = isOptional ? def.innerType : schema;
  const { def: presentDef } = (present as z.core.$ZodTypes)._zod;
  const isNullable = presentDef.type === "nullable";
  const { read, isValid } = resolveNode(isNullable ? presentDef.innerType : present);
  return { key, isOptional, isNullable, read, isValid, changes: resolveNode(present).changes };
}

function buildObject(shape: Readonly<Record<string, z.core.$ZodType>>): Node {
  const fields = Object.entries(shape).map(([key, schema]) => toField(key, schema));
  const changing = fields.filter(({ changes }) => changes !== "never");
  const alwaysChanges = changing.some(({ changes, isOptional }) =>
    changes === "always" && !isOptional
  );
  return {
    read: compileObject(fields),
    changes: changing.length === 0 ? "never" : alwaysChanges ? "always" : "sometimes",
  };
}

function buildNode(schema: z.core.$ZodType): Node {
  const definition = findLeaf(schema);
  if (definition !== undefined) {
    const { read, write, isValid } = definition;
    return { read, changes: write === undefined ? "never" : "always", isValid };
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ((def.checks?.length ?? 0) > 0) return buildDelegate(schema);
  switch (def.type) {
    case "nullable":
      return buildNullable(resolveNode(def.innerType));
    case "array":
      return buildArray(resolveNode(def.element));
    case "record":
      return buildRecord(resolveNode(def.keyType), resolveNode(def.valueType));
    case "object":
      if (def.catchall?._zod.def.type === "unknown") return buildObject(def.shape);
      return buildDelegate(schema);
    default:
      return buildDelegate(schema);
  }
}

function resolveNode(schema: z.core.$ZodType): Node {
  let node = nodes.get(schema);
  if (node === undefined) nodes.set(schema, node = buildNode(schema));
  return node;
}

/**
 * Compiles a declared schema into a straight-line decoder, once.
 *
 * Whatever the compiled decoder accepts, zod accepts with the same result; what it rejects goes to
 * zod, which explains why. Parts without compiled code (unions, refinements) are decoded by zod in
 * place.
 */
export function compileDecoder(schema: z.core.$ZodType): Read {
  if (schema !== latest?.schema) latest = { schema, read: resolveNode(schema).read };
  return latest.read;
}

/** The schema used last: bodies of a kind come one after another. */
let latest: { readonly schema: z.core.$ZodType; readonly read: Read } | undefined;

/** Decodes a part of a body, or returns `INVALID`. */
type Read = (value: unknown) => unknown;

/** Whether decoding changes the received value. */
type Changes = "never" | "sometimes" | "always";

/** A declared field of an object. */
interface Field {
  /** Name of the field. */
  readonly key: string;
  /** Whether it may be absent. */
  readonly isOptional: boolean;
  /** Whether it may be `null`, which stays so. */
  readonly isNullable: boolean;
  /** Decodes its value. */
  readonly read: Read;
  /** Code of a condition on the variable of that name, in place of `read`. */
  readonly isValid: ((variable: string) => string) | undefined;
  /** Whether that changes the value. */
  readonly changes: Changes;
}

/** A field with its name and variable in the generated code. */
interface CodeField extends Field {
  /** Its name as a literal. */
  readonly name: string;
  /** The variable of its decoded value. */
  readonly variable: string;
}

/** Whether undeclared keys can be kept: only a hidden `__proto__` cannot. */
function canKeepExtras(value: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) {
    if (!names.has(key) && (key === "__proto__" || hasProtoKey(value[key]))) return false;
  }
  return true;
}

function copyExtras(
  value: Readonly<Record<string, unknown>>,
  record: Record<string, unknown>,
  names: ReadonlySet<string>,
): void {
  for (const key of Object.keys(value)) {
    if (!names.has(key)) record[key] = value[key];
  }
}

function emitFieldRead(field: CodeField, index: number): string {
  const { name, variable, isOptional, isNullable, isValid } = field;
  const readCode = isValid !== undefined
    ? `if (!(${isValid(variable)})) return INVALID;`
    : `${variable} = r${index}(${variable}); if (${variable} === INVALID) return INVALID;`;
  return `let ${variable} = value[${name}];
${isOptional ? `if (${variable} !== undefined) { present++;` : "{"} ${
    isNullable ? `if (${variable} !== null) {${readCode}}` : readCode
  } }`;
}

/**
 * The constructor of records with optional fields. The engine gives its objects room for all fields
 * at once, which an object literal that grows does not have; they are plain objects all the same.
 */
function emitConstructor(fields: readonly CodeField[]): string {
  const required = fields.filter(({ isOptional }) => !isOptional);
  const optional = fields.filter(({ isOptional }) => isOptional);
  return `function Plain(${fields.map(({ variable }) => variable).join(", ")}) {
${required.map(({ name, variable }) => `this[${name}] = ${variable};`).join("\n")}
${
    optional.map(({ name, variable }) =>
      `if (${variable} !== undefined) this[${name}] = ${variable};`
    ).join("\n")
  }
}
Plain.prototype = Object.prototype;`;
}

function emitRecord(fields: readonly CodeField[]): string {
  if (fields.some(({ isOptional }) => isOptional)) {
    return `new Plain(${fields.map(({ variable }) => variable).join(", ")})`;
  }
  return `{ ${fields.map(({ name, variable }) => `${name}: ${variable}`).join(", ")} }`;
}

/** Returns the record, with unknown fields; the body itself, if nothing in it changes. */
function emitReturn(fields: readonly CodeField[]): string {
  const changing = fields.filter(({ changes }) => changes !== "never");
  if (changing.length === 0) return "return value;";
  const mayShare = changing.every(({ changes, isOptional }) =>
    isOptional || changes === "sometimes"
  );
  const isSame = changing.map(({ name, variable }) => `${variable} === value[${name}]`);
  return `${mayShare ? `if (${isSame.join(" && ")}) return value;` : ""}
const record = ${emitRecord(fields)};
if (keys !== present) copyExtras(value, record, names);
return record;`;
}

/** Straight-line code for one object: every declared field read by name, then the record. */
function compileObject(declared: readonly Field[]): Read {
  const fields = declared.map((field, index): CodeField => ({
    ...field,
    name: JSON.stringify(field.key),
    variable: `v${index}`,
  }));
  const source = `"use strict";
${fields.map((_, index) => `const r${index} = readers[${index}];`).join("\n")}
${fields.some(({ isOptional }) => isOptional) ? emitConstructor(fields) : ""}
return function read(value) {
if (typeof value !== "object" || value === null || Array.isArray(value)) return INVALID;
let present = ${fields.filter(({ isOptional }) => !isOptional).length};
${fields.map(emitFieldRead).join("\n")}
let keys = 0;
for (const _ in value) keys++;
if (keys !== present && !canKeepExtras(value, names)) return INVALID;
${emitReturn(fields)}
};`;
  const parameters = ["readers", "INVALID", "canKeepExtras", "copyExtras", "names"];
  const link = new Function(...parameters, source);
  const readers = fields.map(({ read }) => read);
  const names = new Set(fields.map(({ key }) => key));
  return link(readers, INVALID, canKeepExtras, copyExtras, names);
}

/** Result of a leaf's `read` and `write` for an invalid value. */
export const INVALID: unique symbol = Symbol("invalid");

/** Decoding, encoding and description of a single wire value. */
export interface Leaf<T> {
  /** Description of the value, as it follows "must be" in an error. */
  readonly expected: string;
  /** Decodes the value, or returns `INVALID`; never throws. */
  readonly read: (value: unknown) => T | typeof INVALID;
  /** Encodes the value, or returns `INVALID`; absent if decoding changes nothing. */
  readonly write?: (value: T) => unknown;
  /**
   * Code of a condition on the variable of that name which says the same as `read`, for values that
   * stay as they are: generated decoders have it in place of a call.
   */
  readonly isValid?: (variable: string) => string;
  /** For open sets: whether the text is one of those the service is known to send. */
  readonly isKnown?: (value: T) => boolean;
  /** For text with structured content: the parts that cannot be read. */
  readonly inspect?: (value: T) => readonly { readonly path: string; readonly value: unknown }[];
}

const leaves = new WeakMap<z.core.$ZodType, Leaf<unknown>>();

/**
 * Declares a leaf once for both paths: as a zod codec, and for the compiled decoder, which calls
 * the same `read`.
 */
export function defineLeaf<T>(definition: Leaf<T>): z.ZodType<T> {
  const { expected, read, write } = definition;
  const schema = z.codec(z.unknown(), z.custom<T>(), {
    decode(value, context): T {
      const result = read(value);
      if (result !== INVALID) return result;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
    encode(value, context): unknown {
      const result = write === undefined ? read(value) : write(value);
      if (result !== INVALID) return result;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
  });
  leaves.set(schema, definition as Leaf<unknown>);
  return schema;
}

/** Returns the leaf that a schema was declared as; `undefined` for other schemas. */
export function findLeaf(schema: z.core.$ZodType): Leaf<unknown> | undefined {
  return leaves.get(schema);
}

const RECURSION_LIMIT = 200;

/** Whether a value has the key `__proto__` anywhere; both paths reject such bodies. */
export function hasProtoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && hasProtoKeyBelow(value, 0);
}

function hasProtoKeyBelow(value: object, depth: number): boolean {
  if (depth > RECURSION_LIMIT) return hasDeepProtoKey(value);
  // The keys of a JSON list are its indices, each of which for-in would convert to text.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner: unknown = value[index];
      if (typeof inner !== "object" || inner === null) continue;
      if (hasProtoKeyBelow(inner, depth + 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    if (key === "__proto__") return true;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner !== "object" || inner === null) continue;
    if (hasProtoKeyBelow(inner, depth + 1)) return true;
  }
  return false;
}

/** {@linkcode hasProtoKey} without recursion, for values nested deeper than any valid body. */
function hasDeepProtoKey(value: object): boolean {
  const pending: object[] = [value];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (Object.hasOwn(container, "__proto__")) return true;
    for (const inner of Object.values(container)) {
      if (typeof inner === "object" && inner !== null) pending.push(inner);
    }
  }
  return false;
}
