import { decimalText, haveComma } from "./alike_texts.ts";
import { axisText } from "./axis_text.ts";
import { extent } from "../numbers/statistics.ts";

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
