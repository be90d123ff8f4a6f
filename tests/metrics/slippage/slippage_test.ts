import * as metrics from "orderlens/metrics";
import fc from "fast-check";
import type { FeePolicy } from "orderlens/schemas";
import { compareRatios, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { quoteOverLimitBps } from "../../../lib/metrics/slippage/slippage.ts";
import {
  anyAmount,
  anyFill,
  anyLimit,
  anyQuote,
  assertReason,
  buys,
  computed,
  fill,
  quoted,
  reasonOf,
  sells,
} from "../fixtures.ts";
import { recordedRun } from "../recorded_run.ts";
import { InputError } from "orderlens";

const SELL = sells(1_000n, 1_900n);
const SELL_QUOTE = quoted(1_000n, 2_000n, 10n);
const BUY = buys(2_200n, 1_000n);
const BUY_QUOTE = quoted(2_000n, 1_000n, 20n);
const VOLUME = { executedProtocolFees: [{ policy: { volume: { factor: 0.0002 } } }] };

function bps(result: ReturnType<typeof metrics.slippage>): number {
  return ratioToNumber(computed(result).bps);
}

Deno.test("slippage() of a buy order against each baseline", () => {
  const fill = { sellAmount: 2_010n, buyAmount: 1_000n, ...VOLUME };
  // Gross 2,000; net 2,020; shown 2,020 * 1.0002; limit 2,200.
  assertEquals(bps(metrics.slippage(fill, BUY, BUY_QUOTE, "gross")), -50);
  assertEquals(computed(metrics.slippage(fill, BUY, BUY_QUOTE, "net")).atoms, 10n);
  const shown = computed(metrics.slippage(fill, BUY, BUY_QUOTE, "userShown"));
  assertEquals(compareRatios(shown.baselineAtoms, ratio(2_020n * 10_002n, 10_000n)), 0);
  assertEquals(shown.atoms, 10n);
  assertEquals(computed(metrics.slippage(fill, BUY, BUY_QUOTE, "limit")).atoms, 190n);
});

Deno.test("a quote over the limit of its order is in whole atoms, rounded against the trader", async () => {
  const [recorded] = (await recordedRun("hooks__partial_fills")).orders.values();
  const over = (limit: metrics.OrderLimit, stored: { sellAmount: bigint; buyAmount: bigint }) => {
    const { quote } = recorded!;
    assert(quote != null);
    return quoteOverLimitBps({ ...recorded!, ...limit, quote: { ...quote, ...stored } }, "gross");
  };
  // 1,000 of 1,003 are worth 1,995.01: 1,995 are bought, and 1,996 sold.
  const sold = over(SELL, { sellAmount: 1_003n, buyAmount: 2_001n });
  const bought = over(BUY, { sellAmount: 2_001n, buyAmount: 1_003n });
  assertEquals([sold, bought], [10_000 * 95 / 1_900, 10_000 * 204 / 2_200]);
});

Deno.test("slippage() scales the baseline to the fill without rounding it", () => {
  const fill = { sellAmount: 1n, buyAmount: 4n };
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 9n } as const;
  const quote = { sellAmount: 3n, buyAmount: 10n, fee: 0n };
  const result = computed(metrics.slippage(fill, order, quote, "gross"));
  assertEquals(result.baselineAtoms, ratio(10n, 3n));
  assertEquals(bps(result), 2_000);
  // Two thirds of an atom more than quoted: none for sure.
  assertEquals(result.atoms, 0n);
});

