import { assertEquals } from "@std/assert";
import * as charts from "orderlens/charts";

const ETH = { nativeSymbol: "ETH" };
const solution = { auction_id: 7, is_winner: false, filtered_out: false };
const fill = { order_uid: "0x01", kind: "sell" };
const bid = { auction_id: 7, is_winner: false, filtered_out: false };
const fee = { ...fill, policy_kind: "surplus", market_position: "in_market" };
const step = { ...fill, token: "USDC" };
const reward = { week_start: "2026-11-17T00:00:00Z", quote_reward_low_native: 0 };
const parts = { network_bps: -8, protocol_bps: -2, partner_bps: 0, market_bps: 4 };

/** Findings of few rows, added up by hand. */
const FINDINGS: Readonly<Record<string, readonly [finding: string, expected: string]>> = {
  auctionRanking: [
    charts.auctionRanking([
      { ...solution, ranking: 1, solver: "A", score_native: 2, is_winner: true },
      { ...solution, ranking: 2, solver: "B", score_native: 3, filtered_out: true },
      { ...solution, ranking: 3, solver: "C", score_native: 1.5, is_winner: true },
      { ...solution, ranking: 4, solver: "D", score_native: 1 },
    ], ETH).finding,
    "2 solvers won, with a total score of 3.5 ETH. The highest score was 3 ETH, by B; that solution was " +
    "filtered out. 1 of 4 (25%) solutions were filtered out as unfair.",
  ],
  winMargin: [
    charts.winMargin(
      [[0.5, 1], [0.25, 0.5], [0.01, 0.04]].map(([native, share], at) => (
        { auction_id: at, solver: "A", margin_native: native!, margin_share: share! }
      )),
      ETH,
    ).finding,
    "The median winner added 0.25 ETH, 50% of the total score. In 1 of 3 (33%) wins, the winner added " +
    "all of the score: nobody else could have won. In 1 of 3 (33%), it added less than 5%: a close race.",
  ],
  solverConcentration: [
    charts.solverConcentration(
      [[1.6, 0.75], [1, 1]].map(([equal_solvers = 0, largest_share = 0], at) => (
        { windows: "pair", window_of: `0x0${at} 0x0a`, fills: 2, equal_solvers, largest_share }
      )),
    ).finding,
    "The median of 2 directed pairs is 1.3 equal solvers, the least 1 equal solver, where the largest " +
    "settled 100%.",
  ],
  markoutByBidders: [
    charts.markoutByBidders([
      { bidder_count: 1, fills: 9, markout_bps: -8, solver_efficiency_bps: -6, curse_bps: 0 },
      { bidder_count: 4, fills: 7, markout_bps: 1, solver_efficiency_bps: 1.5, curse_bps: 7.5 },
    ]).finding,
    "Before fees, fills with 1 bidder were a median −6.0 bps against the market a while later, those with 4 " +
    "bidders +1.5 bps. Who won against 4 bidders paid 7.5 bps more than who won against 1.",
  ],
  gasSurplus: [
    charts.gasSurplus([{
      solver: "A",
      fills: 3,
      unknown_count: 0,
      below_gas_count: 1,
      surplus_native: 2,
      gas_cost_native: 0.2,
      after_gas_native: 1.8,
    }], ETH).finding,
    "3 fills had a surplus of 2 ETH, and took 0.2 ETH of gas: 1.8 ETH is left. 1 of 3 (33%) took more gas than " +
    "their surplus.",
  ],
  cowShareByToken: [
    charts.cowShareByToken([
      { token: "0x01", symbol: "WETH", bought_tokens: 3, matched_tokens: 0 },
      { token: "0x01", symbol: "WETH", bought_tokens: 1, matched_tokens: 1 },
    ]).finding,
    "Settlements bought a token for traders 2 times, and their orders also sold it in 1 of 2 (50%). The most " +
    "is of WETH: other traders sold at most 25% of what was bought of it.",
  ],
  solverLeaderboard: [
    charts.solverLeaderboard([
      {
        solver: "A",
        auctions_bid: 10,
        auctions_won: 8,
        win_rate: 0.8,
        score_share: 0.9,
        in_time_rate: 0.75,
      },
      {
        solver: "B",
        auctions_bid: 4,
        auctions_won: 0,
        win_rate: 0,
        score_share: 0.1,
        in_time_rate: 1,
      },
    ]).finding,
    "1 of 2 (50%) solvers won an auction. A has the largest part of all winning scores, 90%. A settled " +
    "the least of its wins in time, 75%.",
  ],
  settlementOutcomes: [
    charts.settlementOutcomes([
      { solver: "A", in_time: 7, late: 1, absent: 0, pending: 0 },
      { solver: "B", in_time: 0, late: 0, absent: 2, pending: 0 },
    ]).finding,
    "7 of 10 (70%) winning solutions were settled in time. Of the others, 1 was settled late and 2 were " +
    "not settled.",
  ],
  bidsForOrder: [
    charts.bidsForOrder([
      {
        ...bid,
        solver: "A",
        ranking: 1,
        is_winner: true,
        over_limit_bps: 50,
        quote_net_over_limit_bps: 45,
      },
      { ...bid, solver: "B", ranking: 2, filtered_out: true, over_limit_bps: 40 },
    ]).finding,
    "2 solvers made 2 bids; 1 in solutions that were filtered out. The best was +50.0 bps over the limit, " +
    "by A (winner). 1 of 2 (50%) bids were better than the net quote.",
  ],
  solverMatrix: [
    charts.solverMatrix([
      { solver: "A", pair: "X → Y", bids: 4, wins: 4 },
      { solver: "B", pair: "X → Y", bids: 2, wins: 0 },
      { solver: "A", pair: "Y → X", bids: 2, wins: 1 },
    ]).finding,
    "Both solvers bid on 1 of 2 (50%) directed pairs. The most wins are those of A on X → Y: 4 of 4 (100%) bids.",
  ],
  feeRateByPolicy: [
    charts.feeRateByPolicy([
      { ...fee, fee_bps: 49, cap_bps: 98, is_capped: false },
      { ...fee, fee_bps: 2, cap_bps: null },
      { ...fee, fee_bps: 24.5, cap_bps: 98, is_capped: false },
    ]).finding,
    "The median of 3 fees is 24.5 bps, the highest 49.0 bps. 0 of 2 (0%) fees with a cap were capped; the one " +
    "that came closest reached 50% of it.",
  ],
  feeTimeline: [
    charts.feeTimeline([
      { block_number: 1, policy_kind: "surplus", fee_native: 3 },
      { block_number: 2, policy_kind: "network", fee_native: 1 },
    ], ETH).finding,
    "2 fees add up to 4 ETH. The largest part are surplus fees: 3 ETH (75%).",
  ],
  feeWaterfall: [
    charts.feeWaterfall([
      { ...step, step: 1, part: "clearing", amount_tokens: 100 },
      { ...step, step: 2, part: "network", amount_tokens: 0.5 },
      { ...step, step: 3, part: "protocol", policy_kind: "surplus", amount_tokens: 1.5 },
      { ...step, step: 4, part: "executed", amount_tokens: 98 },
    ]).finding,
    "A sell order received 98 of 100 USDC at clearing prices. All fees are 2.0 USDC: the network fee 0.5 and " +
    "the surplus fee 1.5.",
  ],
  timeToFill: [
    charts.timeToFill([
      { order_uid: "0x01", status: "fulfilled", time_to_first_fill_seconds: 4 },
      { order_uid: "0x02", status: "fulfilled", time_to_first_fill_seconds: 40 },
      { order_uid: "0x03", status: "cancelled", observed_seconds: 6 },
      { order_uid: "0x04", status: "expired", observed_seconds: 60 },
    ]).finding,
    "2 of 4 (50%) orders were filled, whole or in part. Half of those waited 22 s at most; 1 of 2 (50%) no " +
    "longer than 30 s. The others: 1 cancelled and 1 expired.",
  ],
  slippageBaselines: [
    charts.slippageBaselines([-5, 1].map((gross) => ({
      ...fill,
      slippage_gross_bps: gross,
      slippage_net_bps: gross + 1,
      slippage_user_shown_bps: gross + 6,
      slippage_limit_bps: 50,
    }))).finding,
    "Fills better than the gross quote: 1 of 2 (50%), the net quote: 1 of 2 (50%), the quote as shown: " +
    "2 of 2 (100%) and the limit: 2 of 2 (100%). 1 of 2 (50%) fills are not better than the gross quote but " +
    "better than the quote as shown.",
  ],
  slippageDistribution: [
    charts.slippageDistribution([-10, 0, 10].map((bps) => ({ ...fill, slippage_net_bps: bps })))
      .finding,
    "1 of 3 (33%) fills were better than the net quote; half of them all were 0 bps or better. The middle 80% " +
    "lie between −8.0 bps and +8.0 bps.",
  ],
  slippageByPair: [
    charts.slippageByPair([
      { ...fill, pair: "X → Y", slippage_net_bps: -2 },
      { ...fill, pair: "Y → X", slippage_net_bps: 1 },
    ]).finding,
    "Medians against the net quote range from −2.0 bps (X → Y, 1 fill) to +1.0 bps (Y → X, 1 fill). In 0 of 2 " +
    "(0%) pairs the middle half of the fills is wider than their median is far from zero.",
  ],
  slippageBySize: [
    charts.slippageBySize(
      Array.from({ length: 30 }, (_, at) => (
        { ...fill, volume_native: at + 1, slippage_net_bps: at < 15 ? -9 : 2 }
      )),
      ETH,
    ).finding,
    "The 15 smallest fills (up to 15 ETH) have a median of −9.0 bps against the net quote, the 15 largest fills " +
    "(from 16 ETH on) of +2.0 bps.",
  ],
  slippageDecomposition: [
    charts.slippageDecomposition([{ ...fill, pair: "X → Y", slippage_gross_bps: -6, ...parts }])
      .finding,
    "On average over 1 fill, the network took 8.0 bps, the protocol took 2.0 bps, partners took 0 bps and the " +
    "market gave 4.0 bps. Together: −6.0 bps against the gross quote.",
  ],
  toleranceUsed: [
    charts.toleranceUsed([-12.5, 3].map((bps) => (
      { ...fill, slippage_user_shown_bps: bps, tolerance_signed_user_shown_bps: 50 }
    ))).finding,
    "1 of 2 (50%) fills needed none of their tolerance below the quote as shown. The others used 25% of it at " +
    "the median; the one that needed the most was at −12.5 bps.",
  ],
  solverRewards: [
    charts.solverRewards([
      {
        ...reward,
        solver: "A",
        performance_low_native: 0.5,
        consistency_low_native: 0.25,
        total_low_native: 0.75,
        total_high_native: 1,
      },
      {
        ...reward,
        solver: "B",
        performance_low_native: -0.25,
        consistency_low_native: 0,
        total_low_native: -0.25,
        total_high_native: -0.25,
      },
    ], ETH).finding,
    "A earned the most, 0.75 to 1 ETH. The rewards of 2 solvers add up to 0.5 to 0.75 ETH. 1 solver may have " +
    "to pay a penalty.",
  ],
  solverImbalances: [
    charts.solverImbalances([
      { tx_hash: "0x01", block_number: 100, solver: "A", net_value_native: 0.5 },
      { tx_hash: "0x02", block_number: 103, solver: "B", net_value_native: -0.2 },
      {
        tx_hash: "0x02",
        block_number: 103,
        solver: "B",
        net_value_native: null,
        value_reason: "no_auction",
      },
    ], ETH).finding,
    "2 settlements left 0.3 ETH in the contract, without 1 imbalance of unknown value. The most is from A, +0.5 ETH.",
  ],
};

for (const [chart, [finding, expected]] of Object.entries(FINDINGS)) {
  Deno.test(`the finding of ${chart}() has the numbers that it draws`, () => {
    assertEquals(finding, expected);
  });
}
