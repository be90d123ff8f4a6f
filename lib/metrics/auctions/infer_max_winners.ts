import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { byUid } from "../by_uid.ts";
import { replayCompetition } from "./replay_competition.ts";
import { REPLAY_OPTIONS, type ReplayOptions } from "./replay_options.ts";

/** What a set of auctions tells about the maximum of winners that they were run with. */
export interface InferredMaxWinners {
  /** The smallest maximum with which the most auctions agree, at least 1. */
  readonly maxWinners: number;
  /**
   * The largest maximum with which just as many agree; `null` when there is no such limit, because
   * no auction had more bids that could win.
   */
  readonly largest: number | null;
  /** How many auctions there were. */
  readonly auctions: number;
  /** Ids of the auctions that do not agree with `maxWinners`; empty when all do. */
  readonly differing: readonly number[];
}

/** What the replays may know, save the maximum of winners. */
export type InferOptions = Omit<ReplayOptions, "maxWinners">;

/**
 * Finds the maximum of winners that a set of auctions was run with, which no answer contains.
 *
 * It is at least the number of winners of any auction. Starting there, each maximum is tried in
 * {@linkcode replayCompetition} until all auctions agree; where that never happens, the smallest one
 * with the most agreement is taken and the auctions that differ are listed. A larger maximum than
 * found may have been configured: `largest` says up to which one the auctions could not tell.
 *
 * @param competitions Auctions of one deployment and one time, each once.
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
  checkOptions(options, rules, "Cannot infer the most winners");
  const all = [...competitions];
  if (all.length === 0) {
    return {
      reason: "no_auctions",
      detail: "There is no auction to infer a maximum of winners from",
    };
  }
  const most = largestOf(all, ({ solutions }) => solutions.length);
  // Each auction is replayed many times: what can be read once is read here.
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
