import { ethFlowRefund } from "orderlens/metrics";
import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { anyAmount } from "../amounts.ts";

Deno.test("ethFlowRefund() returns what is left, and the fee of it rounded up", () => {
  const order = { sellAmount: 7n, feeAmount: 3n };
  // Filled 0, 1, 2, 3, 5 and 7 of 7: the fee of that is floor(3 * filled / 7) = 0, 0, 0, 1, 2, 3.
  assertEquals([0n, 1n, 2n, 3n, 5n, 7n].map((filled) => ethFlowRefund(order, filled)), [
    10n,
    9n,
    8n,
    6n,
    3n,
    0n,
  ]);
  assertEquals(ethFlowRefund({ sellAmount: 7n, feeAmount: 0n }, 7n), 0n);
});

Deno.test("ethFlowRefund() rejects a fill that the order cannot have", () => {
  const order = { sellAmount: 7n, feeAmount: 3n };
  for (const filled of [-1n, 8n]) assertThrows(() => ethFlowRefund(order, filled), RangeError);
  assertThrows(() => ethFlowRefund({ sellAmount: 0n, feeAmount: 0n }, 0n), RangeError);
});

Deno.test("ethFlowRefund() is the part of the deposit that was not filled, less than an atom above it", () => {
  fc.assert(
    fc.property(anyAmount(1n), anyAmount(), anyAmount(), (sellAmount, feeAmount, any) => {
      const filled = any % (sellAmount + 1n);
      const refund = ethFlowRefund({ sellAmount, feeAmount }, filled);
      const above = refund * sellAmount - (sellAmount - filled) * (sellAmount + feeAmount);
      assert(above >= 0n && above < sellAmount);
    }),
  );
});
