import { assert, assertEquals, assertGreaterOrEqual, assertThrows } from "@std/assert";
import { decodeSettlement } from "orderlens/evm";
import { pricedSide, settledFill, surplusAtoms } from "orderlens/metrics";
import { shareOfNativeValue } from "../../../lib/metrics/prices/markout.ts";
import { compareRatios, Decimal, ratio } from "../../../lib/units/mod.ts";
import { computed } from "../assert_reason.ts";
import { recordedFills } from "../recorded_run.ts";

const EXCHANGE = { sellToken: "0xa1", sellAmount: 7n, buyToken: "0xb2", buyAmount: 9n };

function measured(prices: Readonly<Record<string, bigint>>) {
  return pricedSide(EXCHANGE, (token) => prices[token]);
}

Deno.test("pricedSide() is what was sold, whatever the price of what was bought", () => {
  const sold = { token: "0xa1", atoms: 7n, price: 3n };
  assertEquals(measured({ "0xa1": 3n }), sold);
  assertEquals(measured({ "0xa1": 3n, "0xb2": 5n }), sold);
  assertEquals(measured({ "0xa1": 0n, "0xb2": 5n }), { ...sold, price: 0n });
});

Deno.test("pricedSide() is what was bought where the token sold has no price", () => {
  assertEquals(measured({ "0xb2": 5n }), { token: "0xb2", atoms: 9n, price: 5n });
  assertEquals(measured({ "0xc3": 5n }), null);
});

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

Deno.test("settledFill() rounds what is paid out up, what is taken in and the part of the signed fee down", () => {
  const of = (more: object) => settledFill({ ...TRADE, ...more }, SETTLEMENT);
  const sale = { sellAmount: 10n, sellAmountBeforeFees: 10n, buyAmount: 34n };
  assertEquals(of({ feeAmount: 0n }), sale);
  const purchase = { sellAmount: 3n, sellAmountBeforeFees: 3n, buyAmount: 10n };
  assertEquals(of({ kind: "buy", feeAmount: 0n }), purchase);
  // floor(7 * 10 / 30).
  assertEquals(of({}), { ...sale, sellAmount: 12n });
  // A fill-or-kill order is filled whole, regardless of the executed amount.
  const whole = { sellAmount: 37n, sellAmountBeforeFees: 30n, buyAmount: 100n };
  assertEquals(of({ partiallyFillable: false, executedAmount: 0n }), whole);
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

Deno.test("shareOfNativeValue() is the received value over the given value, exactly", () => {
  // 10^18 at 1 against 2,000 * 10^6 at 400,000,000.000000000000000000001: a little more than 4/5.
  const given = { atoms: 10n ** 18n, price: Decimal.parse("1") };
  const price = Decimal.parse("400000000.000000000000000000001");
  const share = shareOfNativeValue(given, { atoms: 2_000_000_000n, price });
  assertEquals(compareRatios(share, ratio(4n, 5n)), 1);
  assertEquals(
    compareRatios(share, ratio(8n * 10n ** 29n + 2n, 10n ** 30n)),
    0,
  );
  const even = { atoms: 2_000_000_000n, price: Decimal.parse("4e8") };
  assertEquals(compareRatios(shareOfNativeValue(given, even), ratio(4n, 5n)), 0);
});

Deno.test("shareOfNativeValue() supports prices of any size", () => {
  const dust = { atoms: 1n, price: Decimal.parse("4.21E-10") };
  const gold = { atoms: 421n, price: Decimal.parse("1e-12") };
  assertEquals(compareRatios(shareOfNativeValue(dust, gold), ratio(1n, 1n)), 0);
  assertEquals(shareOfNativeValue(dust, { ...gold, atoms: 0n }).numerator, 0n);
  assertThrows(() => shareOfNativeValue({ ...dust, atoms: 0n }, gold), RangeError);
});
