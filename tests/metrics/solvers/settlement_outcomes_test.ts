import {
  settlementOutcomes,
  settlementPenalties,
  type SettlementResult,
  type SolutionOutcome,
} from "orderlens/metrics";
import type { Competition, Order, SettlementAttempt, Trade } from "orderlens/schemas";
import { assertEquals, assertThrows } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";
import { attemptOf, debugAuctionOf, reportOf, tradeOf } from "../reports.ts";
import { InputError } from "orderlens";

const won: Bid = { solver: "0xa0", score: 5n, pairs: [["0x01", "0x02"]], isWinner: true };

const settled = auctionOf([{ ...won, txHash: "0xAB" }]);
const open = auctionOf([{ ...won, txHash: null }]);
const single = { transactionHashes: ["0xab"] };

function filledIn(blockNumber: number, txHash = "0xab") {
  return { trades: [tradeOf({ txHash, blockNumber })] };
}

function attempted(...attempts: Partial<SettlementAttempt>[]) {
  const auctions = [debugAuctionOf(1, { settlementAttempts: attempts.map(attemptOf) })];
  return { debugReports: [reportOf({ auctions })] };
}

Deno.test("settlementOutcomes() states the outcome of a winner and its basis", () => {
  const { auctionDeadlineBlock: _, ...old } = settled;
  const failed = attempted({ outcome: "driver failed: no", endBlock: 101 });
  const others = [{ solutionUid: 1 }, { solver: "0xb0" }]
    .map((attempt) => ({ ...attempt, outcome: "timeout", endBlock: 104 }));
  const cases: [Competition, object, SettlementResult, SolutionOutcome["basis"]][] = [
    // The block of the deadline is in time.
    [settled, filledIn(103), "in_time", "trade_block"],
    [settled, filledIn(104), "late", "trade_block"],
    // A transaction alone is no success, nor one without a known deadline.
    [settled, {}, "unknown", "no_block"],
    [settled, filledIn(101, "0xcd"), "unknown", "no_block"],
    [old, filledIn(101), "unknown", "no_deadline"],
    // An attempt that ended by the deadline tells if the block is not known.
    [settled, attempted({ outcome: "success", endBlock: 103 }), "in_time", "attempt"],
    [settled, attempted({ outcome: "success", endBlock: 104 }), "unknown", "no_block"],
    [settled, attempted({ outcome: "timeout", endBlock: 104 }), "unknown", "no_block"],
    // Without a transaction it is pending or absent, by the attempt, then by the latest block.
    [open, {}, "unknown", "nothing"],
    [open, { latestBlock: 103 }, "pending", "latest_block"],
    [open, { latestBlock: 104 }, "absent", "latest_block"],
    [open, { ...failed, latestBlock: 101 }, "absent", "attempt"],
    [open, attempted({}), "pending", "attempt"],
    [open, { ...attempted({}), latestBlock: 104 }, "absent", "latest_block"],
    // Attempts of another solution or solver say nothing.
    [open, attempted(...others), "unknown", "nothing"],
    // The only transaction of an old answer is of its only winner.
    [auctionOf([won], single), filledIn(103), "in_time", "trade_block"],
    [auctionOf([won, { ...won, solver: "0xb0" }], single), filledIn(103), "unknown", "nothing"],
  ];
  for (const [place, [competition, known, ...expected]] of cases.entries()) {
    const [outcome] = settlementOutcomes([competition], known).solutions;
    assertEquals([outcome?.result, outcome?.basis], expected, `case ${place}`);
  }
});

Deno.test("settlementOutcomes() counts each auction once, and never losers", () => {
  const auction = auctionOf([
    { ...won, txHash: "0xab" },
    { ...won, solver: "0xb0", txHash: null },
    { ...won, solver: "0xc0", isWinner: false },
  ]);
  const { solutions, solvers } = settlementOutcomes([auction, auction], {
    ...filledIn(102),
    latestBlock: 110,
  });
  const places = solutions.map(({ solver, ranking }) => `${solver} ${ranking}`);
  assertEquals(places, ["0xa0 1", "0xb0 2"]);
  const counts = solvers.map(({ solver, inTime, absent, successRate: { successes, trials } }) =>
    [solver, inTime, absent, successes, trials].join(" ")
  );
  assertEquals(counts, ["0xa0 1 0 1 1", "0xb0 0 1 0 1"]);
});

