import { Decimal } from "orderlens";
import { marketPosition } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assertEquals } from "@std/assert";
import { orderOf, recordedRun } from "../recorded_run.ts";

Deno.test("marketPosition() of a sell order uses the quote net of its fee", () => {
  const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_990n } as const;
  const quote = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 5n };
  assertEquals(marketPosition(order, quote), { position: "in_market", quote, basis: "quote" });
  assertEquals(marketPosition({ ...order, buyAmount: 1_991n }, quote), {
    position: "out_of_market",
    quote,
    basis: "quote",
  });
});

Deno.test("marketPosition() of a buy order adds the fee to the sold amount", () => {
  const order = { kind: "buy", sellAmount: 2_005n, buyAmount: 1_000n } as const;
  const quote = { sellAmount: 2_000n, buyAmount: 1_000n, fee: 5n };
  assertEquals(marketPosition(order, quote).position, "in_market");
  assertEquals(marketPosition({ ...order, sellAmount: 2_004n }, quote).position, "out_of_market");
});

Deno.test("marketPosition() compares prices, for any amounts", () => {
  const quote = { sellAmount: 10n, buyAmount: 20n, fee: 0n };
  const at = { kind: "sell", sellAmount: 3n, buyAmount: 6n } as const;
  assertEquals(marketPosition(at, quote).position, "in_market");
  assertEquals(marketPosition({ ...at, buyAmount: 7n }, quote).position, "out_of_market");
});

Deno.test("marketPosition() names the quote that it used", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;
  const stored = {
    sellAmount: 10n,
    buyAmount: 20n,
    gasAmount: Decimal.parse("3"),
    gasPrice: Decimal.parse("1"),
    sellTokenPrice: Decimal.parse("2"),
  };
  assertEquals(marketPosition(order, stored).quote, { sellAmount: 10n, buyAmount: 20n, fee: 1n });
});

Deno.test("marketPosition() is out of market if there is no quote or no price, as in the service", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;
  const none = { position: "out_of_market", quote: null, basis: "no_quote" } as const;
  assertEquals(marketPosition(order, null), none);
  assertEquals(marketPosition(order, undefined), none);
  const free = { sellAmount: 0n, buyAmount: 10n, fee: 0n };
  const basis = "quote_without_price";
  assertEquals(marketPosition(order, free), { position: "out_of_market", quote: free, basis });
  const eaten = { sellAmount: 10n, buyAmount: 20n, fee: 11n };
  assertEquals(marketPosition(order, eaten), { position: "out_of_market", quote: eaten, basis });
});

/** The market took half of the surplus from out-of-market orders, of the improvement from others. */
function positionOf(policy: FeePolicy | null | undefined): string {
  if (policy?.surplus !== undefined) return "out_of_market";
  return policy?.priceImprovement !== undefined ? "in_market" : "neither";
}

Deno.test("marketPosition() predicts the service's choice of fee for every fill of a market", async () => {
  const market = await recordedRun("market_1");
  const positions = { in_market: 0, out_of_market: 0 };
  for (const trade of market.trades) {
    const order = orderOf(market, trade);
    const { position } = marketPosition(order, order.quote);
    assertEquals(position, positionOf(trade.executedProtocolFees?.[0]?.policy));
    assertEquals(order.class, "limit");
    positions[position]++;
  }
  assertEquals(positions, { in_market: 573, out_of_market: 91 });
});