Deno.test("slippage() reads volume factors as exact decimals, of the options or else of volume fees alone", () => {
  const baseline = (fees: FeePolicy[], volumeFactors?: number[]) => {
    const executedProtocolFees = fees.map((policy) => ({ policy }));
    const filled = { ...fill(1_000n, 1_990n), executedProtocolFees };
    return computed(metrics.slippage(filled, SELL, SELL_QUOTE, "userShown", { volumeFactors }))
      .baselineAtoms;
  };
  const factors = [0.0002, 0.0025];
  const shown = ratio(1_980_000n * 9_998n * 9_975n, 1_000n * 10_000n * 10_000n);
  assertEquals(baseline([], factors), shown);
  const others = { factor: 0.5, maxVolumeFactor: 0.01 };
  for (
    const atoms of [
      baseline([{ volume: { factor: 0.0002 } }], []),
      baseline([{ surplus: others }, { priceImprovement: others }]),
    ]
  ) assertEquals(compareRatios(atoms, ratio(1_980n, 1n)), 0);
});

Deno.test("slippage() returns a reason instead of a number", () => {
  const cases: [string, metrics.Baseline, metrics.StoredQuote | null, number[]?, metrics.Fill?][] =
    [
      ["no_quote", "gross", null],
      ["no_quote", "net", null],
      ["no_quote", "userShown", null],
      ["no_volume_factors", "userShown", SELL_QUOTE],
      ["factor_out_of_range", "userShown", SELL_QUOTE, [1]],
      ["factor_out_of_range", "userShown", SELL_QUOTE, [NaN]],
      ["factor_out_of_range", "userShown", SELL_QUOTE, [1e-90]],
      ["quote_without_price", "gross", { ...SELL_QUOTE, sellAmount: 0n }],
      ["zero_baseline", "gross", { ...SELL_QUOTE, buyAmount: 0n }],
      ["zero_baseline", "net", { ...SELL_QUOTE, fee: 1_000n }],
      ["zero_baseline", "net", { ...SELL_QUOTE, fee: 2_000n }],
      ["nothing_executed", "gross", SELL_QUOTE, [], fill(0n, 0n)],
    ];
  for (const [reason, baseline, quote, volumeFactors, of = fill(1_000n, 1_990n)] of cases) {
    const result = metrics.slippage(of, SELL, quote, baseline, { volumeFactors });
    assertReason(result, reason);
    assertEquals(Object.keys(result).toSorted(), ["detail", "reason"]);
  }
  const free = metrics.slippage(fill(1_000n, 1n), sells(0n, 1_900n), null, "limit");
  assertReason(free, "limit_without_price");
  const unnamed = { ...fill(1_000n, 1_990n), executedProtocolFees: [{ policy: null }] };
  assertReason(metrics.slippage(unnamed, SELL, SELL_QUOTE, "userShown"), "no_volume_factors");
});

Deno.test("slippage() is positive exactly if the fill is better, in bps and in atoms", () => {
  const baselines = fc.constantFrom<metrics.Baseline[]>("gross", "net", "userShown", "limit");
  fc.assert(
    fc.property(anyFill(), anyLimit(), anyQuote(), baselines, (fill, order, quote, name) => {
      const result = metrics.slippage(fill, order, quote, name, { volumeFactors: [0.0002] });
      if ("reason" in result) return;
      const { baselineAtoms: { numerator, denominator }, bps, atoms } = result;
      const got = order.kind === "sell" ? fill.buyAmount : fill.sellAmount;
      const better = order.kind === "sell"
        ? got * denominator - numerator
        : numerator - got * denominator;
      assertEquals(bps.numerator > 0n, better > 0n);
      assertEquals(bps.numerator < 0n, better < 0n);
      assertEquals(
        bps.numerator * denominator,
        10_000n * better * bps.denominator / numerator * denominator,
      );
      assert(atoms * denominator <= better && better < (atoms + 1n) * denominator);
    }),
  );
});

const ORDER = sells(1_000n, 1_980n);
const QUOTE = quoted(1_000n, 2_000n);

Deno.test("tolerance() reads the tolerance in the app data, as a number or as text", () => {
  const asked = (slippageBips: number | string) =>
    metrics.tolerance(ORDER, null, { appData: { metadata: { quote: { slippageBips } } } }).askedBps;
  const expected = [ratio(50n, 1n), ratio(50n, 1n), ratio(5n, 10n), null, null];
  assertEquals([50, "50", "0.5", "half a percent", -1].map(asked), expected);
  for (const options of [{ appData: {} }, { appData: null }, {}]) {
    assertEquals(metrics.tolerance(ORDER, null, options).askedBps, null);
  }
});

