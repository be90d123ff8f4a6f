import { assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { solverRewards, type SolverRewardsRow } from "orderlens/charts";
import { marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

const FIRST = "2026-11-17T00:00:00Z";
const SECOND = "2026-11-24T00:00:00Z";

/** A row whose total is known exactly. */
function reward(solver: string, facts: Partial<SolverRewardsRow> = {}): SolverRewardsRow {
  const own = {
    week_start: FIRST,
    solver,
    performance_low_native: 0.5,
    consistency_low_native: 0.25,
    quote_reward_low_native: 0.125,
    ...facts,
  };
  const total = (own.performance_low_native ?? 0) + (own.consistency_low_native ?? 0) +
    (own.quote_reward_low_native ?? 0);
  return { ...own, total_low_native: total, total_high_native: total, ...facts };
}

const REWARDS = [
  reward("exact"),
  reward("pays", { performance_low_native: -0.5, total_high_native: 0.5 }),
  reward("open", { performance_low_native: 0.125, total_high_native: null }),
];

Deno.test("solverRewards() has a panel per week on one axis, the unknown week last", () => {
  const { svg, title, rows: drawn } = solverRewards([
    reward("none", { week_start: null, performance_low_native: 0.125 }),
    reward("later", { week_start: new Date(SECOND) }),
    reward("sooner", { performance_low_native: 1 }),
  ]);
  assertStringIncludes(title, "of 2 accounting weeks from 2026-11-17: 2.75 native tokens in total");
  assertEquals(drawn.map(({ solver }) => solver), ["sooner", "later", "none"]);
  assertMatch(svg, /from 2026-11-17.*from 2026-11-24.*Auctions whose week is unknown/s);
  const [sooner, later] = marksOf(svg, "reward")
    .filter(({ title }) => title!.includes("performance"));
  assertAlmostEquals(numberOf(sooner, "width") / numberOf(later, "width"), 2, 0.01);
});

testSays("solverRewards", {
  "adds up what is certain and what is possible": [
    () => solverRewards(REWARDS.slice(0, 2)),
    "add up to 0.75 to 1.375 native",
    "possibly more",
  ],
  "says who earned the most where no other can have earned more": [
    () =>
      solverRewards([
        reward("A"),
        reward("B", { total_high_native: 0.875, total_low_native: 0.5 }),
      ]),
    "A earned the most, 0.875 native tokens.",
  ],
  "says that another may have earned more where its upper bound is above": [
    () =>
      solverRewards([reward("A"), reward("B", { total_high_native: 0.9, total_low_native: 0.5 })]),
    "A has the highest lower bound, 0.875 native tokens; another may have earned more.",
  ],
  "lets nobody pay whose other rewards outweigh a negative performance": [
    () => solverRewards([reward("A", { performance_low_native: -0.125 })]),
    "The performance of 1 solver may cost more than it earned; other rewards outweigh that.",
    { lacks: "have to pay" },
  ],
  "has no more than what is certain": [
    () => solverRewards([REWARDS[0]!]),
    { lacks: "possibly more" },
  ],
  "draws the parts that are known, and says which are not": [
    () =>
      solverRewards([
        reward("A", { consistency_low_native: null, total_low_native: null }),
        reward("B", { ...NOTHING, performance_low_native: NaN }),
      ]),
    1,
    "What solvers earned in auctions of the accounting week from 2026-11-17\n",
    ">unknown total<",
    "The consistency reward of 1 solver is unknown",
    "1 solver without a known reward left out",
  ],
});

Deno.test("solverRewards() sorts and limits within each week", () => {
  const many = Array.from({ length: 6 }, (_, at) =>
    reward(`solver ${at}`, {
      week_start: at < 3 ? FIRST : SECOND,
      quote_reward_low_native: at,
      performance_low_native: -at,
    }));
  const drawn = (options: Parameters<typeof solverRewards>[1]) =>
    solverRewards(many, options).rows.map(({ solver }) => Number(solver.slice(-1)));
  assertEquals(drawn({ sort: "-quote_reward", limit: 2 }), [2, 1, 5, 4]);
  assertEquals(drawn({ sort: "-performance" }), [0, 1, 2, 3, 4, 5]);
  assertEquals(drawn({ sort: "-solver", limit: 1 }), [2, 5]);
  assertStringIncludes(solverRewards(many, { limit: 1 }).svg, "4 more rows not shown");
});

const NOTHING = {
  performance_low_native: null,
  consistency_low_native: null,
  quote_reward_low_native: null,
};
// 0.875 - 0.125 + 0.5 at least; nothing bounds one of them.
testPicture(
  "solverRewards",
  solverRewards,
  REWARDS,
  "exact has the highest lower bound, 0.875 native tokens; another may have earned more. The " +
    "rewards of 3 solvers add up to at least 1.25 native tokens. 1 solver may have to pay.",
  ["No solver was rewarded in this range", []],
  [
    "No reward in this range is known",
    [reward("A", NOTHING)],
  ],
);
