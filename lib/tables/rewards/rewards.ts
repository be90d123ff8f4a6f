import { outcomeColumns } from "../auctions/auction_columns.ts";
import type { BindingCap, DatedAuctionReward, SolverWeek } from "../../metrics/mod.ts";
import {
  gaps,
  integer,
  native,
  number,
  solver,
  text,
  time,
  toDecimalText,
  toNativeTokens,
} from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import {
  boundColumns,
  findSolverWeeks,
  ruleColumns,
  toInstant,
  weekStartColumns,
} from "./reward_columns.ts";
import { GAP_OF_INPUT } from "../../metrics/solvers/weekly_reward_sums.ts";
import { defineTable, type Table } from "../columns/table.ts";
import { computeOnce } from "../columns/records.ts";

function cappedColumn(
  name: string,
  { cap, source }: { cap: BindingCap; source: string },
): Column<SolverWeek> {
  return integer(name, {
    unit: "auctions",
    source,
    cell: ({ rewards, rules }) =>
      rules === null ? null : rewards.filter((reward) => reward.cap === cap).length,
  });
}

const WORK: readonly Column<SolverWeek>[] = [
  integer("auctions_bid", {
    unit: "auctions",
    source: "auctions of the week in which it proposed a solution",
    cell: ({ auctionsBid }) => auctionsBid,
  }),
  integer("auctions_won", {
    unit: "auctions",
    source: "auctions of the week in which one of its solutions won",
    cell: ({ auctionsWon }) => auctionsWon,
  }),
  integer("winning_count", {
    unit: "solutions",
    source: "its solutions that won; several can win one auction",
    cell: ({ outcomes }) => outcomes?.won ?? 0,
  }),
  integer("unsettled_count", {
    unit: "solutions",
    source: "late + absent: winning solutions whose score is missing",
    cell: ({ outcomes }) => outcomes === null ? 0 : outcomes.late + outcomes.absent,
  }),
  ...outcomeColumns<SolverWeek>(({ outcomes }) => outcomes, { missing: 0 }),
];

const PERFORMANCE: readonly Column<SolverWeek>[] = [
  integer("rewarded_auctions", {
    unit: "auctions",
    source: "auctions won whose response has its reference score: those in the sums",
    cell: ({ rewards, rules }) => rules === null ? null : rewards.length,
  }),
  ...native<SolverWeek>("margin", {
    source: "sum of total score - reference score over the auctions it won whose response has that",
    atoms: ({ margin }) => margin,
  }),
  ...boundColumns<SolverWeek>("protocol_fee", {
    source: "protocol fees of its executed trades without partner fees, at native prices",
    interval: ({ sums }) => sums?.protocolFee ?? null,
  }),
  ...boundColumns<SolverWeek>("uncapped", {
    source: "sum of total score - reference score, at least 0, - missing score",
    interval: ({ sums }) => sums?.uncapped ?? null,
  }),
  ...boundColumns<SolverWeek>("upper_cap_cut", {
    source: "sum of what the upper caps withheld",
    interval: ({ sums }) => sums?.upperCapCut ?? null,
  }),
  ...boundColumns<SolverWeek>("lower_cap_relief", {
    source: "sum of what the lower caps spared it",
    interval: ({ sums }) => sums?.lowerCapRelief ?? null,
  }),
  ...boundColumns<SolverWeek>("performance", {
    source: "uncapped - upper_cap_cut + lower_cap_relief: negative if the solver pays",
    interval: ({ sums }) => sums?.performance ?? null,
  }),
  cappedColumn("upper_capped_count", {
    cap: "upper",
    source: "auctions in which the upper cap decided",
  }),
  cappedColumn("lower_capped_count", {
    cap: "lower",
    source: "auctions in which the lower cap decided",
  }),
  cappedColumn("cap_unknown_count", {
    cap: "unknown",
    source: "auctions in which it is unknown whether a cap decided",
  }),
];

