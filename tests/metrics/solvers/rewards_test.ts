import type { Trade } from "orderlens";
import {
  consistencyShares,
  estimateRewards,
  type OrderLimit,
  settlementOutcomes,
  type SolutionOutcome,
} from "orderlens/metrics";
import type { RewardRules } from "orderlens/networks";
import { ratio, ratioToNumber } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { auctionOf, type Bid, uidOf } from "../auctions.ts";
import { orderOf, tradeOf } from "../reports.ts";

const WAD = 10n ** 18n;
const rules: RewardRules = {
  asOf: "2026-08",
  since: "2024-01-02",
  feeShare: ratio(1n, 2n),
  lowerCapAtoms: 5n,
};

const VOLUME = { volume: { factor: 0.1 } };
const PAIRS = [["0x01", "0x02"], ["0x02", "0x03"], ["0x03", "0x01"]] as const;

/** A win: its score, the fee of its only order, and whether it was settled in time. */
interface Win {
  solver: string;
  score: bigint;
  fee: bigint;
  result?: "in_time" | "late" | "absent";
  /** The penalty cap that its trade names. */
  cap?: bigint | null;
}

function factsOf(wins: readonly Win[], referenceScores: Record<string, bigint>) {
  const bids = wins.map(({ solver, score, result = "in_time" }, at): Bid => ({
    solver,
    score,
    pairs: [PAIRS[at]!],
    isWinner: true,
    txHash: result === "absent" ? null : `0x${at}a`,
  }));
  const trades = wins.flatMap(({ fee, result = "in_time", cap }, at): Trade[] =>
    result === "absent" ? [] : [tradeOf({
      blockNumber: result === "in_time" ? 103 : 104,
      logIndex: at,
      orderUid: uidOf(PAIRS[at]!),
      buyAmount: 300n,
      txHash: `0x${at}a`,
      sellToken: PAIRS[at]![0],
      buyToken: PAIRS[at]![1],
      executedProtocolFees: [{ policy: VOLUME, amount: fee, token: PAIRS[at]![1] }],
      ...cap !== undefined && { penaltyCapNative: cap },
    })]
  );
  const orders = wins.map((_, at) =>
    orderOf({ uid: uidOf(PAIRS[at]!), fullAppData: "{}", buyAmount: 30_000n })
  );
  const prices = { "0x01": WAD, "0x02": WAD, "0x03": WAD };
  const competition = auctionOf(bids, {
    referenceScores,
    auction: { orders: orders.map(({ uid }) => uid), prices },
  });
  return { competition, trades, orders };
}

function rewardsOf(
  wins: readonly Win[],
  references: Record<string, bigint>,
  inForce: RewardRules = rules,
) {
  const { competition, trades, orders } = factsOf(wins, references);
  const outcomes = settlementOutcomes([competition], { trades, latestBlock: 200 });
  return estimateRewards([competition], { rules: inForce, outcomes, trades, orders });
}

// Uncapped numbers are the cases of fhenneke/cow-competition-loo, tests/test_rewards.py (27fb57d).
Deno.test("estimateRewards() matches worked examples of margins, failures and caps", () => {
  const a = { solver: "a", score: 100n, fee: 200n };
  const cases: [string, Win[], Record<string, bigint>, expected: string[]][] = [
    ["a sole winner", [a], { a: 60n }, ["a 40 40"]],
    ["a failure, down to the lower cap", [{ ...a, result: "absent" }], { a: 60n }, ["a -60 -5"]],
    // A token without decimals leaves no surplus to score: since 2026-08-18 the service keeps
    // solutions of score 0 if one of their orders counts (services#4753).
    ["a score of 0, settled", [{ ...a, score: 0n }], { a: 0n }, ["a 0 0"]],
    ["a score of 0, not settled", [{ ...a, score: 0n, result: "absent" }], { a: 0n }, ["a 0 0"]],
    [
      "two winners, against the scores of both",
      [a, { ...a, solver: "b", score: 80n }],
      { a: 80n, b: 100n },
      ["a 100 100", "b 80 80"],
    ],
    [
      "a late solution, missing once",
      [a, { ...a, score: 50n, result: "late" }, { ...a, solver: "b", score: 30n }],
      { a: 30n, b: 150n },
      ["a 100 100", "b 30 30"],
    ],
    // 100 - min(100, 120): nobody pays for what it settled in time.
    ["a reference above the total, settled in time", [a], { a: 120n }, ["a 0 0"]],
    // 100 - 100 - 100 = -100, not -120, of which 5 are paid.
    ["the same, not settled", [{ ...a, result: "absent" }], { a: 120n }, ["a -100 -5"]],
    [
      "a reference above the total of two winners, of whom one was late",
      [a, { ...a, solver: "b", score: 30n, result: "late" }],
      { a: 130n, b: 131n },
      ["a 0 0", "b -30 -5"],
    ],
    ["the share of fees, rounded down", [{ ...a, fee: 21n }], { a: 60n }, ["a 40 10"]],
    [
      "the fees of all solutions",
      [{ ...a, fee: 20n }, { ...a, score: 50n, fee: 60n }],
      { a: 0n },
      ["a 150 40"],
    ],
  ];
  for (const [what, wins, references, expected] of cases) {
    const found = rewardsOf(wins, references).rewards.map(({ solver, uncapped, performance }) => {
      assertEquals([uncapped.low, performance.low], [uncapped.high, performance.high]);
      return `${solver} ${uncapped.low} ${performance.low}`;
    });
    assertEquals(found, expected, what);
  }
});

