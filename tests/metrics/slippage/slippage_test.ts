import fc from "fast-check";
import {
  type Baseline,
  isNotComputable,
  orderFill,
  type OrderLimit,
  type Slippage,
  slippage,
  surplusAtoms,
} from "orderlens/metrics";
import { compareRatios, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { quoteOverLimitBps } from "../../../lib/metrics/slippage/slippage.ts";
import { anyAmount, anyFill, anyLimit } from "../amounts.ts";
import { orderOf, recordedRun } from "../recorded_run.ts";

const SELL = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_900n } as const;
const SELL_QUOTE = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 10n };
const BUY = { kind: "buy", sellAmount: 2_200n, buyAmount: 1_000n } as const;
const BUY_QUOTE = { sellAmount: 2_000n, buyAmount: 1_000n, fee: 20n };
const VOLUME = { executedProtocolFees: [{ policy: { volume: { factor: 0.0002 } } }] };

function known(result: ReturnType<typeof slippage>): Slippage {
  assert(!("reason" in result), "reason" in result ? result.detail : "");
  return result;
}

function bps(result: ReturnType<typeof slippage>): number {
  return ratioToNumber(known(result).bps);
}

Deno.test("slippage() of a sell order against each baseline", () => {
  const fill = { sellAmount: 1_000n, buyAmount: 1_990n, ...VOLUME };
  // Gross 2,000; net 2,000 - 20 = 1,980; shown 1,980 * 0.9998; limit 1,900.
  assertEquals(bps(slippage(fill, SELL, SELL_QUOTE, "gross")), -50);
  assertEquals(
    known(slippage(fill, SELL, SELL_QUOTE, "net")).bps,
    ratio(10_000n * 10_000n, 1_980_000n),
  );
  const shown = known(slippage(fill, SELL, SELL_QUOTE, "userShown"));
  assertEquals(compareRatios(shown.baselineAtoms, ratio(1_980n * 9_998n, 10_000n)), 0);
  assertEquals(shown.atoms, 10n);
  assertEquals(known(slippage(fill, SELL, SELL_QUOTE, "limit")).atoms, 90n);
});

Deno.test("slippage() of a buy order against each baseline", () => {
  const fill = { sellAmount: 2_010n, buyAmount: 1_000n, ...VOLUME };
  // Gross 2,000; net 2,020; shown 2,020 * 1.0002; limit 2,200.
  assertEquals(bps(slippage(fill, BUY, BUY_QUOTE, "gross")), -50);
  assertEquals(known(slippage(fill, BUY, BUY_QUOTE, "net")).atoms, 10n);
  const shown = known(slippage(fill, BUY, BUY_QUOTE, "userShown"));
  assertEquals(compareRatios(shown.baselineAtoms, ratio(2_020n * 10_002n, 10_000n)), 0);
  assertEquals(shown.atoms, 10n);
  assertEquals(known(slippage(fill, BUY, BUY_QUOTE, "limit")).atoms, 190n);
});

Deno.test("a quote over the limit of its order is in whole atoms, rounded against the trader", async () => {
  const [recorded] = (await recordedRun("market_1")).orders.values();
  const over = (limit: OrderLimit, stored: { sellAmount: bigint; buyAmount: bigint }) => {
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
  const result = known(slippage(fill, order, quote, "gross"));
  assertEquals(result.baselineAtoms, ratio(10n, 3n));
  assertEquals(bps(result), 2_000);
  // Two thirds of an atom more than quoted: none for sure.
  assertEquals(result.atoms, 0n);
});

Deno.test("slippage() reads volume factors as exact decimals", () => {
  const fill = { sellAmount: 1_000n, buyAmount: 1_990n };
  const result = known(
    slippage(fill, SELL, SELL_QUOTE, "userShown", { volumeFactors: [0.0002, 0.0025] }),
  );
  assertEquals(
    result.baselineAtoms,
    ratio(1_980_000n * 9_998n * 9_975n, 1_000n * 10_000n * 10_000n),
  );
});

Deno.test("slippage() prefers the volume factors of the options to those of the fill", () => {
  const fill = { sellAmount: 1_000n, buyAmount: 1_990n, ...VOLUME };
  const given = known(slippage(fill, SELL, SELL_QUOTE, "userShown", { volumeFactors: [] }));
  assertEquals(compareRatios(given.baselineAtoms, ratio(1_980n, 1n)), 0);
});

Deno.test("slippage() ignores other than volume fees for the shown amounts", () => {
  const fill = {
    sellAmount: 1_000n,
    buyAmount: 1_990n,
    executedProtocolFees: [
      { policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } } },
      { policy: { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.01 } } },
    ],
  };
  const result = known(slippage(fill, SELL, SELL_QUOTE, "userShown"));
  assertEquals(compareRatios(result.baselineAtoms, ratio(1_980n, 1n)), 0);
});

