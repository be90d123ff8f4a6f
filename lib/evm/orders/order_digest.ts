import { InputError } from "../../errors/mod.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { type HexField, keccak256, packWords, parseHex, toHex } from "../hex.ts";
import { type OrderDomain, packOrderUid, requireValidTo } from "./order_uid.ts";

/**
 * The fields of an order that its owner signs, under their wire names. An order from the service
 * has them all; other fields are ignored.
 */
export interface SignableOrder {
  /** Token to sell, 20 bytes. */
  sellToken: string;
  /** Token to buy, 20 bytes; `0xeeee…` for the native token. */
  buyToken: string;
  /** Receiver of the bought tokens, 20 bytes; `null` or absent means the owner, signed as zero. */
  receiver?: string | null | undefined;
  /** Limit amount to sell, in sell-token atoms. */
  sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  buyAmount: bigint;
  /** Expiry, in unix seconds; 4294967295 in every ethflow order. */
  validTo: number;
  /** Hash of the app data document, 32 bytes; see `hashAppData`. */
  appData: string;
  /** Signed fee, in sell-token atoms; 0 in current orders, positive in orders before 2024. */
  feeAmount: bigint;
  /** `"sell"` or `"buy"`: which of the amounts is fixed. */
  kind: string;
  /** Whether the order may be filled in parts. */
  partiallyFillable: boolean;
  /** `"erc20"`, `"external"` or `"internal"`; absent means `"erc20"`, as in the service. */
  sellTokenBalance?: string | undefined;
  /** `"erc20"` or `"internal"`; absent means `"erc20"`, as in the service. */
  buyTokenBalance?: string | undefined;
}

/** The signed fields, in their order. */
export const ORDER_FIELDS = [
  { name: "sellToken", type: "address" },
  { name: "buyToken", type: "address" },
  { name: "receiver", type: "address" },
  { name: "sellAmount", type: "uint256" },
  { name: "buyAmount", type: "uint256" },
  { name: "validTo", type: "uint32" },
  { name: "appData", type: "bytes32" },
  { name: "feeAmount", type: "uint256" },
  { name: "kind", type: "string" },
  { name: "partiallyFillable", type: "bool" },
  { name: "sellTokenBalance", type: "string" },
  { name: "buyTokenBalance", type: "string" },
] as const;
const ORDER_TYPE = formatType("Order", ORDER_FIELDS);

const KINDS = ["sell", "buy"];
const SELL_BALANCES = ["erc20", "external", "internal"];
const BUY_BALANCES = ["erc20", "internal"];

const SELL_TOKEN = { what: "the sellToken of an order", bytes: 20 };
const BUY_TOKEN = { what: "the buyToken of an order", bytes: 20 };
const RECEIVER = { what: "the receiver of an order", bytes: 20 };
const APP_DATA: HexField = {
  what: "the appData of an order",
  bytes: 32,
  remedy: "Pass the hash of the app data document; hashAppData computes it from the document",
};

const NO_RECEIVER = new Uint8Array(20);

/** The receiver that an order names; `null` for its owner, which the zero address means too. */
export function normalizeReceiver(receiver: string | null | undefined): string | null {
  return receiver == null || /^0x0{40}$/i.test(receiver) ? null : receiver;
}

/** The account that gets what an order buys: its owner, unless it names another one. */
export function resolveReceiver(
  { owner, receiver }: Pick<SignableOrder, "receiver"> & { readonly owner: string },
): string {
  return normalizeReceiver(receiver) ?? owner;
}

/**
 * The EIP-712 digest of an order: what its owner signs, and the first 32 bytes of its UID.
 *
 * `keccak256(0x1901 ‖ domain separator ‖ keccak256(type hash ‖ the twelve fields))`, each field a
 * 32-byte word and each text replaced by its hash. A `null` receiver is signed as the zero address.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order Amounts in atoms, 0 to 2^256 - 1; ethflow orders as returned by the service, with
 *   the wrapped native token and 4294967295 as `validTo`.
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If a field cannot be signed: hex of the wrong length, an amount out of
 *   range, a kind or balance unknown to the contract; names the field.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderData::hash_struct in the service}
 *
 * @example
 * ```ts
 * import { orderDigest, orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const digest = orderDigest(domain, {
 *   sellToken: "0x84ea74d481ee0a5332c457a4d796187f6ba67feb",
 *   buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
 *   receiver: "0xae8be95be03288071217078950278910001dcbc8",
 *   sellAmount: 125349568184000000000n,
 *   buyAmount: 123396655958901778055n,
 *   validTo: 1795273344,
 *   appData: "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421",
 *   feeAmount: 0n,
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 * });
 *
 * assertEquals(digest, "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6");
 * ```
 */
export function orderDigest(domain: OrderDomain, order: SignableOrder): string {
  const { receiver, sellTokenBalance = "erc20", buyTokenBalance = "erc20" } = order;
  const words = packWords([
    hashText(ORDER_TYPE),
    parseHex(order.sellToken, SELL_TOKEN),
    parseHex(order.buyToken, BUY_TOKEN),
    receiver == null ? NO_RECEIVER : parseHex(receiver, RECEIVER),
    requireAmount(order, "sellAmount"),
    requireAmount(order, "buyAmount"),
    BigInt(requireValidTo(order.validTo)),
    parseHex(order.appData, APP_DATA),
    requireAmount(order, "feeAmount"),
    hashWord("kind", order.kind, KINDS),
    toFlag(order.partiallyFillable),
    hashWord("sellTokenBalance", sellTokenBalance, SELL_BALANCES),
    hashWord("buyTokenBalance", buyTokenBalance, BUY_BALANCES),
  ]);
  return computeDigest(domain, keccak256(words));
}

