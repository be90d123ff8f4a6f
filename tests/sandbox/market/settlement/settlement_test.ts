import { assert, assertEquals } from "@std/assert";
import type { BookOrder } from "../../../../lib/sandbox/market/book_order.ts";
import { screenOrders, verifyContractSignatures } from "../../../../lib/sandbox/market/engine.ts";
import { holdAuction } from "../../../../lib/sandbox/market/hold_auction.ts";
import { Pool } from "../../../../lib/sandbox/market/liquidity.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import {
  type FillPlace,
  recordFill,
  tradeWithPools,
} from "../../../../lib/sandbox/market/settlements.ts";
import { bookOrder, DAI, ETHER, GNO, OWNER, QUOTE, USDC } from "../book_orders.ts";

/** A market after one auction over orders of an owner with funds. */
async function marketAfter(...orders: BookOrder[]): Promise<Market> {
  const market = new Market(1);
  market.fund(OWNER);
  for (const order of orders) market.book.add(order);
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

function notificationsOf({ book }: Market) {
  return (book.notifications.get(OWNER) ?? []).map((one) =>
    "type" in one ? [one.account, one.type, one.metadata] : []
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
  const market = new Market(1);
  market.fund(OWNER);
  const uid = `0x${"d1".repeat(32)}${OWNER.slice(2)}ffffffff`;
  const order = bookOrder({ signingScheme: "eip1271", signature: "0x5160" }, { uid });
  market.book.add(order);
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
