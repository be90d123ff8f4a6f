import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { byUid, type NotComputable } from "../not_computable.ts";
import { replayCompetition } from "./replay_competition.ts";
import { REPLAY_OPTIONS, type ReplayOptions } from "./score_solution.ts";

/**
 * The maximum number of winners that a set of auctions was run with, as far as it can be inferred.
 */
export interface InferredMaxWinners {
  /** The smallest maximum that most auctions agree with, at least 1. */
  readonly maxWinners: number;
  /**
   * The largest maximum that as many agree with; `null` if any larger one fits too, because no
   * auction had more bids that could win.
   */
  readonly largest: number | null;
  /** Number of auctions. */
  readonly auctions: number;
  /** Ids of the auctions that do not agree with `maxWinners`; empty if all do. */
  readonly differing: readonly number[];
}

/** Options of the replays, without the maximum number of winners. */
export type InferOptions = Omit<ReplayOptions, "maxWinners">;

/**
 * Infers the maximum number of winners that a set of auctions was run with, which no answer
 * contains.
 *
 * It is at least the number of winners of any auction. Starting there, each maximum is tried in
 * {@linkcode replayCompetition} until all auctions agree; if none fits all, the smallest one with
 * the most agreement is returned, and the auctions that differ are listed. The configured maximum
 * may be larger than the one found: up to `largest`, the auctions would have had the same winners.
 *
 * @param competitions Auctions of one deployment and period, each once.
 * @returns The maximum, or the reason `"no_auctions"`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/configs/src/autopilot/run_loop.rs | max_winners_per_auction of the service}
 *
 * @example No auctions tell nothing
 * ```ts
 * import { inferMaxWinners, isNotComputable } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const inferred = inferMaxWinners([]);
 *
 * assertEquals(isNotComputable(inferred) && inferred.reason, "no_auctions");
 * ```
 */
export function inferMaxWinners(
  competitions: Iterable<Competition>,
  options: InferOptions = {},
): InferredMaxWinners | NotComputable<"no_auctions"> {
  const { maxWinners: _, ...rules } = REPLAY_OPTIONS;
  checkOptions(options, rules, "Cannot infer the maximum number of winners");
  const all = [...competitions];
  if (all.length === 0) {
    return {
      reason: "no_auctions",
      detail: "No auctions to infer the maximum number of winners from",
    };
  }
  const most = largestOf(all, ({ solutions }) => solutions.length);
  // Each auction is replayed many times, but its bids are read only once.
  const { orders, policies } = options;
  const terms = {
    ...options,
    ...orders && { orders: byUid(orders) },
    ...policies && { policies: byUid(policies) },
  };
  const differing = (maxWinners: number) =>
    all.filter((each) => !replayCompetition(each, { ...terms, maxWinners }).agrees);
  let maxWinners = largestOf(all, countWinners);
  let best = differing(maxWinners);
  let tried = maxWinners;
  while (best.length > 0 && tried < most) {
    const found = differing(++tried);
    if (found.length < best.length) [maxWinners, best] = [tried, found];
  }
  let largest: number | null = null;
  if (differing(most).length > best.length) {
    largest = maxWinners;
    while (differing(largest + 1).length === best.length) largest++;
  }
  return {
    maxWinners,
    largest,
    auctions: all.length,
    differing: best.map(({ auctionId }) => auctionId),
  };
}

function largestOf(all: readonly Competition[], count: (each: Competition) => number): number {
  return all.reduce((most, each) => Math.max(most, count(each)), 1);
}

function countWinners({ solutions }: Competition): number {
  return solutions.filter(({ isWinner }) => isWinner).length;
}
