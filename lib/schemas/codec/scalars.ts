import type { z } from "zod";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { Decimal } from "../../units/decimal.ts";
import { formatInstant, tryParseInstant } from "../../units/instant.ts";
import { hasProtoKey, type Leaf, leaf, REFUSED } from "./compile.ts";

const isText = (value: string) => `typeof ${value} === "string"`;

/** Any text. */
export const text: z.ZodType<string> = leaf({
  expected: "text",
  read: (value) => typeof value === "string" ? value : REFUSED,
  isValid: isText,
});

/** Any text whose content `drift` inspects. */
export function inspectedText(inspect: NonNullable<Leaf<string>["inspect"]>): z.ZodType<string> {
  return leaf({
    expected: "text",
    read: (value) => typeof value === "string" ? value : REFUSED,
    isValid: isText,
    inspect,
  });
}

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

const MAX_TEXT = String(MAX_AMOUNT);
const MAX_DIGITS = MAX_TEXT.length;
const MAX_TOTAL = 10n ** BigInt(MAX_DIGITS) - 1n;

/** Whether so many digits say more than 256 bits hold; texts of one length compare as their numbers. */
function exceedsWord(digits: string): boolean {
  return digits.length > MAX_DIGITS || digits.length === MAX_DIGITS && digits > MAX_TEXT;
}

/** What was read last: an amount with and without fees is often the same, one after the other. */
let latestText = "0";
let latestAmount = 0n;

/**
 * `BigInt` rejects anything but digits between the first and the last digit, so only these two are
 * checked.
 */
function readTotal(value: unknown): bigint | typeof REFUSED {
  if (typeof value !== "string") return REFUSED;
  const { length } = value;
  if (length === 0 || length > MAX_DIGITS) return REFUSED;
  const first = value.charCodeAt(0);
  if (first === 48) return length === 1 ? 0n : REFUSED;
  if (first < 49 || first > 57) return REFUSED;
  const last = value.charCodeAt(length - 1);
  if (last < 48 || last > 57) return REFUSED;
  if (value === latestText) return latestAmount;
  try {
    latestAmount = BigInt(value);
    latestText = value;
    return latestAmount;
  } catch {
    return REFUSED;
  }
}

function readAtoms(value: unknown): bigint | typeof REFUSED {
  return typeof value === "string" && exceedsWord(value) ? REFUSED : readTotal(value);
}

function writeUpTo(max: bigint): (value: bigint) => unknown {
  return (value) =>
    typeof value === "bigint" && value >= 0n && value <= max ? value.toString() : REFUSED;
}

const writeAtoms = writeUpTo(MAX_AMOUNT);

/** An amount in atoms, as a contract stores it: decimal digits, no sign, no leading zero, 256 bits. */
export const atoms: z.ZodType<bigint> = leaf({
  expected: "an amount below 2^256: decimal digits as text, no sign, no leading zero",
  read: readAtoms,
  write: writeAtoms,
});

/**
 * Amounts of several fills added up, which the service does in numbers of any size: they may exceed
 * the 256 bits that each of them has.
 */
export const totalAtoms: z.ZodType<bigint> = leaf({
  expected: "an amount: decimal digits as text, no sign, no leading zero, at most 78",
  read: readTotal,
  write: writeUpTo(MAX_TOTAL),
});

/** Index of the exponent in a text, or -1; checked first, because `BigInt` throws on exponents. */
function exponentIndex(value: string): number {
  const index = value.indexOf("e");
  return index === -1 ? value.indexOf("E") : index;
}

const POWERS_OF_TEN: readonly bigint[] = Array.from(
  { length: MAX_DIGITS },
  (_, exponent) => 10n ** BigInt(exponent),
);

/** The exponent of a text that ends in `e+` and one or two digits; `undefined` for all others. */
function plainExponent(value: string, index: number): number | undefined {
  const digits = value.length - index - 2;
  if (digits < 1 || digits > 2 || value.charCodeAt(index + 1) !== 43) return undefined;
  let exponent = 0;
  for (let at = index + 2; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 48;
    if ((digit >>> 0) > 9) return undefined;
    exponent = exponent * 10 + digit;
  }
  return exponent;
}

/** Converts exponent text to a decimal; the common `100e+16` takes a fast path. */
function readExponent(value: string, index: number): bigint | Decimal | typeof REFUSED {
  if (value.length > MAX_DIGITS) return REFUSED;
  const exponent = plainExponent(value, index);
  const power = exponent === undefined ? undefined : POWERS_OF_TEN[exponent];
  const mantissa = power === undefined ? REFUSED : readAtoms(value.slice(0, index));
  if (power !== undefined && mantissa !== REFUSED) {
    const amount = mantissa * power;
    return amount <= MAX_AMOUNT ? amount : REFUSED;
  }
  const decimal = Decimal.tryParse(value);
  if (decimal === undefined) return REFUSED;
  if (!decimal.isInteger) return decimal;
  const amount = decimal.toBigInt();
  return amount <= MAX_AMOUNT ? amount : REFUSED;
}

