/**
 * Formats a share as a percentage, for sentences and axes.
 *
 * Percentages are whole numbers between 10 and 90 and have one fraction digit outside, both rounded
 * half to even, as in {@linkcode formatShare}. A share below one never reads as 100%, and a share
 * above zero never as 0%. A share that is a quotient of two doubles may lie next to a tie instead
 * of on it, so it is rounded to 12 digits first.
 *
 * @param share From 0 to 1; other values are formatted as they are.
 * @returns Text such as `62%`, `9.5%`, `<0.1%` or `-20%`.
 *
 * @example
 * ```ts
 * import { sharePercent } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(sharePercent(0.615), "62%");
 * assertEquals(sharePercent(57 / 200), "28%");
 * assertEquals(sharePercent(0.99999), ">99.9%");
 * ```
 */
export function sharePercent(share: number): string {
  const percent = Number((share * 100).toPrecision(12));
  const size = Math.abs(percent);
  const sign = percent < 0 ? "-" : "";
  if (size > 0 && size < 0.1) return `${sign}<0.1%`;
  if (percent > 99.9 && percent < 100) return ">99.9%";
  const format = size >= 10 && size <= 90 ? WHOLE : ONE_DIGIT;
  return `${sign}${format.format(size)}%`;
}

const ROUNDING = { roundingMode: "halfEven", useGrouping: false } as const;
const WHOLE = new Intl.NumberFormat("en-US", { ...ROUNDING, maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat("en-US", { ...ROUNDING, maximumFractionDigits: 1 });
