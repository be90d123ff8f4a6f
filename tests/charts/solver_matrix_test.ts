import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { solverMatrix, type SolverMatrixRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf } from "./svg_marks.ts";

const rows: SolverMatrixRow[] = [
  { solver: "A", pair: "WETH → USDC", bids: 8, wins: 8 },
  { solver: "A", pair: "USDC → WETH", bids: 4, wins: 1 },
  { solver: "A", pair: "DAI → WETH", bids: 2, wins: 1 },
  { solver: "B", pair: "WETH → USDC", bids: 8, wins: 0 },
];

function texts(svg: string): string[] {
  return [...svg.matchAll(/>(-?[\d.KMB]+\/[\d.KMB]+)<\/text>/g)].map(([, text]) => text!);
}

Deno.test("solverMatrix() prints wins and bids in a cell for each solver and pair", () => {
  const { svg, title } = solverMatrix(rows);
  assertEquals(title, "Which solver bids on which pair, and wins: 10 of 22 bids won");
  const cells = marksOf(svg, "pair");
  assertEquals(cells.length, 4);
  assertEquals(texts(svg).toSorted(), ["0/8", "1/2", "1/4", "8/8"]);
  assertStringIncludes(cells[0]!.title!, "A\nWETH → USDC\nwon 8 of 8 bids (100 %)");
  assertStringIncludes(svg, "Blank: no bids");
});

Deno.test("solverMatrix() shades a cell by how many of its bids won", () => {
  const cells = marksOf(solverMatrix(rows).svg, "pair");
  const shades = cells.map((cell) => cell.attributes["fill"]);
  assertEquals(shades, ["#08519c", "#cfe1f2", "#93c4de", "#f1f5f9"]);
});

Deno.test("solverMatrix() has pairs from top to bottom where there are more of them, most bids first", () => {
  const [first, second, third] = marksOf(solverMatrix(rows).svg, "pair");
  assertEquals(numberOf(first, "x"), numberOf(second, "x"));
  assert(numberOf(first, "y") < numberOf(second, "y"));
  assert(numberOf(second, "y") < numberOf(third, "y"));
  const turned = solverMatrix([...rows.slice(0, 1), { ...rows[0]!, solver: "C" }]);
  const [a, c] = marksOf(turned.svg, "pair");
  assertEquals(numberOf(a, "x"), numberOf(c, "x"));
});

Deno.test("solverMatrix() adds rows of the same solver and pair", () => {
  const { svg } = solverMatrix([rows[0]!, rows[0]!]);
  assertEquals(texts(svg), ["16/16"]);
});

Deno.test("solverMatrix() leaves out rows without counts, and says so", () => {
  const { svg, rows: drawn } = solverMatrix([
    rows[0]!,
    { ...rows[0]!, bids: null },
    { ...rows[0]!, wins: NaN },
    { ...rows[0]!, wins: -1 },
    { solver: "A", pair: "none", bids: 0, wins: 0 },
  ]);
  assertStringIncludes(svg, "3 rows without counts left out");
  assertEquals(drawn.length, 2);
  assertDrawn(svg);
});

Deno.test("solverMatrix() says honestly that there is nothing to draw", () => {
  assertStringIncludes(solverMatrix([]).svg, "No bids in this range");
  assertStringIncludes(
    solverMatrix([{ ...rows[0]!, bids: null }]).svg,
    "No row in this range has its counts",
  );
});

Deno.test("solverMatrix() draws as many of 10,000 cells as fit, and says how many more there are", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    solver: `A solver with a very long name, number ${index % 100}`,
    pair: `TOKEN${Math.floor(index / 100)} → A_TOKEN_WITH_A_LONG_SYMBOL`,
    bids: 12_345_678,
    wins: 1,
  }));
  const { svg, rows: drawn } = solverMatrix(many);
  assertStringIncludes(svg, "40 more pairs with 49,382,712,000 bids not drawn");
  assertStringIncludes(svg, "more solvers with");
  assertEquals(drawn.length, marksOf(svg, "pair").length);
  assertEquals(texts(svg)[0], "1/12.3M");
});

Deno.test("solverMatrix() draws the same figure for the same rows", async (t) => {
  await t.assertSnapshot(solverMatrix(rows, { source: "a test" }).svg.split("><"));
});
