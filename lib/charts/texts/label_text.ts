import { MAX_DATE_MS } from "../../units/instant.ts";
import { sharePercent } from "../../units/mod.ts";

/** Widths of the printable ASCII characters of DejaVu Sans, from space to tilde, in hundredths of an em. */
const ASCII_WIDTHS = [
  [32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34],
  [64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53],
  [100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79],
  [60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50],
  [50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61],
  [63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84],
].flat();

const OTHER_WIDTH = 100;
const BOLD_FACTOR = 1.12;

interface TextStyle {
  /** Size of the font, in pixels. */
  size: number;
  bold?: boolean;
}

/**
 * The width of a text, in pixels: exact for ASCII in the charts' own font, an upper estimate for other
 * characters, since the reader's machine may use another font.
 */
export function measureText(text: string, style: TextStyle): number {
  let hundredths = 0;
  for (const character of text) {
    hundredths += ASCII_WIDTHS[character.codePointAt(0)! - 32] ?? OTHER_WIDTH;
  }
  return hundredths / 100 * style.size * (style.bold === true ? BOLD_FACTOR : 1);
}

/** Breaks text at spaces into lines that fit a width; longer words are broken too. */
export function wrapText(text: string, width: number, style: TextStyle): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const extended = line === "" ? word : `${line} ${word}`;
    if (measureText(extended, style) <= width) {
      line = extended;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (line !== "" && measureText(line + character, style) > width) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

/**
 * Cuts a text to a width in pixels, with an ellipsis in its middle. A text that begins with an ellipsis
 * is cut at its end instead.
 */
export function cutText(text: string, width: number, style: TextStyle): string {
  if (measureText(text, style) <= width) return text;
  const characters = [...text];
  for (let length = characters.length - 1; length > 0; length--) {
    const head = text.startsWith("…") ? length : Math.ceil(length / 2);
    const tail = characters.slice(characters.length - (length - head));
    const candidate = [...characters.slice(0, head), "…", ...tail].join("");
    if (measureText(candidate, style) <= width) return candidate;
  }
  return "…";
}

/** Size of labels, legends and captions, in pixels. */
export const LABEL_SIZE = 11;

const STYLE = { size: LABEL_SIZE } as const;

/** Length of a tick with the gaps on both sides of a label, in pixels. */
const TICK_ROOM = 14;

/** Measures a text at the size of labels, in pixels. */
export function measureLabel(text: string): number {
  return measureText(text, STYLE);
}

/**
 * Cuts a label to a width in pixels, with an ellipsis. A directed pair keeps its arrow and both
 * tokens; the longer token is cut first.
 */
export function fitText(text: string, width: number): string {
  const tokens = splitPair(text);
  if (tokens === null || measureLabel(text) <= width) return cutText(text, width, STYLE);
  const [sellToken, buyToken] = tokens;
  const room = width - measureLabel(formatPair("", ""));
  const half = Math.max(room / 2, room - Math.min(measureLabel(sellToken), measureLabel(buyToken)));
  return formatPair(cutText(sellToken, half, STYLE), cutText(buyToken, half, STYLE));
}

/** Measures the room for the widest of some labels beside a plot, in pixels, ticks included. */
export function measureLabelMargin(labels: readonly string[], limit: number = Infinity): number {
  return Math.ceil(Math.min(limit, Math.max(0, ...labels.map(measureLabel)) + TICK_ROOM));
}

/** Separates the two tokens of a directed pair, such as `WETH → USDC`. */
const ARROW = " → ";

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Keeps the arrow pointing right between tokens whose names are read from right to left. */
const LEFT_TO_RIGHT_MARK = "\u200e";

/** Splits a directed pair into its two tokens; `null` for other text. */
export function splitPair(text: string): readonly [string, string] | null {
  const unmarked = text.replaceAll(LEFT_TO_RIGHT_MARK, "");
  const arrowIndex = unmarked.indexOf(ARROW);
  if (arrowIndex <= 0 || arrowIndex + ARROW.length >= unmarked.length) return null;
  return [unmarked.slice(0, arrowIndex), unmarked.slice(arrowIndex + ARROW.length)];
}

export function formatPair(sellToken: string, buyToken: string): string {
  const mark = RIGHT_TO_LEFT.test(sellToken + buyToken) ? LEFT_TO_RIGHT_MARK : "";
  return `${sellToken}${mark}${ARROW}${mark}${buyToken}`;
}

/** Formats a number for labels: 4 significant digits, with an exponent for very large or small ones. */
export function formatNumber(value: number): string {
  if (value < 0) return `−${formatNumber(-value)}`;
  if (value === 0) return "0";
  if (value >= MAX_PLAIN || value < MIN_PLAIN) {
    return formatExponent(value, 2).replace(/\.?0*e/, "e");
  }
  return SIGNIFICANT[Number(value >= COMMA_FROM)]!.format(value);
}

/** Formats a number for sentences: significant digits or its whole part, never with an exponent. */
export function formatAmount(value: number, digits = 4): string {
  const options = Math.abs(value) >= 1_000 ? { maximumFractionDigits: 0 } : {
    maximumSignificantDigits: digits,
  };
  return value.toLocaleString("en-US", options).replace("-", "−");
}

/** Formats a number with an exponent and fixed digits after the point: `1.50e−7`. */
function formatExponent(value: number, digits: number): string {
  return value.toExponential(digits).replace("e+", "e").replaceAll("-", "−");
}

/** Formats a number with all its digits, for tooltips, with the minus sign of all charts. */
export function formatExact(value: number): string {
  return String(value).replace("e+", "e").replaceAll("-", "−");
}

/** Formats shares together: all have a decimal if one needs it. `0%` and `100%` are exact. */
export function formatPercents(shares: readonly number[]): string[] {
  const texts = shares.map(formatPercent);
  if (!texts.some((text) => /\.\d%$/.test(text) && !/[<>]/.test(text))) return texts;
  return shares.map((share, index) =>
    /[<>]/.test(texts[index]!) || share === 0 || share === 1
      ? texts[index]!
      : `${(share * 100).toFixed(1)}%`.replace("-", "−")
  );
}

/** Formats a share from 0 to 1 as `sharePercent` does, with the minus sign of all charts. */
export function formatPercent(share: number): string {
  return sharePercent(share).replace("-", "−");
}

interface MarketPositionText {
  readonly short: string;
  readonly long: string;
}

export const MARKET_POSITIONS: Readonly<Record<string, MarketPositionText>> = {
  in_market: { short: "in market", long: "In market: the limit could be met at the quote" },
  out_of_market: {
    short: "out of market",
    long: "Out of market: the limit waits for a better price than the quote",
  },
};

/** A moment: RFC 3339 text as tables have it, or a date or instant. */
export type Moment = string | Date | Temporal.Instant;

/** Converts a moment to seconds since 1970; `null` for an invalid time. */
export function toSeconds(moment: Moment | null | undefined): number | null {
  if (moment === null || moment === undefined) return null;
  try {
    const milliseconds = moment instanceof Date
      ? moment.getTime()
      : Number(Temporal.Instant.from(String(moment)).epochNanoseconds) / 1e6;
    return Math.abs(milliseconds) <= MAX_DATE_MS ? milliseconds / 1_000 : null;
  } catch {
    return null;
  }
}

/** Formats seconds since 1970, to the second: `2026-11-21 15:18:19 UTC`. */
export function formatMoment(seconds: number): string {
  const [day, time] = new Date(Math.floor(seconds) * 1_000).toISOString().split("T");
  return `${day} ${time?.slice(0, 8)} UTC`;
}

/** From this size on, all numbers of a group have a comma between thousands. */
const COMMA_FROM = 1e3;

/** Sizes that are written without an exponent: people write 0.00001, and 1,500,000. */
const [MIN_PLAIN, MAX_PLAIN] = [1e-6, 1e9];
const DIGITS = 4;

const SIGNIFICANT = [false, true].map((useGrouping) =>
  new Intl.NumberFormat("en-US", { maximumSignificantDigits: DIGITS, useGrouping })
);

/** From this size on, and below {@linkcode MAX_PLAIN}, a number reads badly with an exponent. */
const NO_EXPONENT_FROM = 1e-3;

/** Maximum number of extra decimals, so that small numbers in a group keep two digits. */
const MORE_DECIMALS = 3;

/** Formats by decimals and grouping, since creating one is slow. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function createFormat(decimals: number, hasComma: boolean): Intl.NumberFormat {
  const key = `${decimals} ${hasComma}`;
  const cached = FORMATS.get(key);
  if (cached !== undefined) return cached;
  const format = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: hasComma,
  });
  FORMATS.set(key, format);
  return format;
}

/** Formats a number with fixed decimals and the minus sign of all charts; zero has no sign. */
export function formatDecimal(value: number, decimals: number, hasComma: boolean): string {
  const text = createFormat(decimals, hasComma).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Whether the numbers of a group need a comma between thousands. */
export function needsCommas(values: readonly number[]): boolean {
  return values.some((value) => Math.abs(value) >= COMMA_FROM);
}

/**
 * Formats the numbers of a group alike: with the same number of decimals, or all with an exponent; each
 * on its own where some need an exponent and others read badly with one. Zero is `0` among exponents.
 */
export function formatTogether(values: readonly number[]): string[] {
  const [smallest, largest] = findSizeRange(values);
  if (smallest === undefined || largest === undefined) return values.map(formatNumber);
  if (smallest < MIN_PLAIN || largest >= MAX_PLAIN) {
    const isPlain = values.map(Math.abs).some((size) =>
      size >= NO_EXPONENT_FROM && size < MAX_PLAIN
    );
    if (isPlain) return values.map(formatNumber);
    const digits = findFewestDigits(values, 2, (value, digits) => value.toExponential(digits));
    return values.map((value) => value === 0 ? "0" : formatExponent(value, digits));
  }
  const magnitude = Math.floor(Math.log10(largest));
  const usualDecimals = Math.max(0, DIGITS - 1 - magnitude);
  const maxDecimals = Math.max(usualDecimals, 1 - Math.floor(Math.log10(smallest)));
  if (maxDecimals > usualDecimals + MORE_DECIMALS) return values.map(formatNumber);
  const decimals = findFewestDigits(values, maxDecimals, (value, digits) => value.toFixed(digits));
  const hasComma = needsCommas(values);
  return values.map((value) => formatDecimal(value, decimals, hasComma));
}

/** Finds the fewest digits after the point that write every number as exactly as `maxDigits` do. */
function findFewestDigits(
  values: readonly number[],
  maxDigits: number,
  write: (value: number, digits: number) => string,
): number {
  const isEnough = (digits: number) =>
    values.every((value) => Number(write(value, digits)) === Number(write(value, maxDigits)));
  let digits = maxDigits;
  while (digits > 0 && isEnough(digits - 1)) digits--;
  return digits;
}

const MAX_PLAIN_BPS = 1e6;

/** A smaller difference would read as zero with one decimal. */
const MIN_BPS = 0.05;
/** Basis points that are nothing but the last digits of a division. */
const NEGLIGIBLE_BPS = 1e-6;

const MAX_DECIMALS = 3;

/** Formats a difference with its sign: `+1.5`, `−20` or `0`. */
export function formatSigned(value: number): string {
  return formatSign(value) + formatNumber(Math.abs(value));
}

/** Adds a plus to the text of a positive number; a negative one has its minus. */
export function addPlus(text: string, value: number): string {
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
  return `${formatBpsNumber(value)} bps`;
}

/** Formats a difference in basis points without the unit. */
export function formatBpsNumber(value: number): string {
  const size = Math.abs(value);
  if (size < NEGLIGIBLE_BPS) return "0";
  if (size < MIN_BPS) return formatSigned(Number(value.toPrecision(2)));
  return size < MAX_PLAIN_BPS
    ? formatSign(value) + formatDecimal(size, 1, needsCommas([size]))
    : formatSigned(value);
}

/** Finds the smallest and the largest size of numbers other than 0, without the statistics library. */
function findSizeRange(values: readonly number[]): (number | undefined)[] {
  const sizes = values.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b);
  return [sizes[0], sizes.at(-1)];
}

/** Formats differences in basis points with the same number of decimals. */
export function formatBpsTogether(values: readonly number[]): string[] {
  const [smallest = Infinity, largest = 0] = findSizeRange(values);
  const decimals = smallest < MIN_BPS ? -Math.floor(Math.log10(smallest)) : 1;
  if (decimals > MAX_DECIMALS || largest >= MAX_PLAIN_BPS) return values.map(bpsText);
  const hasComma = needsCommas(values);
  return values.map((value) => `${addPlus(formatDecimal(value, decimals, hasComma), value)} bps`);
}

function formatSign(value: number): string {
  return value > 0 ? "+" : value < 0 ? "−" : "";
}
