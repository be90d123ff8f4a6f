import {
  connect,
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  InputError,
  NetworkError,
  type OrderBook,
  type OrderlensError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "orderlens";
import type { HttpHooks, HttpTransportOptions } from "orderlens/http";
import {
  assert,
  assertEquals,
  assertGreater,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  orderNumber,
  RECORDED_ORDER,
  RECORDED_OWNER,
  uidNumber,
} from "../endpoints/recorded_bodies.ts";
import {
  answers,
  type Behaviour,
  garblesChunks,
  hangsUp,
  type MisbehavingServer,
  misbehavingServer,
  pages,
  pagesTwice,
  pagesWithBroken,
  redirects,
  refusedUrl,
  sendsLarge,
  shiftingPages,
  stalls,
  stallsInBody,
  streams,
  talksGarbage,
  truncates,
} from "../misbehaving_server.ts";
import { TestClock } from "../test_clock.ts";

const UID = RECORDED_ORDER.uid as string;
const OWNER = RECORDED_OWNER;
const ORDER_PATH = `/api/v1/orders/${UID}`;
const LIST_PATH = `/api/v1/account/${OWNER}/orders`;
const BY_UIDS = "/api/v1/orders/by_uids";

const SETTLEMENT = RECORDED_ORDER.settlementContract as string;

function bookAt(url: string, options: HttpTransportOptions = {}): OrderBook {
  return connect(url, {
    chainId: 1,
    settlementContract: SETTLEMENT,
    backoffBaseMs: 0,
    ...options,
  });
}

function bookOf(server: MisbehavingServer, options: HttpTransportOptions = {}): OrderBook {
  return bookAt(server.url, options);
}

/** Orders `count` to 1, newest first. */
function orders(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => orderNumber(count - index));
}

function uids(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, index) => uidNumber(from - index));
}

async function listed(book: OrderBook): Promise<string[]> {
  return (await Array.fromAsync(book.accountOrders(OWNER))).map(({ uid }) => uid);
}

/** Checks that an error names the request and the remedy, without a foreign stack. */
function assertTells(error: Error, path: string): void {
  assertStringIncludes(error.message, path);
  assertStringIncludes(error.message, "\nFix: ");
  assertEquals(/^\s+at /m.test(error.message), false, error.message);
}

const good = answers(RECORDED_ORDER);

Deno.test("a book tolerates transient 429 and 500, and counts its requests", async () => {
  const soon = { status: 429, headers: { "retry-after": "0" } };
  for (
    const faults of [
      [answers("slow down", soon)],
      [answers("slow down", { status: 429 })],
      [500, 502, 503].map((status) => answers("", { status })),
      [hangsUp, talksGarbage, garblesChunks],
      [truncates(), truncates(JSON.stringify(RECORDED_ORDER).slice(0, 400))],
    ]
  ) {
    await using server = misbehavingServer({ [ORDER_PATH]: [...faults, good] });
    assertEquals((await bookOf(server).order(UID)).uid, UID);
    assertEquals(server.count(), faults.length + 1);
  }
});

Deno.test("a book reports a permanent failure with the request, the response and a remedy", async () => {
  const faults: [Behaviour, new (...args: never[]) => Error, number][] = [
    [answers("slow down", { status: 429 }), RateLimitedError, 5],
    [answers("", { status: 500 }), HttpStatusError, 5],
    [hangsUp, NetworkError, 5],
    [talksGarbage, NetworkError, 5],
    [garblesChunks, NetworkError, 5],
    [truncates(), NetworkError, 5],
    [
      answers("<html>hello</html>", { headers: { "content-type": "text/html" } }),
      HttpStatusError,
      1,
    ],
    [answers(RECORDED_ORDER, { headers: { "content-type": "text/plain" } }), HttpStatusError, 1],
    [answers("{"), HttpStatusError, 1],
    [answers({ uid: 7 }), DecodeError, 1],
    [answers([]), DecodeError, 1],
    [answers("null"), DecodeError, 1],
    [redirects("https://example.org/elsewhere"), HttpStatusError, 1],
  ];
  for (const [fault, type, requests] of faults) {
    await using server = misbehavingServer({ [ORDER_PATH]: fault });
    const error = await assertRejects(() => bookOf(server).order(UID));
    assertEquals(error.constructor, type);
    assertTells(error, `GET ${ORDER_PATH}`);
    assertEquals(server.count(), requests);
  }
});

