import type { BidSheet } from "./bid_sheet.ts";

/** What the reference scores of an auction are computed from. */
export interface PickedAuction {
  /** Indices of the winners, in the order picked. */
  readonly winners: readonly number[];
  /** Indices of all bids that were not filtered out, winners first. */
  readonly ranked: readonly number[];
  /** Maximum number of winning solutions. */
  readonly maxWinners: number;
  /** Sum of the winners' scores. */
  readonly totalScore: bigint;
}

/**
 * The reference score of each winning solver: the sum of the scores that would win without its
 * bids.
 *
 * The service picks again among the bids that were not filtered out, winners first. The winners of
 * other solvers win again, since nothing has changed among them, and the only new winners are bids
 * on pairs that only this solver had claimed. So the sum is `totalScore` minus the solver's own
 * winners plus the new ones.
 *
 * @returns Native atoms by the address of the solver; `0n` if nobody else bid.
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
