import fc from "fast-check";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { atomsToNumber, type Ratio, ratio, ratioToNumber } from "../../lib/units/ratio.ts";

/** The exact value of a finite double, from its bits. */
function exactValue(double: number): Ratio {
  const bits = new BigUint64Array(Float64Array.of(double).buffer)[0]!;
  const sign = bits >> 63n === 1n ? -1n : 1n;
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & (2n ** 52n - 1n);
  const significand = sign * (field === 0 ? fraction : fraction + 2n ** 52n);
  const exponent = Math.max(field, 1) - 1075;
  return exponent < 0
    ? { numerator: significand, denominator: 2n ** BigInt(-exponent) }
    : { numerator: significand * 2n ** BigInt(exponent), denominator: 1n };
}

/** The next double away from zero; for the largest, what would follow if the range went on. */
function awayFromZero(double: number): Ratio {
  if (double === Number.MAX_VALUE) return { numerator: 2n ** 1024n, denominator: 1n };
  const bits = new BigUint64Array(Float64Array.of(double).buffer)[0]! + 1n;
  return exactValue(new Float64Array(BigUint64Array.of(bits).buffer)[0]!);
}

function towardsZero(double: number): Ratio {
  const bits = new BigUint64Array(Float64Array.of(double).buffer)[0]! - 1n;
  return exactValue(new Float64Array(BigUint64Array.of(bits).buffer)[0]!);
}

/** `|a - b|` over the product of both denominators and `scale`. */
function distance(a: Ratio, b: Ratio): Ratio {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return {
    numerator: difference < 0n ? -difference : difference,
    denominator: a.denominator * b.denominator,
  };
}

function isLess(a: Ratio, b: Ratio): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

/** Asserts that no neighbour is nearer, and that the other one of a tie is odd. */
function assertNearest(value: Ratio, double: number): void {
  const size = { ...value, numerator: value.numerator < 0n ? -value.numerator : value.numerator };
  assertEquals(Math.sign(double) === -1, value.numerator < 0n && double !== 0);
  const found = Math.abs(double);
  const off = distance(size, exactValue(found));
  const neighbours = found === 0
    ? [awayFromZero(found)]
    : [awayFromZero(found), towardsZero(found)];
  const isEven = (new BigUint64Array(Float64Array.of(found).buffer)[0]! & 1n) === 0n;
  for (const neighbour of neighbours) {
    const other = distance(size, neighbour);
    assert(
      !isLess(other, off),
      `${double} is not nearest to ${value.numerator}/${value.denominator}`,
    );
    assert(isEven || isLess(off, other), `${double} is odd but a tie`);
  }
}

Deno.test("ratioToNumber() is the quotient if both parts are doubles", () => {
  assertEquals(ratioToNumber(ratio(1n, 3n)), 1 / 3);
  assertEquals(ratioToNumber(ratio(-7n, 2n)), -3.5);
  assertEquals(ratioToNumber(ratio(9_007_199_254_740_991n, 3n)), 9_007_199_254_740_991 / 3);
});

Deno.test("ratioToNumber() of zero and of almost zero is 0, never -0", () => {
  assertStrictEquals(ratioToNumber(ratio(0n, -5n)), 0);
  assertStrictEquals(ratioToNumber(ratio(-1n, 10n ** 400n)), 0);
});

Deno.test("ratioToNumber() divides parts beyond the range of doubles", () => {
  assertEquals(ratioToNumber(ratio(3n * 10n ** 400n, 4n * 10n ** 400n)), 0.75);
  assertEquals(ratioToNumber(ratio(10n ** 700n, -(10n ** 705n))), -1e-5);
});

Deno.test("ratioToNumber() rounds ties to even", () => {
  const power = 2n ** 53n;
  assertEquals(ratioToNumber(ratio(power + 1n, 1n)), 2 ** 53);
  assertEquals(ratioToNumber(ratio(power + 3n, 1n)), 2 ** 53 + 4);
});

Deno.test("ratioToNumber() detects values just above a tie", () => {
  const scale = 2n ** 2000n;
  const tie = (2n ** 53n + 1n) * scale;
  assertEquals(ratioToNumber(ratio(tie, scale)), 2 ** 53);
  assertEquals(ratioToNumber(ratio(tie + 1n, scale)), 2 ** 53 + 2);
  assertEquals(ratioToNumber(ratio(tie - 1n, scale)), 2 ** 53);
});

