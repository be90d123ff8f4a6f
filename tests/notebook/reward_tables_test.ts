import { assert, assertAlmostEquals, assertEquals, assertExists } from "@std/assert";
import {
  isInMarket,
  type RawReward,
  rawRewards,
  readRawMarket,
} from "../tables/rewards/raw_rewards.ts";
import { type Cells, committed } from "./committed.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

/** Mainnet's rules as documented: half of the fees, and 0.01 ether. */
const RULES = { lowerCap: 10n ** 16n, share: [1n, 2n] } as const;
/** Six COW at the price that the notebook makes up. */
const EACH_QUOTE = 6n * 10n ** 14n;

const { drawings, table } = await committed("08_solver_rewards");

/** Atoms of 18 decimals as the nearest number. */
function native(atoms: bigint): number {
  return Number(atoms) / 1e18;
}

const market = await readRawMarket();
const rewards = rawRewards(market, RULES);
/** Rewards of each auction alone. */
const single = market.auctions.map((auction) => ({
  auction,
  rewards: rawRewards({ ...market, auctions: [auction] }, RULES),
}));

/** What caps took from one solver, and gave to it. */
function capsOf(solver: string): { cut: bigint; relief: bigint } {
  let [cut, relief] = [0n, 0n];
  for (const { rewards: own } of single) {
    const reward = own.get(solver);
    if (reward === undefined) continue;
    const change = reward.uncapped - reward.performance;
    if (change > 0n) cut += change;
    else relief -= change;
  }
  return { cut, relief };
}

function totalOf(reward: RawReward): { low: bigint; high: bigint } {
  const low = reward.performance + reward.consistency + BigInt(reward.quotesEarned) * EACH_QUOTE;
  return { low, high: low + BigInt(reward.quotesPossible) * EACH_QUOTE };
}

/** A table of solvers, each beside what its recorded bodies give. */
function solversOf(rows: readonly Cells[]): [Cells, RawReward][] {
  assertEquals(rows.length, rewards.size);
  return rows.map((row) => {
    const reward = rewards.get(row["solver"]!);
    assertExists(reward);
    const named = deployment.solvers.find(({ address }) => address === row["solver"]);
    assertEquals(row["solver_name"], named?.name);
    return [row, reward];
  });
}

Deno.test("the table of rewards has what the recorded bodies give by the documented formulas", () => {
  for (const [row, reward] of solversOf(table("total_low_native", "gaps"))) {
    assertEquals(Number(row["unsettled_count"]), reward.unsettled);
    const { low, high } = totalOf(reward);
    for (
      const [column, atoms] of [
        ["performance_low_native", reward.performance],
        ["consistency_low_native", reward.consistency],
        ["quote_reward_low_native", BigInt(reward.quotesEarned) * EACH_QUOTE],
        [
          "quote_reward_high_native",
          BigInt(reward.quotesEarned + reward.quotesPossible) * EACH_QUOTE,
        ],
        ["total_low_native", low],
        ["total_high_native", high],
      ] as const
    ) assertAlmostEquals(Number(row[column]), native(atoms), 1e-15, column);
    const won = single.filter(({ auction }) =>
      auction.solutions.some((bid) => bid.isWinner && bid.solverAddress === row["solver"])
    );
    assertEquals(Number(row["auctions_won"]), won.length);
    assertEquals(row["week_start"], "2026-11-17T00:00:00Z");
    assertEquals(row["gaps"], reward.quotesPossible > 0 ? "quote_rule" : "null");
  }
});

Deno.test("the table of caps has what they changed in each single auction", () => {
  for (const [row, reward] of solversOf(table("upper_cap_cut_low_native"))) {
    const { cut, relief } = capsOf(row["solver"]!);
    for (
      const [column, atoms] of [
        ["uncapped_low_native", reward.uncapped],
        ["upper_cap_cut_low_native", cut],
        ["lower_cap_relief_low_native", relief],
        ["performance_low_native", reward.performance],
        ["protocol_fee_low_native", reward.protocolFee],
      ] as const
    ) assertAlmostEquals(Number(row[column]), native(atoms), 1e-15, column);
    assertEquals(Number(row["upper_capped_count"]), reward.upperCapped);
    assertEquals(Number(row["lower_capped_count"]), reward.lowerCapped);
  }
});

Deno.test("the costliest auctions are those of the recorded bodies", () => {
  const costs = single.flatMap(({ auction, rewards: own }) =>
    [...own].filter(([, reward]) => reward.performance < 0n)
      .map(([solver, reward]) => ({ auction, solver, reward }))
  ).toSorted((a, b) => a.reward.uncapped < b.reward.uncapped ? -1 : 1);
  const rows = table("missing_score_high_native");
  assertEquals(rows.length >= 6, true);
  for (const [at, row] of rows.slice(0, 6).entries()) {
    const { auction, solver, reward } = costs[at]!;
    assertEquals([Number(row["auction_id"]), row["solver"]], [auction.auctionId, solver]);
    const won = auction.solutions.filter((bid) => bid.isWinner);
    const total = won.reduce((sum, bid) => sum + BigInt(bid.score), 0n);
    assertAlmostEquals(Number(row["total_score_native"]), native(total), 1e-15);
    const reference = BigInt(auction.referenceScores[solver]!);
    assertAlmostEquals(Number(row["reference_score_native"]), native(reference), 1e-15);
    assertAlmostEquals(
      Number(row["missing_score_high_native"]),
      native(total - reference - reward.uncapped),
      1e-15,
    );
    assertAlmostEquals(Number(row["uncapped_low_native"]), native(reward.uncapped), 1e-15);
    assertAlmostEquals(Number(row["performance_low_native"]), native(reward.performance), 1e-15);
    assertEquals(row["cap"], reward.uncapped < -RULES.lowerCap ? "lower" : "none");
  }
});

