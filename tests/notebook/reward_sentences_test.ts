import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatAtoms, formatShare } from "orderlens";
import { join } from "node:path";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { rawRewards, readRawMarket } from "../tables/rewards/raw_rewards.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

/** Mainnet's rules as documented: half of the fees, and 0.01 ether. */
const RULES = { lowerCap: 10n ** 16n, share: [1n, 2n] } as const;
/** Six COW at the price that the notebook makes up. */
const EACH_QUOTE = 6n * 10n ** 14n;

async function sentences(): Promise<string> {
  const { cells } = await readNotebook(join(PROJECT_ROOT, "notebooks", "08_solver_rewards.ipynb"));
  return cells.flatMap(({ outputs }) =>
    outputs.flatMap(({ data }) => [data?.["text/markdown"] ?? []].flat().join(""))
  ).join("\n").replaceAll("**", "");
}

Deno.test("08_solver_rewards says what the recorded bodies give by the documented formulas", async () => {
  const said = await sentences();
  const market = await readRawMarket();
  const rewards = [...rawRewards(market, RULES).values()];
  const sum = (of: (one: typeof rewards[number]) => bigint) =>
    rewards.reduce((all, one) => all + of(one), 0n);
  const count = (of: (one: typeof rewards[number]) => number) =>
    rewards.reduce((all, one) => all + of(one), 0);
  const ether = (atoms: bigint) =>
    formatAtoms(atoms, 18, { fractionDigits: 4, rounding: "halfEven", symbol: "ETH" });
  const won = market.auctions.reduce(
    (all, { referenceScores }) => all + Object.keys(referenceScores).length,
    0,
  );
  assertStringIncludes(said, `${market.auctions.length} auctions were read`);
  const uids = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
    ),
  );
  const orders = [...uids].flatMap((uid) => market.orders.get(uid) ?? []);
  assertStringIncludes(
    said,
    `with ${orders.length} orders and ${market.trades.size} fills. All debug reports`,
  );
  // Every order was created in the accounting week of 17 November, and so every auction began in it.
  const days = orders.map(({ creationDate }) => creationDate.slice(0, 10));
  assertEquals(days.every((day) => day >= "2026-11-17" && day < "2026-11-24"), true);
  assertStringIncludes(
    said,
    `The time of ${market.auctions.length} of ${market.auctions.length} auctions is known, in 1 ` +
      "accounting week.",
  );
  assertStringIncludes(
    said,
    `All performance rewards add up to ${ether(sum((one) => one.performance))}`,
  );
  assertStringIncludes(
    said,
    `The upper cap decided ${formatShare(count((one) => one.upperCapped), won)} rewards, and the ` +
      `lower cap ${formatShare(count((one) => one.lowerCapped), won)}.`,
  );
  const caps = /withheld at least ([0-9.]+) ETH; lower caps spared solvers at least ([0-9.]+) ETH/;
  const [, withheld, spared] = said.match(caps) ?? [];
  const single = market.auctions.flatMap((auction) => [
    ...rawRewards({ ...market, auctions: [auction] }, RULES).values(),
  ]);
  const changes = single.map((one) => one.uncapped - one.performance);
  const [cut, relief] = [1n, -1n].map((sign) =>
    changes.reduce((all, change) => change * sign > 0n ? all + change * sign : all, 0n)
  );
  assertEquals([`${withheld} ETH`, `${spared} ETH`], [ether(cut!), ether(relief!)]);
  const negative = single.filter((one) => one.performance < 0n);
  const failed = negative.filter((one) => one.unsettled > 0);
  assertStringIncludes(
    said,
    `${negative.length} rewards are negative; ${failed.length} of them because a settlement`,
  );
  const allowed = single.reduce((all, one) => all + one.protocolFee / 2n, 0n);
  const left = allowed - sum((one) => one.performance) - sum((one) => one.consistency);
  assertStringIncludes(said, `Of what the upper caps allow, ${left} atoms were not distributed`);
  assertStringIncludes(
    said,
    `All parts together are at least ${ether(sum((one) => one.consistency))}`,
  );
  const largest = rewards.reduce(
    (most, { consistency }) => consistency > most ? consistency : most,
    0n,
  );
  const share = Number(10_000n * largest / sum((one) => one.consistency)) / 100;
  assertStringIncludes(said, `largest part of a week's budget is ${Math.round(share)}%`);
  const [earned, possible] = [count((one) => one.quotesEarned), count((one) => one.quotesPossible)];
  const executed = new Set(
    market.auctions.flatMap(({ solutions }) =>
      solutions.filter((bid) => bid.isWinner && bid.txHash !== null)
        .flatMap((bid) => bid.orders.map(({ id }) => id))
    ),
  );
  assertStringIncludes(said, `${formatShare(earned, executed.size)} quotes of executed orders`);
  assertStringIncludes(said, `certainly earned a reward, and ${possible} more may have`);
  assertStringIncludes(
    said,
    `together ${ether(BigInt(earned) * EACH_QUOTE)} to ${
      ether(BigInt(earned + possible) * EACH_QUOTE)
    }`,
  );
  const [quotesLow, quotesHigh] = [earned, earned + possible].map((quotes) =>
    BigInt(quotes) * EACH_QUOTE
  );
  const consistency = sum((one) => one.consistency);
  const low = sum((one) => one.performance) + consistency + quotesLow!;
  const totals = rewards.map((one) =>
    one.performance + one.consistency + BigInt(one.quotesEarned) * EACH_QUOTE
  );
  const most = totals.reduce((a, b) => a > b ? a : b);
  const leader = [...rawRewards(market, RULES).keys()][totals.indexOf(most)];
  const { name } = deployment.solvers.find(({ address }) => address === leader)!;
  assertEquals(said.split("\n").slice(-3), [
    `- ${name} earned the most, at least ${
      ether(most)
    }; the rewards of ${rewards.length} solvers ` +
    `add up to ${ether(low)} to ${ether(low + quotesHigh! - quotesLow!)}.`,
    `- Performance is worth ${ether(sum((one) => one.uncapped))} before the caps and ` +
    `${ether(sum((one) => one.performance))} after them: upper caps withhold ${ether(cut!)}, and ` +
    `lower caps spare solvers ${ether(relief!)}.`,
    `- Consistency adds ${ether(consistency)}, and quotes ${ether(quotesLow!)} to ` +
    `${ether(quotesHigh!)}: whether ${possible} of ${executed.size} quotes earned their reward ` +
    "cannot be determined from public data.",
  ]);
});
