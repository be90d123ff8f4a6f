import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { solverLeaderboard, type SolverLeaderboardRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function solver(name: string, facts: Partial<SolverLeaderboardRow> = {}): SolverLeaderboardRow {
  return {
    solver: name,
    auctions_bid: 10,
    auctions_won: 5,
    win_rate: 0.5,
    win_rate_low: 0.25,
    win_rate_high: 0.75,
    score_share: 0.5,
    in_time_rate: 1,
    in_time_rate_low: 0.6,
    in_time_rate_high: 1,
    ...facts,
  };
}

const rows = [
  solver("seldom", { auctions_won: 1, win_rate: 0, win_rate_low: 0, win_rate_high: 0.25 }),
  solver("often", { auctions_won: 8, win_rate: 1, win_rate_high: 1, score_share: 0.25 }),
];

Deno.test("solverLeaderboard() lists solvers by wins, and says who won most", () => {
  const chart = solverLeaderboard(rows);
  assertEquals(chart.rows.map((row) => row.solver), ["often", "seldom"]);
  assertEquals(chart.title, "often won the most auctions: 8 of 10 it bid in");
  assertStringIncludes(chart.svg, "1 of 10");
  assertStringIncludes(chart.svg, "n = 2 solvers");
});

Deno.test("solverLeaderboard() says when several won most", () => {
  assertEquals(
    solverLeaderboard([solver("A"), solver("B")]).title,
    "A and 1 other won the most auctions, 5 each",
  );
});

Deno.test("solverLeaderboard() draws one dot per rate on its interval, and one bar per share from zero", () => {
  const { svg } = solverLeaderboard(rows);
  const [often, seldom] = marksOf(svg, "win_rate");
  const [line] = marksOf(svg, "win_rate_interval");
  assertEquals(numberOf(line, "x2"), numberOf(often, "cx"), "the interval ends at 100%");
  const axis = numberOf(often, "cx") - numberOf(seldom, "cx");
  assertAlmostEquals((numberOf(line, "x2") - numberOf(line, "x1")) / axis, 0.75, 0.01);
  const [quarter, half] = marksOf(svg, "score_share").map((bar) => numberOf(bar, "width"));
  assertAlmostEquals(half! / quarter!, 2, 0.01);
  assertEquals(marksOf(svg, "in_time_rate").length, 2);
  assertStringIncludes(often!.title!, "Win rate: 100%, interval 25% to 100%");
});

Deno.test("solverLeaderboard() leaves out measures that nobody has, and says whose are missing", () => {
  const { svg } = solverLeaderboard([
    solver("A", { score_share: null, in_time_rate: NaN }),
    solver("B", { score_share: null }),
    { solver: "C", auctions_bid: 0, auctions_won: 0, win_rate: null },
  ]);
  assertEquals(marksOf(svg, "score_share"), []);
  assertStringIncludes(svg, "&quot;share of total score&quot; is unknown for every solver");
  assertStringIncludes(svg, "&quot;settled in time&quot; is unknown for 2 solvers");
  assertStringIncludes(svg, "&quot;win rate&quot; is unknown for 1 solver");
  assertEquals(marksOf(svg, "win_rate").length, 2);
  assertDrawn(svg);
});

Deno.test("solverLeaderboard() draws 50 solvers with long names apart, and 60 of 10,000", () => {
  const many = (size: number) =>
    Array.from(
      { length: size },
      (_, index) => solver(`A solver with a very long name, number ${index}, of a large group`),
    );
  const { svg } = solverLeaderboard(many(50));
  for (let index = 0; index < 50; index++) assertStringIncludes(svg, `number ${index}, of`);
  assertEquals(marksOf(svg, "win_rate").length, 50);
  const long = solverLeaderboard(many(10_000));
  assertEquals(long.rows.length, 60);
  assertStringIncludes(long.svg, "9,940 more solvers with 49,700 wins not drawn");
});

testPicture("solverLeaderboard", solverLeaderboard, rows, ["No solvers in this range", []], [
  "No solver in this range has a known rate",
  [{ solver: "A", auctions_bid: 0, auctions_won: 0, win_rate: null }],
]);
