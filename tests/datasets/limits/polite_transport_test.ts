import { NetworkError, RateLimitedError } from "orderlens";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { HostLimit } from "../../../lib/datasets/rate_limit/host_limit.ts";
import {
  EnoughRequests,
  PoliteTransport,
} from "../../../lib/datasets/rate_limit/polite_transport.ts";
import { TestClock } from "./test_clock.ts";

const VERSION = { method: "GET", path: "/api/v1/version" } as const;
const BLOCK = answer(403, "<html><head><title>403 Forbidden</title></head></html>");

function answer(status: number, body = "", headers: HeadersInit = {}): HttpResponse {
  return { status, contentType: null, headers: new Headers(headers), body };
}

/** A transport over answers in turn, the last one again and again. */
function over(
  answers: readonly (HttpResponse | Error)[],
  perMinute = 60,
  patienceMs = 0,
) {
  const clock = new TestClock();
  const sent: { request: HttpRequest; atMs: number }[] = [];
  const pauses: (number | null)[] = [];
  const start = clock.ms;
  const transport = {
    baseUrl: "https://api.example",
    async send(request: HttpRequest) {
      const next = answers[Math.min(sent.length, answers.length - 1)]!;
      sent.push({ request, atMs: clock.ms - start });
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (next instanceof Error) throw next;
      return next;
    },
  };
  const onPause = (untilMs: number | null) => pauses.push(untilMs && untilMs - start);
  const limit = new HostLimit({
    host: crypto.randomUUID(),
    folder: null,
    perMinute,
    clock,
    onPause,
  });
  const polite = new PoliteTransport({
    transport,
    limit,
    clock,
    patienceMs: () => patienceMs,
  });
  return { polite, clock, pauses, times: () => sent.map(({ atMs }) => atMs), sent };
}

Deno.test("429 halves the rate after the wait that the host asks for", async () => {
  const { polite, times, pauses } = over([answer(429, "", { "retry-after": "7" }), answer(200)]);
  for (let request = 0; request < 3; request++) await polite.send(VERSION);
  // Halved, and 5 % of it back each minute: about two seconds between requests.
  const [first, second, third, fourth] = times();
  assertEquals([first, second], [0, 7_000]);
  assert(third! - second! > 1_900 && third! - second! <= 2_000, `${third}`);
  assert(fourth! - third! > 1_900 && fourth! - third! <= 2_000, `${fourth}`);
  assertEquals(pauses, [7_000, null]);
  assertEquals([polite.requests, polite.counts.retries, polite.counts.waits], [4, 1, 1]);
  assertEquals([...polite.counts.routes], [
    ["GET /api/v1/version 429", 1],
    ["GET /api/v1/version 200", 3],
  ]);
});

Deno.test("429 without a wait doubles its own up to ten minutes, and gives up after ten", async () => {
  const { polite, times } = over([answer(429)], Infinity);
  assertEquals((await polite.send(VERSION)).status, 429);
  const waits = times().slice(1).map((time, index) => (time - times()[index]!) / 1_000);
  assertEquals(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
});

Deno.test("a wait of days ends the run at once, and says when to come back", async () => {
  const { polite, times } = over([answer(429, "", { "retry-after": "172800" })]);
  const error = await assertRejects(() => polite.send(VERSION), RateLimitedError);
  assert(error.message.includes("come back: 2026-11-24T00:00:00.000Z"), error.message);
  assertEquals(times().length, 1);
});

Deno.test("a block pauses all requests together for ten minutes, once", async () => {
  const again = over([BLOCK, BLOCK, BLOCK, answer(200, "v2")], Infinity);
  const answers = await Promise.all([1, 2, 3].map(() => again.polite.send(VERSION)));
  assertEquals(answers.map(({ status }) => status), [200, 200, 200]);
  assertEquals(again.times().slice(0, 3), [0, 0, 0]);
  assertEquals(again.times().slice(3), [600_000, 600_000, 600_000]);
  assertEquals(again.polite.counts.waits, 1);

  const blocked = over([BLOCK]);
  const error = await assertRejects(() => blocked.polite.send(VERSION), RateLimitedError);
  assertEquals([blocked.times(), error.code, error.status], [[0, 600_000], "rate_limited", 403]);
  assert(error.remedy.includes("2026-11-22T01:10:00.000Z: everything is kept"), error.remedy);
});

Deno.test("403 is no block if it is JSON, or of a route that is closed to the public", async () => {
  const denied = over([answer(403, '{"errorType":"Forbidden"}')]);
  assertEquals((await denied.polite.send(VERSION)).status, 403);
  const closed = over([BLOCK]);
  const path = "/restricted/api/v1/debug/order/0x12";
  assertEquals((await closed.polite.send({ method: "GET", path })).status, 403);
  assertEquals([denied.times().length, closed.times().length], [1, 1]);
});

Deno.test("404 is never repeated, and what fails in passing four times", async () => {
  const absent = over([answer(404)]);
  assertEquals((await absent.polite.send(VERSION)).status, 404);
  assertEquals(absent.times(), [0]);
  const broken = new NetworkError("Cannot get an answer", {
    request: "GET /api/v1/version",
    attempts: 1,
    mayHaveBeenReceived: true,
    remedy: "Retry later",
  });
  const passing = over([answer(502), broken, answer(200)], Infinity);
  assertEquals((await passing.polite.send(VERSION)).status, 200);
  assertEquals(passing.times(), [0, 500, 1_500]);
  const failing = over([broken], Infinity);
  await assertRejects(() => failing.polite.send(VERSION), NetworkError);
  assertEquals(failing.times().length, 5);
  assertEquals(failing.sent.every(({ request }) => request.retries === 0), true);
});

Deno.test("a deployment that is down is waited for, and one request that always fails is not", async () => {
  const down = answer(500);
  const back = over([...Array.from({ length: 30 }, () => down), answer(200)], Infinity, 3_600_000);
  const other = { ...VERSION, path: "/api/v1/orders" };
  const both = await Promise.all([back.polite.send(VERSION), back.polite.send(other)]);
  assertEquals(both.map(({ status }) => status), [200, 200]);
  // One, two and four minutes; both requests wait in the same pauses.
  const pauses = back.pauses.filter((untilMs) => untilMs !== null);
  const waits = new Set(pauses.map((untilMs) => Math.round(untilMs / 60_000)));
  assertEquals([...waits], [1, 3, 7]);
  assertEquals([back.polite.counts.waits, back.polite.isDown], [3, false]);

  const alone = over([down], Infinity, 3_600_000);
  assertEquals((await alone.polite.send(VERSION)).status, 500);
  assertEquals(alone.polite.counts.waits, 2);
  const impatient = over([down], Infinity, 30_000);
  assertEquals((await impatient.polite.send(VERSION)).status, 500);
  assertEquals([impatient.polite.counts.waits, impatient.times().length], [0, 5]);
});

Deno.test("no request is sent beyond the last that is allowed", async () => {
  const { polite, times } = over([answer(200)], Infinity);
  polite.maxRequests = 2;
  const sent = await Promise.allSettled([1, 2, 3, 4].map(() => polite.send(VERSION)));
  assertEquals(sent.map(({ status }) => status === "fulfilled"), [true, true, false, false]);
  await assertRejects(() => polite.send(VERSION), EnoughRequests);
  assertEquals(times().length, 2);
});
