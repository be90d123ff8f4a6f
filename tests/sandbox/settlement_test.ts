import { assert, assertEquals } from "@std/assert";
import type { BookOrder } from "../../lib/sandbox/market/book_order.ts";
import { screenOrders, verifyContractSignatures } from "../../lib/sandbox/market/engine.ts";
import { holdAuction } from "../../lib/sandbox/market/hold_auction.ts";
import { Pool } from "../../lib/sandbox/market/liquidity.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import {
  beginSettlement,
  settlePending,
  swapWithPools,
} from "../../lib/sandbox/market/settlements.ts";
import { bookOrder, OWNER, planningTerms, WETH } from "./book_orders.ts";
import type { PlannedOutcome, StoredAuction } from "../../lib/sandbox/market/book.ts";
import { OUTSIDE, UNSUPPORTED_TOKEN } from "../../lib/sandbox/market/ledger.ts";
import { planExecution } from "../../lib/sandbox/market/plan_execution.ts";
import { auctionOf } from "../metrics/auctions.ts";

/** A market with orders of an owner with funds. */
function marketWith(...orders: BookOrder[]): Market {
  const market = new Market(1);
  market.fund(OWNER);
  for (const order of orders) market.book.add(order);
  return market;
}

/** A market after one auction over such orders. */
async function marketAfter(...orders: BookOrder[]): Promise<Market> {
  const market = marketWith(...orders);
  await holdAuction(market, orders, market.createRandom("solvers"));
  return market;
}

Deno.test("holdAuction() stores no auction without bids, and leaves a gap for its id", async () => {
  for (const orders of [[], [bookOrder({ buyAmount: 10n ** 12n })]]) {
    const market = await marketAfter(...orders);
    assertEquals(market.book.latestAuction, undefined);
    assertEquals(market.book.auctions.size, 0);
    assert(market.auctionId > 1_000);
    assertEquals(market.auction?.orders, orders);
  }
});

Deno.test("swapWithPools() trades nothing if one swap is outside its bound", () => {
  const xy = new Pool(["x", "y"], [1_000_000n, 2_000_000n]);
  const yz = new Pool(["y", "z"], [500_000n, 500_000n]);
  const good = { route: { from: "x", pools: [xy] }, paid: 1_000n, bound: 1_992n };
  const route = { from: "y", pools: [yz] };
  assertEquals(swapWithPools([good, { route, paid: 1_000n, bound: 996n }]), null);
  assertEquals(swapWithPools([good, { route, wanted: 1_000n, bound: 1_004n }]), null);
  assertEquals(swapWithPools([good, { route, wanted: 500_000n, bound: 10n ** 9n }]), null);
  const reserves = [xy, yz].map((pool) => pool.tokens.map((token) => pool.getReserve(token)));
  assertEquals(reserves, [[1_000_000n, 2_000_000n], [500_000n, 500_000n]]);
});

Deno.test("verifyContractSignatures() excludes an order while its contract rejects the signature", async () => {
  const uid = `0x${"d1".repeat(32)}${OWNER.slice(2)}ffffffff`;
  const order = bookOrder({ signingScheme: "eip1271", signature: "0x5160" }, { uid });
  const market = marketWith(order);
  const asked: string[][] = [];
  const answers = [true, false, true];
  market.verifiers.set(OWNER, (...claim) => {
    asked.push(claim);
    return answers.shift()!;
  });
  const ready = [];
  for (let auction = 0; auction < 3; auction++) {
    await verifyContractSignatures(market);
    ready.push(screenOrders(market).length);
  }
  assertEquals(ready, [1, 0, 1]);
  assertEquals(asked[0], [`0x${"d1".repeat(32)}`, "0x5160"]);
  assertEquals(order.events.map(({ label, reason }) => [label, reason]), [
    ["ready", undefined],
    ["invalid", "invalid_signature"],
    ["ready", undefined],
  ]);
});

const SOLVER = "0x50";
const TX = "0x70";
const BLOCKS = 4;
const REVERTED = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";

/** An auction of block 1,000 with one winning solution, which is submitted. */
function winnerOf(
  order: BookOrder,
  plannedOutcome: PlannedOutcome,
): { market: Market; auction: StoredAuction } {
  const market = marketWith(order);
  const { execution, swap } = planExecution(order, planningTerms(market))!;
  const plan = { solver: SOLVER, executions: [execution], swaps: [swap], plannedOutcome };
  const auction: StoredAuction = {
    competition: auctionOf([
      { solver: SOLVER, score: 1n, pairs: [], isWinner: true, txHash: null },
    ], {
      auctionId: 7,
      auctionStartBlock: market.block,
      auctionDeadlineBlock: market.block + BLOCKS,
      auction: { orders: [order.uid], prices: {} },
    }),
    attempts: [],
    prices: {},
    deadline: market.block + BLOCKS,
  };
  beginSettlement(market, { auction, solutionUid: 0, plan, txHash: TX });
  return { market, auction };
}

