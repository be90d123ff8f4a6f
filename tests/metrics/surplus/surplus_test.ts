import fc from "fast-check";
import { assert, assertEquals, assertGreaterOrEqual, assertThrows } from "@std/assert";
import {
  isNotComputable,
  orderFill,
  scaledLimit,
  settledFill,
  sumFills,
  surplusAtoms,
  surplusAtomsOfFills,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
  surplusNativeAtoms,
  surplusToken,
} from "orderlens/metrics";
import { ratio, ratioToNumber } from "orderlens/units";
import { anyFill, anyLimit } from "../amounts.ts";
import { assertReason, computed } from "../assert_reason.ts";
import { orderOf, recordedRun } from "../recorded_run.ts";

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

Deno.test("surplusBpsBeforeFees() adds fees to the bought amount of a sell order", () => {
  const order = { kind: "sell", sellAmount: 1n, buyAmount: 1_800n } as const;
  const fill = { sellAmount: 1n, buyAmount: 1_900n };
  assertEquals(
    surplusBpsBeforeFees(fill, order, { feeAtoms: 100n }),
    ratio(1_000_000n, 2_000n),
  );
});

Deno.test("surplusBpsBeforeFees() subtracts fees from the sold amount of a buy order", () => {
  const order = { kind: "buy", sellAmount: 2_200n, buyAmount: 1n } as const;
  const fill = { sellAmount: 2_100n, buyAmount: 1n };
  assertEquals(
    surplusBpsBeforeFees(fill, order, { feeAtoms: 100n }),
    ratio(1_000_000n, 2_000n),
  );
});

Deno.test("surplusBpsBeforeFees() gives a reason if fees are the whole amount", () => {
  const buy = { kind: "buy", sellAmount: 10n, buyAmount: 1n } as const;
  const fill = { sellAmount: 5n, buyAmount: 1n };
  assertReason(surplusBpsBeforeFees(fill, buy, { feeAtoms: 5n }), "fees_above_volume");
  assertReason(surplusBpsBeforeFees(fill, buy, { feeAtoms: 6n }), "fees_above_volume");
  const sell = { kind: "sell", sellAmount: 5n, buyAmount: 0n } as const;
  assertReason(
    surplusBpsBeforeFees({ sellAmount: 5n, buyAmount: 0n }, sell, { feeAtoms: 0n }),
    "nothing_executed",
  );
});

Deno.test("surplusBpsOfExecuted() of a sell order divides by the bought amount", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
  const fill = { sellAmount: 10n, buyAmount: 2_100n };
  assertEquals(surplusBpsOfExecuted(fill, order), ratio(1_000_000n, 2_100n));
});

Deno.test("surplusBpsOfExecuted() of a buy order divides by the sold amount, without the signed fee", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  const fill = { sellAmount: 2_010n, sellAmountBeforeFees: 2_000n, buyAmount: 10n };
  assertEquals(surplusBpsOfExecuted(fill, order), ratio(1_000_000n, 2_000n));
});

Deno.test("surplusBpsOfExecuted() gives a reason if nothing was executed", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
  const none = { sellAmount: 0n, buyAmount: 0n };
  assertReason(surplusBpsOfExecuted(none, order), "nothing_executed");
  assertReason(surplusBpsOfExecuted(none, { ...order, sellAmount: 0n }), "limit_without_price");
});

Deno.test("surplusBpsOfLimit() divides by the limit of the filled part", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 20_000n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 3n, buyAmount: 6_100n }, order),
    ratio(100n * 10_000n, 6_000n),
  );
});

Deno.test("surplusBpsOfLimit() of a buy order divides by its maximum cost", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 2_000n, buyAmount: 10n }, order),
    ratio(100n * 10_000n, 2_100n),
  );
});

Deno.test("surplusBpsOfLimit() is negative below the limit, and 0 at it", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 100n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 99n }, order),
    ratio(-10_000n, 100n),
  );
  assertEquals(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 100n }, order), ratio(0n, 100n));
});

Deno.test("surplusBpsOfLimit() gives a reason for an order that would sell for nothing", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 0n } as const;
  assertReason(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 5n }, order), "zero_baseline");
  const free = { ...order, sellAmount: 0n };
  assertReason(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 5n }, free), "limit_without_price");
});

Deno.test("surplusBpsOfLimit() times the limit is the surplus", () => {
  fc.assert(fc.property(anyFill(), anyLimit(), (fill, order) => {
    const bps = surplusBpsOfLimit(fill, order);
    const limit = scaledLimit(fill, order);
    if (isNotComputable(bps)) return assertEquals(limit, 0n);
    assert(bps.denominator === limit);
    assertEquals(bps.numerator, 10_000n * computed(surplusAtoms(fill, order)));
  }));
});

Deno.test("surplusBpsOfQuote() scales a gross quote to the fill without rounding it", () => {
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 9n } as const;
  const quote = { sellAmount: 3n, buyAmount: 10n, fee: 1n };
  // Surplus 4 - 3 of a scaled quote of 10 / 3.
  assertEquals(
    surplusBpsOfQuote({ sellAmount: 1n, buyAmount: 4n }, order, quote),
    ratio(10_000n * 3n, 10n),
  );
});

Deno.test("surplusBpsOfQuote() of a buy order divides by the quoted sell amount", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  const quote = { sellAmount: 2_000n, buyAmount: 10n, fee: 1n };
  const bps = surplusBpsOfQuote({ sellAmount: 2_050n, buyAmount: 10n }, order, quote);
  assert(!isNotComputable(bps));
  assertEquals(ratioToNumber(bps), 250);
});

Deno.test("surplusBpsOfQuote() gives a reason if the scaled quote is 0 or has no price", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 5n } as const;
  const fill = { sellAmount: 10n, buyAmount: 6n };
  const nothing = { sellAmount: 10n, buyAmount: 0n, fee: 0n };
  assertReason(surplusBpsOfQuote(fill, order, nothing), "zero_baseline");
  const quote = { sellAmount: 10n, buyAmount: 7n, fee: 0n };
  const none = { sellAmount: 0n, buyAmount: 0n };
  assertReason(surplusBpsOfQuote(none, order, quote), "nothing_executed");
  const free = { sellAmount: 0n, buyAmount: 7n, fee: 0n };
  assertReason(surplusBpsOfQuote(fill, order, free), "quote_without_price");
});

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
