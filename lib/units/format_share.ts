import { isWhole } from "../errors/is_whole.ts";
import { divide } from "./divide.ts";
import { placePoint } from "./place_point.ts";

/**
 * Formats a count and its whole with the percentage, for use in sentences.
 *
 * Percentages are whole numbers between 10 and 90 and have one fraction digit outside, both rounded
 * half to even. An incomplete part never reads as 100%, and a part above zero never as 0%.
 *
 * @param part A count, a whole number from 0 to `whole`.
 * @param whole The count that it is a part of; for 0 the percentage is omitted.
 * @returns Text such as `1,234 of 2,000 (62%)`.
 * @throws {RangeError} If an argument is not a count, or `part` is larger than `whole`.
 *
 * @example
 * ```ts
 * import { formatShare } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatShare(14, 20), "14 of 20 (70%)");
 * assertEquals(formatShare(9_999, 10_000), "9,999 of 10,000 (>99.9%)");
 * assertEquals(formatShare(0, 0), "0 of 0");
 * ```
 */
export function formatShare(part: number, whole: number): string {
  if (!isWhole(whole, 0) || !isWhole(part, 0, whole)) {
    throw new RangeError(
      `Cannot format ${part} of ${whole}: both must be counts, the first not above the second`,
    );
  }
  const text = `${grouped(part)} of ${grouped(whole)}`;
  return whole === 0 ? text : `${text} (${percent(BigInt(part), BigInt(whole))}%)`;
}

function percent(part: bigint, whole: bigint): string {
  if (part > 0n && part * 1_000n < whole) return "<0.1";
  if (part < whole && (whole - part) * 1_000n < whole) return ">99.9";
  const isWholePercent = part * 10n >= whole && part * 10n <= 9n * whole;
  const scale = isWholePercent ? 100n : 1_000n;
  const rounded = divide(part * scale, whole, { rounding: "halfEven" });
  return isWholePercent ? `${rounded}` : placePoint(rounded, 1).replace(/\.0$/, "");
}

function grouped(count: number): string {
  return placePoint(BigInt(count), 0, { grouping: "," });
}
