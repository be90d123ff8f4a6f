import { assertEquals } from "@std/assert";
import { connect, type OrderBook } from "../../../lib/mod.ts";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { DAI, ETHER } from "../market/book_orders.ts";
import { OrderDesk } from "../service/order_desk.ts";

async function eventsOf(book: OrderBook, uid: string): Promise<string[]> {
  const { events } = await book.debugReport(uid);
  return events.map(({ label, reason }) => reason === undefined ? label : `${label}: ${reason}`);
}

async function open(auctions = 0) {
  const sandbox = await openSandbox({ seed: 7, auctions });
  return { sandbox, desk: new OrderDesk(sandbox), book: connect(sandbox) };
}

Deno.test("getDebugReport() returns the events of an order up to its fill", async () => {
  const { sandbox, desk, book } = await open();
  const uid = await desk.placed();
  assertEquals(await eventsOf(book, uid), ["created"]);
  await sandbox.advance();
  assertEquals(await eventsOf(book, uid), ["created", "ready", "executing"]);
  const { auctions: [auction], trades } = await book.debugReport(uid);
  assertEquals([auction?.executions, trades], [[], []]);
  await sandbox.advance({ auctions: 2 });
  assertEquals((await eventsOf(book, uid)).at(-1), "traded");
  const report = await book.debugReport(uid);
  const [execution] = report.auctions[0]!.executions;
  assertEquals(execution?.executedFee, report.order.executedFee);
  assertEquals(report.trades[0]?.sellAmount, report.order.executedSellAmount);
});

Deno.test("getDebugReport() names the reason why an order is in no auction", async () => {
  const { sandbox, desk, book } = await open();
  const presigned = await desk.placed({ signingScheme: "presign" });
  const poor = await desk.placed({ sellAmount: 10n ** 24n });
  const strange = await desk.placed({ buyToken: `0x${"77".repeat(20)}` });
  await sandbox.advance();
  assertEquals(await eventsOf(book, presigned), ["created", "invalid: invalid_signature"]);
  assertEquals(await eventsOf(book, poor), ["created", "invalid: insufficient_balance"]);
  assertEquals(await eventsOf(book, strange), ["created", "filtered: missing_native_price"]);
  sandbox.preSign(presigned);
  await sandbox.advance();
  assertEquals((await eventsOf(book, presigned)).slice(2), ["ready", "executing"]);
});

Deno.test("getDebugReport() returns the bids for an order, and policies only if it was in the winner", async () => {
  const { sandbox, desk, book } = await open();
  const uids = [await desk.placed(), await desk.placed({ sellAmount: ETHER / 4n, buyToken: DAI })];
  await sandbox.advance();
  const [won, lost] = await Promise.all(uids.map(async (uid) => {
    const { auctions: [auction] } = await book.debugReport(uid);
    return auction!;
  }));
  assertEquals(won!.proposedSolutions.some(({ isWinner }) => isWinner), true);
  assertEquals(won!.feePolicies.map(({ kind }) => kind), ["priceImprovement", "volume"]);
  assertEquals(lost!.proposedSolutions.some(({ isWinner }) => isWinner), false);
  assertEquals(lost!.feePolicies, []);
  assertEquals((await eventsOf(book, uids[1]!)).at(-1), "considered");
  assertEquals(Object.keys(won!.nativePrices).length, 2);
});
