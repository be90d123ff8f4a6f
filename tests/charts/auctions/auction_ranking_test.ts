import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { InputError } from "orderlens";
import { auctionRanking, type AuctionRankingRow, Chart } from "orderlens/charts";
import { assertDrawn, fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function solution(ranking: number, facts: Partial<AuctionRankingRow>): AuctionRankingRow {
  return {
    auction_id: 7,
    ranking,
    solver: `solver ${ranking}`,
    score_native: 1,
    is_winner: false,
    filtered_out: false,
    ...facts,
  };
}

const rows = [
  solution(1, { is_winner: true, score_native: 3, reference_score_native: 2 }),
  solution(2, { is_winner: true, score_native: 1, reference_score_native: 3 }),
  solution(3, { score_native: 0.5 }),
  solution(4, { filtered_out: true, score_native: 4, missed_pair: "WETH → USDC" }),
];

Deno.test("auctionRanking() draws one bar per solution: winners solid, filtered ones hollow", () => {
  const { svg } = auctionRanking(rows.toReversed());
  const bars = marksOf(svg, "score");
  assertEquals(fillsOf(svg, "score"), ["#0072b2", "#0072b2", "#b8bec5", "white"]);
  const widths = bars.map((bar) => numberOf(bar, "width"));
  assertAlmostEquals(widths[3]! / widths[1]!, 4, 0.01, "bars start at zero");
  assertStringIncludes(svg, "missed WETH → USDC");
  assertStringIncludes(bars[0]!.title!, "solver 1\nranking 1, winner\nscore 3");
});

Deno.test("auctionRanking() keeps a score whole where there is no room for the pair beside it", () => {
  const { svg } = auctionRanking([
    solution(1, { score_native: 0.003623 }),
    solution(2, { filtered_out: true, score_native: 0.002937, missed_pair: "WETH → USDC" }),
  ], { width: 260 });
  assertStringIncludes(svg, ">0.002937<");
});

Deno.test("auctionRanking() lays the winners to the total and shows what each solver added", () => {
  const { svg } = auctionRanking(rows);
  assertStringIncludes(svg, "Total score 4");
  const shares = marksOf(svg, "share");
  const [first, second, addedBy1, addedBy2] = shares.map((bar) => numberOf(bar, "width"));
  assertAlmostEquals(first! / second!, 3, 0.05);
  assertAlmostEquals(addedBy1! / addedBy2!, 2, 0.05);
  assertEquals(
    numberOf(shares[2], "x") + addedBy1!,
    numberOf(shares[1], "x") + second!,
    "what a solver added ends at the total",
  );
});

Deno.test("auctionRanking() shows an auction that was worth less with a solver the other way", () => {
  const { svg } = auctionRanking([
    solution(1, { is_winner: true, score_native: 3, reference_score_native: 5 }),
  ]);
  const [total, added] = marksOf(svg, "share");
  assertEquals(added!.attributes["fill"], "#d55e00");
  assertAlmostEquals(numberOf(added, "x"), numberOf(total, "x") + numberOf(total, "width"), 0.1);
  assertStringIncludes(svg, "−2");
});

Deno.test("auctionRanking() draws a solver's reference score once, however often it won", () => {
  const won = { is_winner: true, solver: "A", reference_score_native: 1 };
  const { svg } = auctionRanking([solution(1, won), solution(2, won)]);
  assertEquals(marksOf(svg, "share").length, 3);
});

Deno.test("auctionRanking() puts scores that differ a thousandfold on a logarithmic axis as dots", () => {
  const { svg } = auctionRanking([
    rows[0]!,
    solution(2, { score_native: 1e-9 }),
    solution(3, { score_native: 0 }),
  ]);
  assertStringIncludes(svg, "logarithmic");
  assertStringIncludes(svg, "1 score of 0 drawn at the edge of the axis");
  assertEquals(marksOf(svg, "score").map(({ name }) => name), ["circle", "circle", "circle"]);
  assertDrawn(svg);
});

Deno.test("auctionRanking() keeps solutions apart whose ranking and solver are the same", () => {
  const { svg } = auctionRanking([solution(1, {}), solution(1, {})]);
  const [first, second] = marksOf(svg, "score");
  assertNotEquals(numberOf(first, "y"), numberOf(second, "y"));
});

Deno.test("auctionRanking() says what it leaves out: the rest of many, other auctions, no scores", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => solution(index + 1, {}));
  const long = auctionRanking(many);
  assertStringIncludes(long.svg, "9,940 more solutions not drawn");
  assertEquals(long.rows.length, 60);
  const { svg, rows: drawn } = auctionRanking([
    ...rows,
    solution(5, { auction_id: 8 }),
    solution(6, { score_native: null }),
    solution(7, { score_native: Infinity }),
  ]);
  assertStringIncludes(svg, "2 rows without a number in score_native left out");
  assertStringIncludes(svg, "1 row of other auctions left out");
  assertEquals(drawn.length, 4);
});

Deno.test("auctionRanking() sorts and limits as asked", () => {
  const { rows: drawn } = auctionRanking(rows, { sort: "-score_native", limit: 2 });
  assertEquals(drawn.map((row) => row.ranking), [4, 1]);
});

Deno.test("Chart becomes a PNG with its text drawn", async () => {
  const { title, svg } = auctionRanking(rows);
  const bare = svg.replaceAll(/<text[^]*?<\/text>/g, "");
  const [whole, textless] = await Promise.all(
    [svg, bare].map((svg) => new Chart({ title, svg, rows: [] }).png({ scale: 1 })),
  );
  assertEquals([...whole!.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert(whole!.length > textless!.length, "text adds nothing to the picture");
  await assertRejects(() => auctionRanking(rows).png({ scale: 0 }), InputError, "scale 0");
});

Deno.test("auctionRanking() draws both panels on one axis", () => {
  const won = { is_winner: true };
  const { svg } = auctionRanking([
    solution(1, { ...won, score_native: 3, reference_score_native: 2 }),
    solution(2, won),
  ]);
  const [first, second] = [...marksOf(svg, "score"), ...marksOf(svg, "share")]
    .filter(({ title }) => title?.includes("score 3"));
  assertEquals(numberOf(first, "width"), numberOf(second, "width"));
  assertEquals(numberOf(first, "x"), numberOf(second, "x"));
});

testPicture(
  "auctionRanking",
  (of, options) => auctionRanking(of, { ...options, nativeSymbol: "ETH" }),
  rows,
  ["No solutions in this auction", []],
  ["No solution in this auction has a score", [solution(1, { score_native: NaN })]],
);
