import type { Competition, Solution } from "orderlens";
import type { CompetitionReplay } from "orderlens/metrics";

/** One bid of an auction made up for a test. */
export interface Bid {
  solver: string;
  score: bigint;
  /** Directed pairs of its orders, one order each that exchanges 1 for 1. */
  pairs?: readonly (readonly [string, string])[];
  /** The order that it fills, if not one named by its pair. */
  uid?: string;
  /** What it sells of each order. @default {1n} */
  sells?: bigint;
  /** What it buys for the order of each pair. @default {1n} */
  buys?: readonly bigint[];
  /** Its orders, where their amounts matter. */
  orders?: Solution["orders"];
  isWinner?: boolean;
  filteredOut?: boolean;
  txHash?: string | null;
}

/** The UID of the order on a pair; the same in every bid. */
export function uidOf([sellToken, buyToken]: readonly [string, string]): string {
  return `${sellToken}>${buyToken}`;
}

/** A bid as the service lists it. */
export function solutionOf(bid: Bid, ranking = 1): Solution {
  return {
    solverAddress: bid.solver,
    score: bid.score,
    ranking,
    clearingPrices: {},
    orders: bid.orders ?? (bid.pairs ?? []).map((pair, place) => ({
      id: bid.uid ?? uidOf(pair),
      sellAmount: bid.sells ?? 1n,
      buyAmount: bid.buys?.[place] ?? 1n,
      sellToken: pair[0],
      buyToken: pair[1],
    })),
    isWinner: bid.isWinner ?? false,
    filteredOut: bid.filteredOut ?? false,
    ...(bid.txHash === undefined ? {} : { txHash: bid.txHash }),
  };
}

/** An auction with the bids in the order of their places, all their orders in it. */
export function auctionOf(bids: readonly Bid[], more: Partial<Competition> = {}): Competition {
  const solutions = bids.map((bid, index) => solutionOf(bid, index + 1));
  const orders = new Set(solutions.flatMap(({ orders }) => orders.map(({ id }) => id)));
  return {
    auctionId: 1,
    auctionStartBlock: 100,
    auctionDeadlineBlock: 103,
    transactionHashes: [],
    referenceScores: {},
    auction: { orders: [...orders], prices: {} },
    solutions: solutions.reverse(),
    ...more,
  };
}

/** The solvers of a replay's winners, best first. */
export function winnersOf(competition: Competition, replay: CompetitionReplay): string[] {
  return replay.solutions.filter(({ isWinner }) => isWinner)
    .map(({ index }) => competition.solutions[index]!.solverAddress);
}
