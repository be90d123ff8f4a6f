import { axisText, exponentText } from "./axis_text.ts";
import { extent } from "../numbers/statistics.ts";

/** From this size on, all numbers of a group have a comma between thousands. */
const COMMA_FROM = 1e4;
const [LEAST_PLAIN, MOST_PLAIN] = [1e-4, 1e6];
const DIGITS = 4;
/** From this size on, and below {@linkcode MOST_PLAIN}, a number reads badly with an exponent. */
const NO_EXPONENT_FROM = 1e-3;
/** At most this many extra decimals, so that small numbers in a group keep two digits. */
const MORE_DECIMALS = 3;

/** A number with fixed decimals and the minus sign of all charts; zero has no sign. */
export function decimalText(value: number, decimals: number, hasComma: boolean): string {
  const text = Math.abs(value).toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: hasComma,
  });
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
  return values.map((value) => decimalText(value, decimals, haveComma(values)));
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
