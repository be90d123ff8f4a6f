import {
  settlementOutcomes,
  settlementPenalties,
  type SettlementResult,
  type SolutionOutcome,
} from "orderlens/metrics";
import type { SettlementAttempt, Trade } from "orderlens/schemas";
import { assertEquals, assertThrows } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";
import { attemptOf, reportOf, tradeOf } from "../reports.ts";
import { InputError } from "orderlens";

const won: Bid = { solver: "0xa0", score: 5n, pairs: [["0x01", "0x02"]], isWinner: true };

const tradeIn = (txHash: string, blockNumber: number) => tradeOf({ txHash, blockNumber });

function resultOf(...given: Parameters<typeof settlementOutcomes>) {
  const [outcome] = settlementOutcomes(...given).solutions;
  return [outcome?.result, outcome?.basis];
}

Deno.test("settlementOutcomes() counts the deadline block as in time", () => {
  const settled = auctionOf([{ ...won, txHash: "0xAB" }]);
  const at = (block: number) => resultOf([settled], { trades: [tradeIn("0xab", block)] });
  assertEquals(at(103), ["in_time", "trade_block"]);
  assertEquals(at(104), ["late", "trade_block"]);
});

Deno.test("settlementOutcomes() does not count a transaction alone as success", () => {
  const settled = auctionOf([{ ...won, txHash: "0xab" }]);
  assertEquals(resultOf([settled]), ["unknown", "no_block"]);
  assertEquals(resultOf([settled], { trades: [tradeIn("0xcd", 101)] }), ["unknown", "no_block"]);
  const { auctionDeadlineBlock: _, ...old } = settled;
  assertEquals(resultOf([old], { trades: [tradeIn("0xab", 101)] }), ["unknown", "no_deadline"]);
});

Deno.test("settlementOutcomes() uses an attempt that ended by the deadline if the block is unknown", () => {
  const settled = auctionOf([{ ...won, txHash: "0xab" }]);
  const after = (attempt: SettlementAttempt) =>
    resultOf([settled], { debugReports: [reportOf({ auctionId: 1, attempts: [attempt] })] });
  assertEquals(after(attemptOf({ outcome: "success", endBlock: 103 })), ["in_time", "attempt"]);
  assertEquals(after(attemptOf({ outcome: "success", endBlock: 104 })), ["unknown", "no_block"]);
  assertEquals(after(attemptOf({ outcome: "timeout", endBlock: 104 })), ["unknown", "no_block"]);
});

Deno.test("settlementOutcomes() distinguishes absent from pending by the attempt, then by the latest block", () => {
  const open = auctionOf([{ ...won, txHash: null }]);
  const reports = (attempt: SettlementAttempt) => [reportOf({ auctionId: 1, attempts: [attempt] })];
  assertEquals(resultOf([open]), ["unknown", "nothing"]);
  assertEquals(resultOf([open], { latestBlock: 103 }), ["pending", "latest_block"]);
  assertEquals(resultOf([open], { latestBlock: 104 }), ["absent", "latest_block"]);
  const failed = reports(attemptOf({ outcome: "driver failed: no", endBlock: 101 }));
  assertEquals(resultOf([open], { debugReports: failed, latestBlock: 101 }), ["absent", "attempt"]);
  const running = reports(attemptOf());
  assertEquals(resultOf([open], { debugReports: running }), ["pending", "attempt"]);
  assertEquals(resultOf([open], { debugReports: running, latestBlock: 104 }), [
    "absent",
    "latest_block",
  ]);
});

Deno.test("settlementOutcomes() uses only attempts of the same solution and solver", () => {
  const open = auctionOf([{ ...won, txHash: null }]);
  const others = [attemptOf({ solutionUid: 1 }), attemptOf({ solver: "0xb0" })]
    .map((attempt) => ({ ...attempt, outcome: "timeout", endBlock: 104 }));
  const debugReports = [reportOf({ auctionId: 1, attempts: others })];
  assertEquals(resultOf([open], { debugReports }), ["unknown", "nothing"]);
});

