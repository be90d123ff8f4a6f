import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  rewardCaps,
  type RewardCapsRow,
  solverRewards,
  type SolverRewardsRow,
} from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

/** 1 before the caps, 0.75 withheld, 0.25 spared: 0.5. */
function capped(solver: string, facts: Partial<RewardCapsRow> = {}): RewardCapsRow {
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
  const { svg, title, finding } = rewardCaps([capped("A"), capped("B", SPARED)], {
    nativeSymbol: "ETH",
  });
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
  assertStringIncludes(rewardCaps([capped("A")], { width: 420 }).svg, ">1 → 0.5<");
  assertEquals(
    rewardCaps([capped("A")]).title,
    "Upper caps withheld 75% of what solvers' solutions were worth",
  );
});

Deno.test("rewardCaps() draws lower bounds where not all is known, and says so", () => {
  // At worst the auction cost 3, of which 2 are spared, and the fees allow nothing: -1.
  const { svg, title } = rewardCaps([
    capped("A", {
      uncapped_low_native: -2.5,
      upper_cap_cut_low_native: 0,
      lower_cap_relief_low_native: 0,
      lower_cap_relief_high_native: 2,
      performance_low_native: -1,
      performance_high_native: 4,
    }),
    capped("B"),
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
    capped("A", { performance_high_native: 0.75 }),
    capped("B", { performance_high_native: null }),
  ], { nativeSymbol: "ETH" });
  assertEquals(title, "What the caps changed: at least 2 ETH before, at least 1 ETH after them");
  assertStringIncludes(svg, "Not all is known of 2 solvers");
});

Deno.test("rewardCaps() leaves out who had no reward, and what is not known", () => {
  const { svg, rows } = rewardCaps([
    capped("A"),
    capped("B", {
      rewarded_auctions: 0,
      uncapped_low_native: 0,
      upper_cap_cut_low_native: 0,
      lower_cap_relief_low_native: 0,
      lower_cap_relief_high_native: 0,
      performance_low_native: 0,
    }),
    capped("C", { uncapped_low_native: null }),
    capped("D", { upper_capped_count: null, lower_capped_count: NaN, uncapped_low_native: 1 }),
  ]);
  assertEquals(rows.map(({ solver }) => solver), ["A", "D"]);
  assertStringIncludes(svg, "1 without a rewarded auction left out");
  assertStringIncludes(svg, "1 solver without known rewards left out");
  assertStringIncludes(svg, ">1 → 0.5 (−50%)<");
  assertDrawn(svg);
});

