import { isWhole } from "../errors/option_rules.ts";
import { divide, MAX_DECIMALS, powerOfTen, type Rounding } from "./arithmetic.ts";
import { type Ratio, requirePositiveDenominator } from "./ratio.ts";

/** Digits and rounding of a ratio as text. */
export interface RatioFormat {
  /** Digits after the decimal point, a whole number from 0 to 100; trailing zeros are kept. */
  digits: number;
  /** Rounding of the remaining digits. */
  rounding: Rounding;
  /** Separator between groups of three digits of the whole part, such as `","`; none by default. */
  grouping?: string;
}

/**
 * Formats a ratio as decimal text with a chosen number of digits.
 *
 * @param value Any ratio.
 * @returns Digits, with a decimal point where `digits` is not 0; a value that rounds to zero has no
 * sign.
 * @throws {RangeError} If `digits` is not a whole number from 0 to 100, or the denominator is not
 * positive.
 *
 * @example Two thirds
 * ```ts
 * import { formatRatio, ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatRatio(ratio(2n, 3n), { digits: 4, rounding: "halfEven" }), "0.6667");
 * assertEquals(formatRatio(ratio(2n, 3n), { digits: 4, rounding: "trunc" }), "0.6666");
 * ```
 */
export function formatRatio(value: Ratio, format: RatioFormat): string {
  const { digits, rounding } = format;
  requirePositiveDenominator(value);
  if (!isWhole(digits, 0, 100)) {
    throw new RangeError(
      `Cannot format a ratio with ${digits} digits: the number must be whole and from 0 to 100`,
    );
  }
  const scaled = value.numerator * 10n ** BigInt(digits);
  return placePoint(divide(scaled, value.denominator, { rounding }), digits, format);
}

/**
 * Formats a fraction as a percentage: `100 * value`, with a percent sign.
 *
 * @param value A fraction of one: a half is fifty percent.
 * @returns The text of {@linkcode formatRatio} followed by `%`.
 * @throws {RangeError} If `digits` is not a whole number from 0 to 100, or the denominator is not
 * positive.
 *
 * @example One eighth
 * ```ts
 * import { formatPercent } from "orderlens";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatPercent(ratio(1n, 8n), { digits: 1, rounding: "halfEven" }), "12.5%");
 * ```
 */
export function formatPercent(value: Ratio, format: RatioFormat): string {
  const { numerator, denominator } = value;
  return `${formatRatio({ numerator: numerator * 100n, denominator }, format)}%`;
}

const NANOSECOND_DECIMALS = 9;
const MINUTE_NS = 60_000_000_000n;
const HOUR_NS = 60n * MINUTE_NS;
const DAY_NS = 24n * HOUR_NS;

/** Rounding of the seconds in {@linkcode formatSpan}. */
export interface SpanFormat {
  /** Maximum number of fraction digits of the seconds, a whole number from 0 to 9. */
  fractionDigits: number;
  /** Rounding of the remaining digits. */
  rounding: Rounding;
}

/**
 * Formats a span of time in days (of 24 hours), hours, minutes and seconds.
 *
 * Exact to the nanosecond unless `format` sets a rounding; units that are zero are left out.
 *
 * @param span Nanoseconds, or a duration without years, months and weeks, which vary in length.
 * @returns Text such as `4 min 12.3 s`; `0 s` for zero, with a leading `-` when negative.
 * @throws {RangeError} If the duration has years, months or weeks, or `fractionDigits` is not a
 * whole number from 0 to 9.
 *
 * @example Between two instants
 * ```ts
 * import { formatSpan } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const from = Temporal.Instant.from("2026-08-21T10:00:00Z");
 * const to = Temporal.Instant.from("2026-08-21T10:04:12.34Z");
 *
 * assertEquals(formatSpan(from.until(to)), "4 min 12.34 s");
 * assertEquals(
 *   formatSpan(252_340_000_000n, { fractionDigits: 1, rounding: "floor" }),
 *   "4 min 12.3 s",
 * );
 * ```
 */