Deno.test("estimateRewards() by a fixed cap needs no fees", () => {
  const fixed = { ...rules, feeShare: null, upperCapAtoms: 30n };
  const wins = [{ solver: "a", score: 100n, fee: 2n }];
  const { competition } = factsOf(wins, { a: 60n });
  const outcomes = settlementOutcomes([competition], { trades: factsOf(wins, {}).trades });
  const { rewards } = estimateRewards([competition], { rules: fixed, outcomes });
  const exact = { low: 30n, high: 30n };
  assertEquals(rewards.map(({ performance, missing, cap }) => [performance, missing, cap]), [
    [exact, [], "upper"],
  ]);
});

Deno.test("estimateRewards() counts a settlement within the block of grace as in time", () => {
  const late = { solver: "a", score: 100n, fee: 200n, result: "late" } as const;
  // In block 104, one after the deadline: 100 - 60, not 100 - 60 - 100.
  for (const [graceBlocks, uncapped] of [[0, -60n], [1, 40n]] as const) {
    const [reward] = rewardsOf([late], { a: 60n }, { ...rules, graceBlocks }).rewards;
    assertEquals(reward?.uncapped, { low: uncapped, high: uncapped });
  }
});

Deno.test("estimateRewards() has bounds where it is unknown whether a reference is limited", () => {
  const win = { solver: "a", score: 100n, fee: 200n } as const;
  const byUnknown = { ...rules, limitsReference: null };
  const [above] = rewardsOf([win], { a: 120n }, byUnknown).rewards;
  assertEquals([above?.uncapped, above?.missing], [{ low: -20n, high: 0n }, ["rules"]]);
  const [below] = rewardsOf([win], { a: 60n }, byUnknown).rewards;
  assertEquals([below?.uncapped, below?.missing], [{ low: 40n, high: 40n }, []]);
});

Deno.test("estimateRewards() has bounds where neither the rules nor a trade state whose caps count", () => {
  const lost = { solver: "a", score: 100n, fee: 0n, result: "absent" } as const;
  const byUnknown = { ...rules, hasOrderCaps: null };
  const [reward] = rewardsOf([lost], { a: 60n }, byUnknown).rewards;
  // 5 by the rules, or up to 10 basis points of 30,000.
  assertEquals([reward?.lowerCap, reward?.performance], [
    { low: 0n, high: 30n },
    { low: -30n, high: 0n },
  ]);
  assertEquals(reward?.missing, ["rules", "penalty_cap"]);
  // A trade without a cap is of a service without caps.
  const other = { solver: "b", score: 10n, fee: 0n } as const;
  const [told] = rewardsOf([lost, other], { a: 70n, b: 100n }, byUnknown).rewards;
  assertEquals([told?.performance, told?.missing], [{ low: -5n, high: -5n }, []]);
});

Deno.test("estimateRewards() returns an interval for unknown inputs, and names them", () => {
  const { competition, trades } = factsOf([{ solver: "a", score: 100n, fee: 200n }], { a: 60n });
  // Neither trades nor a block: settled or not, at any fee.
  const estimate = estimateRewards([competition], {
    rules,
    outcomes: settlementOutcomes([competition]),
  });
  assertEquals(estimate.rewards[0]?.uncapped, { low: -60n, high: 40n });
  assertEquals(estimate.rewards[0]?.upperCap, { low: 0n, high: null });
  assertEquals(estimate.rewards[0]?.performance, { low: -5n, high: 40n });
  assertEquals(estimate.consistencyBudget, { low: 0n, high: null });
  assertEquals(estimate.unknown.map(({ what, count }) => [what, count]), [
    ["settlement", 1],
    ["protocol_fees", 1],
    ["consistency", 0],
  ]);
  const { auction } = competition;
  const unpriced = { ...competition, auction: { ...auction, prices: {} } };
  const outcomes = settlementOutcomes([unpriced], { trades });
  const gaps = estimateRewards([unpriced], { rules, outcomes, trades }).unknown;
  assertEquals(gaps.map(({ what }) => what), ["price", "consistency"]);
});

