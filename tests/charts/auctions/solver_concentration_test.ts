import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { solverConcentration, type SolverConcentrationRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function window(
  windows: string,
  equal_solvers: number | null,
  more: Partial<SolverConcentrationRow> = {},
): SolverConcentrationRow {
  return { windows, window_of: "2026-11-24", fills: 3, equal_solvers, ...more };
}

const rows = [
  window("pair", 3, { window_of: `0x${"a1".repeat(20)} 0x${"b2".repeat(20)}` }),
  window("week", 1.6, { largest_share: 0.75 }),
  window("pair", 1, { largest_share: 1, fills: 1 }),
  window("size", null),
];

Deno.test("solverConcentration() draws a dot per window, weeks above pairs", () => {
  const chart = solverConcentration(rows);
  assertEquals(chart.title, "Volume of 1 week is as concentrated as with 1.6 equal solvers");
  assertEquals(chart.rows.map(({ windows }) => windows), ["week", "pair", "pair"]);
  const [week, one, three] = marksOf(chart.svg, "window");
  const [x, from, to] = [week, one, three].map((dot) => numberOf(dot, "cx"));
  assertAlmostEquals((x! - from!) / (to! - from!), 0.3, 0.01);
  assertEquals(
    week!.title,
    "2026-11-24\n1.6 equal solvers\nthe largest settled 75%\n3 fills",
  );
  assertEquals(three!.title, "0xa1a1…a1a1 → 0xb2b2…b2b2\n3 equal solvers\n3 fills");
  assertStringIncludes(chart.svg, "1 window without volume left out");
  assertDrawn(chart.svg);
});

testPicture("solverConcentration", solverConcentration, rows, ["No fills in this range", []], [
  "No window of this range has fills of a known solver and volume",
  [window("week", null)],
]);
