import fc from "fast-check";
import { concentration } from "orderlens/metrics";
import { compareRatios, ratio } from "orderlens/units";
import { assertEquals, assertThrows } from "@std/assert";
import { anyAmount } from "../amounts.ts";

Deno.test("concentration() of equal parts is one part", () => {
  const { herfindahl, top1, top3, top5 } = concentration([2n, 2n, 2n, 2n]);
  assertEquals(compareRatios(herfindahl!, ratio(1n, 4n)), 0);
  assertEquals(compareRatios(top1!, ratio(1n, 4n)), 0);
  assertEquals(compareRatios(top3!, ratio(3n, 4n)), 0);
  assertEquals(compareRatios(top5!, ratio(1n, 1n)), 0);
});

Deno.test("concentration() takes the largest parts, in any order", () => {
  const { top1, top3, top5 } = concentration([1n, 10n, 2n, 20n, 3n, 30n]);
  assertEquals([top1, top3, top5], [ratio(30n, 66n), ratio(60n, 66n), ratio(65n, 66n)]);
});

Deno.test("concentration() of no parts is unknown", () => {
  const none = { herfindahl: null, top1: null, top3: null, top5: null };
  assertEquals(concentration([]), none);
  assertEquals(concentration([0n, 0n]), none);
});

Deno.test("concentration() is between 1/n and 1, exactly", () => {
  fc.assert(fc.property(fc.array(anyAmount(), { minLength: 1, maxLength: 8 }), (parts) => {
    const { herfindahl } = concentration(parts);
    if (herfindahl === null) return;
    assertEquals(compareRatios(herfindahl, ratio(1n, BigInt(parts.length))) >= 0, true);
    assertEquals(compareRatios(herfindahl, ratio(1n, 1n)) <= 0, true);
  }));
});

Deno.test("concentration() rejects a negative part", () => {
  assertThrows(() => concentration([3n, -1n]), RangeError, "the part -1 must not be negative");
});
