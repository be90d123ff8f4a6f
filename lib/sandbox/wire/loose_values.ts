import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";
import type { JsonNode } from "./json_node.ts";
import { Mismatch, NoWord } from "./mismatch.ts";

const LARGEST_U64 = 2n ** 64n - 1n;

/** A value in words, as the service names what it found. */
export function inWords(node: JsonNode): string {
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
  return new Mismatch(`invalid type: ${inWords(node)}, expected ${wanted}`);
}

/** An address, in lower case. */
export function readAddress(node: JsonNode): string {
  if (node.kind === "string") return hexOf(node.value, 20);
  throw unexpected(
    node,
    "20 bytes, represented as a hex string of length 40, an array of u8, or raw bytes",
  );
}

/** The hex that text is, of so many bytes: in lower case and with `0x`, whether it has one or not. */
export function hexOf(value: string, bytes: number): string {
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
  if (node.kind === "string") return uidIn(node.value);
  throw unexpected(node, "an uid with orderDigest_owner_validTo");
}

/** The UID that text holds. */
export function uidIn(text: string): string {
  try {
    return hexOf(text, 56);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new Mismatch(`failed to decode ${JSON.stringify(text)} as hex uid: ${error.message}`);
  }
}

/** Bytes of any number, which do need their `0x`. */
export function readBytes(node: JsonNode): string {
  if (node.kind !== "string") throw unexpected(node, "a hex string");
  if (!node.value.startsWith("0x")) throw new Mismatch("missing '0x' prefix");
  return hexOf(node.value, Math.ceil((node.value.length - 2) / 2));
}

/** A reader of lists. */
export function listOf<T>(read: (node: JsonNode) => T): (node: JsonNode) => T[] {
  return (node) => {
    if (node.kind !== "list") throw unexpected(node, "a sequence");
    return node.items.map((item) => read(item));
  };
}

/** An amount: decimal digits or `0x…` as text, nothing as 0, or a whole number. */
export function readAmount(node: JsonNode): bigint {
  const wanted = "a 32 byte hex string";
  if (node.kind === "number") {
    if (!/^\d+$/.test(node.source) || BigInt(node.source) > LARGEST_U64) {
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
    throw new Mismatch(`invalid value: ${inWords(node)}, expected ${wanted}`);
  }
  return amount;
}

/** The whole number of 64 bits that text is, as in a path. */
export function u64In(text: string): bigint {
  if (text === "") throw new Mismatch("cannot parse integer from empty string");
  if (!/^\+?[0-9]+$/.test(text)) throw new Mismatch("invalid digit found in string");
  const whole = BigInt(text);
  if (whole > LARGEST_U64) throw new Mismatch("number too large to fit in target type");
  return whole;
}

/** A reader of whole numbers within a range, as numbers. */
export function integer(kind: "u32" | "i64" | "u64"): (node: JsonNode) => number {
  const [low, high] = RANGES[kind];
  return (node) => {
    if (node.kind !== "number" || !isWhole(node.source)) throw unexpected(node, kind);
    const whole = BigInt(node.source);
    if (whole < low || whole > high) {
      throw new Mismatch(`invalid value: ${inWords(node)}, expected ${kind}`);
    }
    return Number(whole);
  };
}

const RANGES = {
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, LARGEST_U64],
} as const;

/** `true` or `false`. */
export function readFlag(node: JsonNode): boolean {
  if (node.kind !== "boolean") throw unexpected(node, "a boolean");
  return node.value;
}

/** Text. */
export function readText(node: JsonNode): string {
  if (node.kind !== "string") throw unexpected(node, "a string");
  return node.value;
}

/** A reader of one of a few words. */
export function word<const Word extends string>(words: readonly Word[]): (node: JsonNode) => Word {
  return (node) => {
    if (node.kind !== "string") throw new NoWord("expected value");
    return wordIn(node.value, words);
  };
}

/** The word of a few that text is. */
export function wordIn<const Word extends string>(text: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === text);
  if (found !== undefined) return found;
  const named = words.map((one) => `\`${one}\``);
  const list = words.length === 2 ? named.join(" or ") : `one of ${named.join(", ")}`;
  throw new Mismatch(`unknown variant \`${text}\`, expected ${list}`);
}