export function formatSpan(span: bigint | Temporal.Duration, format?: SpanFormat): string {
  const exact = typeof span === "bigint" ? span : toNanoseconds(span);
  const rounded = format === undefined ? exact : round(exact, format);
  const size = rounded < 0n ? -rounded : rounded;
  const seconds = size % MINUTE_NS;
  const parts = [
    [size / DAY_NS, "d"],
    [(size % DAY_NS) / HOUR_NS, "h"],
    [(size % HOUR_NS) / MINUTE_NS, "min"],
  ].filter(([count]) => count !== 0n).map(([count, unit]) => `${count} ${unit}`);
  if (seconds !== 0n || parts.length === 0) {
    parts.push(formatAtoms(seconds, NANOSECOND_DECIMALS, { symbol: "s" }));
  }
  return `${rounded < 0n ? "-" : ""}${parts.join(" ")}`;
}

function round(span: bigint, { fractionDigits, rounding }: SpanFormat): bigint {
  if (!isWhole(fractionDigits, 0, 9)) {
    throw new RangeError(
      `Cannot format seconds with ${fractionDigits} fraction digits: the number must be whole and from 0 to 9`,
    );
  }
  const step = powerOfTen(NANOSECOND_DECIMALS - fractionDigits);
  return divide(span, step, { rounding }) * step;
}

function toNanoseconds(duration: Temporal.Duration): bigint {
  if (duration.years !== 0 || duration.months !== 0 || duration.weeks !== 0) {
    throw new RangeError(
      `Cannot measure the duration ${duration} without a calendar: its largest unit must be days`,
    );
  }
  return BigInt(duration.days) * DAY_NS +
    BigInt(duration.hours) * HOUR_NS +
    BigInt(duration.minutes) * MINUTE_NS +
    BigInt(duration.seconds) * 1_000_000_000n +
    BigInt(duration.milliseconds) * 1_000_000n +
    BigInt(duration.microseconds) * 1_000n +
    BigInt(duration.nanoseconds);
}

/** Options that do not affect the digits of an amount. */
export interface AtomsLook {
  /** Separator between groups of three digits of the whole part, such as `","`; none by default. */
  grouping?: string;
  /** Unit after the number and a space, such as `"WETH"`; none by default. */
  symbol?: string;
}

/** Formats an amount with all its digits. */
export interface ExactAtomsFormat extends AtomsLook {
  /**
   * `"trimmed"` drops trailing zeros of the fraction, `"all"` keeps as many fraction digits as the
   * token has decimals.
   *
   * @default {"trimmed"}
   */
  fractionDigits?: "trimmed" | "all";
}

/** Formats an amount with a chosen number of fraction digits. */
export interface RoundedAtomsFormat extends AtomsLook {
  /** Fraction digits, a whole number from 0 to 77; zeros are added where the token has fewer. */
  fractionDigits: number;
  /** Rounding of the remaining digits. */
  rounding: Rounding;
}

/** Format of an amount in {@linkcode formatAtoms}: exact, or with a named rounding. */
export type AtomsFormat = ExactAtomsFormat | RoundedAtomsFormat;

/**
 * Formats an amount of atoms as decimal text in whole tokens: `atoms / 10^decimals`.
 *
 * Exact for any number of digits, unless a number of fraction digits is chosen together with a
 * rounding. {@linkcode parseAtoms} reads the exact text back.
 *
 * @param atoms Any integer; negative amounts have a leading `-`.
 * @param decimals Decimals of the token, a whole number from 0 to 77.
 * @returns Digits, with a decimal point if they have a fraction; an amount that rounds to zero has
 * no sign.
 * @throws {RangeError} If `decimals` or `fractionDigits` is not a whole number from 0 to 77.
 *
 * @example Exact, trimmed or not, and rounded for a person
 * ```ts
 * import { formatAtoms } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatAtoms(1_500_000n, 6), "1.5");
 * assertEquals(formatAtoms(1_500_000n, 6, { fractionDigits: "all" }), "1.500000");
 * assertEquals(
 *   formatAtoms(-1_234_567_890n, 6, {
 *     fractionDigits: 2,
 *     rounding: "halfEven",
 *     grouping: ",",
 *     symbol: "USDC",
 *   }),
 *   "-1,234.57 USDC",
 * );
 * ```
 */
export function formatAtoms(atoms: bigint, decimals: number, format: AtomsFormat = {}): string {
  const unit = powerOfTen(decimals);
  const suffix = format.symbol === undefined ? "" : ` ${format.symbol}`;
  if (isRounded(format)) {
    const { fractionDigits, rounding } = format;
    const rounded = divide(atoms * powerOfTen(fractionDigits), unit, { rounding });
    return placePoint(rounded, fractionDigits, format) + suffix;
  }
  const text = placePoint(atoms, decimals, format);
  if (format.fractionDigits === "all" || decimals === 0) return text + suffix;
  return text.replace(/\.?0+$/, "") + suffix;
}

