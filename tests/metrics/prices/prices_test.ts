import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { impliedPrice, marketOverLimitBps, pricedSide, settledFill } from "orderlens/metrics";
import { shareOfNativeValue } from "../../../lib/metrics/prices/markout.ts";
import { anyAmount, anyFill, assertReason, fill, reasonOf } from "../fixtures.ts";
import { compareRatios, Decimal, ratio } from "orderlens/units";

Deno.test("pricedSide() is what was sold, or what was bought where the token sold has no price", () => {
  const exchange = { sellToken: "0xa1", sellAmount: 7n, buyToken: "0xb2", buyAmount: 9n };
  const measured = (prices: Readonly<Record<string, bigint>>) =>
    pricedSide(exchange, (token) => prices[token]);
  const sold = { token: "0xa1", atoms: 7n, price: 3n };
  assertEquals(measured({ "0xa1": 3n }), sold);
  assertEquals(measured({ "0xa1": 3n, "0xb2": 5n }), sold);
  assertEquals(measured({ "0xa1": 0n, "0xb2": 5n }), { ...sold, price: 0n });
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
    return reasonOf(settledFill({ ...TRADE, ...trade }, prices));
  };
  assertEquals(reason({ buyTokenIndex: 2 }), "token_not_in_settlement");
  assertEquals(reason({}, { ...SETTLEMENT, clearingPrices: [1n, 0n] }), "zero_price");
  assertEquals(reason({ sellAmount: 0n }), "limit_without_price");
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

Deno.test("impliedPrice() is what the roundings of the fee and the amounts allow", () => {
  const of = (kind: "sell" | "buy", executedFee: bigint) =>
    impliedPrice(fill(5n, 7n), { kind, executedFee });
  const open = { includesLow: false, high: null, includesHigh: false };
  // 7 bought; 3 sold before fees: floor(7 / r) = 5 - 2, so that 7 / r is from 3 to below 4.
  const bounded = { includesLow: false, high: ratio(7n, 3n), includesHigh: true };
  assertEquals(of("buy", 2n), { low: ratio(7n, 4n), ...bounded });
  assertEquals(of("buy", 5n), { low: ratio(7n, 1n), ...open });
  assertEquals(of("sell", 4n), { low: ratio(6n, 1n), ...open });
});

const NO_FITS = [["sell", 5n, 7n], ["buy", 6n, 7n], ["buy", -1n, 7n], ["sell", 1n, 0n]] as const;

Deno.test("impliedPrice() gives the reason if a fee does not fit its fill", () => {
  for (const [kind, executedFee, buyAmount] of NO_FITS) {
    const prices = impliedPrice(fill(5n, buyAmount), { kind, executedFee });
    assertReason(prices, "fee_does_not_fit");
  }
});

Deno.test("impliedPrice() throws nothing for any amounts", () => {
  fc.assert(fc.property(
    anyFill(),
    anyAmount(),
    fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
    (fill, executedFee, kind) => {
      const prices = impliedPrice(fill, { kind, executedFee });
      assert("reason" in prices || prices.low.numerator >= 0n);
    },
  ));
});

const SELL = { kind: "sell", sellAmount: 100n, buyAmount: 200n } as const;
const BUY = { kind: "buy", sellAmount: 100n, buyAmount: 200n } as const;

/** What is given is worth 100 of the first price, what is asked for 200 of the second. */
const ROWS = [
  // Worth 200 and 200: at the market.
  [SELL, 2n, 1n, ratio(0n, 1n)],
  // 210 given for 200: 10 of 200 over the limit; for the buyer 10 of the 210 that it would pay.
  [SELL, new Decimal(21n, 1), 1n, ratio(500n, 1n)],
  [BUY, new Decimal(21n, 1), 1n, ratio(100_000n, 210n)],
  // 200 given for 250: 50 of 250 below, and 50 of 200.
  [SELL, 2n, new Decimal(125n, 2), ratio(-2_000n, 1n)],
  [BUY, 2n, new Decimal(125n, 2), ratio(-2_500n, 1n)],
] as const;

Deno.test("marketOverLimitBps() is what the market gives over the limit, of the limit amount", () => {
  for (const [order, sell, buy, bps] of ROWS) {
    const over = marketOverLimitBps(order, { sell, buy });
    assert(
      "numerator" in over && compareRatios(over, bps) === 0,
      `${order.kind} at ${sell} and ${buy}`,
    );
  }
  assertReason(
    marketOverLimitBps({ ...SELL, buyAmount: 0n }, { sell: 2n, buy: 1n }),
    "zero_baseline",
  );
});
