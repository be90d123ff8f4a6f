import { assertEquals } from "@std/assert";
import {
  markoutByBidders,
  type MarkoutByBiddersRow,
  settlementOutcomes,
  type SettlementOutcomesRow,
  solverConcentration,
  type SolverConcentrationRow,
  solverLeaderboard,
  type SolverLeaderboardRow,
} from "orderlens/charts";
import { testPicture, testSays } from "../svg_marks.ts";

function solver(name: string, facts: Partial<SolverLeaderboardRow> = {}): SolverLeaderboardRow {
  return {
    solver: name,
    auctions_bid: 10,
    auctions_won: 5,
    win_rate: 0.5,
    win_rate_low: 0.25,
    win_rate_high: 0.75,
    score_share: 0.5,
    in_time_rate: 1,
    in_time_rate_low: 0.6,
    in_time_rate_high: 1,
    ...facts,
  };
}

const LEADERS = [
  solver("seldom", { auctions_won: 1, win_rate: 0, win_rate_low: 0, win_rate_high: 0.25 }),
  solver("often", { auctions_won: 8, win_rate: 1, win_rate_high: 1, score_share: 0.25 }),
];

const crowd = (size: number) =>
  Array.from(
    { length: size },
    (_, index) => solver(`A solver with a very long name, number ${index}, of a large group`),
  );

testSays("solverLeaderboard", {
  "says when several won most": [
    () =>
      solverLeaderboard([
        solver("A", { in_time_rate: 0.75, in_time: 3, late: 1, absent: 0 }),
        solver("B", { in_time: 5, late: 0, absent: 0 }),
        solver("C", { auctions_won: 0 }),
      ]),
    "A and 1 other won the most auctions, 5 each\n",
    "2 of 3 (67%) solvers won an auction.",
    "A settled 3 of 4 (75%) of its wins in time, the others 5 of 5 (100%): too few to tell whether they differ.",
  ],
  // Newcombe's interval of 48 of 80 less 56 of 70 is −0.334 to −0.052.
  "says who settles less in time where a difference is seen": [
    () =>
      solverLeaderboard([
        solver("A", { in_time_rate: 0.6, in_time: 48, late: 30, absent: 2 }),
        solver("B", { in_time_rate: 0.8, in_time: 56, late: 14, absent: 0 }),
      ]),
    "A settled 48 of 80 (60%) of its wins in time, the others 56 of 70 (80%): a difference of −20 points " +
    "(95% interval −33.4 points to −5.2 points).",
  ],
  "sees no difference in time where the interval of the shares holds 0": [
    () =>
      solverLeaderboard([
        solver("A", { in_time_rate: 0.6, in_time: 12, late: 8, absent: 0 }),
        solver("B", { in_time_rate: 0.8, in_time: 16, late: 4, absent: 0 }),
      ]),
    "the others 16 of 20 (80%): no difference is seen (95% interval −44.5 points to +8.2 points).",
  ],
  "leaves out measures that nobody has, and says whose are missing": [
    () =>
      solverLeaderboard([
        solver("A", { score_share: null, in_time_rate: NaN }),
        solver("B", { score_share: null }),
        { solver: "C", auctions_bid: 0, auctions_won: 0, win_rate: null },
      ]),
    "&quot;share of total score&quot; is unknown for every solver",
    "&quot;settled in time&quot; is unknown for 2 solvers",
    "&quot;win rate&quot; is unknown for 1 solver",
    { lacks: 'class="score_share"' },
  ],
  "draws 50 solvers with long names apart": [
    () => solverLeaderboard(crowd(50)),
    ...crowd(50).map((_, index) => `number ${index}, of`),
  ],
  "draws 60 of many solvers": [
    () => solverLeaderboard(crowd(1_000)),
    60,
    "940 more solvers with 4,700 wins not drawn",
  ],
});

testPicture(
  "solverLeaderboard",
  solverLeaderboard,
  LEADERS,
  "2 of 2 (100%) solvers won an auction. seldom has the largest part of all winning scores, 50% (n = 9). " +
    "All settled in time whatever they won.",
  ["No solvers in this range", []],
  [
    "No solver in this range has a known rate",
    [{ solver: "A", auctions_bid: 0, auctions_won: 0, win_rate: null }],
  ],
);

function window(
  windows: string,
  equal_solvers: number | null,
  more: Partial<SolverConcentrationRow> = {},
): SolverConcentrationRow {
  return { windows, window_of: "2026-11-24", fills: 3, equal_solvers, ...more };
}

const WINDOWS = [
  window("pair", 3, { window_of: `0x${"a1".repeat(20)} 0x${"b2".repeat(20)}` }),
  window("week", 1.6, { largest_share: 0.75 }),
  window("pair", 1.04, { largest_share: 0.98, fills: 1 }),
  window("size", null),
];

