import type { z } from "zod";
import { Decimal } from "../../units/decimal.ts";
import { formatInstant, tryParseInstant } from "../../units/instant.ts";
import { leaf, REFUSED } from "./leaf.ts";
import { hasProtoKey } from "./proto_key.ts";

const isText = (value: string) => `typeof ${value} === "string"`;

/** Any text. */
export const text: z.ZodType<string> = leaf({
  expected: "text",
  read: (value) => typeof value === "string" ? value : REFUSED,
  isValid: isText,
});

/** `true` or `false`. */
export const boolean: z.ZodType<boolean> = leaf({
  expected: "true or false",
  read: (value) => typeof value === "boolean" ? value : REFUSED,
  isValid: (value) => `typeof ${value} === "boolean"`,
});

/** A block number, an id, a count: a whole number from 0 to 2^53 - 1. */
export const integer: z.ZodType<number> = leaf({
  expected: "a whole number from 0 to 9007199254740991",
  read: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? value as number : REFUSED,
  isValid: (value) => `Number.isSafeInteger(${value}) && ${value} >= 0`,
});

/** A time in unix seconds as stored by the protocol: a whole number of 32 bits. */
export const unixSeconds: z.ZodType<number> = leaf({
  expected: "unix seconds: a whole number from 0 to 4294967295",
  read: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff_ffff
      ? value as number
      : REFUSED,
  isValid: (value) => `Number.isInteger(${value}) && ${value} >= 0 && ${value} <= 0xffff_ffff`,
});

/** A factor or another quantity that the service itself stores as a double. */
export const double: z.ZodType<number> = leaf({
  expected: "a finite number",
  read: (value) => typeof value === "number" && Number.isFinite(value) ? value : REFUSED,
  isValid: (value) => `Number.isFinite(${value})`,
});

/** A JSON number, read as the exact decimal of its shortest text. */
export const numberAsDecimal: z.ZodType<Decimal> = leaf({
  expected: "a finite number of at least 0",
  read: (value) =>
    typeof value === "number" && Number.isFinite(value) && value >= 0
      ? Decimal.fromNumber(value)
      : REFUSED,
  write: (value) => value instanceof Decimal ? value.toNumber() : REFUSED,
});

/** Number of characters that decide the place of a text. */
const PLACED_BY = 8;

/**
 * Values by the text that they were read from; the newest of those that share a place. Quotes of one
 * time repeat prices: to compare a text with one that was read takes less than to read it, and no new
 * memory.
 */
export class KnownTexts<Value> {
  readonly #texts: string[];
  readonly #values: (Value | undefined)[];

  /** @param places Number of places; a power of two. */
  constructor(places: number) {
    this.#texts = new Array<string>(places).fill("");
    this.#values = new Array<Value | undefined>(places).fill(undefined);
  }

  /** The value of a text, read by `read` unless it is known; `undefined` if it cannot be read. */
  of(text: string, read: (text: string) => Value | undefined): Value | undefined {
    const length = Math.min(text.length, PLACED_BY);
    let hash = text.length;
    for (let index = 0; index < length; index++) {
      hash = (hash * 11 + text.charCodeAt(index)) | 0;
    }
    const place = hash & (this.#texts.length - 1);
    if (this.#texts[place] === text) return this.#values[place];
    const value = read(text);
    if (value === undefined) return undefined;
    this.#texts[place] = text;
    this.#values[place] = value;
    return value;
  }
}

const decimals = new KnownTexts<Decimal>(1 << 11);

/** Decimal text with or without a fraction, or exponent text; every digit kept. */
export const decimal: z.ZodType<Decimal> = leaf({
  expected: "a decimal number as text, without sign",
  read: (value) =>
    typeof value === "string" && value.length <= 1_000
      ? decimals.of(value, (text) => Decimal.tryParse(text)) ?? REFUSED
      : REFUSED,
  write: (value) => value instanceof Decimal ? value.toString() : REFUSED,
});

/** A point in time with its nanoseconds, and with its own number of fractional digits. */
export const instant: z.ZodType<Temporal.Instant> = leaf({
  expected: "a timestamp: RFC 3339 in UTC with at most 9 fractional digits",
  read: (value) => typeof value === "string" ? instantOf(value) ?? REFUSED : REFUSED,
  write: (value) => value instanceof Temporal.Instant ? formatInstant(value) : REFUSED,
});

/** One of a closed set of words that formulas depend on. */
export function enumOf<const W extends string>(...words: readonly W[]): z.ZodType<W> {
  return leaf({
    expected: words.map((one) => JSON.stringify(one)).join(" or "),
    read: (value) => words.includes(value as W) ? value as W : REFUSED,
    isValid: (value) => words.map((one) => `${value} === ${JSON.stringify(one)}`).join(" || "),
  });
}

/** One of an open set of words: unknown ones stay text, and `drift` counts them. */
export function openEnum<const W extends string>(
  words: readonly W[],
  isKnown: (value: string) => boolean = (value) => words.includes(value as W),
): z.ZodType<W | (string & Record<never, never>)> {
  return leaf({
    expected: `text, such as ${JSON.stringify(words[0])}`,
    read: (value) => typeof value === "string" ? value : REFUSED,
    isValid: isText,
    isKnown,
  });
}

/** Any value, kept as received: documents without a specified content. */
export const anything: z.ZodType<unknown> = leaf<unknown>({
  expected: "present, without a field named __proto__",
  read: (value) => value === undefined || hasProtoKey(value) ? REFUSED : value,
});

/** Number of instants that are kept; a power of two. */
const KEPT = 1 << 13;

const texts = new Array<string>(KEPT).fill("");

const instants: (Temporal.Instant | undefined)[] = new Array(KEPT).fill(undefined);

/** A place for a text among the kept ones: its last seven digits differ most. */
function placeOf(text: string): number {
  let hash = 0;
  for (let index = text.length - 8; index < text.length - 1; index++) {
    hash = (hash * 11 + text.charCodeAt(index)) | 0;
  }
  return hash & (KEPT - 1);
}

/**
 * Parses a timestamp of a body; the same text often gives the same instant. One takes as long to make
 * as an order takes to parse, and the reports of all orders of an auction repeat its timestamps.
 */
function instantOf(text: string): Temporal.Instant | undefined {
  const place = placeOf(text);
  if (texts[place] === text) return instants[place];
  const instant = tryParseInstant(text);
  if (instant === undefined) return undefined;
  texts[place] = text;
  instants[place] = instant;
  return instant;
}
