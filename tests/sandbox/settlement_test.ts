import { assert, assertEquals } from "@std/assert";
import type { BookOrder } from "../../lib/sandbox/market/book_order.ts";
import { screenOrders, verifyContractSignatures } from "../../lib/sandbox/market/engine.ts";
import { holdAuction } from "../../lib/sandbox/market/hold_auction.ts";
import { Pool } from "../../lib/sandbox/market/liquidity.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import {
  beginSettlement,
  type FillPlace,
  recordFill,
  settlePending,
  tradeWithPools,
} from "../../lib/sandbox/market/settlements.ts";
import {
  bookOrder,
  DAI,
  ETHER,
  GNO,
  OWNER,
  planningTerms,
  QUOTE,
  USDC,
  WETH,
} from "./book_orders.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../lib/networks/mod.ts";
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
  await holdAuction(market, orders, market.random("solvers"));
  return market;
}

Deno.test("holdAuction() submits winners, and marks other orders as considered", async () => {
  const [better, worse] = [bookOrder(), bookOrder({ sellAmount: ETHER / 4n, buyAmount: 1n })];
  const elsewhere = bookOrder({ sellToken: GNO, buyToken: DAI });
  const { pending } = await marketAfter(better, worse, elsewhere);
  // Two orders of one directed pair: only one of them can be in a winning solution.
  assertEquals(
    [better, worse, elsewhere].map(({ events }) => events.map(({ label }) => label)),
    [["executing"], ["considered"], ["executing"]],
  );
  assertEquals(
    [...pending].map(({ plan }) => plan.executions.map(({ order }) => order)).flat(),
    [better, elsewhere],
  );
});

Deno.test("holdAuction() stores no auction without bids, and leaves a gap for its id", async () => {
  for (const orders of [[], [bookOrder({ buyAmount: 10n ** 12n })]]) {
    const market = await marketAfter(...orders);
    assertEquals(market.book.latestAuction, undefined);
    assertEquals(market.book.auctions.size, 0);
    assert(market.auctionId > 1_000);
    assertEquals(market.auction?.orders, orders);
  }
});

function pools(): [Pool, Pool] {
  return [
    new Pool(["x", "y"], [1_000_000n, 2_000_000n]),
    new Pool(["y", "z"], [500_000n, 500_000n]),
  ];
}

function reserves(...all: Pool[]): bigint[][] {
  return all.map((pool) => pool.tokens.map((token) => pool.reserveOf(token)));
}

Deno.test("tradeWithPools() passes the output of one pool to the next", () => {
  const [xy, yz] = pools();
  const trades = tradeWithPools([{
    route: { from: "x", pools: [xy, yz] },
    paid: 1_000n,
    bound: 1n,
  }]);
  // 2,000,000 * 997,000 / (1,000,000,000 + 997,000) = 1,992.01; then 500,000 * 1,986,024 /
  // (500,000,000 + 1,986,024) = 1,978.17.
  assertEquals(trades?.map(({ token, paid, out }) => [token, paid, out]), [
    ["x", 1_000n, 1_992n],
    ["y", 1_992n, 1_978n],
  ]);
  assertEquals(reserves(xy, yz), [[1_001_000n, 1_998_008n], [501_992n, 498_022n]]);
});

Deno.test("tradeWithPools() trades nothing if one swap is outside its bound", () => {
  const [xy, yz] = pools();
  const before = reserves(xy, yz);
  const good = { route: { from: "x", pools: [xy] }, paid: 1_000n, bound: 1_992n };
  const route = { from: "y", pools: [yz] };
  assertEquals(tradeWithPools([good, { route, paid: 1_000n, bound: 996n }]), null);
  assertEquals(tradeWithPools([good, { route, wanted: 1_000n, bound: 1_004n }]), null);
  assertEquals(tradeWithPools([good, { route, wanted: 500_000n, bound: 10n ** 9n }]), null);
  assertEquals(reserves(xy, yz), before);
});

const pending = {
  auction: { competition: { auctionId: 7 }, prices: { [USDC]: 10n ** 18n } },
  txHash: "0x70",
  logIndex: 3,
} as unknown as FillPlace;
const fees = { protocolFees: [], executedFee: 3n };
const price = { sell: 1n, buy: 1n };

const sale = { sellAmount: 1_000n, buyAmount: 1_900n, partiallyFillable: true };

function notificationsOf({ book }: Market): unknown[] {
  return (book.notifications.get(OWNER) ?? []).map((one) =>
    "type" in one && [one.account, one.type, one.metadata]
  );
}

Deno.test("recordFill() stores fills with block and log index, and sums them", () => {
  const market = new Market(1);
  const order = bookOrder(sale);
  market.book.add(order);
  for (const [logIndex, sellAmount] of [400n, 600n].entries()) {
    const fill = { sellAmount, buyAmount: sellAmount * 2n };
    recordFill(market, { ...pending, logIndex }, { order, fill, price, fees });
  }
  assertEquals(
    [order.executedSellAmount, order.executedBuyAmount, order.executedFee, order.remaining],
    [1_000n, 2_000n, 6n, 0n],
  );
  assertEquals(
    market.book.fills.map(({ block, logIndex, auctionId }) => [block, logIndex, auctionId]),
    [[1_000, 0, 7], [1_000, 1, 7]],
  );
  assertEquals(market.book.open.size, 0);
  // 2,000 atoms worth one native atom each, against a limit of 1,900 for 1,000 sold.
  assertEquals(market.book.surplusByOwner.get(OWNER), 100n);
  assertEquals(market.book.firstTrades.get(USDC), 1_000);
});

