import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CancelOutcome, connect, type PlacedOrder } from "../../lib/client/mod.ts";
import { HttpError, InputError, UnconfirmedCancellationError } from "../../lib/errors/mod.ts";
import type { WalletProvider } from "../../lib/evm/mod.ts";
import {
  ACCOUNT,
  dearOrder,
  largeOrder,
  OWNER,
  placeOrder,
  quoteAt,
  type Setting,
  setting,
} from "./trading_setting.ts";

/** An order, and what happens before it is cancelled. */
interface Case {
  readonly place: (at: Setting) => Promise<PlacedOrder>;
  readonly before?: (at: Setting, placed: PlacedOrder) => unknown;
  readonly waitMs?: number;
  /** How long it then waits, where that is certain. */
  readonly waitsMs?: number;
  readonly outcome: CancelOutcome["outcome"];
  readonly mayStillSettle?: boolean;
}

const dear = ({ request, ...own }: Setting) =>
  dearOrder({ ...own, request: { ...request, validFor: 120 } });
const cheap = ({ book, request }: Setting) => placeOrder(book, ACCOUNT, request);

const CASES: Readonly<Record<string, Case>> = {
  "no auction has included": { place: dear, waitsMs: 0, outcome: "cancelled" },
  "an auction has": {
    place: dear,
    before: ({ sandbox }) => sandbox.advance(),
    waitMs: 10_000,
    waitsMs: 10_000,
    outcome: "cancelled",
    mayStillSettle: true,
  },
  "is at an unknown stage": {
    place: dear,
    before: ({ sandbox }) => sandbox.fault({ kind: "serverError", operation: "orderStatus" }),
    waitMs: 0,
    outcome: "cancelled",
    mayStillSettle: true,
  },
  "has just expired": {
    place: dear,
    // Blocks are 2 s apart.
    before: ({ sandbox }) => sandbox.advance({ auctions: 61 }),
    waitMs: 10_000,
    waitsMs: 10_000,
    outcome: "expired",
    mayStillSettle: true,
  },
  "has expired two minutes ago": {
    place: dear,
    before: ({ sandbox }) => sandbox.advance({ auctions: 122 }),
    waitsMs: 0,
    outcome: "expired",
  },
  "is filled": {
    place: cheap,
    before: (_, placed) => Array.fromAsync(placed.track()),
    outcome: "settled",
  },
  "is about to be filled": {
    place: cheap,
    async before({ sandbox, book }, { uid }) {
      for (let at = 0; (await book.orderStatus(uid)).type !== "executing"; at++) {
        assert(at < 20, "no solver takes it");
        await sandbox.advance();
      }
      assertEquals((await book.order(uid)).status, "open");
    },
    outcome: "settled",
  },
};

for (const [what, { place, before, outcome, ...one }] of Object.entries(CASES)) {
  Deno.test(`PlacedOrder.cancel() of an order that ${what}`, async () => {
    const trading = await setting();
    const placed = await place(trading);
    await before?.(trading, placed);
    const { waitMs = 60_000, mayStillSettle = false } = one;
    const began = trading.book.clock.now();
    const found = await placed.cancel({ waitMs });
    assertEquals([found.outcome, found.mayStillSettle], [outcome, mayStillSettle]);
    assertEquals(found.order.status, outcome === "settled" ? "fulfilled" : outcome);
    const waitedMs = trading.book.clock.now() - began;
    assertEquals(waitedMs, one.waitsMs ?? waitedMs);
    assertEquals((await placed.cancel({ waitMs: 0 })).outcome, outcome);
    const { fills, differences } = await placed.execution();
    assertEquals([fills.length, differences], [outcome === "settled" ? 1 : 0, []]);
  });
}

Deno.test("PlacedOrder.cancel reports an order as open that the service keeps open", async () => {
  const { sandbox, request } = await setting();
  const { deployment, clock } = sandbox;
  // It takes every cancellation, and does nothing.
  const fetch: typeof sandbox.fetch = (input, init) => {
    if (init?.method !== "DELETE") return sandbox.fetch(input, init);
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response('"Cancelled"', { headers }));
  };
  const book = connect({ deployment, clock, fetch });
  const placed = await dearOrder({ book, request });
  for (const waitMs of [0, 6_000]) {
    const { outcome, mayStillSettle, order } = await placed.cancel({ waitMs });
    assertEquals([outcome, mayStillSettle, order.status], ["open", true, "open"]);
  }
});

