import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Fill,
  isNotComputable,
  type OrderLimit,
  type OrderPair,
  scaledLimit,
  settledFill,
  settledSurplus,
  surplusAtoms,
  surplusAtomsOfFills,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
  surplusNativeAtoms,
  surplusOverLimit,
  totals,
} from "orderlens/metrics";
import { ratio, ratioToNumber } from "orderlens/units";
import {
  anyAmount,
  anyFill,
  anyLimit,
  assertReason,
  buys,
  computed,
  fill,
  quoted,
  sells,
} from "../fixtures.ts";

// A settlement on Gnosis Chain whose prices are so large that 256-bit products overflowed; expected
// value from the tests of crates/autopilot/src/domain/settlement/trade/math.rs in services.
Deno.test("surplusAtoms() of the service's own vector at hugely scaled prices", () => {
  const order = {
    kind: "buy",
    partiallyFillable: false,
    sellAmount: 80502414430363770111n,
    buyAmount: 80500000000000000000n,
    feeAmount: 0n,
    executedAmount: 80500000000000000000n,
    sellTokenIndex: 0,
    buyTokenIndex: 1,
  } as const;
  const fill = computed(settledFill(order, {
    tokens: ["0xa1", "0xb2"],
    clearingPrices: [
      1457533905173705573868216339202397616043789250000000000000000n,
      1457533885739920430673304276561480416152609058094152638608893n,
    ],
  }));
  assertEquals(surplusAtoms(fill, order), 2415503697089133n);
});

Deno.test("surplusBpsBeforeFees() subtracts fees from the amount a purchase sold", () => {
  const bps = surplusBpsBeforeFees(fill(2_100n, 1n), buys(2_200n, 1n), { feeAtoms: 100n });
  assertEquals(bps, ratio(1_000_000n, 2_000n));
});

Deno.test("surplusBpsOfExecuted() divides by the amount sold without the signed fee", () => {
  const signed = { ...fill(2_010n, 10n), sellAmountBeforeFees: 2_000n };
  assertEquals(surplusBpsOfExecuted(signed, buys(2_100n, 10n)), ratio(1_000_000n, 2_000n));
});

Deno.test("surplusBpsOfLimit() times the limit is the surplus", () => {
  fc.assert(fc.property(anyFill(), anyLimit(), (fill, order) => {
    const bps = surplusBpsOfLimit(fill, order);
    const limit = scaledLimit(fill, order);
    if (isNotComputable(bps)) return assertEquals(limit, 0n);
    assert(bps.denominator === limit);
    assertEquals(bps.numerator, 10_000n * computed(surplusAtoms(fill, order)));
  }));
});

Deno.test("surplusBpsOfQuote() scales a gross quote to the fill without rounding it", () => {
  // Surplus 4 - 3 of a scaled quote of 10 / 3.
  const sale = surplusBpsOfQuote(fill(1n, 4n), sells(3n, 9n), quoted(3n, 10n, 1n));
  assertEquals(sale, ratio(10_000n * 3n, 10n));
  // 50 of the 2,000 quoted.
  const purchase = surplusBpsOfQuote(fill(2_050n, 10n), buys(2_100n, 10n), quoted(2_000n, 10n, 1n));
  assertEquals(ratioToNumber(computed(purchase)), 250);
});

Deno.test("surplusBps…() give a reason where they would divide by nothing", () => {
  const charged = (bought: Fill, order: OrderLimit, feeAtoms: bigint) =>
    surplusBpsBeforeFees(bought, order, { feeAtoms });
  const five = buys(10n, 1n);
  const sale = sells(10n, 5n);
  for (
    const [answer, reason] of [
      [charged(fill(5n, 1n), five, 5n), "fees_above_volume"],
      [charged(fill(5n, 1n), five, 6n), "fees_above_volume"],
      [charged(fill(5n, 0n), sells(5n, 0n), 0n), "nothing_executed"],
      [surplusBpsOfExecuted(fill(0n, 0n), sells(10n, 2_000n)), "nothing_executed"],
      [surplusBpsOfExecuted(fill(0n, 0n), sells(0n, 2_000n)), "limit_without_price"],
      [surplusBpsOfLimit(fill(10n, 5n), sells(10n, 0n)), "zero_baseline"],
      [surplusBpsOfLimit(fill(10n, 5n), sells(0n, 0n)), "limit_without_price"],
      [surplusBpsOfQuote(fill(10n, 6n), sale, quoted(10n, 0n)), "zero_baseline"],
      [surplusBpsOfQuote(fill(0n, 0n), sale, quoted(10n, 7n)), "nothing_executed"],
      [surplusBpsOfQuote(fill(10n, 6n), sale, quoted(0n, 7n)), "quote_without_price"],
    ] as const
  ) assertReason(answer, reason);
});

