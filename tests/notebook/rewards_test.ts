import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  isInMarket,
  type RawReward,
  rawRewards,
  readRawMarket,
} from "../tables/rewards/raw_rewards.ts";
import { committed, nameOf } from "./committed.ts";

/** Mainnet's rules as documented: half of the fees, and 0.01 ether. */
const RULES = { lowerCap: 10n ** 16n, share: [1n, 2n] } as const;
/** Six COW at the price that the notebook makes up. */
const EACH_QUOTE = 6n * 10n ** 14n;

const { said, table } = await committed("08_solver_rewards");
const market = await readRawMarket();
const rewards = rawRewards(market, RULES);
/** Rewards of each auction alone. */
const single = market.auctions.map((auction) => ({
  auction,
  rewards: rawRewards({ ...market, auctions: [auction] }, RULES),
}));
/** Orders of winning solutions that were settled, each once. */
const executed = new Set(
  market.auctions.flatMap(({ solutions }) =>
    solutions.filter((bid) => bid.isWinner && bid.txHash !== null)
      .flatMap(({ orders }) => orders.map(({ id }) => id))
  ),
);

function sum(of: (one: RawReward) => bigint): bigint {
  return [...rewards.values()].reduce((all, one) => all + of(one), 0n);
}

function count(of: (one: RawReward) => number): number {
  return Number(sum((one) => BigInt(of(one))));
}

/** Atoms of 18 decimals as the nearest number. */
function native(atoms: bigint): number {
  return Number(atoms) / 1e18;
}

/** What caps took from some solvers, and gave to them. */
function capsOf(...solvers: readonly string[]): { cut: bigint; relief: bigint } {
  let [cut, relief] = [0n, 0n];
  for (
    const { uncapped, performance } of single.flatMap(({ rewards: own }) =>
      solvers.flatMap((solver) => own.get(solver) ?? [])
    )
  ) {
    if (uncapped > performance) cut += uncapped - performance;
    else relief += performance - uncapped;
  }
  return { cut, relief };
}

function totalOf(reward: RawReward): { low: bigint; high: bigint } {
  const low = reward.performance + reward.consistency + BigInt(reward.quotesEarned) * EACH_QUOTE;
  return { low, high: low + BigInt(reward.quotesPossible) * EACH_QUOTE };
}

Deno.test("08_solver_rewards says what it read, in which weeks", () => {
  const auctions = `${market.auctions.length}`;
  const uids = new Set(market.auctions.flatMap(({ auction }) => auction.orders));
  const orders = [...uids].flatMap((uid) => market.orders.get(uid) ?? []);
  const [read] = table("source", "orders", "fills");
  assertEquals(
    [read?.auctions, read?.orders, read?.fills, read?.missing],
    [
      auctions,
      `${orders.length}: every order that an auction lists`,
      `${market.trades.size}`,
      "nothing",
    ],
  );
  // Every order was created in the accounting week of 17 November, and so every auction began in it.
  const days = orders.map(({ creationDate }) => creationDate.slice(0, 10));
  assertEquals(days.every((day) => day >= "2026-11-17" && day < "2026-11-24"), true);
  // An auction began after the newest order was created that it lists.
  const beginOf = (at: number) => {
    const { auction } = market.auctions.at(at)!;
    return orders.filter(({ uid }) => auction.orders.includes(uid))
      .map(({ creationDate }) => creationDate).toSorted().at(-1)!;
  };
  assertEquals(table("accounting_weeks"), [{
    auctions_with_a_time: auctions,
    of_auctions: auctions,
    accounting_weeks: "1",
    first_at: beginOf(0),
    last_at: beginOf(-1),
  }]);
});

Deno.test("08_solver_rewards says what the recorded bodies give by the documented formulas", () => {
  // As figures write amounts: four digits that count.
  const ether = (atoms: bigint) => String(Number(native(atoms).toPrecision(4)));
  const won = market.auctions.flatMap(({ referenceScores }) => Object.keys(referenceScores)).length;
  const { cut, relief } = capsOf(...rewards.keys());
  const totals = [...rewards].map(([solver, one]) => ({ solver, ...totalOf(one) }));
  const best = totals.reduce((a, b) => a.low > b.low ? a : b);
  const [low, high] = (["low", "high"] as const).map((end) =>
    totals.reduce((all, one) => all + one[end], 0n)
  );
  const consistency = sum((one) => one.consistency);
  const performance = sum((one) => one.performance);
  const quotes = [count((one) => one.quotesEarned), count((one) => one.quotesPossible)] as const;
  const each = single.flatMap(({ rewards: own }) => [...own.values()]);
  const allowed = each.reduce((all, one) => all + one.protocolFee / 2n, 0n);
  for (
    const sentence of [
      `rewarded_auctions: ${won}`,
      `upper_capped_count: ${count((one) => one.upperCapped)}`,
      `lower_capped_count: ${count((one) => one.lowerCapped)}`,
      `${nameOf(best.solver)} earned the most, ${ether(best.low)} to `,
      `The rewards of ${rewards.size} solvers add up to ${ether(low!)} to ${ether(high!)} ETH.`,
      `Whether ${quotes[1]} of ${executed.size} quotes earned their reward cannot be determined`,
      // What the upper caps allow less what was paid for performance.
      ` ${allowed - performance} `,
    ]
  ) assertStringIncludes(said, sentence);
  const amounts = ["uncapped", "upper_cap_cut", "lower_cap_relief", "performance"].map((name) =>
    Number(new RegExp(`\\b${name}_low_native: (\\S+)`).exec(said)?.[1]).toPrecision(4)
  );
  assertEquals(
    amounts.map((amount) => String(Number(amount))),
    [sum((one) => one.uncapped), cut, relief, performance].map(ether),
  );
  const negative = each.filter((one) => one.performance < 0n);
  const failed = negative.filter((one) => one.unsettled > 0);
  assertEquals(table("negative_rewards"), [
    { negative_rewards: `${negative.length}`, of_them_late_or_absent: `${failed.length}` },
  ]);
  const [weeks] = table("consistency", "quotes_low");
  const [quotesLow, quotesHigh] = [quotes[0], quotes[0] + quotes[1]]
    .map((quoted) => BigInt(quoted) * EACH_QUOTE);
  assertEquals(
    [weeks?.consistency, weeks?.quotes_low, weeks?.quotes_high],
    [`${consistency}`, `${quotesLow}`, `${quotesHigh}`],
  );
});

Deno.test("the table of quotes counts each executed order once, by why it is rewarded or not", () => {
  const orders = [...executed].map((uid) => market.orders.get(uid)!);
  assert(orders.every((order) => order.quote?.verified === true));
  const partial = orders.filter((order) => order.partiallyFillable).length;
  const outside = orders.filter((order) => !order.partiallyFillable && !isInMarket(order)).length;
  const [earned, possible] = [count((one) => one.quotesEarned), count((one) => one.quotesPossible)];
  const counted = Object.fromEntries(
    table("verdict", "reason", "orders")
      .map((row) => [`${row["verdict"]} ${row["reason"]}`, Number(row["orders"])]),
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
  const atoms = [`${sum((one) => one.performance)}`, `${sum((one) => one.uncapped)}`];
  for (const column of ["consistency", "budget"]) {
    const [row] = table("performance", "uncapped", column);
    assertEquals([row?.performance, row?.uncapped], atoms, column);
  }
});
