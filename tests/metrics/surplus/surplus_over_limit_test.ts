import fc from "fast-check";
import {
  type Fill,
  type OrderLimit,
  scaledLimit,
  settledSurplus,
  surplusAtoms,
  surplusAtomsOfFills,
  surplusNativeAtoms,
  surplusOverLimit,
} from "orderlens/metrics";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertReason, computed } from "../assert_reason.ts";
import { anyAmount, anyFill, anyLimit } from "../amounts.ts";

const SELL: OrderLimit = { kind: "sell", sellAmount: 3n, buyAmount: 10n };
const BUY: OrderLimit = { kind: "buy", sellAmount: 10n, buyAmount: 3n };

Deno.test("scaledLimit() rounds the minimum of a sell order up", () => {
  assertEquals(scaledLimit({ sellAmount: 1n, buyAmount: 0n }, SELL), 4n);
  assertEquals(scaledLimit({ sellAmount: 2n, buyAmount: 0n }, SELL), 7n);
  assertEquals(scaledLimit({ sellAmount: 3n, buyAmount: 0n }, SELL), 10n);
});

Deno.test("scaledLimit() rounds the maximum of a buy order down", () => {
  assertEquals(scaledLimit({ sellAmount: 0n, buyAmount: 1n }, BUY), 3n);
  assertEquals(scaledLimit({ sellAmount: 0n, buyAmount: 2n }, BUY), 6n);
  assertEquals(scaledLimit({ sellAmount: 0n, buyAmount: 3n }, BUY), 10n);
});

Deno.test("surplusOverLimit() is 0 at the limit, rounded in favor of the trader", () => {
  assertEquals(surplusOverLimit({ sellAmount: 1n, buyAmount: 4n }, SELL), 0n);
  assertEquals(surplusOverLimit({ sellAmount: 3n, buyAmount: 1n }, BUY), 0n);
});

Deno.test("surplusOverLimit() is negative below the limit", () => {
  assertEquals(
    surplusOverLimit({ sellAmount: 1_000n, buyAmount: 1_900n }, {
      kind: "sell",
      sellAmount: 1_000n,
      buyAmount: 2_000n,
    }),
    -100n,
  );
  assertEquals(
    surplusOverLimit({ sellAmount: 1_100n, buyAmount: 2_000n }, {
      kind: "buy",
      sellAmount: 1_000n,
      buyAmount: 2_000n,
    }),
    -100n,
  );
});

Deno.test("surplusOverLimit() does not count a legacy signed fee as sold", () => {
  const fill = { sellAmount: 110n, sellAmountBeforeFees: 100n, buyAmount: 50n };
  assertEquals(surplusOverLimit(fill, { kind: "buy", sellAmount: 105n, buyAmount: 50n }), 5n);
});

Deno.test("scaledLimit() and surplus…() give a reason for a limit without a price", () => {
  const fill: Fill = { sellAmount: 1n, buyAmount: 1n };
  for (const limit of [{ ...SELL, sellAmount: 0n }, { ...BUY, buyAmount: 0n }]) {
    for (const nothing of [fill, { sellAmount: 0n, buyAmount: 0n }]) {
      assertReason(scaledLimit(nothing, limit), "limit_without_price");
      assertReason(surplusOverLimit(nothing, limit), "limit_without_price");
      assertReason(surplusAtoms(nothing, limit), "limit_without_price");
      assertReason(surplusAtomsOfFills([nothing], limit), "limit_without_price");
      assertReason(settledSurplus(nothing, limit, "listed"), "limit_without_price");
      assertReason(
        surplusNativeAtoms(nothing, limit, { nativePrice: 1n }),
        "limit_without_price",
      );
    }
  }
  assertEquals(surplusAtomsOfFills([], { ...SELL, sellAmount: 0n }), 0n);
  assertEquals(settledSurplus(fill, { ...SELL, sellAmount: 0n }, "liquidity"), 0n);
});

Deno.test("scaledLimit() and surplusOverLimit() throw for a negative amount", () => {
  assertThrows(() => scaledLimit({ sellAmount: -1n, buyAmount: 1n }, SELL), RangeError);
  assertThrows(() => surplusOverLimit({ sellAmount: 1n, buyAmount: -1n }, BUY), RangeError);
});

Deno.test("surplusOverLimit() accepts a limit amount of 0", () => {
  const fill: Fill = { sellAmount: 7n, buyAmount: 5n };
  assertEquals(surplusOverLimit(fill, { ...SELL, buyAmount: 0n }), 5n);
  assertEquals(surplusOverLimit(fill, { ...BUY, sellAmount: 0n }), -7n);
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
  const parts = fc.array(fc.record({ sellAmount: anyAmount(), buyAmount: anyAmount() }), {
    minLength: 1,
    maxLength: 6,
  });
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
