import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { solverImbalances, type SolverImbalancesRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function row(
  solver: string,
  block_number: number,
  net_value_native: number | null,
  facts: Partial<SolverImbalancesRow> = {},
): SolverImbalancesRow {
  return { tx_hash: `0x${block_number}`, solver, block_number, net_value_native, ...facts };
}

/** A leaves 0.5 and 0.25, then takes 1; B leaves 0.125. */
const ROWS = [
  row("A", 100, 0.75, { symbol: "GLD" }),
  row("A", 100, -0.25, { symbol: "SLV" }),
  row("B", 110, 0.125, { symbol: "GLD" }),
  row("A", 120, -1, { symbol: "GLD" }),
  row("A", 110, 0.25, { symbol: "GLD" }),
];

Deno.test("solverImbalances() adds up what each solver's settlements left in the contract", () => {
  const { svg, title, rows } = solverImbalances(ROWS, { nativeSymbol: "ETH" });
  assertEquals(title, "What settlements left in the settlement contract: −0.125 ETH");
  assertStringIncludes(svg, ">A: −0.25 ETH<");
  assertStringIncludes(svg, ">B: +0.125 ETH<");
  assertStringIncludes(svg, "n = 4 settlements");
  assertEquals(rows.map(({ block_number }) => block_number), [100, 100, 110, 110, 120]);
  const dots = marksOf(svg, "settlement");
  assertEquals(dots.map(({ title }) => title), [
    "A\nblock 100: +0.5 ETH\n  GLD +0.75\n  SLV −0.25\ntotal +0.5 ETH",
    "A\nblock 110: +0.25 ETH\n  GLD +0.25\ntotal +0.75 ETH",
    "A\nblock 120: −1 ETH\n  GLD −1\ntotal −0.25 ETH",
    "B\nblock 110: +0.125 ETH\n  GLD +0.125\ntotal +0.125 ETH",
  ]);
  const [first, second, third, other] = dots.map((dot) => ({
    x: numberOf(dot, "cx"),
    y: numberOf(dot, "cy"),
  }));
  assertAlmostEquals(second!.x - first!.x, third!.x - second!.x, 0.05);
  assertEquals(second!.x, other!.x);
  // From 0.75 to -0.25 it is four times as far as from 0.5 to 0.75.
  assertAlmostEquals((third!.y - second!.y) / (first!.y - second!.y), 4, 0.01);
});

Deno.test("solverImbalances() says which values are not known, and leaves them out of the sums", () => {
  const { svg, title, rows } = solverImbalances([
    ...ROWS,
    row("A", 120, null, { symbol: "DST", value_reason: "no_native_price" }),
    row("B", 130, null, { value_reason: "logs_incomplete" }),
    row("B", 131, null, { value_reason: "logs_incomplete" }),
    row("B", 132, null, { value_reason: "No log of the token transfers 7 atoms of a trade" }),
    row("B", 133, NaN, { value_reason: "no_auction" }),
  ], { nativeSymbol: "ETH" });
  assertEquals(rows.length, ROWS.length);
  assertEquals(
    title,
    "What settlements left in the settlement contract: −0.125 ETH, where it is known",
  );
  for (
    const part of [
      "1 (no native price)",
      "2 (logs are missing)",
      "1 (the flows are not known)",
      "1 (the auction was not read) of",
    ]
  ) assertStringIncludes(svg.replaceAll(/<\/text><text [^>]*>/g, " "), part);
  assert(marksOf(svg, "settlement").some((dot) => dot.title?.includes("DST of unknown value")));
});

Deno.test("solverImbalances() keeps settlements of one block apart, and joins small solvers", () => {
  const crowd = "ABCDEFGH".split("").flatMap((solver, at) =>
    Array.from({ length: 9 - at }, (_, nth) => row(solver, nth, 1, { tx_hash: `${solver}${nth}` }))
  );
  const { svg } = solverImbalances(crowd);
  assertStringIncludes(svg, "n = 44 settlements");
  assertStringIncludes(svg, ">2 other solvers: +5 native tokens<");
  assertEquals(marksOf(svg, "total").length, 7);
  assertStringIncludes(solverImbalances(crowd, { limit: 1 }).svg, ">7 other solvers: +35");
});

Deno.test("solverImbalances() draws thousands of settlements as lines without dots", () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => row(`S${at % 3}`, at, at % 2 ? -1 : 1));
  const { svg } = solverImbalances(rows);
  assertEquals([marksOf(svg, "total").length, marksOf(svg, "settlement").length], [3, 0]);
  assertDrawn(svg);
});

testPicture("solverImbalances", solverImbalances, ROWS, ["No settlement in this range", []], [
  "No settlement in this range has an imbalance of a known value",
  [row("A", 1, null)],
]);