Deno.test("settlementOutcomes() assigns the only transaction to the only winner, in answers without attempts", () => {
  const old = auctionOf([won], { transactionHashes: ["0xab"] });
  assertEquals(resultOf([old], { trades: [tradeIn("0xab", 103)] }), ["in_time", "trade_block"]);
  const two = auctionOf([won, { ...won, solver: "0xb0" }], { transactionHashes: ["0xab"] });
  assertEquals(resultOf([two], { trades: [tradeIn("0xab", 103)] }), ["unknown", "nothing"]);
});

Deno.test("settlementOutcomes() counts each auction once, and never losers", () => {
  const auction = auctionOf([
    { ...won, txHash: "0xab" },
    { ...won, solver: "0xb0", txHash: null },
    { ...won, solver: "0xc0", isWinner: false },
  ]);
  const { solutions, solvers } = settlementOutcomes([auction, auction], {
    trades: [tradeIn("0xab", 102)],
    latestBlock: 110,
  });
  assertEquals(solutions.map(({ solver, ranking }) => [solver, ranking]), [["0xa0", 1], [
    "0xb0",
    2,
  ]]);
  assertEquals(
    solvers.map((
      { solver, inTime, absent, successRate },
    ) => [solver, inTime, absent, successRate.successes, successRate.trials]),
    [["0xa0", 1, 0, 1, 1], ["0xb0", 0, 1, 0, 1]],
  );
});

Deno.test("settlementOutcomes() excludes pending settlements from the success rate", () => {
  const auction = auctionOf([{ ...won, txHash: null }]);
  const [solver] = settlementOutcomes([auction], { latestBlock: 101 }).solvers;
  assertEquals([solver?.won, solver?.pending, solver?.successRate.trials], [1, 1, 0]);
});

function wonBy(ranking: number, solver: string, score: bigint, result: SettlementResult) {
  const rest = { orders: [], basis: "nothing", txHash: null, block: null, attempts: [] } as const;
  return { auctionId: 1, ranking, solver, score, result, deadlineBlock: 103, ...rest };
}

/** Penalties as `[at stake, if absent, owed]`, each the two ends of its interval. */
function penalties(
  outcomes: readonly SolutionOutcome[],
  referenceScores: Record<string, bigint>,
  lowerCapAtoms = 1_000n,
) {
  return settlementPenalties(auctionOf([], { referenceScores }), outcomes, { lowerCapAtoms })
    .map(({ atStake, ifAbsent, owed }) =>
      [atStake, ifAbsent, owed].map(({ low, high }) => [low, high])
    );
}

const exactly = (...atoms: bigint[]) => atoms.map((each) => [each, each]);

Deno.test("settlementPenalties() is 0 where nobody else would have added anything", () => {
  // 130 in all, of which 30 are another's: without 0xa0, only those 30.
  const outcomes = [wonBy(1, "0xa0", 100n, "absent"), wonBy(2, "0xb0", 30n, "in_time")];
  assertEquals(penalties(outcomes, { "0xa0": 30n, "0xb0": 100n }), [
    exactly(0n, 0n, 0n),
    exactly(0n, 0n, 0n),
  ]);
});

Deno.test("settlementPenalties() counts a solver's failures of one auction together, once", () => {
  // 100 + 50 won, 120 without 0xa0: one failure of 50 owes 20, both owe 120, 0xB0's none.
  const both = [wonBy(1, "0xa0", 100n, "absent"), wonBy(2, "0xA0", 50n, "late")];
  assertEquals(penalties(both, { "0xa0": 120n }), [
    exactly(120n, 120n, 120n),
    exactly(120n, 120n, 0n),
  ]);
  const one = [wonBy(1, "0xa0", 100n, "in_time"), wonBy(2, "0xa0", 50n, "absent")];
  assertEquals(penalties(one, { "0xa0": 120n }), [
    exactly(120n, 120n, 0n),
    exactly(20n, 20n, 20n),
  ]);
});

