import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { httpTransport, type RateLimiter, rateLimiter, retryAfterMs } from "orderlens/http";
import { computeBackoffMs, SlidingWindow } from "../../lib/http/limits.ts";
import { InputError } from "orderlens";
import { TestClock } from "../test_clock.ts";

Deno.test("computeBackoffMs() doubles up to the cap, with full jitter", () => {
  const backoff = { baseMs: 500, capMs: 3000 };
  for (
    const [random, waits] of [
      [0, [0, 0, 0, 0, 0]],
      [0.5, [250, 500, 1000, 1500, 1500]],
      [1, [500, 1000, 2000, 3000, 3000]],
    ] as const
  ) {
    const drawn = [1, 2, 3, 4, 5000].map((n) =>
      computeBackoffMs(n, { ...backoff, random: () => random })
    );
    assertEquals(drawn, [...waits]);
  }
});

const now = Date.UTC(2026, 9, 3, 10);

/** Headers, and the wait that they ask for; none if they are missing or unreadable. */
const RETRY_AFTER: readonly [headers: Record<string, string>, ms: number | undefined][] = [
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "1" }, 1_000],
  [{ "retry-after": " 120 " }, 120_000],
  // A date is relative to the answer's date, else to now.
  [{ "retry-after": "Sat, 03 Oct 2026 10:01:00 GMT" }, 60_000],
  [
    { "retry-after": "Sat, 03 Oct 2026 10:01:00 GMT", date: "Sat, 03 Oct 2026 10:00:45 GMT" },
    15_000,
  ],
  [{ "retry-after": "Sat, 03 Oct 2026 10:01:00 GMT", date: "soon" }, 60_000],
  [{ "retry-after": "Sat, 03 Oct 2026 09:59:59 GMT" }, 0],
  ...["", "-1", "1.5", "soon", "Sat, 99 Oct 2026 10:00:00 GMT", "1 minute"].map((text) =>
    [{ "retry-after": text }, undefined] as [Record<string, string>, undefined]
  ),
  [{}, undefined],
];

Deno.test("retryAfterMs() reads seconds and dates", () => {
  for (const [headers, ms] of RETRY_AFTER) {
    assertEquals(retryAfterMs(new Headers(headers), now), ms, JSON.stringify(headers));
  }
});

const get = { method: "GET", path: "/x" } as const;
const ok = () => Promise.resolve(new Response("1"));

/** Lets everything happen that needs no time. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** A clock on which every wait passes at once. */
function flowing() {
  return new TestClock({ heldFromMs: Infinity });
}

/** Sends requests to a host, one by one. */
async function sendTo(
  host: string,
  count: number,
  options: { clock: TestClock; rateLimit?: number | RateLimiter },
): Promise<void> {
  const transport = httpTransport(host, { fetch: ok, timeoutMs: Infinity, ...options });
  for (let i = 0; i < count; i++) await transport.send(get);
}

Deno.test("rateLimiter() allows a burst, then waits until a minute after its start", async () => {
  const clock = flowing();
  const limiter = rateLimiter(3, { clock });

  assertEquals(await limiter.take(AbortSignal.abort("late")).catch((e) => e), "late");
  for (let i = 0; i < 3; i++) await limiter.take();
  assertEquals(clock.waitsMs, []);

  await limiter.take();
  assertEquals(clock.waitsMs, [60_000]);
  for (const perMinute of [0, -1, NaN]) assertThrows(() => rateLimiter(perMinute), InputError);
});

Deno.test("httpTransport() counts what its rate limit leaves of a minute, to each host", async () => {
  const clock = flowing();
  const host = "https://left.example.org";
  const transport = httpTransport(`${host}/mainnet`, { fetch: ok, clock });
  assertEquals(transport.countRequestsLeft?.(), 100);
  await sendTo(host, 30, { clock });
  assertEquals(transport.countRequestsLeft?.(), 70);
  clock.advance(60_000);
  assertEquals(transport.countRequestsLeft?.(), 100);
  const here = httpTransport("http://localhost", { fetch: ok, clock });
  assertEquals(here.countRequestsLeft?.(), Infinity);
  const limiter = rateLimiter(2, { clock });
  await sendTo(host, 2, { clock, rateLimit: limiter });
  assertEquals([limiter.countLeft?.(), transport.countRequestsLeft?.()], [0, 100]);
});

