import type { z } from "zod";
import { formatPath } from "./codec.ts";
import { compileDecoder, hasProtoKey, INVALID } from "./compile.ts";

/** An optional member of a document that has none of its valid forms. */
export interface UnreadableMember {
  /** Path of the member, such as `metadata.quote.slippageBips`. */
  readonly path: string;
  /** The member as received. */
  readonly value: unknown;
}

/** A member of the document that its record lacks, with its path of keys. */
interface OmittedMember {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** A document read member by member. */
export interface TolerantReading {
  /** The record, without the members that were omitted; `INVALID` if nothing can be read. */
  readonly record: unknown;
  /** Optional members that cannot be read, and those that are `null`, which says nothing. */
  readonly omitted: readonly OmittedMember[];
}

type Keys = readonly string[];

/**
 * Reads a document of which any part may be invalid. An optional member that cannot be read is
 * omitted, and nothing else is; if a required member cannot be read, neither can its parent.
 */
export function readTolerantly(schema: z.core.$ZodType, body: unknown): TolerantReading {
  const omitted: OmittedMember[] = [];
  const record = readPart(schema, body, { keys: [], omitted });
  return { record, omitted };
}

interface ReadContext {
  readonly keys: Keys;
  readonly omitted: OmittedMember[];
}

function readPart(schema: z.core.$ZodType, value: unknown, context: ReadContext): unknown {
  const decodedValue = compileDecoder(schema)(value);
  if (decodedValue !== INVALID || hasProtoKey(value)) return decodedValue;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== "object" || !isObject(value)) return INVALID;
  const record: Record<string, unknown> = { ...value };
  const omittedCount = context.omitted.length;
  for (const [key, member] of Object.entries(def.shape)) {
    const { def: memberDef } = (member as z.core.$ZodTypes)._zod;
    const isOptional = memberDef.type === "optional";
    const memberValue = value[key];
    if (isOptional && memberValue === undefined) continue;
    const keys = [...context.keys, key];
    const part = readPart(isOptional ? memberDef.innerType : member, memberValue, {
      ...context,
      keys,
    });
    if (part !== INVALID) record[key] = part;
    else if (isOptional) {
      delete record[key];
      context.omitted.push({ keys, value: memberValue });
    } else {
      context.omitted.length = omittedCount;
      return INVALID;
    }
  }
  return record;
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists the omitted members that have a value which cannot be read. */
export function listUnreadable(omitted: readonly OmittedMember[]): readonly UnreadableMember[] {
  return omitted.filter(({ value }) => value !== null)
    .map(({ keys, value }) => ({ path: formatPath(keys), value }));
}

/** Puts omitted members back into an encoded document, where the object around them still exists. */
export function restoreOmitted(encoded: unknown, omitted: readonly OmittedMember[]): unknown {
  return omitted.reduce((body, { keys, value }) => restoreMember(body, keys, value), encoded);
}

function restoreMember(body: unknown, [key, ...inner]: Keys, value: unknown): unknown {
  if (!isObject(body) || key === undefined) return body;
  if (inner.length > 0) {
    return isObject(body[key]) ? { ...body, [key]: restoreMember(body[key], inner, value) } : body;
  }
  return Object.hasOwn(body, key) ? body : { ...body, [key]: value };
}
