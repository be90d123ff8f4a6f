import fc from "fast-check";
import { Decimal } from "orderlens";
import { type ContestedFill, type MarketPrices, markout, winnersCurse } from "orderlens/metrics";
import { compareRatios, type Ratio, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { computed, reasonOf } from "../fixtures.ts";

const SELL = "0xA1";
const BUY = "0xB2";

function pricesOf(sell: string, buy: string, decimals = [18, 6]): MarketPrices {
  return {
    sell: { token: SELL, decimals: decimals[0]!, price: Decimal.parse(sell) },
    buy: { token: BUY, decimals: decimals[1]!, price: Decimal.parse(buy) },
  };
}

Deno.test("markout() gives a reason where there is no price, sale or side", () => {
  const reason = (...args: Parameters<typeof markout>) => reasonOf(markout(...args));
  const fill = { sellAmount: 10n, buyAmount: 10n };
  assertEquals(reason(fill, pricesOf("0", "1")), "price_zero");
  assertEquals(reason(fill, pricesOf("1", "0.000")), "price_zero");
  assertEquals(reason({ sellAmount: 0n, buyAmount: 1n }, pricesOf("1", "1")), "nothing_sold");
  const fees = [{ token: SELL, amount: 10n }];
  assertEquals(reason(fill, pricesOf("1", "1"), { fees }), "nothing_sold");
  assertEquals(
    reason(fill, pricesOf("1", "1"), { fees: [{ token: "0xc3", amount: 1n }] }),
    "fee_in_other_token",
  );
  const token = { token: SELL, decimals: 0, price: Decimal.parse("7") };
  assertEquals(reason(fill, { sell: token, buy: token }, { fees }), "fee_side_unknown");
});

Deno.test("markout() times what was sold at market value gives what was bought", () => {
  const amount = fc.bigInt(1n, 2n ** 128n);
  const scale = fc.integer({ min: 0, max: 40 });
  const price = fc.tuple(amount, scale).map(([digits, places]) => new Decimal(digits, places));
  const decimals = fc.integer({ min: 0, max: 36 });
  fc.assert(
    fc.property(amount, amount, price, price, decimals, decimals, (s, b, ps, pb, ds, db) => {
      const bps = computed(markout({ sellAmount: s, buyAmount: b }, {
        sell: { token: SELL, decimals: ds, price: ps },
        buy: { token: BUY, decimals: db, price: pb },
      }));
      const [sold, bought] = [s * ps.coefficient, b * pb.coefficient];
      const soldUnit = 10n ** BigInt(ds + ps.scale);
      const boughtUnit = 10n ** BigInt(db + pb.scale);
      const expected = ratio(
        10_000n * (bought * soldUnit - sold * boughtUnit),
        sold * boughtUnit,
      );
      assertEquals(compareRatios(bps, expected), 0);
    }),
  );
});

function fill(bidders: number | null, bps: Ratio | null, before = bps): ContestedFill {
  const none = { reason: "time_unknown", detail: "no time" };
  return { bidders, markout: bps ?? none, beforeFees: before ?? none };
}

const bps = (value: bigint) => ratio(value, 1n);

Deno.test("winnersCurse() compares the medians by number of bidders with those of the fewest", () => {
  const rows = winnersCurse([
    fill(3, bps(7n), bps(9n)),
    fill(1, bps(-4n), bps(-2n)),
    fill(1, ratio(-1n, 3n), ratio(1n, 3n)),
    fill(1, bps(10n), bps(12n)),
    fill(1, bps(0n), bps(1n)),
    fill(3, null),
    fill(3, bps(1n), null),
    fill(null, bps(100n)),
    fill(9, null),
  ]);
  assertEquals(rows.map((one) => [one.bidders, one.fills, one.unknownFills]), [
    [1, 4, 0],
    [3, 1, 2],
    [9, 0, 1],
  ]);
  // The middle of -4, -1/3, 0 and 10 is -1/6; that of -2, 1/3, 1 and 12 is 2/3; 9 less that is 25/3.
  const exact: [Ratio | null, Ratio][] = [
    [rows[0]!.markout, ratio(-1n, 6n)],
    [rows[0]!.beforeFees, ratio(2n, 3n)],
    [rows[0]!.curse, ratio(0n, 1n)],
    [rows[1]!.markout, bps(7n)],
    [rows[1]!.curse, ratio(25n, 3n)],
  ];
  for (const [found, expected] of exact) assertEquals(compareRatios(found!, expected), 0);
  assertEquals([rows[2]!.markout, rows[2]!.beforeFees, rows[2]!.curse], [null, null, null]);
  assertEquals(winnersCurse([]), []);
});

Deno.test("winnersCurse() takes the fewest bidders that have fills", () => {
  const [, two, three] = winnersCurse([fill(1, null), fill(2, bps(1n)), fill(3, bps(4n))]);
  assertEquals([ratioToNumber(two!.curse!), ratioToNumber(three!.curse!)], [0, 3]);
});

Deno.test("winnersCurse() has half of the fills on either side of its medians, for any fills", () => {
  const anyRatio = fc.tuple(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.bigInt(1n, 10n ** 30n))
    .map(([part, whole]) => ratio(part, whole));
  const anyFill = fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.option(anyRatio))
    .map(([bidders, ratio]) => fill(bidders, ratio));
  fc.assert(fc.property(fc.array(anyFill, { maxLength: 12 }), (fills) => {
    for (const { bidders, markout } of winnersCurse(fills)) {
      const own = fills.filter((one) => one.bidders === bidders)
        .flatMap(({ markout: one }) => "reason" in one ? [] : [compareRatios(one, markout!)]);
      assert(own.filter((sign) => sign < 0).length * 2 <= own.length);
      assert(own.filter((sign) => sign > 0).length * 2 <= own.length);
    }
  }));
});
