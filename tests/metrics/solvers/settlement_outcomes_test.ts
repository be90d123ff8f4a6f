import { settlementOutcomes } from "orderlens/metrics";
import type { SettlementAttempt } from "orderlens/schemas";
import { assertEquals } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";
import { reportOf, tradeOf } from "../reports.ts";

const won: Bid = { solver: "0xa0", score: 5n, pairs: [["0x01", "0x02"]], isWinner: true };

const tradeIn = (txHash: string, blockNumber: number) => tradeOf({ txHash, blockNumber });

function attemptOf(more: Partial<SettlementAttempt> = {}): SettlementAttempt {
  return {
    solver: "0xA0",
    solutionUid: 0,
    startTimestamp: Temporal.Instant.from("2026-08-21T10:00:00Z"),
    startBlock: 100,
    deadlineBlock: 103,
    ...more,
  };
}

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
