import cases from "../../testdata/metrics/quote_stages.json" with { type: "json" };
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Decimal, InputError, type QuoteResponse } from "orderlens";
import {
  type AnsweredQuote,
  marketPosition,
  type OrderLimit,
  quoteStages,
  type StageAmounts,
  type StoredQuote,
  storedQuoteFee,
} from "orderlens/metrics";
import type { OrderQuote, PolicyQuote, QuotedOrder } from "orderlens/schemas";
import { buys, quoted, sells } from "../fixtures.ts";

Deno.test("marketPosition() compares the limit with the quote net of its fee", () => {
  const quote = quoted(1_000n, 2_000n, 5n);
  const found = { quote, basis: "quote" } as const;
  assertEquals(marketPosition(sells(1_000n, 1_990n), quote), { position: "in_market", ...found });
  const beyond = { position: "out_of_market", ...found } as const;
  assertEquals(marketPosition(sells(1_000n, 1_991n), quote), beyond);
  // A fee of 1 of 3 is 13.3 of 40, and takes 13.
  const [uneven, reached] = [quoted(3n, 40n, 1n), sells(3n, 27n)];
  assertEquals(marketPosition(reached, uneven).position, "in_market");
  assertEquals(marketPosition({ ...reached, buyAmount: 28n }, uneven).position, "out_of_market");
  const positions = (...orders: OrderLimit[]) =>
    orders.map((order) => marketPosition(order, quoted(2_000n, 1_000n, 5n)).position);
  // A purchase adds the fee to what it sells; the amounts need not be those of the quote.
  const [inside, outside] = ["in_market", "out_of_market"] as const;
  assertEquals(positions(buys(2_005n, 1_000n), buys(2_004n, 1_000n)), [inside, outside]);
  assertEquals(positions(buys(4_010n, 2_000n), buys(4_009n, 2_000n)), [inside, outside]);
});

Deno.test("marketPosition() names the quote that it used", () => {
  const stored = {
    sellAmount: 10n,
    buyAmount: 20n,
    gasAmount: Decimal.parse("3"),
    gasPrice: Decimal.parse("1"),
    sellTokenPrice: Decimal.parse("2"),
  };
  assertEquals(marketPosition(sells(10n, 10n), stored).quote, quoted(10n, 20n, 1n));
});

Deno.test("marketPosition() is out of market if there is no quote or no price, as in the service", () => {
  const position = "out_of_market";
  for (const quote of [null, undefined]) {
    const none = { position, quote: null, basis: "no_quote" } as const;
    assertEquals(marketPosition(sells(10n, 10n), quote), none);
  }
  // One that gives something for nothing, and one whose fee is more than it sells.
  for (const quote of [quoted(0n, 10n), quoted(10n, 20n, 11n)]) {
    const found = { position, quote, basis: "quote_without_price" } as const;
    assertEquals(marketPosition(sells(10n, 10n), quote), found);
  }
});

function quote(gasAmount: string, gasPrice: string, sellTokenPrice: string): StoredQuote {
  return {
    sellAmount: 1n,
    buyAmount: 1n,
    gasAmount: Decimal.parse(gasAmount),
    gasPrice: Decimal.parse(gasPrice),
    sellTokenPrice: Decimal.parse(sellTokenPrice),
  };
}

Deno.test("storedQuoteFee() is the exact quotient of the doubles, rounded down", () => {
  assertEquals(storedQuoteFee({ sellAmount: 1n, buyAmount: 2n, fee: 3n }), 3n);
  assertEquals(storedQuoteFee(quote("7", "1", "2")), 3n);
  assertEquals(storedQuoteFee(quote("0.5", "1", "1")), 0n);
  // (2^53 - 1)^2 has 106 bits, a double has 53.
  const odd = 2n ** 53n - 1n;
  assertEquals(storedQuoteFee(quote(`${odd}`, `${odd}`, "1")), odd * odd);
  // The double nearest to 0.1 is a little above it, so ten of them are a little above 1.
  assertEquals(storedQuoteFee(quote("1", "1", "0.1")), 9n);
  assertEquals(storedQuoteFee(quote("5e-324", "1", "5e-324")), 1n);
  assertEquals(storedQuoteFee(quote("0", "1", "5e-324")), 0n);
  // 2^-1074 * 2^1000 / 2^-74.
  assertEquals(storedQuoteFee(quote("5e-324", `${2 ** 1000}`, `${2 ** -74}`)), 1n);
  const largest = BigInt(Number.MAX_VALUE);
  assertEquals(storedQuoteFee(quote(`${largest}`, "1", "1")), largest);
});