function hashWord(field: string, word: string, words: readonly string[]): Uint8Array {
  if (words.includes(word)) return hashText(word);
  throw new InputError(`Cannot hash an order whose ${field} is ${JSON.stringify(word)}`, {
    remedy: `Use one of ${words.join(", ")}, the values that the settlement contract knows`,
  });
}

function requireAmount(
  order: SignableOrder,
  field: "sellAmount" | "buyAmount" | "feeAmount",
): bigint {
  const amount = order[field];
  if (typeof amount === "bigint" && amount >= 0n && amount <= MAX_AMOUNT) return amount;
  const input = typeof amount === "bigint" ? `${amount}` : `${JSON.stringify(amount)}`;
  throw new InputError(`Cannot hash an order whose ${field} is ${input}`, {
    facts: { found: typeof amount, range: "0n to 2n ** 256n - 1n" },
    remedy: "Pass the amount in atoms as a bigint",
  });
}

function toFlag(partiallyFillable: boolean): bigint {
  if (typeof partiallyFillable === "boolean") return partiallyFillable ? 1n : 0n;
  throw new InputError(
    `Cannot hash an order whose partiallyFillable is ${JSON.stringify(partiallyFillable)}`,
    { remedy: "Pass true or false" },
  );
}

/**
 * The UID of an order, from its own fields: digest, owner and expiry.
 *
 * Equal to the `uid` that the service assigns; a difference means that a field was changed in
 * transit, or that the domain belongs to another deployment.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order The signed fields, as for {@linkcode orderDigest}, and the `owner`.
 * @param owner Account that the order trades for, if the record has none, such as the body of an
 *   order creation. @default {order.owner}
 * @returns `0x` and 112 lower-case hex digits.
 * @throws {InputError} If a field cannot be signed, or no owner is given.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderData::uid in the service}
 *
 * @example
 * ```ts
 * import { computeOrderUid, orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const uid = computeOrderUid(domain, {
 *   owner: "0xba78423395063915fbf92bab6d4c769676f0f55e",
 *   sellToken: "0x84ea74d481ee0a5332c457a4d796187f6ba67feb",
 *   buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
 *   receiver: "0xae8be95be03288071217078950278910001dcbc8",
 *   sellAmount: 125349568184000000000n,
 *   buyAmount: 123396655958901778055n,
 *   validTo: 1795273344,
 *   appData: "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421",
 *   feeAmount: 0n,
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 * });
 *
 * assertEquals(
 *   uid,
 *   "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *     "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280",
 * );
 * ```
 */
export function computeOrderUid(
  domain: OrderDomain,
  order: SignableOrder & { owner?: string | undefined },
  owner: string | undefined = order.owner,
): string {
  if (owner === undefined) {
    throw new InputError("Cannot compute the UID of an order without its owner", {
      remedy: "Pass the owner's address as the third argument",
    });
  }
  return packOrderUid({ digest: orderDigest(domain, order), owner, validTo: order.validTo });
}

/** Fields of the domain's type, in the form that wallets use. */
export const DOMAIN_FIELDS: readonly { readonly name: string; readonly type: string }[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

const DOMAIN_TYPE = formatType("EIP712Domain", DOMAIN_FIELDS);
/** `"\x19\x01"`, the version bytes in front of structured data. */
const VERSION_BYTES = [0x19, 0x01];

const VERIFYING_CONTRACT = { what: "the verifyingContract of a domain", bytes: 20 };

const utf8 = new TextEncoder();

/** Cached separators of frozen domains. */
const separators = new WeakMap<OrderDomain, Uint8Array>();

/** Cached hashes of a few fixed texts. */
const textHashes = new Map<string, Uint8Array>();

/**
 * The EIP-712 digest of a struct: `keccak256(0x1901 ‖ domain separator ‖ struct hash)`.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-712 | EIP-712}
 */
export function computeDigest(domain: OrderDomain, structHash: Uint8Array): string {
  const message = new Uint8Array(VERSION_BYTES.length + 64);
  message.set(VERSION_BYTES);
  message.set(computeDomainSeparator(domain), VERSION_BYTES.length);
  message.set(structHash, VERSION_BYTES.length + 32);
  return toHex(keccak256(message));
}

/** Computes the hash of the domain. */
export function computeDomainSeparator(domain: OrderDomain): Uint8Array {
  const cachedHash = separators.get(domain);
  if (cachedHash !== undefined) return cachedHash;
  const separator = keccak256(
    packWords([
      hashText(DOMAIN_TYPE),
      hashText(domain.name),
      hashText(domain.version),
      BigInt(domain.chainId),
      parseHex(domain.verifyingContract, VERIFYING_CONTRACT),
    ]),
  );
  if (Object.isFrozen(domain)) separators.set(domain, separator);
  return separator;
}

/**
 * Hashes a text, which EIP-712 replaces by the hash of its UTF-8 bytes; only for type strings and
 * fixed words, since each hash is cached.
 *
 * Computed on demand, never while a module loads: the first dozen hashes take 14 ms.
 */
export function hashText(text: string): Uint8Array {
  const cachedHash = textHashes.get(text);
  if (cachedHash !== undefined) return cachedHash;
  const hash = keccak256(utf8.encode(text));
  textHashes.set(text, hash);
  return hash;
}

/** A type as EIP-712 hashes it. */
function formatType(
  name: string,
  fields: readonly { readonly name: string; readonly type: string }[],
): string {
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`;
}
