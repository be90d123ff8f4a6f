import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Competition } from "../../schemas/mod.ts";

/**
 * The bids of a competition, with solvers and directed token pairs as small numbers, so that picking
 * winners compares no text. The bid at an index is the solution at that index.
 */
export interface BidSheet {
  /** Number of bids. */
  readonly size: number;
  /** Score of each bid, in native atoms. */
  readonly scores: readonly bigint[];
  /** Number of each bid's solver, an index of `solverNames`. */
  readonly solvers: readonly number[];
  /** Addresses of the solvers, as first written. */
  readonly solverNames: readonly string[];
  /** Start of each bid's pairs in `pairs` and `claims`; one more entry than bids. */
  readonly starts: readonly number[];
  /** Directed pair of each order, with its own tokens. */
  readonly pairs: readonly number[];
  /** Directed pair of each order, with the wrapped native token for the native one. */
  readonly claims: readonly number[];
  /** Number of different pairs; every pair is below it. */
  readonly pairCount: number;
  /** Whether a bid trades the native token and the wrapped native token is unknown. */
  readonly hasUnwrappedNative: boolean;
  /** Whether an order has no tokens, as in old responses; such an order has no pair. */
  readonly hasUnknownTokens: boolean;
}

/** Reads the bids of a competition, in the order of its solutions. */
export function readBids(
  competition: Competition,
  wrappedNativeToken: string | undefined,
): BidSheet {
  const { solutions } = competition;
  const size = solutions.length;
  const tokens = new HexInterner();
  const native = tokens.assignNumber(NATIVE_TOKEN_ADDRESS);
  const wrapped = wrappedNativeToken === undefined
    ? native
    : tokens.assignNumber(wrappedNativeToken);
  const solverNumbers = new HexInterner();
  const scores: bigint[] = [];
  const solvers: number[] = [];
  const starts: number[] = [0];
  const sells: number[] = [];
  const buys: number[] = [];
  let hasNative = false;
  let hasUnknownTokens = false;
  for (let index = 0; index < size; index++) {
    const { score, solverAddress, orders } = solutions[index]!;
    scores.push(score);
    solvers.push(solverNumbers.assignNumber(solverAddress));
    for (let orderIndex = 0; orderIndex < orders.length; orderIndex++) {
      const { sellToken, buyToken } = orders[orderIndex]!;
      if (sellToken === undefined || buyToken === undefined) {
        hasUnknownTokens = true;
        continue;
      }
      const sell = tokens.assignNumber(sellToken);
      const buy = tokens.assignNumber(buyToken);
      hasNative ||= sell === native || buy === native;
      sells.push(sell);
      buys.push(buy);
    }
    starts.push(sells.length);
  }
  const tokenCount = tokens.texts.length;
  const dense = new Map<number, number>();
  const pairs: number[] = [];
  for (let orderIndex = 0; orderIndex < sells.length; orderIndex++) {
    pairs.push(assignDenseNumber(dense, sells[orderIndex]! * tokenCount + buys[orderIndex]!));
  }
  let claims = pairs;
  if (hasNative && wrapped !== native) {
    claims = sells.map((sell, orderIndex) => {
      const buy = buys[orderIndex]!;
      return assignDenseNumber(
        dense,
        (sell === native ? wrapped : sell) * tokenCount + (buy === native ? wrapped : buy),
      );
    });
  }
  return {
    size,
    scores,
    solvers,
    solverNames: solverNumbers.texts,
    starts,
    pairs,
    claims,
    pairCount: dense.size,
    hasUnwrappedNative: hasNative && wrappedNativeToken === undefined,
    hasUnknownTokens,
  };
}

function assignDenseNumber(dense: Map<number, number>, key: number): number {
  const number = dense.get(key);
  if (number !== undefined) return number;
  dense.set(key, dense.size);
  return dense.size - 1;
}

/**
 * Assigns a small number to each distinct hex text, in the order of first occurrence; texts that
 * differ only in case are the same.
 *
 * Lower-cases once per spelling, not once per lookup: the service sends addresses in lower case.
 */
class HexInterner {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** The texts as first written; the index of each is its number. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Returns the number of a text; a new text gets the next one. */
  assignNumber(text: string): number {
    return this.#numbers.get(text) ?? this.#add(text);
  }

  #add(text: string): number {
    const lowerCase = text.toLowerCase();
    let number = this.#numbers.get(lowerCase);
    if (number === undefined) {
      number = this.#texts.length;
      this.#texts.push(text);
      this.#numbers.set(lowerCase, number);
    }
    if (text !== lowerCase) this.#numbers.set(text, number);
    return number;
  }
}
