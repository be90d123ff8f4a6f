import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { rewardCaps, type RewardCapsRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf } from "../svg_marks.ts";

/** 1 before the caps, 0.75 withheld, 0.25 spared: 0.5. */
function row(solver: string, facts: Partial<RewardCapsRow> = {}): RewardCapsRow {
  return {
    week_start: "2026-11-17T00:00:00Z",
    solver,
    rewarded_auctions: 8,
    uncapped_low_native: 1,
    upper_cap_cut_low_native: 0.75,
    upper_capped_count: 5,
    lower_cap_relief_low_native: 0.25,
    lower_cap_relief_high_native: 0.25,
    lower_capped_count: 1,
    performance_low_native: 0.5,
    performance_high_native: 0.5,
    ...facts,
  };
}

Deno.test("rewardCaps() goes from the rewards before the caps to the performance reward", () => {
  const { svg, title } = rewardCaps([row("A")], { nativeSymbol: "ETH" });
  assertEquals(title, "What the caps changed: 1 ETH before, 0.5 ETH after them");
  const steps = marksOf(svg, "step");
  assertEquals(steps.map((step) => step.title), [
    "A\nbefore the caps: 1 ETH",
    "A\nwithheld by upper caps: −0.75 ETH\ndecided 5 of 8 auctions",
    "A\nspared by lower caps: 0.25 ETH\ndecided 1 of 8 auctions",
    "A\nperformance reward: 0.5 ETH",
  ]);
  const [uncapped, cut, relief, performance] = steps.map((step) => ({
    from: numberOf(step, "x"),
    to: numberOf(step, "x") + numberOf(step, "width"),
  }));
  assertAlmostEquals(cut!.to, uncapped!.to, 0.02);
  assertAlmostEquals(relief!.from, cut!.from, 0.02);
  assertAlmostEquals(relief!.to, performance!.to, 0.02);
  assertAlmostEquals(performance!.from, uncapped!.from, 0.02);
  assertAlmostEquals((cut!.to - cut!.from) / (relief!.to - relief!.from), 3, 0.02);
  for (
    const text of [">1.00<", ">−0.75, 5 of 8 auctions<", ">+0.25, 1 of 8 auctions<", ">0.50<"]
  ) assertStringIncludes(svg, text);
});

Deno.test("rewardCaps() draws the worst case where not all is known, and says so", () => {
  // At worst the auction cost 3, of which 2 are spared, and the fees allow nothing: -1.
  const { svg, title } = rewardCaps([
    row("A", {
      uncapped_low_native: -2.5,
      upper_cap_cut_low_native: 0,
      lower_cap_relief_low_native: 0,
      lower_cap_relief_high_native: 2,
      performance_low_native: -1,
      performance_high_native: 4,
    }),
    row("B"),
  ]);
  assertEquals(
    title,
    "What the caps changed: at least −1.5 native tokens before, at least −0.5 native tokens after them",
  );
  assertEquals(marksOf(svg, "step").slice(4).map((step) => step.title!.split("\n")[1]), [
    "before the caps: −2.5 native tokens",
    "withheld by upper caps: −0.5 native tokens",
    "spared by lower caps: 2 native tokens",
    "performance reward: −1 native tokens, at most 4",
  ]);
  assertStringIncludes(svg, "Not all is known of 1 solver: their steps are those of the worst");
});

Deno.test("rewardCaps() says so where bounds add up, but are not all", () => {
  const { svg, title } = rewardCaps([
    row("A", { performance_high_native: 0.75 }),
    row("B", { performance_high_native: null }),
  ], { nativeSymbol: "ETH" });
  assertEquals(title, "What the caps changed: at least 2 ETH before, at least 1 ETH after them");
  assertStringIncludes(svg, "Not all is known of 2 solvers");
});

Deno.test("rewardCaps() leaves out who had no reward, and what is not known", () => {
  const { svg, rows } = rewardCaps([
    row("A"),
    row("B", {
      rewarded_auctions: 0,
      uncapped_low_native: 0,
      upper_cap_cut_low_native: 0,
      lower_cap_relief_low_native: 0,
      lower_cap_relief_high_native: 0,
      performance_low_native: 0,
    }),
    row("C", { uncapped_low_native: null }),
    row("D", { upper_capped_count: null, lower_capped_count: NaN, uncapped_low_native: 1 }),
  ]);
  assertEquals(rows.map(({ solver }) => solver), ["A", "D"]);
  assertStringIncludes(svg, "1 without a rewarded auction left out");
  assertStringIncludes(svg, "1 solver without known rewards left out");
  assertStringIncludes(svg, ">−0.75<");
  assertDrawn(svg);
});

Deno.test("rewardCaps() sorts and limits within each week, on one axis", () => {
  const rows = [
    row("A", { uncapped_low_native: 3, performance_low_native: 2.5 }),
    row("B", { week_start: "2026-11-10T00:00:00Z" }),
    row("C"),
  ];
  const { svg, rows: drawn } = rewardCaps(rows, { limit: 1 });
  assertEquals(drawn.map(({ solver }) => solver), ["B", "A"]);
  assertStringIncludes(svg, "1 more row not drawn");
  const [b, a] = marksOf(svg, "step").filter((step) => step.title!.includes("before the caps"));
  assertAlmostEquals(numberOf(a, "width") / numberOf(b, "width"), 3, 0.02);
  assertEquals(
    rewardCaps(rows, { sort: "uncapped" }).rows.map(({ solver }) => solver),
    ["B", "C", "A"],
  );
});

Deno.test("rewardCaps() says honestly that there is nothing to draw", () => {
  assertStringIncludes(rewardCaps([]).svg, "No solver was rewarded in this range");
  assertStringIncludes(
    rewardCaps([row("A", { performance_low_native: null })]).svg,
    "No reward in this range is one that a cap could change",
  );
});

Deno.test("rewardCaps() draws the same figure for the same rows", async (t) => {
  await t.assertSnapshot(rewardCaps([row("A"), row("B")], { source: "a test" }).svg.split("><"));
});
