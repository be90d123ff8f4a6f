import { surplusToken } from "orderlens/metrics";
import { assertEquals } from "@std/assert";
import { orderOf, recordedRun } from "../recorded_run.ts";

Deno.test("surplusToken() is the token of recorded fees", async () => {
  const run = await recordedRun("protocol_fee__combined_protocol_fees");
  for (const trade of run.trades) {
    for (const fee of trade.executedProtocolFees ?? []) {
      assertEquals(surplusToken(orderOf(run, trade)), fee.token);
    }
  }
  assertEquals(run.trades.length, 3);
});

Deno.test("surplusToken() of either kind", () => {
  const order = { sellAmount: 1n, buyAmount: 1n, sellToken: "0xa1", buyToken: "0xb2" };
  assertEquals(surplusToken({ ...order, kind: "sell" }), "0xb2");
  assertEquals(surplusToken({ ...order, kind: "buy" }), "0xa1");
});
