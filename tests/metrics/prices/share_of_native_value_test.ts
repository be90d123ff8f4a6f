import { assertEquals, assertThrows } from "@std/assert";
import { shareOfNativeValue } from "../../../lib/metrics/prices/markout.ts";
import { compareRatios, Decimal, ratio } from "../../../lib/units/mod.ts";

Deno.test("shareOfNativeValue() is the received value over the given value, exactly", () => {
  // 10^18 at 1 against 2,000 * 10^6 at 400,000,000.000000000000000000001: a little more than 4/5.
  const given = { atoms: 10n ** 18n, price: Decimal.parse("1") };
  const price = Decimal.parse("400000000.000000000000000000001");
  const share = shareOfNativeValue(given, { atoms: 2_000_000_000n, price });
  assertEquals(compareRatios(share, ratio(4n, 5n)), 1);
  assertEquals(
    compareRatios(share, ratio(8n * 10n ** 29n + 2n, 10n ** 30n)),
    0,
  );
  const even = { atoms: 2_000_000_000n, price: Decimal.parse("4e8") };
  assertEquals(compareRatios(shareOfNativeValue(given, even), ratio(4n, 5n)), 0);
});

Deno.test("shareOfNativeValue() supports prices of any size", () => {
  const dust = { atoms: 1n, price: Decimal.parse("4.21E-10") };
  const gold = { atoms: 421n, price: Decimal.parse("1e-12") };
  assertEquals(compareRatios(shareOfNativeValue(dust, gold), ratio(1n, 1n)), 0);
  assertEquals(shareOfNativeValue(dust, { ...gold, atoms: 0n }).numerator, 0n);
  assertThrows(() => shareOfNativeValue({ ...dust, atoms: 0n }, gold), RangeError);
});
