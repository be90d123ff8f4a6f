import { z } from "zod";

/** Decodes a parsed body, or returns `REFUSED`; zod then explains why. */
type CompiledDecoder = Read;

/** A compiled schema, and whether it changes what it reads. */
interface Node {
  readonly read: Read;
  readonly changes: Changes;
  /** Code of the same condition, if the value stays as it is. */
  readonly isValid?: ((variable: string) => string) | undefined;
}

const nodes = new WeakMap<z.core.$ZodType, Node>();

function delegate(schema: z.core.$ZodType): Node {
  function read(value: unknown): unknown {
    if (hasProtoKey(value)) return REFUSED;
    const result = z.core.safeParse(schema, value);
    return result.success ? result.data : REFUSED;
  }
  return { read, changes: "always" };
}

function fromLeaf({ read, write, isValid }: Leaf<unknown>): Node {
  return { read, changes: write === undefined ? "never" : "always", isValid };
}

function nullable({ read, changes }: Node): Node {
  return {
    read: (value) => value === null ? null : read(value),
    changes: changes === "always" ? "sometimes" : changes,
  };
}

/** A list as received up to the first element that changes; a copy from there on. */
const ARRAY_CODE = `"use strict";
return function readArray(value) {
  if (!Array.isArray(value)) return REFUSED;
  const { length } = value;
  let decoded = value;
  for (let index = 0; index < length; index++) {
    const received = value[index];
    const one = read(received);
    if (one === REFUSED) return REFUSED;
    if (decoded !== value) decoded[index] = one;
    else if (one !== received) {
      decoded = new Array(length);
      for (let before = 0; before < index; before++) decoded[before] = value[before];
      decoded[index] = one;
    }
  }
  return decoded;
};`;

const RECORD_CODE = `"use strict";
return function readRecord(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
  const decoded = {};
  for (const name in value) {
    if (readKey(name) === REFUSED) return REFUSED;
    const one = read(value[name]);
    if (one === REFUSED) return REFUSED;
    decoded[name] = one;
  }
  return decoded;
};`;

/** Code of its own for each list and map, so that the engine can inline what it reads. */
function array({ read, changes }: Node): Node {
  return {
    read: new Function("read", "REFUSED", ARRAY_CODE)(read, REFUSED),
    changes: changes === "never" ? "never" : "sometimes",
  };
}

function record(key: Node, { read }: Node): Node {
  const link = new Function("readKey", "read", "REFUSED", RECORD_CODE);
  return { read: link(key.read, read, REFUSED), changes: "always" };
}

function fieldOf(key: string, schema: z.core.$ZodType): Field {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isOptional = def.type === "optional";
  const present = isOptional ? def.innerType : schema;
  const { def: presentDef } = (present as z.core.$ZodTypes)._zod;
  const isNullable = presentDef.type === "nullable";
  const { read, isValid } = nodeOf(isNullable ? presentDef.innerType : present);
  return { key, isOptional, isNullable, read, isValid, changes: nodeOf(present).changes };
}

function object(shape: Readonly<Record<string, z.core.$ZodType>>): Node {
  const fields = Object.entries(shape).map(([key, schema]) => fieldOf(key, schema));
  const changing = fields.filter(({ changes }) => changes !== "never");
  const alwaysChanges = changing.some(({ changes, isOptional }) =>
    changes === "always" && !isOptional
  );
  return {
    read: objectReader(fields),
    changes: changing.length === 0 ? "never" : alwaysChanges ? "always" : "sometimes",
  };
}

function build(schema: z.core.$ZodType): Node {
  const definition = leafOf(schema);
  if (definition !== undefined) return fromLeaf(definition);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ((def.checks?.length ?? 0) > 0) return delegate(schema);
  switch (def.type) {
    case "nullable":
      return nullable(nodeOf(def.innerType));
    case "array":
      return array(nodeOf(def.element));
    case "record":
      return record(nodeOf(def.keyType), nodeOf(def.valueType));
    case "object":
      if (def.catchall?._zod.def.type === "unknown") return object(def.shape);
      return delegate(schema);
    default:
      return delegate(schema);
  }
}

function nodeOf(schema: z.core.$ZodType): Node {
  let node = nodes.get(schema);
  if (node === undefined) nodes.set(schema, node = build(schema));
  return node;
}

/**
 * Compiles a declared schema into a straight-line decoder, once.
 *
 * Whatever the compiled decoder accepts, zod accepts with the same result; what it rejects goes to
 * zod, which explains why. Parts without compiled code (unions, refinements) are decoded by zod in
 * place.
 */
export function compiledDecoder(schema: z.core.$ZodType): CompiledDecoder {
  if (schema !== latest?.schema) latest = { schema, read: nodeOf(schema).read };
  return latest.read;
}

/** The schema asked for last: bodies of a kind come one after another. */
let latest: { readonly schema: z.core.$ZodType; readonly read: CompiledDecoder } | undefined;

/** Decodes a part of a body, or returns `REFUSED`. */
type Read = (value: unknown) => unknown;

/** How often decoding gives another value than the one received. */
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

/** A field with the texts that stand for it in the generated code. */
interface CodeField extends Field {
  /** Its name as a literal. */
  readonly name: string;
  /** The variable of its decoded value. */
  readonly variable: string;
}

/** Whether undeclared keys can be kept: only a hidden `__proto__` cannot. */
function canKeepExtras(value: Record<string, unknown>, known: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) {
    if (!known.has(key) && (key === "__proto__" || hasProtoKey(value[key]))) return false;
  }
  return true;
}

