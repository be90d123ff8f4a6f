import type { DatedAuctionReward } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { gaps, integer, native, solver, text } from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import { type BuildTable, COMPETITION_KIND, tableOf } from "../columns/table_input.ts";
import {
  bounds,
  REWARD_OPTIONS,
  rewardsByWeek,
  type RewardTableOptions,
  ruleColumns,
  weekStart,
} from "./reward_columns.ts";
import { GAP_OF } from "../../metrics/solvers/weekly_reward_sums.ts";

/** One row per winning solver and auction; see {@linkcode auctionRewardsTable}. */
export const AUCTION_REWARDS: Table<DatedAuctionReward> = {
  name: "auction_rewards",
  grain: "One winning solver in one auction, with its performance reward",
  columns: [
    ...weekStart<DatedAuctionReward>(({ week }) => week),
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ auctionId }) => auctionId,
    }),
    ...solver<DatedAuctionReward>("solver", {
      source: "solution.solverAddress",
      solver: (row) => row.solver,
    }),
    ...native<DatedAuctionReward>("total_score", {
      source: "sum of the scores of all winning solutions",
      atoms: ({ totalScore }) => totalScore,
    }),
    ...native<DatedAuctionReward>("reference_score", {
      source: "competition.referenceScores: what the auction would be worth without the solver",
      atoms: ({ referenceScore }) => referenceScore,
    }),
    ...bounds<DatedAuctionReward>("missing_score", {
      source: "scores of its winning solutions that were not settled in time",
      of: ({ missingScore }) => missingScore,
    }),
    ...bounds<DatedAuctionReward>("uncapped", {
      source: "total_score - reference_score - missing_score",
      of: ({ uncapped }) => uncapped,
    }),
    ...bounds<DatedAuctionReward>("protocol_fee", {
      source: "protocol fees of its executed trades without partner fees, at native prices",
      of: ({ protocolFee }) => protocolFee,
    }),
    ...bounds<DatedAuctionReward>("upper_cap", {
      source: "fee_share * protocol_fee, rounded down",
      of: ({ upperCap }) => upperCap,
    }),
    ...bounds<DatedAuctionReward>("penalty_cap", {
      source:
        "largest penalty: lower_cap, or the caps of the orders that it won and did not settle",
      of: ({ lowerCap }) => lowerCap,
    }),
    text("cap", {
      source: "which cap decided: none, upper, lower; unknown if the bounds leave it open",
      cell: ({ cap }) => cap,
    }),
    ...bounds<DatedAuctionReward>("upper_cap_cut", {
      source: "what upper_cap withheld",
      of: ({ upperCapCut }) => upperCapCut,
    }),
    ...bounds<DatedAuctionReward>("lower_cap_relief", {
      source: "what penalty_cap spared the solver",
      of: ({ lowerCapRelief }) => lowerCapRelief,
    }),
    ...bounds<DatedAuctionReward>("performance", {
      source: "uncapped - upper_cap_cut + lower_cap_relief: negative if the solver pays",
      of: ({ performance }) => performance,
    }),
    ...ruleColumns<DatedAuctionReward>(({ rules }) => rules),
    gaps(
      "times (of the auction), week (the auction may belong to the next one), settlements, trades " +
        "(and with them fees), partner_fees (known from orders), prices (of fee tokens), or " +
        "penalty_caps (of orders that were not settled)",
      ({ week, isWeekOpen, missing }) => [
        week === null && "times",
        isWeekOpen && "week",
        ...missing.map((what) => GAP_OF[what]),
      ],
    ),
  ],
};

/**
 * One row per solver that won in an auction: its performance reward, and which cap decided it.
 * Sorted by auction, then by solver as in `rewardsTable`, which contains the sums of these
 * rows.
 *
 * A solver without a reference score in the response has no row; without rules, the table is empty.
 *
 * @param competitions Decoded competitions; each auction counts once.
 * @param options The network or its rules; times of the auctions; trades, orders and debug reports.
 * @returns A frame with the columns of {@linkcode AUCTION_REWARDS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No auctions
 * ```ts
 * import { auctionRewardsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(auctionRewardsTable([], { network: "mainnet" }).height, 0);
 * ```
 */
export const auctionRewardsTable: BuildTable<Competition, RewardTableOptions> = tableOf({
  table: AUCTION_REWARDS,
  records: COMPETITION_KIND,
  options: REWARD_OPTIONS,
  rows: (all, options) => {
    const rows = rewardsByWeek(all, options).flatMap(({ rewards }) => rewards);
    return rows.sort((a, b) => a.auctionId - b.auctionId);
  },
});