Deno.test("estimateRewards() does not replace a missing reference score by 0", () => {
  const estimate = rewardsOf([{ solver: "a", score: 100n, fee: 200n }], {});
  assertEquals(estimate.rewards, []);
  const counts = { auctions: 1, settlementsKnown: 1, settlements: 1, trades: 1, orders: 1 };
  assertEquals([estimate.kind, estimate.inputs], ["estimate", counts]);
  assertEquals(estimate.unknown.map(({ what, count }) => [what, count]), [["reference_score", 1]]);
});

// With caps of orders, c_l is the sum of those that a solver won and did not settle: CIP-87.
Deno.test("estimateRewards() uses the penalty caps of orders where trades name them", () => {
  const late = { solver: "a", score: 100n, fee: 0n, result: "late", cap: 7n } as const;
  const { rewards, consistencyBudget, unknown } = rewardsOf([late], { a: 60n });
  // 100 - 60 - 100 = -60, of which 7 are paid; an upper cap of 0 leaves these 7 to consistency.
  assertEquals(rewards[0]?.uncapped, { low: -60n, high: -60n });
  assertEquals(rewards[0]?.lowerCap, { low: 7n, high: 7n });
  assertEquals(rewards[0]?.performance, { low: -7n, high: -7n });
  assertEquals(rewards[0]?.lowerCapRelief, { low: 53n, high: 53n });
  assertEquals([rewards[0]?.cap, consistencyBudget], ["lower", { low: 7n, high: 7n }]);
  assertEquals(unknown, []);
  // A cap of 0 is one; null and no field are those of a service without caps: the 5 of the rules.
  for (const [cap, paid] of [[0n, 0n], [null, -5n], [undefined, -5n]] as const) {
    const win = cap === undefined ? { ...late, cap: undefined } : { ...late, cap };
    const [reward] = rewardsOf([win as Win], { a: 60n }).rewards;
    assertEquals(reward?.performance, { low: paid, high: paid }, `cap ${cap}`);
  }
  // Settled in time, no cap decides: 100 - 60 = 40, of a cap of 0.5 * 200.
  const inTime = rewardsOf([{ ...late, fee: 200n, result: "in_time" }], { a: 60n });
  assertEquals(inTime.rewards[0]?.performance, { low: 40n, high: 40n });
  assertEquals([inTime.rewards[0]?.missing, inTime.unknown], [[], []]);
});

Deno.test("estimateRewards() bounds the penalty of an order that was never settled", () => {
  const lost = { solver: "a", score: 100n, fee: 0n, result: "absent" } as const;
  const byOrder = { ...rules, hasOrderCaps: true };
  const [reward] = rewardsOf([lost], { a: 60n }, byOrder).rewards;
  // The vote allows up to 10 basis points of 30,000.
  assertEquals(reward?.lowerCap, { low: 0n, high: 30n });
  assertEquals(reward?.performance, { low: -30n, high: 0n });
  assertEquals([reward?.cap, reward?.missing], ["lower", ["penalty_cap"]]);
  // Another winner's trade in the auction tells that orders have caps.
  const other = { solver: "b", score: 10n, fee: 0n, cap: 3n } as const;
  const [told] = rewardsOf([lost, other], { a: 70n, b: 100n }).rewards;
  assertEquals(told?.uncapped, { low: -60n, high: -60n });
  assertEquals(told?.performance, { low: -30n, high: 0n });
  // Without the order, its limit and so its cap are unknown.
  const { competition } = factsOf([lost], { a: 60n });
  const outcomes = settlementOutcomes([competition], { latestBlock: 200 });
  const [blind] = estimateRewards([competition], { rules: byOrder, outcomes }).rewards;
  assertEquals(blind?.lowerCap, { low: 0n, high: null });
  assertEquals(blind?.performance, { low: -60n, high: 0n });
  // One settled in time and one late: 150 - 140 - 50 = -40, at most 7 or, with both orders, 10.
  const some = rewardsOf([
    { solver: "a", score: 100n, fee: 0n, cap: 3n },
    { solver: "a", score: 50n, fee: 0n, result: "late", cap: 7n },
  ], { a: 140n });
  assertEquals(some.rewards[0]?.lowerCap, { low: 7n, high: 10n });
  assertEquals(some.rewards[0]?.performance, { low: -10n, high: -7n });
  assertEquals(some.unknown.map(({ what, count }) => [what, count]), [["penalty_cap", 1]]);
});

