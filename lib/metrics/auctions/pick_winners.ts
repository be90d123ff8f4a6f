import type { BidSheet } from "./bid_sheet.ts";

/**
 * Picks winners greedily: takes each bid, in the order given, unless an earlier winner claims one
 * of its directed pairs, until the maximum is reached.
 *
 * All orders of a bid claim their pair, including those that do not count for its score.
 *
 * @param order Indices of bids, best first.
 * @returns Indices of the winners, in the order picked.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | pick_winners of the service}
 */
export function pickWinners(
  sheet: BidSheet,
  order: readonly number[],
  maxWinners: number,
): number[] {
  const { starts, claims } = sheet;
  const isTaken = new Uint8Array(sheet.pairCount);
  const winners: number[] = [];
  for (let place = 0; place < order.length && winners.length < maxWinners; place++) {
    const bid = order[place]!;
    const end = starts[bid + 1]!;
    let isFree = true;
    for (let at = starts[bid]!; at < end && isFree; at++) isFree = isTaken[claims[at]!] === 0;
    if (!isFree) continue;
    for (let at = starts[bid]!; at < end; at++) isTaken[claims[at]!] = 1;
    winners.push(bid);
  }
  return winners;
}