Deno.test("a book waits no longer than the options allow", async () => {
  for (const stall of [stalls, stallsInBody()]) {
    await using server = misbehavingServer({ [ORDER_PATH]: stall });
    const error = await assertRejects(
      () => bookOf(server, { timeoutMs: 30, retries: 1 }).order(UID),
      TimeoutError,
    );
    assertTells(error, `GET ${ORDER_PATH}`);
    assertEquals(server.count(), 2);
  }
});

Deno.test("a book obeys Retry-After", async () => {
  const clock = new TestClock({ heldFromMs: 30_000 });
  const later = answers("", { status: 429, headers: { "retry-after": "7" } });
  await using server = misbehavingServer({ [ORDER_PATH]: [later, good] });
  await bookOf(server, { clock }).order(UID);
  assertEquals(clock.waitsMs, [7000]);
});

Deno.test("a book stops immediately when aborted, whatever the server does", async () => {
  for (const stall of [stalls, stallsInBody()]) {
    await using server = misbehavingServer({
      [ORDER_PATH]: stall,
      [LIST_PATH]: stall,
      [BY_UIDS]: stall,
    });
    const book = bookOf(server);
    const calls: [string, (signal: AbortSignal) => Promise<unknown>][] = [
      [ORDER_PATH, (signal) => book.order(UID, { signal })],
      [LIST_PATH, (signal) => Array.fromAsync(book.accountOrders(OWNER, { signal }))],
      [BY_UIDS, (signal) => book.orders(uids(300, 1), { signal })],
    ];
    for (const [path, call] of calls) {
      const controller = new AbortController();
      const rejected = assertRejects(() => call(controller.signal), Error, "enough");
      await server.reached(path);
      controller.abort(new Error("enough"));
      await rejected;
    }
  }
});

Deno.test("a book rejects 100 MB while reading", async () => {
  for (const announced of [true, false]) {
    const tally = { sent: 0 };
    const large = sendsLarge(100_000_000, { tally, announced });
    await using server = misbehavingServer({ [ORDER_PATH]: large });
    const error = await assertRejects(() => bookOf(server).order(UID), HttpStatusError);
    assertTells(error, `GET ${ORDER_PATH}`);
    assertGreater(100_000_000, tally.sent);
    assertEquals(server.count(), 1);
  }
});

Deno.test("a list neither loses nor repeats a row while its pages change", async () => {
  const rows = orders(2500);
  const arriving = [2503, 2502, 2501].map(orderNumber).toReversed();
  const scripts: [Behaviour | Behaviour[], number][] = [
    [pages(rows), 3],
    [shiftingPages(rows, arriving), 3],
    [pagesTwice(rows), 7],
    [[pages(rows), answers("", { status: 503 }), truncates("["), pages(rows)], 5],
  ];
  for (const [script, requests] of scripts) {
    await using server = misbehavingServer({ [LIST_PATH]: script });
    assertEquals(await listed(bookOf(server)), uids(2500, 1));
    assertEquals(server.count(), requests);
  }
});

Deno.test("a list yields every row but the invalid one, then reports it", async () => {
  await using server = misbehavingServer({ [LIST_PATH]: pagesWithBroken(orders(1200), 1100) });
  const seen: string[] = [];
  const error = await assertRejects(async () => {
    for await (const { uid } of bookOf(server).accountOrders(OWNER)) seen.push(uid);
  }, IncompleteListError);
  assertEquals(seen, uids(1200, 1).toSpliced(1100, 1));
  assertEquals(error.failures.length, 1);
  assertTells(error, `GET ${LIST_PATH}?offset=1000&limit=1000`);
  assertEquals(server.count(), 2);
});

Deno.test("a list that fails midway has yielded the rows before", async () => {
  await using server = misbehavingServer({
    [LIST_PATH]: [pages(orders(1500)), answers("", { status: 500 })],
  });
  const seen: string[] = [];
  await assertRejects(async () => {
    for await (const { uid } of bookOf(server).accountOrders(OWNER)) seen.push(uid);
  }, HttpStatusError);
  assertEquals(seen, uids(1500, 501));
  assertEquals(server.count(), 6);
});