function copyExtras(
  value: Readonly<Record<string, unknown>>,
  decoded: Record<string, unknown>,
  known: ReadonlySet<string>,
): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key)) decoded[key] = value[key];
  }
}

function readingCode(field: CodeField, index: number): string {
  const { name, variable, isOptional, isNullable, isValid } = field;
  const read = isValid !== undefined
    ? `if (!(${isValid(variable)})) return REFUSED;`
    : `${variable} = r${index}(${variable}); if (${variable} === REFUSED) return REFUSED;`;
  return `let ${variable} = value[${name}];
${isOptional ? `if (${variable} !== undefined) { present++;` : "{"} ${
    isNullable ? `if (${variable} !== null) {${read}}` : read
  } }`;
}

/**
 * The constructor of records with optional fields. The engine gives its objects room for all fields
 * at once, which an object literal that grows does not have; they are plain objects all the same.
 */
function constructorCode(fields: readonly CodeField[]): string {
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

function recordCode(fields: readonly CodeField[]): string {
  if (fields.some(({ isOptional }) => isOptional)) {
    return `new Plain(${fields.map(({ variable }) => variable).join(", ")})`;
  }
  return `{ ${fields.map(({ name, variable }) => `${name}: ${variable}`).join(", ")} }`;
}

/** The record, with unknown fields; the body itself, if nothing in it changes. */
function buildingCode(fields: readonly CodeField[]): string {
  const changing = fields.filter(({ changes }) => changes !== "never");
  if (changing.length === 0) return "return value;";
  const mayShare = changing.every(({ changes, isOptional }) =>
    isOptional || changes === "sometimes"
  );
  const isSame = changing.map(({ name, variable }) => `${variable} === value[${name}]`);
  return `${mayShare ? `if (${isSame.join(" && ")}) return value;` : ""}
const decoded = ${recordCode(fields)};
if (keys !== present) copyExtras(value, decoded, known);
return decoded;`;
}

/** Straight-line code for one object: every declared field read by name, then the record. */
function objectReader(declared: readonly Field[]): Read {
  const fields = declared.map((field, index): CodeField => ({
    ...field,
    name: JSON.stringify(field.key),
    variable: `v${index}`,
  }));
  const source = `"use strict";
${fields.map((_, index) => `const r${index} = readers[${index}];`).join("\n")}
${fields.some(({ isOptional }) => isOptional) ? constructorCode(fields) : ""}
return function read(value) {
if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
let present = ${fields.filter(({ isOptional }) => !isOptional).length};
${fields.map(readingCode).join("\n")}
let keys = 0;
for (const _ in value) keys++;
if (keys !== present && !canKeepExtras(value, known)) return REFUSED;
${buildingCode(fields)}
};`;
  const parameters = ["readers", "REFUSED", "canKeepExtras", "copyExtras", "known"];
  const link = new Function(...parameters, source);
  const readers = fields.map(({ read }) => read);
  const known = new Set(fields.map(({ key }) => key));
  return link(readers, REFUSED, canKeepExtras, copyExtras, known);
}

/** Result of a leaf's `read` and `write` for an invalid value. */
export const REFUSED: unique symbol = Symbol("refused");

/** How a single wire value is decoded, encoded and described. */
export interface Leaf<T> {
  /** Description of the value, as it follows "must be" in an error. */
  readonly expected: string;
  /** Decodes the value, or returns `REFUSED`; never throws. */
  readonly read: (value: unknown) => T | typeof REFUSED;
  /** Encodes the value, or returns `REFUSED`; absent if decoding changes nothing. */
  readonly write?: (value: T) => unknown;
  /**
   * Code of a condition on the variable of that name which says the same as `read`, for values that
   * stay as they are: generated decoders have it in place of a call.
   */
  readonly isValid?: (variable: string) => string;
  /** For open sets: whether the text is one of those the service is known to send. */
  readonly isKnown?: (value: T) => boolean;
  /** For text with a content of its own: the parts of that which cannot be read. */
  readonly inspect?: (value: T) => readonly { readonly path: string; readonly value: unknown }[];
}

const leaves = new WeakMap<z.core.$ZodType, Leaf<unknown>>();

/**
 * Declares a leaf once for both paths: as a zod codec, and for the compiled decoder, which calls
 * the same `read`.
 */
export function leaf<T>(definition: Leaf<T>): z.ZodType<T> {
  const { expected, read, write } = definition;
  const schema = z.codec(z.unknown(), z.custom<T>(), {
    decode(value, context): T {
      const decoded = read(value);
      if (decoded !== REFUSED) return decoded;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
    encode(value, context): unknown {
      const encoded = write === undefined ? read(value) : write(value);
      if (encoded !== REFUSED) return encoded;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
  });
  leaves.set(schema, definition as Leaf<unknown>);
  return schema;
}

/** The leaf that a schema was declared as, if it was. */
export function leafOf(schema: z.core.$ZodType): Leaf<unknown> | undefined {
  return leaves.get(schema);
}

const RECURSION_LIMIT = 200;

/** Whether a value has the key `__proto__` anywhere; both paths reject such bodies. */
export function hasProtoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && hasProtoKeyBelow(value, 0);
}

function hasProtoKeyBelow(value: object, depth: number): boolean {
  if (depth > RECURSION_LIMIT) return hasProtoKeyFarBelow(value);
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

/** The same without recursion, for values nested deeper than any valid body. */
function hasProtoKeyFarBelow(value: object): boolean {
  const pending: object[] = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (Object.hasOwn(one, "__proto__")) return true;
    for (const inner of Object.values(one)) {
      if (typeof inner === "object" && inner !== null) pending.push(inner);
    }
  }
  return false;
}
