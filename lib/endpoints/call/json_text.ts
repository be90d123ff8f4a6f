import { InputError } from "../../errors/mod.ts";

/**
 * Serializes an encoded record as a body. A bigint in a field that the caller added, unknown to the
 * schema, becomes decimal text, like every amount on the wire.
 *
 * @throws {InputError} If a field that the caller added is circular, or nested too deeply.
 */
export function jsonText(encoded: unknown): string {
  try {
    return JSON.stringify(
      encoded,
      (_key, value: unknown) => typeof value === "bigint" ? value.toString() : value,
    );
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new InputError("Cannot write the request: a field is circular or nested too deeply", {
      remedy: "Remove the added field, or flatten it",
      cause,
    });
  }
}
