import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { OrderlensError } from "../../lib/errors/mod.ts";
import { connect, type OrderBook } from "../../lib/mod.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import { type FillPlace, recordFill } from "../../lib/sandbox/market/settlements.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";
import { getTotalSurplus, getTrades } from "../../lib/sandbox/service/routes.ts";
import { bookOrder, DAI, ETHER, OWNER, USDC } from "./book_orders.ts";
import { OrderDesk } from "./order_desk.ts";
import { rateLimit } from "../../lib/sandbox/handlers/terms.ts";
import { beforeFee, netAmounts } from "../../lib/sandbox/handlers/quote.ts";
import type { GrossQuote } from "../../lib/sandbox/market/market_quote.ts";
import { Rejection } from "../../lib/sandbox/wire/reply.ts";

async function eventsOf(book: OrderBook, uid: string): Promise<string[]> {
  const { events } = await book.debugReport(uid);
  return events.map(({ label, reason }) => reason === undefined ? label : `${label}: ${reason}`);
}

async function open() {
  const sandbox = await openSandbox({ seed: 7 });
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

const PATH = `http://x/accounts/${DEVELOPMENT_ACCOUNTS[1]!.address}/notifications`;

Deno.test("getNotifications() may be cached for five minutes, with or without notifications", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 30 });
  for (const path of [PATH, `http://x/accounts/0x${"77".repeat(20)}/notifications`]) {
    const response = await sandbox.fetch(path);
    assertEquals(Array.isArray(await response.json()), true);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "public, max-age=300");
  }
});

Deno.test("getNotifications() fails if its store fails, and is absent if disabled", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  sandbox.fault({ kind: "serverError", operation: "notifications" });
  const failed = await sandbox.fetch(PATH);
  assertEquals([failed.status, (await failed.json()).errorType], [500, "InternalServerError"]);
  const other = await sandbox.fetch("http://x/api/v1/version");
  await other.text();
  assertEquals(other.status, 200);
  const without = await openSandbox({ notifications: false });
  const book = connect(without, { retries: 0 });
  const error = await assertRejects(() => book.notifications(DEVELOPMENT_ACCOUNTS[1]!.address));
  assertInstanceOf(error, OrderlensError);
  assertEquals(error.code, "unavailable");
});

const sandbox = await openSandbox({ seed: 7, auctions: 3 });
const desk = new OrderDesk(sandbox);
const [weth, , dai] = sandbox.description.tokens.map(({ address }) => address) as string[];

async function quoted(changes: Record<string, unknown>) {
  const { status, text } = await desk.ask("POST /api/v1/quote", {
    from: DEVELOPMENT_ACCOUNTS[0]!.address,
    sellToken: dai,
    buyToken: weth,
    kind: "sell",
    sellAmountBeforeFee: String(10n ** 22n),
    ...changes,
  });
  assertEquals(status, 200, text);
  return JSON.parse(text);
}

/** Cost of additional gas in sell-token atoms, by the numbers of the quote. */
function priceOf(gas: number, quote: { gasPrice: string; sellTokenPrice: string }): number {
  return gas * Number(quote.gasPrice) / Number(quote.sellTokenPrice);
}

Deno.test("quote() charges hooks and contract signatures in addition to the gas of the trade", async () => {
  const plain = (await quoted({})).quote;
  const target = DEVELOPMENT_ACCOUNTS[1]!.address;
  const hook = { target, callData: "0x", gasLimit: "5000" };
  const appData = JSON.stringify({ metadata: { hooks: { pre: [hook], post: [hook] } } });
  // As recorded from the service: 27,000 gas for a contract signature by default.
  const cases: [Record<string, unknown>, number][] = [
    [{ signingScheme: "ethsign" }, 0],
    [{ signingScheme: "presign" }, 0],
    [{ signingScheme: "eip1271" }, 27_000],
    [{ signingScheme: "eip1271", verificationGasLimit: 50_000 }, 50_000],
    [{ appData }, 10_000],
    [{ appData, signingScheme: "eip1271" }, 37_000],
  ];
  for (const [changes, gas] of cases) {
    const { quote } = await quoted(changes);
    assertEquals(quote.gasAmount, plain.gasAmount);
    const more = Number(BigInt(quote.feeAmount) - BigInt(plain.feeAmount));
    assert(Math.abs(more - priceOf(gas, quote)) <= 1e6, `${more} for ${gas} gas`);
    assertEquals(BigInt(quote.sellAmount) + BigInt(quote.feeAmount), 10n ** 22n);
  }
});

