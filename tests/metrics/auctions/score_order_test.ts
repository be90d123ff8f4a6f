import fc from "fast-check";
import { scoreOrder } from "orderlens/metrics";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { anyAmount, anyFactor, anyFill, anyLimit } from "../amounts.ts";

const WAD = 10n ** 18n;

Deno.test("scoreOrder() of a sell order is its surplus and fees at the buy token's price, rounded down", () => {
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 10n } as const;
  // The limit of one atom sold is ceil(10 / 3) = 4, the surplus 3, half an atom each is worth 1.
  const score = scoreOrder({ sellAmount: 1n, buyAmount: 7n }, order, {
    nativePrice: WAD / 2n,
    policies: [],
  });
  assertEquals(score, { kind: "exact", score: 1n, surplusAtoms: 3n, feeAtoms: 0n });
});

Deno.test("scoreOrder() of a buy order converts surplus to the buy token at the limit price, rounded down", () => {
  const order = { kind: "buy", sellAmount: 7n, buyAmount: 3n } as const;
  // Limit for 3 bought is 7, surplus 2 of the sell token, floor(2 * 3 / 7) = 0 of the buy token.
  const score = (sellAmount: bigint) =>
    scoreOrder({ sellAmount, buyAmount: 3n }, order, { nativePrice: 5n * WAD, policies: [] });
  assertEquals(score(5n), { kind: "exact", score: 0n, surplusAtoms: 2n, feeAtoms: 0n });
  assertEquals(score(4n), { kind: "exact", score: 5n, surplusAtoms: 3n, feeAtoms: 0n });
});

Deno.test("scoreOrder() adds the policies' fees before it converts", () => {
  const order = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: WAD } as const;
  const policies = [{ surplus: { factor: 0.5, maxVolumeFactor: 0.0098 } }];
  const fill = { sellAmount: 2_050_000_000n, buyAmount: WAD };
  // Surplus 50000000 and fee 19895028 (worked vector), times 10^18 / 2100000000, rounded down.
  assertEquals(scoreOrder(fill, order, { nativePrice: WAD, policies }), {
    kind: "exact",
    score: (69_895_028n * WAD) / 2_100_000_000n,
    surplusAtoms: 50_000_000n,
    feeAtoms: 19_895_028n,
  });
});

Deno.test("scoreOrder() is a lower bound without policies, or without the quote of a policy", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;
  const fill = { sellAmount: 10n, buyAmount: 30n };
  assertEquals(scoreOrder(fill, order, { nativePrice: WAD }), {
    kind: "lower_bound",
    score: 20n,
    surplusAtoms: 20n,
    feeAtoms: 0n,
  });
  const policies = [
    { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } },
    { volume: { factor: 0.5 } },
  ];
  assertEquals(scoreOrder(fill, order, { nativePrice: WAD, policies }), {
    kind: "lower_bound",
    score: 50n,
    surplusAtoms: 20n,
    feeAtoms: 30n,
  });
});

Deno.test("scoreOrder() gives the reason why there is no score", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;
  const reasonOf = (...given: Parameters<typeof scoreOrder>) => {
    const score = scoreOrder(...given);
    return "reason" in score ? score.reason : score.kind;
  };
  const fill = { sellAmount: 10n, buyAmount: 10n };
  const options = { nativePrice: WAD, policies: [] };
  assertEquals(reasonOf({ ...fill, buyAmount: 9n }, order, options), "below_limit");
  assertEquals(reasonOf(fill, { ...order, sellAmount: 0n }, options), "limit_without_price");
  const buy = { kind: "buy", sellAmount: 10n, buyAmount: 10n } as const;
  assertEquals(reasonOf(fill, { ...buy, buyAmount: 0n }, options), "limit_without_price");
  assertEquals(reasonOf(fill, { ...buy, sellAmount: 0n }, options), "limit_without_price");
  const whole = { nativePrice: WAD, policies: [{ volume: { factor: 1 } }] };
  assertEquals(reasonOf(fill, order, whole), "fees_not_computable");
});

Deno.test("scoreOrder() rejects negative amounts and prices", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;
  const options = { nativePrice: 1n, policies: [] };
  assertThrows(() => scoreOrder({ sellAmount: -1n, buyAmount: 1n }, order, options), RangeError);
  const fill = { sellAmount: 1n, buyAmount: 1n };
  assertThrows(() => scoreOrder(fill, order, { ...options, nativePrice: -1n }), RangeError);
});

Deno.test("scoreOrder() throws nothing for any amounts, limits and policies", () => {
  const anyPolicy = fc.oneof(
    fc.record({ volume: fc.record({ factor: anyFactor() }) }),
    fc.record({ surplus: fc.record({ factor: anyFactor(), maxVolumeFactor: anyFactor() }) }),
  );
  fc.assert(fc.property(
    anyFill(),
    fc.record({
      kind: fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
      sellAmount: anyAmount(),
      buyAmount: anyAmount(),
    }),
    anyAmount(),
    fc.option(fc.array(anyPolicy, { maxLength: 3 }), { nil: undefined }),
    (fill, order, nativePrice, policies) => {
      const score = scoreOrder(fill, order, { nativePrice, policies });
      if ("reason" in score) return;
      assert(score.score >= 0n && score.surplusAtoms >= 0n && score.feeAtoms >= 0n);
      if (policies === undefined) assertEquals(score.kind, "lower_bound");
    },
  ));
});

Deno.test("scoreOrder() without policies is never above the exact score", () => {
  fc.assert(fc.property(
    anyFill(),
    anyLimit(),
    fc.double({ min: 0, max: 0.9, noNaN: true }),
    (fill, order, factor) => {
      const bound = scoreOrder(fill, order, { nativePrice: WAD });
      const policies = [{ volume: { factor } }];
      const exact = scoreOrder(fill, order, { nativePrice: WAD, policies });
      if ("reason" in bound || "reason" in exact) return;
      assert(bound.score <= exact.score);
    },
  ));
});
