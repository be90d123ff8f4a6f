import {
  connect,
  type HttpStatusError,
  InputError,
  ServiceError,
  UnconfirmedCancellationError,
} from "orderlens";
import type { OrderCancellations } from "orderlens/schemas";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type FakeAnswer, FakeTransport } from "../endpoints/fake_transport.ts";
import { orderNumber, uidNumber } from "../endpoints/recorded_bodies.ts";

const SETTLEMENT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";

function cancelling(count: number): OrderCancellations {
  return {
    orderUids: Array.from({ length: count }, (_, index) => uidNumber(index + 1)),
    signature: `0x${"12".repeat(65)}`,
    signingScheme: "eip712",
  };
}

function bookOf(answer: FakeAnswer, found: FakeAnswer) {
  const transport = new FakeTransport(({ method }) => method === "DELETE" ? answer : found);
  const book = connect(transport, { chainId: 1, settlementContract: SETTLEMENT });
  return { book, transport };
}

const CANCELLED: FakeAnswer = { contentType: "application/json", body: '"Cancelled"' };

Deno.test("cancelOrders() sends a list of 128, and rejects 129 before sending", async () => {
  const { book, transport } = bookOf(CANCELLED, {});
  await book.cancelOrders(cancelling(128));
  assertEquals(transport.requests.length, 1);
  assertEquals(JSON.parse(transport.requests[0]?.body ?? "").orderUids.length, 128);
  await assertRejects(
    () => book.cancelOrders(cancelling(129)),
    InputError,
    "Cannot cancel 129 orders at once",
  );
  await assertRejects(
    () => book.cancelOrders({ ...cancelling(1), orderUids: ["0x12"] }),
    InputError,
    "orderUids[0]",
  );
  assertEquals(transport.requests.length, 1);
});

Deno.test("cancelOrders() reports the status of each order if there is no usable answer", async () => {
  const { book, transport } = bookOf({ status: 500 }, {
    body: [
      { order: { ...orderNumber(1), status: "cancelled" } },
      { order: { ...orderNumber(2), status: "open" } },
      { order: { ...orderNumber(4), kind: "swap" } },
    ],
  });
  const error = await assertRejects(
    () => book.cancelOrders(cancelling(4)),
    UnconfirmedCancellationError,
    "1 of them are cancelled",
  );
  assertEquals([...error.statuses.values()], ["cancelled", "open", "missing", null]);
  assertEquals([error.code, (error.cause as HttpStatusError).code], ["unconfirmed", "http_status"]);
  assertStringIncludes(error.message, "states: 1 cancelled, 1 open, 1 missing, 1 unknown");
  assertEquals(transport.requests.map(({ method }) => method), ["DELETE", "POST"]);
});

Deno.test("cancelOrders() reports whether all are cancelled, or that the lookup failed", async () => {
  const { book } = bookOf({ status: 504 }, {
    body: [1, 2].map((n) => ({ order: { ...orderNumber(n), status: "cancelled" } })),
  });
  const done = await assertRejects(
    () => book.cancelOrders(cancelling(2)),
    UnconfirmedCancellationError,
  );
  assertStringIncludes(done.remedy, "all orders are cancelled");

  const { book: dark } = bookOf({ status: 504 }, { status: 502 });
  const unknown = await assertRejects(
    () => dark.cancelOrders(cancelling(2)),
    UnconfirmedCancellationError,
    "looking up the orders failed too",
  );
  assertEquals([...unknown.statuses.values()], [null, null]);
});

Deno.test("cancelOrders() passes the service's error on unchanged", async () => {
  const { book, transport } = bookOf({
    status: 401,
    body: { errorType: "WrongOwner", description: "Signature recovery's owner doesn't match" },
  }, {});
  const error = await assertRejects(() => book.cancelOrders(cancelling(2)), ServiceError);
  assertEquals([error.errorType, error.status], ["WrongOwner", 401]);
  assertEquals(transport.requests.length, 1);
});
