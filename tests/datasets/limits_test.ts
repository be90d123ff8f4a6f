import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import {
  halveRate,
  HostLimit,
  NEW_HOST,
  shareAt,
  updateHost,
} from "../../lib/datasets/rate_limit/host_limit.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { TestClock } from "./altered_book.ts";
import { NetworkError, RateLimitedError } from "orderlens";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { PoliteTransport } from "../../lib/datasets/rate_limit/polite_transport.ts";

const SIGNAL = new AbortController().signal;
const MINUTE_MS = 60_000;
const HOST = "api.example:443";

function limitIn(folder: string | null, clock: TestClock, perMinute = 60): HostLimit {
  return new HostLimit({ host: HOST, folder, perMinute, clock, onPause() {} });
}

/** When turns were given, in milliseconds since the first. */
async function turnsOf(limits: readonly HostLimit[], each: number, clock: TestClock) {
  const times: number[] = [];
  await Promise.all(limits.map(async (limit) => {
    for (let turn = 0; turn < each; turn++) {
      await limit.take(SIGNAL);
      times.push(clock.ms);
    }
  }));
  return times.map((time) => time - times[0]!);
}

inFolder.test("HostLimit spaces the turns of several limits of one host", async (folder) => {
  const clock = new TestClock();
  const limits = [limitIn(folder, clock), limitIn(folder, clock)];
  // 60 a minute: one a second.
  assertEquals(await turnsOf(limits, 3, clock), [0, 1_000, 2_000, 3_000, 4_000, 5_000]);
});

inFolder.test("HostLimit survives a torn file, and one of another clock", async (folder) => {
  const file = `${folder}/limits/api.example_443.sqlite`;
  const clock = new TestClock();
  const take = async () => {
    clock.waits.length = 0;
    await limitIn(folder, clock).take(SIGNAL);
    return clock.waits.reduce((sum, ms) => sum + ms, 0);
  };
  await take();
  const whole = await Deno.readFile(file);
  const torn = [
    new Uint8Array(),
    new Uint8Array(3),
    whole.subarray(0, 200),
    whole.fill(7, 0, 40),
  ];
  for (const bytes of torn) {
    await Deno.writeFile(file, bytes);
    assertEquals(await take(), 0, `${bytes.length} bytes`);
    assertEquals(await take(), 1_000, `after ${bytes.length} bytes`);
  }
  const year = 365 * 24 * 60 * MINUTE_MS;
  clock.ms += year;
  assertEquals(await take(), 0, "far forwards");
  clock.ms -= 2 * year;
  assertEquals(
    await take(),
    1_000,
    "backwards: the turn that was taken just before still counts",
  );
  updateHost(
    { host: HOST, folder, clock },
    () => ({ ...NEW_HOST, atMs: clock.ms, pausedUntilMs: clock.ms + year }),
  );
  assertEquals(await take(), 0, "a pause that nobody asks for");
});

inFolder.test("HostLimit extends a pause by a minute at most when the clock is set back by hours", async (folder) => {
  const clock = new TestClock();
  const limits = [limitIn(folder, clock), limitIn(folder, clock)];
  limits[0]!.pauseUntil(clock.ms + MINUTE_MS);
  clock.ms -= 300 * MINUTE_MS;
  for (const limit of limits) {
    clock.waits.length = 0;
    await limit.take(SIGNAL);
    assert(clock.waits.reduce((sum, ms) => sum + ms, 0) <= 2 * MINUTE_MS, `${clock.waits}`);
  }
});

inFolder.test("HostLimit limits the process alone if the folder cannot be written", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  const clock = new TestClock();
  const limits = [limitIn(`${folder}/file`, clock), limitIn(`${folder}/file`, clock)];
  const turns = await turnsOf(limits, 2, clock);
  assertEquals(turns, [0, 1_000, 2_000, 3_000]);
});

inFolder.test("HostLimit does not wait for a lock that another process holds", async (folder) => {
  const clock = new TestClock();
  const limit = limitIn(folder, clock);
  await limit.take(SIGNAL);
  using held = new DatabaseSync(`${folder}/limits/api.example_443.sqlite`);
  held.exec("BEGIN IMMEDIATE");
  await limit.take(SIGNAL);
  assert(clock.waits.length <= 1);
});