/** Advances by one block; returns the attempt's outcome and the number of fills. */
function nextBlock(market: Market, auction: StoredAuction): unknown[] {
  market.block++;
  settlePending(market);
  return [auction.attempts[0]?.outcome, market.book.fills.length];
}

Deno.test("settlePending() ends attempts, and executes settlements, in the blocks of their outcome", () => {
  const reason = "driver failed: bad status 500 Internal Server Error: settlement not submitted";
  const fates: Record<PlannedOutcome, unknown[][]> = {
    settles: [["success", 1]],
    slow: [[undefined, 0], ["success", 1]],
    reverts: [[reason, 0]],
    "times out": [[undefined, 0], [undefined, 0], [undefined, 0], ["timeout", 0]],
    late: [[undefined, 0], [undefined, 0], [undefined, 0], ["timeout", 0], ["timeout", 0], [
      "timeout",
      1,
    ]],
  };
  for (const [plannedOutcome, expected] of Object.entries(fates)) {
    const order = bookOrder();
    const { market, auction } = winnerOf(order, plannedOutcome as PlannedOutcome);
    assertEquals([order.attempts, market.pending.size], [1, 1]);
    assertEquals(expected.map(() => nextBlock(market, auction)), expected, plannedOutcome);
    assertEquals([order.attempts, market.pending.size], [0, 0]);
    const hasLanded = expected.at(-1)![1] === 1;
    assertEquals(order.events.map(({ label }) => label), [
      "executing",
      ...(hasLanded ? ["traded"] : []),
    ]);
    assertEquals(auction.competition.transactionHashes, hasLanded ? [TX] : []);
    assertEquals(auction.competition.solutions[0]?.txHash, hasLanded ? TX : null);
  }
});

Deno.test("settlePending() reverts an impossible settlement, and moves nothing", () => {
  const faults: Record<string, (market: Market, order: BookOrder) => void> = {
    "the owner's balance is gone": ({ ledger }) =>
      ledger.move(WETH, ledger.balanceOf(OWNER, WETH), { from: OWNER, to: OUTSIDE }),
    "the order is filled": (_, order) => {
      order.executedSellAmount = 1n;
    },
    "the order is expired": ({ time }) => {
      for (let block = 0; block < 50; block++) time.tick();
    },
    "the pool has moved too far": ({ liquidity }) => {
      const [pool] = liquidity.pools;
      pool!.exchange(WETH, { paid: 0n, out: pool!.getReserve(pool!.getOtherToken(WETH)) / 20n });
    },
  };
  for (const [what, becomeImpossible] of Object.entries(faults)) {
    const opening = new Market(1).time.seconds;
    const order = bookOrder({ validTo: opening + 99 });
    const { market, auction } = winnerOf(order, "settles");
    becomeImpossible(market, order);
    const before = [...market.ledger.entries()];
    assertEquals(nextBlock(market, auction), [REVERTED, 0], what);
    assertEquals([...market.ledger.entries()], before, what);
  }
});

Deno.test("screenOrders() excludes others for the service's reasons", () => {
  const inFlight = bookOrder();
  inFlight.attempts = 1;
  const cases: readonly (readonly [BookOrder, string, string])[] = [
    [inFlight, "filtered", "in_flight"],
    [bookOrder({ signingScheme: "presign" }), "invalid", "invalid_signature"],
    [bookOrder({ buyToken: UNSUPPORTED_TOKEN.address }), "invalid", "unsupported_token"],
    [bookOrder({ sellAmount: 10n ** 24n }), "invalid", "insufficient_balance"],
    [bookOrder({ buyToken: `0x${"77".repeat(20)}` }), "filtered", "missing_native_price"],
    [bookOrder({ sellAmount: 10n, partiallyFillable: true }), "filtered", "dust_order"],
  ];
  for (const [order, ...expected] of cases) {
    assertEquals(screenOrders(marketWith(order)), []);
    const { label, reason } = order.events.at(-1)!;
    assertEquals([label, reason], expected);
  }
  // Of an order that may be filled in part, any balance is enough.
  const partial = bookOrder({ sellAmount: 10n ** 24n, partiallyFillable: true });
  assertEquals(screenOrders(marketWith(partial)), [partial]);
});
