import { assertEquals } from "@std/assert";
import { atomsWorth, ETHER } from "../../../../lib/sandbox/market/ledger.ts";

Deno.test("atomsWorth() converts native atoms to a token, rounded down", () => {
  // A USDC of 6 decimals is worth 0.0004 ETH: 4 * 10^8 wei an atom.
  const price = 4n * 10n ** 26n;
  assertEquals(atomsWorth(ETHER, price), 2_500n * 10n ** 6n);
  assertEquals([atomsWorth(399_999_999n, price), atomsWorth(400_000_000n, price)], [0n, 1n]);
});
