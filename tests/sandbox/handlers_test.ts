import { assert, assertEquals, assertThrows } from "@std/assert";
import { connect } from "../../lib/mod.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import { type FillLocation, recordFill } from "../../lib/sandbox/market/settlements.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";
import { getTotalSurplus } from "../../lib/sandbox/service/routes.ts";
import { bookOrder, DAI, ETHER, OWNER, USDC } from "./book_orders.ts";
import { OrderDesk } from "./order_desk.ts";
import { createRateLimit } from "../../lib/sandbox/handlers/terms.ts";
import { addNetworkFee, applyFees } from "../../lib/sandbox/handlers/quote.ts";
import type { GrossQuote } from "../../lib/sandbox/market/market_quote.ts";
import { Rejection } from "../../lib/sandbox/wire/reply.ts";

Deno.test("getDebugReport() returns the bids for an order, and policies only if it was in the winner", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const desk = new OrderDesk(sandbox);
  const uids = [await desk.placed(), await desk.placed({ sellAmount: ETHER / 4n, buyToken: DAI })];
  await sandbox.advance();
  const [won, lost] = await Promise.all(uids.map((uid) => connect(sandbox).debugReport(uid)));
  const told = [won, lost].map((report) => {
    const { auctions: [auction], events, trades } = report!;
    return {
      isWinner: auction!.proposedSolutions.some(({ isWinner }) => isWinner),
      policies: auction!.feePolicies.map(({ kind }) => kind),
      events: events.map(({ label }) => label),
      // Nothing is settled yet.
      settled: [auction!.executions, trades],
      priced: Object.keys(auction!.nativePrices).length,
    };
  });
  const none = { settled: [[], []], priced: 2 };
  assertEquals<unknown[]>(told, [
    {
      isWinner: true,
      policies: ["priceImprovement", "volume"],
      events: ["created", "ready", "executing"],
      ...none,
    },
    { isWinner: false, policies: [], events: ["created", "ready", "considered"], ...none },
  ]);
});

const PATH = `http://x/accounts/${DEVELOPMENT_ACCOUNTS[1]!.address}/notifications`;

Deno.test("getNotifications() may be cached for five minutes, of any account", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 10 });
  for (const path of [PATH, `http://x/accounts/0x${"77".repeat(20)}/notifications`]) {
    const response = await sandbox.fetch(path);
    assertEquals(Array.isArray(await response.json()), true);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "public, max-age=300");
  }
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

Deno.test("quote() charges hooks and contract signatures beside the gas of the trade, on top of an amount after fees", async () => {
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
    const after = { sellAmountBeforeFee: null, sellAmountAfterFee: String(10n ** 22n) };
    assertEquals((await quoted({ ...changes, ...after })).quote.sellAmount, String(10n ** 22n));
  }
});

Deno.test("quote() is verified for anyone, and expires after a minute, ten if on the chain, at once if fast", async () => {
  const sinceOpening = ({ expiration }: { expiration: string }) =>
    Date.parse(expiration) / 1_000 - sandbox.description.now;
  const usual = await quoted({ from: `0x${"7e".repeat(20)}` });
  assertEquals([usual.verified, sinceOpening(usual)], [true, 60]);
  const onchain = { signingScheme: "presign", onchainOrder: true };
  assertEquals(sinceOpening(await quoted(onchain)), 600);
  const { id, verified, expiration } = await quoted({ priceQuality: "fast" });
  assertEquals([id, verified, expiration], [null, false, "1970-01-01T00:00:00Z"]);
});

