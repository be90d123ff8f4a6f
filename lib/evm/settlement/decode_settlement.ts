import { decodeFunctionData, type DecodeFunctionDataReturnType } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { SETTLEMENT_ABI, toLowerCase } from "../abis.ts";
import { asHex, WORD_DIGITS, ZERO_ADDRESS } from "../hex.ts";
import { readPlainValues } from "../plain_values.ts";
import { orderDigest } from "../orders/order_digest.ts";
import { type OrderDomain, packOrderUid } from "../orders/order_uid.ts";
import { recoverSigner } from "../orders/request_signature.ts";

/** Meaning of the flags of an encoded trade. */
export interface TradeFlags {
  /** The amount that the order fixes. */
  readonly kind: "sell" | "buy";
  /** Whether the order may be partially filled. */
  readonly partiallyFillable: boolean;
  /** Source of the sell token. */
  readonly sellTokenBalance: "erc20" | "external" | "internal";
  /** Destination of the buy token. */
  readonly buyTokenBalance: "erc20" | "internal";
  /** Signing scheme. */
  readonly signingScheme: "eip712" | "ethsign" | "eip1271" | "presign";
}

/**
 * One order's execution as encoded in a settlement. It has the fields that the owner signed, under
 * their wire names, so that it can be passed to `orderDigest`.
 */
export interface SettlementTrade extends TradeFlags {
  /** Index of the sell token among the settlement's tokens, from 0. */
  readonly sellTokenIndex: number;
  /** Index of the buy token among the settlement's tokens, from 0. */
  readonly buyTokenIndex: number;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought; `0xeeee…` for the native token. */
  readonly buyToken: string;
  /** Receiver of the buy token; `null` means the owner. */
  readonly receiver: string | null;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Signed expiry, in unix seconds. */
  readonly validTo: number;
  /** Hash of the app data document. */
  readonly appData: string;
  /** Legacy signed fee, in sell-token atoms; `0n` in current orders. */
  readonly feeAmount: bigint;
  /**
   * Amount executed in this settlement, in atoms of the token whose amount is fixed; unused for
   * fill-or-kill orders.
   */
  readonly executedAmount: bigint;
  /**
   * The signature; for `presign` orders the owner, for `eip1271` orders the owner followed by the
   * contract's data.
   */
  readonly signature: string;
}

/** A contract call of a settlement. */
export interface SettlementInteraction {
  /** Contract called. */
  readonly target: string;
  /** Native atoms sent with the call. */
  readonly value: bigint;
  /** Calldata. */
  readonly callData: string;
}

/** The call of a settlement transaction to the settlement contract. */
export interface DecodedSettlement {
  /**
   * Tokens, in lower case. A token can occur more than once: its first index has the uniform price,
   * later ones the prices of single trades after fees.
   */
  readonly tokens: readonly string[];
  /** Price of each token, by index; only their ratios have a meaning. */
  readonly clearingPrices: readonly bigint[];
  /** Executions, in order. */
  readonly trades: readonly SettlementTrade[];
  /** Contract calls before, between and after the transfers. */
  readonly interactions: {
    /** Called before tokens are collected: pre-hooks. */
    readonly pre: readonly SettlementInteraction[];
    /** Called between collecting and paying out: the swaps. */
    readonly intra: readonly SettlementInteraction[];
    /** Called after tokens are paid out: post-hooks. */
    readonly post: readonly SettlementInteraction[];
  };
  /**
   * Auction that was settled, from the eight bytes that drivers append to the calldata; `null`
   * unless exactly eight bytes follow, of a number up to 2^53 - 1. Where the arguments are in an
   * unusual order, or share parts, these are the bytes after whole words.
   */
  readonly auctionId: number | null;
  /** Bytes after the arguments, as hex; eight if they are an auction's id. */
  readonly suffix: string;
}

/** Selector of `settle`. */
export const SETTLE_SELECTOR = "0x13d79a0b";
/** Hex digits of an auction's id, behind the arguments. */
export const AUCTION_ID_DIGITS = 16;
const [SETTLE] = SETTLEMENT_ABI.filter((item) => item.type === "function");
const MAX_SHOWN_CHARS = 74;

