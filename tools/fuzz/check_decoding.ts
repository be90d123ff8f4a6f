import { DecodeError } from "orderlens";
import { decodeKind, encodeKind, type WireKind } from "orderlens/schemas";
import { firstDifference } from "../conformance/first_difference.ts";

/**
 * The promise of every decoder: a body is refused with a `DecodeError`, or its record encodes to the
 * very body, and either way the body is left as it was.
 *
 * @returns What is broken, or `undefined`.
 */
export function brokenPromise(kind: WireKind, body: unknown): string | undefined {
  const before = JSON.stringify(body);
  let record: unknown;
  try {
    record = decodeKind(kind, body);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    return `decode threw ${error}`;
  }
  let encoded: unknown;
  try {
    encoded = encodeKind(kind, record);
  } catch (error) {
    return `encode threw ${error}`;
  }
  const difference = firstDifference(body, encoded);
  if (difference !== undefined) return `${difference} does not come back as it was`;
  if (JSON.stringify(body) !== before) return "the body was changed";
  return undefined;
}
