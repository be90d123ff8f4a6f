import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { formatShare } from "orderlens";
import {
  isInMarket,
  type RawReward,
  rawRewards,
  readRawMarket,
} from "../tables/rewards/raw_rewards.ts";
import { type Cells, committed, nameOf } from "./committed.ts";

/** Mainnet's rules as documented: half of the fees, and 0.01 ether. */
const RULES = { lowerCap: 10n ** 16n, share: [1n, 2n] } as const;
/** Six COW at the price that the notebook makes up. */
const EACH_QUOTE = 6n * 10n ** 14n;

const { said, drawings, table } = await committed("08_solver_rewards");
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

/** Columns of native tokens have these atoms, and columns of counts these numbers. */
function assertCells(row: Cells, expected: Readonly<Record<string, bigint | number>>): void {
  for (const [column, value] of Object.entries(expected)) {
    if (typeof value === "number") assertEquals(Number(row[column]), value, column);
    else assertAlmostEquals(Number(row[column]), native(value), 1e-15, column);
  }
}

Deno.test("08_solver_rewards says what it read, in which weeks", () => {
  const auctions = `${market.auctions.length}`;
  const uids = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
    ),
  );
  const orders = [...uids].flatMap((uid) => market.orders.get(uid) ?? []);
  const [read] = table("source", "orders", "fills");
  assertEquals(
    [read?.auctions, read?.orders, read?.fills, read?.missing],
    [auctions, `${orders.length}: orders that solvers bid on`, `${market.trades.size}`, "nothing"],
  );
  // Every order was created in the accounting week of 17 November, and so every auction began in it.
  const days = orders.map(({ creationDate }) => creationDate.slice(0, 10));
  assertEquals(days.every((day) => day >= "2026-11-17" && day < "2026-11-24"), true);
  // An auction began after the newest order was created that it lists and that solvers bid on.
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
      `The upper cap decided ${formatShare(count((one) => one.upperCapped), won)} rewards, the ` +
      `lower cap ${formatShare(count((one) => one.lowerCapped), won)}.`,
      `Upper caps withheld ${ether(cut)} ETH, lower caps spared solvers ${ether(relief)} ETH`,
      `${nameOf(best.solver)} earned the most, ${ether(best.low)} to `,
      `The rewards of ${rewards.size} solvers add up to ${ether(low!)} to ${ether(high!)} ETH.`,
      `Performance is worth ${ether(sum((one) => one.uncapped))} ETH before the caps and ` +
      `${ether(performance)} ETH after them`,
      `Whether ${quotes[1]} of ${executed.size} quotes earned their reward cannot be determined`,
      // What the upper caps allow less what was paid for performance.
      ` ${allowed - performance} `,
    ]
  ) assertStringIncludes(said, sentence);
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

Deno.test("the costliest auctions are those of the recorded bodies", () => {
  const costs = single.flatMap(({ auction, rewards: own }) =>
    [...own].filter(([, reward]) => reward.performance < 0n)
      .map(([solver, reward]) => ({ auction, solver, reward }))
  ).toSorted((a, b) => a.reward.uncapped < b.reward.uncapped ? -1 : 1);
  const rows = table("missing_score_high_native");
  assertEquals(rows.length >= 6, true);
  for (const [at, row] of rows.slice(0, 6).entries()) {
    const { auction, solver, reward } = costs[at]!;
    const total = auction.solutions.filter((bid) => bid.isWinner)
      .reduce((all, bid) => all + BigInt(bid.score), 0n);
    const reference = BigInt(auction.referenceScores[solver]!);
    assertEquals(row["solver"], solver);
    assertCells(row, {
      auction_id: auction.auctionId,
      total_score_native: total,
      reference_score_native: reference,
      missing_score_high_native: total - reference - reward.uncapped,
      uncapped_low_native: reward.uncapped,
      performance_low_native: reward.performance,
    });
    assertEquals(row["cap"], reward.uncapped < -RULES.lowerCap ? "lower" : "none");
  }
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

Deno.test("the charts have the same numbers: totals, and what the caps changed", () => {
  const [board = "", caps = ""] = drawings;
  for (const [solver, reward] of rewards) {
    const name = nameOf(solver);
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
