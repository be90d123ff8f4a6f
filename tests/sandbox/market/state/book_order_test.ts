import { assertEquals } from "@std/assert";
import { bookOrder, ETHER, OWNER, QUOTE } from "../book_orders.ts";

const now = Temporal.Instant.from("2026-11-21T00:00:00Z");

Deno.test("BookOrder.addEvent() stores an event if its label or reason changes", () => {
  const order = bookOrder();
  const news = [
    order.addEvent("ready", now),
    order.addEvent("ready", now),
    order.addEvent("invalid", now, "insufficient_balance"),
    order.addEvent("invalid", now, "insufficient_balance"),
    order.addEvent("invalid", now, "invalid_signature"),
    order.addEvent("ready", now),
  ];
  assertEquals(news, [true, false, true, false, true, true]);
  assertEquals(order.events.map(({ label, reason = null }) => [label, reason]), [
    ["ready", null],
    ["invalid", "insufficient_balance"],
    ["invalid", "invalid_signature"],
    ["ready", null],
  ]);
});

Deno.test("BookOrder.remaining is in the token of the fixed amount", () => {
  const [sale, purchase] = [bookOrder(), bookOrder({ kind: "buy" })];
  for (const order of [sale, purchase]) {
    order.executedSellAmount = 5n;
    order.executedBuyAmount = 7n;
  }
  assertEquals([sale.remaining, purchase.remaining], [ETHER - 5n, 10n ** 6n - 7n]);
});

Deno.test("BookOrder.recipient is the owner without a receiver", () => {
  const receiver = `0x${"0b".repeat(20)}`;
  assertEquals(
    [null, `0x${"00".repeat(20)}`, receiver].map((each) => bookOrder({ receiver: each }).recipient),
    [OWNER, OWNER, receiver],
  );
});

Deno.test("BookOrder.statusAt() waits for the pre-signature, and puts fulfilled first", () => {
  const order = bookOrder({ signingScheme: "presign", validTo: 2_000_000_000 });
  assertEquals(order.statusAt(now), "presignaturePending");
  order.isPreSigned = true;
  assertEquals(order.statusAt(now), "open");
  assertEquals(order.statusAt(Temporal.Instant.from("2034-01-01T00:00:00Z")), "expired");
  order.isCancelled = true;
  assertEquals(order.statusAt(now), "cancelled");
  order.executedSellAmount = ETHER;
  assertEquals(order.statusAt(now), "fulfilled");
});

Deno.test("BookOrder.toRecord() shows quote metadata once the order is no longer open", () => {
  const order = bookOrder({}, { quote: QUOTE });
  const facts = { now, settlementContract: "0x90" };
  assertEquals(order.toRecord(facts).quote?.metadata, null);
  order.isCancelled = true;
  assertEquals(Object.keys(order.toRecord(facts).quote?.metadata ?? {}), [
    "interactions",
    "jitOrders",
    "preInteractions",
    "version",
  ]);
});
