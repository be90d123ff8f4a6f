import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connect, type OrderBook } from "../../../lib/client/mod.ts";
import { InputError } from "../../../lib/errors/mod.ts";
import type { HttpRequest, HttpResponse } from "../../../lib/http/mod.ts";
import { replay } from "../../../lib/recordings/mod.ts";
import {
  type WatchEvent,
  type WatchOptions,
  watchOrders,
  type WatchState,
} from "../../../lib/reports/mod.ts";
import { openSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { refuseReports } from "../../../tools/metrics/check_verdicts.ts";
import { formatInstant } from "../../../lib/units/mod.ts";
import { decodeNotifications } from "../../../lib/schemas/mod.ts";
import { CONTRACT, hex, orderBody, uidOf } from "../canned_book.ts";

const WATCHED_MS = 120_000;
const PLACE = 9;

/** Watches an account of a market for a time, and begins again after every `restart` events. */
async function watched(
  { seed = 6, lastsMs = WATCHED_MS, restart = Infinity, prepare = () => {}, bookOf = connect }: {
    readonly seed?: number;
    readonly lastsMs?: number;
    readonly restart?: number;
    readonly prepare?: (sandbox: Sandbox) => void;
    readonly bookOf?: (sandbox: Sandbox) => OrderBook;
  } = {},
) {
  const sandbox = await openSandbox({ seed, auctions: 10, clock: "virtual" });
  const owner = sandbox.description.accounts[PLACE]!;
  const endMs = sandbox.clock.now() + lastsMs;
  const events: WatchEvent[] = [];
  let state: WatchState | undefined;
  while (sandbox.clock.now() < endMs || (state?.pending.length ?? 1) > 0) {
    const end = new AbortController();
    const options: WatchOptions = {
      owner,
      state,
      signal: end.signal,
      save(now) {
        if (state === undefined) prepare(sandbox);
        // As a file would have it.
        state = JSON.parse(JSON.stringify(now));
        if (sandbox.clock.now() >= endMs && now.pending.length === 0) end.abort();
      },
    };
    for await (const event of watchOrders(bookOf(sandbox), options)) {
      events.push(event);
      // It ends before it hears that the event was taken, as if it was killed.
      if (events.length % restart === 0) break;
    }
  }
  return { sandbox, events, endMs };
}

/** A book of a sandbox that refuses debug reports, as public deployments do. */
function withoutDebug(sandbox: Sandbox): OrderBook {
  const { transport, baseUrl, clock } = connect(sandbox);
  const { deployment } = sandbox;
  const send: typeof transport.send = (request) => transport.send(request);
  return connect(refuseReports({ baseUrl, deployment, send }), { clock });
}

/** Events without those that were told again, and without what depends on when they were seen. */
function once(events: readonly WatchEvent[], untilMs: number) {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()]
    .filter(({ at }) => Temporal.Instant.from(at!).epochMilliseconds < untilMs)
    .map(({ seenAt: _, ...event }) => event);
}

const plain = await watched();
const untilMs = plain.endMs - 40_000;
const expected = once(plain.events, untilMs);

/** What a sandbox notifies the account of in a time, oldest first. */
async function notificationsOf(sandbox: Sandbox, fromMs: number, toMs: number) {
  const owner = sandbox.description.accounts[PLACE]!;
  const body = await (await sandbox.fetch(`/accounts/${owner}/notifications`)).json();
  return decodeNotifications(body, { source: "the sandbox" }).items
    .flatMap((each) => "type" in each ? [each] : []).reverse()
    .filter(({ timestamp: { epochMilliseconds: at } }) => at >= fromMs && at < toMs)
    .map((each) => ({ ...each, orderUid: (each.metadata as { orderUid: string }).orderUid }));
}