Deno.test("tolerance() of a buy order counts the maximum above the quote", () => {
  const { gross } = metrics.tolerance(buys(2_020n, 1_000n), quoted(2_000n, 1_000n), {
    fill: fill(2_005n, 1_000n),
  });
  const { signedBps, usedBps, leftBps } = computed(gross);
  assertEquals([signedBps, usedBps!, leftBps!].map(ratioToNumber), [100, 25, 75]);
});

Deno.test("tolerance() of an unfilled order is signed: negative if the limit is better than the quote", () => {
  const { gross, userShown } = metrics.tolerance(ORDER, QUOTE);
  const { signedBps, usedBps, leftBps } = computed(gross);
  assertEquals([ratioToNumber(signedBps), usedBps, leftBps], [100, null, null]);
  assertEquals(reasonOf(userShown), "no_volume_factors");
  const better = metrics.tolerance({ ...ORDER, buyAmount: 2_020n }, QUOTE).gross;
  assertEquals(ratioToNumber(computed(better).signedBps), -100);
  const without = metrics.tolerance(ORDER, null);
  for (const part of [without.gross, without.net, without.userShown]) {
    assertReason(part, "no_quote");
  }
});

const SOLD = { ...sells(980n, 2_000n), sellToken: "0xa1", feeAmount: 20n };
const BOUGHT = { ...buys(1_990n, 500n), sellToken: "0xa1", feeAmount: 10n };

Deno.test("slippageAgainstQuoteResponse() adds the quoted fee to the quoted sell amount, positive = better", () => {
  const cases = [[fill(500n, 1_001n), SOLD, 1n], [fill(1_998n, 500n), BOUGHT, 2n]] as const;
  for (const [filled, answer, atoms] of cases) {
    const result = computed(metrics.slippageAgainstQuoteResponse(filled, answer, answer));
    assertEquals([ratioToNumber(result.bps), result.atoms], [10, atoms], answer.kind);
    assertEquals(result.baseline, "userShown");
  }
});

Deno.test("slippageAgainstQuoteResponse() returns a reason instead of a number, and rejects the other kind", () => {
  const reason = (answer: metrics.AnsweredQuote, of = fill(500n, 1_001n)) =>
    reasonOf(metrics.slippageAgainstQuoteResponse(of, answer, answer));
  assertEquals(reason(SOLD, fill(0n, 0n)), "nothing_executed");
  assertEquals(reason({ ...SOLD, sellAmount: 0n, feeAmount: 0n }), "quote_without_price");
  assertEquals(reason({ ...SOLD, buyAmount: 0n }), "zero_baseline");
  assertThrows(
    () => metrics.slippageAgainstQuoteResponse(fill(1n, 1n), BOUGHT, SOLD),
    InputError,
    "Cannot compare a buy order with a quote to sell",
  );
});

const TWO_PERCENT: FeePolicy = { volume: { factor: 0.02 } };
const QUOTED = {
  kind: "sell",
  sellAmount: 100n,
  buyAmount: 180n,
  sellToken: "0xa1",
  buyToken: "0xb2",
  quote: { sellAmount: 100n, buyAmount: 205n, fee: 2n },
  fullAppData: '{"metadata":{"partnerFee":{"volumeBps":200,"recipient":"0x' + "a1".repeat(20) +
    '"}}}',
} as const;
const CHARGED = {
  sellAmount: 100n,
  buyAmount: 190n,
  executedProtocolFees: [{ policy: TWO_PERCENT, amount: 4n }, { policy: TWO_PERCENT, amount: 3n }],
};
const PRICES = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };

type Parts = Exclude<ReturnType<typeof metrics.decomposeSlippage>, { reason: string }>;