Deno.test("surplusNativeAtoms() values the surplus in its own token, and rounds down", () => {
  const sale = (bought: bigint, nativePrice: bigint) =>
    surplusNativeAtoms(fill(10n, bought), sells(10n, 100n), { nativePrice });
  const [half, one] = [5n * 10n ** 17n, 10n ** 18n];
  // 1.5, and -0.5; 3 of the sold token at 2.
  assertEquals([sale(103n, half), sale(99n, half)], [1n, -1n]);
  assertEquals([sale(100n, one), sale(200n, 0n)], [0n, 0n]);
  const purchase = { nativePrice: 2n * one };
  assertEquals(surplusNativeAtoms(fill(97n, 10n), buys(100n, 10n), purchase), 6n);
  assertThrows(() => sale(103n, -1n), RangeError);
});

const SELL = sells(3n, 10n);

const BUY = buys(10n, 3n);

Deno.test("surplusOverLimit() is 0 at the limit, rounded in favor of the trader, and negative below it", () => {
  assertEquals(surplusOverLimit(fill(1n, 4n), SELL), 0n);
  assertEquals(surplusOverLimit(fill(3n, 1n), BUY), 0n);
  assertEquals(surplusOverLimit(fill(1_000n, 1_900n), sells(1_000n, 2_000n)), -100n);
  assertEquals(surplusOverLimit(fill(1_100n, 2_000n), buys(1_000n, 2_000n)), -100n);
  // A limit amount of 0 is one.
  assertEquals(surplusOverLimit(fill(7n, 5n), sells(3n, 0n)), 5n);
  assertEquals(surplusOverLimit(fill(7n, 5n), buys(0n, 3n)), -7n);
  // A signed fee is not sold.
  const signed = { ...fill(110n, 50n), sellAmountBeforeFees: 100n };
  assertEquals(surplusOverLimit(signed, buys(105n, 50n)), 5n);
});

Deno.test("scaledLimit() and surplus…() give a reason for a limit without a price", () => {
  for (const limit of [{ ...SELL, sellAmount: 0n }, { ...BUY, buyAmount: 0n }]) {
    for (const nothing of [fill(1n, 1n), fill(0n, 0n)]) {
      const answers = [
        scaledLimit(nothing, limit),
        surplusOverLimit(nothing, limit),
        surplusAtoms(nothing, limit),
        surplusAtomsOfFills([nothing], limit),
        settledSurplus(nothing, limit, "listed"),
        surplusNativeAtoms(nothing, limit, { nativePrice: 1n }),
      ];
      for (const answer of answers) assertReason(answer, "limit_without_price");
    }
  }
  assertEquals(surplusAtomsOfFills([], { ...SELL, sellAmount: 0n }), 0n);
  assertEquals(settledSurplus(fill(1n, 1n), { ...SELL, sellAmount: 0n }, "liquidity"), 0n);
});

Deno.test("scaledLimit() and surplusOverLimit() throw for a negative amount", () => {
  assertThrows(() => scaledLimit(fill(-1n, 1n), SELL), RangeError);
  assertThrows(() => surplusOverLimit(fill(1n, -1n), BUY), RangeError);
});

Deno.test("scaledLimit() never rounds in the wrong direction, for any amounts", () => {
  fc.assert(fc.property(anyFill(), anyLimit(), (fill, limit) => {
    const scaled = computed(scaledLimit(fill, limit));
    const [executed, open, fixed] = limit.kind === "sell"
      ? [fill.sellAmount, limit.buyAmount, limit.sellAmount]
      : [fill.buyAmount, limit.sellAmount, limit.buyAmount];
    // At least what is owed and less than an atom more, or at most what it may cost, and less than
    // an atom under it.
    const over = limit.kind === "sell"
      ? scaled * fixed - executed * open
      : executed * open - scaled * fixed;
    assert(over >= 0n && over < fixed);
  }));
});

