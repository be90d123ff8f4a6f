import type { BidSheet } from "./bid_sheet.ts";

/** What the reference scores of an auction follow from. */
export interface PickedAuction {
  /** Indices of the winners, in the order picked. */
  readonly winners: readonly number[];
  /** Indices of all bids that were not filtered out, winners first. */
  readonly ranked: readonly number[];
  /** The most solutions that can win. */
  readonly maxWinners: number;
  /** Sum of the winners' scores. */
  readonly totalScore: bigint;
}

/**
 * The reference score of each solver that wins: the sum of the scores of those that win when its
 * bids are left out.
 *
 * Picked again out of the bids that were not filtered, winners first as the service has them. So the
 * winners of other solvers win again, because nothing among them has changed, and what can come to
 * them are bids whose pairs only this solver had claimed: the sum is `totalScore`, less the solver's
 * own winners, plus those.
 *
 * @returns Native atoms by the address of the solver; `0n` when nobody else bid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | compute_reference_scores of the service}
 */
export function referenceScoresOf(sheet: BidSheet, picked: PickedAuction): Map<string, bigint> {
  const { starts, claims, solvers, solverNames, scores } = sheet;
  const { winners, ranked, maxWinners, totalScore } = picked;
  const references = new Map<string, bigint>();
  const claimant = new Int32Array(sheet.pairCount).fill(-1);
  for (const bid of winners) {
    for (let at = starts[bid]!; at < starts[bid + 1]!; at++) claimant[claims[at]!] = solvers[bid]!;
  }
  const filledFor = new Int32Array(sheet.pairCount).fill(-1);
  for (const winner of winners) {
    const solver = solvers[winner]!;
    const name = solverNames[solver]!;
    if (references.has(name)) continue;
    let sum = totalScore;
    let free = maxWinners - winners.length;
    for (const own of winners) {
      if (solvers[own] !== solver) continue;
      sum -= scores[own]!;
      free++;
    }
    for (let place = winners.length; place < ranked.length && free > 0; place++) {
      const bid = ranked[place]!;
      if (solvers[bid] === solver) continue;
      const end = starts[bid + 1]!;
      let isFree = true;
      for (let at = starts[bid]!; at < end && isFree; at++) {
        const pair = claims[at]!;
        const claimed = claimant[pair]!;
        isFree = (claimed === -1 || claimed === solver) && filledFor[pair] !== solver;
      }
      if (!isFree) continue;
      for (let at = starts[bid]!; at < end; at++) filledFor[claims[at]!] = solver;
      sum += scores[bid]!;
      free--;
    }
    references.set(name, sum);
  }
  return references;
}
