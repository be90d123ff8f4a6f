import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  atomsToNumber,
  type Ratio,
  ratio,
  ratioToNumber,
  subtractRatios,
} from "../../lib/units/ratio.ts";

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
  assert(!Object.is(double, -0));
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

Deno.test("ratioToNumber() reaches the largest double, and rejects larger values and invalid ratios", () => {
  const largest = BigInt(Number.MAX_VALUE);
  const halfStep = 2n ** 970n;
  assertEquals(ratioToNumber(ratio(largest, 1n)), Number.MAX_VALUE);
  assertEquals(ratioToNumber(ratio(-(largest + halfStep - 1n), 1n)), -Number.MAX_VALUE);
  assertThrows(() => ratioToNumber(ratio(largest + halfStep, 1n)), RangeError, "(309 digits)");
  assertThrows(() => ratioToNumber(ratio(-(10n ** 400n), 3n)), RangeError, "the largest double");
  assertThrows(() => ratioToNumber({ numerator: 1n, denominator: 0n }), RangeError, "1 / 0");
  assertThrows(() => atomsToNumber(1n, 78), RangeError, "78 decimals");
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
    { numRuns: 4_000 },
  );
});

Deno.test("ratioToNumber() is nearest around every kind of double and its ties", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
  const nudge = fc.bigInt(-2n, 2n);
  const scale = fc.nat(2_000).chain((bits) => fc.bigInt(1n, 2n ** BigInt(bits)));
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
    { numRuns: 4_000 },
  );
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
    { numRuns: 4_000 },
  );
});

Deno.test("subtractRatios() is exact, with equal and other denominators", () => {
  assertEquals(subtractRatios(ratio(5n, 6n), ratio(1n, 6n)), ratio(4n, 6n));
  assertEquals(subtractRatios(ratio(1n, 3n), ratio(1n, 2n)), ratio(-1n, 6n));
});
