import { JsonNumber } from "./json_body.ts";

/** Why a value is not of the kind wanted; thrown by the readers below. */
export class Mismatch extends Error {
  /** What is wrong, in the service's words. */
  constructor(message: string) {
    super(message);
    this.name = "Mismatch";
  }
}

const LARGEST = 2n ** 256n - 1n;

/** A value in words, as the service names what it found. */
export function inWords(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (value instanceof JsonNumber) {
    const isWhole = /^-?\d+$/.test(value.source);
    return `${isWhole ? "integer" : "floating point"} \`${value.source}\``;
  }
  return Array.isArray(value) ? "sequence" : "map";
}

/** Hex digits of so many bytes, in lower case, with or without `0x`. */
export function readHex(value: unknown, bytes: number): string {
  if (typeof value !== "string") {
    throw new Mismatch(
      `invalid type: ${
        inWords(value)
      }, expected ${bytes} bytes, represented as a hex string of length ${
        bytes * 2
      }, an array of u8, or raw bytes`,
    );
  }
  return hexOf(value, bytes);
}

/** The same of text that stands alone, as in a path. */
export function hexOf(value: string, bytes: number): string {
  const digits = value.startsWith("0x") ? value.slice(2) : value;
  if (digits.length % 2 === 1) throw new Mismatch("odd number of digits");
  if (digits.length !== bytes * 2) throw new Mismatch("invalid string length");
  const wrong = /[^0-9a-fA-F]/.exec(digits);
  if (wrong !== null) {
    throw new Mismatch(`invalid character ${JSON.stringify(wrong[0])} at position ${wrong.index}`);
  }
  return `0x${digits.toLowerCase()}`;
}

/** Bytes of any number, which do need their `0x`. */
export function readBytes(value: unknown): string {
  if (typeof value !== "string") {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected a hex string`);
  }
  if (!value.startsWith("0x")) throw new Mismatch("missing '0x' prefix");
  return hexOf(value, Math.ceil((value.length - 2) / 2));
}

/** An amount: decimal digits or `0x…` as text, nothing as 0, or a whole number. */
export function readAmount(value: unknown): bigint {
  if (value instanceof JsonNumber) {
    if (!/^\d+$/.test(value.source) || BigInt(value.source) > 2n ** 64n - 1n) {
      throw new Mismatch(`invalid type: ${inWords(value)}, expected a 32 byte hex string`);
    }
    return BigInt(value.source);
  }
  if (typeof value !== "string") {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected a 32 byte hex string`);
  }
  if (value === "" || value === "0x") return 0n;
  const isNumber = /^(0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+)$/.test(value);
  const amount = isNumber ? BigInt(value) : undefined;
  if (amount === undefined || amount > LARGEST) {
    throw new Mismatch(`invalid value: ${inWords(value)}, expected a 32 byte hex string`);
  }
  return amount;
}

/** A whole number within a range, as a number. */
export function readInteger(value: unknown, kind: "u32" | "i64" | "u64"): number {
  const [low, high] = RANGES[kind];
  if (!(value instanceof JsonNumber) || !/^-?\d+$/.test(value.source)) {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected ${kind}`);
  }
  const whole = BigInt(value.source);
  if (whole < low || whole > high) {
    throw new Mismatch(`invalid value: ${inWords(value)}, expected ${kind}`);
  }
  return Number(whole);
}

const RANGES = {
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
} as const;

/** `true` or `false`. */
export function readFlag(value: unknown): boolean {
  if (typeof value !== "boolean") {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected a boolean`);
  }
  return value;
}

/** Text. */
export function readText(value: unknown): string {
  if (typeof value !== "string") {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected a string`);
  }
  return value;
}

/** One of a few words. */
export function readWord<Word extends string>(value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  if (typeof value !== "string") {
    throw new Mismatch(`invalid type: ${inWords(value)}, expected string or map`);
  }
  const named = words.map((word) => `\`${word}\``);
  const list = words.length === 2
    ? `expected ${named.join(" or ")}`
    : `expected one of ${named.join(", ")}`;
  throw new Mismatch(`unknown variant \`${value}\`, ${list}`);
}
