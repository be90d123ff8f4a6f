import { DecodeError } from "orderlens";
import { decodeKind, encodeKind, type WireKind } from "orderlens/schemas";
import { findDifference } from "../conformance/first_difference.ts";

/**
 * Checks that a body is rejected with a `DecodeError` or that its record encodes to the same body,
 * and that the body stays unchanged.
 *
 * @returns The violation; `undefined` if there is none.
 */
export function findBrokenPromise(kind: WireKind, body: unknown): string | undefined {
  const original = JSON.stringify(body);
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
  const difference = findDifference(body, encoded);
  if (difference !== undefined) return `${difference} does not round-trip`;
  if (JSON.stringify(body) !== original) return "the body was changed";
  return undefined;
}
