import { orderFill, settledFill, surplusAtoms } from "orderlens/metrics";
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { computed } from "../assert_reason.ts";
import { orderOf, recordedRun } from "../recorded_run.ts";

const market = await recordedRun("market_1");

Deno.test("surplusAtoms() of orders computed by hand", () => {
  const sell = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
  const buy = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: 10n ** 18n } as const;
  assertEquals(
    surplusAtoms({ sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n }, sell),
    100_000_000n,
  );
  assertEquals(
    surplusAtoms({ sellAmount: 2_050_000_000n, buyAmount: 10n ** 18n }, buy),
    50_000_000n,
  );
});

// A settlement on Gnosis Chain whose prices are so large that 256-bit products overflowed; expected
// value from the tests of crates/autopilot/src/domain/settlement/trade/math.rs in services.
Deno.test("surplusAtoms() of the service's own vector at hugely scaled prices", () => {
  const order = {
    kind: "buy",
    partiallyFillable: false,
    sellAmount: 80502414430363770111n,
    buyAmount: 80500000000000000000n,
    feeAmount: 0n,
    executedAmount: 80500000000000000000n,
    sellTokenIndex: 0,
    buyTokenIndex: 1,
  } as const;
  const fill = settledFill(order, {
    tokens: ["0xa1", "0xb2"],
    clearingPrices: [
      1457533905173705573868216339202397616043789250000000000000000n,
      1457533885739920430673304276561480416152609058094152638608893n,
    ],
  });
  assert(!("reason" in fill));
  assertEquals(surplusAtoms(fill, order), 2415503697089133n);
});

Deno.test("surplusAtoms() is never negative for settled orders", () => {
  for (const trade of market.trades) {
    const surplus = computed(surplusAtoms(trade, orderOf(market, trade)));
    assertGreaterOrEqual(surplus, 0n, trade.orderUid);
  }
  assertEquals(market.trades.length, 664);
});

Deno.test("surplusAtoms() of an order equals that of its only fill", () => {
  for (const trade of market.trades) {
    const order = orderOf(market, trade);
    if (order.executedBuyAmount !== trade.buyAmount) continue;
    assertEquals(surplusAtoms(orderFill(order), order), surplusAtoms(trade, order));
  }
});
