import { assert, assertEquals } from "@std/assert";
import { listDatedRuleSets, listRulePeriods, NETWORKS, type RulePart } from "orderlens/networks";
import { findRulesInForce } from "../../lib/networks/rules_in_force.ts";

/** Periods of one part as `first day: value`. */
function readPart(part: RulePart, name: keyof typeof NETWORKS = "mainnet"): string[] {
  return listRulePeriods(name).filter((period) => period.part === part)
    .map(({ since, value }) => `${since}: ${value}`);
}

// Days and values of the changes of solver-rewards, docs, dune-queries and cow-competition-loo that
// the periods name as their sources.
Deno.test("listRulePeriods() has the history of mainnet", () => {
  assertEquals(readPart("winners"), ["2024-07-16: one", "2025-06-24: several, fair"]);
  assertEquals(readPart("upper cap"), [
    "2024-07-16: 0.012 ETH",
    "2025-11-25: 100% of fees",
    "2026-04-14: 50% of fees",
  ]);
  assertEquals(readPart("lower cap"), [
    "2024-07-16: 0.01 ETH",
    "2026-08-25: 0.01 ETH or by order",
  ]);
  assertEquals(readPart("reference score"), [
    "2024-07-16: at most the total",
    "2025-06-24: limit unknown",
    "2026-07-28: at most the total",
  ]);
  assertEquals(readPart("in time"), [
    "2024-07-16: by the deadline",
    "2024-08-13: 1 block later",
    "2025-02-18: by the deadline",
  ]);
  assertEquals(readPart("consistency"), [
    "2024-07-16: by auctions",
    "2024-07-23: none",
    "2026-04-14: by executed orders",
    "2026-06-30: by order shares",
  ]);
  assertEquals(readPart("quote reward"), [
    "2024-02-06: 0.0006 ETH",
    "2025-08-12: 0.0007 ETH, with a bid",
  ]);
  assertEquals(readPart("deadline"), ["2024-07-16: 3 blocks"]);
  assertEquals(readPart("partner fees kept"), [
    "2024-04-04: 15%",
    "2025-02-04: 50%",
    "2025-11-25: 25%",
  ]);
  assertEquals(readPart("service fee"), [
    "2024-08-27: 15%",
    "2025-01-14: 15%, not of penalties",
    "2026-04-14: 15%, not of a negative sum",
  ]);
});

Deno.test("listRulePeriods() has the rules of a network from its beginning", () => {
  assertEquals(readPart("upper cap", "linea"), ["2025-11-25: 100% of fees"]);
  assertEquals(readPart("partner fees kept", "linea"), ["2025-11-25: 25%"]);
  assertEquals(readPart("deadline", "xdai"), ["2024-12-03: 5 blocks", "2026-06-22: 3 blocks"]);
  assertEquals(readPart("quote reward", "xdai"), [
    "2024-12-03: 0.15 xDAI",
    "2025-08-12: 0.15 xDAI, with a bid",
  ]);
  assertEquals(listRulePeriods("sepolia"), []);
});

Deno.test("periods of a part follow one another, each with its source", () => {
  for (const { name } of Object.values(NETWORKS)) {
    for (const periods of Map.groupBy(listRulePeriods(name), ({ part }) => part).values()) {
      assertEquals(
        periods.map(({ until }) => until),
        [...periods.slice(1).map(({ since }) => since), null],
      );
      assert(periods.every(({ source, sure }) => source?.startsWith("https://") && sure));
    }
  }
});

Deno.test("listDatedRuleSets() has a set for each day on which a rule changed", () => {
  const sets = listDatedRuleSets("mainnet");
  assertEquals(sets.map(({ name, auction: { maxWinners = "many" } }) => `${name} ${maxWinners}`), [
    ...["2024-07-16 1", "2024-07-23 1", "2024-08-13 1", "2025-02-18 1", "2025-06-24 many"],
    ...["2025-08-12 many", "2025-11-25 many", "2026-04-14 many", "2026-06-30 many"],
    ...["2026-07-28 many", "2026-08-25 many"],
  ]);
  assertEquals(listDatedRuleSets("sepolia"), []);
});

Deno.test("listDatedRuleSets() has the rules that count in the week of its day", () => {
  for (const { name, rewards, quoteRewards } of Object.values(NETWORKS)) {
    for (const set of listDatedRuleSets(name)) {
      assertEquals(set.rewards, findRulesInForce(rewards, set.name).rule!);
      assertEquals(set.quoteReward, findRulesInForce(quoteRewards, set.name).rule);
      assertEquals(set.auction.fairness, set.name >= "2025-06-24");
    }
  }
});
