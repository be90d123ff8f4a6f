import type { z } from "zod";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { Decimal } from "../../units/decimal.ts";
import { formatInstant, tryParseInstant } from "../../units/instant.ts";
import { defineLeaf, hasProtoKey, INVALID, type Leaf } from "./compile.ts";

const isText = (value: string) => `typeof ${value} === "string"`;

/** Any text. */
export const text: z.ZodType<string> = defineLeaf({
  expected: "text",
  read: (value) => typeof value === "string" ? value : INVALID,
  isValid: isText,
});

/** Any text whose content `drift` inspects. */
export function inspectedText(inspect: NonNullable<Leaf<string>["inspect"]>): z.ZodType<string> {
  return defineLeaf({
    expected: "text",
    read: (value) => typeof value === "string" ? value : INVALID,
    isValid: isText,
    inspect,
  });
}

/** `true` or `false`. */
export const boolean: z.ZodType<boolean> = defineLeaf({
  expected: "true or false",
  read: (value) => typeof value === "boolean" ? value : INVALID,
  isValid: (value) => `typeof ${value} === "boolean"`,
});

/** A block number, an id, a count: a whole number from 0 to 2^53 - 1. */
export const integer: z.ZodType<number> = defineLeaf({
  expected: "a whole number from 0 to 9007199254740991",
  read: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? value as number : INVALID,
  isValid: (value) => `Number.isSafeInteger(${value}) && ${value} >= 0`,
});

/** A time in unix seconds as stored by the protocol: a whole number of 32 bits. */
export const unixSeconds: z.ZodType<number> = defineLeaf({
  expected: "unix seconds: a whole number from 0 to 4294967295",
  read: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff_ffff
      ? value as number
      : INVALID,
  isValid: (value) => `Number.isInteger(${value}) && ${value} >= 0 && ${value} <= 0xffff_ffff`,
});

/** A factor or another quantity that the service itself stores as a double. */
export const double: z.ZodType<number> = defineLeaf({
  expected: "a finite number",
  read: (value) => typeof value === "number" && Number.isFinite(value) ? value : INVALID,
  isValid: (value) => `Number.isFinite(${value})`,
});

/** A JSON number, read as the exact decimal of its shortest text. */
export const numberAsDecimal: z.ZodType<Decimal> = defineLeaf({
  expected: "a finite number of at least 0",
  read: (value) =>
    typeof value === "number" && Number.isFinite(value) && value >= 0
      ? Decimal.fromNumber(value)
      : INVALID,
  write: (value) => value instanceof Decimal ? value.toNumber() : INVALID,
});

/** Number of characters that the slot of a text is computed from. */
const HASH_CHARACTERS = 8;

/**
 * A cache of parsed values by text; each slot holds the newest of the texts that share it. Quotes of
 * one time repeat prices: comparing a text with a cached one takes less time than parsing it, and no
 * new memory.
 */
export class ParseCache<Value> {
  readonly #texts: string[];
  readonly #values: (Value | undefined)[];

  /** @param size Number of slots; a power of two. */
  constructor(size: number) {
    this.#texts = new Array<string>(size).fill("");
    this.#values = new Array<Value | undefined>(size).fill(undefined);
  }