Deno.test("watchOrders() tells what the sandbox notifies the account of, in order and once each", async () => {
  const notified = (await notificationsOf(plain.sandbox, plain.endMs - WATCHED_MS, untilMs))
    .map(({ type, orderUid }) => `${type} ${orderUid}`);
  const told = expected.map(({ type, orderUid }) => `${type} ${orderUid}`);
  assert(new Set(notified.map((each) => each.split(" ")[0])).size >= 5);
  assertEquals(told.toSorted(), notified.toSorted());
  assertEquals(plain.events.length, new Set(plain.events.map(({ id }) => id)).size);
  assertEquals(plain.events.map(({ sequence }) => sequence), plain.events.map((_, at) => at + 1));
  // As the service writes times: with 0, 3, 6 or 9 digits.
  for (const { at, seenAt } of plain.events) {
    assertMatch(`${at} ${seenAt}`, /^[^.]*(?:\.(?:\d{3}){1,3})?Z [^.]*(?:\.(?:\d{3}){1,3})?Z$/);
  }
  const times = expected.map(({ at }) => at!);
  assertEquals(times, times.toSorted((a, b) => Temporal.Instant.compare(a, b)));
});

Deno.test("watchOrders() names the cause of every event", async () => {
  const { events } = await watched({ seed: 48 });
  const kinds = new Set(events.map(({ type, cause }) => `${type}: ${cause.kind}`));
  assertEquals([...kinds].sort(), [
    "insufficient_balance: event",
    "order_cancelled: event",
    "order_expired: status",
    "order_filled: fill",
    "order_partially_filled: fill",
    "price_improvement: bid",
  ]);
  const bids = events.flatMap(({ cause }) => cause.kind === "bid" ? [cause] : []);
  assert(bids.length > 0 && bids.every(({ solver, auctionId }) => solver !== null && auctionId));
});

Deno.test("watchOrders() that is killed at every second event tells the same of a service that fails", async () => {
  const { events } = await watched({
    restart: 2,
    prepare(sandbox) {
      for (const kind of ["serverError", "truncated", "shiftedRows", "reset"] as const) {
        sandbox.fault({ kind, rate: 0.05 });
      }
      // For a time it does not answer at all.
      sandbox.fault({ kind: "reset", times: 40 });
    },
  });
  assert(events.length > plain.events.length);
  const again = events.filter(({ id }, at) => events.findIndex((each) => each.id === id) < at);
  for (const event of again) assertEquals(event, events.find(({ id }) => id === event.id));
  assertEquals(once(events, untilMs), expected);
});

Deno.test("watchOrders() tells the same where the service gives no debug reports, and a lacking balance by notifications", async () => {
  const lastsMs = 480_000;
  const { sandbox, events, endMs } = await watched({ seed: 48, lastsMs, bookOf: withoutDebug });
  // A list of notifications is asked for every 300 seconds, as its answer allows.
  const notified = await notificationsOf(sandbox, endMs - lastsMs, endMs - 180_000);
  const told = new Set(events.map(({ type, orderUid }) => `${type} ${orderUid}`));
  const unsure = notified.filter(({ type }) => type === "insufficient_balance");
  const untold = notified.filter(({ type, orderUid }) => !told.has(`${type} ${orderUid}`));
  assertEquals(untold.filter(({ type }) => type !== "insufficient_balance"), []);
  assertEquals(
    events.filter(({ type }) => type === "order_cancelled").map(({ cause }) => cause),
    Array(2).fill({ kind: "status", status: "cancelled" }),
  );
  assertEquals(events.length, new Set(events.map(({ id }) => id)).size);
  // Of three orders that lacked it, the others were over when the list was asked for again.
  const [open] = unsure.slice(-1);
  assertEquals(
    events.filter(({ type }) => type === "insufficient_balance")
      .map(({ orderUid, cause, at }) => [orderUid, at, Object(cause).notification]),
    unsure.filter(({ orderUid }) => orderUid === open!.orderUid)
      .map(({ orderUid, timestamp, id }) => [orderUid, formatInstant(timestamp), id]),
  );
});

