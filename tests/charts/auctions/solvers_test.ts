import { assertEquals } from "@std/assert";
import {
  settlementOutcomes,
  type SettlementOutcomesRow,
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
    "the others 16 of 20 (80%): no clear difference (95% interval −44.5 points to +8.2 points).",
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
    "940 more solvers with 4,700 wins not shown",
  ],
});

testPicture(
  "solverLeaderboard",
  solverLeaderboard,
  LEADERS,
  "2 of 2 (100%) solvers won an auction. seldom has the largest share of all winning scores, 50% (n = 9). " +
    "Every win was settled in time.",
  ["No solvers in this range", []],
  [
    "No solver in this range has a known rate",
    [{ solver: "A", auctions_bid: 0, auctions_won: 0, win_rate: null }],
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

Deno.test("settlementOutcomes() sorts by its option", () => {
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
