import fc from "fast-check";
import { impliedPrice, type PriceInterval } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { anyAmount, anyFill, fill } from "../amounts.ts";

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

function contains(prices: PriceInterval, price: { numerator: bigint; denominator: bigint }) {
  const below = prices.low.numerator * price.denominator - price.numerator * prices.low.denominator;
  const isAboveLow = below < 0n || (below === 0n && prices.includesLow);
  if (prices.high === null) return isAboveLow;
  const above = prices.high.numerator * price.denominator -
    price.numerator * prices.high.denominator;
  return isAboveLow && (above > 0n || (above === 0n && prices.includesHigh));
}

Deno.test("impliedPrice() is what the roundings of the fee and the amounts allow", () => {
  const of = (kind: "sell" | "buy", executedFee: bigint) =>
    impliedPrice(fill(5n, 7n), { kind, executedFee });
  const open = { includesLow: false, high: null, includesHigh: false };
  // 7 bought; 3 sold before fees: floor(7 / r) = 5 - 2, so that 7 / r is from 3 to below 4.
  const bounded = { includesLow: false, high: ratio(7n, 3n), includesHigh: true };
  assertEquals(of("buy", 2n), { low: ratio(7n, 4n), ...bounded });
  assertEquals(of("buy", 5n), { low: ratio(7n, 1n), ...open });
  assertEquals(of("sell", 4n), { low: ratio(6n, 1n), ...open });
});

Deno.test("impliedPrice() gives the reason if a fee does not fit its fill", () => {
  const reasonOf = (kind: "sell" | "buy", executedFee: bigint, buyAmount = 7n) => {
    const prices = impliedPrice({ sellAmount: 5n, buyAmount }, { kind, executedFee });
    return "reason" in prices ? prices.reason : null;
  };
  assertEquals(reasonOf("sell", 5n), "fee_does_not_fit");
  assertEquals(reasonOf("buy", 6n), "fee_does_not_fit");
  assertEquals(reasonOf("buy", -1n), "fee_does_not_fit");
  assertEquals(reasonOf("sell", 1n, 0n), "fee_does_not_fit");
});

Deno.test("impliedPrice() contains the price of a settlement, for any fee", () => {
  const anyPrice = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
      anyPrice,
      anyPrice,
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.nat(1_000),
      (kind, sellPrice, buyPrice, fixed, taken) => {
        // As the service: amounts at the uniform prices, then fees off the surplus side.
        let [s, b, e] = [fixed, fixed, 0n];
        if (kind === "sell") {
          const before = ceilDiv(s * sellPrice, buyPrice);
          b = before - (before * BigInt(taken)) / 2_000n;
          e = ((before - b) * buyPrice) / sellPrice;
        } else {
          const before = (b * buyPrice) / sellPrice;
          s = before + (before * BigInt(taken)) / 2_000n;
          e = s - before;
        }
        fc.pre(b > 0n && s > 0n);
        const prices = impliedPrice({ sellAmount: s, buyAmount: b }, { kind, executedFee: e });
        if ("reason" in prices) {
          // All that was sold was fee: only of amounts of an atom or two.
          assert(s - e <= 0n);
          return;
        }
        assert(contains(prices, { numerator: sellPrice, denominator: buyPrice }));
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("impliedPrice() throws nothing for any amounts", () => {
  fc.assert(fc.property(
    anyFill(),
    anyAmount(),
    fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
    (fill, executedFee, kind) => {
      const prices = impliedPrice(fill, { kind, executedFee });
      assert("reason" in prices || prices.low.numerator >= 0n);
    },
  ));
});
