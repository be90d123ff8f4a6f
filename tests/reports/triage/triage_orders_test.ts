import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, type OrderBook } from "../../../lib/client/mod.ts";
import { InputError } from "../../../lib/errors/mod.ts";
import type { HttpRequest, HttpResponse } from "../../../lib/http/mod.ts";
import { replay } from "../../../lib/recordings/mod.ts";
import { inspectOrder, triageOrders } from "../../../lib/reports/mod.ts";

const recording = await replay("simulated_1");
const recorded = connect(recording);
/** As many as have more filled ones than a request for orders may name. */
const UIDS = recording.recorded.orderUids.slice(0, 160);

/** A book whose requests are counted by route, and answered by a function first. */
function counted(
  instead: (request: HttpRequest) => HttpResponse | null = () => null,
): { book: OrderBook; routes: Map<string, number> } {
  const routes = new Map<string, number>();
  const { baseUrl, deployment } = recording;
  const book = connect({
    baseUrl,
    deployment,
    send(request) {
      const route = request.path.replace(/0x[0-9a-f]+/g, "").split("?")[0]!;
      routes.set(route, (routes.get(route) ?? 0) + 1);
      const answer = instead(request);
      return answer === null ? recording.send(request) : Promise.resolve(answer);
    },
  });
  return { book, routes };
}

function answer(status: number, body: string): HttpResponse {
  const headers = new Headers({ "content-type": "application/json" });
  return { status, contentType: "application/json", headers, body };
}

const all = await Array.fromAsync(triageOrders(recorded, UIDS));
const FILLED = all.filter(({ verdict }) => verdict === "filled").map((row) => row.order_id);

Deno.test("triageOrders() judges as inspectOrder() does", async () => {
  const uids = recording.recorded.orderUids;
  const rows = await Array.fromAsync(triageOrders(recorded, uids, { settlements: true }));
  for (const row of rows) {
    const { verdict, sentence } = await inspectOrder(recorded, row.order_id);
    assertEquals(row.verdict, verdict);
    // Only reports tell when a filled order was cancelled, and a triage asks for none of them.
    if (verdict !== "filled") assertEquals(row.sentence, sentence);
  }
  const verdicts = new Set(rows.map(({ verdict }) => verdict));
  assert(verdicts.size >= 6, `${verdicts.size} verdicts`);
});

Deno.test("triageOrders() takes 1.2 requests per 100 filled orders, and one for the trades of each", async () => {
  for (const [filled, requests] of [[128, 1], [129, 2]] as const) {
    const uids = FILLED.slice(0, filled);
    const { book, routes } = counted();
    const rows = await Array.fromAsync(triageOrders(book, uids));
    assertEquals(rows.map((row) => row.order_id), uids);
    assertEquals(
      Object.fromEntries(routes),
      { "/api/v1/orders/by_uids": requests, "/api/v2/trades": filled },
    );
  }
});

Deno.test("triageOrders() asks a deployment that refuses a debug report for no other", async () => {
  const uids = all.filter(({ expired }) => expired === "yes").map((row) => row.order_id);
  const { book, routes } = counted(({ path }) =>
    path.startsWith("/restricted/")
      ? answer(403, '{"errorType":"Forbidden","description":"no"}')
      : null
  );
  const rows = await Array.fromAsync(triageOrders(book, uids));
  assertEquals(rows.every(({ verdict }) => verdict.startsWith("expired_")), true);
  assertEquals(routes.get("/restricted/api/v1/debug/order/"), 1);
  assert(uids.length >= 5);
  assertEquals(routes.get("/api/v1/orders//status"), uids.length);
});

Deno.test("triageOrders() judges each UID once, in the order of the first", async () => {
  const [a, b] = [UIDS[3]!, UIDS[1]!];
  const written = [a.toUpperCase().replace("0X", "0x"), b, a, b];
  const rows = await Array.fromAsync(triageOrders(recorded, written));
  assertEquals(rows.map((row) => row.order_id), [a, b]);
});

Deno.test("triageOrders() asks elsewhere for what is missing, and names where it was", async () => {
  const other = await replay("edges");
  const uids = [other.recorded.orderUids[0]!, UIDS[0]!, `0x${"01".repeat(56)}`];
  const rows = await Array.fromAsync(
    triageOrders(recorded, uids, { elsewhere: [connect(other)] }),
  );
  assertEquals(rows.map(({ order_id }) => order_id), uids);
  assertEquals(rows.map(({ verdict }) => verdict === "unknown_here"), [false, false, true]);
});

Deno.test("triageOrders() judges from what came, and says what did not come", async () => {
  const uids = FILLED.slice(0, 3);
  const { book } = counted(({ path }) => path.includes(uids[1]!) ? answer(500, "{}") : null);
  const rows = await Array.fromAsync(triageOrders(book, uids));
  assertEquals(rows.map(({ verdict }) => verdict), ["filled", "filled", "filled"]);
  const gap = " The trades of the order could not be fetched: the response has status 500.";
  assertEquals(rows.map(({ sentence }) => sentence.endsWith(gap)), [false, true, false]);
  assertEquals(rows.map(({ order_id }) => order_id), uids);
});

Deno.test("triageOrders() says of orders that a deployment elsewhere refuses that they were not read", async () => {
  const [uid, unknown] = [FILLED[0]!, `0x${"77".repeat(56)}`];
  const { book: elsewhere } = counted(() => answer(403, '{"message":"Forbidden"}'));
  const rows = await Array.fromAsync(
    triageOrders(recorded, [uid, unknown], { elsewhere: [elsewhere] }),
  );
  assertEquals(rows.map(({ verdict }) => verdict), ["filled", "not_read"]);
  assert(rows[1]!.sentence.endsWith("the service denies access"), rows[1]!.sentence);
});

Deno.test("triageOrders() goes on without a deployment elsewhere that had all orders so far", async () => {
  const unknown = `0x${"77".repeat(56)}`;
  const uids = [...FILLED.slice(0, 128), FILLED[128]!, unknown];
  const { book } = counted(({ path }) => path.endsWith("by_uids") ? answer(200, "[]") : null);
  let requestCount = 0;
  const { book: elsewhere } = counted(({ path }) =>
    path.endsWith("by_uids") && ++requestCount > 1 ? answer(403, '{"message":"Forbidden"}') : null
  );
  const rows = await Array.fromAsync(triageOrders(book, uids, { elsewhere: [elsewhere] }));
  assertEquals(
    rows.slice(127).map(({ verdict }) => verdict),
    ["filled", "not_read", "not_read"],
  );
});

Deno.test("triageOrders() rejects what is no UID", async () => {
  await assertRejects(() => Array.fromAsync(triageOrders(recorded, ["0x12"])), InputError);
});