Deno.test("watchOrders() of UIDs begins with their past, and ends when they do", async () => {
  const { sandbox } = plain;
  const uid = plain.events.find(({ type }) => type === "order_filled")!.orderUid;
  const events = await Array.fromAsync(watchOrders(connect(sandbox), { uids: [uid, uid] }));
  const own = plain.events.flatMap(({ orderUid, id }) => orderUid === uid ? [id] : []);
  assertEquals(events.map(({ id }) => id).filter((id) => own.includes(id)), own);
  assert(["price_improvement", "order_filled"].includes(events.at(-1)!.type));
});

Deno.test("watchOrders() says once for each failed look that it is blind, and when it sees again", async () => {
  const recording = await replay("market_1");
  const uid = recording.recorded.orderUids[1]!;
  const { chainId, settlementContract } = recording.deployment!;
  let [looks, nowMs] = [0, Date.parse("2026-11-21T16:00:00.250Z")];
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const headers = new Headers({ "retry-after": "259200" });
  const book = connect({
    baseUrl: recording.baseUrl,
    send: async (request: HttpRequest): Promise<HttpResponse> =>
      request.path.endsWith("/by_uids") && ++looks <= 8
        ? { status: looks > 4 ? 429 : 500, contentType: null, headers, body: "oops" }
        : request.path.startsWith("/restricted/")
        ? { status: 502, contentType: null, headers, body: "bad gateway" }
        : await recording.send(request),
  }, { chainId, settlementContract, clock });
  const told: string[] = [];
  const events = await Array.fromAsync(watchOrders(book, {
    uids: [uid],
    onBlind: ({ error, since, waitMs }) =>
      told.push(`${error.code} ${formatInstant(since)} ${waitMs}`),
    onSight: (since) => told.push(`sees ${formatInstant(since)}`),
  }));
  assertMatch(events.at(-1)!.seenAt, /^2026-11-\d\dT[\d:]{8}\.250Z$/);
  // A debug report that does not come hides no fill.
  assertEquals(events.some(({ type }) => type === "order_filled"), true);
  assertEquals(told, [
    "http_status 2026-11-21T16:00:00.250Z 15000",
    "rate_limited 2026-11-21T16:00:00.250Z 30000",
    "sees 2026-11-21T16:00:00.250Z",
  ]);
});

Deno.test("watchOrders() rejects orders that nobody has, and states of another watch", async () => {
  const book = connect(plain.sandbox);
  const uids = [`0x${"01".repeat(56)}`];
  const watch = (options: WatchOptions) => Array.fromAsync(watchOrders(book, options));
  await assertRejects(() => watch({ uids }), InputError, "has none of them");
  await assertRejects(() => watch({}), InputError, "exactly one");
  await assertRejects(() => watch({ uids, owner: `0x${"02".repeat(20)}` }), InputError);
  let kept: WatchState | undefined;
  await watch({ uids, save: (state) => void (kept = state) }).catch(() => {});
  const other = [`0x${"03".repeat(56)}`];
  await assertRejects(() => watch({ uids: other, state: kept }), InputError, "another watch");
});

const recording = await replay("market_1");
/** Its first settlement failed at the solver; the second one filled it. */
const FAILED =
  "0x01f320f195a7a647155de6bbdc16259df054684b3316e8c6727dd73199d8092a28436801e7093ba424a28a66512aa31760c192b66b01b560";
/** Five auctions had it, from 1621 to 1660, and nobody bid. */
const SILENT =
  "0x00142bf017a02585440f304f3ed3ee8f979fe8910c2dc3ed9371296215a18fac28436801e7093ba424a28a66512aa31760c192b66b01b29e";

Deno.test("watchOrders() tells a settlement that failed, where it is asked for, before the fill", async () => {
  const watch = (failedSettlements: boolean) =>
    Array.fromAsync(watchOrders(connect(recording), { uids: [FAILED], failedSettlements }));
  const usual = await watch(false);
  const [failed, ...rest] = await watch(true);
  assertEquals(rest.map(({ id }) => id), usual.map(({ id }) => id));
  assertEquals([failed?.type, failed?.at], ["settlement_failed", "2026-11-21T15:11:42.582440Z"]);
  assertEquals(failed?.id, `${FAILED}/settlement_failed/1973-0`);
  const { cause } = failed!;
  assertEquals(cause.kind === "attempt" && [cause.auctionId, cause.outcome.slice(0, 13)], [
    1973,
    "driver failed",
  ]);
});

