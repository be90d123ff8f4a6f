import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { divide, divideDown, divideUp, type Rounding } from "../../lib/units/arithmetic.ts";

const ROUNDINGS: readonly Rounding[] = [
  "floor",
  "ceil",
  "trunc",
  "expand",
  "halfEven",
  "halfExpand",
];

/** Dividend, divisor, then the quotient by each rounding in the order of `ROUNDINGS`. */
const BY_HAND: readonly (readonly bigint[])[] = [
  [7n, 2n, 3n, 4n, 3n, 4n, 4n, 4n],
  [5n, 2n, 2n, 3n, 2n, 3n, 2n, 3n],
  [-7n, 2n, -4n, -3n, -3n, -4n, -4n, -4n],
  [-5n, 2n, -3n, -2n, -2n, -3n, -2n, -3n],
  [1n, 2n, 0n, 1n, 0n, 1n, 0n, 1n],
  [-1n, 2n, -1n, 0n, 0n, -1n, 0n, -1n],
  [7n, 3n, 2n, 3n, 2n, 3n, 2n, 2n],
  [8n, 3n, 2n, 3n, 2n, 3n, 3n, 3n],
  [-7n, 3n, -3n, -2n, -2n, -3n, -2n, -2n],
  [-8n, 3n, -3n, -2n, -2n, -3n, -3n, -3n],
  [6n, 3n, 2n, 2n, 2n, 2n, 2n, 2n],
  [-6n, 3n, -2n, -2n, -2n, -2n, -2n, -2n],
  [0n, 3n, 0n, 0n, 0n, 0n, 0n, 0n],
];

Deno.test("divide() rounds as named", () => {
  for (const [dividend, divisor, ...quotients] of BY_HAND) {
    for (const [index, rounding] of ROUNDINGS.entries()) {
      const what = `${dividend} / ${divisor} ${rounding}`;
      assertEquals(divide(dividend!, divisor!, { rounding }), quotients[index]!, what);
      assertEquals(divide(-dividend!, -divisor!, { rounding }), quotients[index]!, `-(${what})`);
    }
  }
});

Deno.test("divide() keeps every digit past 2^53", () => {
  const dividend = 10n ** 60n + 1n;
  assertEquals(divide(dividend, 10n ** 30n, { rounding: "floor" }), 10n ** 30n);
  assertEquals(divide(dividend, 10n ** 30n, { rounding: "ceil" }), 10n ** 30n + 1n);
});

const integer = fc.bigInt(-(2n ** 300n), 2n ** 300n);
const divisor = integer.filter((value) => value !== 0n);

Deno.test("divide() floor is the largest integer below or equal, ceil its mirror", () => {
  fc.assert(fc.property(integer, divisor, (n, d) => {
    const floor = divide(n, d, { rounding: "floor" });
    const [size, top] = d < 0n ? [-d, -n] : [d, n];
    assert(floor * size <= top && top < (floor + 1n) * size);
    assertEquals(divide(-n, d, { rounding: "ceil" }), -floor);
  }));
});

Deno.test("divide() keeps every rounding between floor and ceil, which differ by at most one", () => {
  fc.assert(fc.property(integer, divisor, (n, d) => {
    const floor = divide(n, d, { rounding: "floor" });
    const ceil = divide(n, d, { rounding: "ceil" });
    assertEquals(ceil - floor, n % d === 0n ? 0n : 1n);
    for (const rounding of ROUNDINGS) {
      const quotient = divide(n, d, { rounding });
      assert(quotient === floor || quotient === ceil, rounding);
    }
  }));
});

Deno.test("divide() half roundings are within a half of the quotient", () => {
  const nearTies = fc.tuple(integer, divisor, fc.bigInt(-1n, 1n))
    .map(([half, d, nudge]) => [(2n * half + 1n) * d + nudge, 2n * d] as const);
  fc.assert(fc.property(nearTies, ([n, d]) => {
    for (const rounding of ["halfEven", "halfExpand"] as const) {
      const quotient = divide(n, d, { rounding });
      const twiceOff = 2n * (n - quotient * d);
      const size = d < 0n ? -d : d;
      assert(twiceOff <= size && -twiceOff <= size);
      if (twiceOff === size || twiceOff === -size) {
        const towardsZero = n / d;
        assert(rounding === "halfEven" ? quotient % 2n === 0n : quotient !== towardsZero);
      }
    }
  }));
});

Deno.test("divide() names the operands of a division by zero", () => {
  assertThrows(() => divide(7n, 0n, { rounding: "floor" }), RangeError, "Cannot divide 7 by 0");
});

Deno.test("divide() rejects an unknown rounding at run time", () => {
  const options = JSON.parse('{ "rounding": "up" }');
  assertThrows(() => divide(7n, 2n, options), RangeError, 'unknown rounding "up"');
});

Deno.test("divideDown() and divideUp() agree with floor and ceil for non-negative operands", () => {
  const natural = fc.bigInt(0n, 2n ** 300n);
  fc.assert(fc.property(natural, natural.filter((d) => d > 0n), (n, d) => {
    assertEquals(divideDown(n, d), divide(n, d, { rounding: "floor" }));
    assertEquals(divideUp(n, d), divide(n, d, { rounding: "ceil" }));
  }));
});

Deno.test("divideDown() and divideUp() reject negative operands and zero divisors by name", () => {
  assertThrows(() => divideDown(-7n, 2n), RangeError, "Cannot divide -7 by 2 rounding down");
  assertThrows(() => divideUp(7n, -2n), RangeError, "Cannot divide 7 by -2 rounding up");
  assertThrows(() => divideDown(7n, 0n), RangeError, "Cannot divide 7 by 0: the divisor");
  assertThrows(() => divideUp(7n, 0n), RangeError, "Cannot divide 7 by 0: the divisor");
});
