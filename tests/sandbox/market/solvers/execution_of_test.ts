import { assertEquals } from "@std/assert";
import { executedFees, executionOf } from "../../../../lib/sandbox/market/plan_execution.ts";
import { bookOrder } from "../book_orders.ts";

/** 1,000,000 sold, of which 10,000 for gas: 990,000 buy 1,980,000. */
const net = { sellAmount: 1_000_000n, buyAmount: 1_980_000n };
const price = { sell: 1_980_000n, buy: 990_000n };
const sale = { sellAmount: 1_000_000n, buyAmount: 1_900_000n };
const volume = { volume: { factor: 0.0002 } };
const half = { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } };

Deno.test("executionOf() charges the policies, and reports all fees in the sell token", () => {
  const order = bookOrder(sale, { policies: [volume] });
  const { fill, fees } = executionOf(order, net, price)!;
  // 1,980,000 * 0.0002 = 396.
  assertEquals(fill.buyAmount, 1_979_604n);
  // What the service computes back from 1,979,604 is 395.99…, rounded down.
  assertEquals(fees.protocolFees.map(({ amount }) => amount), [395n]);
  // At the uniform price 2,000,000 were to be bought: 20,396 less are 10,198 of the sell token.
  assertEquals(fees.executedFee, 10_198n);
});

Deno.test("executionOf() charges a buy order in the sell token", () => {
  const order = bookOrder({ ...sale, sellAmount: 1_100_000n, kind: "buy" }, { policies: [half] });
  const bought = { sellAmount: 1_000_000n, buyAmount: 1_900_000n };
  const { fill, fees } = executionOf(order, bought, { sell: 1_900_000n, buy: 990_000n })!;
  assertEquals(fill, { sellAmount: 1_050_000n, buyAmount: 1_900_000n });
  assertEquals(fees.protocolFees.map(({ amount }) => amount), [50_000n]);
  assertEquals(fees.executedFee, 60_000n);
});

Deno.test("executionOf() respects limits and amounts", () => {
  assertEquals(executionOf(bookOrder({ ...sale, buyAmount: 1_980_001n }), net, price), null);
  assertEquals(executionOf(bookOrder(sale), { ...net, buyAmount: 0n }, price), null);
  // The limit is met before the fee and not after it.
  const tight = bookOrder({ ...sale, buyAmount: 1_979_700n }, { policies: [volume] });
  assertEquals(executionOf(tight, net, price), null);
  const begun = bookOrder({ ...sale, kind: "buy", partiallyFillable: true });
  begun.executedSellAmount = 1n;
  assertEquals(executionOf(begun, { ...net, buyAmount: 1_900_000n }, price), null);
});

Deno.test("executionOf() is null if fees cannot be computed", () => {
  const sellAmount = 2n ** 256n - 1n;
  const order = bookOrder({ ...sale, kind: "buy", sellAmount }, { policies: [half] });
  assertEquals(executionOf(order, { ...net, buyAmount: 1_900_000n }, price), null);
  const whole = { surplus: { factor: 1, maxVolumeFactor: 0.9 } };
  assertEquals(executionOf(bookOrder(sale, { policies: [whole] }), net, price), null);
});

Deno.test("executedFees() is null if an order gets more than the uniform price", () => {
  const order = bookOrder(sale);
  assertEquals(executedFees(order, { ...net, buyAmount: 2_000_000n }, price)?.executedFee, 0n);
  assertEquals(executedFees(order, { ...net, buyAmount: 2_000_001n }, price), null);
});