/**
 * An amount in atoms that may come as exponent text, such as `"100e+16"`; converted exactly, and
 * written back as plain digits. A value that is not a complete number of atoms is rejected.
 */
export const exponentAtoms: z.ZodType<bigint> = leaf({
  expected: "a whole number of atoms below 2^256: decimal digits or exponent text",
  read(value): bigint | typeof REFUSED {
    if (typeof value !== "string") return REFUSED;
    const index = exponentIndex(value);
    if (index === -1) return readAtoms(value);
    const amount = readExponent(value, index);
    return typeof amount === "bigint" ? amount : REFUSED;
  },
  write: writeAtoms,
});

/**
 * A native price of a debug report: like {@linkcode exponentAtoms}, but a price below one may be a
 * fraction, which stays an exact decimal.
 */
export const exponentPrice: z.ZodType<bigint | Decimal> = leaf<bigint | Decimal>({
  expected:
    "a price below 2^256: decimal digits, a decimal number or exponent text, at most 78 digits",
  read(value): bigint | Decimal | typeof REFUSED {
    if (typeof value !== "string" || value.length > MAX_DIGITS) return REFUSED;
    const index = exponentIndex(value);
    if (index !== -1) return readExponent(value, index);
    const amount = readAtoms(value);
    if (amount !== REFUSED) return amount;
    return exceedsWord(value) && /^\d+$/.test(value) ? REFUSED : Decimal.tryParse(value) ?? REFUSED;
  },
  write: (value) => value instanceof Decimal ? value.toString() : writeAtoms(value),
});

const HEX_TEXT = /^0x[0-9a-fA-F]*$/;

/** Receives the bytes of texts that only need checking. */
const bytesRead = new Uint8Array(1 << 14);

/** Shorter texts are checked as fast by the regular expression. */
const LEAST_CHARACTERS = 50;

const readsHex = "setFromHex" in bytesRead;

/** Whether a text is `0x` and an even number of hex digits. */
function isHexText(text: string): boolean {
  const { length } = text;
  if (!readsHex || length < LEAST_CHARACTERS || length > 2 * bytesRead.length) {
    return length % 2 === 0 && HEX_TEXT.test(text);
  }
  if (text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return false;
  try {
    bytesRead.setFromHex(text.slice(2));
    return true;
  } catch {
    return false;
  }
}

/** A place for a text, from digits that differ between addresses, hashes and UIDs alike. */
function placeOfHex(text: string): number {
  return text.charCodeAt(5) + 17 * text.charCodeAt(9) + 293 * text.charCodeAt(13) +
    4_903 * text.charCodeAt(17);
}

/**
 * Reads a text of so many bytes. Bodies repeat tokens, solvers and UIDs: to compare a text with one
 * that was valid takes half as long as to check its digits.
 *
 * @param kept Number of valid texts to remember; a power of two.
 */
function readBytes(length: number, kept: number): (value: unknown) => string | typeof REFUSED {
  const characters = 2 + 2 * length;
  const valid = new Array<string>(kept).fill("");
  return (value) => {
    if (typeof value !== "string" || value.length !== characters) return REFUSED;
    const place = placeOfHex(value) & (kept - 1);
    if (valid[place] === value) return value;
    if (!isHexText(value)) return REFUSED;
    valid[place] = value;
    return value;
  };
}

function fixedBytes(length: number, what: string, kept: number): z.ZodType<string> {
  return leaf({
    expected: `${what}: 0x and ${2 * length} hex digits`,
    read: readBytes(length, kept),
  });
}

/** A 20-byte address, in the letter case it was sent in. */
export const address: z.ZodType<string> = fixedBytes(20, "an address", 1 << 10);

/** A 32-byte hash. */
export const hash32: z.ZodType<string> = fixedBytes(32, "a 32-byte hash", 1 << 8);

/** A 56-byte order UID. */
export const orderUid: z.ZodType<string> = fixedBytes(56, "an order UID", 1 << 12);

/** Bytes of any length: `0x` and an even number of hex digits. */
export const bytes: z.ZodType<string> = leaf({
  expected: "bytes: 0x and an even number of hex digits",
  read: (value) => typeof value === "string" && isHexText(value) ? value : REFUSED,
});

const readHash32 = readBytes(32, 1 << 8);

/** The `appData` of an order: the hash that was signed, or the document itself as text. */
export const appDataField: z.ZodType<string> = leaf({
  expected: "app data: 0x and 64 hex digits, or a JSON document as text",
  read: (value) =>
    typeof value !== "string" ? REFUSED : value.startsWith("0x") ? readHash32(value) : value,
});
