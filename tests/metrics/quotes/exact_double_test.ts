import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { exactDouble } from "../../../lib/metrics/quotes/quote_baseline.ts";

Deno.test("exactDouble() of doubles computed by hand", () => {
  assertEquals(exactDouble(0), { mantissa: 0n, exponent: -1074 });
  assertEquals(exactDouble(1), { mantissa: 2n ** 52n, exponent: -52 });
  assertEquals(exactDouble(0.1), { mantissa: 7205759403792794n, exponent: -56 });
  assertEquals(exactDouble(2 ** -1074), { mantissa: 1n, exponent: -1074 });
  assertEquals(exactDouble(Number.MAX_VALUE), { mantissa: 2n ** 53n - 1n, exponent: 971 });
});

Deno.test("exactDouble() multiplied out equals the double", () => {
  const doubles = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
  fc.assert(fc.property(doubles, (value) => {
    const { mantissa, exponent } = exactDouble(value);
    // In two halves, since 2^-1074 alone is the smallest double there is.
    const half = Math.trunc(exponent / 2);
    assertEquals(Number(mantissa) * 2 ** half * 2 ** (exponent - half), value + 0);
  }));
});
