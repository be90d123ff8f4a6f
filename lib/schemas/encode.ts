import { z } from "zod";
import { InputError } from "../errors/input_error.ts";
import { formatPath } from "./decode.ts";

/** No wire format has more levels; what lies deeper is unknown, and stays as it is. */
const DEEPEST = 32;

/** Lists and plain objects without the fields that are `undefined`; everything else as it is. */
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
 * Writes a record in the wire format: amounts as decimal digits, instants with their own number of
 * fractional digits, unknown fields as they came. Fields that are `undefined` are left out.
 *
 * @throws {InputError} If a field is missing or cannot be written; the error names its path.
 */
export function encode<T>(schema: z.ZodType<T>, record: T, what: string): unknown {
  const result = z.safeEncode(schema, withoutUndefined(record) as T);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new InputError(
    `Cannot write ${what}: ${formatPath(issue?.path ?? []) || "it"} must be ${issue?.message}`,
    {
      remedy:
        "Give the field a value of that kind; amounts are bigint, timestamps Temporal.Instant",
    },
  );
}