Deno.test("rewardCaps() sorts and limits within each week, on one axis", () => {
  const rows = [
    capped("A", { uncapped_low_native: 3, performance_low_native: 2.5 }),
    capped("B", { week_start: "2026-11-10T00:00:00Z" }),
    capped("C"),
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

testPicture(
  "rewardCaps",
  rewardCaps,
  [capped("A"), capped("B")],
  "Performance is worth 2 native tokens before the caps and 1 native tokens after them. Upper " +
    "caps withheld 1.5 native tokens, lower caps spared solvers 0.5 native tokens. The upper cap " +
    "decided 10 of 16 (62%) rewards, the lower cap 2 of 16 (12%).",
  [
    "No solver was rewarded in this range",
    [],
  ],
  ["No reward in this range is one that a cap could change", [
    capped("A", { performance_low_native: null }),
  ]],
);

const FIRST = "2026-11-17T00:00:00Z";
const SECOND = "2026-11-24T00:00:00Z";

/** A row whose total is known exactly. */
function reward(solver: string, facts: Partial<SolverRewardsRow> = {}): SolverRewardsRow {
  const own = {
    week_start: FIRST,
    solver,
    performance_low_native: 0.5,
    consistency_low_native: 0.25,
    quote_reward_low_native: 0.125,
    ...facts,
  };
  const total = (own.performance_low_native ?? 0) + (own.consistency_low_native ?? 0) +
    (own.quote_reward_low_native ?? 0);
  return { ...own, total_low_native: total, total_high_native: total, ...facts };
}

const REWARDS = [
  reward("exact"),
  reward("pays", { performance_low_native: -0.5, total_high_native: 0.5 }),
  reward("open", { performance_low_native: 0.125, total_high_native: null }),
];

Deno.test("solverRewards() stacks rewards right of zero and a penalty left of it", () => {
  const bars = marksOf(solverRewards(REWARDS).svg, "reward");
  const [performance, consistency, quotes] = bars;
  const zero = numberOf(performance, "x");
  assertAlmostEquals(zero + numberOf(performance, "width"), numberOf(consistency, "x"), 0.02);
  assertAlmostEquals(numberOf(performance, "width") / numberOf(quotes, "width"), 4, 0.02);
  const penalty = bars.find(({ title }) => title!.startsWith("pays\nperformance"));
  assertAlmostEquals(numberOf(penalty, "x") + numberOf(penalty, "width"), zero, 0.02);
  assertEquals(penalty!.attributes["fill"], "#d55e00");
});

Deno.test("solverRewards() draws, pale, how much more a total may be, and ? where nothing bounds it", () => {
  const { svg } = solverRewards(REWARDS);
  const [more, ...others] = marksOf(svg, "uncertain");
  assertEquals(others, []);
  // From -0.125 to 0.5 at most, right of what is certain: 0.25 and 0.125.
  const [, pays] = Map.groupBy(marksOf(svg, "reward"), ({ title }) => title!.startsWith("pays"))
    .get(true)!;
  const quotes = marksOf(svg, "reward").find(({ title }) => title!.startsWith("pays\nquote"))!;
  assertAlmostEquals(numberOf(more, "x"), numberOf(quotes, "x") + numberOf(quotes, "width"), 0.02);
  assertAlmostEquals(numberOf(more, "width") / numberOf(pays, "width"), 0.625 / 0.25, 0.02);
  assertEquals(svg.split(">?<").length, 2);
  assertStringIncludes(
    solverRewards(REWARDS.slice(0, 2)).finding,
    "add up to 0.75 to 1.375 native",
  );
  const known = solverRewards([REWARDS[0]!]).svg;
  assertEquals(known.includes("possibly more"), false);
  assertEquals(marksOf(known, "uncertain"), []);
});

Deno.test("solverRewards() has a panel per week on one axis, the unknown week last", () => {
  const { svg, title, rows: drawn } = solverRewards([
    reward("none", { week_start: null, performance_low_native: 0.125 }),
    reward("later", { week_start: new Date(SECOND) }),
    reward("sooner", { performance_low_native: 1 }),
  ]);
  assertEquals(
    title,
    "What solvers earned in auctions of 2 accounting weeks from 2026-11-17: 2.75 native tokens " +
      "in total",
  );
  assertEquals(drawn.map(({ solver }) => solver), ["sooner", "later", "none"]);
  const at = ["from 2026-11-17", "from 2026-11-24", "Auctions of an unknown week"]
    .map((text) => svg.indexOf(text));
  assertEquals(at.every((place) => place > 0), true);
  assertEquals(at, at.toSorted((a, b) => a - b));
  const [sooner, later] = marksOf(svg, "reward")
    .filter(({ title }) => title!.includes("performance"));
  assertAlmostEquals(numberOf(sooner, "width") / numberOf(later, "width"), 2, 0.01);
});

Deno.test("solverRewards() draws the parts that are known, and says which are not", () => {
  const { svg, title, rows: drawn } = solverRewards([
    reward("A", { consistency_low_native: null, total_low_native: null, total_high_native: null }),
    reward("B", { ...NOTHING, performance_low_native: NaN }),
  ]);
  assertEquals(drawn.map(({ solver }) => solver), ["A"]);
  assertEquals(title, "What solvers earned in auctions of the accounting week from 2026-11-17");
  assertEquals(marksOf(svg, "reward").length, 2);
  assertEquals(marksOf(svg, "uncertain"), []);
  assertStringIncludes(svg, ">unknown total<");
  assertStringIncludes(svg, "The consistency reward of 1 solver is unknown");
  assertStringIncludes(svg, "1 solver without a known reward left out");
  assertDrawn(svg);
});

Deno.test("solverRewards() sorts and limits within each week", () => {
  const many = Array.from({ length: 6 }, (_, at) =>
    reward(`solver ${at}`, {
      week_start: at < 3 ? FIRST : SECOND,
      quote_reward_low_native: at,
      performance_low_native: -at,
    }));
  const drawn = (options: Parameters<typeof solverRewards>[1]) =>
    solverRewards(many, options).rows.map(({ solver }) => Number(solver.slice(-1)));
  assertEquals(drawn({ sort: "-quote_reward", limit: 2 }), [2, 1, 5, 4]);
  assertEquals(drawn({ sort: "-performance" }), [0, 1, 2, 3, 4, 5]);
  assertEquals(drawn({ sort: "-solver", limit: 1 }), [2, 5]);
  assertStringIncludes(solverRewards(many, { limit: 1 }).svg, "4 more rows not drawn");
});

const NOTHING = {
  performance_low_native: null,
  consistency_low_native: null,
  quote_reward_low_native: null,
};
// 0.875 - 0.125 + 0.5 at least; nothing bounds one of them.
testPicture(
  "solverRewards",
  solverRewards,
  REWARDS,
  "exact earned the most, 0.875 native tokens. The rewards of 3 solvers add up to at least 1.25 " +
    "native tokens. 1 solver may have to pay a penalty.",
  ["No solver was rewarded in this range", []],
  [
    "No reward in this range is known",
    [reward("A", NOTHING)],
  ],
);
