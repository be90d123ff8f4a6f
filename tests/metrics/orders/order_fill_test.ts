import { orderFill, sumFills } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { recordedRun } from "../recorded_run.ts";

Deno.test("orderFill() is the sum of all fills of a recorded order", async () => {
  const run = await recordedRun("hooks__partial_fills");
  const [order] = run.orders.values();
  assert(order !== undefined);
  assertEquals(orderFill(order), sumFills(run.trades));
});

Deno.test("orderFill() reports the legacy signed fee separately", () => {
  assertEquals(
    orderFill({
      executedSellAmount: 103n,
      executedSellAmountBeforeFees: 100n,
      executedBuyAmount: 95n,
    }),
    { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n },
  );
});
