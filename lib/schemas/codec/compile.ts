import { z } from "zod";
import { type Leaf, leafOf, REFUSED } from "./leaf.ts";
import { type Changes, type Field, objectReader, type Read } from "./object_code.ts";
import { hasProtoKey } from "./proto_key.ts";

/** Decodes a parsed body, or returns `REFUSED`; zod then explains why. */
export type CompiledDecoder = Read;

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
