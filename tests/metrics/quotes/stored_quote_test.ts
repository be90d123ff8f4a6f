import fc from "fast-check";
import { Decimal, type QuoteResponse } from "orderlens";
import { type StoredQuote, storedQuoteFee } from "orderlens/metrics";
import type { OrderQuote, PolicyQuote, QuotedOrder } from "orderlens/schemas";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { orderOf, recordedRun } from "../recorded_run.ts";

const market = await recordedRun("market_1");

function quote(gasAmount: string, gasPrice: string, sellTokenPrice: string): StoredQuote {
  return {
    sellAmount: 1n,
    buyAmount: 1n,
    gasAmount: Decimal.parse(gasAmount),
    gasPrice: Decimal.parse(gasPrice),
    sellTokenPrice: Decimal.parse(sellTokenPrice),
  };
}

Deno.test("storedQuoteFee() equals the quoted fee in the policies of the same order", () => {
  let compared = 0;
  let unlikeTheOrder = 0;
  for (const trade of market.trades) {
    const stored = orderOf(market, trade).quote;
    for (const { policy } of trade.executedProtocolFees ?? []) {
      const carried = policy?.priceImprovement?.quote;
      if (carried === undefined) continue;
      assert(stored !== undefined && stored !== null);
      assertEquals(storedQuoteFee(stored), carried.fee);
      assertEquals(stored.sellAmount, carried.sellAmount);
      assertEquals(stored.buyAmount, carried.buyAmount);
      if (stored.feeAmount !== carried.fee) unlikeTheOrder++;
      compared++;
    }
  }
  assertEquals(compared, 587);
  assertNotEquals(unlikeTheOrder, 0);
});

Deno.test("storedQuoteFee() returns the fee that a policy's quote names", () => {
  assertEquals(storedQuoteFee({ sellAmount: 1n, buyAmount: 2n, fee: 3n }), 3n);
});

Deno.test("storedQuoteFee() rounds down", () => {
  assertEquals(storedQuoteFee(quote("7", "1", "2")), 3n);
  assertEquals(storedQuoteFee(quote("0.5", "1", "1")), 0n);
});

Deno.test("storedQuoteFee() is exact even if the product of doubles rounds", () => {
  // (2^53 - 1)^2 has 106 bits, a double has 53.
  const odd = 2n ** 53n - 1n;
  assertEquals(storedQuoteFee(quote(`${odd}`, `${odd}`, "1")), odd * odd);
});

Deno.test("storedQuoteFee() reads doubles, not their decimal text", () => {
  // The double nearest to 0.1 is a little above it, so ten of them are a little above 1.
  assertEquals(storedQuoteFee(quote("1", "1", "0.1")), 9n);
});

Deno.test("storedQuoteFee() accepts the smallest and the largest doubles", () => {
  assertEquals(storedQuoteFee(quote("5e-324", "1", "5e-324")), 1n);
  assertEquals(storedQuoteFee(quote("0", "1", "5e-324")), 0n);
  const largest = BigInt(Number.MAX_VALUE);
  assertEquals(storedQuoteFee(quote(`${largest}`, "1", "1")), largest);
});

Deno.test("storedQuoteFee() is null if the service computes none", () => {
  assertEquals(storedQuoteFee(quote("1", "1", "0")), null);
  assertEquals(storedQuoteFee(quote("0", "0", "0")), null);
  assertEquals(storedQuoteFee(quote("1", "1", "1e-999")), null);
  assertEquals(storedQuoteFee(quote("1e999", "1", "1")), null);
  assertEquals(storedQuoteFee(quote("1", "1e999", "1")), null);
});

Deno.test("storedQuoteFee() is within one double of the quotient of doubles", () => {
  const positive = fc.double({ min: 1e-9, max: 1e15, noNaN: true });
  fc.assert(fc.property(positive, positive, positive, (gas, price, token) => {
    const fee = storedQuoteFee({
      sellAmount: 1n,
      buyAmount: 1n,
      gasAmount: Decimal.fromNumber(gas),
      gasPrice: Decimal.fromNumber(price),
      sellTokenPrice: Decimal.fromNumber(token),
    });
    const inDoubles = gas * price / token;
    assert(fee !== null && Math.abs(Number(fee) - inDoubles) <= 1 + inDoubles * 2 ** -50);
  }));
});

type Fits<From, To> = From extends To ? true : false;

Deno.test("StoredQuote accepts stored quotes and rejects net answers at compile time", () => {
  const takesTheOrders: Fits<OrderQuote, StoredQuote> = true;
  const takesThePolicies: Fits<PolicyQuote, StoredQuote> = true;
  const takesNetAmounts: Fits<QuotedOrder, StoredQuote> = false;
  const takesAnswers: Fits<QuoteResponse, StoredQuote> = false;
  type NetWithAll = QuotedOrder & OrderQuote & PolicyQuote;
  const takesNetAmountsWithEverything: Fits<NetWithAll, StoredQuote> = false;
  assert(takesTheOrders && takesThePolicies);
  assert(!takesNetAmounts && !takesAnswers && !takesNetAmountsWithEverything);
});
