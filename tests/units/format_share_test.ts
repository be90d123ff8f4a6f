import { formatShare } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";

function percentOf(part: number, whole: number): string | undefined {
  return /\((.*)%\)$/.exec(formatShare(part, whole))?.[1];
}

Deno.test("formatShare() groups counts and rounds percent half to even", () => {
  assertEquals(formatShare(1_234, 2_000), "1,234 of 2,000 (62%)");
  assertEquals(formatShare(569, 569), "569 of 569 (100%)");
  assertEquals(formatShare(0, 7), "0 of 7 (0%)");
  assertEquals(percentOf(125, 1_000), "12");
  assertEquals(percentOf(135, 1_000), "14");
  assertEquals(percentOf(1, 3), "33");
});

Deno.test("formatShare() has one digit if a whole percent would hide much", () => {
  assertEquals(percentOf(1, 16), "6.2");
  assertEquals(percentOf(15, 16), "93.8");
  assertEquals(percentOf(1, 20), "5");
  assertEquals(percentOf(1, 10), "10");
  assertEquals(percentOf(9, 10), "90");
});

Deno.test("formatShare() never rounds to 0% or 100%", () => {
  assertEquals(percentOf(1, 1_001), "<0.1");
  assertEquals(percentOf(1, 1_000), "0.1");
  assertEquals(percentOf(999, 1_000), "99.9");
  assertEquals(percentOf(1_000, 1_001), ">99.9");
});

Deno.test("formatShare() has no percentage for a whole of 0, and rejects invalid shares", () => {
  assertEquals(formatShare(0, 0), "0 of 0");
  for (const [part, whole] of [[2, 1], [-1, 1], [0.5, 1], [NaN, 1], [0, Infinity]] as const) {
    assertThrows(() => formatShare(part, whole), RangeError, `Cannot format ${part} of ${whole}`);
  }
});
