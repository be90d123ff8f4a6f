import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { binningOf, histogramBars } from "../../../lib/charts/slippage/slippage_histogram.ts";

Deno.test("histogramBars() counts each value once, and no bar has values of both signs", () => {
  fc.assert(fc.property(
    fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 60 }),
    (values) => {
      const bars = histogramBars(values, binningOf(values));
      assertEquals(bars.reduce((sum, bar) => sum + bar.count, 0), values.length);
      for (const { from, to, isBeyond } of bars) assert(isBeyond || from >= 0 || to <= 1e-9);
    },
  ));
});

Deno.test("binningOf() has widths of 1, 2 or 5 times a power of ten", () => {
  assertEquals(binningOf([-10, 10]).step, 5);
  assertEquals(binningOf([0, 7]).step, 1);
  assertEquals(binningOf([0]).domain, [-1, 1.5]);
  assertEquals(binningOf([5e-324]).step, 1e-100);
});

Deno.test("binningOf() ends at the values near each other, with one bar for what is beyond", () => {
  const near = Array.from({ length: 41 }, (_, place) => place - 20);
  const binning = binningOf([...near, -9_000]);
  // The middle 80% is −16.9 to 15.9: nothing between −20 and −9,000 widens the axis.
  assertEquals(binning.range, [-20, 25]);
  assertEquals(binning.domain, [-25, 25]);
  assertEquals([binning.below, binning.above, binning.farthest], [1, 0, -9_000]);
  const [first] = histogramBars([...near, -9_000], binning);
  assertEquals(first, { from: -25, to: -20, count: 1, isBeyond: true, farthest: -9_000 });
});
