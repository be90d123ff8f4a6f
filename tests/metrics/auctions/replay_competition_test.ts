import vectors from "../../testdata/metrics/winner_selection.json" with { type: "json" };
import { type Competition, InputError, NATIVE_TOKEN_ADDRESS } from "orderlens";
import {
  asReplayed,
  inferMaxWinners,
  replayCompetition,
  type ReplayOptions,
  scoreSolution,
  settlementOutcomes,
} from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { buys, computed, sells } from "../fixtures.ts";
import { auctionOf, type Bid, winnersOf } from "../auctions.ts";

const [x, y, z, w] = ["0x01", "0x02", "0x03", `0x${"c4".repeat(20)}`];

Deno.test("asReplayed() keeps settlements of winners, and leaves new ones unknown", () => {
  const bid = { isWinner: true, pairs: [[x, y]] } as const;
  const competition = auctionOf([
    {
      ...bid,
      solver: "A",
      score: 100n,
      pairs: [[x, y], [y, z]],
      isWinner: false,
      filteredOut: true,
    },
    { ...bid, solver: "B", score: 70n, txHash: "0x0b" },
    { ...bid, solver: "D", score: 45n, pairs: [[y, x]], txHash: "0x0d" },
  ], { referenceScores: { B: 45n, D: 70n } });
  const other = asReplayed(competition, replayCompetition(competition, { fairness: false }));
  assertEquals(other.referenceScores, { A: 115n, D: 100n });
  assertEquals(other.transactionHashes, ["0x0d"]);
  assertEquals(competition.solutions.filter(({ isWinner }) => isWinner).length, 2);
  // Nobody tried to settle A: that no transaction came by block 900 says nothing of it.
  const copied = { ...other, solutions: other.solutions.map((one) => ({ ...one })) };
  for (const auction of [other, copied]) {
    const { solutions } = settlementOutcomes([auction], { latestBlock: 900 });
    assertEquals(solutions.map(({ solver, basis }) => [solver, basis]).toSorted(), [
      ["A", "nothing"],
      ["D", "no_block"],
    ]);
  }
});

Deno.test("replayCompetition() equates native and wrapped token only when picking winners", () => {
  const competition = auctionOf([
    { solver: "A", score: 10n, pairs: [[x, NATIVE_TOKEN_ADDRESS]] },
    { solver: "B", score: 9n, pairs: [[x, w]] },
  ]);
  const apart = replayCompetition(competition);
  assertEquals(winnersOf(competition, apart), ["A", "B"]);
  assert(apart.possibleReasons.includes("native_token"));
  const together = replayCompetition(competition, { wrappedNativeToken: w });
  assertEquals(winnersOf(competition, together), ["A"]);
  assertEquals(together.possibleReasons.includes("native_token"), false);
  for (const token of ["WETH", "", w.slice(2), w.slice(0, -1), `${w}4`]) {
    assertThrows(
      () => replayCompetition(competition, { wrappedNativeToken: token }),
      InputError,
      "Pass an address as wrappedNativeToken",
    );
  }
  const upper = { wrappedNativeToken: w.toUpperCase().replace("X", "x") };
  assertEquals(winnersOf(competition, replayCompetition(competition, upper)), ["A"]);
  const sold = auctionOf([
    { solver: "A", score: 10n, pairs: [[NATIVE_TOKEN_ADDRESS, x]] },
    { solver: "B", score: 9n, pairs: [[w, x]] },
  ]);
  assertEquals(winnersOf(sold, replayCompetition(sold, { wrappedNativeToken: w })), ["A"]);
  // The two pairs are different baselines: a batch of both is not measured against one of them.
  const batch = auctionOf([
    { solver: "A", score: 10n, pairs: [[x, NATIVE_TOKEN_ADDRESS], [y, z]] },
    { solver: "B", score: 11n, pairs: [[x, w]] },
  ]);
  const { solutions } = replayCompetition(batch, { wrappedNativeToken: w });
  assertEquals(solutions.every(({ filteredOut }) => !filteredOut), true);
});

Deno.test("replayCompetition() compares addresses regardless of case", () => {
  const competition = auctionOf([
    { solver: "0xAA", score: 10n, pairs: [["0xAB", "0xCD"]] },
    { solver: "0xaa", score: 9n, pairs: [["0xab", "0xcd"]] },
    { solver: "0xbb", score: 8n, pairs: [["0xaB", "0xCd"]] },
  ], { referenceScores: { "0xaA": 8n } });
  const { referenceScores, differences } = replayCompetition(competition);
  assertEquals([...referenceScores], [["0xaa", 8n]]);
  assertEquals(differences.filter(({ what }) => what === "referenceScore"), []);
});

