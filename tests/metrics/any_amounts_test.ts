import fc from "fast-check";
import { Decimal, InputError } from "orderlens";
import * as metrics from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { anyAmount, anyFactor, anyFill } from "./fixtures.ts";

const amount = anyAmount();
const anyOrder = fc.record({
  uid: fc.constant("0x01"),
  kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
  sellAmount: amount,
  buyAmount: amount,
  sellToken: fc.constant("0xa1"),
  buyToken: fc.constant("0xb2"),
  fullAppData: fc.constantFrom(
    null,
    undefined,
    "",
    "{}",
    "partnerFee",
    '{"metadata":{"partnerFee":[]}}',
    `{"metadata":{"partnerFee":{"bps":30,"recipient":"0x${"a1".repeat(20)}"}}}`,
  ),
});
const decimals = fc.oneof(
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Decimal.fromNumber),
  fc.constantFrom("0", "1", "1e-999", "1e999").map(Decimal.parse),
);
const anyQuote: fc.Arbitrary<metrics.StoredQuote> = fc.oneof(
  fc.record({ sellAmount: amount, buyAmount: amount, fee: amount }),
  fc.record({
    sellAmount: amount,
    buyAmount: amount,
    gasAmount: decimals,
    gasPrice: decimals,
    sellTokenPrice: decimals,
  }),
);
const unknownKind: Readonly<Record<string, object>> = { dutchAuction: {} };
const anyPolicy: fc.Arbitrary<FeePolicy | null> = fc.oneof(
  fc.constantFrom(null, {}, unknownKind),
  fc.record({ volume: fc.record({ factor: anyFactor() }) }),
  fc.record({ surplus: fc.record({ factor: anyFactor(), maxVolumeFactor: anyFactor() }) }),
  fc.record({
    priceImprovement: fc.record({
      factor: anyFactor(),
      maxVolumeFactor: anyFactor(),
      quote: fc.record({ sellAmount: amount, buyAmount: amount, fee: amount }),
    }, { requiredKeys: ["factor", "maxVolumeFactor"] }),
  }),
);
const anyFee = fc.record({
  policy: anyPolicy,
  amount,
  token: fc.constantFrom("0xa1", "0xb2", "0xc3"),
});
const baselines = fc.constantFrom<metrics.Baseline[]>("gross", "net", "userShown", "limit");

const prices = fc.record({
  tokens: fc.array(fc.constantFrom("0xa1", "0xb2"), { minLength: 3, maxLength: 3 }),
  clearingPrices: fc.array(amount, { minLength: 3, maxLength: 3 }),
});
const anyTerms = fc.record({
  baseline: baselines,
  executedFee: fc.option(amount, { nil: undefined }),
  hasReported: fc.boolean(),
  market: fc.record({ sell: decimals, buy: decimals }),
  other: amount,
  settlement: fc.option(prices, { nil: undefined }),
  volumeFactors: fc.option(fc.array(anyFactor(), { maxLength: 3 }), { nil: undefined }),
});

/** Answers that offer nothing are rejected. */
function allowed(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert(error instanceof InputError);
  }
}