Deno.test("halveRate() halves the rate, which recovers by 5 % of it a minute", () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const once = halveRate(NEW_HOST, { sentMs: nowMs, nowMs });
  assertEquals(shareAt(once, nowMs), 0.5);
  assertEquals(
    halveRate(once, { sentMs: nowMs - 1, nowMs: nowMs + 10 }),
    once,
    "sent before the rate was halved",
  );
  assertEquals(shareAt(once, nowMs + 4 * MINUTE_MS), 0.7);
  assertEquals(shareAt(once, nowMs + 10 * MINUTE_MS), 1);
  assertEquals(shareAt(once, nowMs + 99 * MINUTE_MS), 1);
  const twice = halveRate(once, { sentMs: nowMs + 1, nowMs: nowMs + 4 * MINUTE_MS });
  assertEquals(shareAt(twice, nowMs + 4 * MINUTE_MS), 0.35);
});

inFolder.test("HostLimit pauses all requests, and an abort ends the wait for a turn", async (folder) => {
  const clock = new TestClock();
  const [one, other] = [limitIn(folder, clock), limitIn(folder, clock)];
  const untilMs = clock.ms + 30_000;
  await one.pauseUntil(untilMs);
  await other.take(SIGNAL);
  assert(clock.ms >= untilMs);
  const controller = new AbortController();
  controller.abort(new Error("stopped"));
  await assertRejects(() => one.take(controller.signal), Error, "stopped");
  await one.take(SIGNAL);
});

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
    outageTimeoutMs: () => patienceMs,
  });
  return { polite, clock, pauses, times: () => sent.map(({ atMs }) => atMs), sent };
}

Deno.test("PoliteTransport halves the rate after a 429, and waits as long as the host requests", async () => {
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

Deno.test("PoliteTransport doubles its wait after a 429 without one, up to ten minutes and ten times", async () => {
  const { polite, times } = over([answer(429)], Infinity);
  assertEquals((await polite.send(VERSION)).status, 429);
  const waits = times().slice(1).map((time, index) => (time - times()[index]!) / 1_000);
  assertEquals(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
});

Deno.test("PoliteTransport continues at sporadic 429 without a wait", async () => {
  // One of eight responses is refused, at any rate: 40 requests take 45, and five waits.
  const responses = Array.from({ length: 45 }, (_, index) => answer(index % 8 === 7 ? 429 : 200));
  const { polite, times } = over(responses, 600);
  for (let request = 0; request < 40; request++) await polite.send(VERSION);
  assertEquals(polite.requests, 45);
  // Five waits of a second, and at least a quarter of the rate: 0.4 s a request.
  assert(times().at(-1)! <= 5 * 1_000 + 45 * 400, `${times().at(-1)}`);
});

Deno.test("PoliteTransport rejects a wait of days with the time to try again", async () => {
  const { polite, times } = over([answer(429, "", { "retry-after": "172800" })]);
  const error = await assertRejects(() => polite.send(VERSION), RateLimitedError);
  assert(error.message.includes("try again at: 2026-11-24T00:00:00.000Z"), error.message);
  assertEquals(times().length, 1);
});

Deno.test("PoliteTransport pauses all requests for ten minutes at a block, once", async () => {
  const again = over([BLOCK, BLOCK, BLOCK, answer(200, "v2")], Infinity);
  const answers = await Promise.all([1, 2, 3].map(() => again.polite.send(VERSION)));
  assertEquals(answers.map(({ status }) => status), [200, 200, 200]);
  assertEquals(again.times().slice(0, 3), [0, 0, 0]);
  assertEquals(again.times().slice(3), [600_000, 600_000, 600_000]);
  assertEquals(again.polite.counts.waits, 1);
});

Deno.test("PoliteTransport takes no 403 for a block if it is JSON, or of a restricted route", async () => {
  const denied = over([answer(403, '{"errorType":"Forbidden"}')]);
  assertEquals((await denied.polite.send(VERSION)).status, 403);
  const closed = over([BLOCK]);
  const path = "/restricted/api/v1/debug/order/0x12";
  assertEquals((await closed.polite.send({ method: "GET", path })).status, 403);
  assertEquals([denied.times().length, closed.times().length], [1, 1]);
});

Deno.test("PoliteTransport retries transient failures four times, and never a 404", async () => {
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

Deno.test("PoliteTransport waits for a deployment that is down, and not for one request that always fails", async () => {
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
