import { z } from "zod";
import { type Leaf, leafOf, REFUSED } from "./leaf.ts";

/** Reads a parsed body, or gives `REFUSED` and leaves it to zod to say why. */
export type CompiledDecoder = (value: unknown) => unknown;

/** A compiled schema and whether it gives every value back as it is. */
interface Node {
  readonly read: CompiledDecoder;
  readonly isIdentity: boolean;
}

const nodes = new WeakMap<z.core.$ZodType, Node>();

const RECURSION_LIMIT = 200;

/** Whether a value has `__proto__` as a key anywhere; such bodies are refused on both paths. */
export function hasProtoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && hasProtoKeyBelow(value, 0);
}

function hasProtoKeyBelow(value: object, depth: number): boolean {
  if (depth > RECURSION_LIMIT) return hasProtoKeyFarBelow(value);
  for (const key in value) {
    if (key === "__proto__") return true;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === "object" && inner !== null && hasProtoKeyBelow(inner, depth + 1)) {
      return true;
    }
  }
  return false;
}

/** The same without recursion, for values nested deeper than any that is meant. */
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

/** Whether the keys that are not declared can be kept: only a hidden `__proto__` cannot. */
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

/**
 * Straight-line code for one object: every declared field read by name, then one copy of the whole
 * body (which carries unknown fields along), then the fields that changed put over it.
 */
function object(shape: Readonly<Record<string, z.core.$ZodType>>): Node {
  const readers: CompiledDecoder[] = [];
  const reads: string[] = [];
  const writes: string[] = [];
  let required = 0;
  for (const [key, field] of Object.entries(shape)) {
    const isOptional = field._zod.def.type === "optional";
    const inner = isOptional
      ? nodeOf((field as z.core.$ZodOptional)._zod.def.innerType)
      : nodeOf(field);
    const index = readers.push(inner.read) - 1;
    const name = JSON.stringify(key);
    if (isOptional) {
      reads.push(
        `let v${index} = value[${name}];
if (v${index} !== undefined) { v${index} = r${index}(v${index}); if (v${index} === REFUSED) return REFUSED; present++; }`,
      );
      if (!inner.isIdentity) {
        writes.push(`if (v${index} !== undefined) decoded[${name}] = v${index};`);
      }
    } else {
      required++;
      reads.push(
        `const v${index} = r${index}(value[${name}]); if (v${index} === REFUSED) return REFUSED;`,
      );
      if (!inner.isIdentity) writes.push(`decoded[${name}] = v${index};`);
    }
  }
  const source = `"use strict";
${readers.map((_, index) => `const r${index} = readers[${index}];`).join("\n")}
return function read(value) {
if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
let present = ${required};
${reads.join("\n")}
let keys = 0;
for (const _ in value) keys++;
if (keys !== present && !canKeepExtras(value, known)) return REFUSED;
${
    writes.length === 0
      ? "return value;"
      : `const decoded = { ...value };\n${writes.join("\n")}\nreturn decoded;`
  }
};`;
  const link = new Function("readers", "REFUSED", "canKeepExtras", "known", source);
  return {
    read: link(readers, REFUSED, canKeepExtras, new Set(Object.keys(shape))),
    isIdentity: writes.length === 0,
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
 * Whatever the compiled decoder accepts, zod accepts with the same result; what it refuses goes to
 * zod, which explains. Parts it has no code for (unions, refinements) are left to zod in place.
 */
export function compiledDecoder(schema: z.core.$ZodType): CompiledDecoder {
  return nodeOf(schema).read;
}
