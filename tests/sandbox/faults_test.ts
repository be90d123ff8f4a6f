import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError, OrderlensError } from "../../lib/errors/mod.ts";
import { connect, type OrderBook } from "../../lib/mod.ts";
import { type FaultOptions, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";

async function opened(): Promise<{ sandbox: Sandbox; book: OrderBook; uid: string }> {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const uid = sandbox.description.orderUids[0]!;
  return { sandbox, book: connect(sandbox, { retries: 0 }), uid };
}

Deno.test("fault() spoils a response, once", async () => {
  const { sandbox, book, uid } = await opened();
  const whole = await (await sandbox.fetch(`/api/v1/orders/${uid}`)).text();
  sandbox.fault({ kind: "truncated", times: 1 });
  const half = await (await sandbox.fetch(`/api/v1/orders/${uid}`)).text();
  assertEquals(half, whole.slice(0, whole.length >> 1));
  const cases: [FaultOptions, facts: Readonly<Record<string, unknown>>][] = [
    [{ kind: "rateLimited", retryAfterSec: 3 }, { code: "rate_limited", retryAfterMs: 3_000 }],
    [{ kind: "rateLimited" }, { code: "rate_limited", retryAfterMs: undefined }],
    [{ kind: "serverError" }, { code: "service", status: 500 }],
    [{ kind: "reset" }, { code: "network" }],
    [{ kind: "truncated" }, { code: "http_status" }],
    [{ kind: "html" }, { code: "http_status" }],
  ];
  for (const [options, facts] of cases) {
    const fault = sandbox.fault({ ...options, operation: "order", times: 1 });
    const error = await assertRejects(() => book.order(uid), OrderlensError);
    for (const [name, fact] of Object.entries(facts)) {
      assertEquals(Reflect.get(error, name), fact, options.kind);
    }
    assertEquals(fault.hits, 1);
    assertEquals((await book.order(uid)).uid, uid, options.kind);
  }
});

Deno.test("fault() affects the operations and requests that it applies to, until it is removed", async () => {
  const { sandbox, book, uid } = await opened();
  const missing = sandbox.fault({ kind: "missingCompetition", operation: ["competition"] });
  const shifted = sandbox.fault({ kind: "shiftedRows", times: 1 });
  const { owner } = await book.order(uid);
  await Array.fromAsync(book.accountOrders(owner, { limit: 1 }));
  assertEquals([missing.hits, shifted.hits], [0, 0]);
  await (await sandbox.fetch(`/api/v1/account/${owner}/orders?limit=1&offset=1`)).text();
  assertEquals(shifted.hits, 1);
  await assertRejects(() => book.competition("latest"));
  missing.remove();
  assert((await book.competition("latest")).solutions.length > 0);
});

Deno.test("fault() rejects invalid options", async () => {
  const { sandbox } = await opened();
  const wrong: FaultOptions[] = [
    { rate: 1 } as FaultOptions,
    { kind: "flood" as FaultOptions["kind"] },
    { kind: "latency", ms: -1 },
    { kind: "latency", ms: Infinity },
    { kind: "reset", rate: 1.1 },
    { kind: "reset", times: NaN },
    { kind: "reset", times: 1.5 },
    { kind: "rateLimited", retryAfterSec: 0.5 },
    { kind: "reset", operation: "everything" as "order" },
    { kind: "reset", share: 0.5 } as FaultOptions,
  ];
  for (const options of wrong) {
    assertThrows(() => sandbox.fault(options), InputError, undefined, JSON.stringify(options));
  }
});

Deno.test("fault() stops waiting when its request is aborted", async () => {
  const { sandbox } = await opened();
  for (const kind of ["latency", "slowBody"] as const) {
    const fault = sandbox.fault({ kind, ms: 20_000 });
    const waiting = new AbortController();
    const { signal } = waiting;
    const answered = sandbox.fetch("http://x/api/v1/version", { signal })
      .then((response) => response.text());
    setTimeout(() => waiting.abort(new Error("no longer")), 5);
    const error = await assertRejects(() => answered);
    assertEquals(error, signal.reason);
    fault.remove();
  }
});

Deno.test("fault() adds unknown fields and values, which are kept", async () => {
  const { sandbox, book, uid } = await opened();
  sandbox.fault({ kind: "unknownFields" });
  sandbox.fault({ kind: "unknownValues" });
  const order = await book.order(uid);
  assert("futureField" in order);
  assertEquals(order.status, "futureValue");
});

Deno.test("fault() delays responses and bodies, and shifts pages", async () => {
  const { sandbox, book, uid } = await opened();
  sandbox.fault({ kind: "latency", ms: 20, times: 1 });
  sandbox.fault({ kind: "slowBody", ms: 20, times: 1 });
  const began = performance.now();
  assertEquals((await book.order(uid)).uid, uid);
  assert(performance.now() - began >= 30);
  const owner = (await book.order(uid)).owner;
  const page = async (offset: number) => {
    const path = `/api/v1/account/${owner}/orders?limit=1&offset=${offset}`;
    return await (await sandbox.fetch(`http://x${path}`)).text();
  };
  const [first, second, third] = [await page(0), await page(1), await page(2)];
  assertEquals(new Set([first, second, third]).size, 3);
  const duplicate = sandbox.fault({ kind: "duplicateRows", operation: "accountOrders" });
  assertEquals(await page(1), first);
  duplicate.remove();
  sandbox.fault({ kind: "shiftedRows", operation: "accountOrders" });
  assertEquals(await page(1), third);
});