Deno.test("settlementPenalties() has both ends of what is not known", () => {
  const outcomes = [wonBy(1, "0xa0", 100n, "unknown"), wonBy(2, "0xa0", 50n, "absent")];
  // The penalty stands on the solution that certainly failed: 20 to 120, with the cap 110.
  assertEquals(penalties(outcomes, { "0xa0": 120n }, 110n), [
    [[120n, 120n], [110n, 110n], [0n, 0n]],
    [[20n, 120n], [20n, 110n], [20n, 110n]],
  ]);
});

Deno.test("settlementPenalties() takes the caps of orders that have their own", () => {
  const auction = {
    ...auctionOf([], { referenceScores: { "0xa0": 60n } }),
    auction: { orders: ["0x0f", "0x1f"], prices: {} },
  };
  const cap = (orderUid: string, penaltyCapNative: bigint, txHash = "0xaa") =>
    tradeOf({ orderUid, penaltyCapNative, txHash });
  const of = (
    wins: Partial<SolutionOutcome>[],
    trades: Trade[],
    referenceScores: Record<string, bigint> = { "0xa0": 60n },
  ) => {
    const outcomes = wins.map((one, place) => ({
      ...wonBy(place + 1, "0xa0", 100n, "late"),
      orders: ["0x0f", "0x1f"],
      txHash: "0xaa",
      ...one,
    }));
    const options = { lowerCapAtoms: null, trades };
    return settlementPenalties({ ...auction, referenceScores }, outcomes, options)
      .map(({ cap, ifAbsent, owed }) => [cap, ifAbsent, owed].map(({ low, high }) => [low, high]));
  };
  // 60 at stake, as above; both orders together have a cap of 10 + 25.
  const both = [cap("0x0f", 10n), cap("0x1f", 25n)];
  assertEquals(of([{}], both), [exactly(35n, 35n, 35n)]);
  assertEquals(of([{ result: "in_time" }], both), [exactly(35n, 35n, 0n)]);
  assertEquals(of([{}], [cap("0x0f", 10n), cap("0x1f", 70n)]), [exactly(80n, 60n, 60n)]);
  // Without a trade, no answer has the cap of a listed order: nothing to all that is at stake.
  const absent = { result: "absent", txHash: null } as const;
  assertEquals(of([absent], []), [[[0n, null], [0n, 60n], [0n, 60n]]]);
  // An order that the auction does not list has none.
  assertEquals(of([{ ...absent, orders: ["0x2f"] }], []), [exactly(0n, 0n, 0n)]);
  // 150 won, 120 without 0xa0: the late one owes 70, capped by its 10, or by 10 + 25 of both.
  const [late, settled] = [{ orders: ["0x0f"] }, {
    orders: ["0x1f"],
    txHash: "0xbb",
    score: 50n,
    result: "in_time",
  }] as const;
  const apart = [cap("0x0f", 10n), cap("0x1f", 25n, "0xbb")];
  assertEquals(of([late, settled], apart, { "0xa0": 120n }), [
    [[10n, 35n], [10n, 35n], [10n, 35n]],
    [[35n, 35n], [35n, 35n], [0n, 0n]],
  ]);
});

Deno.test("settlementPenalties() leaves out solvers without a reference score, and other auctions", () => {
  assertEquals(penalties([wonBy(1, "0xa0", 100n, "absent")], { "0xb0": 60n }), []);
  const other = { ...wonBy(1, "0xa0", 100n, "absent"), auctionId: 2 };
  assertEquals(penalties([other], { "0xa0": 60n }), []);
  assertThrows(() => settlementPenalties(auctionOf([]), [], {} as never), InputError);
});
