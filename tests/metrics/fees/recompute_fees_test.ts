import fc from "fast-check";
import {
  type Fill,
  type OrderLimit,
  recomputeFees,
  type StoredQuote,
  surplusAtoms,
} from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assertEquals, assertGreaterOrEqual, assertThrows } from "@std/assert";
import { buys, fill, quoted, sells } from "../amounts.ts";
import { assertReason, computed, reasonOf } from "../assert_reason.ts";
import { chargeFees, type Gross } from "../charge_fees.ts";

const ONE = 10n ** 18n;
const SELL = sells(ONE, 2_000_000_000n);
const SOLD = fill(ONE, 2_100_000_000n);
const SELL_QUOTE = quoted(ONE, 2_080_000_000n, 5n * 10n ** 15n);
const BUY = buys(2_100_000_000n, ONE);
const BOUGHT = fill(2_050_000_000n, ONE);
const BUY_QUOTE = quoted(2_060_000_000n, ONE, 3_000_000n);

const volume = (factor: number): FeePolicy => ({ volume: { factor } });
const surplus = (factor: number, maxVolumeFactor: number): FeePolicy => ({
  surplus: { factor, maxVolumeFactor },
});

const improvement = (quote: typeof SELL_QUOTE): FeePolicy => ({
  priceImprovement: { factor: 0.5, maxVolumeFactor: 0.0098, quote },
});

function atomsOf(fees: ReturnType<typeof recomputeFees>): bigint[] {
  return fees.map((fee) => computed(fee).atoms);
}

function reasonsOf(fees: ReturnType<typeof recomputeFees>): string[] {
  return fees.map((fee) => reasonOf(fee) ?? "computed");
}

// Computed with an independent integer implementation of the service's formulas.
const VECTORS: {
  what: string;
  order: OrderLimit;
  fill: Fill;
  policies: FeePolicy[];
  surplus: bigint;
  fees: bigint[];
}[] = [
  {
    what: "half of the surplus",
    ...{ order: SELL, fill: SOLD, policies: [surplus(0.5, 0.9)] },
    ...{ surplus: 100_000_000n, fees: [100_000_000n] },
  },
  {
    what: "half of the surplus, capped",
    ...{ order: SELL, fill: SOLD, policies: [surplus(0.5, 0.0098)] },
    ...{ surplus: 100_000_000n, fees: [20_783_680n] },
  },
  {
    what: "two volume fees",
    ...{ order: SELL, fill: SOLD, policies: [volume(0.0002), volume(0.001)] },
    ...{ surplus: 100_000_000n, fees: [420_504n, 2_102_102n] },
  },
  {
    what: "price improvement, capped, then volume",
    ...{ order: SELL, fill: SOLD, policies: [improvement(SELL_QUOTE), volume(0.0002)] },
    ...{ surplus: 100_000_000n, fees: [20_787_837n, 420_084n] },
  },
  {
    what: "half of a buy order's surplus, capped",
    ...{ order: BUY, fill: BOUGHT, policies: [surplus(0.5, 0.0098)] },
    ...{ surplus: 50_000_000n, fees: [19_895_028n] },
  },
  {
    what: "a buy order's price improvement, then volume",
    ...{ order: BUY, fill: BOUGHT, policies: [improvement(BUY_QUOTE), volume(0.0002)] },
    ...{ surplus: 50_000_000n, fees: [13_409_918n, 409_918n] },
  },
  {
    what: "no fees on a third of an order",
    ...{ order: sells(10n * ONE, 20_000_000_000n), fill: fill(3n * ONE, 6_100_000_000n) },
    ...{ policies: [], surplus: 100_000_000n, fees: [] },
  },
  {
    what: "factors of 0",
    ...{ order: SELL, fill: SOLD, policies: [surplus(0, 0), volume(0), volume(-0)] },
    ...{ surplus: 100_000_000n, fees: [0n, 0n, 0n] },
  },
];

for (const { what, order, fill, policies, surplus, fees } of VECTORS) {
  Deno.test(`recomputeFees() solves the vector: ${what}`, () => {
    assertEquals(surplusAtoms(fill, order), surplus);
    assertEquals(atomsOf(recomputeFees(fill, order, { policies })), fees);
  });
}

// crates/orderbook/src/quoter.rs and the SDK's getProtocolFeeAmount: buy * bps / (10000 - bps).
Deno.test("recomputeFees() of a sell order's volume matches the known answers of quotes", () => {
  const feeOn = (buyAmount: bigint, factor: number) =>
    atomsOf(recomputeFees({ sellAmount: ONE, buyAmount }, SELL, { policies: [volume(factor)] }));
  assertEquals(feeOn(267_722_966n, 0.0002), [53_555n]);
  assertEquals(feeOn(8_539_024n, 0.00003), [256n]);
});

Deno.test("recomputeFees() multiplies by the same double as the service", () => {
  // 30 % of surplus; a decimal reading of 3 / 7 would give 99798084941917347126.
  const bought = fill(ONE, ONE + 232_862_198_197_807_143_295n);
  const fees = recomputeFees(bought, sells(ONE, ONE), { policies: [surplus(0.3, 0.9)] });
  assertEquals(atomsOf(fees), [99_798_084_941_917_355_642n]);
});

Deno.test("recomputeFees() reports a cap, and the fee without it", () => {
  const policies = [surplus(0.5, 0.0098), surplus(0.5, 0.9)];
  const [kind, atoms] = ["surplus", 100_000_000n] as const;
  assertEquals(recomputeFees(SOLD, SELL, { policies }), [
    { kind, atoms: 21_773_379n, uncappedAtoms: 200_000_000n, isCapped: true },
    { kind, atoms, uncappedAtoms: atoms, isCapped: false },
  ]);
});

