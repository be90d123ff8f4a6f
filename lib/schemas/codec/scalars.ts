import type { z } from "zod";
import { Decimal } from "../../units/decimal.ts";
import { formatInstant } from "../../units/instant.ts";
import { instantOf } from "./instants.ts";
import { KnownTexts } from "./known_texts.ts";
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
