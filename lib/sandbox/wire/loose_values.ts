import { InputError } from "../../errors/mod.ts";
import { LARGEST_AMOUNT } from "../../units/arithmetic.ts";
import { type JsonNode, Mismatch, NotAString } from "./json_node.ts";

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
function parseUid(text: string): string {
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

const ADDRESS_BYTES = 20;

function badPath(reason: string): Rejection {
  return new Rejection(text(`Invalid URL: ${reason}`, 400));
}

function badQuery(reason: string): Rejection {
  return new Rejection(text(`Failed to deserialize query string: ${reason}`, 400));
}

/** A UID in a path, in lower case. @throws {Rejection} 400 as text. */
export function pathUid(value: string): string {
  return orReject(
    () => parseUid(value),
    (reason) => badPath(`Cannot parse \`uid\` with value \`${value}\`: ${reason}`),
  );
}

/** Hex in a path, in lower case. @throws {Rejection} 400 as text. */
export function pathHex(value: string, { name, bytes }: { name: string; bytes: number }): string {
  return orReject(
    () => parseHex(value, bytes),
    (reason) => badPath(`Cannot parse \`${name}\` with value \`${value}\`: ${reason}`),
  );
}

/** Hash of an app data document in a path. @throws {Rejection} 400 as text. */
export function pathDocumentHash(value: string): string {
  return orReject(
    () => parseHex(value, 32),
    (reason) =>
      badPath(`failed to decode ${JSON.stringify(value)} as hex appdata 32 bytes: ${reason}`),
  );
}

/** Id of an auction in a path. @throws {Rejection} 400 as text. */
export function pathAuctionId(value: string): number {
  return Number(
    orReject(() => parseU64(value), () => badPath(`Cannot parse \`${value}\` to a \`u64\``)),
  );
}

/** A count in a query. @throws {Rejection} 400 as text. */
export function queryCount(query: URLSearchParams, name: string): number | undefined {
  return queryValue(query, name, (value) => Number(parseU64(value)));
}

/** A UID in a query, in lower case. @throws {Rejection} 400 as text. */
export function queryUid(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, parseUid);
}

/** An address in a query, in lower case. @throws {Rejection} 400 as text. */
export function queryAddress(query: URLSearchParams, name: string): string | undefined {
  return queryValue(query, name, (value) => parseHex(value, ADDRESS_BYTES));
}

function queryValue<T>(
  query: URLSearchParams,
  name: string,
  read: (value: string) => T,
): T | undefined {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  if (others.length > 0) throw badQuery(`duplicate field \`${name}\``);
  return orReject(() => read(value), (reason) => badQuery(`${name}: ${reason}`));
}

/** Offset and length of a page. */
export interface PageBounds {
  /** Rows to skip. */
  readonly offset: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

const DEFAULT_LIMIT = 10;
const MAX_ROWS = 1_000;

/** The page in a query. @throws {Rejection} 400; with `outOfRange` if the limit is out of range. */
export function queryPage(
  query: URLSearchParams,
  outOfRange: { errorType: string; description: string },
): PageBounds {
  const offset = queryCount(query, "offset") ?? FIRST;
  const limit = queryCount(query, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_ROWS) {
    throw new Rejection(failure(400, outOfRange.errorType, outOfRange.description));
  }
  return { offset, limit };
}

const FIRST = 0;

/**
 * The recoverOrReject signer.
 *
 * @param description Error description for a signature that recovers to no signer.
 * @throws {Rejection} 400 with a type, for such a signature.
 */
export async function recoverOrReject(
  recover: () => Promise<string>,
  description: string,
): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    throw error instanceof InputError ? rejection(400, "InvalidSignature", description) : error;
  }
}

/**
 * The result of `read`; a mismatch becomes a rejection.
 *
 * @throws {Rejection} What `reject` returns for the reason.
 */
export function orReject<T>(read: () => T, reject: (reason: string) => Rejection): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? reject(error.message) : error;
  }
}

/** A response before faults are applied. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** Content type; `null` if there is no body. */
  readonly contentType: string | null;
  /** The body. */
  readonly body: string;
  /** Headers other than the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content type of plain text. */
const TEXT = "text/plain; charset=utf-8";

/** A JSON response; amounts must already be text. */
export function json(value: unknown, status = 200): Reply {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

/** An error response with its type. */
export function failure(status: number, errorType: string, description: string): Reply {
  return json({ errorType, description }, status);
}

/** Plain text, as the service sends before its own logic runs. */
export function text(body: string, status = 200): Reply {
  return { status, contentType: TEXT, body };
}

/** An empty response. */
export function empty(status: number): Reply {
  return { status, contentType: null, body: "" };
}

/** An error response that aborts the handling of a request. */
export class Rejection extends Error {
  /** The response. */
  readonly reply: Reply;

  /** Aborts with this response. */
  constructor(reply: Reply) {
    super(`Answer with status ${reply.status}`);
    this.name = "Rejection";
    this.reply = reply;
  }
}

/** A rejection with an error type. */
export function rejection(status: number, errorType: string, description: string): Rejection {
  return new Rejection(failure(status, errorType, description));
}
