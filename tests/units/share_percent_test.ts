import { assertEquals } from "@std/assert";
import { formatShare, sharePercent } from "../../lib/units/mod.ts";

Deno.test("sharePercent() is 0% or 100% only if exact", () => {
  const texts = [0, 0.0001, 0.023, 0.5, 0.987, 0.99999, 1, 1.5, -0.2].map(sharePercent);
  assertEquals(texts, ["0%", "<0.1%", "2.3%", "50%", "98.7%", ">99.9%", "100%", "150%", "-20%"]);
});

Deno.test("sharePercent() rounds half to even, by the intended decimals of a share", () => {
  // 12.5, 13.5 and 28.5 percent; 57 / 200 * 100 is 28.499999999999996 as a double.
  assertEquals([0.125, 0.135, 57 / 200, 115 / 200].map(sharePercent), ["12%", "14%", "28%", "58%"]);
});

Deno.test("sharePercent() and formatShare() write the same percentage of any two counts", () => {
  for (let whole = 1; whole <= 240; whole++) {
    for (let part = 0; part <= whole; part++) {
      assertEquals(formatShare(part, whole).match(/\((.*)\)/)?.[1], sharePercent(part / whole));
    }
  }
});
