import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { formatPercent, formatRatio } from "../../lib/units/format.ts";
import { ratio } from "../../lib/units/ratio.ts";

Deno.test("formatRatio() writes the requested digits, rounded as named", () => {
  const twoThirds = ratio(2n, 3n);
  assertEquals(formatRatio(twoThirds, { digits: 4, rounding: "halfEven" }), "0.6667");
  assertEquals(formatRatio(twoThirds, { digits: 4, rounding: "floor" }), "0.6666");
  assertEquals(formatRatio(twoThirds, { digits: 0, rounding: "ceil" }), "1");
  assertEquals(formatRatio(ratio(-1n, 8n), { digits: 2, rounding: "halfEven" }), "-0.12");
  assertEquals(formatRatio(ratio(-1n, 8n), { digits: 2, rounding: "halfExpand" }), "-0.13");
  assertEquals(formatRatio(ratio(-1n, 1000n), { digits: 2, rounding: "trunc" }), "0.00");
  assertEquals(
    formatRatio(ratio(12_345_678n, 10n), { digits: 2, rounding: "trunc", grouping: " " }),
    "1 234 567.80",
  );
});

Deno.test("formatRatio() writes a hundred digits of one seventh", () => {
  assertEquals(
    formatRatio(ratio(1n, 7n), { digits: 100, rounding: "trunc" }),
    `0.${"142857".repeat(17).slice(0, 100)}`,
  );
});

Deno.test("formatRatio() is within one step of the ratio", () => {
  const part = fc.bigInt(-(2n ** 200n), 2n ** 200n);
  const whole = fc.bigInt(1n, 2n ** 200n);
  fc.assert(fc.property(part, whole, fc.integer({ min: 0, max: 60 }), (n, d, digits) => {
    const floor = formatRatio(ratio(n, d), { digits, rounding: "floor" });
    const scaled = BigInt(floor.replace(".", ""));
    const top = n * 10n ** BigInt(digits);
    assert(scaled * d <= top && top < (scaled + 1n) * d);
  }));
});

Deno.test("formatRatio() rejects numbers of digits outside 0 to 100, and invalid ratios", () => {
  for (const digits of [-1, 101, 0.5, NaN]) {
    assertThrows(
      () => formatRatio(ratio(1n, 2n), { digits, rounding: "floor" }),
      RangeError,
      `with ${digits} digits`,
    );
  }
  assertThrows(
    () => formatRatio({ numerator: 1n, denominator: 0n }, { digits: 1, rounding: "floor" }),
    RangeError,
    "the ratio 1 / 0",
  );
});

Deno.test("formatPercent() is a hundred times the fraction", () => {
  assertEquals(formatPercent(ratio(1n, 8n), { digits: 1, rounding: "halfEven" }), "12.5%");
  assertEquals(formatPercent(ratio(-3n, 2n), { digits: 0, rounding: "halfEven" }), "-150%");
  assertEquals(formatPercent(ratio(2n, 3n), { digits: 2, rounding: "halfEven" }), "66.67%");
});
