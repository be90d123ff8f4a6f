import { assertEquals } from "@std/assert";
import {
  exactDecimal,
  gasOf,
  networkFeeAtoms,
} from "../../../../lib/sandbox/market/market_quote.ts";

Deno.test("gasOf() adds the gas of every pool to the base gas", () => {
  assertEquals([gasOf(1), gasOf(3)], [198_391, 382_391]);
});

Deno.test("networkFeeAtoms() is the gas cost in the sell token, rounded up", () => {
  const gas = { gasAmount: 198_391, gasPrice: 1_000_000_000 };
  assertEquals(networkFeeAtoms({ ...gas, sellTokenPrice: 1 }), 198_391n * 10n ** 9n);
  // An atom of USDC is worth 4 * 10^8 wei: 495,977.5 of them.
  assertEquals(networkFeeAtoms({ ...gas, sellTokenPrice: 4e8 }), 495_978n);
});

Deno.test("exactDecimal() is the exact double, not its decimal text", () => {
  assertEquals(
    String(exactDecimal(0.1)),
    "0.1000000000000000055511151231257827021181583404541015625",
  );
  assertEquals(String(exactDecimal(2 ** 70)), "1180591620717411303424");
  assertEquals(String(exactDecimal(0.5)), "0.5");
});