const CONSISTENCY_AND_QUOTES: readonly Column<SolverWeek>[] = [
  number("consistency_share", {
    unit: "0 to 1",
    source: "consistencyShares: its part of the week's budget; unknown orders and settlements " +
      "count as not executed",
    cell: ({ consistency }) => consistency.share,
  }),
  ...boundColumns<SolverWeek>("consistency", {
    source: "consistency_share of what the caps left over, rounded down, as consistency_basis says",
    interval: ({ consistency }) => consistency.reward,
  }),
  text("consistency_basis", {
    source:
      "order_share; budget if executed orders or settlements are unknown: the share is between none " +
      "and all of it",
    cell: ({ consistency }) => consistency.basis,
  }),
  integer("quotes_earned", {
    unit: "quotes",
    source: "quoteRewards: its quotes that certainly earned a reward",
    cell: ({ quotes }) => quotes.earned,
  }),
  integer("quotes_possible", {
    unit: "quotes",
    source: "quoteRewards: its quotes that possibly earned one",
    cell: ({ quotes }) => quotes.possible,
  }),
  ...boundColumns<SolverWeek>("quote_reward", {
    source: "quotes_earned (low) or also quotes_possible (high) times the smaller of " +
      "quote_reward_cap and quote_reward_cow at the price of COW",
    interval: ({ quotes }) => quotes.reward,
  }),
  ...boundColumns<SolverWeek>("total", {
    source: "performance + consistency + quote_reward",
    interval: ({ total }) => total,
  }),
];

/**
 * One row per solver and accounting week: what `weeklyRewards` estimates from public data. Sorted
 * by week, with auctions without a time last, then by descending performance.
 *
 * Amounts have a lower and an upper bound; they are equal if everything is known, otherwise `gaps`
 * says what is missing. Sums over solvers are exact with `sumAtoms`. The actual payments are not
 * public: they depend on COW and its price, service fees and slippage.
 *
 * @example The only bidder of one auction
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, REWARDS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const solver = `0x${"ab".repeat(20)}`;
 * const competition = decodeCompetition({
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: { [solver]: "30" },
 *   auction: { orders: [], prices: {} },
 *   solutions: [{
 *     solverAddress: solver,
 *     score: "40",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 * const [row] = buildTable(REWARDS, {
 *   competitions: [competition],
 *   network: "mainnet",
 *   rewardTimes: new Map([[7, Temporal.Instant.from("2026-11-21T15:00:00Z")]]),
 * }).toRecords();
 * assertEquals(row?.week_start, "2026-11-17T00:00:00Z");
 * // Whether it was settled is not known: the margin of 10, or the score of 40 missing from it.
 * assertEquals([row?.uncapped_low_atoms, row?.uncapped_high_atoms], ["-30", "10"]);
 * // Whether each order has a penalty cap of its own is not known since 2026-08-25.
 * assertEquals(row?.gaps, "rules, settlements, penalty_caps, orders");
 * ```
 */
export const REWARDS: Table<"competitions"> = defineTable<SolverWeek, "competitions">({
  name: "rewards",
  grain: "One solver in one accounting week, from Tuesday to Tuesday",
  kind: "derived",
  of: ["competitions"],
  key: ["week_start", "solver"],
  needs: ["orders", "trades", "reports", "times"],
  columns: [
    ...weekStartColumns<SolverWeek>(({ week }) => week),
    ...time<SolverWeek>("week_end", {
      source: "start of the next accounting week",
      instant: ({ week }) => toInstant(week?.endMs),
    }),
    ...solver<SolverWeek>("solver", {
      source: "solution.solverAddress, or order.quote.solver of a solver that only quoted",
      solver: (row) => row.solver,
    }),
    ...WORK,
    ...PERFORMANCE,
    ...CONSISTENCY_AND_QUOTES,
    ...ruleColumns<SolverWeek>(({ rules }) => rules),
    ...native<SolverWeek>("quote_reward_cap", {
      source: "quoteReward.nativeAtoms: the most for one quote",
      atoms: ({ quotes }) => quotes.rules?.nativeAtoms,
    }),
    text("quote_reward_cow_atoms", {
      unit: "COW atoms",
      source: "quoteReward.cowAtoms: the most for one quote",
      cell: ({ quotes }) => toDecimalText(quotes.rules?.cowAtoms),
    }),
    number("quote_reward_cow_tokens", {
      unit: "whole COW",
      source: "quote_reward_cow_atoms / 10^18, for axes",
      // COW has the decimals of native tokens.
      cell: ({ quotes }) => toNativeTokens(quotes.rules?.cowAtoms),
    }),
    ...native<SolverWeek>("cow_price", {
      source:
        "cowPrice: native atoms for one COW in the week, as passed; null without a price, and " +
        "gaps then has cow_price where a quote counts",
      atoms: ({ quotes }) => quotes.cowPrice?.nativeAtoms,
    }),
    text("cow_price_source", {
      source: "cowPrice.source: where the price is from; null where that was not stated",
      cell: ({ quotes }) => quotes.cowPrice?.source ?? null,
    }),
    text("quote_rules_as_of", {
      source: "quoteReward.asOf: month in which the documentation stated both",
      cell: ({ quotes }) => quotes.rules?.asOf ?? null,
    }),
    gaps(
      "times (of the auction), week (the auction may belong to the next one), rules (of the network), " +
        "reference_scores, settlements, trades (and with them fees), partner_fees (known from " +
        "orders), prices (of fee tokens), penalty_caps (of orders that were not settled), orders, auctions (a quoting solver's bid may be in another " +
        "one), quote_rule (which fees a bid may be below its quote is not public), quote_reward, " +
        "cow_price, or consistency_metric (before 2026-06-30)",
      (row) => row.gaps,
    ),
  ],
  rows: (records) => computeOnce(records, findSolverWeeks),
});

