import { assertEquals, assertThrows } from "@std/assert";
import { RateLimit } from "../../../lib/sandbox/handlers/check_terms.ts";
import { beforeFee, netAmounts } from "../../../lib/sandbox/handlers/quote.ts";
import type { GrossQuote } from "../../../lib/sandbox/market/market_quote.ts";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { Rejection } from "../../../lib/sandbox/wire/reply.ts";
import { OrderDesk } from "../service/order_desk.ts";

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

Deno.test("netAmounts() of a sell order buys less by the network fee, then by 2 bps", () => {
  // 30,000,000 · 9,500,000 / 10,000,000 = 28,500,000, of which 0.0002 is 5,700.
  assertEquals(netAmounts(GROSS, { kind: "sell", extraGas: 0 }), {
    sellAmount: 9_500_000n,
    buyAmount: 28_494_300n,
    feeAmount: 500_000n,
  });
});

Deno.test("netAmounts() of a buy order sells more by 2 bps, with a separate fee", () => {
  // 0.0002 of 10,500,000 is 2,100.
  assertEquals(netAmounts(GROSS, { kind: "buy", extraGas: 0 }), {
    sellAmount: 10_002_100n,
    buyAmount: 30_000_000n,
    feeAmount: 500_000n,
  });
});

Deno.test("netAmounts() charges additional gas", () => {
  assertEquals(netAmounts(GROSS, { kind: "buy", extraGas: 27_000 }).feeAmount, 635_000n);
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

Deno.test("RateLimit counts the requests of the last minute", () => {
  const limit = new RateLimit(2);
  assertEquals(limit.take(0).isAllowed, true);
  assertEquals(limit.take(20_500).isAllowed, true);
  assertEquals(limit.take(30_000), { isAllowed: false, retryAfterSec: 30 });
  assertEquals(limit.take(59_001), { isAllowed: false, retryAfterSec: 1 });
  assertEquals(limit.take(60_000).isAllowed, true);
  assertEquals(limit.take(60_000), { isAllowed: false, retryAfterSec: 21 });
});

Deno.test("RateLimit of 0 allows nothing", () => {
  assertEquals(new RateLimit(0).take(0), { isAllowed: false, retryAfterSec: 60 });
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
