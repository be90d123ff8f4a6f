import { assertEquals } from "@std/assert";
import { Decimal, HexMap } from "../../../lib/units/mod.ts";
import { nativeWorth } from "../../../lib/tables/columns/columns.ts";

Deno.test("nativeWorth() is the nearest double to the exact worth, at a whole price and a fraction", () => {
  const worth = (atoms: bigint, price: bigint | Decimal) =>
    nativeWorth(atoms, "0xA1", new HexMap([["0xa1", price]]));
  assertEquals(worth(10n ** 18n, 10n ** 18n), 1);
  assertEquals(worth(3n, 10n ** 17n), 3e-19);
  // 3 atoms at 0.1: 3 * 0.1 of doubles is 0.30000000000000004.
  assertEquals(worth(3n * 10n ** 36n, Decimal.parse("0.1")), 0.3);
  // 10^100 atoms at 10^-90 for 10^18 of them: 10^(100 - 90 - 36).
  assertEquals(worth(10n ** 100n, Decimal.parse(`0.${"0".repeat(89)}1`)), 1e-26);
  assertEquals(nativeWorth(1n, "0xb2", new HexMap<bigint>()), null);
});
