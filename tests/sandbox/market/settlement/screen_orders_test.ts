import { assertEquals } from "@std/assert";
import type { BookOrder } from "../../../../lib/sandbox/market/book_order.ts";
import { OUTSIDE, UNSUPPORTED_TOKEN } from "../../../../lib/sandbox/market/ledger.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { screenOrders } from "../../../../lib/sandbox/market/engine.ts";
import { bookOrder, ETHER, OWNER, WETH } from "../book_orders.ts";

/** A market with one order, whose owner has funds. */
function marketWith(order: BookOrder): Market {
  const market = new Market(1);
  market.fund(OWNER);
  market.book.add(order);
  return market;
}

function lastEvent({ events }: BookOrder): unknown[] {
  const { label, reason } = events.at(-1)!;
  return reason === undefined ? [label] : [label, reason];
}

function notificationsOf({ book }: Market): unknown[] {
  return (book.notifications.get(OWNER) ?? []).map((one) => "type" in one && one.type);
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
  assertEquals(notificationsOf(market), ["insufficient_balance", "insufficient_balance"]);
  const [first] = market.book.notifications.get(OWNER)!;
  assertEquals("metadata" in first! && first.metadata, {
    orderUid: order.uid,
    token: WETH,
    sellAmount: String(ETHER),
  });
});

Deno.test("screenOrders() ends expired orders, and notifies of those without fills", () => {
  for (const isFilled of [false, true]) {
    const order = bookOrder({ validTo: 1 });
    if (isFilled) order.fills.push({} as never);
    const market = marketWith(order);
    assertEquals(screenOrders(market), []);
    assertEquals([market.book.open.size, order.events.length], [0, 0]);
    assertEquals(notificationsOf(market), isFilled ? [] : ["order_expired"]);
  }
});
