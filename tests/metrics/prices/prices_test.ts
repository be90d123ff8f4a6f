import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { divideNativeValues } from "../../../lib/metrics/prices/markout.ts";
import {
  type ContestedFill,
  impliedPrice,
  marketOverLimitBps,
  type MarketPrices,
  markout,
  pricedSide,
  settledFill,
  winnersCurse,
} from "orderlens/metrics";
import { assertReason, computed, fill, reasonOf } from "../fixtures.ts";
import { compareRatios, Decimal, type Ratio, ratio, ratioToNumber } from "orderlens/units";

Deno.test("pricedSide() is the side sold, or the one bought where the token sold has no price", () => {
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

Deno.test("settledFill() rounds payments up, and receipts and the part of the signed fee down", () => {
  const of = (more: object) => settledFill({ ...TRADE, ...more }, SETTLEMENT);
  const sale = { sellAmount: 10n, sellAmountBeforeFees: 10n, buyAmount: 34n };
  assertEquals(of({ feeAmount: 0n }), sale);
  // 11 are 3.3 of what is sold.
  const purchase = { sellAmount: 3n, sellAmountBeforeFees: 3n, buyAmount: 11n };
  assertEquals(of({ kind: "buy", feeAmount: 0n, executedAmount: 11n }), purchase);
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

Deno.test("divideNativeValues() is the received value over the value paid, exactly, at prices of any size", () => {
  // 10^18 at 1 against 2,000 * 10^6 at 400,000,000.000000000000000000001: a little more than 4/5.
  const given = { atoms: 10n ** 18n, price: Decimal.parse("1") };
  const [dust, gold] = [{ atoms: 1n, price: Decimal.parse("4.21E-10") }, Decimal.parse("1e-12")];
  for (
    const [one, atoms, price, share] of [
      [given, 2_000_000_000n, Decimal.parse("4e8"), ratio(4n, 5n)],
      [
        ...[given, 2_000_000_000n, Decimal.parse("400000000.000000000000000000001")] as const,
        ratio(8n * 10n ** 29n + 2n, 10n ** 30n),
      ],
      [dust, 421n, gold, ratio(1n, 1n)],
    ] as const
  ) assertEquals(compareRatios(divideNativeValues(one, { atoms, price }), share), 0);
  assertThrows(() => divideNativeValues({ ...dust, atoms: 0n }, given), RangeError);
});

Deno.test("impliedPrice() is the range that the roundings of the fee and the amounts allow", () => {
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

Deno.test("marketOverLimitBps() is the gain of the market over the limit, of the limit amount", () => {
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

const SOLD = "0xA1";
const BOUGHT = "0xB2";

function pricesOf(sell: string, buy: string, decimals = [18, 6]): MarketPrices {
  return {
    sell: { token: SOLD, decimals: decimals[0]!, price: Decimal.parse(sell) },
    buy: { token: BOUGHT, decimals: decimals[1]!, price: Decimal.parse(buy) },
  };
}

Deno.test("markout() gives a reason where there is no price, sale or side", () => {
  const reason = (...args: Parameters<typeof markout>) => reasonOf(markout(...args));
  const fill = { sellAmount: 10n, buyAmount: 10n };
  assertEquals(reason(fill, pricesOf("0", "1")), "price_zero");
  assertEquals(reason(fill, pricesOf("1", "0.000")), "price_zero");
  assertEquals(reason({ sellAmount: 0n, buyAmount: 1n }, pricesOf("1", "1")), "nothing_sold");
  const fees = [{ token: SOLD, amount: 10n }];
  assertEquals(reason(fill, pricesOf("1", "1"), { fees }), "nothing_sold");
  assertEquals(
    reason(fill, pricesOf("1", "1"), { fees: [{ token: "0xc3", amount: 1n }] }),
    "fee_in_other_token",
  );
  const token = { token: SOLD, decimals: 0, price: Decimal.parse("7") };
  assertEquals(reason(fill, { sell: token, buy: token }, { fees }), "fee_side_unknown");
});

Deno.test("markout() times the market value sold gives the value bought", () => {
  const amount = fc.bigInt(1n, 2n ** 128n);
  const scale = fc.integer({ min: 0, max: 40 });
  const price = fc.tuple(amount, scale).map(([digits, places]) => new Decimal(digits, places));
  const decimals = fc.integer({ min: 0, max: 36 });
  fc.assert(
    fc.property(amount, amount, price, price, decimals, decimals, (s, b, ps, pb, ds, db) => {
      const wholeBps = computed(markout({ sellAmount: s, buyAmount: b }, {
        sell: { token: SOLD, decimals: ds, price: ps },
        buy: { token: BOUGHT, decimals: db, price: pb },
      }));
      const [sold, bought] = [s * ps.coefficient, b * pb.coefficient];
      const soldUnit = 10n ** BigInt(ds + ps.scale);
      const boughtUnit = 10n ** BigInt(db + pb.scale);
      const expected = ratio(
        10_000n * (bought * soldUnit - sold * boughtUnit),
        sold * boughtUnit,
      );
      assertEquals(compareRatios(wholeBps, expected), 0);
    }),
  );
});

function contested(
  bidders: number | null,
  wholeBps: Ratio | null,
  before = wholeBps,
): ContestedFill {
  const none = { reason: "time_unknown", detail: "no time" };
  return { bidders, markout: wholeBps ?? none, beforeFees: before ?? none };
}

const wholeBps = (value: bigint) => ratio(value, 1n);

Deno.test("winnersCurse() compares the medians by number of bidders with those of the fewest", () => {
  const rows = winnersCurse([
    contested(3, wholeBps(7n), wholeBps(9n)),
    contested(1, wholeBps(-4n), wholeBps(-2n)),
    contested(1, ratio(-1n, 3n), ratio(1n, 3n)),
    contested(1, wholeBps(10n), wholeBps(12n)),
    contested(1, wholeBps(0n), wholeBps(1n)),
    contested(3, null),
    contested(3, wholeBps(1n), null),
    contested(null, wholeBps(100n)),
    contested(9, null),
  ]);
  assertEquals(rows.map((one) => [one.bidders, one.fills, one.unknownFills]), [
    [1, 4, 0],
    [3, 1, 2],
    [9, 0, 1],
    [null, 1, 0],
  ]);
  assertEquals([rows[3]!.markout, rows[3]!.curse], [wholeBps(100n), null]);
  // The middle of -4, -1/3, 0 and 10 is -1/6; that of -2, 1/3, 1 and 12 is 2/3; 9 less that is 25/3.
  const exact: [Ratio | null, Ratio][] = [
    [rows[0]!.markout, ratio(-1n, 6n)],
    [rows[0]!.beforeFees, ratio(2n, 3n)],
    [rows[0]!.curse, ratio(0n, 1n)],
    [rows[1]!.markout, wholeBps(7n)],
    [rows[1]!.curse, ratio(25n, 3n)],
  ];
  for (const [found, expected] of exact) assertEquals(compareRatios(found!, expected), 0);
  assertEquals([rows[2]!.markout, rows[2]!.beforeFees, rows[2]!.curse], [null, null, null]);
  assertEquals(winnersCurse([]), []);
});

Deno.test("winnersCurse() has the interval of a difference, where both sides have ten fills", () => {
  const rows = (own: number, more: (index: number) => bigint) =>
    winnersCurse([
      ...Array.from({ length: 10 }, (_, index) => contested(1, wholeBps(BigInt(index)))),
      ...Array.from({ length: own }, (_, index) => contested(2, wholeBps(more(index)))),
    ]);
  const far = rows(10, (index) => 100n + BigInt(index));
  assertEquals(far[0]!.curseInterval, null);
  assert(far[1]!.curseInterval!.low > 90 && far[1]!.curseInterval!.high < 110);
  const near = rows(10, (index) => BigInt(index) + 1n)[1]!.curseInterval!;
  assert(near.low < 0 && near.high > 0);
  assertEquals(rows(9, () => 100n)[1]!.curseInterval, null);
});

Deno.test("winnersCurse() compares with the fewest bidders that have fills", () => {
  const [, two, three] = winnersCurse([
    contested(1, null),
    contested(2, wholeBps(1n)),
    contested(3, wholeBps(4n)),
  ]);
  assertEquals([ratioToNumber(two!.curse!), ratioToNumber(three!.curse!)], [0, 3]);
});

Deno.test("winnersCurse() has half of the fills on either side of its medians, for any fills", () => {
  const anyRatio = fc.tuple(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.bigInt(1n, 10n ** 30n))
    .map(([part, whole]) => ratio(part, whole));
  const anyFill = fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.option(anyRatio))
    .map(([bidders, ratio]) => contested(bidders, ratio));
  fc.assert(fc.property(fc.array(anyFill, { maxLength: 12 }), (fills) => {
    for (const { bidders, markout } of winnersCurse(fills)) {
      const own = fills.filter((one) => one.bidders === bidders)
        .flatMap(({ markout: one }) => "reason" in one ? [] : [compareRatios(one, markout!)]);
      assert(own.filter((sign) => sign < 0).length * 2 <= own.length);
      assert(own.filter((sign) => sign > 0).length * 2 <= own.length);
    }
  }));
});
