import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { rewardCaps, type RewardCapsRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

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

/** -1 before the caps, of which 0.75 are spared. */
const SPARED: Partial<RewardCapsRow> = {
  uncapped_low_native: -1,
  upper_cap_cut_low_native: 0,
  upper_capped_count: 0,
  lower_cap_relief_low_native: 0.75,
  performance_low_native: -0.25,
  performance_high_native: -0.25,
};

Deno.test("rewardCaps() goes from the rewards before the caps to the performance reward", () => {
  const { svg, title, finding } = rewardCaps([row("A"), row("B", SPARED)], { nativeSymbol: "ETH" });
  // 0.75 of 1 - 1 are more than all.
  assertEquals(title, "Upper caps withheld 0.75 ETH");
  assertEquals(
    finding,
    "Performance is worth 0 ETH before the caps and 0.25 ETH after them. Upper caps withheld 0.75 ETH, " +
      "lower caps spared solvers 1 ETH. The upper cap decided 5 of 16 (31%) rewards, the lower cap " +
      "2 of 16 (12%).",
  );
  const [before, after] = ["before", "after"].map((name) =>
    marksOf(svg, name).map((dot) => numberOf(dot, "cx"))
  );
  const lines = marksOf(svg, "change");
  assertEquals(lines.map((line) => [numberOf(line, "x1"), numberOf(line, "x2")]), [
    [before![0], after![0]],
    [before![1], after![1]],
  ]);
  assertEquals(lines.map(({ attributes }) => attributes["stroke"]), ["#e69f00", "#009e73"]);
  // From -1 to -0.25 and from 1 to 0.5.
  assertAlmostEquals((after![1]! - before![1]!) / (before![0]! - after![0]!), 1.5, 0.02);
  assertEquals(
    marksOf(svg, "before")[0]!.title,
    "A\nbefore the caps: 1 ETH\nwithheld by upper caps: 0.75 ETH, decided 5 of 8 auctions\n" +
      "spared by lower caps: 0.25 ETH, decided 1 of 8 auctions\nperformance reward: 0.5 ETH",
  );
  for (const text of [">1 → 0.5 (−50%), capped in 5 of 8<", ">−1 → −0.25, capped in 0 of 8<"]) {
    assertStringIncludes(svg, text);
  }
  assertStringIncludes(rewardCaps([row("A")], { width: 420 }).svg, ">1 → 0.5<");
  assertEquals(
    rewardCaps([row("A")]).title,
    "Upper caps withheld 75% of what solvers' solutions were worth",
  );
});

Deno.test("rewardCaps() draws lower bounds where not all is known, and says so", () => {
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
  assertStringIncludes(marksOf(svg, "after")[1]!.title!, "reward: −1 native tokens, at most 4");
  assertStringIncludes(svg, ">−2.5 → −1, capped in 5 of 8<");
  assertStringIncludes(svg, ">Lower bounds of rewards (native tokens) →<");
  assertStringIncludes(svg, "Not all is known of 1 solver: lower bounds are drawn");
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
  assertStringIncludes(svg, ">1 → 0.5 (−50%)<");
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
  const [b, a] = marksOf(svg, "before").map((dot) => numberOf(dot, "cx"));
  const zero = b! - (a! - b!) / 2;
  assertAlmostEquals((a! - zero) / (b! - zero), 3, 0.02);
  assertAlmostEquals(numberOf(marksOf(svg, "after")[0], "cx"), zero + (b! - zero) / 2, 0.5);
  assertEquals(
    rewardCaps(rows, { sort: "uncapped" }).rows.map(({ solver }) => solver),
    ["B", "C", "A"],
  );
});

testPicture("rewardCaps", rewardCaps, [row("A"), row("B")], [
  "No solver was rewarded in this range",
  [],
], ["No reward in this range is one that a cap could change", [
  row("A", { performance_low_native: null }),
]]);