Deno.test("replayCompetition() lets orders that do not count claim their pair, without judging them", () => {
  const competition = auctionOf([
    { solver: "A", score: 10n, pairs: [[x, y], [y, x]] },
    { solver: "B", score: 12n, pairs: [[y, x]] },
  ]);
  const jit = { ...competition, auction: { orders: [`${x}>${y}`], prices: {} } };
  const { solutions, possibleReasons, differences } = replayCompetition(jit);
  assert(differences.length > 0);
  assert(possibleReasons.includes("jit_orders"));
  assertEquals(solutions.map(({ index, isWinner, filterFrom }) => [index, isWinner, filterFrom]), [
    [0, true, "single"],
    [1, false, "single"],
  ]);
});

Deno.test("replayCompetition() judges batches by limits and policies, if known", () => {
  const uids = [`${x}>${y}`, `${y}>${z}`] as const;
  const filled = (first: bigint, second: bigint) =>
    auctionOf([
      { solver: "A", score: 100n, pairs: [[x, y], [y, z]], buys: [1n + first, 1n + second] },
      { solver: "B", score: 60n, pairs: [[x, y]] },
    ], { auction: { orders: uids, prices: { [y]: 10n ** 18n, [z]: 10n ** 18n } } });
  const orders = new Map(uids.map((uid) => [uid as string, sells(1n, 1n)]));
  const policies = new Map(uids.map((uid) => [uid as string, [] as FeePolicy[]]));
  const filterOf = (competition: Competition, options: ReplayOptions) => {
    const { solutions } = replayCompetition(competition, options);
    const { filteredOut, filterFrom } = solutions.find(({ index }) => index === 1)!;
    return [filteredOut, filterFrom];
  };
  assertEquals(filterOf(filled(60n, 40n), { orders, policies }), [false, "scores"]);
  assertEquals(filterOf(filled(59n, 41n), { orders, policies }), [true, "scores"]);
  // Surplus alone, a lower bound: 60 is enough for sure, 59 is not.
  assertEquals(filterOf(filled(60n, 0n), { orders }), [false, "scores"]);
  assertEquals(filterOf(filled(59n, 0n), { orders })[1], "reported");
  // The second pair takes 41 at least, and leaves 59 at most for the first.
  assertEquals(filterOf(filled(0n, 41n), { orders }), [true, "scores"]);
  // Policies of one of two pairs tell the other from the total.
  const one = new Map([[uids[1] as string, [] as FeePolicy[]]]);
  assertEquals(filterOf(filled(0n, 40n), { orders, policies: one }), [false, "scores"]);
});

Deno.test("replayCompetition() keeps reported ties, and reports other differences", () => {
  const bids: Bid[] = [
    { solver: "B", score: 10n, pairs: [[x, y]], isWinner: true },
    { solver: "A", score: 10n, pairs: [[x, y]] },
  ];
  const fine = auctionOf(bids, { referenceScores: { B: 10n } });
  assertEquals(replayCompetition(fine).agrees, true);
  assertEquals(replayCompetition(fine).basis.tiedSolutions, 2);
  const wrong = auctionOf(bids, { referenceScores: { B: 11n } });
  const replay = replayCompetition(wrong);
  assertEquals(replay.differences, [
    { what: "referenceScore", solver: "B", reported: 11n, replayed: 10n },
  ]);
  assertEquals(replay.possibleReasons, ["tie", "max_winners", "orders_missing"]);
  const { possibleReasons } = replayCompetition(wrong, { fairness: false });
  assert(possibleReasons.includes("fairness"));
});

Deno.test("replayCompetition() names every difference", () => {
  const competition = auctionOf([
    { solver: "A", score: 5n, pairs: [[x, y]], filteredOut: true },
    { solver: "B", score: 9n, pairs: [[x, y]], isWinner: false },
  ], { referenceScores: { A: 9n } });
  const { agrees, differences } = replayCompetition(competition, { maxSolutionsPerSolver: 3 });
  assertEquals(agrees, false);
  const a = { index: 1, solver: "A" };
  const b = { index: 0, solver: "B" };
  assertEquals(differences, [
    { what: "isWinner", ...b, reported: false, replayed: true },
    { what: "ranking", ...b, reported: 2, replayed: 1 },
    { what: "filteredOut", ...a, reported: true, replayed: false },
    { what: "ranking", ...a, reported: 1, replayed: 2 },
    { what: "referenceScore", solver: "B", reported: null, replayed: 5n },
    { what: "referenceScore", solver: "A", reported: 9n, replayed: null },
  ]);
});

Deno.test("replayCompetition() limits solutions per solver only on request", () => {
  const bid = { solver: "A", score: 1n, pairs: [[x, y]], isWinner: false } satisfies Bid;
  const competition = auctionOf([{ ...bid, isWinner: true }, bid], { referenceScores: { A: 0n } });
  assertEquals(replayCompetition(competition).agrees, true);
  assertEquals(replayCompetition(competition, { maxSolutionsPerSolver: 1 }).differences, [
    { what: "solutions_per_solver", solver: "A", reported: 2, replayed: 1 },
  ]);
});

