import { assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  rewardCaps,
  type RewardCapsRow,
  solverRewards,
  type SolverRewardsRow,
} from "orderlens/charts";
import { marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

/** 1 before the caps, 0.75 withheld, 0.25 spared: 0.5. */
function capped(solver: string, facts: Partial<RewardCapsRow> = {}): RewardCapsRow {
  return {
    week_start: "2026-11-17T00:00:00Z",
    solver,
    rewarded_auctions: 8,
    uncapped_low_native: 1,
    upper_cap_cut_low_native: 0.75,
    upper_capped_count: 5,
    lower_cap_relief_low_native: 0.25,
    lower_cap_relief_high_native: 0.25,
    lower_capped_count: 1,
    performance_low_native: 0.5,
    performance_high_native: 0.5,
    ...facts,
  };
}

/** -1 before the caps, of which 0.75 are spared. */
const SPARED: Partial<RewardCapsRow> = {
  uncapped_low_native: -1,
  upper_cap_cut_low_native: 0,
  upper_capped_count: 0,
  lower_cap_relief_low_native: 0.75,
  performance_low_native: -0.25,
  performance_high_native: -0.25,
};

testSays("rewardCaps", {
  "says what was withheld of all, and less on a phone": [
    () => rewardCaps([capped("A")], { width: 420 }),
    "Upper caps withheld 0.75 of the 1 native token that solvers' solutions were worth",
    ">1 → 0.5<",
  ],
  "says what was spared": [
    () => rewardCaps([capped("A", { ...SPARED, lower_cap_relief_high_native: 0.75 })]),
    "Lower caps spared solvers 0.75 native tokens",
  ],
  // At worst the auction cost 3, of which 2 are spared, and the fees allow nothing: -1.
  "draws lower bounds where not all is known, and says so": [
    () =>
      rewardCaps([
        capped("A", {
          uncapped_low_native: -2.5,
          upper_cap_cut_low_native: 0,
          lower_cap_relief_low_native: 0,
          lower_cap_relief_high_native: 2,
          performance_low_native: -1,
          performance_high_native: 4,
        }),
        capped("B"),
      ]),
    "What the caps changed: at least −1.5 native tokens before, at least −0.5 native tokens after",
    "reward: −1 native token, at most 4",
    ">−2.5 → −1, capped in 5 of 8<",
    ">Lower bounds of rewards (native tokens) →<",
    "Not all is known of 1 solver: lower bounds are drawn",
  ],
  "says so where bounds add up, but are not all": [
    () =>
      rewardCaps([
        capped("A", { performance_high_native: 0.75 }),
        capped("B", { performance_high_native: null }),
      ], { nativeSymbol: "ETH" }),
    "What the caps changed: at least 2 ETH before, at least 1 ETH after them",
    "Not all is known of 2 solvers",
  ],
  "leaves out who had no reward, and what is not known": [
    () =>
      rewardCaps([
        capped("A"),
        capped("B", {
          rewarded_auctions: 0,
          uncapped_low_native: 0,
          upper_cap_cut_low_native: 0,
          lower_cap_relief_low_native: 0,
          lower_cap_relief_high_native: 0,
          performance_low_native: 0,
        }),
        capped("C", { uncapped_low_native: null }),
        capped("D", { upper_capped_count: null, lower_capped_count: NaN }),
      ]),
    2,
    "1 without a rewarded auction left out",
    "1 solver without known rewards left out",
    ">1 → 0.5 (−50%)<",
  ],
});

Deno.test("rewardCaps() sorts and limits within each week", () => {
  const rows = [
    capped("A", { uncapped_low_native: 3, performance_low_native: 2.5 }),
    capped("B", { week_start: "2026-11-10T00:00:00Z" }),
    capped("C"),
  ];
  const { svg, rows: drawn } = rewardCaps(rows, { limit: 1 });
  assertEquals(drawn.map(({ solver }) => solver), ["B", "A"]);
  assertStringIncludes(svg, "1 more row not drawn");
  const { rows: sorted } = rewardCaps(rows, { sort: "uncapped" });
  assertEquals(sorted.map(({ solver }) => solver), ["B", "C", "A"]);
});

testPicture(
  "rewardCaps",
  rewardCaps,
  [capped("A"), capped("B", SPARED)],
  "Performance is worth 0 native tokens before the caps and 0.25 native tokens after them. Upper " +
    "caps withheld 0.75 native tokens, lower caps spared solvers 1 native token. The upper cap " +
    "decided 5 of 16 (31%) rewards, the lower cap 2 of 16 (12%).",
  [
    "No solver was rewarded in this range",
    [],
  ],
  ["No reward in this range is one that a cap could change", [
    capped("A", { performance_low_native: null }),
  ]],
);

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
  assertMatch(svg, /from 2026-11-17.*from 2026-11-24.*Auctions of an unknown week/s);
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
  assertStringIncludes(solverRewards(many, { limit: 1 }).svg, "4 more rows not drawn");
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
