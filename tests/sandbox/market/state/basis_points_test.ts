import { assertEquals } from "@std/assert";
import { plusBpsDown, plusBpsUp } from "../../../../lib/sandbox/market/market_quote.ts";

Deno.test("plusBpsDown() and plusBpsUp() add or subtract basis points, rounded down and up", () => {
  // 1,001 * 1.003 = 1,004.003 and 1,001 * 0.997 = 997.997
  assertEquals([plusBpsDown(1_001n, 30n), plusBpsUp(1_001n, 30n)], [1_004n, 1_005n]);
  assertEquals([plusBpsDown(1_001n, -30n), plusBpsUp(1_001n, -30n)], [997n, 998n]);
  assertEquals([plusBpsDown(7n, 0n), plusBpsUp(7n, 0n)], [7n, 7n]);
});
