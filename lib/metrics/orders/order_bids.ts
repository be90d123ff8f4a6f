import type { Competition, DebugReport } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { transactionsOf } from "./attribute_fills.ts";
import type { Fill } from "./fill.ts";

/** The bid of one solution on one order. */
export interface OrderBid {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the whole solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Score of the whole solution, in native atoms. */
  readonly score: bigint;
  /** Whether the solution won. */
  readonly isWinner: boolean;
  /** Whether the solution was filtered out as unfair. */
  readonly filteredOut: boolean;
  /** Sell amount of the order, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Buy amount of the order, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/** An auction that included an order, with the bids on the order. */
export interface OrderAuction {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Start block of the auction. */
  readonly block: number;
  /** Last block in which to settle; `null` if the answer has none. */
  readonly deadlineBlock: number | null;
  /** Solutions that execute the order, best rank first. */
  readonly bids: readonly OrderBid[];
  /** Fills of the order that were settled from this auction. */
  readonly fills: readonly OrderFillFacts[];
}

/** One fill of an order, from a trade or a debug report. */
export interface OrderFillFacts extends Fill {
  /** Block of the settlement. */
  readonly blockNumber: number;
  /** Index of the trade's event in the block. */
  readonly logIndex: number;
  /** Settlement transaction; `null` if unknown. */
  readonly txHash: string | null;
  /** Auction it was settled from; `null` if neither a debug report nor a competition names it. */
  readonly auctionId: number | null;
}

/** Records that contain auctions of an order. */
export interface AuctionSources {
  /** The order's debug report. */
  readonly debugReport?: Pick<DebugReport, "auctions"> | null | undefined;
  /** Competitions; those without the order are ignored. */
  readonly competitions?: Iterable<Competition> | null | undefined;
  /** The order's fills. */
  readonly fills: readonly OrderFillFacts[];
}

/**
 * The auctions that included an order, by ascending id: those of its debug report, and other
 * competitions that list or execute it. Both sources contain the same bids.
 */
export function orderAuctions(uid: string, sources: AuctionSources): OrderAuction[] {
  const auctions = new Map<number, OrderAuction>();
  for (const competition of sources.competitions ?? []) {
    const auction = auctionOfCompetition(uid, competition, sources.fills);
    if (auction !== undefined) auctions.set(auction.auctionId, auction);
  }
  for (const { id, block, deadline, proposedSolutions } of sources.debugReport?.auctions ?? []) {
    const bids = proposedSolutions.map((
      { ranking, solver, score, isWinner, filteredOut, executedSell, executedBuy },
    ) => ({
      auctionId: id,
      ranking,
      solver,
      score,
      isWinner,
      filteredOut,
      sellAmount: executedSell,
      buyAmount: executedBuy,
    }));
    const fills = sources.fills.filter(({ auctionId }) => auctionId === id);
    auctions.set(id, { auctionId: id, block, deadlineBlock: deadline, bids: byPlace(bids), fills });
  }
  return [...auctions.values()].sort((a, b) => a.auctionId - b.auctionId);
}

function auctionOfCompetition(
  uid: string,
  competition: Competition,
  fills: readonly OrderFillFacts[],
): OrderAuction | undefined {
  const { auctionId, auction, solutions } = competition;
  const bids: OrderBid[] = [];
  for (const { orders, solverAddress, ranking, score, isWinner, filteredOut } of solutions) {
    for (const { id, sellAmount, buyAmount } of orders) {
      if (!sameHex(id, uid)) continue;
      const bid = { ranking, solver: solverAddress, score, isWinner, filteredOut };
      bids.push({ auctionId, ...bid, sellAmount, buyAmount });
    }
  }
  if (bids.length === 0 && !auction.orders.some((each) => sameHex(each, uid))) return undefined;
  const hashes = transactionsOf(competition);
  return {
    auctionId,
    block: competition.auctionStartBlock,
    deadlineBlock: competition.auctionDeadlineBlock ?? null,
    bids: byPlace(bids),
    fills: fills
      .filter(({ auctionId: from, txHash }) =>
        from === auctionId || hashes.some((hash) => txHash !== null && sameHex(hash, txHash))
      )
      .map((fill) => ({ ...fill, auctionId })),
  };
}

function byPlace(bids: OrderBid[]): OrderBid[] {
  return bids.sort((a, b) => a.ranking - b.ranking);
}