Deno.test("storedQuoteFee() is null if the service computes none", () => {
  const none = ["1 1 0", "0 0 0", "1 1 1e-999", "1e999 1 1", "1 1e999 1"];
  for (const text of none) {
    const [gas, price, token] = text.split(" ");
    assertEquals(storedQuoteFee(quote(gas!, price!, token!)), null, text);
  }
});

type Fits<From, To> = From extends To ? true : false;

Deno.test("StoredQuote accepts stored quotes, and AnsweredQuote net responses, at compile time", () => {
  const takesTheOrders: Fits<OrderQuote, StoredQuote> = true;
  const takesThePolicies: Fits<PolicyQuote, StoredQuote> = true;
  const takesNetAmounts: Fits<QuotedOrder, StoredQuote> = false;
  const takesAnswers: Fits<QuoteResponse, StoredQuote> = false;
  type NetWithAll = QuotedOrder & OrderQuote & PolicyQuote;
  const takesNetAmountsWithEverything: Fits<NetWithAll, StoredQuote> = false;
  assert(takesTheOrders && takesThePolicies);
  assert(!takesNetAmounts && !takesAnswers && !takesNetAmountsWithEverything);
  const netAnswers: Fits<QuotedOrder, AnsweredQuote> = true;
  const netStored: Fits<OrderQuote, AnsweredQuote> = false;
  assert(netAnswers && !netStored);
});

const STAGES = [
  "beforeAllFees",
  "afterProtocolFees",
  "afterNetworkCosts",
  "afterPartnerFees",
  "afterSlippage",
  "amountsToSign",
] as const;

function atoms(amounts: { sellAmount: string; buyAmount: string }): StageAmounts {
  return { sellAmount: BigInt(amounts.sellAmount), buyAmount: BigInt(amounts.buyAmount) };
}

/** As a person writes it: 0.00071, never 7.1e-4. */
function written(bps: number | null): string {
  return bps === null ? "0" : bps.toFixed(5);
}

Deno.test("quoteStages() agrees with the reference for every known response", () => {
  assertEquals(cases.length, 22);
  for (const one of cases) {
    const { kind, sellAmount, buyAmount, feeAmount } = one.quote;
    const stages = quoteStages({
      quote: {
        kind: kind as "sell" | "buy",
        sellAmount: BigInt(sellAmount),
        buyAmount: BigInt(buyAmount),
        feeAmount: BigInt(feeAmount),
      },
      protocolFeeBps: Decimal.parse(written(one.protocolFeeBps)),
    }, { slippageBps: one.slippageBps, partnerFeeBps: written(one.partnerFeeBps) });
    for (const name of STAGES) {
      assertEquals(stages[name], atoms(one.stages[name]), `${one.what}: ${name}`);
    }
    assertEquals(stages.costs.protocolFeeAtoms, BigInt(one.protocolFee), one.what);
    assertEquals(stages.costs.partnerFeeAtoms, BigInt(one.partnerFee), one.what);
  }
});

Deno.test("quoteStages() distinguishes an unchanged quote from one with the client's deductions", () => {
  const response = {
    quote: { kind: "sell", sellAmount: 960_000n, feeAmount: 40_000n, buyAmount: 9_600_000n },
  } as const;
  const unchanged = quoteStages(response);
  assertEquals(unchanged.signedStage, "quote");
  assertEquals(unchanged.amountsToSign, { sellAmount: 1_000_000n, buyAmount: 9_600_000n });
  assertEquals(quoteStages(response, { partnerFeeBps: 10 }).signedStage, "afterPartnerFees");
  assertEquals(quoteStages(response, { slippageBps: "0.5" }).signedStage, "afterSlippage");
});

Deno.test("quoteStages() rejects invalid inputs", () => {
  const quote = { kind: "sell", sellAmount: 96n, feeAmount: 4n, buyAmount: 960n } as const;
  for (const slippageBps of [-1, 10_000, "10000", "many", 0.5, NaN]) {
    assertThrows(() => quoteStages({ quote }, { slippageBps }), InputError);
  }
  assertThrows(() => quoteStages({ quote }, { partnerFeeBps: 10_000 }), InputError);
  assertThrows(() => quoteStages({ quote: { ...quote, sellAmount: 0n } }), InputError);
  assertThrows(() => quoteStages({ quote: { ...quote, buyAmount: 0n } }), InputError);
  // Of 1,000 before all fees, 999 are the partner's and 40 the network's.
  assertThrows(
    () => quoteStages({ quote }, { partnerFeeBps: 9_990 }),
    InputError,
    "after fees, -39",
  );
});
