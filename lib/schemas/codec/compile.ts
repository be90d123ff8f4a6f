import { z } from "zod";
import { type Leaf, leafOf, REFUSED } from "./leaf.ts";

/** Decodes a parsed body, or returns `REFUSED`; zod then explains why. */
export type CompiledDecoder = (value: unknown) => unknown;

/** A compiled schema, and whether it returns every value unchanged. */
interface Node {
  readonly read: CompiledDecoder;
  readonly isIdentity: boolean;
}

const nodes = new WeakMap<z.core.$ZodType, Node>();

const RECURSION_LIMIT = 200;

/** Whether a value has the key `__proto__` anywhere; both paths reject such bodies. */
export function hasProtoKey(value: unknown): boolean {
  return isObjectWithProtoKey(value, 0);
}

function hasProtoKeyBelow(value: object, depth: number): boolean {
  if (depth > RECURSION_LIMIT) return hasProtoKeyFarBelow(value);
  // The keys of a JSON list are its indices, each of which for-in would convert to text.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (isObjectWithProtoKey(value[index], depth + 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    if (key === "__proto__") return true;
    if (isObjectWithProtoKey((value as Record<string, unknown>)[key], depth + 1)) return true;
  }
  return false;
}

function isObjectWithProtoKey(value: unknown, depth: number): boolean {
  return typeof value === "object" && value !== null && hasProtoKeyBelow(value, depth);
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

/** Whether undeclared keys can be kept: only a hidden `__proto__` cannot. */
function canKeepExtras(value: Record<string, unknown>, known: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) {
    if (!known.has(key) && (key === "__proto__" || hasProtoKey(value[key]))) return false;
  }
  return true;
}

function delegate(schema: z.core.$ZodType): Node {
  function read(value: unknown): unknown {
    if (hasProtoKey(value)) return REFUSED;
    const result = z.core.safeParse(schema, value);
    return result.success ? result.data : REFUSED;
  }
  return { read, isIdentity: false };
}

function fromLeaf(definition: Leaf<unknown>): Node {
  return { read: definition.read, isIdentity: definition.write === undefined };
}

function nullable(inner: Node): Node {
  const { read } = inner;
  return {
    read: (value) => value === null ? null : read(value),
    isIdentity: inner.isIdentity,
  };
}

function array(element: Node): Node {
  const { read } = element;
  if (element.isIdentity) {
    return {
      isIdentity: true,
      read(value) {
        if (!Array.isArray(value)) return REFUSED;
        for (let index = 0; index < value.length; index++) {
          if (read(value[index]) === REFUSED) return REFUSED;
        }
        return value;
      },
    };
  }
  return {
    isIdentity: false,
    read(value) {
      if (!Array.isArray(value)) return REFUSED;
      const decoded = new Array<unknown>(value.length);
      for (let index = 0; index < value.length; index++) {
        const one = read(value[index]);
        if (one === REFUSED) return REFUSED;
        decoded[index] = one;
      }
      return decoded;
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(key: Node, element: Node): Node {
  const readKey = key.read;
  const { read } = element;
  return {
    isIdentity: false,
    read(value) {
      if (!isObject(value)) return REFUSED;
      const decoded: Record<string, unknown> = {};
      for (const name in value) {
        if (readKey(name) === REFUSED) return REFUSED;
        const one = read(value[name]);
        if (one === REFUSED) return REFUSED;
        decoded[name] = one;
      }
      return decoded;
    },
  };
}

/** A field of an object, and the variable that holds it in the generated code. */
interface Field {
  readonly name: string;
  readonly variable: string;
  readonly isOptional: boolean;
  readonly node: Node;
}

function fieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): Field[] {
  return Object.entries(shape).map(([key, schema], index) => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return {
      name: JSON.stringify(key),
      variable: `v${index}`,
      isOptional: def.type === "optional",
      node: nodeOf(def.type === "optional" ? def.innerType : schema),
    };
  });
}

function readingCode({ name, variable, isOptional }: Field, index: number): string {
  const read = `${variable} = r${index}(${isOptional ? variable : `value[${name}]`})`;
  const check = `if (${variable} === REFUSED) return REFUSED;`;
  if (!isOptional) return `const ${read}; ${check}`;
  return `let ${variable} = value[${name}];
if (${variable} !== undefined) { ${read}; ${check} present++; }`;
}

function settingCode({ name, variable, isOptional }: Field): string {
  return `${isOptional ? `if (${variable} !== undefined) ` : ""}decoded[${name}] = ${variable};`;
}

/**
 * The record: built field by field, or, if many fields may be missing, a copy of the body with the
 * changed fields replaced, which is then faster. Either way, unknown fields are kept.
 */
function buildingCode(fields: readonly Field[]): string {
  const changed = fields.filter(({ node }) => !node.isIdentity);
  if (changed.length === 0) return "return value;";
  const optional = fields.filter(({ isOptional }) => isOptional);
  const required = fields.filter(({ isOptional }) => !isOptional);
  if (optional.length > required.length / 2) {
    return `const decoded = { ...value };
${changed.map(settingCode).join("\n")}
return decoded;`;
  }
  return `const decoded = { ${
    required.map(({ name, variable }) => `${name}: ${variable}`).join(", ")
  } };
${optional.map(settingCode).join("\n")}
if (keys !== present) copyExtras(value, decoded, known);
return decoded;`;
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

/** Straight-line code for one object: every declared field read by name, then the record. */
function object(shape: Readonly<Record<string, z.core.$ZodType>>): Node {
  const fields = fieldsOf(shape);
  const required = fields.filter(({ isOptional }) => !isOptional).length;
  const source = `"use strict";
${fields.map((_, index) => `const r${index} = readers[${index}];`).join("\n")}
return function read(value) {
if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
let present = ${required};
${fields.map(readingCode).join("\n")}
let keys = 0;
for (const _ in value) keys++;
if (keys !== present && !canKeepExtras(value, known)) return REFUSED;
${buildingCode(fields)}
};`;
  const parameters = ["readers", "REFUSED", "canKeepExtras", "copyExtras", "known"];
  const link = new Function(...parameters, source);
  const readers = fields.map(({ node }) => node.read);
  const known = new Set(Object.keys(shape));
  return {
    read: link(readers, REFUSED, canKeepExtras, copyExtras, known),
    isIdentity: fields.every(({ node }) => node.isIdentity),
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
  return nodeOf(schema).read;
}
