import { concatBytes, toRlp } from "viem/utils";
import { keccak256, parseHex, toHex } from "../hex.ts";
import { recoverSigner } from "../orders/request_signature.ts";
import { isQuantity } from "./rpc_batches.ts";

/** The fields of a transaction as returned by a node. */
export type TransactionFields = Readonly<Record<string, unknown>>;

type RlpItem = Uint8Array | readonly RlpItem[];

/** Parities as older signatures have them. */
const FIRST_PARITY = 27;

const FEES_1559 = ["maxPriorityFeePerGas", "maxFeePerGas"] as const;
/** Fields before the signature, of each type; typed ones are hashed with their type in front. */
const FIELDS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  "0x0": ["nonce", "gasPrice", "gas", "to", "value", "input"],
  "0x1": ["chainId", "nonce", "gasPrice", "gas", "to", "value", "input", "accessList"],
  "0x2": ["chainId", "nonce", ...FEES_1559, "gas", "to", "value", "input", "accessList"],
};

/**
 * Computes the hash of a transaction's own bytes: of its fields and its signature.
 *
 * @returns `null` if the node does not report all of them, or if the transaction is of another type
 * than 0, 1 and 2.
 */
export function computeTransactionHash(fields: TransactionFields): string | null {
  const { r, s, type = "0x0" } = fields;
  const names = FIELDS_BY_TYPE[String(type)];
  if (names === undefined || !isPositive(r) || !isPositive(s)) return null;
  try {
    const parity = type === "0x0" ? toQuantity(fields.v) : toParity(fields);
    const items = names.map((name) => toRlpItem(name, fields[name]));
    const encoded = toRlp([...items, parity, toQuantity(r), toQuantity(s)], "bytes");
    return toHex(keccak256(type === "0x0" ? encoded : prefixType(Number(type), encoded)));
  } catch (error) {
    if (error instanceof UnreportedFieldError) return null;
    throw error;
  }
}

/**
 * Recovers the account that signed a transaction, in lower case.
 *
 * @returns `null` where {@linkcode computeTransactionHash} is, and for signatures of another chain's form.
 */
export async function recoverSender(fields: TransactionFields): Promise<string | null> {
  const { r, s, v, type = "0x0" } = fields;
  if (computeTransactionHash(fields) === null) return null;
  const isLegacy = type === "0x0";
  const parity = isLegacy ? readLegacyParity(v) : Number(toParity(fields)[0] ?? 0);
  if (parity === null) return null;
  const items = FIELDS_BY_TYPE[String(type)]!.map((name) => toRlpItem(name, fields[name]));
  const chain = isLegacy && BigInt(String(v)) >= CHAIN_PARITY
    ? [
      toQuantity(`0x${((BigInt(String(v)) - CHAIN_PARITY) / 2n).toString(16)}`),
      toQuantity("0x0"),
      toQuantity("0x0"),
    ]
    : [];
  const encoded = toRlp([...items, ...chain], "bytes");
  const digest = keccak256(isLegacy ? encoded : prefixType(Number(type), encoded));
  const toWord = (value: unknown) => BigInt(String(value)).toString(16).padStart(64, "0");
  return await recoverSigner(toHex(digest), {
    signature: `0x${toWord(r)}${toWord(s)}${(FIRST_PARITY + parity).toString(16)}`,
    signingScheme: "eip712",
  });
}

/** The first parity of a legacy signature that names its chain (EIP-155). */
const CHAIN_PARITY = 35n;

function readLegacyParity(v: unknown): number | null {
  if (!isQuantity(v)) return null;
  const value = BigInt(v);
  if (value >= CHAIN_PARITY) return Number((value - CHAIN_PARITY) % 2n);
  return value === 27n || value === 28n ? Number(value) - FIRST_PARITY : null;
}

/** A field that the node does not report, or not in a form that a transaction has. */
class UnreportedFieldError extends Error {}

/** Prefixes the fields of a typed transaction with its type, for hashing. */
function prefixType(type: number, encoded: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(type), encoded]);
}

function toRlpItem(name: string, value: unknown): RlpItem {
  if (name === "to") return toBytes(value, 20);
  if (name === "input") return toBytes(value);
  if (name !== "accessList") return toQuantity(value);
  if (!Array.isArray(value)) throw new UnreportedFieldError();
  return value.map((entry: unknown) => {
    const { address, storageKeys = [] } = Object(entry);
    if (!Array.isArray(storageKeys)) throw new UnreportedFieldError();
    return [toBytes(address, 20), storageKeys.map((key) => toBytes(key, 32))];
  });
}

/** Converts the parity of a typed transaction's signature, 0 or 1. */
function toParity({ yParity, v }: TransactionFields): Uint8Array {
  const parity = yParity ?? v;
  if (!isQuantity(parity)) throw new UnreportedFieldError();
  const bit = Number(parity) >= FIRST_PARITY ? Number(parity) - FIRST_PARITY : Number(parity);
  if (bit !== 0 && bit !== 1) throw new UnreportedFieldError();
  return toQuantity(`0x${bit}`);
}

/** Converts a number to its bytes, without leading zeros. */
function toQuantity(value: unknown): Uint8Array {
  if (!isQuantity(value)) throw new UnreportedFieldError();
  const digits = value.slice(2).replace(/^0+/, "");
  return toBytes(`0x${digits.length % 2 === 0 ? "" : "0"}${digits}`);
}

function toBytes(value: unknown, bytes?: number): Uint8Array {
  const isHex = typeof value === "string" && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value);
  if (!isHex || bytes !== undefined && value.length !== 2 + 2 * bytes) {
    throw new UnreportedFieldError();
  }
  return parseHex(value, { what: "a field of a transaction", bytes: value.length / 2 - 1 });
}

function isPositive(value: unknown): boolean {
  return isQuantity(value) && BigInt(value) > 0n;
}