Deno.test("PlacedOrder.cancel() handles an order that leaves the auction while it settles", async () => {
  const ends = new Set<string>();
  // Only settlements of more than one block exclude their order from an auction, and some fail.
  for (let seed = 1; seed <= 50 && !ends.has("settled"); seed++) {
    const { sandbox, book, request } = await setting({ seed });
    const placed = await placeOrder(book, ACCOUNT, request);
    await sandbox.advance({ auctions: 2 });
    const { events } = await book.debugReport(placed.uid);
    if (events.at(-1)?.reason !== "in_flight") continue;
    assertEquals((await book.orderStatus(placed.uid)).type, "open");
    const { outcome, mayStillSettle } = await placed.cancel({ waitMs: 0 });
    assertEquals([outcome, mayStillSettle], ["cancelled", true]);
    ends.add((await placed.cancel()).outcome);
  }
  assert(ends.has("settled"));
});

Deno.test("PlacedOrder.cancel() of an order filled in part waits for the next part alone", async () => {
  const trading = await setting();
  const { sandbox, book } = trading;
  const placed = await largeOrder(trading);
  let parts = 0n;
  for (let isNext = false; parts === 0n || !isNext;) {
    await sandbox.advance();
    const { order, events } = await book.debugReport(placed.uid);
    assert(order.status === "open", "no solver takes a second part");
    parts = order.executedBuyAmount;
    isNext = events.at(-1)!.label === "executing";
  }
  const pending = await placed.cancel({ waitMs: 0 });
  assertEquals([pending.outcome, pending.mayStillSettle], ["cancelled", true]);
  const settled = await placed.cancel();
  assertEquals([settled.outcome, settled.mayStillSettle], ["cancelled", false]);
  assert(settled.order.executedBuyAmount > parts);
});

Deno.test("PlacedOrder.cancel() signs as the owner, out of all accounts of a wallet, if it is allowed", async () => {
  const { book, request } = await setting();
  let isAllowed = true;
  const wallet: WalletProvider = {
    async request({ method, params }) {
      if (method === "eth_accounts") return [`0x${"11".repeat(20)}`, ACCOUNT.address];
      if (!isAllowed) throw { code: 4001 };
      const [from, data] = params as [string, string];
      assertEquals(from, OWNER);
      return await ACCOUNT.signTypedData(JSON.parse(data));
    },
  };
  const own = { ...request, from: ACCOUNT.address };
  const quote = await quoteAt({ book, request: own }, 300n);
  const placed = await placeOrder(book, wallet, own, { quote });
  isAllowed = false;
  await assertRejects(() => placed.cancel(), InputError, "the request was rejected in the wallet");
  assertEquals((await book.order(placed.uid)).status, "open");
  isAllowed = true;
  assertEquals((await placed.cancel()).outcome, "cancelled");
});

Deno.test("PlacedOrder.cancel looks up the outcome of a cancellation whose response is lost", async () => {
  for (const [kind, isCancelled] of [["truncated", true], ["reset", false]] as const) {
    const trading = await setting();
    const placed = await dearOrder(trading);
    const fault = trading.sandbox.fault({ kind, operation: "cancelOrders", times: 1 });
    if (isCancelled) assertEquals((await placed.cancel()).outcome, "cancelled");
    else await assertRejects(() => placed.cancel(), UnconfirmedCancellationError);
    const { status } = await trading.book.order(placed.uid);
    assertEquals([fault.hits, status], [1, isCancelled ? "cancelled" : "open"]);
  }
});

Deno.test("PlacedOrder.cancel() tolerates transient failures while it waits, and throws permanent ones", async () => {
  const trading = await setting();
  const placed = await dearOrder(trading);
  trading.sandbox.fault({ kind: "serverError", operation: "order", times: 7 });
  assertEquals((await placed.cancel()).outcome, "cancelled");
  trading.sandbox.fault({ kind: "serverError", operation: "order" });
  await assertRejects(() => placed.cancel(), HttpError, "InternalServerError");
});

Deno.test("PlacedOrder.cancel() rejects with the signal's reason, and rejects invalid waits", async () => {
  const trading = await setting();
  const placed = await dearOrder(trading);
  await trading.sandbox.advance();
  const leaving = new AbortController();
  const cancelled = placed.cancel({ signal: leaving.signal });
  leaving.abort(new Error("enough"));
  await assertRejects(() => cancelled, Error, "enough");
  await assertRejects(() => placed.cancel({ waitMs: NaN }), InputError, "waitMs NaN");
});
