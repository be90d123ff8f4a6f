import { assertEquals } from "@std/assert";
import { isFinalOrder } from "../../../lib/endpoints/orders.ts";
import { orderOf } from "../../metrics/reports.ts";

const DAY_MS = 86_400_000;

Deno.test("isFinalOrder() is true a day after the expiry; for EthFlow orders, after the trader's", () => {
  const expirySec = 1_800_000_000;
  const ethFlow = {
    validTo: 4_294_967_295,
    ethflowData: { userValidTo: expirySec, refundTxHash: null },
  };
  for (const validity of [{ validTo: expirySec }, ethFlow]) {
    const dayAfterMs = expirySec * 1_000 + DAY_MS;
    for (const status of ["fulfilled", "cancelled", "expired"]) {
      const order = orderOf({ ...validity, status });
      assertEquals(isFinalOrder(order, dayAfterMs), false, status);
      assertEquals(isFinalOrder(order, dayAfterMs + 1), true, status);
    }
    for (const status of ["open", "presignaturePending"]) {
      assertEquals(isFinalOrder(orderOf({ ...validity, status }), dayAfterMs + 1), false, status);
    }
  }
});
