import type { Competition, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { nativeValue } from "../../units/mod.ts";
import { priceOf } from "../prices/price_of.ts";
import { pricedSide } from "../prices/priced_side.ts";

/** Bids of a solver on one directed pair of tokens. */
export interface PairCoverage {
  /** Token sold, as first written. */
  readonly sellToken: string;
  /** Token bought, as first written. */
  readonly buyToken: string;
  /** Solutions with an order of this pair. */
  readonly bids: number;
  /** Winning solutions among them. */
  readonly wins: number;
  /**
   * Volume of the orders of this pair in its winning solutions, in native atoms, settled or not:
   * the sum of `floor(sellAmount * price / 10^18)` at the native price of the sell token in the
   * auction, or of the buy amount at that of the buy token if the sell token has none. `null` if an
   * order has neither price.
   */
  readonly volumeWon: bigint | null;
  /** Id of the first auction with such a bid. */
  readonly firstAuctionId: number;
  /** Its start block. */
  readonly firstStartBlock: number;
  /** Id of the last one. */
  readonly lastAuctionId: number;
  /** Its start block. */
  readonly lastStartBlock: number;
}

/** Counts in progress, by pair in lower case. */
export type PairTally = Map<string, { -readonly [Key in keyof PairCoverage]: PairCoverage[Key] }>;

/** Counts the pairs of one solution, each once regardless of its number of orders. */
export function addPairs(
  pairs: PairTally,
  { orders, isWinner }: Solution,
  { auction, auctionId, auctionStartBlock }: Competition,
): void {
  const counted = new Set<string>();
  for (const order of orders) {
    const { sellToken, buyToken } = order;
    if (sellToken === undefined || buyToken === undefined) continue;
    const key = `${sellToken} ${buyToken}`.toLowerCase();
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = {
        sellToken,
        buyToken,
        bids: 0,
        wins: 0,
        volumeWon: 0n,
        firstAuctionId: auctionId,
        firstStartBlock: auctionStartBlock,
        lastAuctionId: auctionId,
        lastStartBlock: auctionStartBlock,
      };
      pairs.set(key, pair);
    }
    if (isWinner) {
      const volume = valueOf({ ...order, sellToken, buyToken }, auction);
      pair.volumeWon = pair.volumeWon === null || volume === null ? null : pair.volumeWon + volume;
    }
    if (counted.has(key)) continue;
    counted.add(key);
    pair.bids++;
    if (isWinner) pair.wins++;
    if (auctionId < pair.firstAuctionId) {
      pair.firstAuctionId = auctionId;
      pair.firstStartBlock = auctionStartBlock;
    }
    if (auctionId > pair.lastAuctionId) {
      pair.lastAuctionId = auctionId;
      pair.lastStartBlock = auctionStartBlock;
    }
  }
}

function valueOf(
  order: SolutionOrder & { readonly sellToken: string; readonly buyToken: string },
  auction: Competition["auction"],
): bigint | null {
  const side = pricedSide(order, (token) => priceOf(auction, token));
  return side === null ? null : nativeValue(side.atoms, side.price);
}
