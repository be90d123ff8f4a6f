import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { bpsRatio, bpsToRatio, formatBps } from "../../lib/units/bps.ts";

Deno.test("bpsRatio() is ten thousand times part over whole", () => {
  assertEquals(bpsRatio(3n, 1_000n), { numerator: 30_000n, denominator: 1_000n });
  assertEquals(bpsRatio(-1n, 3n), { numerator: -10_000n, denominator: 3n });
  assertEquals(bpsRatio(1n, -3n), { numerator: -10_000n, denominator: 3n });
});

Deno.test("bpsRatio() names the part if the whole is zero", () => {
  assertThrows(() => bpsRatio(5n, 0n), RangeError, "Cannot express 5 of 0 in basis points");
});

Deno.test("bpsToRatio() reads integers and decimal text exactly", () => {
  assertEquals(bpsToRatio(25), { numerator: 25n, denominator: 10_000n });
  assertEquals(bpsToRatio(25n), { numerator: 25n, denominator: 10_000n });
  assertEquals(bpsToRatio("25"), { numerator: 25n, denominator: 10_000n });
  assertEquals(bpsToRatio("0.3"), { numerator: 3n, denominator: 100_000n });
  assertEquals(bpsToRatio("-0.25"), { numerator: -25n, denominator: 1_000_000n });
});

Deno.test("bpsToRatio() rejects inexact values and other text", () => {
  assertThrows(() => bpsToRatio(0.3), InputError, "Cannot read the number 0.3 as basis points");
  assertThrows(() => bpsToRatio(2 ** 53), InputError, "9007199254740992");
  assertThrows(() => bpsToRatio(NaN), InputError, "NaN");
  assertThrows(() => bpsToRatio("0.3%"), InputError, 'Cannot read "0.3%" as basis points');
  assertThrows(() => bpsToRatio(""), InputError, "it is empty");
  assertThrows(() => bpsToRatio(`0.${"0".repeat(78)}`), InputError, "78 fraction digits");
});

Deno.test("formatBps() writes basis points, not fractions", () => {
  const surplus = bpsRatio(1n, 700n);
  assertEquals(formatBps(surplus, { digits: 1, rounding: "halfEven" }), "14.3 bps");
  assertEquals(
    formatBps(bpsRatio(-12n, 1n), { digits: 0, rounding: "halfEven", grouping: "," }),
    "-120,000 bps",
  );
});