function assertAddsUp(parts: Parts): void {
  const { totalAtoms, networkCostAtoms, protocolFeeAtoms, partnerFeeAtoms, marketAtoms } = parts;
  const fees = protocolFeeAtoms + partnerFeeAtoms;
  assertEquals(networkCostAtoms.low + fees + marketAtoms.high, totalAtoms);
  assertEquals(networkCostAtoms.high + fees + marketAtoms.low, totalAtoms);
}

Deno.test("decomposeSlippage() separates partner fees from protocol fees", () => {
  assertEquals(metrics.decomposeSlippage(CHARGED, QUOTED, { settlement: PRICES }), {
    totalAtoms: -15n,
    networkCostAtoms: { low: -3n, high: -3n },
    protocolFeeAtoms: -4n,
    partnerFeeAtoms: -3n,
    marketAtoms: { low: -5n, high: -5n },
    basis: "settlement",
  });
});

Deno.test("decomposeSlippage() without calldata returns an interval, which adds up at both ends", () => {
  const parts = computed(metrics.decomposeSlippage(CHARGED, QUOTED, { executedFee: 5n }));
  assertEquals(parts.networkCostAtoms, { low: -5n, high: -3n });
  assertEquals(parts.marketAtoms, { low: -5n, high: -3n });
  assertEquals(parts.basis, "executed_fee");
  assertAddsUp(parts);
});

Deno.test("decomposeSlippage() uses the order's fees only if the fill is the whole order", () => {
  const whole = {
    ...QUOTED,
    executedSellAmount: 100n,
    executedBuyAmount: 190n,
    executedFee: 5n,
  };
  assertEquals(computed(metrics.decomposeSlippage(CHARGED, whole)).basis, "executed_fee");
  const more = { ...whole, executedSellAmount: 200n, executedBuyAmount: 380n };
  const result = metrics.decomposeSlippage(CHARGED, more);
  assertEquals(reasonOf(result), "no_settlement_or_executed_fee");
});

Deno.test("decomposeSlippage() gives the reason if it is not computable", () => {
  const reason = (fill: object, order: object, options = {}) => {
    return reasonOf(metrics.decomposeSlippage({ ...CHARGED, ...fill }, { ...QUOTED, ...order }, {
      settlement: PRICES,
      ...options,
    }));
  };
  assertEquals(reason({}, { quote: null }), "no_quote");
  assertEquals(reason({}, { fullAppData: null }), "unknown_fee_origin");
  assertEquals(reason({}, {}, { appData: null }), "unknown_fee_origin");
  assertEquals(reason({ executedProtocolFees: undefined }, {}), "no_protocol_fees");
  assertEquals(reason({ buyAmount: 0n, sellAmount: 0n }, {}), "nothing_executed");
  assertEquals(reason({}, { sellToken: "0xc3" }), "token_not_in_settlement");
});

Deno.test("decomposeSlippage() adds up for any amounts", () => {
  let added = 0;
  const fees = fc.array(fc.record({ policy: fc.constant(TWO_PERCENT), amount: anyAmount() }), {
    maxLength: 3,
  });
  fc.assert(fc.property(
    anyFill(),
    anyLimit(),
    anyQuote(),
    fees,
    fc.tuple(anyAmount(1n), anyAmount(1n)),
    anyAmount(),
    fc.boolean(),
    (fill, limit, quote, executedProtocolFees, clearingPrices, executedFee, hasCalldata) => {
      const order = { ...limit, quote, sellToken: "0xa1", buyToken: "0xb2", fullAppData: "{}" };
      const result = metrics.decomposeSlippage({ ...fill, executedProtocolFees }, order, {
        ...(hasCalldata ? { settlement: { ...PRICES, clearingPrices } } : {}),
        executedFee,
      });
      if ("reason" in result) return;
      assertAddsUp(result);
      added++;
    },
  ));
  assert(added > 20);
});
