import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { factorToWad, mulFloat } from "../../lib/units/arithmetic.ts";

const WAD = 10n ** 18n;
const LARGEST_UINT256 = 2n ** 256n - 1n;

// Measured on the service (fees of real settlements at these factors): k for f / (1 - f), as a
// surplus fee and the volume fee of a sell order use it, and for f / (1 + f), the volume fee of a
// buy order.
Deno.test("factorToWad() is the service's integer of a fee factor", () => {
  const measured: readonly (readonly [number, bigint, bigint])[] = [
    [0.3, 428_571_428_571_428_608n, 230_769_230_769_230_752n],
    [0.0098, 9_896_990_506_968_290n, 9_704_892_057_833_234n],
    [0.0002, 200_040_008_001_600n, 199_960_007_998_400n],
    [0.5, 1_000_000_000_000_000_000n, 333_333_333_333_333_312n],
  ];
  for (const [factor, sell, buy] of measured) {
    assertEquals(factorToWad(factor / (1 - factor)), sell);
    assertEquals(factorToWad(factor / (1 + factor)), buy);
  }
});

Deno.test("factorToWad() rounds half to even below 2^52", () => {
  // Each quotient times 1e18 is the dividend again, in doubles.
  assertEquals(factorToWad(0.5 / 1e18), 0n);
  assertEquals(factorToWad(1.5 / 1e18), 2n);
  assertEquals(factorToWad(2.5 / 1e18), 2n);
  assertEquals(factorToWad(3.5 / 1e18), 4n);
  assertEquals(factorToWad(2.75 / 1e18), 3n);
  assertEquals(factorToWad(2.25 / 1e18), 2n);
});

Deno.test("factorToWad() is within a half of the product of doubles", () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 0.0045, noNaN: true }), (factor) => {
    const product = factor * 1e18;
    assert(Math.abs(Number(factorToWad(factor)) - product) <= 0.5);
  }));
  fc.assert(fc.property(fc.double({ min: 0.0046, max: 1e30, noNaN: true }), (factor) => {
    assertEquals(Number(factorToWad(factor)), factor * 1e18);
  }));
});

Deno.test("mulFloat() agrees with the service to the atom", () => {
  const x = 232_862_198_197_807_143_295n;
  assertEquals(mulFloat(x, 0.3 / 0.7), 99_798_084_941_917_355_642n);
  assertEquals(mulFloat(x, 0.3 / (1 - 0.3)), 99_798_084_941_917_355_642n);
});

// Values that the service's own tests of checked_mul_f64 name, in
// cowprotocol/services 6a3eb4265, crates/number/src/u256_ext.rs.
Deno.test("mulFloat() agrees with the service's tests", () => {
  assertEquals(mulFloat(25n * WAD, 0.2), 5n * WAD);
  assertEquals(mulFloat(8_888_888n, 0.25), 2_222_222n);
  assertEquals(mulFloat(WAD, 0.00390625), 3_906_250_000_000_000n);
  assertEquals(mulFloat(12_345n, 0), 0n);
  assertThrows(() => mulFloat(LARGEST_UINT256, 1.1), RangeError, "more than 256 bits");
});

Deno.test("mulFloat() by one changes nothing, for any amount", () => {
  assertEquals(mulFloat(LARGEST_UINT256, 1), LARGEST_UINT256);
  fc.assert(fc.property(fc.bigInt(0n, LARGEST_UINT256), (x) => assertEquals(mulFloat(x, 1), x)));
});

Deno.test("mulFloat() computes up to a product of 256 bits, as the service does", () => {
  const largest = LARGEST_UINT256 / (WAD / 2n);
  assertEquals(mulFloat(largest, 0.5), largest / 2n);
  assertThrows(() => mulFloat(largest + 1n, 0.5), RangeError, "more than 256 bits");
});

Deno.test("mulFloat() rounds down", () => {
  assertEquals(mulFloat(3n, 0.5), 1n);
  assertEquals(mulFloat(1n, 0.9999999999999999), 0n);
});

Deno.test("mulFloat() rejects factors that are negative, NaN or infinite", () => {
  for (const factor of [-1, -0, NaN, Infinity, -Infinity, 1e300]) {
    const shown = Object.is(factor, -0) ? "-0" : `${factor}`;
    assertThrows(() => factorToWad(factor), RangeError, `the factor ${shown}`);
    assertThrows(() => mulFloat(1n, factor), RangeError, `the factor ${shown}`);
  }
});

Deno.test("mulFloat() rejects impossible amounts", () => {
  assertThrows(() => mulFloat(-1n, 0.5), RangeError, "Cannot multiply -1 by 0.5");
  assertThrows(() => mulFloat(LARGEST_UINT256 + 1n, 1), RangeError, "2^256 - 1");
});
