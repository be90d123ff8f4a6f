import fc from "fast-check";
import {
  checkUniformPrices,
  impliedPrice,
  type OrderPair,
  type SettlementFill,
} from "orderlens/metrics";
import { compareRatios, type Ratio, ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";

const sell: OrderPair = {
  kind: "sell",
  sellAmount: 1_000n,
  buyAmount: 1n,
  sellToken: "0xa1",
  buyToken: "0xb2",
};
/** Sells what the other one buys. */
const reverse: OrderPair = { ...sell, sellToken: "0xB2", buyToken: "0xA1" };

function fillOf(uid: string, order: OrderPair, amounts: readonly [bigint, bigint, bigint]) {
  const [sellAmount, buyAmount, executedFee] = amounts;
  return { uid, order, fill: { sellAmount, buyAmount }, executedFee };
}

Deno.test("checkUniformPrices() finds the price that both directions of a pair have, or that they have none", () => {
  // 1 a1 is 2 b2: 1000 a1 for 2000 less 10 in fees, 2000 b2 for 1000 less 5.
  const check = (bought: bigint) =>
    checkUniformPrices([
      fillOf("0x01", sell, [1_000n, 1_990n, 5n]),
      fillOf("0x02", reverse, [2_000n, bought, 10n]),
    ]);
  const { pairs, violations, basis } = check(995n);
  assertEquals([basis, violations], ["executed_fees", []]);
  assertEquals(pairs.map(({ sellToken, buyToken, uids }) => [sellToken, buyToken, uids]), [
    ["0xa1", "0xb2", ["0x01", "0x02"]],
  ]);
  const apart = check(1_010n);
  assertEquals(apart.pairs[0]?.prices, null);
  assertEquals(apart.violations.map(({ what, uids }) => [what, uids]), [
    ["no_common_price", ["0x01", "0x02"]],
  ]);
});

Deno.test("checkUniformPrices() does not compare different pairs, or fills without their fee", () => {
  const other: OrderPair = { ...sell, buyToken: "0xc3" };
  const { executedFee: _, ...withoutFee } = fillOf("0x03", sell, [1_000n, 9_000n, 0n]);
  const fills: SettlementFill[] = [
    fillOf("0x01", sell, [1_000n, 1_990n, 5n]),
    fillOf("0x02", other, [1_000n, 3_990n, 5n]),
    withoutFee,
    fillOf("0x04", sell, [1_000n, 1_990n, 1_000n]),
  ];
  const { pairs, violations, unchecked } = checkUniformPrices(fills);
  assertEquals([pairs.length, violations], [2, []]);
  assertEquals(unchecked.map(({ uid }) => uid), ["0x03", "0x04"]);
});

Deno.test("checkUniformPrices() separates ranges that only touch, and joins equal ones", () => {
  // 7 bought for 3 before fees: a price above 7/4, up to 7/3; for 2: above 7/3, up to 7/2.
  const buy: OrderPair = { ...sell, kind: "buy" };
  const [three, two] = [fillOf("0x01", buy, [5n, 7n, 2n]), fillOf("0x02", buy, [5n, 7n, 3n])];
  assertEquals(checkUniformPrices([three, two]).violations.map(({ uids }) => uids), [
    ["0x02", "0x01"],
  ]);
  assertEquals(checkUniformPrices([three, { ...three, uid: "0x03" }]).violations, []);
  // 10 for 10 in both directions: a price of at most 1, and of at least 1.
  const even = [10n, 10n, 0n] as const;
  const back = fillOf("0x05", { ...reverse, kind: "buy" }, even);
  assertEquals(checkUniformPrices([fillOf("0x04", buy, even), back]).violations, []);
});

Deno.test("checkUniformPrices() against a settlement is exact", () => {
  const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };
  const check = (amounts: readonly [bigint, bigint, bigint]) =>
    checkUniformPrices([fillOf("0x01", sell, amounts)], { settlement });
  assertEquals(check([1_000n, 1_990n, 5n]), {
    basis: "settlement",
    pairs: [],
    violations: [],
    unchecked: [],
  });
  assertEquals(check([1_000n, 1_988n, 5n]).violations, [
    { what: "other_fee", uids: ["0x01"], detail: "Reported 5, at the uniform prices 6" },
  ]);
  assertEquals(check([1_000n, 2_001n, 0n]).violations[0]?.what, "better_than_uniform");
  const unnamed = checkUniformPrices(
    [fillOf("0x01", { ...sell, buyToken: "0xc3" }, [1n, 1n, 0n])],
    {
      settlement,
    },
  );
  assertEquals(unnamed.unchecked, [{ uid: "0x01", why: "The settlement does not price 0xc3" }]);
});

/** As the service: amounts at the uniform prices, then a fee off the side that the order leaves open. */
function settled(isSell: boolean, fixed: bigint, taken: bigint, { numerator, denominator }: Ratio) {
  if (isSell) {
    const before = (fixed * numerator + denominator - 1n) / denominator;
    const fee = before * taken / 1_000n;
    return [fixed, before - fee, fee * denominator / numerator] as const;
  }
  const before = fixed * denominator / numerator;
  const fee = before * taken / 1_000n;
  return [before + fee, fixed, fee] as const;
}

Deno.test("impliedPrice() contains the price of a settlement, and checkUniformPrices() never calls fills of one a violation", () => {
  const anySale = fc.record({
    isSell: fc.boolean(),
    isReverse: fc.boolean(),
    fixed: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    taken: fc.bigInt({ min: 0n, max: 900n }),
  });
  const anyPrice = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 10n ** 3n), fc.bigInt(1n, 10n ** 12n));
  fc.assert(
    fc.property(
      anyPrice,
      anyPrice,
      fc.array(anySale, { minLength: 2, maxLength: 5 }),
      (priceA, priceB, sales) => {
        const fills = sales.flatMap(({ isSell, isReverse, fixed, taken }, at) => {
          const price = isReverse ? ratio(priceB, priceA) : ratio(priceA, priceB);
          const kind = isSell ? "sell" : "buy";
          const one = fillOf(
            `0x${at}`,
            { ...isReverse ? reverse : sell, kind },
            settled(isSell, fixed, taken, price),
          );
          const { sellAmount, buyAmount } = one.fill;
          if (sellAmount === 0n || buyAmount === 0n) return [];
          const implied = impliedPrice(one.fill, { kind, executedFee: one.executedFee });
          // All that was sold was fee: only of amounts of an atom or two.
          if ("reason" in implied) assert(sellAmount <= one.executedFee);
          else {
            const { low, high, includesLow, includesHigh } = implied;
            assert(compareRatios(low, price) < (includesLow ? 1 : 0));
            assert(high === null || compareRatios(price, high) < (includesHigh ? 1 : 0));
          }
          return [one];
        });
        assertEquals(checkUniformPrices(fills).violations, []);
        const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [priceA, priceB] };
        assertEquals(checkUniformPrices(fills, { settlement }).violations, []);
      },
    ),
    { numRuns: 2_500 },
  );
});
