import { decodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { readTradeFlags, SETTLEMENT_ABI, type TradeFlags } from "./settlement_abi.ts";

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
   * unless exactly eight bytes follow, of a number up to 2^53 - 1.
   */
  readonly auctionId: number | null;
  /** What follows the arguments, as hex; eight bytes if they are an auction's id. */
  readonly suffix: string;
}

const SETTLE_SELECTOR = "0x13d79a0b";
const NO_RECEIVER = `0x${"0".repeat(40)}`;
const AUCTION_ID_BYTES = 8;
const WORD = 32;
const LONGEST_SHOWN = 74;

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
    throw undecodable(calldata, "it is not hex text with 0x and whole bytes");
  }
  if (calldata.slice(0, SETTLE_SELECTOR.length).toLowerCase() !== SETTLE_SELECTOR) {
    throw undecodable(calldata, "it does not call settle");
  }
  const [tokens, clearingPrices, trades, interactions] = settleArguments(calldata);
  const lowerCase = tokens.map((token) => token.toLowerCase());
  if (clearingPrices.length !== tokens.length) {
    throw undecodable(calldata, `it has ${tokens.length} tokens, ${clearingPrices.length} prices`);
  }
  const [pre, intra, post] = interactions;
  const length = encodedLength(tokens.length, trades, interactions);
  return {
    tokens: lowerCase,
    clearingPrices,
    trades: trades.map((trade) => decodeTrade(trade, lowerCase, calldata)),
    interactions: {
      pre: pre.map(decodeInteraction),
      intra: intra.map(decodeInteraction),
      post: post.map(decodeInteraction),
    },
    ...suffixOf(calldata.slice(2 + 2 * length)),
  };
}

type SettleArguments = ReturnType<typeof settleArguments>;
type EncodedTrade = SettleArguments[2][number];
type EncodedInteraction = SettleArguments[3][number][number];

function settleArguments(calldata: string) {
  const plain = plainSettlement(calldata.toLowerCase());
  if (plain !== null) return plain;
  try {
    return decodeFunctionData({ abi: SETTLEMENT_ABI, data: `0x${calldata.slice(2)}` }).args;
  } catch (cause) {
    throw undecodable(calldata, "its arguments are truncated or malformed", cause);
  }
}

function decodeTrade(
  trade: EncodedTrade,
  tokens: readonly string[],
  calldata: string,
): SettlementTrade {
  const { sellTokenIndex, buyTokenIndex, receiver, flags, ...signed } = trade;
  const sellToken = tokens[Number(sellTokenIndex)];
  const buyToken = tokens[Number(buyTokenIndex)];
  if (sellToken === undefined || buyToken === undefined) {
    throw undecodable(
      calldata,
      `a trade refers to tokens ${sellTokenIndex} and ${buyTokenIndex} of ${tokens.length}`,
    );
  }
  return {
    ...signed,
    ...readTradeFlags(flags),
    sellTokenIndex: Number(sellTokenIndex),
    buyTokenIndex: Number(buyTokenIndex),
    sellToken,
    buyToken,
    receiver: receiver === NO_RECEIVER ? null : receiver.toLowerCase(),
  };
}

function decodeInteraction({ target, value, callData }: EncodedInteraction): SettlementInteraction {
  return { target: target.toLowerCase(), value, callData };
}

/** Length of selector and arguments in the standard layout, without gaps. */
function encodedLength(
  tokens: number,
  trades: readonly EncodedTrade[],
  interactions: SettleArguments[3],
): number {
  let words = 4 + 2 * (1 + tokens) + 1 + 3;
  for (const trade of trades) words += 1 + 11 + 1 + wordsOf(trade.signature);
  for (const list of interactions) {
    words += 1;
    for (const interaction of list) words += 1 + 3 + 1 + wordsOf(interaction.callData);
  }
  return 4 + WORD * words;
}

function wordsOf(hex: string): number {
  return Math.ceil((hex.length - 2) / (2 * WORD));
}

function suffixOf(rest: string): Pick<DecodedSettlement, "auctionId" | "suffix"> {
  const id = rest.length === 2 * AUCTION_ID_BYTES ? Number(BigInt(`0x${rest}`)) : NaN;
  return { auctionId: Number.isSafeInteger(id) ? id : null, suffix: `0x${rest}` };
}

function undecodable(calldata: string, fault: string, cause?: unknown): InputError {
  const isLong = calldata.length > LONGEST_SHOWN;
  return new InputError(`Cannot decode the calldata of a settlement: ${fault}`, {
    facts: {
      found: isLong ? `${calldata.slice(0, LONGEST_SHOWN)}…` : calldata,
      characters: calldata.length,
    },
    remedy:
      "Pass the complete input of a transaction that called `settle` on the settlement contract",
    cause,
  });
}

/** A trade as the calldata has it. */
interface PlainTrade {
  readonly sellTokenIndex: bigint;
  readonly buyTokenIndex: bigint;
  readonly receiver: `0x${string}`;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly validTo: number;
  readonly appData: `0x${string}`;
  readonly feeAmount: bigint;
  readonly flags: bigint;
  readonly executedAmount: bigint;
  readonly signature: `0x${string}`;
}

/** An interaction as the calldata has it. */
interface PlainInteraction {
  readonly target: `0x${string}`;
  readonly value: bigint;
  readonly callData: `0x${string}`;
}

