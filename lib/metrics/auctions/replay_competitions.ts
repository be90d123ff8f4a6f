import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { PolicySources } from "../fees/fee_policies.ts";
import { list } from "../not_computable.ts";
import { indexAuctionTerms } from "./instance_terms.ts";
import { asReplayed, replayCompetition } from "./replay_competition.ts";
import { REPLAY_OPTIONS, type ReplayOptions } from "./score_solution.ts";

/** Options of {@linkcode replayCompetitions}: rules of all auctions, and the records that decide them. */
export interface ReplayAllOptions
  extends Omit<ReplayOptions, "policies">, Pick<PolicySources, "trades" | "debugReports"> {}

const { policies: _, ...RULES } = REPLAY_OPTIONS;
const OPTIONS: OptionRules<ReplayAllOptions> = { ...RULES, trades: list(), debugReports: list() };

/**
 * Replays auctions by the same rules and returns them as the replays decide them: the winners, filter
 * flags and reference scores that other rules would have given, for rewards and tables.
 *
 * Each auction is {@linkcode asReplayed} of its {@linkcode replayCompetition}, with the fee policies that
 * trades and debug reports have of it. Nothing is rounded.
 *
 * @param competitions Auctions, each once.
 * @returns New auctions, in the order given.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | the service's arbitrator}
 *
 * @example With one winner
 * ```ts
 * import { replayCompetitions } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = (solver: string, score: bigint, ranking: number, sellToken: string) => ({
 *   solverAddress: solver,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: [{ id: "0x0f", sellAmount: 1n, buyAmount: 1n, sellToken, buyToken: "0xb2" }],
 *   isWinner: true,
 *   filteredOut: false,
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: [],
 *   referenceScores: { "0xa0": 40n, "0xb0": 50n },
 *   auction: { orders: [], prices: {} },
 *   solutions: [bid("0xb0", 40n, 2, "0xc3"), bid("0xa0", 50n, 1, "0xa1")],
 * };
 * const [replayed] = replayCompetitions([competition], { maxWinners: 1 });
 *
 * assertEquals(replayed?.solutions.map(({ isWinner }) => isWinner), [false, true]);
 * assertEquals(replayed?.referenceScores, { "0xa0": 40n });
 * ```
 */
export function replayCompetitions(
  competitions: Iterable<Competition>,
  options: ReplayAllOptions = {},
): Competition[] {
  checkOptions(options, OPTIONS, "Cannot replay auctions");
  const { trades = [], debugReports = [], orders, ...rules } = options;
  const auctions = [...competitions];
  const findTerms = indexAuctionTerms({ competitions: auctions, trades, debugReports, orders });
  return auctions.map((auction) =>
    asReplayed(auction, replayCompetition(auction, { ...rules, ...findTerms(auction.auctionId) }))
  );
}