Deno.test("quote() keeps the sell amount exact if the amount after the fee is requested", async () => {
  for (const signingScheme of ["eip712", "eip1271"]) {
    const sellAmountAfterFee = String(10n ** 22n);
    const { quote } = await quoted({
      sellAmountBeforeFee: null,
      sellAmountAfterFee,
      signingScheme,
    });
    assertEquals(quote.sellAmount, sellAmountAfterFee);
  }
});

Deno.test("quote() expires after a minute, after ten for on-chain orders, and immediately if it is fast", async () => {
  const sinceOpening = ({ expiration }: { expiration: string }) =>
    Date.parse(expiration) / 1_000 - sandbox.description.now;
  assertEquals(sinceOpening(await quoted({})), 60);
  const onchain = { signingScheme: "presign", onchainOrder: true };
  assertEquals(sinceOpening(await quoted(onchain)), 600);
  const { id, verified, expiration } = await quoted({ priceQuality: "fast" });
  assertEquals([id, verified, expiration], [null, false, "1970-01-01T00:00:00Z"]);
});

Deno.test("quote() is verified for accounts without funds too, as in the service", async () => {
  assertEquals((await quoted({ from: `0x${"7e".repeat(20)}` })).verified, true);
});

Deno.test("quote() rejects selling a few atoms as the service does, for any pair", async () => {
  const tokens = sandbox.description.tokens.map(({ address }) => address);
  for (const sellToken of tokens) {
    for (const buyToken of tokens.filter((token) => token !== sellToken)) {
      const answers: string[] = [];
      for (const sellAmountBeforeFee of ["1", "5", "100"]) {
        const from = DEVELOPMENT_ACCOUNTS[0]!.address;
        const sale = { from, sellToken, buyToken, kind: "sell", sellAmountBeforeFee };
        answers.push((await desk.ask("POST /api/v1/quote", sale)).errorType);
      }
      assertEquals(answers, ["NoLiquidity", "NoLiquidity", "SellAmountDoesNotCoverFee"]);
    }
  }
});

const AUCTION = 7;

/** A market in which an order of 1,000 atoms for 1,900 was filled in three parts. */
function marketWithFills(): { market: Market; uid: string } {
  const market = new Market(1);
  const order = bookOrder({ sellAmount: 1_000n, buyAmount: 1_900n, partiallyFillable: true });
  market.book.add(order);
  const competition = { auctionId: AUCTION, auction: { orders: [], prices: {} } };
  const auction = { competition, prices: { [USDC]: 4n * 10n ** 26n } };
  const place = { auction, txHash: `0x${"70".repeat(32)}`, logIndex: 0 } as unknown as FillPlace;
  market.book.auctions.set(AUCTION, place.auction);
  for (const [sellAmount, buyAmount] of [[100n, 191n], [300n, 600n], [600n, 1_140n]] as const) {
    const fees = { protocolFees: [], executedFee: 0n };
    const fill = { sellAmount, buyAmount };
    recordFill(market, place, { order, fill, price: { sell: 1n, buy: 1n }, fees });
  }
  return { market, uid: order.uid };
}

function soldIn(market: Market, query: string): string[] {
  const { body } = getTrades(market, new URLSearchParams(query));
  const trades = JSON.parse(body) as { sellAmount: string }[];
  return trades.map(({ sellAmount }) => sellAmount);
}

Deno.test("getTrades() returns pages of an owner's or an order's trades, newest first", () => {
  const { market, uid } = marketWithFills();
  assertEquals(soldIn(market, `owner=${OWNER}`), ["600", "300", "100"]);
  assertEquals(soldIn(market, `orderUid=${uid}&offset=1&limit=1`), ["300"]);
  assertEquals(soldIn(market, `owner=${OWNER}&offset=3`), []);
  assertEquals(soldIn(market, `orderUid=0x${"77".repeat(56)}`), []);
});

Deno.test("GET v1/trades has all trades of an owner in the order of GET v2/trades", async () => {
  const desk = new OrderDesk(await openSandbox({ seed: 7, auctions: 20 }));
  const owner = DEVELOPMENT_ACCOUNTS[1]!.address;
  const all = await desk.read(`GET /api/v1/trades?owner=${owner}`);
  assertEquals(all, await desk.read(`GET /api/v2/trades?owner=${owner}`));
  assert(all.length > 1);
});

