import { LARGEST_AMOUNT } from "../../units/arithmetic.ts";
import { type JsonNode, Mismatch, NotAString } from "./json.ts";

const MAX_U64 = 2n ** 64n - 1n;

/** Describes a value as the service's errors do. */
export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case "null":
      return "null";
    case "boolean":
      return `boolean \`${node.value}\``;
    case "string":
      return `string ${JSON.stringify(node.value)}`;
    case "number":
      return `${isWhole(node.source) ? "integer" : "floating point"} \`${node.source}\``;
    case "list":
      return "sequence";
    case "object":
      return "map";
  }
}

function isWhole(source: string): boolean {
  return /^-?\d+$/.test(source);
}

function unexpected(node: JsonNode, wanted: string): Mismatch {
  return new Mismatch(`invalid type: ${describeNode(node)}, expected ${wanted}`);
}

/** An address, in lower case. */
export function readAddress(node: JsonNode): string {
  if (node.kind === "string") return parseHex(node.value, 20);
  throw unexpected(
    node,
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

/** The UID of an order, in lower case. */
export function readUid(node: JsonNode): string {
  if (node.kind === "string") return parseUid(node.value);
  throw unexpected(node, "an uid with orderDigest_owner_validTo");
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

/** Hex bytes of any length; `0x` is required. */
export function readBytes(node: JsonNode): string {
  if (node.kind !== "string") throw unexpected(node, "a hex string");
  if (!node.value.startsWith("0x")) throw new Mismatch("missing '0x' prefix");
  return parseHex(node.value, Math.ceil((node.value.length - 2) / 2));
}

/** A reader of lists. */
export function listOf<T>(read: (node: JsonNode) => T): (node: JsonNode) => T[] {
  return (node) => {
    if (node.kind !== "list") throw unexpected(node, "a sequence");
    return node.items.map((item) => read(item));
  };
}

/** An amount: decimal, hex, octal or binary text, empty text for 0, or a whole number. */
export function readAmount(node: JsonNode): bigint {
  const wanted = "a 32 byte hex string";
  if (node.kind === "number") {
    if (!/^\d+$/.test(node.source) || BigInt(node.source) > MAX_U64) {
      throw unexpected(node, wanted);
    }
    return BigInt(node.source);
  }
  if (node.kind !== "string") throw unexpected(node, wanted);
  const { value } = node;
  if (value === "" || value === "0x") return 0n;
  const isNumber = /^(0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+)$/.test(value);
  const amount = isNumber ? BigInt(value) : undefined;
  if (amount === undefined || amount > LARGEST_AMOUNT) {
    throw new Mismatch(`invalid value: ${describeNode(node)}, expected ${wanted}`);
  }
  return amount;
}

/** Parses an unsigned 64-bit integer, as in a path. */
export function parseU64(text: string): bigint {
  if (text === "") throw new Mismatch("cannot parse integer from empty string");
  if (!/^\+?[0-9]+$/.test(text)) throw new Mismatch("invalid digit found in string");
  const whole = BigInt(text);
  if (whole > MAX_U64) throw new Mismatch("number too large to fit in target type");
  return whole;
}

/** A reader of whole numbers within a range, as numbers. */
export function integer(kind: "u32" | "i64" | "u64"): (node: JsonNode) => number {
  const [low, high] = RANGES[kind];
  return (node) => {
    if (node.kind !== "number" || !isWhole(node.source)) throw unexpected(node, kind);
    const whole = BigInt(node.source);
    if (whole < low || whole > high) {
      throw new Mismatch(`invalid value: ${describeNode(node)}, expected ${kind}`);
    }
    return Number(whole);
  };
}

const RANGES = {
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, MAX_U64],
} as const;

/** `true` or `false`. */
export function readBoolean(node: JsonNode): boolean {
  if (node.kind !== "boolean") throw unexpected(node, "a boolean");
  return node.value;
}

/** A string. */
export function readText(node: JsonNode): string {
  if (node.kind !== "string") throw unexpected(node, "a string");
  return node.value;
}

/** A reader of one of several names. */
export function enumOf<const Word extends string>(
  words: readonly Word[],
): (node: JsonNode) => Word {
  return (node) => {
    if (node.kind !== "string") throw new NotAString("expected value");
    return parseEnum(node.value, words);
  };
}

/** Parses one of several names. */
export function parseEnum<const Word extends string>(text: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === text);
  if (found !== undefined) return found;
  const named = words.map((one) => `\`${one}\``);
  const list = words.length === 2 ? named.join(" or ") : `one of ${named.join(", ")}`;
  throw new Mismatch(`unknown variant \`${text}\`, expected ${list}`);
}
