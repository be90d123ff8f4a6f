import { network } from "orderlens";
import { buildTable, type Records, records, REWARDS } from "orderlens/tables";
import { assert, assertEquals } from "@std/assert";
import { competitions, debugReports, orders, trades } from "../market.ts";
import { rawRewards, type RawRules, readRawMarket } from "./raw_rewards.ts";

type Row = Record<string, string | number | null>;

const raw = await readRawMarket();
const MILLIETHER = 10n ** 15n;
/** The formulas of a week on mainnet, and the native atoms for a quote, by hand from their sources. */
interface OldWeek {
  readonly day: string;
  readonly rules: RawRules;
  readonly quote: bigint;
  readonly since: string;
}

const LOWER_CAP = 10n * MILLIETHER;
const WEEKS: readonly OldWeek[] = [
  {
    // A fixed cap (CIP-36, CIP-38), a block of grace, no consistency, quotes by CIP-57's conditions.
    day: "2024-11-19",
    rules: {
      lowerCap: LOWER_CAP,
      upperCap: 12n * MILLIETHER,
      grace: 1,
      metric: "none",
      needsBid: false,
    },
    quote: 600n * 10n ** 12n,
    since: "2024-08-13",
  },
  {
    // No more grace; quotes of CIP-72.
    day: "2025-08-19",
    rules: { lowerCap: LOWER_CAP, upperCap: 12n * MILLIETHER, metric: "none" },
    quote: 700n * 10n ** 12n,
    since: "2025-06-24",
  },
  {
    // CIP-74: all protocol fees.
    day: "2025-12-09",
    rules: { lowerCap: LOWER_CAP, share: [1n, 1n], metric: "none" },
    quote: 700n * 10n ** 12n,
    since: "2025-11-25",
  },
  {
    // CIP-85: half of them, and the rest by executed orders.
    day: "2026-05-12",
    rules: { lowerCap: LOWER_CAP, share: [1n, 2n], metric: "executed_orders" },
    quote: 700n * 10n ** 12n,
    since: "2026-04-14",
  },
];

/** The rewards of the recorded market as if it had been that day. */
function rewardsOn(day: string, more: Records = {}, auctions = competitions) {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const times = new Map(auctions.map(({ auctionId }) => [auctionId, noon + auctionId * 2_000]));
  const options = { trades, debugReports, orders, rewardTimes: times, network: "mainnet", ...more };
  return records<Row>(buildTable(REWARDS, { competitions: auctions, ...options }));
}

for (const { day, rules, quote, since } of WEEKS) {
  Deno.test(`REWARDS applies the rules of ${day} to its week`, () => {
    const expected = rawRewards(raw, rules);
    // COW so dear that the native amount is the smaller one.
    const rows = rewardsOn(day, { cowPrice: 10n ** 18n });
    assertEquals(rows.length, expected.size);
    for (const row of rows) {
      const own = expected.get(String(row.solver))!;
      for (const end of ["low", "high"] as const) {
        assertEquals(row[`uncapped_${end}_atoms`], `${own.uncapped}`);
        assertEquals(row[`performance_${end}_atoms`], `${own.performance}`);
        assertEquals(row[`consistency_${end}_atoms`], `${own.consistency}`);
      }
      assertEquals([row.upper_capped_count, row.lower_capped_count], [
        own.upperCapped,
        own.lowerCapped,
      ]);
      assertEquals(row.quotes_earned, own.quotesEarned);
      assertEquals(row.quote_reward_low_atoms, `${BigInt(own.quotesEarned) * quote}`);
      assertEquals(row.quote_reward_cap_atoms, `${quote}`);
      assertEquals(row.rules_since, since);
      assert(!String(row.gaps).includes("rules"), `${row.gaps}`);
    }
    assert(rows.some((row) => row.performance_low_atoms !== "0"));
  });
}

Deno.test("REWARDS matches a week of 2024-11 that was worked out separately", () => {
  const some = competitions.filter(({ auctionId }) => auctionId >= 2_600 && auctionId <= 2_624);
  const [best] = rewardsOn("2024-11-19", {}, some);
  assertEquals(best?.performance_low_atoms, "32536129980788704");
  assertEquals(best?.performance_high_atoms, "32536129980788704");
});

Deno.test("REWARDS bounds a week by both rules where the newer may have begun in it", () => {
  const [fixed, shared] = [WEEKS[1]!, WEEKS[2]!].map(({ rules }) => rawRewards(raw, rules));
  let differing = 0;
  // CIP-74 began on 2025-11-25, and 2025-11-18 is not excluded.
  for (const row of rewardsOn("2025-11-18")) {
    const [low, high] = [row.performance_low_atoms!, row.performance_high_atoms!].map(BigInt);
    for (const by of [fixed!, shared!]) {
      const { performance } = by.get(String(row.solver))!;
      assert(low! <= performance && performance <= high!, `${row.solver}`);
    }
    if (low !== high) differing++;
    assert(String(row.gaps).includes("rules"), `${row.gaps}`);
  }
  assert(differing > 0);
});

Deno.test("REWARDS has no reward before the first rules of a network", () => {
  for (const [day, name] of [["2024-06-18", "mainnet"], ["2024-11-19", "xdai"]] as const) {
    const rows = rewardsOn(day, { network: name });
    assert(rows.length > 0);
    for (const row of rows) {
      assertEquals([row.performance_low_atoms, row.performance_high_atoms], [null, null]);
      assert(String(row.gaps).includes("rules"), `${row.gaps}`);
    }
  }
});

Deno.test("REWARDS applies one set of rules to every week, and those of a list from their day on", () => {
  const rules = network("mainnet").rewards.at(-1)!;
  const own = rawRewards(raw, { lowerCap: LOWER_CAP, share: [1n, 2n] });
  for (const row of rewardsOn("2024-11-19", { rules })) {
    const { performance } = own.get(String(row.solver))!;
    assertEquals(row.performance_low_atoms, `${performance}`);
    assert(!String(row.gaps).includes("rules"), `${row.gaps}`);
  }
  const [listed] = rewardsOn("2024-11-19", { rules: [rules] });
  assertEquals([listed?.performance_low_atoms, listed?.rules_since], [null, null]);
  const [undated] = rewardsOn("2024-11-19", { rules: [{ ...rules, since: null }] });
  assert(undated?.performance_low_atoms !== null);
  assert(String(undated?.gaps).split(", ").includes("rules"), `${undated?.gaps}`);
});
