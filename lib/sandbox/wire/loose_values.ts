import { MAX_AMOUNT } from "../../units/arithmetic.ts";

const MAX_U64 = 2n ** 64n - 1n;

/** Reads a value; a missing field is `undefined`. @throws {Mismatch} If it is of the wrong type. */
export type Reader<T> = (value: unknown) => T;

/** An error for a value of the wrong type. */
export class Mismatch extends Error {
  /** Whether the service reports it as invalid JSON. */
  readonly isSyntax: boolean;

  /** Creates the error with the service's text. */
  constructor(message: string, isSyntax = false) {
    super(message);
    this.name = "Mismatch";
    this.isSyntax = isSyntax;
  }
}

/** Returns the result of `read`; `null` on a mismatch. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}

/**
 * Parses JSON; whole numbers become bigints, with every digit.
 *
 * @throws {Mismatch} If the text is not JSON, or has a number or a text that the service rejects.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, reviveExact);
  } catch {
    throw new Mismatch("invalid JSON");
  }
}

function reviveExact(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value === "string" && !value.isWellFormed()) throw new SyntaxError("Lone surrogate");
  if (typeof value !== "number") return value;
  const source = context?.source ?? String(value);
  if (/^-?\d+$/.test(source)) return BigInt(source);
  if (!Number.isFinite(value)) throw new SyntaxError("Number out of range");
  return value;
}

/** Whether a value is an object with members. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Describes a value as the service's errors do. */
function describeValue(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return `boolean \`${value}\``;
    case "string":
      return `string ${JSON.stringify(value)}`;
    case "bigint":
      return `integer \`${value}\``;
    case "number":
      return `floating point \`${value}\``;
  }
  return value === null ? "null" : Array.isArray(value) ? "sequence" : "map";
}

/** Creates the mismatch for a value of the wrong type. */
export function unexpected(value: unknown, expectation: string): Mismatch {
  return new Mismatch(`invalid type: ${describeValue(value)}, expected ${expectation}`);
}

/** Reads an address, to lower case. */
export function readAddress(value: unknown): string {
  if (typeof value === "string") return parseHex(value, 20);
  throw unexpected(
    value,
    "20 bytes, represented as a hex string of length 40, an array of u8, or raw bytes",
  );
}

/** Parses hex of a fixed length, with or without `0x`, to lower case with `0x`. */
export function parseHex(value: string, bytes: number): string {
  const digits = value.startsWith("0x") ? value.slice(2) : value;
  if (digits.length % 2 === 1) throw new Mismatch("odd number of digits");
  if (digits.length !== bytes * 2) throw new Mismatch("invalid string length");
  const wrong = /[^0-9a-fA-F]/u.exec(digits);
  if (wrong !== null) {
    throw new Mismatch(`invalid character '${wrong[0]}' at position ${wrong.index}`);
  }
  return `0x${digits.toLowerCase()}`;
}

/** Reads the UID of an order, to lower case. */
export function readUid(value: unknown): string {
  if (typeof value === "string") return parseUid(value);
  throw unexpected(value, "an uid with orderDigest_owner_validTo");
}

/** Parses an order UID. */
export function parseUid(text: string): string {
  try {
    return parseHex(text, 56);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new Mismatch(`failed to decode ${JSON.stringify(text)} as hex uid: ${error.message}`);
  }
}

/** Reads hex bytes of any length; `0x` is required. */
export function readBytes(value: unknown): string {
  if (typeof value !== "string") throw unexpected(value, "a hex string");
  if (!value.startsWith("0x")) throw new Mismatch("missing '0x' prefix");
  return parseHex(value, Math.ceil((value.length - 2) / 2));
}

/** Creates a reader of lists. */
export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw unexpected(value, "a sequence");
    return value.map((item) => read(item));
  };
}

/** Reads an amount: decimal, hex, octal or binary text, empty text for 0, or a whole number. */
export function readAmount(value: unknown): bigint {
  const expectation = "a 32 byte hex string";
  if (typeof value === "bigint" && value >= 0n && value <= MAX_U64) return value;
  if (typeof value !== "string") throw unexpected(value, expectation);
  if (value === "" || value === "0x") return 0n;
  const isNumber = /^(0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+)$/.test(value);
  const amount = isNumber ? BigInt(value) : undefined;
  if (amount === undefined || amount > MAX_AMOUNT) {
    throw new Mismatch(`invalid value: ${describeValue(value)}, expected ${expectation}`);
  }
  return amount;
}

/** Reads an amount above 0. */
export function readPositive(value: unknown): bigint {
  const amount = readAmount(value);
  if (amount === 0n) throw new Mismatch("Value cannot be zero!");
  return amount;
}

/** Parses an unsigned 64-bit integer, as in a path. */
export function parseU64(text: string): bigint {
  if (text === "") throw new Mismatch("cannot parse integer from empty string");
  if (!/^\+?[0-9]+$/.test(text)) throw new Mismatch("invalid digit found in string");
  const value = BigInt(text);
  if (value > MAX_U64) throw new Mismatch("number too large to fit in target type");
  return value;
}

/** Creates a reader of whole numbers within a range, as numbers. */
export function integer(kind: "u32" | "i64" | "u64"): Reader<number> {
  const [low, high] = RANGES[kind];
  return (value) => {
    if (typeof value !== "bigint") throw unexpected(value, kind);
    if (value < low || value > high) {
      throw new Mismatch(`invalid value: ${describeValue(value)}, expected ${kind}`);
    }
    return Number(value);
  };
}

const RANGES = {
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, MAX_U64],
} as const;

/** Reads `true` or `false`. */
export function readBoolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw unexpected(value, "a boolean");
  return value;
}

/** Reads a string. */
export function readText(value: unknown): string {
  if (typeof value !== "string") throw unexpected(value, "a string");
  return value;
}

/** Creates a reader of one of several names. */
export function variant<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => {
    const text = readText(value);
    const match = words.find((word) => word === text);
    if (match !== undefined) return match;
    const quotedWords = words.map((word) => `\`${word}\``);
    const choices = words.length === 2
      ? quotedWords.join(" or ")
      : `one of ${quotedWords.join(", ")}`;
    throw new Mismatch(`unknown variant \`${text}\`, expected ${choices}`);
  };
}

/** Creates a reader of one of several names that reports other types as invalid JSON. */
export function enumeration<const Word extends string>(words: readonly Word[]): Reader<Word> {
  const read = variant(words);
  return (value) => {
    if (typeof value !== "string") throw new Mismatch("expected value", true);
    return read(value);
  };
}
