import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { mulDivDown, mulDivUp } from "../../lib/units/arithmetic.ts";

// The vector is of cowprotocol/services, crates/number/src/u256_ext.rs, test of checked_mul_ratio:
// a settlement whose product needs 266 bits.
Deno.test("mulDivDown() keeps a product longer than 256 bits", () => {
  assertEquals(
    mulDivDown(
      80_500_000_000_000_000_000n,
      1_457_533_885_739_920_430_673_304_276_561_480_416_152_609_058_094_152_638_608_893n,
      1_457_533_905_173_705_573_868_216_339_202_397_616_043_789_250_000_000_000_000_000n,
    ),
    80_499_998_926_666_680_978n,
  );
});

Deno.test("mulDivUp() is one more than mulDivDown() unless the division is exact", () => {
  assertEquals([mulDivDown(7n, 2n, 3n), mulDivUp(7n, 2n, 3n)], [4n, 5n]);
  assertEquals([mulDivDown(6n, 2n, 3n), mulDivUp(6n, 2n, 3n)], [4n, 4n]);
  assertEquals([mulDivDown(0n, 5n, 3n), mulDivUp(0n, 5n, 3n)], [0n, 0n]);
});

Deno.test("mulDivDown() and mulDivUp() enclose the exact quotient", () => {
  const natural = fc.bigInt(0n, 2n ** 256n - 1n);
  fc.assert(fc.property(natural, natural, natural.filter((c) => c > 0n), (a, b, c) => {
    const [down, up] = [mulDivDown(a, b, c), mulDivUp(a, b, c)];
    assert(down * c <= a * b && a * b < (down + 1n) * c);
    assert(up * c >= a * b && a * b > (up - 1n) * c);
  }));
});

Deno.test("mulDivDown() and mulDivUp() reject zero divisors and negatives by name", () => {
  assertThrows(() => mulDivDown(7n, 2n, 0n), RangeError, "Cannot divide 7 * 2 by 0");
  assertThrows(() => mulDivUp(7n, 2n, 0n), RangeError, "Cannot divide 7 * 2 by 0");
  assertThrows(
    () => mulDivDown(-7n, 2n, 3n),
    RangeError,
    "Cannot divide -7 * 2 by 3 rounding down",
  );
  assertThrows(() => mulDivUp(7n, -2n, 3n), RangeError, "Cannot divide 7 * -2 by 3 rounding up");
  assertThrows(() => mulDivUp(7n, 2n, -3n), RangeError, "Cannot divide 7 * 2 by -3 rounding up");
});
