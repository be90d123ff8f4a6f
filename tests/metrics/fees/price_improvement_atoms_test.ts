import { priceImprovementAtoms } from "orderlens/metrics";
import { assertEquals } from "@std/assert";
import { assertReason } from "../assert_reason.ts";

const SELL = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
const SELL_QUOTE = { sellAmount: 10n ** 18n, buyAmount: 2_080_000_000n, fee: 5n * 10n ** 15n };
const BUY = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: 10n ** 18n } as const;
const BUY_QUOTE = { sellAmount: 2_060_000_000n, buyAmount: 10n ** 18n, fee: 3_000_000n };

Deno.test("priceImprovementAtoms() subtracts the quoted network fee first", () => {
  // Net quote 2,080,000,000 - 10,400,000 of the buy token.
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  assertEquals(priceImprovementAtoms(fill, SELL, SELL_QUOTE), 30_400_000n);
  // Net quote 2,063,000,000 of the sell token.
  const bought = { sellAmount: 2_050_000_000n, buyAmount: 10n ** 18n };
  assertEquals(priceImprovementAtoms(bought, BUY, BUY_QUOTE), 13_000_000n);
});

Deno.test("priceImprovementAtoms() is 0 for a fill worse than its quote", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_069_599_999n };
  assertEquals(priceImprovementAtoms(fill, SELL, SELL_QUOTE), 0n);
});

Deno.test("priceImprovementAtoms() measures from the limit if it is tighter than the quote", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const strict = { ...SELL, buyAmount: 2_090_000_000n };
  assertEquals(priceImprovementAtoms(fill, strict, SELL_QUOTE), 10_000_000n);
  const bought = { sellAmount: 2_050_000_000n, buyAmount: 10n ** 18n };
  const thrifty = { ...BUY, sellAmount: 2_055_000_000n };
  assertEquals(priceImprovementAtoms(bought, thrifty, BUY_QUOTE), 5_000_000n);
});

Deno.test("priceImprovementAtoms() scales the quote down to the order, then up to the fill", () => {
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 1n } as const;
  const quote = { sellAmount: 7n, buyAmount: 70n, fee: 0n };
  // floor(70 * 3 / 7) = 30 for the order, ceil(30 / 3) for a third of it.
  assertEquals(priceImprovementAtoms({ sellAmount: 1n, buyAmount: 12n }, order, quote), 2n);
});

Deno.test("priceImprovementAtoms() is 0 over a quote whose fee exceeds it", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const quote = { ...SELL_QUOTE, fee: 2n * 10n ** 18n };
  assertEquals(priceImprovementAtoms(fill, SELL, quote), 0n);
});

Deno.test("priceImprovementAtoms() gives a reason for a quote or a limit without a price", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const [forNothing, ofNothing] = ["quote_without_price", "limit_without_price"];
  assertReason(priceImprovementAtoms(fill, SELL, { ...SELL_QUOTE, sellAmount: 0n }), forNothing);
  assertReason(priceImprovementAtoms(fill, BUY, { ...BUY_QUOTE, buyAmount: 0n }), forNothing);
  assertReason(priceImprovementAtoms(fill, { ...SELL, sellAmount: 0n }, SELL_QUOTE), ofNothing);
  assertReason(priceImprovementAtoms(fill, { ...BUY, buyAmount: 0n }, BUY_QUOTE), ofNothing);
});
