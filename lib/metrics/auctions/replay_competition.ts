import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { type BidSheet, readBids } from "./bid_sheet.ts";
import { compareReplay } from "./compare_replay.ts";
import type { CompetitionReplay, ReplayedSolution } from "./replay_result.ts";
import { fairnessTerms } from "./fairness_terms.ts";
import { judgeFairness } from "./judge_fairness.ts";
import { referenceScoresOf } from "./reference_scores.ts";
import { REPLAY_OPTIONS, type ReplayOptions } from "./replay_options.ts";

/** The service's default for the maximum number of winners. */
export const DEFAULT_MAX_WINNERS = 20;

/**
 * Replays an auction from its public record: which solutions are filtered out as unfair, which win,
 * how they are ranked, and the reference score of each winning solver. Compares the result with
 * what was reported.
 *
 * 1. A solution that scores on two or more directed pairs is filtered out if any of its pair scores
 *    is below the best score of a solution on exactly that pair.
 * 2. The others win by score, highest first, up to `maxWinners`; a solution is skipped if an
 *    earlier winner claims one of its directed pairs. In this step the native token counts as its
 *    wrapped token, and every order of a solution claims its pair.
 * 3. Ranking: winners by score, then the others by score, then filtered solutions by score.
 * 4. The reference score of a winning solver is the sum of the scores that would win without its
 *    solutions: rule 2 applied again to the solutions that were not filtered out, in the order of
 *    their ranking (winners first, as in the service), without filtering again. It is `0n` if
 *    nobody else bid.
 *
 * Winners, ranking and reference scores are exact from the answer alone. So is the filter for
 * solutions of one pair, for those with a score too low for the baselines of their pairs, and for
 * those whose pairs have no baseline; for the others it needs the `orders` with their limits, and
 * their `policies` make it exact. If it remains undecided, the reported flag is used, and counted
 * in the `basis`. An order that the auction does not list does not count for the score unless its
 * owner captures surplus; without the list of owners none counts, and `jit_orders` is among the
 * reasons for a difference. Solutions of equal score keep the order in which they are reported: the
 * service orders them by a hash of what solvers sent, which no answer contains.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @returns The replay with its differences. Without solutions it is empty, and agrees.
 * @throws {InputError} If an option is unknown, or `maxWinners` or `maxSolutionsPerSolver` is not a
 * whole number of at least 1.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | the service's arbitrator}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/configs/src/autopilot/run_loop.rs | the service's defaults}
 *
 * @example The solution with the highest score is unfair to one of its pairs
 * ```ts
 * import type { Competition } from "orderlens";
 * import { replayCompetition } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const [x, y, z] = ["0x0a", "0x0b", "0x0c"];
 * const bid = (solver: string, score: bigint, ranking: number, pairs: string[][]) => ({
 *   solverAddress: solver,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: pairs.map(([sellToken = "", buyToken = ""]) => ({
 *     id: `${sellToken} to ${buyToken}`,
 *     sellAmount: 1n,
 *     buyAmount: 1n,
 *     sellToken,
 *     buyToken,
 *   })),
 *   isWinner: ranking <= 2,
 *   filteredOut: ranking === 3,
 * });
 * const competition: Competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: [],
 *   referenceScores: { "0xb0": 50n, "0xc0": 70n },
 *   auction: { orders: ["0x0a to 0x0b", "0x0b to 0x0c"], prices: {} },
 *   solutions: [
 *     bid("0xa0", 115n, 3, [[x, y], [y, z]]),
 *     bid("0xc0", 50n, 2, [[y, z]]),
 *     bid("0xb0", 70n, 1, [[x, y]]),
 *   ],
 * };
 * const { agrees, totalScore, referenceScores } = replayCompetition(competition);
 *
 * // 115 cannot be at least 70 on one pair and at least 50 on the other.
 * assertEquals(agrees, true);
 * assertEquals(totalScore, 120n);
 * assertEquals(referenceScores.get("0xb0"), 50n);
 * ```
 */
export function replayCompetition(
  competition: Competition,
  options: ReplayOptions = {},
): CompetitionReplay {
  checkOptions(options, REPLAY_OPTIONS, "Cannot replay an auction");
  const { maxWinners = DEFAULT_MAX_WINNERS } = options;
  const { solutions } = competition;
  const sheet = readBids(competition, options.wrappedNativeToken);
  const fairness = judgeFairness(competition, sheet, () => fairnessTerms(competition, options));
  const ordered = byScore(solutions);
  const kept: number[] = [];
  const filtered: number[] = [];
  for (const bid of ordered) {
    const verdict = fairness[bid]!;
    const isOut = verdict === "undecided" ? solutions[bid]!.filteredOut : verdict === "unfair";
    (isOut ? filtered : kept).push(bid);
  }
  const winners = pickWinners(sheet, kept, maxWinners);
  const ranked = winnersFirst(kept, winners);
  const totalScore = sumOfScores(sheet, winners);
  const referenceScores = referenceScoresOf(sheet, { winners, ranked, maxWinners, totalScore });
  const placed: ReplayedSolution[] = [];
  for (const index of ranked) {
    placed.push({
      index,
      ranking: placed.length + 1,
      isWinner: placed.length < winners.length,
      filteredOut: false,
      filterFrom: FILTER_FROM[fairness[index]!],
    });
  }
  for (const index of filtered) {
    placed.push({
      index,
      ranking: placed.length + 1,
      isWinner: false,
      filteredOut: true,
      filterFrom: FILTER_FROM[fairness[index]!],
    });
  }
  return compareReplay(competition, {
    sheet,
    solutions: placed,
    totalScore,
    referenceScores,
    options,
    maxWinners,
    tiedSolutions: countTies(sheet, ordered),
  });
}

const FILTER_FROM = {
  single: "single",
  fair: "scores",
  unfair: "scores",
  undecided: "reported",
} as const;

/** Indices by score, highest first; equal scores as reported. */
function byScore(solutions: readonly Solution[]): number[] {
  const order: number[] = [];
  // Answers are sorted worst first, so this is nearly sorted from the start.
  for (let index = solutions.length - 1; index >= 0; index--) order.push(index);
  return order.sort((a, b) => {
    const [left, right] = [solutions[a]!, solutions[b]!];
    if (left.score !== right.score) return left.score > right.score ? -1 : 1;
    return left.ranking - right.ranking || a - b;
  });
}

/** Number of bids that share their score with another one; bids are sorted by score. */
function countTies({ scores }: BidSheet, order: readonly number[]): number {
  let ties = 0;
  let wasTie = false;
  for (let place = 1; place < order.length; place++) {
    const isTie = scores[order[place]!] === scores[order[place - 1]!];
    if (isTie) ties += wasTie ? 1 : 2;
    wasTie = isTie;
  }
  return ties;
}

/** The winners in the order picked, then the others in the order they had. */
function winnersFirst(order: readonly number[], winners: readonly number[]): number[] {
  const ranked = winners.slice();
  let next = 0;
  for (const bid of order) {
    if (bid === winners[next]) next++;
    else ranked.push(bid);
  }
  return ranked;
}

function sumOfScores({ scores }: BidSheet, bids: readonly number[]): bigint {
  let sum = 0n;
  for (const bid of bids) sum += scores[bid]!;
  return sum;
}

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
function pickWinners(
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