Deno.test("getTotalSurplus() sums the surplus over the limits, in native atoms", () => {
  const { market } = marketWithFills();
  assertEquals(market.book.firstTrades.get(USDC), market.block);
  // 191 - 190, 600 - 570 and 1,140 - 1,140 atoms, of 4 * 10^8 each.
  const { body } = getTotalSurplus(market, OWNER);
  assertEquals(JSON.parse(body), { totalSurplus: String(31n * 4n * 10n ** 8n) });
});

/** 100,000 gas at 10 wei, paid with atoms worth 2 wei each: a fee of 500,000 atoms. */
const GROSS: GrossQuote = {
  sellAmount: 10_000_000n,
  buyAmount: 30_000_000n,
  gasAmount: 100_000,
  gasPrice: 10,
  sellTokenPrice: 2,
  feeAmount: 500_000n,
  solver: `0x${"50".repeat(20)}`,
};

Deno.test("netAmounts() of a sell order buys less, that of a buy order sells more, by gas and 2 bps", () => {
  // 30,000,000 · 9,500,000 / 10,000,000 = 28,500,000, of which 0.0002 is 5,700.
  const sold = { sellAmount: 9_500_000n, buyAmount: 28_494_300n, feeAmount: 500_000n };
  // 0.0002 of 10,500,000 is 2,100, and 0.0002 of 10,635,000 is 2,127.
  const bought = { sellAmount: 10_002_100n, buyAmount: 30_000_000n, feeAmount: 500_000n };
  const dearer = { sellAmount: 10_002_127n, buyAmount: 30_000_000n, feeAmount: 635_000n };
  assertEquals(netAmounts(GROSS, { kind: "sell", extraGas: 0 }), sold);
  assertEquals(netAmounts(GROSS, { kind: "buy", extraGas: 0 }), bought);
  assertEquals(netAmounts(GROSS, { kind: "buy", extraGas: 27_000 }), dearer);
});

Deno.test("netAmounts() rejects a sell amount below its fee, and reports the fee", () => {
  const small = { ...GROSS, sellAmount: 500_000n };
  const { reply } = assertThrows(() => netAmounts(small, { kind: "sell", extraGas: 0 }), Rejection);
  assertEquals([reply.status, JSON.parse(reply.body).data], [400, { fee_amount: "0x7a120" }]);
});

Deno.test("beforeFee() inverts the fee, even for small amounts", () => {
  for (const [sellAmount, buyAmount] of [[10_000_000n, 30_000_000n], [1n, 1n], [7n, 3n]] as const) {
    const gross = beforeFee({ ...GROSS, sellAmount, buyAmount }, 27_000);
    assertEquals(gross.sellAmount, sellAmount + 635_000n);
    const net = netAmounts(gross, { kind: "sell", extraGas: 27_000 });
    assertEquals([net.sellAmount, net.buyAmount], [sellAmount, buyAmount - buyAmount / 5_000n]);
  }
});

Deno.test("rateLimit() counts the requests of the last minute", () => {
  const times = [0, 20_500, 30_000, 59_001, 60_000, 60_000];
  assertEquals(times.map(rateLimit(2)), [null, null, 30, 1, null, 21]);
  assertEquals(rateLimit(0)(0), 60, "none is allowed");
});

Deno.test("limits count both kinds of quotes together, by the sandbox's time", async () => {
  const sandbox = await openSandbox({ limits: { quotesPerMinute: 2 } });
  const desk = new OrderDesk(sandbox);
  const asked = async (path: string) => (await desk.ask(`POST /api/v1/${path}`, {})).status;
  assertEquals([await asked("quote"), await asked("quote/stream")], [422, 422]);
  assertEquals([await asked("quote"), await asked("quote/stream")], [429, 429]);
  // Other operations are not limited.
  assertEquals((await desk.ask("GET /api/v1/version")).status, 200);
  assertEquals(await asked("orders"), 422);
  await sandbox.advance({ auctions: 30 });
  assertEquals(await asked("quote"), 422);
});

Deno.test("limits send Retry-After with the time until an order is allowed again", async () => {
  const sandbox = await openSandbox({ limits: { ordersPerMinute: 1 } });
  const desk = new OrderDesk(sandbox);
  await desk.placed();
  await sandbox.advance({ auctions: 5 });
  const response = await sandbox.fetch("http://x/api/v1/orders", { method: "POST", body: "{}" });
  await response.text();
  assertEquals([response.status, response.headers.get("retry-after")], [429, "50"]);
});
