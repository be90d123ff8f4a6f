import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatShare } from "orderlens";
import { rawRewards, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import { committed } from "./committed.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

/** Mainnet's rules as documented: half of the fees, and 0.01 ether. */
const RULES = { lowerCap: 10n ** 16n, share: [1n, 2n] } as const;
/** Six COW at the price that the notebook makes up. */
const EACH_QUOTE = 6n * 10n ** 14n;

Deno.test("08_solver_rewards says what the recorded bodies give by the documented formulas", async () => {
  const { said, table } = await committed("08_solver_rewards");
  const market = await readRawMarket();
  const rewards = [...rawRewards(market, RULES).values()];
  const sum = (of: (one: typeof rewards[number]) => bigint) =>
    rewards.reduce((all, one) => all + of(one), 0n);
  const count = (of: (one: typeof rewards[number]) => number) =>
    rewards.reduce((all, one) => all + of(one), 0);
  // As figures write amounts: four digits that count.
  const ether = (atoms: bigint) => String(Number((Number(atoms) / 1e18).toPrecision(4)));
  const won = market.auctions.reduce(
    (all, { referenceScores }) => all + Object.keys(referenceScores).length,
    0,
  );
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
  assertStringIncludes(
    said,
    `The upper cap decided ${formatShare(count((one) => one.upperCapped), won)} rewards, the ` +
      `lower cap ${formatShare(count((one) => one.lowerCapped), won)}.`,
  );
  const single = market.auctions.flatMap((auction) => [
    ...rawRewards({ ...market, auctions: [auction] }, RULES).values(),
  ]);
  const changes = single.map((one) => one.uncapped - one.performance);
  const [cut, relief] = [1n, -1n].map((sign) =>
    changes.reduce((all, change) => change * sign > 0n ? all + change * sign : all, 0n)
  );
  assertStringIncludes(
    said,
    `Upper caps withheld ${ether(cut!)} ETH, lower caps spared solvers ${ether(relief!)} ETH`,
  );
  const negative = single.filter((one) => one.performance < 0n);
  const failed = negative.filter((one) => one.unsettled > 0);
  assertEquals(table("negative_rewards"), [
    { negative_rewards: `${negative.length}`, of_them_late_or_absent: `${failed.length}` },
  ]);
  const consistency = sum((one) => one.consistency);
  const performance = sum((one) => one.performance);
  const allowed = single.reduce((all, one) => all + one.protocolFee / 2n, 0n);
  const [earned, possible] = [count((one) => one.quotesEarned), count((one) => one.quotesPossible)];
  const executed = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.filter((bid) => bid.isWinner && bid.txHash !== null)
        .flatMap((bid) => bid.orders.map(({ id }) => id))
    ),
  );
  const [quotesLow, quotesHigh] = [earned, earned + possible].map((quotes) =>
    BigInt(quotes) * EACH_QUOTE
  );
  const low = performance + consistency + quotesLow!;
  const totals = rewards.map((one) =>
    one.performance + one.consistency + BigInt(one.quotesEarned) * EACH_QUOTE
  );
  const most = totals.reduce((a, b) => a > b ? a : b);
  const leader = [...rawRewards(market, RULES).keys()][totals.indexOf(most)];
  const { name } = deployment.solvers.find(({ address }) => address === leader)!;
  assertStringIncludes(
    said,
    `${name} earned the most, ${ether(most)} to `,
  );
  assertStringIncludes(
    said,
    `The rewards of ${rewards.length} solvers add up to ${ether(low)} to ` +
      `${ether(low + quotesHigh! - quotesLow!)} ETH.`,
  );
  assertStringIncludes(
    said,
    `Performance is worth ${ether(sum((one) => one.uncapped))} ETH before the caps and ` +
      `${ether(performance)} ETH after them`,
  );
  assertStringIncludes(
    said,
    `Whether ${possible} of ${executed.size} quotes earned their reward cannot be determined`,
  );
  const [weeks] = table("consistency", "quotes_low");
  assertEquals(
    [weeks?.consistency, weeks?.quotes_low, weeks?.quotes_high],
    [`${consistency}`, `${quotesLow}`, `${quotesHigh}`],
  );
  // What the upper caps allow less what was paid for performance.
  assertStringIncludes(said, ` ${allowed - performance} `);
});
