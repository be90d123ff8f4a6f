import {
  connect,
  DecodeError,
  HttpStatusError,
  InputError,
  NetworkError,
  type OrderBook,
  type OrderlensError,
  RateLimitedError,
  UnconfirmedOrderError,
} from "orderlens";
import type { HttpHooks, HttpTransportOptions } from "orderlens/http";
import { assertEquals, assertGreater, assertRejects, assertStringIncludes } from "@std/assert";
import { RECORDED_ORDER, RECORDED_OWNER, uidNumber } from "../endpoints/recorded_bodies.ts";
import {
  answers,
  type Behaviour,
  garblesChunks,
  hangsUp,
  type MisbehavingServer,
  misbehavingServer,
  redirects,
  refusedUrl,
  sendsLarge,
  stalls,
  stallsInBody,
  talksGarbage,
  truncates,
} from "../misbehaving_server.ts";

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

function uids(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, index) => uidNumber(from - index));
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

const { uid: _, ...SIGNED } = RECORDED_ORDER;

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

Deno.test("a refused connection means that no order was sent, so nothing is looked up", async () => {
  const events: string[] = [];
  const hooks: HttpHooks = { onStart: ({ request }) => events.push(request) };
  const book = bookAt(refusedUrl(), { hooks });
  await assertRejects(() => book.createOrder(CREATION), NetworkError);
  assertEquals(events, ["POST /api/v1/orders"]);
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