  /** Returns the value of a text, parsed if not cached; `undefined` if it cannot be parsed. */
  getOrParse(text: string, parse: (text: string) => Value | undefined): Value | undefined {
    const length = Math.min(text.length, HASH_CHARACTERS);
    let hash = text.length;
    for (let index = 0; index < length; index++) {
      hash = (hash * 11 + text.charCodeAt(index)) | 0;
    }
    const slot = hash & (this.#texts.length - 1);
    if (this.#texts[slot] === text) return this.#values[slot];
    const value = parse(text);
    if (value === undefined) return undefined;
    this.#texts[slot] = text;
    this.#values[slot] = value;
    return value;
  }
}

const decimalCache = new ParseCache<Decimal>(1 << 11);

/** Decimal text with or without a fraction, or exponent text, with every digit. */
export const decimal: z.ZodType<Decimal> = defineLeaf({
  expected: "a decimal number as text, without sign",
  read: (value) =>
    typeof value === "string" && value.length <= 1_000
      ? decimalCache.getOrParse(value, (text) => Decimal.tryParse(text)) ?? INVALID
      : INVALID,
  write: (value) => value instanceof Decimal ? value.toString() : INVALID,
});

/** A point in time to the nanosecond, with the number of fractional digits it was sent with. */
export const instant: z.ZodType<Temporal.Instant> = defineLeaf({
  expected: "a timestamp: RFC 3339 in UTC with at most 9 fractional digits",
  read: (value) => typeof value === "string" ? parseInstant(value) ?? INVALID : INVALID,
  write: (value) => value instanceof Temporal.Instant ? formatInstant(value) : INVALID,
});

/** One of a closed set of words that formulas depend on. */
export function closedEnum<const W extends string>(...words: readonly W[]): z.ZodType<W> {
  return defineLeaf({
    expected: words.map((word) => JSON.stringify(word)).join(" or "),
    read: (value) => words.includes(value as W) ? value as W : INVALID,
    isValid: (value) => words.map((word) => `${value} === ${JSON.stringify(word)}`).join(" || "),
  });
}

/** One of an open set of words: unknown ones stay text, and `drift` counts them. */
export function openEnum<const W extends string>(
  words: readonly W[],
  isKnown: (value: string) => boolean = (value) => words.includes(value as W),
): z.ZodType<W | (string & Record<never, never>)> {
  return defineLeaf({
    expected: `text, such as ${JSON.stringify(words[0])}`,
    read: (value) => typeof value === "string" ? value : INVALID,
    isValid: isText,
    isKnown,
  });
}

/** Any value, unchanged: documents without specified content. */
export const anything: z.ZodType<unknown> = defineLeaf<unknown>({
  expected: "present, without a field named __proto__",
  read: (value) => value === undefined || hasProtoKey(value) ? INVALID : value,
});

/** Number of cached instants; a power of two. */
const INSTANT_CACHE_SIZE = 1 << 13;

const cachedTexts = new Array<string>(INSTANT_CACHE_SIZE).fill("");

const cachedInstants: (Temporal.Instant | undefined)[] = new Array(INSTANT_CACHE_SIZE).fill(
  undefined,
);

/** Computes the cache slot of a timestamp from its last seven digits, which differ most. */
function hashTimestamp(text: string): number {
  let hash = 0;
  for (let index = text.length - 8; index < text.length - 1; index++) {
    hash = (hash * 11 + text.charCodeAt(index)) | 0;
  }
  return hash & (INSTANT_CACHE_SIZE - 1);
}

/**
 * Parses a timestamp of a body, with a cache: creating an instant takes as long as parsing an order,
 * and the reports of all orders of an auction repeat its timestamps.
 */
function parseInstant(text: string): Temporal.Instant | undefined {
  const slot = hashTimestamp(text);
  if (cachedTexts[slot] === text) return cachedInstants[slot];
  const instant = tryParseInstant(text);
  if (instant === undefined) return undefined;
  cachedTexts[slot] = text;
  cachedInstants[slot] = instant;
  return instant;
}

const MAX_TEXT = String(MAX_AMOUNT);
const MAX_DIGITS = MAX_TEXT.length;
const MAX_TOTAL = 10n ** BigInt(MAX_DIGITS) - 1n;

/** Whether a number exceeds 256 bits; texts of equal length compare like their numbers. */
function exceedsWord(digits: string): boolean {
  return digits.length > MAX_DIGITS || digits.length === MAX_DIGITS && digits > MAX_TEXT;
}

/** The amount read last: amounts with and without fees follow each other and are often equal. */
let latestText = "0";
let latestAmount = 0n;

/**
 * Reads a sum of amounts: up to 78 digits without a leading zero. `BigInt` rejects anything but digits
 * between the first and the last one, so only these two are checked.
 */
function readTotal(value: unknown): bigint | typeof INVALID {
  if (typeof value !== "string") return INVALID;
  const { length } = value;
  if (length === 0 || length > MAX_DIGITS) return INVALID;
  const first = value.charCodeAt(0);
  if (first === 48) return length === 1 ? 0n : INVALID;
  if (first < 49 || first > 57) return INVALID;
  const last = value.charCodeAt(length - 1);
  if (last < 48 || last > 57) return INVALID;
  if (value === latestText) return latestAmount;
  try {
    latestAmount = BigInt(value);
    latestText = value;
    return latestAmount;
  } catch {
    return INVALID;
  }
}

function readAtoms(value: unknown): bigint | typeof INVALID {
  return typeof value === "string" && exceedsWord(value) ? INVALID : readTotal(value);
}

function createWriter(max: bigint): (value: bigint) => unknown {
  return (value) =>
    typeof value === "bigint" && value >= 0n && value <= max ? value.toString() : INVALID;
}

const writeAtoms = createWriter(MAX_AMOUNT);

/** An amount in atoms, as a contract stores it: decimal digits, no sign, no leading zero, 256 bits. */
export const atoms: z.ZodType<bigint> = defineLeaf({
  expected: "an amount below 2^256: decimal digits as text, no sign, no leading zero",
  read: readAtoms,
  write: writeAtoms,
});

/**
 * A sum of the amounts of several fills, which the service adds in numbers of any size: it may exceed
 * the 256 bits of a single amount.
 */
export const totalAtoms: z.ZodType<bigint> = defineLeaf({
  expected: "an amount: decimal digits as text, no sign, no leading zero, at most 78",
  read: readTotal,
  write: createWriter(MAX_TOTAL),
});

/** Returns the index of the exponent, or -1; checked first, because `BigInt` throws on exponents. */
function findExponent(value: string): number {
  const index = value.indexOf("e");
  return index === -1 ? value.indexOf("E") : index;
}

const POWERS_OF_TEN: readonly bigint[] = Array.from(
  { length: MAX_DIGITS },
  (_, exponent) => 10n ** BigInt(exponent),
);

/** Parses the exponent of a text that ends in `e+` and one or two digits; otherwise `undefined`. */
function parsePlainExponent(value: string, index: number): number | undefined {
  const digits = value.length - index - 2;
  if (digits < 1 || digits > 2 || value.charCodeAt(index + 1) !== 43) return undefined;
  let exponent = 0;
  for (let position = index + 2; position < value.length; position++) {
    const digit = value.charCodeAt(position) - 48;
    if ((digit >>> 0) > 9) return undefined;
    exponent = exponent * 10 + digit;
  }
  return exponent;
}

/** Converts exponent text to a decimal; the common `100e+16` takes a fast path. */
function readExponent(value: string, index: number): bigint | Decimal | typeof INVALID {
  if (value.length > MAX_DIGITS) return INVALID;
  const exponent = parsePlainExponent(value, index);
  const power = exponent === undefined ? undefined : POWERS_OF_TEN[exponent];
  const mantissa = power === undefined ? INVALID : readAtoms(value.slice(0, index));
  if (power !== undefined && mantissa !== INVALID) {
    const amount = mantissa * power;
    return amount <= MAX_AMOUNT ? amount : INVALID;
  }
  const decimal = Decimal.tryParse(value);
  if (decimal === undefined) return INVALID;
  if (!decimal.isInteger) return decimal;
  const amount = decimal.toBigInt();
  return amount <= MAX_AMOUNT ? amount : INVALID;
}

/**
 * An amount in atoms that may come as exponent text, such as `"100e+16"`; converted exactly, and
 * written back as plain digits. A value that is not a complete number of atoms is rejected.
 */
export const exponentAtoms: z.ZodType<bigint> = defineLeaf({
  expected: "a whole number of atoms below 2^256: decimal digits or exponent text",
  read(value): bigint | typeof INVALID {
    if (typeof value !== "string") return INVALID;
    const index = findExponent(value);
    if (index === -1) return readAtoms(value);
    const amount = readExponent(value, index);
    return typeof amount === "bigint" ? amount : INVALID;
  },
  write: writeAtoms,
});

/**
 * A native price of a debug report: like {@linkcode exponentAtoms}, but a price below one may be a
 * fraction, which stays an exact decimal.
 */
export const exponentPrice: z.ZodType<bigint | Decimal> = defineLeaf<bigint | Decimal>({
  expected:
    "a price below 2^256: decimal digits, a decimal number or exponent text, at most 78 digits",
  read(value): bigint | Decimal | typeof INVALID {
    if (typeof value !== "string" || value.length > MAX_DIGITS) return INVALID;
    const index = findExponent(value);
    if (index !== -1) return readExponent(value, index);
    const amount = readAtoms(value);
    if (amount !== INVALID) return amount;
    return exceedsWord(value) && /^\d+$/.test(value) ? INVALID : Decimal.tryParse(value) ?? INVALID;
  },
  write: (value) => value instanceof Decimal ? value.toString() : writeAtoms(value),
});

const HEX_TEXT = /^0x[0-9a-fA-F]*$/;

/** Receives the bytes of texts that only need checking. */
const scratch = new Uint8Array(1 << 14);

/** For shorter texts, the regular expression is as fast. */
const MIN_FAST_CHARACTERS = 50;

const hasSetFromHex = "setFromHex" in scratch;

/** Whether a text is `0x` and an even number of hex digits. */
function isHexText(text: string): boolean {
  const { length } = text;
  if (!hasSetFromHex || length < MIN_FAST_CHARACTERS || length > 2 * scratch.length) {
    return length % 2 === 0 && HEX_TEXT.test(text);
  }
  if (text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return false;
  try {
    scratch.setFromHex(text.slice(2));
    return true;
  } catch {
    return false;
  }
}

/** Hashes a hex text by digits that differ between addresses, hashes and UIDs alike. */
function hashHex(text: string): number {
  return text.charCodeAt(5) + 17 * text.charCodeAt(9) + 293 * text.charCodeAt(13) +
    4_903 * text.charCodeAt(17);
}

/**
 * Creates the reader of hex texts of `length` bytes. Bodies repeat tokens, solvers and UIDs: comparing
 * a text with a cached valid one takes half as long as checking its digits.
 *
 * @param cacheSize Number of valid texts to cache; a power of two.
 */
function createBytesReader(
  length: number,
  cacheSize: number,
): (value: unknown) => string | typeof INVALID {
  const characters = 2 + 2 * length;
  const valid = new Array<string>(cacheSize).fill("");
  return (value) => {
    if (typeof value !== "string" || value.length !== characters) return INVALID;
    const slot = hashHex(value) & (cacheSize - 1);
    if (valid[slot] === value) return value;
    if (!isHexText(value)) return INVALID;
    valid[slot] = value;
    return value;
  };
}

function defineBytes(length: number, subject: string, cacheSize: number): z.ZodType<string> {
  return defineLeaf({
    expected: `${subject}: 0x and ${2 * length} hex digits`,
    read: createBytesReader(length, cacheSize),
  });
}

/** A 20-byte address, in the letter case it was sent in. */
export const address: z.ZodType<string> = defineBytes(20, "an address", 1 << 10);

/** A 32-byte hash. */
export const hash32: z.ZodType<string> = defineBytes(32, "a 32-byte hash", 1 << 8);

/** A 56-byte order UID. */
export const orderUid: z.ZodType<string> = defineBytes(56, "an order UID", 1 << 12);

/** Bytes of any length: `0x` and an even number of hex digits. */
export const bytes: z.ZodType<string> = defineLeaf({
  expected: "bytes: 0x and an even number of hex digits",
  read: (value) => typeof value === "string" && isHexText(value) ? value : INVALID,
});

const readHash32 = createBytesReader(32, 1 << 8);

/** The `appData` of an order: the hash that was signed, or the document itself as text. */
export const appDataField: z.ZodType<string> = defineLeaf({
  expected: "app data: 0x and 64 hex digits, or a JSON document as text",
  read: (value) =>
    typeof value !== "string" ? INVALID : value.startsWith("0x") ? readHash32(value) : value,
});
