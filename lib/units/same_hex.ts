/**
 * Whether two hex texts (addresses, hashes, UIDs) denote the same bytes, regardless of case.
 *
 * The service sends lower case, clients send checksummed addresses; records keep what was sent.
 *
 * @param a Hex text with `0x`.
 * @param b Hex text with `0x`.
 * @returns `true` if both have the same digits.
 *
 * @example A checksummed address and the service's spelling of it
 * ```ts
 * import { sameHex } from "orderlens";
 * import { assert } from "@std/assert";
 *
 * assert(
 *   sameHex(
 *     "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
 *     "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
 *   ),
 * );
 * ```
 */
export function sameHex(a: string, b: string): boolean {
  return a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());
}
