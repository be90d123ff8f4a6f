import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  auctionRanking,
  type AuctionRankingRow,
  winMargin,
  type WinMarginRow,
} from "orderlens/charts";
import { marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

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

const SOLUTIONS = [
  solution(1, { is_winner: true, score_native: 3, reference_score_native: 2 }),
  solution(2, { is_winner: true, score_native: 1, reference_score_native: 3 }),
  solution(3, { score_native: 0.5 }),
  solution(4, { filtered_out: true, score_native: 4, missed_pair: "WETH → USDC" }),
];

testSays("auctionRanking", {
  "keeps a score whole where there is no room for the pair beside it": [
    () =>
      auctionRanking([
        solution(1, { score_native: 0.003623 }),
        solution(2, { filtered_out: true, score_native: 0.002937, missed_pair: "WETH → USDC" }),
      ], { width: 260 }),
    ">0.002937<",
  ],
  "puts scores that differ a thousandfold on a logarithmic axis as dots": [
    () => auctionRanking([1, 1e-9, 0].map((score, at) => solution(at, { score_native: score }))),
    "logarithmic",
    "1 score of 0 shown at the edge of the axis",
    'class="score" aria-label="dot"',
  ],
  "says that it does not draw the rest of many": [
    () => auctionRanking(Array.from({ length: 1_000 }, (_, index) => solution(index + 1, {}))),
    60,
    "940 more solutions not shown",
  ],
  "says what it leaves out: other auctions, no scores": [
    () =>
      auctionRanking([
        ...SOLUTIONS,
        solution(5, { auction_id: 8 }),
        solution(6, { score_native: null }),
        solution(7, { score_native: Infinity }),
      ]),
    4,
    "2 rows without a number in score_native left out",
    "1 row of other auctions left out",
  ],
});

Deno.test("auctionRanking() shows an auction that was worth less with a solver the other way", () => {
  const { svg } = auctionRanking([
    solution(1, { is_winner: true, score_native: 3, reference_score_native: 5 }),
  ]);
  const [total, added] = marksOf(svg, "share");
  assertEquals(added!.attributes["fill"], "#cc79a7");
  assertStringIncludes(svg, ">lowered by a winning solver</text>");
  assertAlmostEquals(numberOf(added, "x"), numberOf(total, "x") + numberOf(total, "width"), 0.1);
  assertStringIncludes(svg, "−2");
});

Deno.test("auctionRanking() draws a solver's reference score once, however often it won", () => {
  const won = { is_winner: true, solver: "A", reference_score_native: 1 };
  const { svg } = auctionRanking([solution(1, won), solution(2, won)]);
  assertEquals(marksOf(svg, "share").length, 3);
});

Deno.test("auctionRanking() keeps solutions apart whose ranking and solver are the same", () => {
  const { svg } = auctionRanking([solution(1, {}), solution(1, {})]);
  const [first, second] = marksOf(svg, "score");
  assert(numberOf(first, "y") !== numberOf(second, "y"));
});

Deno.test("auctionRanking() sorts and limits by its options", () => {
  const { rows: drawn } = auctionRanking(SOLUTIONS, { sort: "-score_native", limit: 2 });
  assertEquals(drawn.map((row) => row.ranking), [4, 1]);
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
  SOLUTIONS.toReversed(),
  "2 solvers won, with a total score of 4 ETH. The highest score was 4 ETH, by solver 4; that " +
    "solution was filtered out. 1 of 4 (25%) solutions were filtered out as unfair.",
  ["No solutions in this auction", []],
  ["No solution in this auction has a score", [solution(1, { score_native: NaN })]],
);

function win(solver: string, native: number | null, share: number | null = 0.5): WinMarginRow {
  return { auction_id: 7, solver, margin_native: native, margin_share: share };
}

const WINS = [win("A", 1, 0.25), win("A", 2, 0.5), win("A", 3, 1), win("B", 4, null)];

testSays("winMargin", {
  "says what it leaves out": [
    () => winMargin([win("A", 1), win("A", NaN), win("B", null)]),
    1,
    "2 rows without a number in margin_native left out",
  ],
  "counts close races": [
    () => winMargin([0.01, 0.049, 0.05].map((share) => win("A", 1, share))),
    "In 2 of 3 (67%), it added less than 5%",
  ],
});

testPicture(
  "winMargin",
  winMargin,
  WINS,
  "The median winner added 2.5 native tokens, 50% of the total score (n = 3). In 1 of 3 (33%) wins, the " +
    "winner added all of the score: nobody else could have won. In 0 of 3 (0%), it added less " +
    "than 5%: a close race.",
  ["No wins in this range", []],
  [
    "No win in this range has a known margin",
    [win("A", null)],
  ],
);
