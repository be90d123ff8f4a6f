import { type Competition, InputError, type Order, type Trade } from "orderlens";
import { settlementOutcomes, weeklyRewards } from "orderlens/metrics";
import type { RewardRules } from "orderlens/networks";
import { Decimal, ratio } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { auctionOf, uidOf } from "../auctions.ts";
import { orderOf, tradeOf } from "../reports.ts";

const WAD = 10n ** 18n;
const decimal = (text: string) => Decimal.parse(text);
const PAIR = ["0x01", "0x02"] as const;
const UID = uidOf(PAIR);
const half: RewardRules = {
  asOf: "2026-08",
  since: "2024-01-02",
  feeShare: ratio(1n, 2n),
  lowerCapAtoms: 5n,
};
const quoteReward = { asOf: "2025-11", nativeAtoms: 700n, cowAtoms: 6n * WAD };

/** An auction that `a` won with 100 against 60 of `b`, at a fee of 40. */
function auction(auctionId: number, isSettled = true): { one: Competition; trades: Trade[] } {
  const txHash = `0x${auctionId}a`;
  const one = auctionOf([
    {
      solver: "0xa",
      score: 100n,
      pairs: [PAIR],
      isWinner: true,
      txHash: isSettled ? txHash : null,
    },
    { solver: "0xb", score: 60n, pairs: [PAIR] },
  ], {
    auctionId,
    referenceScores: { "0xa": 60n },
    auction: { orders: [UID], prices: { "0x01": WAD, "0x02": WAD } },
  });
  const trade = tradeOf({
    blockNumber: 103,
    logIndex: auctionId,
    orderUid: UID,
    txHash,
    buyAmount: 1n,
    sellAmount: 1n,
    sellAmountBeforeFees: 1n,
    executedProtocolFees: [{
      policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } },
      amount: 40n,
      token: "0x02",
    }],
  });
  return { one, trades: isSettled ? [trade] : [] };
}

/** Buys 1 for at most 30,000, so that a bid that sells 1 has a surplus of 29,999. */
const orders: Order[] = [orderOf({
  uid: UID,
  kind: "buy",
  sellAmount: 30_000n,
  buyAmount: 1n,
  fullAppData: "{}",
})];

function rewardsOf(
  auctions: ReturnType<typeof auction>[],
  options: Partial<Parameters<typeof weeklyRewards>[1]> = {},
) {
  const competitions = auctions.map(({ one }) => one);
  const trades = auctions.flatMap((each) => each.trades);
  return weeklyRewards(competitions, {
    rules: [half],
    quoteReward,
    outcomes: settlementOutcomes(competitions, { trades, latestBlock: 200 }),
    trades,
    orders,
    ...options,
  });
}

const day = (text: string) => Temporal.Instant.from(`${text}T12:00:00Z`);

Deno.test("weeklyRewards() uses the rules that a week began under", () => {
  const later = { ...half, since: "2026-11-24", feeShare: ratio(1n, 4n) };
  const weeks = rewardsOf([auction(1), auction(2)], {
    rules: [later, half],
    times: new Map([[1, day("2026-11-23")], [2, day("2026-11-24")]]),
  });
  const a = weeks.filter(({ solver }) => solver === "0xa");
  assertEquals(a.map(({ sums }) => sums?.performance.low), [20n, 10n]);
  assertEquals(a.map(({ rules }) => rules?.since), ["2024-01-02", "2026-11-24"]);
  const [early] = rewardsOf([auction(1)], { rules: [later], times: [[1, day("2026-11-23")]] });
  assertEquals([early?.sums, early?.total, early?.gaps], [null, null, ["rules"]]);
});

Deno.test("weeklyRewards() shares a budget that is given by bids, and none before the metric", () => {
  const outcome = (firstDay: string, budget: bigint) =>
    rewardsOf([auction(1)], {
      times: [[1, day(firstDay)]],
      consistencyBudget: new Map([[firstDay, budget]]),
    });
  // Both bid the same surplus, but only one won: all of the budget is its.
  assertEquals(
    outcome("2026-11-17", 1_001n).map(({ solver, consistency }) => [solver, consistency.reward]),
    [["0xa", { low: 1_001n, high: 1_001n }], ["0xb", { low: 0n, high: 0n }]],
  );
  const [before] = outcome("2026-06-23", 1_001n);
  assertEquals(before?.consistency, { share: null, reward: null, basis: null });
  assertEquals(before?.gaps, ["consistency_metric"]);
  const [since] = outcome("2026-06-30", 1_001n);
  assertEquals(since?.consistency.reward?.low, 1_001n);
});

Deno.test("weeklyRewards() treats all auctions as one period without times, with a gap", () => {
  const [a] = rewardsOf([auction(1), auction(2)]);
  assertEquals([a?.week, a?.sums?.performance.low, a?.gaps], [null, 40n, ["times"]]);
  const partly = rewardsOf([auction(1), auction(2)], { times: [[2, day("2026-11-18")]] });
  const weeks = partly.map(({ week }) => week?.firstDay ?? null);
  assertEquals(weeks, ["2026-11-17", "2026-11-17", null, null]);
});

