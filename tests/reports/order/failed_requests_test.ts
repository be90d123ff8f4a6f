import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, type OrderBook } from "../../../lib/client/mod.ts";
import { NoOrderBookError, UnauthorizedError } from "../../../lib/errors/mod.ts";
import type { HttpRequest, HttpResponse } from "../../../lib/http/mod.ts";
import { replay } from "../../../lib/recordings/mod.ts";
import {
  inspectAccount,
  inspectAuction,
  inspectOrder,
  inspectSolver,
  inspectTransaction,
} from "../../../lib/reports/mod.ts";
import { cannedBook, filledAnswers, orderBody, uidOf } from "../canned_book.ts";

const recording = await replay("market_1");
const { orderUids: [, FILLED_UID], accounts: [ACCOUNT], txHashes: [TX_HASH] } = recording.recorded;
const AUCTION = 2624;

function response(status: number, body: string, contentType = "text/plain"): HttpResponse {
  return { status, contentType, headers: new Headers({ "content-type": contentType }), body };
}

/** The recorded deployment, with some responses replaced. */
function bookWith(
  replace: (request: HttpRequest) => HttpResponse | Promise<HttpResponse> | null,
): OrderBook {
  return connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    send: async (request) => await replace(request) ?? await recording.send(request),
  });
}

const REPORTS = [
  ["order", (book: OrderBook) => inspectOrder(book, FILLED_UID!)],
  ["account", (book: OrderBook) => inspectAccount(book, ACCOUNT!, { orders: 2 })],
  ["auction", (book: OrderBook) => inspectAuction(book, AUCTION)],
  ["transaction", (book: OrderBook) => inspectTransaction(book, TX_HASH!)],
  ["solver", (book: OrderBook) => inspectSolver(book, ACCOUNT!)],
] as const;

for (const [subject, inspect] of REPORTS) {
  Deno.test(`a report of one ${subject} rejects where access is refused or no order book answers`, async () => {
    const page = "<html><title>Just a moment...</title></html>";
    const rows = [
      [response(403, page, "text/html"), UnauthorizedError, "denies access"],
      [response(401, '{"message":"Unauthorized"}'), UnauthorizedError, "requires credentials"],
      [response(404, page, "text/html"), NoOrderBookError, "no order book answers"],
      [response(404, "default backend - 404"), NoOrderBookError, "no order book answers"],
      [response(404, '{"message":"no Route matched"}'), NoOrderBookError, "no order book answers"],
    ] as const;
    for (const [sent, type, words] of rows) {
      const error = await assertRejects(() => inspect(bookWith(() => sent)), Error, words);
      assert(error instanceof type, `${error}`);
    }
  });
}

