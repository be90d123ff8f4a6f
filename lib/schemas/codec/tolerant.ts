import type { z } from "zod";
import { formatPath } from "./codec.ts";
import { compiledDecoder, hasProtoKey, REFUSED } from "./compile.ts";

/** An optional member of a document that has none of its valid forms. */
export interface UnreadableMember {
  /** Path of the member, such as `metadata.quote.slippageBips`. */
  readonly path: string;
  /** The member as received. */
  readonly value: unknown;
}

/** A member that is in the document and not in its record, at its path of keys. */
interface OmittedMember {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** A document read member by member. */
export interface TolerantReading {
  /** The record, without the members that were omitted; `REFUSED` if nothing can be read. */
  readonly record: unknown;
  /** Optional members that cannot be read, and those that are `null`, which says nothing. */
  readonly omitted: readonly OmittedMember[];
}

type Keys = readonly string[];

/**
 * Reads a document of which any part may be odd. An optional member that cannot be read is omitted,
 * with nothing else; what contains a required one that cannot be read is as unreadable as that.
 */
export function readTolerantly(schema: z.core.$ZodType, body: unknown): TolerantReading {
  const omitted: OmittedMember[] = [];
  const record = readPart(schema, body, { keys: [], omitted });
  return { record, omitted };
}

interface Place {
  readonly keys: Keys;
  readonly omitted: OmittedMember[];
}

function readPart(schema: z.core.$ZodType, value: unknown, place: Place): unknown {
  const whole = compiledDecoder(schema)(value);
  if (whole !== REFUSED || hasProtoKey(value)) return whole;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== "object" || !isObject(value)) return REFUSED;
  const record: Record<string, unknown> = { ...value };
  const before = place.omitted.length;
  for (const [key, member] of Object.entries(def.shape)) {
    const { def: memberDef } = (member as z.core.$ZodTypes)._zod;
    const isOptional = memberDef.type === "optional";
    const received = value[key];
    if (isOptional && received === undefined) continue;
    const keys = [...place.keys, key];
    const read = readPart(isOptional ? memberDef.innerType : member, received, {
      ...place,
      keys,
    });
    if (read !== REFUSED) record[key] = read;
    else if (isOptional) {
      delete record[key];
      place.omitted.push({ keys, value: received });
    } else {
      place.omitted.length = before;
      return REFUSED;
    }
  }
  return record;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members among the omitted ones that say something which cannot be read. */
export function unreadableAmong(omitted: readonly OmittedMember[]): readonly UnreadableMember[] {
  return omitted.filter(({ value }) => value !== null)
    .map(({ keys, value }) => ({ path: formatPath(keys), value }));
}

/** A document with the members that its reading omitted, where its record still has their place. */
export function withOmitted(encoded: unknown, omitted: readonly OmittedMember[]): unknown {
  return omitted.reduce((body, { keys, value }) => withMember(body, keys, value), encoded);
}

function withMember(body: unknown, [key, ...inner]: Keys, value: unknown): unknown {
  if (!isObject(body) || key === undefined) return body;
  if (inner.length > 0) {
    return isObject(body[key]) ? { ...body, [key]: withMember(body[key], inner, value) } : body;
  }
  return Object.hasOwn(body, key) ? body : { ...body, [key]: value };
}