Deno.test("settlementOutcomes() excludes pending settlements from the success rate", () => {
  const [solver] = settlementOutcomes([open], { latestBlock: 101 }).solvers;
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

Deno.test("settlementPenalties() has both ends of unknown amounts", () => {
  const outcomes = [wonBy(1, "0xa0", 100n, "unknown"), wonBy(2, "0xa0", 50n, "absent")];
  // The penalty stands on the solution that certainly failed: 20 to 120, with the cap 110.
  assertEquals(penalties(outcomes, { "0xa0": 120n }, 110n), [
    [[120n, 120n], [110n, 110n], [0n, 0n]],
    [[20n, 120n], [20n, 110n], [20n, 110n]],
  ]);
});

Deno.test("settlementPenalties() limits a reference score to the total score", () => {
  // 150 won, 170 without 0xa0: the failure costs its own 100, not 120.
  const outcomes = [wonBy(1, "0xa0", 100n, "absent"), wonBy(2, "0xa0", 50n, "in_time")];
  assertEquals(penalties(outcomes, { "0xa0": 170n }, 1_000n), [
    exactly(100n, 100n, 100n),
    exactly(50n + 100n, 150n, 0n),
  ]);
});

Deno.test("settlementPenalties() uses the caps of orders that have their own", () => {
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
  // 60 at stake; both orders together have a cap of 10 + 25, or of 10 + 70.
  const both = [cap("0x0f", 10n), cap("0x1f", 25n)];
  assertEquals(of([{}], both), [exactly(35n, 35n, 35n)]);
  assertEquals(of([{}], [cap("0x0f", 10n), cap("0x1f", 70n)]), [exactly(80n, 60n, 60n)]);
  // Without a trade, no answer has the cap of a listed order: nothing to all that is at stake.
  const absent = { result: "absent", txHash: null } as const;
  assertEquals(of([absent], []), [[[0n, null], [0n, 60n], [0n, 60n]]]);
  // Of an order whose limit is known, 10 bps of it at most: of 2,000 and 12,000 native atoms, 2 and 12.
  const limited = (uid: string, buyAmount: bigint) =>
    ({
      uid,
      kind: "sell",
      sellToken: "0xa1",
      buyToken: "0xb2",
      sellAmount: 1n,
      buyAmount,
    }) as Order;
  const priced = { ...auction, auction: { ...auction.auction, prices: { "0xb2": 10n ** 18n } } };
  const missing = { ...wonBy(1, "0xa0", 100n, "absent"), orders: ["0x0f", "0x1f"], txHash: null };
  const bound = (orders: readonly Order[]) =>
    settlementPenalties(priced, [missing], { lowerCapAtoms: null, orders })[0];
  const [first, second] = [limited("0x0f", 2_000n), limited("0x1f", 12_000n)];
  assertEquals(bound([first, second])?.cap, { low: 0n, high: 14n });
  assertEquals(bound([first, second])?.owed, { low: 0n, high: 14n });
  assertEquals(bound([first])?.cap, { low: 0n, high: null });
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

Deno.test("settlementOutcomes() assumes the earliest deadline where the response has none", () => {
  const { auctionDeadlineBlock: _, ...old } = auctionOf([
    { solver: "a", score: 1n, isWinner: true, txHash: "0x01" },
  ]);
  const resultOf = (blockNumber: number, deadlineBlocks?: number) => {
    const trades = [tradeOf({ txHash: "0x01", blockNumber })];
    const [outcome] = settlementOutcomes([old], { trades, deadlineBlocks }).solutions;
    return `${outcome?.result} ${outcome?.basis}`;
  };
  // It counts from the end of the auction, which is after its start block, 100.
  assertEquals(resultOf(105, 5), "in_time network_deadline");
  assertEquals(resultOf(106, 5), "unknown no_deadline");
  assertEquals(resultOf(105), "unknown no_deadline");
});