Deno.test("watchOrders() tells a row of auctions without a bid once, when it is as long as asked for", async () => {
  for (const [noBidsAfter, told] of [[4, 1], [5, 0]] as const) {
    const states: WatchState[] = [];
    const options = {
      uids: [SILENT],
      noBidsAfter,
      save: (state: WatchState) => void states.push(state),
    };
    const events = await Array.fromAsync(watchOrders(connect(recording), options));
    const silent = events.filter(({ type }) => type === "no_bids");
    assertEquals(silent.length, told);
    // A watch that goes on does not tell it again, also while nothing is over.
    const [known] = states.at(-1)!.orders;
    assertEquals(known?.noBidsFrom, told === 0 ? null : 1621);
    if (told === 0) continue;
    const { cause } = silent[0]!;
    assertEquals(cause.kind === "auctions" && [cause.from, cause.count], [1621, 4]);
    const state = { ...states.at(-1)!, orders: [{ ...known!, isDone: false }] };
    const again = await Array.fromAsync(watchOrders(connect(recording), { ...options, state }));
    assertEquals(again, []);
  }
});

/** A book of one order that changes with the time, on a clock that sleeps for no time. */
function changingBook(orderAt: (nowMs: number) => Record<string, unknown>, startMs: number) {
  let nowMs = startMs;
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => Promise.resolve(void (nowMs += ms)),
  };
  const send = ({ path }: HttpRequest): Promise<HttpResponse> => {
    const isList = path === "/api/v1/orders/by_uids";
    const contentType = "application/json";
    return Promise.resolve({
      status: isList ? 200 : 404,
      contentType,
      headers: new Headers({ "content-type": contentType }),
      body: JSON.stringify(isList ? [{ order: orderAt(nowMs) }] : { errorType: "NotFound" }),
    });
  };
  const deployment = { chainId: 1, settlementContract: CONTRACT };
  const book = connect({ baseUrl: "canned://changing", deployment, send }, { clock });
  return { book, now: () => nowMs };
}

const END = 1_787_313_600;
const REFUND = hex("4e", 32);

/** An EthFlow order that ends, and is refunded at some time after its end, in seconds, or never. */
function refundedAfter(seconds: number) {
  return (nowMs: number) =>
    orderBody({
      status: nowMs < END * 1_000 ? "open" : "expired",
      validTo: 4_294_967_295,
      uid: ETHFLOW,
      onchainUser: hex("77", 20),
      ethflowData: {
        userValidTo: END,
        refundTxHash: nowMs < (END + seconds) * 1_000 ? null : REFUND,
      },
    });
}

const ETHFLOW = `${uidOf("01").slice(0, -8)}ffffffff`;

Deno.test("watchOrders() tells the refund of an EthFlow order, and waits an hour for it", async () => {
  const watch = async (seconds: number) => {
    const { book, now } = changingBook(refundedAfter(seconds), (END - 60) * 1_000);
    const events = await Array.fromAsync(watchOrders(book, { uids: [ETHFLOW] }));
    return { events, endedAfterMs: now() - END * 1_000 };
  };
  const refunded = await watch(600);
  assertEquals(refunded.events.map(({ type }) => type), ["order_expired", "order_refunded"]);
  assertEquals(refunded.events[1]?.cause, {
    kind: "refund",
    txHash: REFUND,
    trader: hex("77", 20),
    nativeAtoms: "100",
  });
  assertEquals(Math.floor(refunded.endedAfterMs / 60_000), 10);
  const skipped = await watch(Infinity);
  assertEquals(skipped.events.map(({ type }) => type), ["order_expired"]);
  assertEquals(Math.floor(skipped.endedAfterMs / 60_000), 60);
});