Deno.test("rateLimiter() serves requests in order, and releases the slots of aborted ones", async () => {
  const clock = new TestClock({ heldFromMs: 1 });
  const limiter = rateLimiter(1, { clock });
  const order: string[] = [];
  const leaving = new AbortController();

  await limiter.take();
  const first = limiter.take().then(() => order.push("first"));
  const second = limiter.take(leaving.signal).catch((reason) => order.push(reason));
  const third = limiter.take().then(() => order.push("third"));
  const fourth = limiter.take().then(() => order.push("fourth"));
  leaving.abort("gone");
  for (const turn of [second, first, third, fourth]) {
    await settled();
    clock.advance(60_000);
    await turn;
  }

  assertEquals(order, ["gone", "first", "third", "fourth"]);
});

Deno.test("SlidingWindow never exceeds its limit in any minute", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ pauseMs: fc.nat(40_000), leaves: fc.boolean() }), { maxLength: 40 }),
      async (perMinute, callers) => {
        const clock = new TestClock({ heldFromMs: 1 });
        const sent = new SlidingWindow();
        const wentMs: number[] = [];
        const waiting: Promise<unknown>[] = [];
        for (const { pauseMs, leaves } of callers) {
          const leaving = new AbortController();
          waiting.push(
            sent.take(perMinute, clock, leaving.signal)
              .then(() => wentMs.push(clock.now()), () => {}),
          );
          await settled();
          if (leaves) leaving.abort();
          for (let ms = 0; ms < pauseMs; ms += 1000) {
            clock.advance(1000);
            await settled();
          }
        }
        while (clock.held > 0) {
          clock.advance(1000);
          await settled();
        }
        await Promise.all(waiting);
        for (const [index, ms] of wentMs.entries()) {
          const before = wentMs[index - perMinute];
          assert(before === undefined || ms - before >= 60_000, wentMs.join(" "));
        }
      },
    ),
    { numRuns: 160 },
  );
});

Deno.test("httpTransport() sends at most 100 requests per minute to a public host, including retries", async () => {
  const clock = flowing();
  let sent = 0;
  const fetch = () => Promise.resolve(new Response("", { status: ++sent % 2 === 1 ? 503 : 200 }));
  const options = { clock, fetch, random: () => 0, timeoutMs: Infinity };
  const mainnet = httpTransport("https://limit-one.example.org/mainnet", options);
  const gnosis = httpTransport("https://limit-one.example.org/xdai", options);
  const other = httpTransport("https://limit-two.example.org/mainnet", options);

  for (let i = 0; i < 25; i++) for (const each of [mainnet, gnosis]) await each.send(get);
  assertEquals([sent, Math.max(...clock.waitsMs)], [100, 0]);

  await other.send(get);
  assertEquals(Math.max(...clock.waitsMs), 0);
  await gnosis.send(get);
  assertEquals(Math.max(...clock.waitsMs), 60_000);
});

Deno.test("httpTransport() counts the requests of all transports to a host, or those of the caller's limiter", async () => {
  const clock = flowing();
  await sendTo("https://limit-three.example.org", 3, { clock, rateLimit: 10 });
  assertEquals(clock.waitsMs, []);
  await sendTo("https://limit-three.example.org", 1, { clock, rateLimit: 2 });
  assertEquals(clock.waitsMs, [60_000]);

  const own = flowing();
  const rateLimit = rateLimiter(2, { clock: own });
  for (const host of ["limit-four", "limit-five", "limit-six"]) {
    await sendTo(`https://${host}.example.org`, 1, { clock: own, rateLimit });
  }
  assertEquals(own.waitsMs, [60_000]);
});

Deno.test("httpTransport() sets no limit for loopback by default", async () => {
  for (const host of ["localhost", "a.localhost:81", "127.0.0.1:8080", "127.8.8.8", "[::1]:9000"]) {
    const clock = flowing();
    await sendTo(`http://${host}`, 250, { clock });
    assertEquals(clock.waitsMs, [], host);
    await sendTo(`http://${host}`, 3, { clock, rateLimit: 2 });
    assertEquals(clock.waitsMs, [60_000], host);
  }
});

Deno.test("httpTransport() rejects immediately when aborted while it waits for the limiter", async () => {
  const clock = new TestClock();
  let sent = 0;
  const transport = httpTransport("http://localhost", {
    clock,
    fetch: () => (sent++, ok()),
    rateLimit: rateLimiter(1, { clock }),
  });
  const controller = new AbortController();

  await transport.send(get);
  const waiting = transport.send({ ...get, signal: controller.signal }).catch((e) => e);
  controller.abort("enough");

  assertEquals(await waiting, "enough");
  assertEquals([sent, clock.held], [1, 0]);
});
