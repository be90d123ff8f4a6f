import { z } from "zod";
import { InputError } from "../../errors/orderlens_error.ts";
import { formatPath } from "./decode.ts";

/** No wire format has more levels; deeper values are unknown, and stay unchanged. */
const DEEPEST = 32;

/** Lists and plain objects without the fields that are `undefined`; everything else unchanged. */
function withoutUndefined(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutUndefined(inner, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, withoutUndefined(inner, depth + 1)]]
    ),
  );
}

/**
 * Encodes a record in its wire format: amounts as decimal digits, instants with their own number of
 * fractional digits, unknown fields unchanged. Fields that are `undefined` are omitted.
 *
 * @throws {InputError} If a field is missing or invalid; the error names its path.
 */
export function encode<T>(schema: z.ZodType<T>, record: T, what: string): unknown {
  const result = z.safeEncode(schema, withoutUndefined(record) as T);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new InputError(
    `Cannot write ${what}: ${formatPath(issue?.path ?? []) || "it"} must be ${issue?.message}`,
    {
      remedy:
        "Set the field to a value of that kind; amounts are bigint, timestamps are Temporal.Instant",
    },
  );
}
