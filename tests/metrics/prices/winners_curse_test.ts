import fc from "fast-check";
import { type ContestedFill, winnersCurse } from "orderlens/metrics";
import { compareRatios, type Ratio, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";

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
