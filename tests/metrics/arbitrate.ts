import type { Competition, Solution } from "orderlens";
import { assertEquals } from "@std/assert";

/**
 * A bid as the arbitrator sees it. The arbitrator here is written from the rules alone, for tests of
 * `replayCompetition` and of whatever uses it, so it shares no code with it.
 */
export interface ArbitratedBid {
  readonly solver: string;
  /** What it scores in all. */
  readonly score: bigint;
  /** What it scores on each directed pair, where that is known. */
  readonly pairs?: readonly { readonly pair: string; readonly score: bigint }[];
  /** The directed pairs that nobody else may have when it wins. */
  readonly claims: readonly string[];
}

/** A bid on several pairs is unfair if a bid on one of them alone makes more of it. */
export function isUnfair(bid: ArbitratedBid, bids: readonly ArbitratedBid[]): boolean {
  const { pairs = [] } = bid;
  return pairs.length > 1 &&
    pairs.some(({ pair, score }) =>
      bids.some((other) =>
        other.pairs?.length === 1 && other.pairs[0]!.pair === pair && other.score > score
      )
    );
}

/**
 * Whether a set has each bid if and only if fewer than the maximum of better ones are in it and none
 * of those claims one of its pairs.
 */
function isRight<Bid extends ArbitratedBid>(
  set: readonly Bid[],
  order: readonly Bid[],
  most: number,
): boolean {
  return order.every((bid, at) => {
    const better = set.filter((each) => order.indexOf(each) < at);
    const isFree = better.every(({ claims }) => !claims.some((pair) => bid.claims.includes(pair)));
    return set.includes(bid) === (better.length < most && isFree);
  });
}

/** The right set of winners, of which there is one: whether a bid is in it depends on better ones. */
function winnersOf<Bid extends ArbitratedBid>(order: readonly Bid[], most: number): Bid[] {
  const winners: Bid[] = [];
  const taken = new Set<string>();
  for (const bid of order) {
    if (winners.length === most || bid.claims.some((pair) => taken.has(pair))) continue;
    winners.push(bid);
    for (const pair of bid.claims) taken.add(pair);
  }
  assertEquals(isRight(winners, order, most), true);
  return winners;
}

function scoreOf(bids: readonly ArbitratedBid[]): bigint {
  return bids.reduce((sum, { score }) => sum + score, 0n);
}

/**
 * Ranks bids by the rules of the auction: each list best first.
 *
 * @param ordered All bids by score, best first; equal ones in the order that the service gives them.
 */
export function arbitrate<Bid extends ArbitratedBid>(
  ordered: readonly Bid[],
  { maxWinners, isOut }: { maxWinners: number; isOut: (bid: Bid) => boolean },
) {
  const filtered = ordered.filter(isOut);
  const kept = ordered.filter((bid) => !filtered.includes(bid));
  const winners = winnersOf(kept, maxWinners);
  // Winners, then the others that were not filtered out.
  const ranked = [...winners, ...kept.filter((bid) => !winners.includes(bid))];
  const references = winners.map(({ solver }): [string, bigint] => [
    solver,
    scoreOf(winnersOf(ranked.filter((bid) => bid.solver !== solver), maxWinners)),
  ]);
  return { winners, ranked, filtered, references: new Map(references) };
}

/** A solution of a competition as a bid. */
export interface SolutionBid extends ArbitratedBid {
  readonly solution: Solution;
}

/** Holds the reported outcome of an auction against what the rules make of its bids. */
export function checkOutcome(
  { auctionId, solutions, referenceScores }: Competition,
  { bidOf, isOut, maxWinners }: {
    bidOf: (solution: Solution) => SolutionBid;
    isOut: (bid: SolutionBid, bids: readonly SolutionBid[]) => boolean;
    maxWinners: number;
  },
): void {
  const ordered = solutions.map(bidOf).sort((a, b) =>
    a.score === b.score ? a.solution.ranking - b.solution.ranking : a.score > b.score ? -1 : 1
  );
  const { winners, ranked, filtered, references } = arbitrate(ordered, {
    maxWinners,
    isOut: (bid) => isOut(bid, ordered),
  });
  const what = `auction ${auctionId}`;
  const places = [...ranked, ...filtered];
  assertEquals(places.map(({ solution }) => solution.ranking), places.map((_, at) => at + 1), what);
  for (const bid of places) {
    const { isWinner, filteredOut, referenceScore } = bid.solution;
    assertEquals([isWinner, filteredOut], [winners.includes(bid), filtered.includes(bid)], what);
    assertEquals(referenceScore ?? null, references.get(bid.solver) ?? null, what);
  }
  assertEquals(new Map(Object.entries(referenceScores)), references, what);
}