Deno.test("recomputeFees() uses the order's quote if the policy has none", () => {
  const policy: FeePolicy = { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } };
  assertEquals(
    atomsOf(recomputeFees(SOLD, SELL, { policies: [policy], quote: SELL_QUOTE })),
    [30_400_000n],
  );
  assertEquals(reasonsOf(recomputeFees(SOLD, SELL, { policies: [policy] })), ["no_quote"]);
});

Deno.test("recomputeFees() is 0 without an improvement, even over a quote that its fee exceeds", () => {
  const improvement = (quote: StoredQuote) =>
    recomputeFees(SOLD, SELL, {
      policies: [{ priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } }],
      quote,
    });
  assertEquals(atomsOf(improvement({ ...SELL_QUOTE, buyAmount: 3_000_000_000n })), [0n]);
  assertEquals(atomsOf(improvement({ ...SELL_QUOTE, fee: 2n * ONE })), [0n]);
});

Deno.test("recomputeFees() returns a reason instead of a fee", () => {
  const unknown: Readonly<Record<string, object>> = { dutchAuction: {} };
  const cases: [reason: string, FeePolicy | null, Fill?, OrderLimit?][] = [
    ["no_policy", null],
    ["unknown_kind", unknown],
    ["factor_one", volume(1)],
    ["factor_one", surplus(1, 0.5)],
    ["factor_one", surplus(0.5, 1)],
    ["factor_out_of_range", volume(1.5)],
    ["factor_out_of_range", volume(-0.1)],
    ["factor_out_of_range", volume(NaN)],
    ["quote_without_price", improvement({ ...SELL_QUOTE, sellAmount: 0n })],
    ["below_limit", surplus(0.5, 0.9), fill(ONE, 1n)],
    ["nothing_executed", volume(0.1), fill(0n, 0n)],
    ["limit_without_price", volume(0.1), SOLD, sells(0n, 2_000_000_000n)],
    ["overflow", volume(0.1), fill(ONE, 2n ** 256n - 1n)],
  ];
  for (const [reason, policy, bought = SOLD, order = SELL] of cases) {
    assertReason(recomputeFees(bought, order, { policies: [policy] })[0], reason);
  }
});

Deno.test("recomputeFees() of a buy order stops if fees exceed the sold amount", () => {
  const policies = [volume(0.1), null];
  const fees = recomputeFees(BOUGHT, BUY, { policies, reportedAtoms: [1n, 2_050_000_001n] });
  assertEquals(reasonsOf(fees), ["fees_above_volume", "no_policy"]);
});

Deno.test("recomputeFees() computes nothing before a policy that is not computable", () => {
  const policies = [volume(0.0002), null, volume(0.001)];
  const fees = recomputeFees(SOLD, SELL, { policies });
  assertEquals(reasonsOf(fees), ["later_policy", "no_policy", "computed"]);
  assertEquals(fees[0]?.kind, "volume");
});

Deno.test("recomputeFees() rejects negative amounts", () => {
  assertThrows(
    () => recomputeFees({ ...SOLD, sellAmount: -1n }, SELL, { policies: [surplus(0.5, 0.9)] }),
    RangeError,
  );
});

const factors = fc.oneof(
  fc.constantFrom(0.0002, 0.00003, 0.0025, 0.0098, 0.01, 0.2, 0.3, 0.5, 0.75),
  fc.double({ min: 0, max: 0.9, noNaN: true }),
);
const quotes = fc.record({
  sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  fee: fc.constantFrom(0n, 1n),
});
const policies: fc.Arbitrary<FeePolicy[]> = fc.array(
  fc.oneof(
    fc.record({ volume: fc.record({ factor: factors }) }),
    fc.record({ surplus: fc.record({ factor: factors, maxVolumeFactor: factors }) }),
    fc.record({
      priceImprovement: fc.record({ factor: factors, maxVolumeFactor: factors, quote: quotes }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);
const grosses: fc.Arbitrary<Gross> = fc.record({
  kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
  sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  filled: fc.integer({ min: 1, max: 10 }),
  better: fc.integer({ min: 0, max: 100 }),
}).map(({ kind, sellAmount, buyAmount, filled, better }) => {
  // A tenth to the whole of the order, better than its limit by up to as much again.
  const part = (amount: bigint) => amount * BigInt(filled) / 10n + 1n;
  const gain = (amount: bigint) => part(amount) * BigInt(better) / 100n;
  return kind === "sell"
    ? {
      order: { kind, sellAmount, buyAmount },
      executed: part(sellAmount),
      before: part(buyAmount) + gain(buyAmount),
    }
    : {
      order: { kind, sellAmount, buyAmount },
      executed: part(buyAmount),
      before: part(sellAmount) - gain(sellAmount) / 2n,
    };
});

Deno.test("recomputeFees() inverts charging fees, exactly", () => {
  let inverted = 0;
  fc.assert(fc.property(grosses, policies, (gross, charged) => {
    const { after, fees } = chargeFees(gross, charged);
    const fill = gross.order.kind === "sell"
      ? { sellAmount: gross.executed, buyAmount: after }
      : { sellAmount: after, buyAmount: gross.executed };
    const found = recomputeFees(fill, gross.order, { policies: charged });
    // A volume fee may have taken the fill below its limit: the service computes no fee then.
    if (found.some((fee) => "reason" in fee)) {
      assertEquals(reasonsOf(found).filter((one) => one === "below_limit").length, 1);
      return;
    }
    assertEquals(atomsOf(found), fees);
    inverted++;
  }));
  assertGreaterOrEqual(inverted, 30);
});
