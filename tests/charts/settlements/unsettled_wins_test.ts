import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { unsettledWins, type UnsettledWinsRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function win(outcome: string, score: number | null, more: Partial<UnsettledWinsRow> = {}) {
  return { auction_id: 7, position: 1, outcome, score_native: score, ...more };
}

const owed = (low: number, high = low) => ({ penalty_low_native: low, penalty_high_native: high });
/** Of four wins with scores from 0.01 to 0.1 one failed; of two from 1 to 10 both did. */
const rows = [
  win("in_time", 0.01, owed(0)),
  win("in_time", 0.02, owed(0)),
  win("in_time", 0.099, owed(0)),
  win("late", 0.05, owed(0.01)),
  win("absent", 1, owed(0.01)),
  win("absent", 9, owed(0, 0.01)),
  // A second order of a solution, and wins that are not decided.
  win("absent", 9, { position: 2 }),
  win("pending", 3),
  win("unknown", 3),
];

Deno.test("unsettledWins() has a row for each power of ten, with the share that failed", () => {
  const chart = unsettledWins(rows, { nativeSymbol: "ETH" });
  assertEquals(chart.title, "3 of 6 (50%) wins were not settled in time");
  assertEquals(chart.rows.length, 6);
  const [large, small] = marksOf(chart.svg, "share");
  assertStringIncludes(large!.title!, "score 1 to 10\n100% not in time");
  assertStringIncludes(small!.title!, "score 0.01 to 0.1\n25% not in time");
  assertStringIncludes(small!.title!, "1 late, 0 absent of 4 wins");
  const [from, to] = [numberOf(small!, "cx"), numberOf(large!, "cx")];
  const [whole] = marksOf(chart.svg, "interval").map((line) => numberOf(line, "x2"));
  // The interval of two of two ends at 100%, and that of one of four begins at 4.6%.
  assertAlmostEquals(whole!, to, 0.01);
  const begins = numberOf(marksOf(chart.svg, "interval")[1]!, "x1");
  assertAlmostEquals((from - begins) / (to - from), (0.25 - 0.0456) / 0.75, 0.001);
  assertStringIncludes(chart.svg, "2 wins pending, unknown or below 0 not counted");
  assertDrawn(chart.svg);
});

Deno.test("unsettledWins() says what failures held of the score, and what solvers owe", () => {
  // 0.05 + 1 + 9 of 0.179 + 10 is 0.9873; 0.02 at least, 0.03 at most.
  assertEquals(
    unsettledWins(rows, { nativeSymbol: "ETH" }).finding,
    "3 of 6 (50%) wins were not settled in time: 1 late, 2 absent. They held 98.7% of the score of " +
      "all wins. Their solvers owe between 0.02 and 0.03 ETH for them.",
  );
  assertEquals(
    unsettledWins([win("in_time", 1)]).finding,
    "0 of 1 (0%) wins were not settled in time: 0 late, 0 absent.",
  );
});

Deno.test("unsettledWins() shows scores of 0 in a row of their own", () => {
  const { svg } = unsettledWins([win("late", 0), win("in_time", 2)]);
  assertStringIncludes(marksOf(svg, "share")[1]!.title!, "score 0\n100% not in time");
});

testPicture("unsettledWins", unsettledWins, rows, ["No wins in this range", []], [
  "No win in this range has a known outcome and score",
  [win("pending", 1), win("late", null)],
]);
