import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { fairGain, type FairGainRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function order(solver: string, gain: number | null, more: Partial<FairGainRow> = {}): FairGainRow {
  return { auction_id: 7, order_uid: "0x01", solver, is_batch: true, gain_bps: gain, ...more };
}

const cost = {
  ...{ solution_count: 8, filtered_count: 2 },
  ...{ total_score_native: 2, lost_score_native: 0.5 },
};
const rows = [
  order("A", 10, cost),
  order("A", 20),
  order("B", -5),
  order("B", null),
  order("C", 0, { is_batch: false, auction_id: 8 }),
];

Deno.test("fairGain() draws one dot per order, those of batches and those that won alone in strips of their own", () => {
  const chart = fairGain(rows);
  assertEquals(
    chart.title,
    "3 orders in batches: median +10.0 bps over the best single-pair bid",
  );
  assertEquals(chart.rows.length, 4);
  const dots = marksOf(chart.svg, "gain");
  assertEquals(dots.length, 4);
  const [less, ten, twenty] = dots.map((dot) => numberOf(dot, "cx"));
  assertAlmostEquals((ten! - less!) / (twenty! - ten!), 1.5, 0.01);
  assertStringIncludes(dots[1]!.title!, "A\nauction 7\n0x01\n+10.0 bps");
  assertStringIncludes(chart.svg, "n = 4 orders in 2 auctions");
  assertStringIncludes(chart.svg, "1 order without a single-pair bid left out");
  assertDrawn(chart.svg);
});

Deno.test("fairGain() says who got less, what was filtered out, and what that cost", () => {
  assertEquals(
    fairGain(rows).finding,
    "Orders in batches got a median +10.0 bps over their best single-pair bid. 1 of 4 (25%) orders got " +
      "less than that bid. 2 of 8 (25%) solutions were filtered out as unfair. Without the filter, " +
      "winners would have scored 25% more.",
  );
  const less = fairGain([order("A", 1, { ...cost, lost_score_native: -1 })]).finding;
  assertStringIncludes(less, "None of 1 order got less than that bid");
  assertStringIncludes(less, "Without the filter, winners would have scored 50% less.");
  const bare = fairGain([order("A", 1)]).finding;
  assertEquals(bare.split(". ").length, 2);
});

Deno.test("fairGain() speaks of orders that won alone where no batch won", () => {
  const chart = fairGain([order("A", 0, { is_batch: false })]);
  assertEquals(chart.title, "1 order won alone: median 0 bps over the best single-pair bid");
  assertStringIncludes(chart.finding, "No order in a batch had a single-pair bid.");
});

testPicture("fairGain", fairGain, rows, ["No orders won in this range", []], [
  "No order that won in this range had a single-pair bid",
  [order("A", null)],
]);