Deno.test("quote() rejects selling a few atoms as the service does, for any pair", async () => {
  const tokens = sandbox.description.tokens.map(({ address }) => address);
  assert(tokens.length > 1);
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

Deno.test("GET v1/trades has all trades of an owner in the order of GET v2/trades, which has pages", async () => {
  const desk = new OrderDesk(await openSandbox({ seed: 7, auctions: 20 }));
  const owner = DEVELOPMENT_ACCOUNTS[1]!.address;
  const read = (query: string) => desk.read(`GET /api/v2/trades?${query}`);
  const all = await desk.read(`GET /api/v1/trades?owner=${owner}`);
  assert(all.length > 2);
  assertEquals(all, await read(`owner=${owner}`));
  assertEquals(await read(`owner=${owner}&offset=1&limit=1`), all.slice(1, 2));
  assertEquals(await read(`owner=${owner}&offset=${all.length}`), []);
  const blocks = all.map(({ blockNumber }: { blockNumber: number }) => blockNumber);
  assertEquals(blocks, blocks.toSorted((a: number, b: number) => b - a));
  const [{ orderUid }] = all;
  const own = all.filter((trade: { orderUid: string }) => trade.orderUid === orderUid);
  assertEquals(await read(`orderUid=${orderUid}`), own);
});

Deno.test("getTotalSurplus() sums the surplus over the limits, in native atoms", () => {
  const market = new Market(1);
  const order = bookOrder({ sellAmount: 1_000n, buyAmount: 1_900n, partiallyFillable: true });
  market.book.add(order);
  const competition = { auctionId: 7, auction: { orders: [], prices: {} } };
  const auction = { competition, prices: { [USDC]: 4n * 10n ** 26n } };
  const place = { auction, txHash: `0x${"70".repeat(32)}`, logIndex: 0 } as unknown as FillLocation;
  market.book.auctions.set(7, place.auction);
  for (const [sellAmount, buyAmount] of [[100n, 191n], [300n, 600n], [600n, 1_140n]] as const) {
    const fees = { protocolFees: [], executedFee: 0n };
    const fill = { sellAmount, buyAmount };
    recordFill(market, place, { order, fill, price: { sell: 1n, buy: 1n }, fees });
  }
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

Deno.test("applyFees() of a sell order buys less, that of a buy order sells more, by gas and 2 bps", () => {
  // 30,000,000 · 9,500,000 / 10,000,000 = 28,500,000, of which 0.0002 is 5,700.
  const sold = { sellAmount: 9_500_000n, buyAmount: 28_494_300n, feeAmount: 500_000n };
  // 0.0002 of 10,500,000 is 2,100, and 0.0002 of 10,635,000 is 2,127.
  const bought = { sellAmount: 10_002_100n, buyAmount: 30_000_000n, feeAmount: 500_000n };
  const dearer = { sellAmount: 10_002_127n, buyAmount: 30_000_000n, feeAmount: 635_000n };
  assertEquals(applyFees(GROSS, { kind: "sell", extraGas: 0 }), sold);
  assertEquals(applyFees(GROSS, { kind: "buy", extraGas: 0 }), bought);
  assertEquals(applyFees(GROSS, { kind: "buy", extraGas: 27_000 }), dearer);
});

Deno.test("applyFees() rejects a sell amount below its fee, and reports the fee", () => {
  const small = { ...GROSS, sellAmount: 500_000n };
  const { reply } = assertThrows(() => applyFees(small, { kind: "sell", extraGas: 0 }), Rejection);
  assertEquals([reply.status, JSON.parse(reply.body).data], [400, { fee_amount: "0x7a120" }]);
});

Deno.test("addNetworkFee() inverts the fee, even for small amounts", () => {
  for (const [sellAmount, buyAmount] of [[10_000_000n, 30_000_000n], [1n, 1n], [7n, 3n]] as const) {
    const gross = addNetworkFee({ ...GROSS, sellAmount, buyAmount }, 27_000);
    assertEquals(gross.sellAmount, sellAmount + 635_000n);
    const net = applyFees(gross, { kind: "sell", extraGas: 27_000 });
    assertEquals([net.sellAmount, net.buyAmount], [sellAmount, buyAmount - buyAmount / 5_000n]);
  }
});

Deno.test("createRateLimit() counts the requests of the last minute", () => {
  const times = [0, 20_500, 30_000, 59_001, 60_000, 60_000];
  assertEquals(times.map(createRateLimit(2)), [null, null, 30, 1, null, 21]);
  assertEquals(createRateLimit(0)(0), 60, "none is allowed");
});

Deno.test("limits count orders, and both kinds of quotes together, by the sandbox's time", async () => {
  const sandbox = await openSandbox({ limits: { quotesPerMinute: 2, ordersPerMinute: 1 } });
  const desk = new OrderDesk(sandbox);
  const asked = async (path: string) => (await desk.ask(`POST /api/v1/${path}`, {})).status;
  assertEquals([await asked("quote"), await asked("quote/stream")], [422, 422]);
  assertEquals([await asked("quote"), await asked("quote/stream")], [429, 429]);
  // Other operations have other limits, or none.
  assertEquals((await desk.ask("GET /api/v1/version")).status, 200);
  assertEquals(await asked("orders"), 422);
  await sandbox.advance({ auctions: 5 });
  const response = await sandbox.fetch("http://x/api/v1/orders", { method: "POST", body: "{}" });
  await response.text();
  assertEquals([response.status, response.headers.get("retry-after")], [429, "50"]);
  await sandbox.advance({ auctions: 25 });
  assertEquals(await asked("quote"), 422);
});
