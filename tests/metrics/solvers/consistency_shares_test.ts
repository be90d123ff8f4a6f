import type { Competition } from "orderlens";
import { consistencyShares, type OrderLimit, type SolutionOutcome } from "orderlens/metrics";
import { ratioToNumber } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { auctionOf, uidOf } from "../auctions.ts";

const [one, two] = [["0x01", "0x02"], ["0x02", "0x03"]] as const;
const limit: OrderLimit = { kind: "sell", sellAmount: 1n, buyAmount: 100n };

function outcomeOf(solver: string, more: Partial<SolutionOutcome> = {}): SolutionOutcome {
  return {
    auctionId: 1,
    ranking: 1,
    solver,
    score: 0n,
    orders: [uidOf(one)],
    result: "in_time",
    basis: "trade_block",
    txHash: "0xab",
    block: 102,
    deadlineBlock: 103,
    attempts: [],
    ...more,
  };
}

const orders = new Map([[uidOf(one), limit], [uidOf(two), limit]]);

function sharesOf(competition: Competition, solutions: readonly SolutionOutcome[]) {
  const shares = consistencyShares([competition], {
    orders,
    outcomes: { solutions, solvers: [] },
  });
  const numbers = shares.solvers.map(({ solver, orderShareSum, metric, share }) => [
    solver,
    ratioToNumber(orderShareSum),
    ratioToNumber(metric),
    share === null ? null : ratioToNumber(share),
  ]);
  return { ...shares, numbers };
}

Deno.test("consistencyShares() takes the best unfiltered bid of each solver", () => {
  const auction = auctionOf([
    { solver: "A", score: 0n, pairs: [one], buys: [160n], isWinner: true },
    { solver: "A", score: 0n, pairs: [one], buys: [150n] },
    { solver: "B", score: 0n, pairs: [one], buys: [120n] },
    { solver: "B", score: 0n, pairs: [one, two], buys: [190n, 190n], filteredOut: true },
  ]);
  const { numbers, executedOrders } = sharesOf(auction, [outcomeOf("A")]);
  assertEquals(executedOrders, 1);
  assertEquals(numbers, [["A", 0.75, 0.75, 1], ["B", 0.25, 0, 0]]);
});

Deno.test("consistencyShares() multiplies by the pairs of auction and order settled in time", () => {
  const auction = auctionOf([
    { solver: "A", score: 0n, pairs: [one], buys: [150n], isWinner: true },
    { solver: "B", score: 0n, pairs: [two], buys: [150n], isWinner: true },
  ]);
  const { numbers } = sharesOf(auction, [
    outcomeOf("A", { orders: [uidOf(one)] }),
    outcomeOf("A", { orders: [uidOf(one), uidOf(two)], result: "absent", txHash: null }),
    outcomeOf("B", { orders: [uidOf(two)] }),
  ]);
  // A settled one of three pairs in time.
  assertEquals(numbers, [["B", 1, 1, 0.75], ["A", 1, 1 / 3, 0.25]]);
});

Deno.test("consistencyShares() includes late settlements, but not as successes", () => {
  const auction = auctionOf([
    { solver: "A", score: 0n, pairs: [one], buys: [150n], isWinner: true },
  ]);
  const { numbers, executedOrders } = sharesOf(auction, [outcomeOf("A", { result: "late" })]);
  assertEquals(executedOrders, 1);
  assertEquals(numbers, [["A", 1, 0, null]]);
});

Deno.test("consistencyShares() counts orders without surplus and unknown orders", () => {
  const auction = auctionOf([
    { solver: "A", score: 0n, pairs: [one], buys: [100n], isWinner: true },
  ]);
  const shares = sharesOf(auction, [outcomeOf("A", { orders: [uidOf(one), "0x0e"] })]);
  assertEquals([shares.executedOrders, shares.ordersWithoutSurplus, shares.ordersUnknown], [
    0,
    1,
    1,
  ]);
});

Deno.test("consistencyShares() counts an order whose limit has no price as not known", () => {
  const auction = auctionOf([
    { solver: "A", score: 0n, pairs: [one], buys: [160n], isWinner: true },
  ]);
  const { executedOrders, ordersWithoutSurplus, ordersUnknown } = consistencyShares([auction], {
    orders: new Map([[uidOf(one), { ...limit, sellAmount: 0n }]]),
    outcomes: { solutions: [outcomeOf("A")], solvers: [] },
  });
  assertEquals([executedOrders, ordersWithoutSurplus, ordersUnknown], [0, 0, 1]);
});