Deno.test("by_uids accounts for every UID although one of its requests fails permanently", async () => {
  const asked = Array.from({ length: 300 }, (_, index) => uidNumber(index + 1));
  await using server = misbehavingServer({
    [BY_UIDS]: (request, connection) => {
      const wanted: string[] = JSON.parse(request.body);
      const behaviour = wanted.includes(uidNumber(130))
        ? hangsUp
        : answers(wanted.map((uid) => ({ order: orderNumber(parseInt(uid.slice(2, 66), 16)) })));
      return behaviour(request, connection);
    },
  });
  const { orders, missing, failed } = await bookOf(server).orders(asked);
  assertEquals(orders.map(({ uid }) => uid), asked.toSpliced(128, 128));
  assertEquals(missing, []);
  assertEquals(failed.map(({ uid }) => uid), asked.slice(128, 256));
  assertInstanceOf(failed[0]?.error, NetworkError);
  assertEquals(server.count(), 7);
});

Deno.test("a disabled feature is unavailable, never an empty list", async () => {
  const path = `/accounts/${OWNER}/notifications`;
  const off: [Behaviour, number][] = [
    [answers("", { status: 404 }), 1],
    [answers("disabled", { status: 503 }), 5],
  ];
  for (const [behaviour, requests] of off) {
    await using server = misbehavingServer({ [path]: behaviour });
    const error = await assertRejects(() => bookOf(server).notifications(OWNER), UnavailableError);
    assertTells(error, `GET ${path}`);
    assertEquals(server.count(), requests);
  }
});

Deno.test("notifications are not requested again before their max-age is over", async () => {
  const clock = new TestClock({ heldFromMs: 1 });
  const headers = { "cache-control": "public, max-age=300" };
  const path = `/accounts/${OWNER}/notifications`;
  await using server = misbehavingServer({ [path]: answers([], { headers }) });
  const book = bookOf(server, { clock, timeoutMs: Infinity });
  assertEquals(await book.notifications(OWNER), []);
  clock.advance(299_000);
  await book.notifications(OWNER);
  assertEquals(server.count(), 1);
  clock.advance(2_000);
  await book.notifications(OWNER);
  assertEquals(server.count(), 2);
});

Deno.test("neither keys nor orders are sent to another host", async () => {
  await using other = misbehavingServer({});
  const away = redirects(`${other.url}/stolen`, 307);
  await using server = misbehavingServer({ [ORDER_PATH]: away, "/api/v1/quote": away });
  const book = bookOf(server, { headers: { "x-api-key": "partner-key-1234" } });
  const quote = {
    kind: "sell" as const,
    sellAmountBeforeFee: 1n,
    sellToken: OWNER,
    buyToken: `0x${"cd".repeat(20)}`,
    from: OWNER,
  };
  for (const call of [() => book.order(UID), () => book.quote(quote)]) {
    const error = await assertRejects(call, HttpStatusError, "redirect");
    assertEquals(error.message.includes("partner-key-1234"), false);
  }
  assertEquals([server.count(), other.count()], [2, 0]);
});

Deno.test("a host without a listener or without TLS is a network error with a remedy", async () => {
  const error = await assertRejects(
    () => bookAt(refusedUrl(), { retries: 1 }).order(UID),
    NetworkError,
  );
  assertTells(error, `GET ${ORDER_PATH}`);
  assertEquals(error.mayHaveBeenReceived, false);

  await using server = misbehavingServer({});
  const plain = server.url.replace("http:", "https:");
  const insecure = await assertRejects(() => bookAt(plain).order(UID), NetworkError);
  assertStringIncludes(insecure.remedy, "TLS");
});

const { uid: _, status: __, ...SIGNED } = RECORDED_ORDER;

/** The recorded order, as a request. */
const CREATION = {
  ...SIGNED,
  sellAmount: BigInt(SIGNED.sellAmount as string),
  buyAmount: BigInt(SIGNED.buyAmount as string),
  feeAmount: BigInt(SIGNED.feeAmount as string),
  from: SIGNED.owner as string,
} as unknown as Parameters<OrderBook["createOrder"]>[0];

Deno.test("an order is sent once, and looked up when its answer is lost", async () => {
  const faults: [Behaviour, string][] = [
    [answers("", { status: 500 }), "http_status"],
    [answers("", { status: 503 }), "http_status"],
    [hangsUp, "network"],
    [truncates('"0x12', { status: 201 }), "network"],
    [answers("<html>", { headers: { "content-type": "text/html" } }), "http_status"],
  ];
  for (const [fault, code] of faults) {
    for (const exists of [true, false]) {
      const found = exists
        ? good
        : answers({ errorType: "NotFound", description: "Order was not found" }, { status: 404 });
      await using server = misbehavingServer({ "/api/v1/orders": fault, [ORDER_PATH]: found });
      const error = await assertRejects(
        () => bookOf(server).createOrder(CREATION),
        UnconfirmedOrderError,
      );
      assertEquals([error.code, error.exists, error.uid], ["unconfirmed", exists, UID]);
      assertEquals((error.cause as OrderlensError).code, code);
      assertEquals([server.count("/api/v1/orders"), server.count(ORDER_PATH)], [1, 1]);
    }
  }
});

