import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { settlementOutcomes, type SettlementOutcomesRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function solver(name: string, facts: Partial<SettlementOutcomesRow> = {}): SettlementOutcomesRow {
  return { solver: name, in_time: 8, late: 0, absent: 0, pending: 0, ...facts };
}

const rows = [
  solver("reliable", { in_time: 9 }),
  solver("not so", { in_time: 6, late: 2, absent: 1, pending: 1, unknown: 2 }),
];

Deno.test("settlementOutcomes() stacks the outcomes of each solver, most wins first", () => {
  const chart = settlementOutcomes(rows);
  assertEquals(chart.title, "15 of 21 winning solutions were settled in time");
  assertEquals(chart.rows.map((row) => row.solver), ["not so", "reliable"]);
  const bars = marksOf(chart.svg, "outcome");
  assertEquals(bars.map((bar) => bar.title!.split("\n")[1]), [
    "in time: 6 of 12 (50%)",
    "late: 2 of 12 (17%)",
    "absent: 1 of 12 (8.3%)",
    "pending: 1 of 12 (8.3%)",
    "unknown: 2 of 12 (17%)",
    "in time: 9 of 9 (100%)",
  ]);
  assertEquals(new Set(bars.map((bar) => bar.attributes["fill"])).size, 5);
  const [first, second] = bars;
  assertAlmostEquals(
    numberOf(first, "x") + numberOf(first, "width"),
    numberOf(second, "x"),
    0.02,
    "bars lie end to end",
  );
  assertAlmostEquals(numberOf(first, "width") / numberOf(second, "width"), 3, 0.01);
});

Deno.test("settlementOutcomes() shows what was not in time on an axis of its own", () => {
  const { svg } = settlementOutcomes(rows);
  const few = marksOf(svg, "not_in_time");
  assertEquals(few.map((bar) => bar.title!.split("\n")[1]!.split(":")[0]), [
    "late",
    "absent",
    "pending",
    "unknown",
  ]);
  assertEquals(marksOf(settlementOutcomes([solver("A")]).svg, "not_in_time"), []);
});

Deno.test("settlementOutcomes() has outcomes in its legend that there are, and no others", () => {
  const { svg } = settlementOutcomes([solver("A", { late: 1 })]);
  assertStringIncludes(svg, ">in time</text>");
  assertStringIncludes(svg, ">late</text>");
  assertEquals(svg.includes(">pending</text>"), false);
});

Deno.test("settlementOutcomes() leaves out solvers whose counts are none, and says so", () => {
  const { svg, rows: drawn } = settlementOutcomes([
    solver("A", { in_time: NaN }),
    solver("B", { late: -1 }),
    solver("C", { absent: null as never }),
    solver("D", { unknown: null, in_time: 1e12 }),
  ]);
  assertEquals(drawn.map((row) => row.solver), ["D"]);
  assertStringIncludes(svg, "3 solvers without counts left out");
  assertDrawn(svg);
});

Deno.test("settlementOutcomes() sorts as asked", () => {
  const { rows: drawn } = settlementOutcomes(rows, { sort: "late", width: 300 });
  assertEquals(drawn.map((row) => row.solver), ["reliable", "not so"]);
});

testPicture("settlementOutcomes", settlementOutcomes, rows, [
  "No winning solutions in this range",
  [],
], ["No winning solutions in this range", [solver("A", { in_time: 0 })]]);
