import {
  connect,
  DecodeError,
  HttpStatusError,
  InputError,
  NetworkError,
  type OrderBook,
  RateLimitedError,
} from "orderlens";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RECORDED_ORDER, RECORDED_OWNER, uidNumbers } from "../endpoints/recorded_bodies.ts";
import {
  answers,
  type Behaviour,
  garblesChunks,
  hangsUp,
  type MisbehavingServer,
  misbehavingServer,
  redirects,
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

/** Checks that an error names the request and the remedy, without a foreign stack. */
function assertTells(error: Error, path: string): void {
  assertStringIncludes(error.message, path);
  assertStringIncludes(error.message, "\nFix: ");
  assertEquals(/^\s+at /m.test(error.message), false, error.message);
}

function bookOf(server: MisbehavingServer): OrderBook {
  return connect(server.url, { chainId: 1, backoffBaseMs: 0 });
}

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
      [BY_UIDS, (signal) => book.orders(uidNumbers(300, 1), { signal })],
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