Deno.test("surplusOverLimit() of the whole is at least that of its parts, by less than an atom per part", () => {
  const parts = fc.array(anyFill(), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(parts, anyLimit(), (fills, limit) => {
    const whole = fills.reduce((sum, fill) => ({
      sellAmount: sum.sellAmount + fill.sellAmount,
      buyAmount: sum.buyAmount + fill.buyAmount,
    }));
    const surplus = (fill: Fill) => computed(surplusOverLimit(fill, limit));
    const ofParts = fills.reduce((sum, fill) => sum + surplus(fill), 0n);
    const lost = surplus(whole) - ofParts;
    assert(lost >= 0n && lost < BigInt(fills.length));
  }));
});

const WAD = 10n ** 18n;

const sell: OrderPair = {
  kind: "sell",
  sellAmount: 10n,
  buyAmount: 20n,
  sellToken: "0xa1",
  buyToken: "0xb2",
};

const buy: OrderPair = { ...sell, kind: "buy" };

Deno.test("totals() sums each quantity in its own token", () => {
  const sums = totals([
    {
      order: sell,
      fill: { sellAmount: 10n, buyAmount: 25n },
      protocolFees: [{ amount: 3n, token: "0xB2" }, { amount: 1n, token: "0xb2" }],
      executedFee: 2n,
    },
    { order: buy, fill: { sellAmount: 8n, buyAmount: 20n }, protocolFees: [], executedFee: 0n },
  ]);
  const byToken = (total: typeof sums.sold) =>
    total.tokens.map(({ token, atoms }) => [token.toLowerCase(), atoms]);
  assertEquals(sums.fills, 2);
  assertEquals(byToken(sums.sold), [["0xa1", 18n]]);
  assertEquals(byToken(sums.bought), [["0xb2", 45n]]);
  assertEquals(byToken(sums.surplus), [["0xb2", 5n], ["0xa1", 2n]]);
  assertEquals(byToken(sums.protocolFees), [["0xb2", 4n]]);
  assertEquals(byToken(sums.allFees), [["0xa1", 2n]]);
});

Deno.test("totals() values each amount at the price of its own auction, and rounds each down", () => {
  const fill = { sellAmount: 3n, buyAmount: 7n };
  const sums = totals([
    { order: sell, fill, prices: { "0xA1": WAD / 2n } },
    { order: sell, fill, prices: { "0xa1": 2n * WAD } },
    { order: sell, fill, prices: {} },
    { order: sell, fill },
  ]);
  // floor(1.5) + 6, and two that have no price.
  assertEquals(sums.sold, {
    tokens: [{ token: "0xa1", atoms: 12n, nativeAtoms: 7n, unpriced: 2 }],
    nativeAtoms: 7n,
    unpriced: 2,
    unknown: 0,
  });
  assertEquals(sums.bought.unpriced, 4);
});

Deno.test("totals() counts unknown amounts, which are not 0: fees, and the surplus over a limit that fixes nothing", () => {
  const fill = { sellAmount: 10n, buyAmount: 25n };
  const { surplus, sold, protocolFees, allFees } = totals([{
    order: { ...sell, sellAmount: 0n },
    fill,
  }]);
  assertEquals([surplus, protocolFees, allFees, sold].map(({ unknown }) => unknown), [1, 1, 1, 0]);
  assertEquals([surplus.tokens, protocolFees.tokens], [[], []]);
});

Deno.test("totals() of parts add up to those of the whole", () => {
  const anyTotalled = fc.record({
    order: anyLimit().map((limit) => ({ ...sell, ...limit })),
    fill: anyFill(),
    prices: fc.option(fc.record({ "0xa1": anyAmount(), "0xb2": anyAmount() }), { nil: undefined }),
  });
  fc.assert(fc.property(fc.array(anyTotalled, { maxLength: 6 }), fc.nat(6), (fills, cut) => {
    const [whole, first, rest] = [fills, fills.slice(0, cut), fills.slice(cut)].map(totals);
    for (const what of ["sold", "bought", "surplus"] as const) {
      assertEquals(
        whole![what].nativeAtoms,
        first![what].nativeAtoms + rest![what].nativeAtoms,
      );
      assertEquals(whole![what].unpriced, first![what].unpriced + rest![what].unpriced);
    }
  }));
});
