import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { binningOf, histogramBars } from "../../lib/charts/histogram_bars.ts";

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
  assertEquals(binningOf([5e-324]).step, 1e-12);
});