Deno.test("recordFill() notifies of a price better than quoted, and of no other", () => {
  // The quote is worth 1,980 after its fee.
  for (const [buyAmount, improvement] of [[1_980n, null], [1_985n, "5"]] as const) {
    const market = new Market(1);
    const order = bookOrder(sale, { quote: QUOTE });
    const fill = { sellAmount: 1_000n, buyAmount };
    recordFill(market, pending, { order, fill, price, fees });
    const metadata = { orderUid: order.uid, txHash: "0x70", blockNumber: 1_000 };
    assertEquals(notificationsOf(market), [
      [OWNER, "order_filled", metadata],
      ...(improvement === null ? [] : [
        [OWNER, "price_improvement", { ...metadata, improvement, token: USDC }],
      ]),
    ]);
  }
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

Deno.test("settlePending() moves the planned amounts, to the receiver", () => {
  const receiver = `0x${"0b".repeat(20)}`;
  const order = bookOrder({ receiver });
  const { market, auction } = winnerOf(order, "settles");
  const before = market.ledger.balanceOf(OWNER, WETH);
  nextBlock(market, auction);
  assertEquals(before - market.ledger.balanceOf(OWNER, WETH), ETHER);
  assertEquals(market.ledger.balanceOf(receiver, order.signed.buyToken), 2_491_591_573n);
  assertEquals(
    [order.executedSellAmount, order.executedBuyAmount, order.remaining],
    [ETHER, 2_491_591_573n, 0n],
  );
  assertEquals(market.book.open.size, 0);
});

Deno.test("settlePending() pays the native token unwrapped", () => {
  const order = bookOrder({ sellToken: GNO, buyToken: NATIVE_TOKEN_ADDRESS, buyAmount: 1n });
  const { market, auction } = winnerOf(order, "settles");
  assertEquals(nextBlock(market, auction), ["success", 1]);
  assertEquals(market.ledger.balanceOf(OWNER, NATIVE_TOKEN_ADDRESS), order.executedBuyAmount);
});

Deno.test("settlePending() settles an order that was cancelled while pending", () => {
  const order = bookOrder();
  const { market, auction } = winnerOf(order, "settles");
  market.cancel(order);
  assertEquals(nextBlock(market, auction), ["success", 1]);
  assertEquals(order.events.map(({ label }) => label), ["executing", "cancelled", "traded"]);
  assertEquals(order.statusAt(market.time.instant), "fulfilled");
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
      pool!.exchange(WETH, { paid: 0n, out: pool!.reserveOf(pool!.otherToken(WETH)) / 20n });
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

Deno.test("settlePending() buys at most the remaining amount", () => {
  const order = bookOrder({ kind: "buy", buyAmount: 10n ** 9n });
  const { market, auction } = winnerOf(order, "settles");
  order.executedBuyAmount = 1n;
  assertEquals(nextBlock(market, auction), [REVERTED, 0]);
});

function lastEvent({ events }: BookOrder): unknown[] {
  const { label, reason } = events.at(-1)!;
  return reason === undefined ? [label] : [label, reason];
}

Deno.test("screenOrders() admits valid orders to the next auction, and notes it once", () => {
  const order = bookOrder();
  const market = marketWith(order);
  assertEquals(screenOrders(market), [order]);
  assertEquals(screenOrders(market), [order]);
  assertEquals(order.events.map(({ label }) => label), ["ready"]);
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
    assertEquals(lastEvent(order), expected);
  }
});

Deno.test("screenOrders() accepts any balance for a partially fillable order", () => {
  const order = bookOrder({ sellAmount: 10n ** 24n, partiallyFillable: true });
  assertEquals(screenOrders(marketWith(order)), [order]);
});

Deno.test("screenOrders() notifies the owner each time the balance becomes insufficient", () => {
  const order = bookOrder();
  const market = marketWith(order);
  const all = market.ledger.balanceOf(OWNER, WETH);
  for (let time = 0; time < 2; time++) {
    market.ledger.move(WETH, all, { from: OWNER, to: OUTSIDE });
    assertEquals([screenOrders(market), screenOrders(market)], [[], []]);
    market.ledger.move(WETH, all, { from: OUTSIDE, to: OWNER });
    assertEquals(screenOrders(market), [order]);
  }
  const metadata = { orderUid: order.uid, token: WETH, sellAmount: String(ETHER) };
  const notification = [OWNER, "insufficient_balance", metadata];
  assertEquals(notificationsOf(market), [notification, notification]);
});

Deno.test("screenOrders() ends expired orders, and notifies of those without fills", () => {
  for (const isFilled of [false, true]) {
    const order = bookOrder({ validTo: 1 });
    if (isFilled) order.fills.push({} as never);
    const market = marketWith(order);
    assertEquals(screenOrders(market), []);
    assertEquals([market.book.open.size, order.events.length], [0, 0]);
    const sent = notificationsOf(market);
    const metadata = { orderUid: order.uid, validTo: 1 };
    assertEquals(sent, isFilled ? [] : [[OWNER, "order_expired", metadata]]);
  }
});