function isRounded(format: AtomsFormat): format is RoundedAtomsFormat {
  return typeof format.fractionDigits === "number";
}

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
  const text = `${formatGrouped(part)} of ${formatGrouped(whole)}`;
  return whole === 0 ? text : `${text} (${formatPercentDigits(BigInt(part), BigInt(whole))}%)`;
}

function formatPercentDigits(part: bigint, whole: bigint): string {
  if (part > 0n && part * 1_000n < whole) return "<0.1";
  if (part < whole && (whole - part) * 1_000n < whole) return ">99.9";
  const isWholePercent = part * 10n >= whole && part * 10n <= 9n * whole;
  const scale = isWholePercent ? 100n : 1_000n;
  const rounded = divide(part * scale, whole, { rounding: "halfEven" });
  return isWholePercent ? `${rounded}` : placePoint(rounded, 1).replace(/\.0$/, "");
}

function formatGrouped(count: number): string {
  return placePoint(BigInt(count), 0, { grouping: "," });
}

/** Options of {@linkcode placePoint}. */
interface PlacePointOptions {
  /** Separator between groups of three digits of the whole part; none if `""` or absent. */
  grouping?: string | undefined;
}

/**
 * Formats `coefficient / 10^fractionDigits`, with exactly `fractionDigits` digits after the point.
 * Zero has no sign.
 */
function placePoint(
  coefficient: bigint,
  fractionDigits: number,
  options: PlacePointOptions = {},
): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = `${coefficient < 0n ? -coefficient : coefficient}`
    .padStart(fractionDigits + 1, "0");
  const point = digits.length - fractionDigits;
  const integer = groupDigits(digits.slice(0, point), options.grouping ?? "");
  return fractionDigits === 0 ? `${sign}${integer}` : `${sign}${integer}.${digits.slice(point)}`;
}

function groupDigits(digits: string, separator: string): string {
  return separator === "" ? digits : digits.replaceAll(/\B(?=(?:\d{3})+$)/g, () => separator);
}

/** Significant digits of an amount with more than {@linkcode MAX_SHORT_DIGITS}. */
const ROUNDED_DIGITS = 6;
/** Amounts of up to this many significant digits are not rounded. */
const MAX_SHORT_DIGITS = 8;
/** Amounts below a billionth of a token are easier to read in atoms. */
const BILLIONTH_DIGITS = 9;

/** Writes the minus sign of a number for a reader; data has the hyphen. */
export function writeMinus(text: string): string {
  return text.replace(/^-/, "−");
}

/** Formats atoms for a reader: `1,234 atoms`. */
export function formatAtomCount(atoms: bigint): string {
  const digits = writeMinus(placePoint(atoms, 0, { grouping: "," }));
  return `${digits} ${atoms === 1n ? "atom" : "atoms"}`;
}

/**
 * Formats an amount in whole tokens for a reader: unrounded if it is short, otherwise with six
 * significant digits, and always all digits before the point. Less than a billionth of a token stays
 * in atoms.
 */
export function formatReadable(atoms: bigint, decimals: number, symbol: string): string {
  const look = { grouping: ",", symbol };
  const digits = atoms.toString().replace("-", "");
  if (atoms !== 0n && digits.length <= decimals - BILLIONTH_DIGITS) {
    return `${formatAtomCount(atoms)} of ${symbol}`;
  }
  if (digits.replace(/0+$/, "").length <= MAX_SHORT_DIGITS) {
    return writeMinus(formatAtoms(atoms, decimals, look));
  }
  const wholeDigits = digits.length - decimals;
  const fractionDigits = Math.min(Math.max(0, ROUNDED_DIGITS - wholeDigits), MAX_DECIMALS);
  return writeMinus(
    formatAtoms(atoms, decimals, { ...look, fractionDigits, rounding: "halfEven" }),
  );
}

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

/** Formats a count with its noun: `1 order`, `2 orders`. */
export function pluralize(
  count: number | bigint,
  singular: string,
  plural: string = `${singular}s`,
): string {
  return `${count} ${Number(count) === 1 ? singular : plural}`;
}

/** Lowers the first letter of a text, for use inside a sentence; that of an abbreviation stays. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