Deno.test("weeklyRewards() of auctions twice is that of auctions once", () => {
  assertEquals(rewardsOf([auction(1), auction(1)]), rewardsOf([auction(1)]));
});

Deno.test("weeklyRewards() has no reward where the reference score is missing", () => {
  const { one, trades } = auction(1);
  const a = rewardsOf([{ one: { ...one, referenceScores: {} }, trades }])
    .find(({ solver }) => solver === "0xa");
  assertEquals([a?.auctionsWon, a?.rewards.length, a?.sums?.performance.low], [1, 0, 0n]);
  assertEquals(a?.gaps, ["times", "reference_scores"]);
});

Deno.test("weeklyRewards() rejects invalid times", () => {
  const [turned, endless] = [{ min: 2, max: 1 }, { min: null, max: null }];
  for (const wrong of [NaN, "2026-11-18", {}, turned, endless, null]) {
    assertThrows(
      () => rewardsOf([auction(1)], { times: [[1, wrong as never]] }),
      InputError,
      "Cannot estimate weekly rewards: the time of auction 1 is invalid",
    );
  }
  const times = [[1, turned]] as const;
  assertThrows(() => rewardsOf([auction(1)], { times }), InputError, "found: 2 to 1");
});

Deno.test("weeklyRewards() asks a clock for the deadline block, and the auction where it is not known", () => {
  const at = (text: string) => ({ at: Temporal.Instant.from(text), bracket: null });
  const bracket = (min: string, max: string | null) => ({
    at: Temporal.Instant.from(min),
    bracket: {
      min: Temporal.Instant.from(min),
      max: max === null ? null : Temporal.Instant.from(max),
    },
  });
  const began = at("2026-11-23T23:59:50Z");
  const week = (auctionTime: unknown, blockTime: unknown) => {
    const times = {
      auction: () => auctionTime,
      block: (block: number) => block === 103 ? blockTime : null,
    };
    const [first] = rewardsOf([auction(1)], { times: times as never });
    return [first?.week?.firstDay, first?.gaps.includes("week")];
  };
  // Auctions go with their deadline block, 103: one of Monday night may belong to Tuesday.
  assertEquals(week(began, at("2026-11-23T23:59:59Z")), ["2026-11-17", false]);
  assertEquals(week(began, at("2026-11-24T00:00:00Z")), ["2026-11-24", false]);
  assertEquals(week(began, null), ["2026-11-17", true]);
  assertEquals(week(at("2026-11-23T23:58:50Z"), null), ["2026-11-17", false]);
  assertEquals(week(began, bracket("2026-11-24T00:00:10Z", null)), ["2026-11-24", false]);
  assertEquals(week(bracket("2026-11-20T00:00:00Z", null), null), ["2026-11-17", true]);
  assertEquals(week(null, null), [undefined, false]);
});

Deno.test("weeklyRewards() bounds consistency by the budget where a share is not known", () => {
  const basisOf = (options: object, auctions = [auction(1)]) => {
    const a = rewardsOf(auctions, options).find(({ solver }) => solver === "0xa");
    return [a?.consistency.basis, a?.consistency.reward, a?.gaps];
  };
  // The cap is half of 40, the reward 20, so that nothing is left; a failure leaves its penalty of 5.
  assertEquals(basisOf({}), ["order_share", { low: 0n, high: 0n }, ["times"]]);
  const failed = [auction(1), auction(2, false)];
  assertEquals(basisOf({}, failed), ["order_share", { low: 5n, high: 5n }, ["times"]]);
  // Without orders the fee may be a partner's: the cap is 0 or 20, and so is the reward.
  const gaps = ["times", "partner_fees", "orders"] as const;
  assertEquals(basisOf({ orders: [] }), ["budget", { low: 0n, high: 0n }, gaps]);
  const outcomes = settlementOutcomes(failed.map(({ one }) => one), { trades: failed[0]!.trades });
  assertEquals(basisOf({ outcomes }, failed).slice(0, 2), ["budget", { low: 0n, high: null }]);
});