Deno.test("a report is complete from what came wherever one optional route fails", async () => {
  const optional = [
    [/\/status$/, "stage"],
    [/\/debug\/order\//, "debug_report"],
    [/\/trades/, "trades"],
    [/\/by_tx_hash\//, "competition"],
  ] as const;
  const whole = await inspectOrder(bookWith(() => null), FILLED_UID!);
  for (const [route, what] of optional) {
    for (const sent of [response(502, "bad gateway"), response(404, "default backend - 404")]) {
      const book = bookWith(({ path }) => route.test(path) ? sent : null);
      const report = await inspectOrder(book, FILLED_UID!);
      assertEquals(report.order?.status, whole.order?.status);
      const unknown = report.unknown.find((each) => each.what === what);
      if (what === "competition" && unknown === undefined) continue;
      assert(unknown !== undefined, `${what}: ${JSON.stringify(report.unknown)}`);
      assert(unknown.why.includes(" could not be fetched: "), unknown.why);
    }
  }
});

Deno.test("inspectOrder() does not advise a partner's key where the debug report did not come", async () => {
  const book = bookWith(({ path }) =>
    path.startsWith("/restricted/") ? response(502, "bad gateway") : null
  );
  const report = await inspectOrder(book, recording.recorded.orderUids[0]!);
  assertEquals(report.evidence.debugReport, "failed");
  const texts = JSON.stringify([report.unknown, report.next]);
  assert(!/API key/.test(texts), texts);
});

Deno.test("inspectOrder() gives up a simulation that hangs after ten seconds", async () => {
  const uid = uidOf("01");
  const order = orderBody({ status: "open" });
  const report = {
    orderUid: uid,
    order,
    events: [],
    auctions: [],
    trades: [],
  };
  const { book: canned } = cannedBook({
    [`/api/v1/orders/${uid}`]: order,
    [`/restricted/api/v1/debug/order/${uid}`]: report,
  });
  const { chainId, settlementContract } = canned;
  const book = connect({
    baseUrl: "canned://book",
    deployment: { chainId, settlementContract },
    send(request) {
      if (!request.path.includes("/simulation/")) return canned.transport.send(request);
      return new Promise((_, reject) => {
        request.signal?.addEventListener("abort", () => reject(request.signal?.reason));
      });
    },
  });
  const { setTimeout } = globalThis;
  const waits: unknown[] = [];
  globalThis.setTimeout = Object.assign((act: () => void, ms?: number) => {
    if ((ms ?? 0) < 10_000) return setTimeout(act, ms);
    waits.push(ms);
    return setTimeout(act, 0);
  }, setTimeout);
  const { evidence, unknown } = await inspectOrder(book, uid).finally(() => {
    globalThis.setTimeout = setTimeout;
  });
  assertEquals(waits, [10_000]);
  assertEquals(evidence.simulation, null);
  assertEquals(
    unknown.find(({ what }) => what === "simulation")?.why,
    "The simulation of its settlement could not be fetched: there was no response within 10 s",
  );
});

Deno.test("inspectAccount() keeps its orders where their details and the surplus fail", async () => {
  const book = bookWith(({ path }) =>
    /total_surplus|\/status$|\/trades|\/restricted\//.test(path) ? response(500, "oops") : null
  );
  const { orders, totalSurplus, unknown } = await inspectAccount(book, ACCOUNT!, { orders: 2 });
  assertEquals([orders.length, totalSurplus], [2, null]);
  const missing = unknown.filter(({ why }) => why.includes(" could not be fetched")).map((
    { what },
  ) => what);
  assertEquals(missing.includes("total_surplus"), true, `${missing}`);
});

Deno.test("inspectTransaction() tells the orders where its competition fails", async () => {
  const book = bookWith(({ path }) => path.includes("by_tx_hash") ? response(500, "oops") : null);
  const { isFound, settled, unknown } = await inspectTransaction(book, TX_HASH!);
  assertEquals([isFound, settled.length], [true, 1]);
  assertEquals(
    unknown.filter(({ what }) => what === "auction").map(({ why }) => why),
    ["Its competition could not be fetched: the response has status 500"],
  );
});

Deno.test("inspectAuction() tells the solutions where the orders and trades fail", async () => {
  const book = bookWith(({ path }) => /by_uids|trades/.test(path) ? response(500, "oops") : null);
  const { isFound, solutions, unknown } = await inspectAuction(book, AUCTION);
  assertEquals([isFound, solutions.length], [true, 3]);
  assertEquals(unknown.slice(0, 2).map(({ what }) => what).sort(), ["orders_lookup", "trades"]);
});

Deno.test("inspectSolver() counts an auction that fails as unread", async () => {
  const book = bookWith(({ path }) => path.endsWith("/2620") ? response(502, "oops") : null);
  const { auctions } = await inspectSolver(book, ACCOUNT!, { auctions: { from: 2615, to: 2624 } });
  assertEquals(auctions?.unread, 1);
});

Deno.test("a filled order needs no more requests than before", async () => {
  const { book, asked, depth } = cannedBook(filledAnswers());
  await inspectOrder(book, uidOf("01"));
  assertEquals([asked.length, depth()], [5, 2]);
});
