import {
  connect,
  HttpStatusError,
  InputError,
  MismatchError,
  NetworkError,
  type OrderCreation,
  type OrderlensError,
  RateLimitedError,
  ServiceError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "orderlens";
import { decodeOrderCreation, type OrderCancellations } from "orderlens/schemas";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { orderNumber, uidNumber } from "../endpoints/recorded_bodies.ts";

const recording = await replay("market_1");
/** UID of a recorded order, and the order as sent. */
const UID = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
  "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
const { body: RECORDED } = await recording.send({ method: "GET", path: `/api/v1/orders/${UID}` });
const { owner, fullAppData, appData, ...terms } = JSON.parse(RECORDED);
const ORDER: OrderCreation = decodeOrderCreation({
  ...terms,
  from: owner,
  appData: fullAppData,
  appDataHash: appData,
});

type Answering = () => FakeAnswer | Promise<FakeAnswer>;

/** A book that answers orders, and everything else. */
function bookOf(post: Answering, get: Answering) {
  const transport = new FakeTransport(({ method }) => method === "POST" ? post() : get());
  return { book: connect(transport), transport };
}

function lost(mayHaveBeenReceived: boolean): Promise<never> {
  return Promise.reject(
    new NetworkError("Cannot get a response from http://fake.localhost", {
      request: "POST /api/v1/orders",
      attempts: 1,
      mayHaveBeenReceived,
      remedy: "Look",
    }),
  );
}

/** The answer to a created order: its UID as JSON. */
function naming(uid: string): FakeAnswer {
  return { status: 201, contentType: "application/json", body: JSON.stringify(uid) };
}

const FOUND = (): FakeAnswer => ({ contentType: "application/json", body: RECORDED });

/** Failures that leave the outcome unknown. */
const UNUSABLE: [Answering, string][] = [
  [() => ({ status: 500, body: { errorType: "InternalServerError", description: "" } }), "service"],
  [() => ({ status: 502, body: "<html>bad gateway</html>" }), "http_status"],
  [() => ({ status: 503 }), "http_status"],
  [() => ({ status: 200, contentType: "text/html", body: "<html>" }), "http_status"],
  [() => ({ status: 201, contentType: "application/json", body: '"0xb56' }), "http_status"],
  [() => ({ status: 201, body: { uid: UID } }), "decode"],
  [() => lost(true), "network"],
];

/** Answers to a look-up of the order, and what is then known. */
const LOOK_UPS: [Answering, exists: boolean | null, status: string | null][] = [
  [FOUND, true, "fulfilled"],
  [() => NOT_FOUND, false, null],
  [() => ({ status: 502 }), null, null],
];

Deno.test("createOrder() looks the order up without a usable response, and never sends it again", async () => {
  for (const [post, code] of UNUSABLE) {
    for (const [get, exists, status] of LOOK_UPS) {
      const { book, transport } = bookOf(post, get);
      const error = await assertRejects(() => book.createOrder(ORDER), UnconfirmedOrderError);
      assertEquals([error.exists, error.status, error.uid], [exists, status, UID]);
      assertEquals([error.code, (error.cause as OrderlensError).code], ["unconfirmed", code]);
      assertEquals(error.lookUpError instanceof HttpStatusError, exists === null);
      assertEquals(transport.requests.map(({ method, path }) => `${method} ${path}`), [
        "POST /api/v1/orders",
        `GET /api/v1/orders/${UID}`,
      ]);
    }
  }
});

/** UIDs of other orders: other terms, another owner, another expiry, no owner. */
const OTHER_UIDS = [
  UID.replace("0xb5", "0xb6"),
  UID.replace("ba78423395", "ba78423396"),
  UID.replace("6b01b280", "6b01b281"),
  `0x${"99".repeat(56)}`,
];

Deno.test("createOrder() returns only the order's own UID, and reports the outcome otherwise", async () => {
  for (const answered of OTHER_UIDS) {
    for (const [get, exists] of LOOK_UPS) {
      const { book, transport } = bookOf(() => naming(answered), get);
      const error = await assertRejects(() => book.createOrder(ORDER), UnconfirmedOrderError);
      assertEquals([error.code, error.exists, error.uid], ["unconfirmed", exists, UID]);
      assert(error.cause instanceof MismatchError, `${error.cause}`);
      assertEquals([error.cause.asked, error.cause.answered], [UID, answered]);
      assertEquals(transport.paths, ["/api/v1/orders", `/api/v1/orders/${UID}`]);
    }
  }
});

Deno.test("createOrder computes the UID without `from` and the document's hash, where possible", async () => {
  const { from: _, appDataHash: __, ...order } = ORDER;
  const { book, transport } = bookOf(() => ({ status: 502 }), FOUND);
  for (const one of [order, { ...order, appData: ORDER.appDataHash! }]) {
    const error = await assertRejects(() => book.createOrder(one), UnconfirmedOrderError);
    assertEquals(error.uid, UID);
  }
  transport.requests.length = 0;
  const anonymous = { ...order, signingScheme: "presign", signature: "0x" };
  await assertRejects(() => book.createOrder(anonymous), Error, "status 502");
  assertEquals(transport.requests.length, 1);
});

Deno.test("createOrder looks nothing up after a rejection, or once it is aborted", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const refusals: [Answering, new (...args: never[]) => Error][] = [
    [() => ({ status: 400, body: { errorType: "ZeroAmount", description: "" } }), ServiceError],
    [() => ({ status: 429 }), RateLimitedError],
    [() => lost(false), NetworkError],
    [() => {
      controller.abort(new Error("enough"));
      return lost(true);
    }, NetworkError],
  ];
  for (const [post, type] of refusals) {
    const { book, transport } = bookOf(post, FOUND);
    const error = await assertRejects(() => book.createOrder(ORDER, { signal }));
    assertEquals(error.constructor, type);
    assertEquals(transport.requests.length, 1);
  }
  const { book } = bookOf(() => naming(`0x${UID.slice(2).toUpperCase()}`), FOUND);
  assertEquals(await book.createOrder(ORDER), UID);
});