Deno.test("an order that got 429 is sent again, because nothing happened", async () => {
  await using server = misbehavingServer({
    "/api/v1/orders": [answers("", { status: 429 }), answers(UID_ANSWER, { status: 201 })],
  });
  assertEquals(await bookOf(server).createOrder(CREATION), UID);
  assertEquals(server.count(), 2);
});

const UID_ANSWER = JSON.stringify(UID);

Deno.test("a refused connection means that no order was sent, so nothing is looked up", async () => {
  const events: string[] = [];
  const hooks: HttpHooks = { onStart: ({ request }) => events.push(request) };
  const book = bookAt(refusedUrl(), { hooks });
  await assertRejects(() => book.createOrder(CREATION), NetworkError);
  assertEquals(events, ["POST /api/v1/orders"]);
});

Deno.test("a cancellation is sent once, and the orders are looked up when its answer is lost", async () => {
  await using server = misbehavingServer({
    "/api/v1/orders": hangsUp,
    [BY_UIDS]: answers([{ order: { ...orderNumber(1), status: "cancelled" } }]),
  });
  const error = await assertRejects(
    () =>
      bookOf(server).cancelOrders({
        orderUids: [uidNumber(1), uidNumber(2)],
        signature: `0x${"12".repeat(65)}`,
        signingScheme: "eip712",
      }),
    UnconfirmedCancellationError,
  );
  assertEquals([...error.statuses.values()], ["cancelled", "missing"]);
  assertEquals(server.requests.map(({ method }) => method), ["DELETE", "POST"]);
});

Deno.test("a broken stream of quotes has yielded the quotes before, and is not repeated", async () => {
  const { promise: never } = Promise.withResolvers<string>();
  const headers = { "content-type": "text/event-stream" };
  const quote = {
    kind: "sell" as const,
    sellAmountBeforeFee: 1n,
    sellToken: OWNER,
    buyToken: `0x${"cd".repeat(20)}`,
    from: OWNER,
  };
  await using server = misbehavingServer({
    "/api/v1/quote/stream": streams([": open\n\n", () => never], { headers }),
  });
  const book = bookOf(server, { timeoutMs: 40 });
  await assertRejects(() => Array.fromAsync(book.quotes(quote)), TimeoutError);
  assertEquals(server.count(), 1);
});

Deno.test("immutable responses are requested once if there is a cache folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const open = { ...orderNumber(5), status: "open" };
    await using server = misbehavingServer({
      [ORDER_PATH]: good,
      [`/api/v1/orders/${uidNumber(5)}`]: answers(open),
    });
    for (let run = 0; run < 2; run++) {
      const book = bookOf(server, { cacheFolder: folder });
      assertEquals((await book.order(UID)).status, "fulfilled");
      assertEquals((await book.order(uidNumber(5))).status, "open");
    }
    assertEquals([server.count(ORDER_PATH), server.count()], [1, 3]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("malformed input never reaches a server", async () => {
  await using server = misbehavingServer({});
  const book = bookOf(server);
  const calls: (() => unknown)[] = [
    () => book.order("0x12"),
    () => book.orders([UID, OWNER]),
    () => book.accountOrders(UID),
    () => book.transactionOrders(OWNER),
    () => book.orderStatus(OWNER),
    () => book.debugReport(""),
    () => book.trades({ owner: UID }),
    () => book.competition(-1),
    () => book.competitions({ from: 5, to: 4 }),
    () => book.appData(UID),
    () => book.nativePrice(UID),
    () => book.tokenMetadata("WETH"),
    () => book.notifications("me"),
    () => book.totalSurplus(UID),
  ];
  for (const call of calls) {
    await assertRejects(async () => await call(), InputError);
  }
  assertEquals(server.count(), 0);
});

Deno.test("by_uids of 10,000 orders needs 79 requests", async () => {
  await using server = misbehavingServer({ [BY_UIDS]: answers([]) });
  const asked = Array.from({ length: 10_000 }, (_, index) => uidNumber(index + 1));
  const { missing } = await bookOf(server).orders(asked);
  assertEquals(missing.length, 10_000);
  assertEquals(server.count(), 79);
  assert(server.requests.every(({ body }) => body.length < 16 * 1024));
});