/**
 * One row per solver that won in an auction: its performance reward, and which cap decided it.
 * Sorted by auction, then by solver as in `rewards`, which contains the sums of these
 * rows.
 *
 * A solver without a reference score in the response has no row; without rules, the table is empty.
 *
 * @example No auctions
 * ```ts
 * import { AUCTION_REWARDS, buildTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(AUCTION_REWARDS, { competitions: [], network: "mainnet" }).height, 0);
 * ```
 */
export const AUCTION_REWARDS: Table<"competitions"> = defineTable<
  DatedAuctionReward,
  "competitions"
>({
  name: "auction_rewards",
  grain: "One winning solver in one auction, with its performance reward",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "solver"],
  needs: ["orders", "trades", "reports", "times"],
  columns: [
    ...weekStartColumns<DatedAuctionReward>(({ week }) => week),
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
    ...boundColumns<DatedAuctionReward>("missing_score", {
      source: "scores of its winning solutions that were not settled in time",
      interval: ({ missingScore }) => missingScore,
    }),
    ...boundColumns<DatedAuctionReward>("uncapped", {
      source: "total_score - the smaller of total_score and reference_score - missing_score",
      interval: ({ uncapped }) => uncapped,
    }),
    ...boundColumns<DatedAuctionReward>("protocol_fee", {
      source: "protocol fees of its executed trades without partner fees, at native prices",
      interval: ({ protocolFee }) => protocolFee,
    }),
    ...boundColumns<DatedAuctionReward>("upper_cap", {
      source: "fee_share * protocol_fee, rounded down",
      interval: ({ upperCap }) => upperCap,
    }),
    ...boundColumns<DatedAuctionReward>("penalty_cap", {
      source:
        "largest penalty: lower_cap, or the caps of the orders that it won and did not settle",
      interval: ({ lowerCap }) => lowerCap,
    }),
    text("cap", {
      source: "which cap decided: none, upper, lower; unknown if the bounds leave it open",
      cell: ({ cap }) => cap,
    }),
    ...boundColumns<DatedAuctionReward>("upper_cap_cut", {
      source: "what upper_cap withheld",
      interval: ({ upperCapCut }) => upperCapCut,
    }),
    ...boundColumns<DatedAuctionReward>("lower_cap_relief", {
      source: "what penalty_cap spared the solver",
      interval: ({ lowerCapRelief }) => lowerCapRelief,
    }),
    ...boundColumns<DatedAuctionReward>("performance", {
      source: "uncapped - upper_cap_cut + lower_cap_relief: negative if the solver pays",
      interval: ({ performance }) => performance,
    }),
    ...ruleColumns<DatedAuctionReward>(({ rules }) => rules),
    gaps(
      "times (of the auction), week (the auction may belong to the next one), settlements, trades " +
        "(and with them fees), partner_fees (known from orders), prices (of fee tokens), or " +
        "penalty_caps (of orders that were not settled)",
      ({ week, isWeekOpen, missing: missingInputs }) => [
        week === null && "times",
        isWeekOpen && "week",
        ...missingInputs.map((input) => GAP_OF_INPUT[input]),
      ],
    ),
  ],
  rows: (records) => computeOnce(records, findSolverWeeks).flatMap(({ rewards }) => rewards),
});
