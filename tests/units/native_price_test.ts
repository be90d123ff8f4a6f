import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Decimal } from "../../lib/units/decimal.ts";
import {
  atomsForNativeValue,
  formatNativePrice,
  nativeValue,
} from "../../lib/units/parse_atoms.ts";

/** 0.0004 ETH for one USDC: 4e14 native atoms for 10^6 token atoms, 4e26 for 10^18. */
const USDC_PRICE = 400_000_000_000_000_000_000_000_000n;

const atoms = fc.bigInt(0n, 2n ** 256n - 1n);
const price = fc.bigInt(1n, 2n ** 200n);

Deno.test("nativeValue() rounds down", () => {
  assertEquals(nativeValue(25_000_000n, USDC_PRICE), 10_000_000_000_000_000n);
  assertEquals(nativeValue(1n, 10n ** 18n - 1n), 0n);
  assertEquals(nativeValue(3n, 10n ** 18n / 2n), 1n);
  assertEquals(nativeValue(-3n, 10n ** 18n / 2n), -2n);
  assertEquals(nativeValue(7n, 0n), 0n);
});

Deno.test("nativeValue() of the native token itself is the amount", () => {
  fc.assert(fc.property(atoms, (amount) => assertEquals(nativeValue(amount, 10n ** 18n), amount)));
});

Deno.test("nativeValue() takes fractions of any scale, and rounds once", () => {
  assertEquals(nativeValue(4n * 10n ** 18n, Decimal.parse("0.25")), 1n);
  assertEquals(nativeValue(4n * 10n ** 18n - 1n, Decimal.parse("0.25")), 0n);
  assertEquals(nativeValue(-1n, Decimal.parse("0.25")), -1n);
  // 2 * 10^100 atoms at 1.5 * 10^-80 native atoms for 10^18 of them: 3 * 10^(100 - 80 - 18).
  const tiny = Decimal.parse(`0.${"0".repeat(79)}15`);
  assertEquals(nativeValue(2n * 10n ** 100n, tiny), 300n);
  assertEquals(nativeValue(2n * 10n ** 100n - 1n, tiny), 299n);
});

Deno.test("nativeValue() of a whole price is the same however the price is given", () => {
  fc.assert(fc.property(atoms, price, (amount, at) => {
    assertEquals(nativeValue(amount, new Decimal(at, 0)), nativeValue(amount, at));
    assertEquals(nativeValue(amount, new Decimal(at * 1000n, 3)), nativeValue(amount, at));
  }));
});

Deno.test("nativeValue() rejects a negative price", () => {
  assertThrows(
    () => nativeValue(7n, -1n),
    RangeError,
    "Cannot value 7 atoms at a native price of -1",
  );
});

Deno.test("atomsForNativeValue() is the smallest amount that reaches the value", () => {
  assertEquals(atomsForNativeValue(10_000_000_000_000_000n, USDC_PRICE), 25_000_000n);
  assertEquals(atomsForNativeValue(10_000_000_000_000_001n, USDC_PRICE), 25_000_001n);
  fc.assert(fc.property(atoms, price, (value, at) => {
    const fewest = atomsForNativeValue(value, at);
    assert(nativeValue(fewest, at) >= value);
    assert(nativeValue(fewest - 1n, at) < value);
  }));
});

Deno.test("atomsForNativeValue() rejects a price of zero", () => {
  assertThrows(
    () => atomsForNativeValue(7n, 0n),
    RangeError,
    "the atoms worth 7 at a native price of 0",
  );
});

Deno.test("formatNativePrice() is native tokens per whole token, exactly", () => {
  assertEquals(formatNativePrice(USDC_PRICE, 6), "0.0004");
  assertEquals(formatNativePrice(USDC_PRICE, 6, { symbol: "ETH" }), "0.0004 ETH");
  assertEquals(formatNativePrice(10n ** 18n, 18), "1");
  assertEquals(formatNativePrice(1n, 18), "0.000000000000000001");
  assertEquals(formatNativePrice(1n, 0), `0.${"0".repeat(35)}1`);
  assertEquals(formatNativePrice(7n, 36), "7");
  assertEquals(formatNativePrice(7n, 38), "700");
  assertEquals(
    formatNativePrice(123_456_789_012_345_678n, 18, { fractionDigits: 4, rounding: "floor" }),
    "0.1234",
  );
});

Deno.test("formatNativePrice() agrees with nativeValue() of one whole token", () => {
  fc.assert(fc.property(price, fc.integer({ min: 0, max: 36 }), (at, decimals) => {
    const digits = formatNativePrice(at, decimals, { fractionDigits: 18, rounding: "floor" });
    assertEquals(BigInt(digits.replace(".", "")), nativeValue(10n ** BigInt(decimals), at));
  }));
});
