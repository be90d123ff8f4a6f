import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { gasSurplus, type GasSurplusRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function solver(
  name: string | null,
  surplus: number | null,
  gas: number,
  more: Partial<GasSurplusRow> = {},
): GasSurplusRow {
  return {
    solver: name,
    fills: 4,
    unknown_count: 1,
    below_gas_count: 1,
    surplus_native: surplus,
    gas_cost_native: gas,
    after_gas_native: surplus === null ? null : surplus - gas,
    ...more,
  };
}

const rows = [
  solver("B", 1, 0.5),
  solver("A", 4, 0.5),
  solver("C", -1, 0.5),
  solver(null, 0, 0, { fills: 0, unknown_count: 7 }),
];

Deno.test("gasSurplus() draws the share of the surplus that went into gas, most surplus first", () => {
  const chart = gasSurplus(rows, { nativeSymbol: "ETH" });
  assertEquals(chart.title, "12 fills took 1.5 ETH of gas, 38% of the surplus");
  assertEquals(chart.rows.map((row) => row.solver), ["A", "B", "C"]);
  const bars = marksOf(chart.svg, "gas");
  const [first, second, none] = bars.map((bar) => numberOf(bar, "width"));
  assertAlmostEquals(second! / first!, 4, 0.01);
  assertEquals(none, 0);
  assertEquals(bars[0]!.title, "A\nsurplus 4 ETH\ngas 0.5 ETH\n1 of 4 (25%) fills below their gas");
  assertStringIncludes(chart.svg, "−1.5 ETH left");
  assertStringIncludes(chart.svg, "10 fills without a known surplus or gas left out");
  assertStringIncludes(chart.svg, "No bar where there is no surplus");
  assertDrawn(chart.svg);
});

testPicture("gasSurplus", gasSurplus, rows, ["No fills in this range", []], [
  "No fill in this range has a known surplus and gas",
  rows.slice(3),
], ["7 fills without a known surplus or gas left out", rows.slice(3)]);