Deno.test("slippage() returns a reason instead of a number", () => {
  const fill = { sellAmount: 1_000n, buyAmount: 1_990n };
  const reason = (baseline: Baseline, quote: typeof SELL_QUOTE | null, of = fill, options = {}) => {
    const result = slippage(of, SELL, quote, baseline, options);
    assert("reason" in result);
    assertEquals(Object.keys(result).toSorted(), ["detail", "reason"]);
    return result.reason;
  };
  assertEquals(reason("gross", null), "no_quote");
  assertEquals(reason("net", null), "no_quote");
  assertEquals(reason("userShown", null), "no_quote");
  assertEquals(reason("userShown", SELL_QUOTE), "no_volume_factors");
  assertEquals(
    reason("userShown", SELL_QUOTE, fill, { volumeFactors: [1] }),
    "factor_out_of_range",
  );
  assertEquals(
    reason("userShown", SELL_QUOTE, fill, { volumeFactors: [NaN] }),
    "factor_out_of_range",
  );
  assertEquals(
    reason("userShown", SELL_QUOTE, fill, { volumeFactors: [1e-90] }),
    "factor_out_of_range",
  );
  assertEquals(reason("gross", { ...SELL_QUOTE, sellAmount: 0n }), "quote_without_price");
  assertEquals(reason("gross", { ...SELL_QUOTE, buyAmount: 0n }), "zero_baseline");
  const free = slippage({ ...SELL, buyAmount: 1n }, { ...SELL, sellAmount: 0n }, null, "limit");
  assert(isNotComputable(free));
  assertEquals(free.reason, "limit_without_price");
  assertEquals(reason("net", { ...SELL_QUOTE, fee: 1_000n }), "zero_baseline");
  assertEquals(reason("net", { ...SELL_QUOTE, fee: 2_000n }), "zero_baseline");
  assertEquals(
    reason("gross", SELL_QUOTE, { sellAmount: 0n, buyAmount: 0n }),
    "nothing_executed",
  );
});

Deno.test("slippage() does not assume that a fee without its policy is no volume fee", () => {
  const fill = { sellAmount: 1_000n, buyAmount: 1_990n, executedProtocolFees: [{ policy: null }] };
  const result = slippage(fill, SELL, SELL_QUOTE, "userShown");
  assertEquals("reason" in result && result.reason, "no_volume_factors");
});

Deno.test("slippage() against the limit needs no quote and has the atoms of the surplus", () => {
  fc.assert(fc.property(anyFill(), anyLimit(), (fill, order) => {
    const result = slippage(fill, order, undefined, "limit");
    if ("reason" in result) return;
    assertEquals(result.atoms, surplusAtoms(fill, order));
  }));
});

Deno.test("slippage() is positive exactly if the fill is better, in bps and in atoms", () => {
  const quotes = fc.record({
    sellAmount: anyAmount(1n),
    buyAmount: anyAmount(1n),
    fee: anyAmount(),
  });
  const baselines = fc.constantFrom<Baseline[]>("gross", "net", "userShown", "limit");
  fc.assert(fc.property(anyFill(), anyLimit(), quotes, baselines, (fill, order, quote, name) => {
    const result = slippage(fill, order, quote, name, { volumeFactors: [0.0002] });
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
  }));
});

Deno.test("slippage() orders the baselines: shown is net, and net is below gross", async () => {
  const market = await recordedRun("market_1");
  for (const trade of market.trades) {
    const order = orderOf(market, trade);
    const [gross, net, shown] = (["gross", "net", "userShown"] as const).map((baseline) =>
      known(slippage(trade, order, order.quote, baseline)).bps
    );
    assert(gross !== undefined && net !== undefined && shown !== undefined);
    assertEquals(compareRatios(gross, net), -1);
    assertEquals(compareRatios(net, shown), -1);
  }
});

Deno.test("slippage() is the same from the order's quote and from a policy's", async () => {
  const market = await recordedRun("market_1");
  let compared = 0;
  for (const trade of market.trades) {
    const order = orderOf(market, trade);
    const policy = trade.executedProtocolFees?.[0]?.policy?.priceImprovement?.quote;
    if (policy === undefined) continue;
    for (const baseline of ["gross", "net", "userShown"] as const) {
      assertEquals(
        slippage(trade, order, policy, baseline),
        slippage(trade, order, order.quote, baseline),
      );
    }
    compared++;
  }
  assertEquals(compared, 573);
});

Deno.test("slippage() of a partially filled order is that of its totals", async () => {
  const run = await recordedRun("hooks__partial_fills");
  const [order] = run.orders.values();
  assert(order !== undefined);
  const whole: OrderLimit = order;
  const result = known(slippage(orderFill(order), whole, order.quote, "limit"));
  assertEquals(result.atoms, surplusAtoms(orderFill(order), order));
});
