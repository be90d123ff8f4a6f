import { InputError } from "../errors/mod.ts";

/**
 * A written record as the text of a body. Integers that no schema knows of, in fields that a caller
 * added, go as decimal text, as the wire has every amount.
 *
 * @throws {InputError} If a field that a caller added is within itself, or nested too deep to be written.
 */
export function jsonText(encoded: unknown): string {
  try {
    return JSON.stringify(
      encoded,
      (_key, value: unknown) => typeof value === "bigint" ? value.toString() : value,
    );
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new InputError("Cannot write the request: a field of it is within itself, or too deep", {
      remedy: "Leave out the field that was added, or flatten it",
      cause,
    });
  }
}
