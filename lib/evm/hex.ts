import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { InputError } from "../errors/mod.ts";
import { detectSolana, NOT_SOLANA } from "../networks/network.ts";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Kind of a hex text. */
export interface HexField {
  /** Name in errors, such as `an order UID` or `the sellToken of an order`. */
  readonly what: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** Remedy for an invalid text. @default {a sentence that states the required form} */
  readonly remedy?: string;
  /**
   * Whether an invalid text is not quoted, since it may be a private key or a seed phrase. @default
   * {false}
   */
  readonly isUnquoted?: boolean;
}

const KNOWN_LENGTHS: ReadonlyMap<number, string> = new Map([
  [20, "an address"],
  [32, "a hash (of a transaction, an order or app data) or a private key"],
  [56, "an order UID"],
  [64, "a compact signature (EIP-2098), which the service does not accept"],
  [65, "a signature"],
]);

const MAX_SHOWN_CHARS = 140;

/**
 * Parses `0x…` text, which must be hex of the length that `field` has; digits may be of
 * either case.
 *
 * @throws {InputError} Otherwise; the error says what the text looks like instead.
 */
export function parseHex(text: string, field: HexField): Uint8Array {
  if (typeof text !== "string" || !text.startsWith("0x")) throw toHexError(text, field);
  if (text.length !== 2 + 2 * field.bytes) throw toHexError(text, field);
  try {
    return hexToBytes(text.slice(2));
  } catch {
    throw toHexError(text, field);
  }
}

/** Formats bytes as `0x` and lower-case hex digits. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`;
}

function toHexError(text: unknown, field: HexField): InputError {
  const { what, bytes, remedy, isUnquoted = false } = field;
  const input = typeof text === "string" ? JSON.stringify(text) : String(text);
  const isHex = typeof text === "string" && /^0x[0-9a-fA-F]*$/.test(text);
  const looksLike = isHex ? KNOWN_LENGTHS.get(text.length / 2 - 1) : undefined;
  return new InputError(`Cannot read ${what}: ${describeFault(text, bytes)}`, {
    facts: {
      ...(isUnquoted ? {} : {
        found: input.length > MAX_SHOWN_CHARS ? `${input.slice(0, MAX_SHOWN_CHARS)}…` : input,
      }),
      ...(looksLike === undefined ? {} : { "same length as": looksLike }),
    },
    remedy: detectSolana(text) !== null
      ? NOT_SOLANA
      : remedy ?? `Pass ${what} as 0x and ${2 * bytes} hex digits`,
  });
}

function describeFault(text: unknown, bytes: number): string {
  if (typeof text !== "string") return `it is ${text === null ? "null" : typeof text}, not text`;
  const solana = detectSolana(text);
  if (solana !== null) return `it is ${solana}`;
  if (!text.startsWith("0x")) return "it does not begin with 0x";
  const bad = text.slice(2).search(/[^0-9a-fA-F]/);
  if (bad >= 0) return `character ${bad + 3} is not a hex digit`;
  if (text.length % 2 === 1) return `it has ${text.length - 2} hex digits, an odd number`;
  const byteCount = (text.length - 2) / 2;
  return `it has ${byteCount} ${byteCount === 1 ? "byte" : "bytes"} instead of ${bytes}`;
}

/** Casts text that is known to be `0x` and hex digits to viem's `Hex` without a check. */
export function asHex(text: string): `0x${string}` {
  return text as `0x${string}`;
}

/**
 * Requires hex text of whole bytes, of any number, and returns it as viem's `Hex`: viem pads an odd
 * number of digits on the left, which shifts every value.
 *
 * @param label Name in errors, such as `the static input`.
 * @throws {InputError} If it is not `0x` and an even number of hex digits.
 */
export function requireHexBytes(text: string, label = "bytes"): `0x${string}` {
  if (text.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(text)) return asHex(text);
  const remedy = "Pass 0x and an even number of hex digits";
  throw toHexError(text, { what: label, bytes: 0, remedy });
}

/** Hex digits of a word of the EVM. */
export const WORD_DIGITS = 64;

/** The zero address: that of orders without a receiver, and of minted or burned tokens. */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** Pads an address to a word of 32 bytes. */
export function padAddress(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, "0")}`;
}

const WORD_BYTES = 32;
const LIMB_BITS = 64n;

/**
 * Packs values into the 32-byte words that EIP-712 hashes: each padded with zeros on the left.
 *
 * @param values Bytes, at most 32 each, or numbers of 0 to 2^256 - 1.
 */
export function packWords(values: readonly (Uint8Array | bigint)[]): Uint8Array {
  const packed = new Uint8Array(WORD_BYTES * values.length);
  const view = new DataView(packed.buffer);
  let end = 0;
  for (const value of values) {
    end += WORD_BYTES;
    if (typeof value !== "bigint") {
      packed.set(value, end - value.length);
      continue;
    }
    let remainder = value;
    for (let offset = end - 8; remainder > 0n; offset -= 8, remainder >>= LIMB_BITS) {
      view.setBigUint64(offset, BigInt.asUintN(64, remainder));
    }
  }
  return packed;
}

type Hash = (bytes: Uint8Array) => Uint8Array;

let hash: Hash = keccak_256;
let loading: Promise<void> | undefined;

/**
 * Computes Ethereum's Keccak-256 hash, whose padding differs from that of SHA3-256.
 *
 * Uses a newer version of viem's own package for it directly: importing viem takes longer than
 * everything else that reading an order book needs, and viem's version loads `node:crypto`.
 *
 * @returns 32 bytes.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hash(bytes);
}

/**
 * Makes {@linkcode keccak256} hash in WebAssembly from now on, in the whole process: several times as
 * fast for work that hashes thousands of texts. Where no module can be compiled, as under some content
 * security policies, nothing changes.
 */
export function enableWasmKeccak(): Promise<void> {
  return loading ??= (async () => {
    try {
      const { createKeccak } = await import("hash-wasm");
      const hasher = await createKeccak(256);
      hash = (bytes) => hasher.init().update(bytes).digest("binary");
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw error;
    }
  })();
}

const utf8 = new TextEncoder();

/** Computes the Keccak-256 hash of a text's UTF-8 bytes. */
export function hashUtf8(text: string): `0x${string}` {
  return toHex(keccak256(utf8.encode(text)));
}