Deno.test("the table of consistency has each solver's part of the budget", () => {
  const budget = [...rewards.values()].reduce((sum, one) => sum + one.consistency, 0n);
  for (const [row, reward] of solversOf(table("consistency_basis"))) {
    assertAlmostEquals(Number(row["consistency_low_native"]), native(reward.consistency), 1e-15);
    assertEquals(row["consistency_low_native"], row["consistency_high_native"]);
    const share = Number(reward.consistency) / Number(budget);
    assertAlmostEquals(Number(row["consistency_share"]), share, 1e-4);
    assertEquals(row["consistency_basis"], "order_share");
  }
});

Deno.test("the table of quotes counts each executed order once, by why it is rewarded or not", () => {
  const executed = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.filter((bid) => bid.isWinner && bid.txHash !== null)
        .flatMap(({ orders }) => orders.map(({ id }) => id))
    ),
  );
  const orders = [...executed].map((uid) => market.orders.get(uid)!);
  assert(orders.every((order) => order.quote?.verified === true));
  const partial = orders.filter((order) => order.partiallyFillable).length;
  const outside = orders.filter((order) => !order.partiallyFillable && !isInMarket(order)).length;
  const count = (of: (one: RawReward) => number) =>
    [...rewards.values()].reduce((sum, one) => sum + of(one), 0);
  const [earned, possible] = [count((one) => one.quotesEarned), count((one) => one.quotesPossible)];
  const rows = table("verdict", "reason", "orders");
  const counted = Object.fromEntries(
    rows.map((row) => [`${row["verdict"]} ${row["reason"]}`, Number(row["orders"])]),
  );
  assertEquals(counted, {
    'earned ""': earned,
    "possible bid_below_gross_quote": possible,
    "not_earned no_bid_as_good": orders.length - earned - possible - partial - outside,
    "not_earned out_of_market": outside,
    "not_earned partially_fillable": partial,
  });
});

Deno.test("both sums of the last table are the same atoms", () => {
  const sum = (of: (one: RawReward) => bigint) =>
    [...rewards.values()].reduce((all, one) => all + of(one), 0n).toString();
  const [weeks] = table("performance", "uncapped", "consistency");
  const [performance, uncapped] = [sum((one) => one.performance), sum((one) => one.uncapped)];
  assertEquals([weeks?.performance, weeks?.uncapped], [performance, uncapped]);
  const [auctions] = table("performance", "uncapped", "budget");
  assertEquals([auctions?.performance, auctions?.uncapped], [performance, uncapped]);
});

Deno.test("the charts have the same numbers: totals, and what the caps changed", () => {
  const [board = "", caps = ""] = drawings;
  for (const [solver, reward] of rewards) {
    const { name } = deployment.solvers.find(({ address }) => address === solver)!;
    assert(board.includes(`>${name}<`) && caps.includes(`>${name}<`));
    const { low, high } = totalOf(reward);
    const [from, to] = [low, high].map((atoms) => native(atoms).toFixed(4));
    assert(board.includes(low === high ? `>${from}<` : `>${from} to ${to}<`), name);
    const { cut, relief } = capsOf(solver);
    const won = single.filter(({ rewards: own }) => (own.get(solver)?.wins ?? 0) > 0).length;
    const tip = new RegExp(
      `${name} \\(${solver}\\)\\nbefore the caps: (\\S+) ETH\\nwithheld by upper caps: (\\S+) ETH, ` +
        `decided ${reward.upperCapped} of ${won} auctions\\nspared by lower caps: (\\S+) ETH, ` +
        `decided ${reward.lowerCapped} of ${won} auctions\\nperformance reward: (\\S+) ETH`,
    ).exec(caps);
    const drawn = tip?.slice(1).map((amount) => Number(amount.replace("−", "-")));
    const expected = [reward.uncapped, cut, relief, reward.performance].map(native);
    assertEquals(drawn?.length, expected.length, name);
    for (const [at, value] of expected.entries()) assertAlmostEquals(drawn![at]!, value, 1e-15);
  }
  const all = [...rewards.values()].map(totalOf);
  const [low, high] = (["low", "high"] as const).map((end) =>
    native(all.reduce((sum, one) => sum + one[end], 0n)).toFixed(4)
  );
  assert(board.includes(`accounting week from 2026-11-17: ${low} to ${high} ETH in total`));
});