testSays("solverConcentration", {
  "counts windows and fills that it leaves out": [
    () =>
      solverConcentration([
        window("week", 2, { unknown_count: 3 }),
        window("pair", 2, { unknown_count: 1 }),
        window("pair", 0, { unknown_count: 4 }),
        window("hour", 2),
      ]),
    2,
    "2 windows without volume left out",
    "5 fills of unknown solver or volume left out",
  ],
});

testPicture(
  "solverConcentration",
  solverConcentration,
  WINDOWS,
  "In the one week, volume is as concentrated as with 1.6 equal solvers, where the largest " +
    "settled 75% (n = 3). The median of 2 directed pairs is 2 equal solvers, the least 1 equal solver, " +
    "where the largest settled 98% (n = 1).",
  ["No fills in this range", []],
  [
    "No window of this range has fills of a known solver and volume",
    [window("week", null)],
  ],
);

function fills(bidder_count: number, before: number | null, after: number): MarkoutByBiddersRow {
  return {
    bidder_count,
    fills: 9,
    markout_bps: after,
    solver_efficiency_bps: before,
    curse_bps: before,
  };
}

const FILLS = [fills(3, -2, -8), fills(1, -6, -8), fills(2, null, 0)];

testSays("markoutByBidders", {
  "says when more bidders paid less": [
    () =>
      markoutByBidders([
        fills(1, 5, 4),
        { ...fills(4, 2, 1), curse_low_bps: -5, curse_high_bps: -1 },
      ]),
    "Winners among 4 bidders paid 3.0 bps less than those among 1\n",
    "those with 4 bidders (n = 9) +2.0 bps: a difference of −3.0 bps (95% interval −5.0 bps to −1.0 bps).",
  ],
  "sees no difference where its interval holds 0": [
    () =>
      markoutByBidders([
        fills(1, -84.2, -90),
        { ...fills(4, -75, -80), curse_low_bps: -7.9, curse_high_bps: 23.8 },
      ]),
    "No difference is seen between fills with 1 and with 4 bidders\n",
    "−75.0 bps: no difference is seen (95% interval −7.9 bps to +23.8 bps).",
  ],
  "counts fills that it leaves out": [
    () =>
      markoutByBidders([
        { ...fills(1, 5, 4), unknown_count: 2 },
        { ...fills(2, null, 4), fills: 0, unknown_count: 3 },
        { ...fills(1, 5, 4), bidder_count: null },
      ]),
    1,
    "1 number of bidders without markouts left out",
    "14 fills without a markout or of an unknown number of bidders left out",
  ],
  "says when there is nothing to compare": [
    () => markoutByBidders([fills(2, 5, 4)]),
    "All fills had 2 bidders\n" +
    "Before fees, fills with 2 bidders (n = 9) were a median +5.0 bps against the market a while later.",
  ],
});

testPicture(
  "markoutByBidders",
  markoutByBidders,
  FILLS,
  "Before fees, fills with 1 bidder (n = 9) were a median −6.0 bps against the market a while " +
    "later, those with 3 bidders (n = 9) −2.0 bps: too few to tell whether they differ.",
  ["No fills in this range", []],
  [
    "a known number of bidders",
    [fills(2, null, 0)],
  ],
);

function outcomes(name: string, facts: Partial<SettlementOutcomesRow> = {}): SettlementOutcomesRow {
  return { solver: name, in_time: 8, late: 0, absent: 0, pending: 0, ...facts };
}

const OUTCOMES = [
  outcomes("reliable", { in_time: 9 }),
  outcomes("not so", { in_time: 6, late: 2, absent: 1, pending: 1, unknown: 2 }),
];

testSays("settlementOutcomes", {
  "has outcomes in its legend that there are, and no others": [
    () => settlementOutcomes([outcomes("A", { late: 1 })]),
    ...[">in time</text>", ">late</text>"],
    { lacks: ">pending</text>" },
  ],
  "has no axis for what was not in time where all was": [
    () => settlementOutcomes([outcomes("A")]),
    { lacks: 'class="not_in_time"' },
  ],
  "leaves out solvers whose counts are none, and says so": [
    () =>
      settlementOutcomes([
        outcomes("A", { in_time: NaN }),
        outcomes("B", { late: -1 }),
        outcomes("C", { absent: null as never }),
        outcomes("D", { unknown: null, in_time: 1e12 }),
      ]),
    1,
    ">D</text>",
    "3 solvers without counts left out",
  ],
});

Deno.test("settlementOutcomes() sorts as asked", () => {
  const { rows: drawn } = settlementOutcomes(OUTCOMES, { sort: "late", width: 300 });
  assertEquals(drawn.map((row) => row.solver), ["reliable", "not so"]);
});

testPicture(
  "settlementOutcomes",
  settlementOutcomes,
  OUTCOMES,
  "15 of 21 (71%) winning solutions were settled in time. Of the others, 2 were settled late, 1 " +
    "was not settled, 1 was still pending and 2 were of unknown outcome.",
  [
    "No winning solutions in this range",
    [],
  ],
  ["No winning solutions in this range", [outcomes("A", { in_time: 0 })]],
);
