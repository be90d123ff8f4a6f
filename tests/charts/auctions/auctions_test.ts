import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  auctionRanking,
  type AuctionRankingRow,
  fairGain,
  type FairGainRow,
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
    "1 score of 0 drawn at the edge of the axis",
    'class="score" aria-label="dot"',
  ],
  "says that it does not draw the rest of many": [
    () => auctionRanking(Array.from({ length: 1_000 }, (_, index) => solution(index + 1, {}))),
    60,
    "940 more solutions not drawn",
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
  assertEquals(added!.attributes["fill"], "#d55e00");
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

Deno.test("auctionRanking() sorts and limits as asked", () => {
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

function order(solver: string, gain: number | null, more: Partial<FairGainRow> = {}): FairGainRow {
  return { auction_id: 7, order_uid: "0x01", solver, is_batch: true, gain_bps: gain, ...more };
}

const cost = {
  solution_count: 8,
  filtered_count: 2,
  total_score_native: 2,
  lost_score_native: 0.5,
};
const ORDERS = [
  order("A", 10, cost),
  order("A", 20),
  order("B", -5),
  order("B", null),
  order("C", 0, { is_batch: false, auction_id: 8 }),
];

testSays("fairGain", {
  "says who got less, what was filtered out, and what that cost": [
    () => fairGain([order("A", 1, { ...cost, lost_score_native: -1 })]),
    "None of 1 order got less than that bid",
    "Without the filter, winners would have scored 50% less (n = 1).",
  ],
  "says nothing of what is not known": [
    () => fairGain([order("A", 1)]),
    "None of 1 order got less than that bid",
    { lacks: "filter" },
  ],
  "says which orders are in neither strip": [
    () => fairGain([order("A", 1), { ...order("B", 2), is_batch: null as unknown as boolean }]),
    1,
    "1 order that may have won in a batch or alone left out",
  ],
  "speaks of orders that won alone where no batch won": [
    () => fairGain([order("A", 0, { is_batch: false })]),
    "1 order won alone: median 0 bps over the best single-pair bid",
    "No order in a batch had a single-pair bid.",
  ],
});

testPicture(
  "fairGain",
  fairGain,
  ORDERS,
  "3 orders in batches got a median +10.0 bps over their best single-pair bid. 1 of 4 (25%) orders " +
    "got less than that bid. 2 of 8 (25%) solutions were filtered out as unfair. Without the " +
    "filter, winners would have scored 25% more (n = 1).",
  ["No orders won in this range", []],
  [
    "No order that won in this range had a single-pair bid",
    [order("A", null)],
  ],
);
