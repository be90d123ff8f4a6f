import { z } from "zod";

const dates = new WeakMap<z.core.$ZodType, string>();

/**
 * Declares a field that every response since a date has and earlier ones lack: a response of
 * a later time without it is drift.
 *
 * @param date First day on which responses are known to have it, such as `2026-03-04`.
 */
export function sentSince<Schema extends z.core.$ZodType>(
  date: string,
  schema: Schema,
): z.ZodExactOptional<Schema> {
  const field = z.exactOptional(schema);
  dates.set(field, date);
  return field;
}

/** Returns the date since which responses have a field; `undefined` for fields that they may lack. */
export function getSentSince(field: z.core.$ZodType): string | undefined {
  return dates.get(field);
}
