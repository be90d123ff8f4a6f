import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { solverMatrix, type SolverMatrixRow } from "orderlens/charts";
import { marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

const rows: SolverMatrixRow[] = [
  { solver: "A", pair: "WETH → USDC", bids: 8, wins: 8 },
  { solver: "A", pair: "USDC → WETH", bids: 4, wins: 1 },
  { solver: "A", pair: "DAI → WETH", bids: 2, wins: 1 },
  { solver: "B", pair: "WETH → USDC", bids: 8, wins: 0 },
];

testSays("solverMatrix", {
  "counts wins and bids": [() => solverMatrix(rows.slice(1)), "2 of 14 bids on 3 pairs won"],
  "adds rows of the same solver and pair": [
    () => solverMatrix([rows[0]!, rows[0]!]),
    ">16/16</text>",
    { lacks: ">8/8<" },
  ],
  "leaves out rows without counts, and says so": [
    () =>
      solverMatrix([
        rows[0]!,
        { ...rows[0]!, bids: null },
        { ...rows[0]!, wins: NaN },
        { ...rows[0]!, wins: -1 },
        { solver: "A", pair: "none", bids: 0, wins: 0 },
      ]),
    2,
    "3 rows without counts left out",
  ],
});

Deno.test("solverMatrix() has pairs from left to right where there are more solvers", () => {
  const turned = solverMatrix([rows[0]!, { ...rows[0]!, solver: "C" }]);
  const [a, c] = marksOf(turned.svg, "pair");
  assertEquals(numberOf(a, "x"), numberOf(c, "x"));
});

Deno.test("solverMatrix() shades shares alike in every picture, the stronger the more bids won", () => {
  const shade = (wins: number, others: SolverMatrixRow[] = []) =>
    marksOf(solverMatrix([{ ...rows[0]!, bids: 100, wins }, ...others]).svg, "pair")
      .find(({ title }) => title?.includes("of 100 bids"))?.attributes ?? {};
  const some = [1, 25, 50, 76, 99].map((wins) => shade(wins));
  assertEquals(new Set(some.map(({ fill }) => fill)).size, 1);
  const strengths = some.map((one) => Number(one["fill-opacity"]));
  assert(strengths.every((one, at) => at === 0 || one > strengths[at - 1]!), `${strengths}`);
  assertEquals(shade(51, rows.slice(1))["fill-opacity"], shade(51)["fill-opacity"]);
  assertEquals(new Set([0, 99, 100].map((wins) => shade(wins)["fill"])).size, 3);
  const { svg } = solverMatrix(rows.slice(0, 2));
  assertStringIncludes(svg, ">some bids won: the more, the stronger</text>");
  assert(!svg.includes(">no bid won</text>"), "which no cell has");
});

Deno.test("solverMatrix() sorts by wins, then by bids", () => {
  const { svg } = solverMatrix([
    { solver: "A", pair: "few bids", bids: 4, wins: 3 },
    { solver: "A", pair: "many bids", bids: 9, wins: 3 },
    { solver: "A", pair: "no wins", bids: 90, wins: 0 },
    { solver: "A", pair: "most wins", bids: 5, wins: 5 },
  ]);
  const cells = marksOf(svg, "pair").toSorted((a, b) => numberOf(a, "y") - numberOf(b, "y"));
  assertEquals(cells.map(({ title }) => title?.split("\n")[1]), [
    "most wins",
    "many bids",
    "few bids",
    "no wins",
  ]);
});

Deno.test("solverMatrix() draws as many of 4,225 cells as fit, and adds up the others in a last row and column", () => {
  const many = Array.from({ length: 65 * 65 }, (_, index) => ({
    solver: `A solver with a very long name, number ${index % 65}`,
    pair: `TOKEN${Math.floor(index / 65)} → A_TOKEN_WITH_A_LONG_SYMBOL`,
    bids: 12_345_678,
    wins: 1,
  }));
  const { svg, rows: drawn } = solverMatrix(many);
  // 60 of 65 pairs have a row; 5 pairs of 65 solvers with 12,345,678 bids each are in the last.
  assertStringIncludes(svg, "5 other pairs with 4,012,345,350 bids combined in the last row");
  assertStringIncludes(svg, "combined in the last column");
  assertStringIncludes(svg, ">1/12.3M</text>");
  assertEquals(drawn.length, 4_225);
  const counts = marksOf(svg, "pair").map(({ title }) =>
    Number(title?.match(/of ([\d,]+) bids/)?.[1]?.replaceAll(",", ""))
  );
  assertEquals(counts.reduce((sum, one) => sum + one, 0), 4_225 * 12_345_678);
});

testPicture(
  "solverMatrix",
  solverMatrix,
  rows,
  "Both solvers bid on 1 of 3 (33%) directed pairs. The most wins are those of A on WETH → USDC: " +
    "8 of 8 (100%) bids.",
  ["No bids in this range", []],
  [
    "No row in this range has its counts",
    [{ ...rows[0]!, bids: null }],
  ],
);
