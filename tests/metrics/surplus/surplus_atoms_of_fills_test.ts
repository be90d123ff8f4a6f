import { orderFill, sumFills, surplusAtoms, surplusAtomsOfFills } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { recordedRun } from "../recorded_run.ts";

Deno.test("surplusAtomsOfFills() rounds every fill separately", () => {
  const order = { kind: "buy", sellAmount: 10n, buyAmount: 3n } as const;
  const fills = [{ sellAmount: 2n, buyAmount: 1n }, { sellAmount: 2n, buyAmount: 1n }];
  // floor(10 / 3) - 2, twice; together floor(20 / 3) - 4.
  assertEquals(surplusAtomsOfFills(fills, order), 2n);
  assertEquals(surplusAtoms(sumFills(fills), order), 2n);
  const three = [...fills, { sellAmount: 2n, buyAmount: 1n }];
  assertEquals(surplusAtomsOfFills(three, order), 3n);
  assertEquals(surplusAtoms(sumFills(three), order), 4n);
});

Deno.test("surplusAtomsOfFills() of no fills is 0", () => {
  assertEquals(surplusAtomsOfFills([], { kind: "sell", sellAmount: 1n, buyAmount: 1n }), 0n);
});

Deno.test("surplusAtomsOfFills() of a recorded order in two fills is that of its totals", async () => {
  const run = await recordedRun("hooks__partial_fills");
  const [order] = run.orders.values();
  assert(order !== undefined);
  assertEquals(run.trades.length, 2);
  assertEquals(surplusAtomsOfFills(run.trades, order), surplusAtoms(orderFill(order), order));
});
