import { assertEquals } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../../../lib/networks/mod.ts";
import type { BookOrder } from "../../../../lib/sandbox/market/book_order.ts";
import { crossingPairs } from "../../../../lib/sandbox/market/propose.ts";
import { bookOrder, DAI, GNO, USDC, WETH } from "../book_orders.ts";

/** A sale of 100 WETH atoms for USDC atoms. */
function there(buyAmount: bigint, signed: Parameters<typeof bookOrder>[0] = {}): BookOrder {
  return bookOrder({ sellAmount: 100n, buyAmount, ...signed });
}

/** A sale of 100 USDC atoms for WETH atoms. */
function back(buyAmount: bigint, signed: Parameters<typeof bookOrder>[0] = {}): BookOrder {
  return there(buyAmount, { sellToken: USDC, buyToken: WETH, ...signed });
}

function places(orders: readonly BookOrder[]): string[] {
  return [...crossingPairs(orders)].map((pair) =>
    pair.map((order) => orders.indexOf(order)).join(" ")
  );
}

Deno.test("crossingPairs() yields opposite sell orders whose limits cross or are equal", () => {
  // 200 for 100 and 50 for 100 are the same price; with an atom more on either side they do not cross.
  assertEquals(places([there(200n), back(50n)]), ["0 1"]);
  assertEquals(places([there(201n), back(50n)]), []);
  assertEquals(places([there(200n), back(51n)]), []);
});

Deno.test("crossingPairs() sorts by the index of the earlier order, then of the later one", () => {
  const orders = [back(60n), there(100n), there(190n), back(50n), there(150n), back(90n)];
  assertEquals(places(orders), ["0 1", "0 4", "1 3", "1 5", "2 3", "3 4"]);
});

Deno.test("crossingPairs() is exact beyond doubles", () => {
  const large = 10n ** 40n;
  const sale = there(large, { sellAmount: large });
  assertEquals(places([sale, back(large, { sellAmount: large })]), ["0 1"]);
  assertEquals(places([sale, back(large + 1n, { sellAmount: large })]), []);
});

Deno.test("crossingPairs() ignores buy orders and other pairs, and wraps the native token", () => {
  assertEquals(places([there(1n), back(1n, { kind: "buy" }), back(1n, { buyToken: DAI })]), []);
  const native = { sellToken: GNO, buyToken: NATIVE_TOKEN_ADDRESS };
  assertEquals(places([there(1n, native), there(1n, { sellToken: WETH, buyToken: GNO })]), ["0 1"]);
});
