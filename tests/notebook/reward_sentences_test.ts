import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatAtoms, formatShare } from "orderlens";
import { join } from "node:path";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { rawRewards, readRawMarket } from "../tables/rewards/raw_rewards.ts";

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
  assertStringIncludes(said, `${market.trades.size} fills`);
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
  const [, withheld, spared] = (said.match(caps) ?? []).map(Number);
  const difference = Number(sum((one) => one.uncapped) - sum((one) => one.performance)) / 1e18;
  assert(Math.abs(withheld! - spared! - difference) < 2e-4);
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
  assertEquals(said.includes(`${earned} of `), true);
  assertStringIncludes(said, `surely earned a reward, and ${possible} more may have`);
  assertStringIncludes(
    said,
    `together ${ether(BigInt(earned) * EACH_QUOTE)} to ${
      ether(BigInt(earned + possible) * EACH_QUOTE)
    }`,
  );
});
