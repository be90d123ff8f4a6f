import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { Decimal } from "orderlens";
import { marketPosition } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { exactDouble, volumeFactorsOf } from "../../../lib/metrics/quotes/quote_baseline.ts";
import { orderOf, recordedRun } from "../recorded_run.ts";

Deno.test("exactDouble() of doubles computed by hand", () => {
  assertEquals(exactDouble(0), { mantissa: 0n, exponent: -1074 });
  assertEquals(exactDouble(1), { mantissa: 2n ** 52n, exponent: -52 });
  assertEquals(exactDouble(0.1), { mantissa: 7205759403792794n, exponent: -56 });
  assertEquals(exactDouble(2 ** -1074), { mantissa: 1n, exponent: -1074 });
  assertEquals(exactDouble(Number.MAX_VALUE), { mantissa: 2n ** 53n - 1n, exponent: 971 });
});

Deno.test("exactDouble() multiplied out equals the double", () => {
  const doubles = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
  fc.assert(fc.property(doubles, (value) => {
    const { mantissa, exponent } = exactDouble(value);
    // In two halves, since 2^-1074 alone is the smallest double there is.
    const half = Math.trunc(exponent / 2);
    assertEquals(Number(mantissa) * 2 ** half * 2 ** (exponent - half), value + 0);
  }));
});

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

const VOLUME = { policy: { volume: { factor: 0.0002 } } };
const SURPLUS = { policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } } };
const IMPROVEMENT = { policy: { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.01 } } };

Deno.test("volumeFactorsOf() keeps the factors of volume fees in their order", () => {
  const partner = { policy: { volume: { factor: 0.0025 } } };
  assertEquals(volumeFactorsOf([IMPROVEMENT, VOLUME, SURPLUS, partner]), [0.0002, 0.0025]);
  assertEquals(volumeFactorsOf([SURPLUS, IMPROVEMENT]), []);
  assertEquals(volumeFactorsOf([]), []);
});

Deno.test("volumeFactorsOf() are unknown if a fee may be a volume fee", () => {
  assertEquals(volumeFactorsOf(undefined), undefined);
  assertEquals(volumeFactorsOf([VOLUME, { policy: null }]), undefined);
  assertEquals(volumeFactorsOf([VOLUME, {}]), undefined);
  assertEquals(volumeFactorsOf([VOLUME, { policy: {} }]), undefined);
});
