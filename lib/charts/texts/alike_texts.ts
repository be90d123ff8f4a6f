import { extent } from "../statistics.ts";
import { axisText, exponentText } from "./label_text.ts";

/** From this size on, all numbers of a group have a comma between thousands. */
const COMMA_FROM = 1e4;
const [LEAST_PLAIN, MOST_PLAIN] = [1e-4, 1e6];
const DIGITS = 4;
/** From this size on, and below {@linkcode MOST_PLAIN}, a number reads badly with an exponent. */
const NO_EXPONENT_FROM = 1e-3;
/** At most this many extra decimals, so that small numbers in a group keep two digits. */
const MORE_DECIMALS = 3;

/** Formats by decimals and grouping: making one takes longer than all numbers of a picture. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function formatWith(decimals: number, hasComma: boolean): Intl.NumberFormat {
  const key = `${decimals} ${hasComma}`;
  const known = FORMATS.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: hasComma,
  });
  FORMATS.set(key, format);
  return format;
}

/** A number with fixed decimals and the minus sign of all charts; zero has no sign. */
export function decimalText(value: number, decimals: number, hasComma: boolean): string {
  const text = formatWith(decimals, hasComma).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Whether the numbers of a group have a comma between thousands. */
export function haveComma(values: readonly number[]): boolean {
  return values.some((value) => Math.abs(value) >= COMMA_FROM);
}

/**
 * Formats the numbers of a group alike: with the same number of decimals, or all with an exponent; each
 * on its own where some need an exponent and others read badly with one. Zero is `0` among exponents.
 */
export function alikeTexts(values: readonly number[]): string[] {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const [least, most] = extent(sizes);
  if (least === undefined || most === undefined) return values.map(axisText);
  if (least < LEAST_PLAIN || most >= MOST_PLAIN) {
    const isPlain = sizes.some((size) => size >= NO_EXPONENT_FROM && size < MOST_PLAIN);
    return isPlain ? values.map(axisText) : exponentTexts(values);
  }
  const place = Math.floor(Math.log10(most));
  const wanted = Math.max(0, DIGITS - 1 - place);
  const needed = Math.max(wanted, 1 - Math.floor(Math.log10(least)));
  if (needed > wanted + MORE_DECIMALS) return values.map(axisText);
  const decimals = fewest(values, needed, (value, digits) => value.toFixed(digits));
  const hasComma = haveComma(values);
  return values.map((value) => decimalText(value, decimals, hasComma));
}

function exponentTexts(values: readonly number[]): string[] {
  const digits = fewest(values, 2, (value, digits) => value.toExponential(digits));
  return values.map((value) => value === 0 ? "0" : exponentText(value, digits));
}

/** The fewest digits after the point that write every number as exactly as `most` digits do. */
function fewest(
  values: readonly number[],
  most: number,
  write: (value: number, digits: number) => string,
): number {
  const isEnough = (digits: number) =>
    values.every((value) => Number(write(value, digits)) === Number(write(value, most)));
  let digits = most;
  while (digits > 0 && isEnough(digits - 1)) digits--;
  return digits;
}

const MOST_PLAIN_BPS = 1e6;
/** A smaller difference would read as zero with one decimal. */
const LEAST_BPS = 0.05;
const MOST_DECIMALS = 3;

/** A difference with its sign: `+1.5`, `−20` or `0`. */
export function signedText(value: number): string {
  return signOf(value) + axisText(Math.abs(value));
}

/** Adds a plus to the text of a positive number; that of a negative one has its minus. */
export function withPlus(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

/**
 * Formats a difference in basis points as charts do, for the text beside one: with its sign and one
 * digit after the point, or more where it would read as zero.
 *
 * @param value Basis points.
 * @returns As `+1.5 bps`, `−20.0 bps`, `−0.027 bps` or `0 bps`; the minus sign is U+2212.
 *
 * @example Better and worse than quoted
 * ```ts
 * import { bpsText } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals([1.5, -20, -0.0271, 0].map(bpsText), ["+1.5 bps", "−20.0 bps", "−0.027 bps", "0 bps"]);
 * ```
 */
export function bpsText(value: number): string {
  return `${bpsNumber(value)} bps`;
}

/** The same without the unit. */
export function bpsNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < LEAST_BPS) return signedText(Number(value.toPrecision(2)));
  return size < MOST_PLAIN_BPS
    ? signOf(value) + decimalText(size, 1, haveComma([size]))
    : signedText(value);
}

/** Formats differences in basis points alike, with the same number of decimals. */
export function bpsTexts(values: readonly number[]): string[] {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const [least = Infinity, most = 0] = extent(sizes);
  const decimals = least < LEAST_BPS ? -Math.floor(Math.log10(least)) : 1;
  if (decimals > MOST_DECIMALS || most >= MOST_PLAIN_BPS) return values.map(bpsText);
  const hasComma = haveComma(values);
  return values.map((value) => `${withPlus(decimalText(value, decimals, hasComma), value)} bps`);
}

function signOf(value: number): string {
  return value > 0 ? "+" : value < 0 ? "−" : "";
}