/**
 * Decodes the calldata of `settle(tokens, clearingPrices, trades, interactions)`.
 *
 * @param calldata The `input` of a settlement transaction that called the settlement contract
 * directly, as hex with `0x`.
 * @returns Tokens, prices, trades and interactions; addresses in lower case.
 * @throws {InputError} If it is not hex, calls another function, is truncated, or refers to a token
 * or a flag that does not exist.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/transaction/tokenized.rs | Tokenized of the service}
 *
 * @example An empty settlement, for auction 7
 * ```ts
 * import { decodeSettlement } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const word = (value: number) => value.toString(16).padStart(64, "0");
 * const heads = [0x80, 0xa0, 0xc0, 0xe0].map(word).join("");
 * const lists = word(0).repeat(3);
 * const interactions = [0x60, 0x80, 0xa0, 0, 0, 0].map(word).join("");
 *
 * const settlement = decodeSettlement(`0x13d79a0b${heads}${lists}${interactions}0000000000000007`);
 *
 * assertEquals(settlement.trades, []);
 * assertEquals(settlement.auctionId, 7);
 * ```
 */
export function decodeSettlement(calldata: string): DecodedSettlement {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(calldata)) {
    throw toDecodeError(calldata, "it is not hex text with 0x and whole bytes");
  }
  if (calldata.slice(0, SETTLE_SELECTOR.length).toLowerCase() !== SETTLE_SELECTOR) {
    throw toDecodeError(calldata, "it does not call settle");
  }
  const { args: [tokens, clearingPrices, trades, [pre, intra, post]], rest: suffix } =
    readArguments(calldata);
  if (clearingPrices.length !== tokens.length) {
    throw toDecodeError(
      calldata,
      `it has ${tokens.length} tokens, ${clearingPrices.length} prices`,
    );
  }
  const id = suffix.length === AUCTION_ID_DIGITS ? Number(`0x${suffix}`) : NaN;
  return {
    tokens,
    clearingPrices,
    trades: trades.map((trade) => decodeTrade(trade, tokens, calldata)),
    interactions: { pre, intra, post },
    auctionId: Number.isSafeInteger(id) ? id : null,
    suffix: `0x${suffix}`,
  };
}

type SettleArguments = DecodeFunctionDataReturnType<typeof SETTLEMENT_ABI>["args"];

/** Reads the arguments, with hex in lower case, and the digits after them. */
function readArguments(calldata: string): { args: SettleArguments; rest: string } {
  const digits = calldata.slice(SETTLE_SELECTOR.length);
  const plain = readPlainValues<SettleArguments>(SETTLE!.inputs, digits);
  if (plain !== null) return { args: plain.values, rest: digits.slice(plain.end) };
  // Arguments in another layout end anywhere; but they are whole words, and an id is none.
  if (digits.length % WORD_DIGITS === AUCTION_ID_DIGITS) {
    const id = digits.slice(-AUCTION_ID_DIGITS);
    const args = tryDecodeArguments(calldata.slice(0, -id.length));
    if (!(args instanceof Error)) return { args, rest: id };
  }
  const args = tryDecodeArguments(calldata);
  if (!(args instanceof Error)) return { args, rest: "" };
  throw toDecodeError(calldata, "its arguments are truncated or malformed", args);
}

