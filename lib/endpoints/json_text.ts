/**
 * A written record as the text of a body. Integers that no schema knows of, in fields that a caller
 * added, go as decimal text, as the wire has every amount.
 */
export function jsonText(encoded: unknown): string {
  return JSON.stringify(
    encoded,
    (_key, value: unknown) => typeof value === "bigint" ? value.toString() : value,
  );
}