Deno.test("ratioToNumber() rounds once if only one part is a double", () => {
  assertEquals(ratioToNumber(ratio(1n, 2n ** 53n + 1n)), 2 ** -53 - 2 ** -106);
  assertEquals(ratioToNumber(ratio(2n ** 53n + 1n, 3n)), 3_002_399_751_580_331);
});

Deno.test("ratioToNumber() carries into the next power of two", () => {
  assertEquals(ratioToNumber(ratio(2n ** 54n - 1n, 1n)), 2 ** 54);
});

Deno.test("ratioToNumber() rounds subnormal results once", () => {
  assertEquals(ratioToNumber(ratio(1n, 2n ** 1074n)), Number.MIN_VALUE);
  assertEquals(ratioToNumber(ratio(1n, 2n ** 1075n)), 0);
  assertEquals(ratioToNumber(ratio(2n ** 60n + 1n, 2n ** 1135n)), Number.MIN_VALUE);
  assertEquals(ratioToNumber(ratio(3n, 2n ** 1075n)), 2 * Number.MIN_VALUE);
  assertEquals(ratioToNumber(ratio(5n, 2n ** 1075n)), 2 * Number.MIN_VALUE);
  assertEquals(ratioToNumber(ratio(2n ** 53n - 1n, 2n ** 1075n)), 2 ** -1022);
  assertEquals(ratioToNumber(ratio(22n, 10n ** 309n)), 2.2e-308);
});

Deno.test("ratioToNumber() reaches the largest double and rejects larger values", () => {
  const largest = BigInt(Number.MAX_VALUE);
  const halfStep = 2n ** 970n;
  assertEquals(ratioToNumber(ratio(largest, 1n)), Number.MAX_VALUE);
  assertEquals(ratioToNumber(ratio(-(largest + halfStep - 1n), 1n)), -Number.MAX_VALUE);
  assertThrows(() => ratioToNumber(ratio(largest + halfStep, 1n)), RangeError, "(309 digits)");
  assertThrows(() => ratioToNumber(ratio(-(10n ** 400n), 3n)), RangeError, "the largest double");
});

Deno.test("ratioToNumber() rejects a denominator that is not positive", () => {
  assertThrows(() => ratioToNumber({ numerator: 1n, denominator: 0n }), RangeError, "1 / 0");
});

Deno.test("ratioToNumber() is nearest, for parts of any length", () => {
  const part = fc.integer({ min: 0, max: 1400 })
    .chain((bits) => fc.bigInt(0n, 2n ** BigInt(bits)));
  fc.assert(
    fc.property(part, part, fc.boolean(), (n, d, isNegative) => {
      const value = ratio(isNegative ? -n : n, d + 1n);
      if (n / (d + 1n) >= 2n ** 1023n) return;
      assertNearest(value, ratioToNumber(value));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("ratioToNumber() is nearest around every kind of double and its ties", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
  const nudge = fc.bigInt(-2n, 2n);
  const scale = fc.bigInt(1n, 2n ** 200n);
  fc.assert(
    fc.property(double, nudge, scale, fc.boolean(), (number, offset, k, isTie) => {
      const { numerator, denominator } = exactValue(number);
      const next = awayFromZero(number);
      const [n, d] = isTie && number !== Number.MAX_VALUE
        ? [
          numerator * next.denominator + next.numerator * denominator,
          2n * denominator * next.denominator,
        ]
        : [numerator, denominator];
      const value = ratio(n * k + offset, d * k);
      assertNearest(value, ratioToNumber(value));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("ratioToNumber() returns every double unchanged", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) =>
    !Object.is(x, -0)
  );
  fc.assert(fc.property(double, (number) => {
    assertStrictEquals(ratioToNumber(exactValue(number)), number);
  }));
});

// The engine's own reader of decimal text is another way to the nearest double.
Deno.test("atomsToNumber() is the double of the decimal text", () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(2n ** 256n), 2n ** 256n),
      fc.integer({ min: 0, max: 77 }),
      (atoms, decimals) => {
        assertEquals(atomsToNumber(atoms, decimals) + 0, Number(`${atoms}e-${decimals}`) + 0);
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("atomsToNumber() scales by the token's decimals", () => {
  assertEquals(atomsToNumber(1_500_000n, 6), 1.5);
  assertEquals(atomsToNumber(-1n, 18), -1e-18);
  assertEquals(atomsToNumber(123_456_789_012_345_678_901_234_567_890n, 18), 123_456_789_012.34568);
  assertThrows(() => atomsToNumber(1n, 78), RangeError, "78 decimals");
});
