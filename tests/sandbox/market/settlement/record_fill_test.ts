import { assertEquals } from "@std/assert";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { type FillPlace, recordFill } from "../../../../lib/sandbox/market/settlements.ts";
import { bookOrder, OWNER, QUOTE, USDC } from "../book_orders.ts";

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

Deno.test("recordFill() notifies the owner of a partial fill, then of the whole", () => {
  const market = new Market(1);
  const order = bookOrder(sale);
  for (const sellAmount of [400n, 600n]) {
    const fill = { sellAmount, buyAmount: sellAmount * 2n };
    recordFill(market, pending, { order, fill, price, fees });
  }
  const metadata = { orderUid: order.uid, txHash: "0x70", blockNumber: 1_000 };
  assertEquals(notificationsOf(market), [
    [OWNER, "order_partially_filled", metadata],
    [OWNER, "order_filled", metadata],
  ]);
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