Deno.test("createOrder reports the failure, the lookup and the remedy", async (t) => {
  const messages: string[] = [];
  const bad = () => ({ status: 502, body: "<html>bad gateway</html>" });
  const other = () => naming(OTHER_UIDS[3]!);
  for (
    const [post, get] of [
      [bad, FOUND],
      [bad, () => NOT_FOUND],
      [bad, () => ({ status: 503 })],
      [other, FOUND],
      [other, () => NOT_FOUND],
    ] as const
  ) {
    const { book } = bookOf(post, get);
    messages.push((await assertRejects(() => book.createOrder(ORDER))).message);
  }
  await t.assertSnapshot(messages.join("\n\n"));
});

function cancelling(count: number): OrderCancellations {
  return {
    orderUids: Array.from({ length: count }, (_, index) => uidNumber(index + 1)),
    signature: `0x${"12".repeat(65)}`,
    signingScheme: "eip712",
  };
}

/** A book that answers cancellations, and look-ups of orders; cancels so many. */
function cancellingBook(answer: FakeAnswer, found: FakeAnswer, count: number) {
  const { book, transport } = bookOf(() => found, () => answer);
  return { book, transport, cancel: () => book.cancelOrders(cancelling(count)) };
}

const CANCELLED: FakeAnswer = { contentType: "application/json", body: '"Cancelled"' };

Deno.test("cancelOrders() sends a list of 128, and rejects 129 before sending", async () => {
  const { book, transport, cancel } = cancellingBook(CANCELLED, {}, 128);
  await cancel();
  assertEquals(JSON.parse(transport.requests[0]?.body ?? "").orderUids.length, 128);
  for (
    const [wrong, says] of [
      [cancelling(129), "Cannot cancel 129 orders at once"],
      [{ ...cancelling(1), orderUids: ["0x12"] }, "orderUids[0]"],
    ] as const
  ) await assertRejects(() => book.cancelOrders(wrong), InputError, says);
  assertEquals(transport.requests.length, 1);
});

Deno.test("cancelOrders() reports the status of each order without a usable response", async () => {
  const { transport, cancel } = cancellingBook({ status: 500 }, {
    body: [
      { order: { ...orderNumber(1), status: "cancelled" } },
      { order: { ...orderNumber(2), status: "open" } },
      { order: { ...orderNumber(4), kind: "swap" } },
    ],
  }, 4);
  const error = await assertRejects(
    cancel,
    UnconfirmedCancellationError,
    "1 of them are cancelled",
  );
  assertEquals([...error.statuses.values()], ["cancelled", "open", "missing", null]);
  assertEquals([error.code, (error.cause as HttpStatusError).code], ["unconfirmed", "http_status"]);
  assertStringIncludes(error.message, "states: 1 cancelled, 1 open, 1 missing, 1 unknown");
  assertEquals(transport.requests.map(({ method }) => method), ["DELETE", "POST"]);

  const all = cancellingBook({ status: 504 }, {
    body: [1, 2].map((n) => ({ order: { ...orderNumber(n), status: "cancelled" } })),
  }, 2);
  const done = await assertRejects(all.cancel, UnconfirmedCancellationError);
  assertStringIncludes(done.remedy, "all orders are cancelled");
  const dark = cancellingBook({ status: 504 }, { status: 502 }, 2);
  const says = "looking up the orders failed too";
  const unknown = await assertRejects(dark.cancel, UnconfirmedCancellationError, says);
  assertEquals([...unknown.statuses.values()], [null, null]);
});

Deno.test("cancelOrders() passes the service's error on unchanged", async () => {
  const body = { errorType: "WrongOwner", description: "Signature recovery's owner doesn't match" };
  const { transport, cancel } = cancellingBook({ status: 401, body }, {}, 2);
  const error = await assertRejects(cancel, ServiceError);
  assertEquals([error.errorType, error.status], ["WrongOwner", 401]);
  assertEquals(transport.requests.length, 1);
});
