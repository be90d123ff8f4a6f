import { uniformPrice } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

const SETTLEMENT = { tokens: ["0xa1", "0xb2", "0xa1"], clearingPrices: [200n, 100n, 199n] };

Deno.test("uniformPrice() is the price at the first index of the token, in either case", () => {
  assertEquals(uniformPrice(SETTLEMENT, "0xa1"), 200n);
  assertEquals(uniformPrice(SETTLEMENT, "0xB2"), 100n);
});

Deno.test("uniformPrice() is undefined if the settlement does not name the token", () => {
  assertEquals(uniformPrice(SETTLEMENT, "0xc3"), undefined);
  assertEquals(uniformPrice({ tokens: [], clearingPrices: [] }, "0xa1"), undefined);
});