Deno.test("weeklyRewards() refuses amounts by a day that begins no week, and negative ones", () => {
  const calculate = (options: object) => rewardsOf([auction(1)], options as never);
  const good = { week: "2026-11-24", nativeAtoms: 1n };
  for (const [week, atoms] of [["2026-11-18", 1n], ["17 Nov 2026", 1n], ["2026-11-17", -1n]]) {
    const consistencyBudget = new Map([["2026-11-24", 1n], [week, atoms]]);
    const cowPrice = [good, { week, nativeAtoms: atoms }];
    for (const options of [{ consistencyBudget }, { cowPrice }]) {
      const message = `Cannot estimate weekly rewards with ${Object.keys(options)[0]}`;
      assertThrows(() => calculate(options), InputError, message);
    }
  }
  const refused = [
    [good, good],
    [good, { nativeAtoms: 1n }],
    [{ ...good, nativeAtoms: 0n }],
    [{ ...good, nativeAtoms: "0.5" }],
    [{ ...good, source: "two\nlines" }],
    [],
  ];
  for (const cowPrice of refused) {
    assertThrows(() => calculate({ cowPrice }), InputError, "with cowPrice an array");
  }
  const sourced = [{ ...good, source: "Dune" }, { week: "2026-11-17", nativeAtoms: "2" }];
  for (const cowPrice of [sourced, [{ nativeAtoms: 1n }]]) {
    assert(calculate({ cowPrice, consistencyBudget: new Map([["2026-11-17", 1n]]) }).length > 0);
  }
  for (const cowPrice of [0n, -1n, NaN]) {
    assertThrows(() => calculate({ cowPrice }), InputError, `with cowPrice ${cowPrice}`);
  }
});

Deno.test("weeklyRewards() rewards each week by the rules of its day: one cap, then caps of orders", () => {
  const weeks = rewardsOf([auction(1, false), auction(2, false)], {
    times: [[1, day("2026-11-18")], [2, day("2026-11-24")]],
    rules: [half, { ...half, since: "2026-11-24", hasOrderCaps: true }],
  });
  const a = weeks.filter(({ solver }) => solver === "0xa");
  // A failure of 60, capped at 5; then by the cap of an order that no response names: at most 30.
  assertEquals(a.map(({ sums }) => sums?.performance), [
    { low: -5n, high: -5n },
    { low: -30n, high: 0n },
  ]);
  assertEquals(a.map(({ gaps }) => gaps.includes("penalty_caps")), [false, true]);
});

Deno.test("weeklyRewards() pays nothing in auctions that the accounting excluded", () => {
  const excluded = (ids: { from: number; to: number; count: number }) => {
    const a = rewardsOf([auction(2)], {
      times: [[2, day("2026-11-18")]],
      excludedAuctions: [{ week: "2026-11-17", ids, source: "a query" }],
    }).find(({ solver }) => solver === "0xa");
    return [a?.sums?.performance, a?.gaps.includes("rules")];
  };
  // The first and the last id are named; of others, the source may mean some.
  assertEquals(excluded({ from: 2, to: 9, count: 3 }), [{ low: 0n, high: 0n }, false]);
  assertEquals(excluded({ from: 1, to: 3, count: 3 }), [{ low: 0n, high: 0n }, false]);
  assertEquals(excluded({ from: 1, to: 9, count: 3 }), [{ low: 0n, high: 20n }, true]);
  assertEquals(excluded({ from: 3, to: 9, count: 3 }), [{ low: 20n, high: 20n }, false]);
  const [other] = rewardsOf([auction(2)], {
    times: [[2, day("2026-11-18")]],
    excludedAuctions: [
      { week: "2026-11-24", ids: { from: 2, to: 2, count: 1 }, source: "a query" },
      { week: "2026-11-17", orders: [["0x02", "0x02"]], source: "a query" },
    ],
  });
  assertEquals(other?.sums?.performance, { low: 20n, high: 20n });
  const cut = rewardsOf([auction(2)], {
    times: [[2, day("2026-11-18")]],
    excludedAuctions: [{ week: "2026-11-17", orders: [["0x01", "0x02"]], source: "a query" }],
  }).find(({ solver }) => solver === "0xa");
  assertEquals(cut?.sums?.performance, { low: 0n, high: 20n });
});

Deno.test("weeklyRewards() pays a quote in the week of the block that executed its order", () => {
  const at = (text: string) => ({ at: Temporal.Instant.from(text), bracket: null });
  // Settled in block 103 on Monday night; the deadline is on Tuesday.
  const times = {
    auction: () => at("2026-11-23T23:59:50Z"),
    block: (block: number) => at(block === 103 ? "2026-11-23T23:59:59Z" : "2026-11-24T00:00:05Z"),
  };
  const { one, trades } = auction(1);
  const quoted = orders.map((order) => ({
    ...order,
    partiallyFillable: false,
    quote: {
      gasAmount: decimal("0"),
      gasPrice: decimal("0"),
      sellTokenPrice: decimal("1"),
      sellAmount: 1n,
      buyAmount: 1n,
      feeAmount: 0n,
      solver: "0xa",
      verified: true,
      metadata: {},
    },
  }));
  const weeks = rewardsOf([{ one: { ...one, auctionDeadlineBlock: 104 }, trades }], {
    times,
    orders: quoted as never,
  }).filter(({ solver }) => solver === "0xa");
  assertEquals(
    weeks.map(({ week, rewards, quotes }) => [week?.firstDay, rewards.length, quotes.earned]),
    [["2026-11-17", 0, 1], ["2026-11-24", 1, 0]],
  );
});
