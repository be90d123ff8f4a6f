import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { compareRatios, ratio } from "../../lib/units/ratio.ts";

const integer = fc.bigInt(-(2n ** 256n), 2n ** 256n);
const anyRatio = fc.tuple(integer, integer.filter((d) => d !== 0n)).map(([n, d]) => ratio(n, d));

Deno.test("ratio() keeps its parts and moves the sign to the numerator", () => {
  assertEquals(ratio(2n, 6n), { numerator: 2n, denominator: 6n });
  assertEquals(ratio(-2n, -6n), { numerator: 2n, denominator: 6n });
  assertEquals(ratio(2n, -6n), { numerator: -2n, denominator: 6n });
  assertEquals(ratio(0n, -6n), { numerator: 0n, denominator: 6n });
});

Deno.test("ratio() names the parts if the denominator is zero", () => {
  assertThrows(() => ratio(5n, 0n), RangeError, "Cannot build the ratio 5 / 0");
});

Deno.test("compareRatios() orders exact values, for any parts", () => {
  assertEquals(compareRatios(ratio(1n, 3n), ratio(2n, 6n)), 0);
  assertEquals(compareRatios(ratio(0n, 3n), ratio(0n, -6n)), 0);
  assertEquals(compareRatios(ratio(1n, -3n), ratio(1n, 3n)), -1);
  const big = 10n ** 40n;
  assertEquals(compareRatios(ratio(big + 1n, big), ratio(big, big - 1n)), -1);
  assertEquals(compareRatios(ratio(big, big - 1n), ratio(big + 1n, big)), 1);
});

Deno.test("compareRatios() is a total order that scaling does not change", () => {
  fc.assert(fc.property(anyRatio, anyRatio, fc.bigInt(1n, 10n ** 30n), (a, b, k) => {
    const scaled = ratio(-k * a.numerator, -k * a.denominator);
    assertEquals(compareRatios(a, scaled), 0);
    assertEquals(compareRatios(a, b), compareRatios(scaled, b));
    assertEquals(compareRatios(a, b) + compareRatios(b, a), 0);
  }));
});

Deno.test("compareRatios() rejects a literal ratio with a negative denominator", () => {
  const upsideDown = { numerator: 1n, denominator: -2n };
  assertThrows(() => compareRatios(upsideDown, ratio(1n, 2n)), RangeError, "the ratio 1 / -2");
  assertThrows(() => compareRatios(ratio(1n, 2n), upsideDown), RangeError, "the ratio 1 / -2");
});