/** Decodes the arguments with viem; returns its error if it fails. */
function tryDecodeArguments(calldata: string): SettleArguments | Error {
  try {
    return toLowerCase(decodeFunctionData({ abi: SETTLEMENT_ABI, data: asHex(calldata) }).args);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function decodeTrade(
  { sellTokenIndex, buyTokenIndex, receiver, flags, ...signedFields }: SettleArguments[2][number],
  tokens: readonly string[],
  calldata: string,
): SettlementTrade {
  const sellToken = tokens[Number(sellTokenIndex)];
  const buyToken = tokens[Number(buyTokenIndex)];
  if (sellToken === undefined || buyToken === undefined) {
    throw toDecodeError(
      calldata,
      `a trade refers to tokens ${sellTokenIndex} and ${buyTokenIndex} of ${tokens.length}`,
    );
  }
  return {
    ...signedFields,
    ...readTradeFlags(flags),
    sellTokenIndex: Number(sellTokenIndex),
    buyTokenIndex: Number(buyTokenIndex),
    sellToken,
    buyToken,
    receiver: receiver === ZERO_ADDRESS ? null : receiver,
  };
}

function toDecodeError(calldata: string, fault: string, cause?: unknown): InputError {
  const isLong = calldata.length > MAX_SHOWN_CHARS;
  return new InputError(`Cannot decode the calldata of a settlement: ${fault}`, {
    facts: {
      found: isLong ? `${calldata.slice(0, MAX_SHOWN_CHARS)}…` : calldata,
      characters: calldata.length,
    },
    remedy:
      "Pass the complete input of a transaction that called `settle` on the settlement contract",
    cause,
  });
}

const SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;

/** The seven defined bits; the contract rejects a trade with any other. */
const KNOWN_BITS = 0x7fn;

/**
 * Reads the flags of an encoded trade: bit 0 the kind, 1 partially fillable, 2 and 3 where the sell
 * token comes from, 4 where the buy token goes to, 5 and 6 the signing scheme.
 *
 * @throws {InputError} If a higher bit is set.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/libraries/GPv2Trade.sol | extractFlags of the contract}
 */
export function readTradeFlags(flags: bigint): TradeFlags {
  if (flags < 0n || flags > KNOWN_BITS) {
    throw new InputError(`Cannot read the flags ${flags} of a trade`, {
      facts: { range: "0 to 127" },
      remedy: "Pass the calldata of a successful transaction: the contract rejects such flags",
    });
  }
  const bits = Number(flags);
  const external = (bits & 4) === 0;
  return {
    kind: (bits & 1) === 0 ? "sell" : "buy",
    partiallyFillable: (bits & 2) !== 0,
    sellTokenBalance: (bits & 8) === 0 ? "erc20" : external ? "external" : "internal",
    buyTokenBalance: (bits & 16) === 0 ? "erc20" : "internal",
    signingScheme: SCHEMES[bits >> 5]!,
  };
}

const SELL_BALANCE_BITS = { erc20: 0, external: 8, internal: 12 } as const;

/** Packs the flags of a trade; the inverse of `readTradeFlags`. */
export function packTradeFlags(trade: TradeFlags): bigint {
  return BigInt(
    (trade.kind === "sell" ? 0 : 1) |
      (trade.partiallyFillable ? 2 : 0) |
      SELL_BALANCE_BITS[trade.sellTokenBalance] |
      (trade.buyTokenBalance === "erc20" ? 0 : 16) |
      (SCHEMES.indexOf(trade.signingScheme) << 5),
  );
}

const ADDRESS_END = 2 + 2 * 20;

/**
 * Computes the UID of the order that an encoded trade executes: digest of its fields, owner, and
 * expiry.
 *
 * The owner of `eip712` and `ethsign` orders is recovered from the signature; for `eip1271` and
 * `presign` orders it is the first 20 bytes of the signature.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param trade A trade of a decoded settlement.
 * @returns `0x` and 112 lower-case hex digits.
 * @throws {InputError} If the signature does not contain the owner, or the settlement contract
 * rejects its form: a last byte other than 27 and 28, or more than the owner in a `presign` one.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/transaction/tokenized.rs | order_uid of the service}
 *
 * @example
 * ```ts
 * import { orderDomain, tradeOrderUid } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const uid = await tradeOrderUid(domain, {
 *   sellTokenIndex: 0,
 *   buyTokenIndex: 1,
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
 *   executedAmount: 125349568184000000000n,
 *   signingScheme: "eip712",
 *   signature: "0xd16cdc11d6cc8108a9a1896fcaf841f7fe9666f1942e14750606084fbf31e09f" +
 *     "3e52dc6e60df61823eeb96ee2dde9c9da418756b0b063d45c015e4b86aa841951c",
 * });
 *
 * assertEquals(
 *   uid,
 *   "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *     "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280",
 * );
 * ```
 */
export async function tradeOrderUid(domain: OrderDomain, trade: SettlementTrade): Promise<string> {
  const digest = orderDigest(domain, trade);
  return packOrderUid({ digest, owner: await readOwner(trade, digest), validTo: trade.validTo });
}

async function readOwner(trade: SettlementTrade, digest: string): Promise<string> {
  const { signature, signingScheme } = trade;
  if (signingScheme === "eip712" || signingScheme === "ethsign") {
    requireContractForm(signature);
    return await recoverSigner(digest, { signature, signingScheme });
  }
  const isWrong = signingScheme === "presign"
    ? signature.length !== ADDRESS_END
    : signature.length < ADDRESS_END;
  if (isWrong) {
    throw new InputError(`Cannot read the owner from a signature of scheme ${signingScheme}`, {
      facts: { signature },
      remedy: "Pass a trade of a successful transaction: its signature begins with the owner",
    });
  }
  return signature.slice(0, ADDRESS_END);
}

/** Requires 27 or 28 as the last byte, as the contract does; elsewhere 0 and 1 mean the same. */
function requireContractForm(signature: string): void {
  if (/1[bc]$/i.test(signature)) return;
  throw new InputError("Cannot read the owner from a signature that does not end in 27 or 28", {
    facts: { signature },
    remedy: "Pass a trade of a successful transaction: the contract rejects other signatures",
  });
}
