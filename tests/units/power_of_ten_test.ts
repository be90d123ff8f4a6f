import { assertEquals, assertThrows } from "@std/assert";
import { powerOfTen } from "../../lib/units/arithmetic.ts";

Deno.test("powerOfTen() is exact from 0 to 77", () => {
  assertEquals(powerOfTen(0), 1n);
  for (let decimals = 0; decimals <= 77; decimals++) {
    assertEquals(powerOfTen(decimals), BigInt(`1${"0".repeat(decimals)}`));
  }
});

Deno.test("powerOfTen() rejects an invalid number of decimals", () => {
  for (const decimals of [-1, 78, 1.5, NaN, Infinity]) {
    assertThrows(() => powerOfTen(decimals), RangeError, `Cannot scale by ${decimals} decimals`);
  }
});