Deno.test("replayCompetition() picks at most 20 winners by default, and rejects an invalid maximum", () => {
  const mostOf = (options: ReplayOptions) => {
    const { maxWinners, maxWinnersFrom } = replayCompetition(auctionOf([]), options).basis;
    return [maxWinners, maxWinnersFrom];
  };
  assertEquals([mostOf({}), mostOf({ maxWinners: 2 })], [[20, "default"], [2, "given"]]);
  for (const count of [0, -1, 1.5, NaN, Infinity]) {
    for (const option of ["maxWinners", "maxSolutionsPerSolver"]) {
      assertThrows(
        () => mostOf({ [option]: count }),
        InputError,
        `Cannot replay an auction with ${option} ${count}`,
      );
    }
  }
});

/** A case of the service's own tests as a competition; scores are those it writes beside them. */
function competitionOf(given: typeof vectors.cases[number]): Competition {
  const limits = new Map(Object.entries<typeof given.orders["Order 1"]>(given.orders));
  const bids = given.solutions.map(({ solver, trades, score }): Bid => ({
    solver,
    score: BigInt(score ?? "0"),
    orders: Object.entries<string[] | undefined>(trades).map(([id, amounts]) => {
      const [sellAmount, buyAmount] = [0, 1].map((at) => BigInt(amounts?.[at] ?? ""));
      const { sellToken, buyToken } = limits.get(id)!;
      return { id, sellAmount: sellAmount!, buyAmount: buyAmount!, sellToken, buyToken };
    }),
  }));
  const prices = Object.entries<string | undefined>(given.prices).flatMap(([token, price]) =>
    price === undefined ? [] : [[token, BigInt(price)]]
  );
  const auction = { orders: [...limits.keys()], prices: Object.fromEntries(prices) };
  const competition = auctionOf(bids, { auction });
  // In the order of the service's file, which is none.
  return { ...competition, solutions: competition.solutions.toReversed() };
}

assert(vectors.cases.length > 0);
for (const given of vectors.cases) {
  Deno.test(`replayCompetition() solves ${given.name} of the service's own tests`, () => {
    const whole = competitionOf(given);
    const orders = new Map(
      Object.entries<typeof given.orders["Order 1"]>(given.orders).map(([id, order]) => [
        id.toLowerCase(),
        (order.kind === "sell" ? sells : buys)(BigInt(order.sellAmount), BigInt(order.buyAmount)),
      ]),
    );
    const policies = new Map([...orders.keys()].map((id) => [id, []]));
    // The service drops solutions without a score before it selects.
    const competition: Competition = {
      ...whole,
      solutions: whole.solutions.filter(({ orders }) => orders.length > 0).map((solution) => {
        const scored = computed(scoreSolution(solution, whole.auction, { orders, policies }));
        assertEquals(scored.kind, "exact");
        const noted = given.solutions.find(({ solver, score }) =>
          solver === solution.solverAddress && score !== null && BigInt(score) === solution.score
        );
        if (noted !== undefined) assertEquals(scored.agrees, true);
        return { ...solution, score: scored.score };
      }),
    };
    const { maxWinners } = vectors;
    const replay = replayCompetition(competition, { maxWinners, orders, policies });
    const nameOf = (index: number) =>
      given.solutions[competition.solutions[index]!.ranking - 1]!.name;
    const names = (kept: (one: typeof replay.solutions[number]) => boolean) =>
      replay.solutions.filter(kept).map(({ index }) => nameOf(index));
    assertEquals(names(({ filteredOut }) => !filteredOut).sort(), given.fair.toSorted());
    assertEquals(names(({ isWinner }) => isWinner), given.winners);
    const references = [...replay.referenceScores].map(([solver, score]) => [solver, `${score}`]);
    assertEquals(Object.fromEntries(references), given.referenceScores);
    assertEquals(replay.basis.filterFlagsReported, 0);
  });
}

/** Three bids on pairs of their own, of which so many won, with the reference scores of that. */
function auctionWith(winners: number, referenceScores: Record<string, bigint>) {
  const bids: Bid[] = [["A", "0x01"], ["B", "0x02"], ["C", "0x03"]].map(([solver, token], at) => ({
    solver: solver!,
    score: 10n - BigInt(at),
    pairs: [[token!, "0x09"]],
    isWinner: at < winners,
  }));
  return auctionOf(bids, { auctionId: winners, referenceScores });
}

const one = auctionWith(1, { A: 9n });
const two = auctionWith(2, { A: 17n, B: 18n });

Deno.test("inferMaxWinners() lists auctions that no maximum explains", () => {
  const inferred = computed(inferMaxWinners([one, two, { ...two, auctionId: 7 }]));
  assertEquals([inferred.maxWinners, inferred.differing], [2, [1]]);
});
