import { assertEquals, assertThrows } from "@std/assert";
import { Market } from "../../../lib/sandbox/market/market.ts";
import { type FillPlace, recordFill } from "../../../lib/sandbox/market/settlements.ts";
import { Rejection } from "../../../lib/sandbox/wire/reply.ts";
import { getTotalSurplus, getTrades } from "../../../lib/sandbox/service/routes.ts";
import { bookOrder, OWNER, USDC } from "../market/book_orders.ts";

const AUCTION = 7;

/** A market in which an order of 1,000 atoms for 1,900 was filled in three parts. */
function marketWithFills(): { market: Market; uid: string } {
  const market = new Market(1);
  const order = bookOrder({ sellAmount: 1_000n, buyAmount: 1_900n, partiallyFillable: true });
  market.book.add(order);
  const competition = { auctionId: AUCTION, auction: { orders: [], prices: {} } };
  const auction = { competition, prices: { [USDC]: 4n * 10n ** 26n } };
  const place = { auction, txHash: `0x${"70".repeat(32)}`, logIndex: 0 } as unknown as FillPlace;
  market.book.auctions.set(AUCTION, place.auction);
  for (const [sellAmount, buyAmount] of [[100n, 191n], [300n, 600n], [600n, 1_140n]] as const) {
    const fees = { protocolFees: [], executedFee: 0n };
    const fill = { sellAmount, buyAmount };
    recordFill(market, place, { order, fill, price: { sell: 1n, buy: 1n }, fees });
  }
  return { market, uid: order.uid };
}

function soldIn(market: Market, query: string): string[] {
  const { body } = getTrades(market, new URLSearchParams(query));
  const trades = JSON.parse(body) as { sellAmount: string }[];
  return trades.map(({ sellAmount }) => sellAmount);
}

Deno.test("getTrades() returns pages of an owner's or an order's trades, newest first", () => {
  const { market, uid } = marketWithFills();
  assertEquals(soldIn(market, `owner=${OWNER}`), ["600", "300", "100"]);
  assertEquals(soldIn(market, `orderUid=${uid}&offset=1&limit=1`), ["300"]);
  assertEquals(soldIn(market, `owner=${OWNER}&offset=3`), []);
  assertEquals(soldIn(market, `orderUid=0x${"77".repeat(56)}`), []);
});

Deno.test("getTrades() requires either an owner or an order", () => {
  const { market, uid } = marketWithFills();
  for (const query of ["", `owner=${OWNER}&orderUid=${uid}`]) {
    assertThrows(() => getTrades(market, new URLSearchParams(query)), Rejection);
  }
});

Deno.test("getTotalSurplus() sums the surplus over the limits, in native atoms", () => {
  const { market } = marketWithFills();
  // 191 - 190, 600 - 570 and 1,140 - 1,140 atoms, of 4 * 10^8 each.
  const { body } = getTotalSurplus(market, OWNER);
  assertEquals(JSON.parse(body), { totalSurplus: String(31n * 4n * 10n ** 8n) });
});