Deno.test("metrics of a fill throw nothing for any amounts, factors, policies and prices", () => {
  fc.assert(
    fc.property(
      anyFill(),
      anyOrder,
      fc.option(anyQuote),
      fc.array(anyFee, { maxLength: 4 }),
      anyTerms,
      (fill, order, quote, fees, terms) => {
        const { baseline, executedFee, hasReported, market, other, settlement, volumeFactors } =
          terms;
        metrics.surplusAtoms(fill, order);
        metrics.settledSurplus(fill, order);
        metrics.exchangedSellAmount(metrics.sumFills([fill, fill]));
        metrics.surplusAtomsOfFills([fill, fill], order);
        metrics.surplusNativeAtoms(fill, order, { nativePrice: other });
        metrics.surplusBpsOfLimit(fill, order);
        metrics.surplusBpsOfExecuted(fill, order);
        metrics.surplusBpsBeforeFees(fill, order, { feeAtoms: other });
        if (quote !== null) {
          metrics.surplusBpsOfQuote(fill, order, quote);
          metrics.priceImprovementAtoms(fill, order, quote);
          metrics.storedQuoteFee(quote);
        }
        metrics.slippage(fill, order, quote, baseline, { volumeFactors });
        metrics.slippageAgainstQuoteResponse(fill, order, { ...order, feeAmount: other });
        const { sell: gasAmount, buy: gasPrice } = market;
        const quoted = { gasAmount, gasPrice, sellTokenPrice: market.sell };
        const feeAmount = metrics.quotedFeeAmount(quoted);
        assert(feeAmount === null || feeAmount >= 0n || market.buy.toNumber() < 0);
        metrics.tolerance(order, quote, { fill, volumeFactors });
        metrics.marketPosition(order, quote);
        metrics.marketOverLimitBps(order, market);
        const prices: Readonly<Record<string, bigint | Decimal>> = {
          "0xa1": market.sell,
          "0xb2": other,
        };
        metrics.comparePriceSides({ ...order, ...fill }, (token) => prices[token]);
        const rate = metrics.dollarRate(
          [{ address: "0xa1", decimals: 6 }, { address: "0xb2", decimals: 18 }],
          (token) => prices[token],
        );
        if (!metrics.isNotComputable(rate)) metrics.dollarValue(fill.sellAmount, other, rate);
        const policies = fees.map((fee) => fee.policy);
        metrics.recomputeFees(fill, order, {
          policies,
          quote,
          ...(hasReported ? { reportedAtoms: fees.map((fee) => fee.amount) } : {}),
        });
        metrics.policyOrigins(policies, {});
        const known = policies.filter((policy) => policy !== null);
        const bound = metrics.scoreOrder(fill, order, { nativePrice: other });
        const exact = metrics.scoreOrder(fill, order, { nativePrice: other, policies: known });
        if (metrics.isNotComputable(bound)) assertEquals(exact, bound);
        else assert("reason" in exact || 0n <= bound.score && bound.score <= exact.score);
        allowed(() =>
          metrics.quoteStages({ quote: { ...order, feeAmount: other } }, { slippageBps: 50 })
        );
        const { fullAppData, ...bare } = order;
        const charged = { ...fill, executedProtocolFees: fees };
        metrics.auditFees(
          {
            ...charged,
            sellAmountBeforeFees: fill.sellAmount,
            orderUid: order.uid,
            blockNumber: 1,
            logIndex: 0,
          },
          fullAppData === undefined ? bare : { ...bare, fullAppData },
        );
        metrics.networkFee(charged, order, { settlement, executedFee });
        metrics.decomposeSlippage(charged, { ...order, quote }, { settlement, executedFee });
        if (executedFee !== undefined) {
          metrics.totalFeeInterval(fill, { executedFee });
          metrics.impliedPrice(fill, { kind: order.kind, executedFee });
        }
        if (settlement === undefined) return;
        metrics.uniformPrice(settlement, order.sellToken);
        metrics.settledFill({
          ...order,
          partiallyFillable: true,
          feeAmount: fill.sellAmount,
          executedAmount: fill.buyAmount,
          sellTokenIndex: 0,
          buyTokenIndex: 3,
        }, settlement);
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("partnerNetFee() is less by the share of the service, and no sum of many exceeds its own", () => {
  const anyTime = fc.integer({ min: Date.UTC(2024), max: Date.UTC(2027) })
    .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
  fc.assert(fc.property(amount, amount, anyTime, (fee, other, time) => {
    const share = metrics.partnerServiceShare(time);
    const net = metrics.partnerNetFee(fee, time);
    const rest = metrics.partnerNetFee(other, time);
    const sum = metrics.partnerNetFee(fee + other, time);
    if (share === null) return assertEquals([net, rest, sum], [null, null, null]);
    assert(net !== null && rest !== null && sum !== null);
    const { numerator, denominator } = share;
    assert(0n < numerator && numerator < denominator);
    const rounded = (fee - net) * denominator - fee * numerator;
    assert(0n <= net && 0n <= rounded && rounded < denominator);
    assert(net + rest <= sum && sum <= net + rest + 1n);
  }));
});
