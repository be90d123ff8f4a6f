import { surplusNativeAtoms } from "orderlens/metrics";
import { assertEquals, assertThrows } from "@std/assert";

const ORDER = { kind: "sell", sellAmount: 10n, buyAmount: 100n } as const;

Deno.test("surplusNativeAtoms() rounds down", () => {
  const fill = { sellAmount: 10n, buyAmount: 103n };
  assertEquals(surplusNativeAtoms(fill, ORDER, { nativePrice: 5n * 10n ** 17n }), 1n);
});

Deno.test("surplusNativeAtoms() values a buy order in the sold token", () => {
  const order = { kind: "buy", sellAmount: 100n, buyAmount: 10n } as const;
  const fill = { sellAmount: 97n, buyAmount: 10n };
  assertEquals(surplusNativeAtoms(fill, order, { nativePrice: 2n * 10n ** 18n }), 6n);
});

Deno.test("surplusNativeAtoms() is 0 at the limit or at a price of 0, and lower below the limit", () => {
  const at = { sellAmount: 10n, buyAmount: 100n };
  assertEquals(surplusNativeAtoms(at, ORDER, { nativePrice: 10n ** 18n }), 0n);
  assertEquals(surplusNativeAtoms({ ...at, buyAmount: 200n }, ORDER, { nativePrice: 0n }), 0n);
  const below = { sellAmount: 10n, buyAmount: 99n };
  assertEquals(surplusNativeAtoms(below, ORDER, { nativePrice: 5n * 10n ** 17n }), -1n);
});

Deno.test("surplusNativeAtoms() rejects a negative price", () => {
  const fill = { sellAmount: 10n, buyAmount: 103n };
  assertThrows(() => surplusNativeAtoms(fill, ORDER, { nativePrice: -1n }), RangeError);
});
