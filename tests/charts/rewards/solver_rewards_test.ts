import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { solverRewards, type SolverRewardsRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

const FIRST = "2026-11-17T00:00:00Z";
const SECOND = "2026-11-24T00:00:00Z";

/** A row whose total is known exactly. */
function row(solver: string, facts: Partial<SolverRewardsRow> = {}): SolverRewardsRow {
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

const rows = [
  row("exact"),
  row("pays", { performance_low_native: -0.5, total_high_native: 0.5 }),
  row("open", { performance_low_native: 0.125, total_high_native: null }),
];

Deno.test("solverRewards() stacks rewards right of zero and a penalty left of it", () => {
  const { svg, title, rows: drawn } = solverRewards(rows, { nativeSymbol: "ETH" });
  // 0.875 - 0.125 + 0.5 at least; nothing bounds one of them.
  assertEquals(
    title,
    "What solvers earned in auctions of the accounting week from 2026-11-17: at least 1.25 ETH in total",
  );
  assertEquals(drawn.map(({ solver }) => solver), ["exact", "open", "pays"]);
  const bars = marksOf(svg, "reward");
  assertEquals(bars.slice(0, 3).map((bar) => bar.title), [
    "exact\nperformance reward: 0.5 ETH, lower bound",
    "exact\nconsistency reward: 0.25 ETH, lower bound",
    "exact\nquote rewards: 0.125 ETH, lower bound",
  ]);
  const [performance, consistency, quotes] = bars;
  const zero = numberOf(performance, "x");
  assertAlmostEquals(zero + numberOf(performance, "width"), numberOf(consistency, "x"), 0.02);
  assertAlmostEquals(numberOf(performance, "width") / numberOf(quotes, "width"), 4, 0.02);
  const penalty = bars.find(({ title }) => title!.startsWith("pays\nperformance"));
  assertEquals(penalty!.title, "pays\nperformance reward: −0.5 ETH, lower bound");
  assertAlmostEquals(numberOf(penalty, "x") + numberOf(penalty, "width"), zero, 0.02);
  assertEquals(penalty!.attributes["fill"], "#d55e00");
  assertStringIncludes(svg, ">penalty</text>");
});

Deno.test("solverRewards() draws, pale, how much more a total may be, and ? where nothing bounds it", () => {
  const { svg } = solverRewards(rows);
  const [more, ...others] = marksOf(svg, "uncertain");
  assertEquals(others, []);
  // From -0.125 to 0.5 at most, right of what is certain: 0.25 and 0.125.
  const [, pays] = Map.groupBy(marksOf(svg, "reward"), ({ title }) => title!.startsWith("pays"))
    .get(true)!;
  const quotes = marksOf(svg, "reward").find(({ title }) => title!.startsWith("pays\nquote"))!;
  assertAlmostEquals(numberOf(more, "x"), numberOf(quotes, "x") + numberOf(quotes, "width"), 0.02);
  assertAlmostEquals(numberOf(more, "width") / numberOf(pays, "width"), 0.625 / 0.25, 0.02);
  assertEquals(svg.split(">?<").length, 2);
  for (const text of [">0.875<", ">at least 0.500<", ">−0.125 to 0.500<", ">possibly more<"]) {
    assertStringIncludes(svg, text);
  }
  assertStringIncludes(svg, "?: nothing bounds the total of 1 solver from above");
  const known = solverRewards([rows[0]!]).svg;
  assertEquals(known.includes("possibly more"), false);
  assertEquals(marksOf(known, "uncertain"), []);
});

Deno.test("solverRewards() has a panel per week on one axis, the unknown week last", () => {
  const { svg, title, rows: drawn } = solverRewards([
    row("none", { week_start: null, performance_low_native: 0.125 }),
    row("later", { week_start: new Date(SECOND) }),
    row("sooner", { performance_low_native: 1 }),
  ]);
  assertEquals(
    title,
    "What solvers earned in auctions of 2 accounting weeks from 2026-11-17: 2.75 native tokens in total",
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
    row("A", { consistency_low_native: null, total_low_native: null, total_high_native: null }),
    row("B", { ...NOTHING, performance_low_native: NaN }),
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
    row(`solver ${at}`, {
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
testPicture("solverRewards", solverRewards, rows, ["No solver was rewarded in this range", []], [
  "No reward in this range is known",
  [row("A", NOTHING)],
]);