Deno.test("estimateRewards() applies caps of orders from the first auction that names one", () => {
  const facts = [["absent"], ["late", 7n], ["absent"]].map(([result, cap], at) => {
    const win = { solver: "a", score: 100n, fee: 0n, result, cap } as Win;
    const { competition, trades, orders } = factsOf([win], { a: 60n });
    // On the fast path, ids follow no time: deadlines do.
    const place = { auctionId: 3 - at, auctionDeadlineBlock: 102 + at };
    return { competition: { ...competition, ...place }, trades, orders };
  });
  const competitions = facts.map(({ competition }) => competition);
  const trades = facts.flatMap((one) => one.trades);
  const outcomes = settlementOutcomes(competitions, { trades, latestBlock: 200 });
  const orders = facts[0]!.orders;
  const { rewards } = estimateRewards(competitions, { rules, outcomes, trades, orders });
  assertEquals(rewards.map(({ performance }) => performance), [
    { low: -5n, high: -5n },
    { low: -7n, high: -7n },
    { low: -30n, high: 0n },
  ]);
});

const one = ["0x01", "0x02"] as const;
const limit: OrderLimit = { kind: "sell", sellAmount: 1n, buyAmount: 100n };

function outcomeOf(solver: string, more: Partial<SolutionOutcome> = {}): SolutionOutcome {
  return {
    auctionId: 1,
    ranking: 1,
    solver,
    score: 0n,
    orders: [uidOf(one)],
    result: "in_time",
    basis: "trade_block",
    txHash: "0xab",
    block: 102,
    deadlineBlock: 103,
    attempts: [],
    ...more,
  };
}

Deno.test("consistencyShares() rounds shares of orders and metrics down, in units of 10^-36", () => {
  const bid = { score: 0n, pairs: [one], buys: [150n] };
  const won = { ...bid, solver: "A", isWinner: true };
  const auction = auctionOf([won, { ...bid, solver: "B" }, { ...bid, solver: "C" }]);
  const { solvers } = consistencyShares([auction], {
    orders: new Map([[uidOf(one), limit]]),
    outcomes: {
      solutions: [outcomeOf("A"), outcomeOf("A", { ranking: 2, result: "absent", txHash: null })],
      solvers: [],
    },
  });
  const third = BigInt("3".repeat(36));
  assertEquals(
    solvers.map(({ orderShareSum, metric }) => [orderShareSum.numerator, metric.numerator]),
    [[third, BigInt("1" + "6".repeat(35))], [third, 0n], [third, 0n]],
  );
});

Deno.test("consistencyShares() by executed orders counts every unfiltered bid on them alike", () => {
  const bid = { score: 0n, pairs: [one] };
  const auction = auctionOf([
    { ...bid, solver: "A", buys: [150n], isWinner: true },
    { ...bid, solver: "B", buys: [101n] },
    { ...bid, solver: "B", buys: [102n] },
    { ...bid, solver: "C", buys: [149n], filteredOut: true },
  ]);
  const outcomes = { solutions: [outcomeOf("A", { result: "late" })], solvers: [] };
  const { executedOrders, solvers } = consistencyShares([auction], {
    orders: new Map([[uidOf(one), limit]]),
    outcomes,
    metric: "executed_orders",
  });
  assertEquals(executedOrders, 1);
  assertEquals(
    solvers.map(({ solver, share }) => [solver, share && ratioToNumber(share)]).toSorted(),
    [["A", 0.5], ["B", 0.5], ["C", 0]],
  );
});

Deno.test("consistencyShares() counts late settlements, but not as successes, and what has no surplus or is not known", () => {
  const sharesOf = (bought: bigint, more: Partial<SolutionOutcome> = {}, order = limit) => {
    const bid = { solver: "A", score: 0n, pairs: [one], buys: [bought], isWinner: true };
    const { executedOrders, ordersWithoutSurplus, ordersUnknown, solvers } = consistencyShares(
      [auctionOf([bid])],
      {
        orders: new Map([[uidOf(one), order]]),
        outcomes: { solutions: [outcomeOf("A", more)], solvers: [] },
      },
    );
    const told = solvers.map(({ solver, orderShareSum, metric, share }) =>
      [solver, ratioToNumber(orderShareSum), ratioToNumber(metric), `${share}`].join(" ")
    );
    return [executedOrders, ordersWithoutSurplus, ordersUnknown, ...told];
  };
  assertEquals(sharesOf(150n, { result: "late" }), [1, 0, 0, "A 1 0 null"]);
  assertEquals(sharesOf(100n, { orders: [uidOf(one), "0x0e"] }).slice(0, 3), [0, 1, 1]);
  // A limit has no price.
  assertEquals(sharesOf(160n, {}, { ...limit, sellAmount: 0n }).slice(0, 3), [0, 0, 1]);
});
