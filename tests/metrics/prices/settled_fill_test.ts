import { decodeSettlement } from "orderlens/evm";
import { settledFill, surplusAtoms } from "orderlens/metrics";
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { computed } from "../assert_reason.ts";
import { recordedFills } from "../recorded_fills.ts";

const TRADE = {
  kind: "sell",
  partiallyFillable: true,
  sellAmount: 30n,
  buyAmount: 90n,
  feeAmount: 7n,
  executedAmount: 10n,
  sellTokenIndex: 0,
  buyTokenIndex: 1,
} as const;
const SETTLEMENT = { tokens: ["0xa1", "0xb2"], clearingPrices: [10n, 3n] };

Deno.test("settledFill() rounds amounts paid out up", () => {
  assertEquals(settledFill({ ...TRADE, feeAmount: 0n }, SETTLEMENT), {
    sellAmount: 10n,
    sellAmountBeforeFees: 10n,
    buyAmount: 34n,
  });
});

Deno.test("settledFill() rounds amounts taken in down", () => {
  assertEquals(settledFill({ ...TRADE, kind: "buy", feeAmount: 0n }, SETTLEMENT), {
    sellAmount: 3n,
    sellAmountBeforeFees: 3n,
    buyAmount: 10n,
  });
});

Deno.test("settledFill() takes a proportional part of the signed fee", () => {
  const fill = settledFill(TRADE, SETTLEMENT);
  assert(!("reason" in fill));
  // floor(7 * 10 / 30).
  assertEquals(fill.sellAmount, 12n);
  assertEquals(fill.sellAmountBeforeFees, 10n);
});

Deno.test("settledFill() of a fill-or-kill order is the whole order, regardless of the executed amount", () => {
  const fill = settledFill({ ...TRADE, partiallyFillable: false, executedAmount: 0n }, SETTLEMENT);
  assertEquals(fill, { sellAmount: 37n, sellAmountBeforeFees: 30n, buyAmount: 100n });
});

Deno.test("settledFill() gives the reason if it cannot be derived", () => {
  const reason = (trade: typeof TRADE | object, prices = SETTLEMENT) => {
    const result = settledFill({ ...TRADE, ...trade }, prices);
    return "reason" in result ? result.reason : undefined;
  };
  assertEquals(reason({ buyTokenIndex: 2 }), "token_not_in_settlement");
  assertEquals(reason({}, { ...SETTLEMENT, clearingPrices: [1n, 0n] }), "zero_price");
  assertEquals(reason({ sellAmount: 0n }), "limit_without_price");
});

Deno.test("settledFill() equals the reported fill of every recorded settlement", async () => {
  for (const { order, trade, input } of await recordedFills()) {
    const settlement = decodeSettlement(input);
    const encoded = settlement.trades.find((one) =>
      one.sellAmount === order.sellAmount && one.buyAmount === order.buyAmount &&
      one.validTo === order.validTo
    );
    assert(encoded !== undefined);
    const fill = settledFill(encoded, settlement);
    assertEquals(fill, {
      sellAmount: trade.sellAmount,
      sellAmountBeforeFees: trade.sellAmountBeforeFees,
      buyAmount: trade.buyAmount,
    });
    assert(!("reason" in fill));
    assertGreaterOrEqual(computed(surplusAtoms(fill, encoded)), 0n);
  }
});
