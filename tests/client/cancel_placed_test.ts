import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpError, InputError, UnconfirmedCancellationError } from "../../lib/errors/mod.ts";
import type { WalletProvider } from "../../lib/evm/mod.ts";
import {
  ACCOUNT,
  dearOrder,
  ETHER,
  OWNER,
  placeOrder,
  quoteAt,
  setting,
} from "./trading_setting.ts";

Deno.test("PlacedOrder.cancel() immediately cancels an order that no auction has included", async () => {
  const trading = await setting();
  const placed = await dearOrder(trading);
  const { block } = trading.sandbox.description;
  const { outcome, order, mayStillSettle } = await placed.cancel();
  assertEquals([outcome, order.status, mayStillSettle], ["cancelled", "cancelled", false]);
  assertEquals(trading.sandbox.description.block, block);
  assertEquals((await Array.fromAsync(placed.track())).map(({ isFinal }) => isFinal), [true]);
  assertEquals((await placed.cancel()).outcome, "cancelled");
  const { fills, differences, slippage } = await placed.execution();
  assertEquals([fills.length, differences], [0, []]);
  assert("reason" in slippage.limit && slippage.limit.reason === "nothing_executed");
});

Deno.test("PlacedOrder.cancel() reports that an order of an auction may still settle", async () => {
  const trading = await setting();
  const placed = await dearOrder(trading);
  await trading.sandbox.advance();
  const began = trading.book.clock.now();
  const { outcome, mayStillSettle } = await placed.cancel({ waitMs: 10_000 });
  assertEquals([outcome, mayStillSettle], ["cancelled", true]);
  assertEquals(trading.book.clock.now() - began, 10_000);
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

Deno.test("PlacedOrder.cancel() waits if the stage is unknown", async () => {
  const trading = await setting();
  const placed = await dearOrder(trading);
  trading.sandbox.fault({ kind: "serverError", operation: "orderStatus" });
  const { outcome, mayStillSettle } = await placed.cancel({ waitMs: 0 });
  assertEquals([outcome, mayStillSettle], ["cancelled", true]);
});

Deno.test("PlacedOrder.cancel() reports a settlement despite the cancellation", async () => {
  const { book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  await Array.fromAsync(placed.track());
  const { outcome, mayStillSettle } = await placed.cancel();
  assertEquals([outcome, mayStillSettle], ["settled", false]);
});

Deno.test("PlacedOrder.cancel() waits for a pending settlement", async () => {
  const { sandbox, book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  for (let at = 0; (await book.orderStatus(placed.uid)).type !== "executing"; at++) {
    assert(at < 20, "no solver takes it");
    await sandbox.advance();
  }
  assertEquals((await book.order(placed.uid)).status, "open");
  const { outcome, order } = await placed.cancel();
  assertEquals([outcome, order.executedSellAmount], ["settled", ETHER]);
});

Deno.test("PlacedOrder.cancel() reports that an order has expired", async () => {
  const { request, ...own } = await setting();
  const placed = await dearOrder({ ...own, request: { ...request, validFor: 120 } });
  // Blocks are 2 s apart.
  await own.sandbox.advance({ auctions: 61 });
  const { outcome, order } = await placed.cancel();
  assertEquals([outcome, order.status], ["expired", "expired"]);
});

Deno.test("PlacedOrder.cancel() asks a wallet, and cancels nothing if it declines", async () => {
  const { book, request } = await setting();
  let isAllowed = true;
  const wallet: WalletProvider = {
    async request({ method, params }) {
      if (method === "eth_accounts") return [ACCOUNT.address];
      if (!isAllowed) throw { code: 4001 };
      return await ACCOUNT.signTypedData(JSON.parse((params as [string, string])[1]));
    },
  };
  const quote = await quoteAt({ book, request }, 300n);
  const placed = await placeOrder(book, wallet, request, { quote });
  isAllowed = false;
  await assertRejects(() => placed.cancel(), InputError, "the request was rejected in the wallet");
  assertEquals((await book.order(placed.uid)).status, "open");
  isAllowed = true;
  assertEquals((await placed.cancel()).outcome, "cancelled");
});

Deno.test("PlacedOrder.cancel() signs as the owner, out of all accounts of a wallet", async () => {
  const { book, request } = await setting();
  const wallet: WalletProvider = {
    async request({ method, params }) {
      if (method === "eth_accounts") return [`0x${"11".repeat(20)}`, ACCOUNT.address];
      const [from, data] = params as [string, string];
      assertEquals(from, OWNER);
      return await ACCOUNT.signTypedData(JSON.parse(data));
    },
  };
  const own = { ...request, from: ACCOUNT.address };
  const quote = await quoteAt({ book, request: own }, 300n);
  const placed = await placeOrder(book, wallet, own, { quote });
  assertEquals((await placed.cancel()).outcome, "cancelled");
});

Deno.test("PlacedOrder.cancel() looks up the outcome of a cancellation whose answer is lost", async () => {
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
  setTimeout(() => leaving.abort(new Error("enough")), 5);
  await assertRejects(() => cancelled, Error, "enough");
  await assertRejects(() => placed.cancel({ waitMs: NaN }), InputError, "waitMs NaN");
});