/** The arguments of `settle`. */
export type PlainSettlement = readonly [
  tokens: readonly `0x${string}`[],
  clearingPrices: readonly bigint[],
  trades: readonly PlainTrade[],
  interactions: readonly [
    readonly PlainInteraction[],
    readonly PlainInteraction[],
    readonly PlainInteraction[],
  ],
];

/** Hex digits of a word, of a selector and its prefix. */
const WORD_DIGITS = 64;
const START = 10;
const ADDRESS_ZEROS = "0".repeat(24);
const NUMBER_ZEROS = "0".repeat(52);
const VALID_TO_ZEROS = "0".repeat(56);

/**
 * Reads the arguments of `settle` in the layout that compilers and solvers write, which takes a
 * fraction of the time of a decoder of any layout.
 *
 * @param calldata Lower-case hex with `0x`, of whole bytes.
 * @returns `null` where anything is not as expected, such as an offset that does not lead onwards or an
 * address with other bytes in front: a decoder decides what it is. Addresses are in lower case.
 */
export function plainSettlement(calldata: string): PlainSettlement | null {
  const reader = new Reader(calldata);
  try {
    reader.take(START, 4);
    const tokens = reader.list(reader.place(START, 0), (at) => reader.address(at));
    const prices = reader.list(reader.place(START, 1), (at) => reader.uint(at));
    const trades = reader.list(reader.place(START, 2), (at, base) => trade(reader, base, at));
    const interactions = reader.place(START, 3);
    reader.take(interactions, 3);
    const called = (place: number) =>
      reader.list(reader.place(interactions, place), (at, base) => interaction(reader, base, at));
    return [tokens, prices, trades, [called(0), called(1), called(2)]];
  } catch (error) {
    if (error instanceof Unexpected) return null;
    throw error;
  }
}

/** Something that is not laid out as expected. */
class Unexpected extends Error {}

function trade(reader: Reader, base: number, at: number): PlainTrade {
  const start = reader.target(base, at);
  reader.take(start, 11);
  const word = (place: number) => start + WORD_DIGITS * place;
  return {
    sellTokenIndex: reader.uint(word(0)),
    buyTokenIndex: reader.uint(word(1)),
    receiver: reader.address(word(2)),
    sellAmount: reader.uint(word(3)),
    buyAmount: reader.uint(word(4)),
    validTo: reader.validTo(word(5)),
    appData: `0x${reader.word(word(6))}`,
    feeAmount: reader.uint(word(7)),
    flags: reader.uint(word(8)),
    executedAmount: reader.uint(word(9)),
    signature: reader.bytes(reader.place(start, 10)),
  };
}

function interaction(reader: Reader, base: number, at: number): PlainInteraction {
  const start = reader.target(base, at);
  reader.take(start, 3);
  return {
    target: reader.address(start),
    value: reader.uint(start + WORD_DIGITS),
    callData: reader.bytes(reader.place(start, 2)),
  };
}

/** Reads words of a text of hex digits, at places in characters. */
class Reader {
  readonly #text: string;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Requires words behind all that were taken before: parts that overlap are not the usual layout,
   * and small calldata cannot stand for much.
   */
  take(at: number, words: number): void {
    const end = at + WORD_DIGITS * words;
    if (at < this.#end || end > this.#text.length) throw new Unexpected();
    this.#end = end;
  }

  /** The digits of a word. */
  word(at: number): string {
    if (at + WORD_DIGITS > this.#text.length) throw new Unexpected();
    return this.#text.slice(at, at + WORD_DIGITS);
  }

  uint(at: number): bigint {
    return BigInt(`0x${this.word(at)}`);
  }

  address(at: number): `0x${string}` {
    const word = this.word(at);
    if (!word.startsWith(ADDRESS_ZEROS)) throw new Unexpected();
    return `0x${word.slice(ADDRESS_ZEROS.length)}`;
  }

  validTo(at: number): number {
    const word = this.word(at);
    if (!word.startsWith(VALID_TO_ZEROS)) throw new Unexpected();
    return Number.parseInt(word, 16);
  }

  /** A length or an offset. */
  small(at: number): number {
    const word = this.word(at);
    if (!word.startsWith(NUMBER_ZEROS)) throw new Unexpected();
    return Number.parseInt(word, 16);
  }

  /** Where the offset in one of the words after `base` points to. */
  place(base: number, word: number): number {
    return this.target(base, base + WORD_DIGITS * word);
  }

  /** Where an offset points to, which counts bytes from `base`. */
  target(base: number, at: number): number {
    const target = base + 2 * this.small(at);
    if (target >= this.#text.length) throw new Unexpected();
    return target;
  }

  /** A list: its length, then a word for each item; `base` is what offsets in it count from. */
  list<Item>(at: number, read: (at: number, base: number) => Item): Item[] {
    const length = this.small(at);
    const base = at + WORD_DIGITS;
    this.take(at, 1 + length);
    return Array.from({ length }, (_, place) => read(base + WORD_DIGITS * place, base));
  }

  /** Bytes: their number, then they, with zeros up to a whole word. */
  bytes(at: number): `0x${string}` {
    const length = 2 * this.small(at);
    const start = at + WORD_DIGITS;
    this.take(at, 1 + Math.ceil(length / WORD_DIGITS));
    return `0x${this.#text.slice(start, start + length)}`;
  }
}
