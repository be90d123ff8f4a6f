import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { feeTimeline, type FeeTimelineRow } from "orderlens/charts";
import { fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function fee(block: number | null, native: number | null, facts: Partial<FeeTimelineRow> = {}) {
  return { block_number: block, fee_native: native, policy_kind: "surplus", ...facts };
}

const rows: FeeTimelineRow[] = [
  fee(100, 1, { policy_kind: "network" }),
  fee(100, 2),
  fee(100, 1, { policy_kind: "volume", is_partner: true }),
  fee(103, 4, { policy_kind: "priceImprovement" }),
];

Deno.test("feeTimeline() stacks the fees of a block by kind, in native tokens", () => {
  const { svg, title } = feeTimeline(rows, { nativeSymbol: "ETH" });
  assertEquals(title, "Fees over time: 8 ETH in total");
  const bars = marksOf(svg, "fees");
  assertEquals(fillsOf(svg, "fees"), ["#b8bec5", "#e69f00", "#cc79a7", "#0072b2"]);
  const [network, surplus, partner, other] = bars;
  assertEquals(numberOf(network, "x"), numberOf(partner, "x"));
  assertAlmostEquals(numberOf(surplus, "height") / numberOf(network, "height"), 2, 0.01);
  assertAlmostEquals(
    numberOf(surplus, "y") + numberOf(surplus, "height"),
    numberOf(network, "y"),
    0.02,
  );
  assertAlmostEquals(numberOf(partner, "y"), numberOf(other, "y"), 0.02, "both sums are 4");
  assert(numberOf(other, "x") > numberOf(partner, "x"));
  assertStringIncludes(surplus!.title!, "block 100\nsurplus fee: 2 ETH in 1 fee");
  assertStringIncludes(svg, "Block →");
});

Deno.test("feeTimeline() adds fees of neighbouring blocks where there are many", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => fee(21_000_000 + index, 1));
  const { svg, rows: drawn } = feeTimeline(many);
  const bars = marksOf(svg, "fees");
  assertEquals(bars.length, 50);
  assertStringIncludes(svg, "One bar is 200 blocks");
  assertStringIncludes(bars[0]!.title!, "blocks 21,000,000 to 21,000,199\nsurplus fee: 200");
  assertEquals(drawn.length, 10_000);
});

Deno.test("feeTimeline() goes by time where that of any fee is known", () => {
  const at = (minute: number) => ({ timestamp: `2026-11-21T15:${minute}:00Z` });
  const { svg } = feeTimeline([fee(1, 1, at(10)), fee(2, 1, at(55))]);
  assertStringIncludes(svg, "Time (2026-11-21, UTC) →");
  assertStringIncludes(svg, "One bar is one minute");
  assertStringIncludes(marksOf(svg, "fees")[1]!.title!, "2026-11-21 15:55:00 to 15:56:00 UTC");
  const mixed = feeTimeline([fee(1, 1, at(10)), fee(2, 1), fee(1, 4)]);
  assertStringIncludes(mixed.svg, "1 fee without a known time left out");
  assertStringIncludes(mixed.svg, "Fees over time: 5 native tokens in total");
  assertStringIncludes(marksOf(mixed.svg, "fees")[0]!.title!, "surplus fee: 5 native tokens in 2");
});

Deno.test("feeTimeline() draws a fee of an interval at its start, and says how many", () => {
  // 2026-11-21 15:10:00 UTC and a minute later.
  const at = (minute: number, basis: string) => ({
    filled_at_ms: Date.UTC(2026, 10, 21, 15, minute),
    time_basis: basis,
    timestamp: "2000-01-01T00:00:00Z",
  });
  const { svg } = feeTimeline([fee(1, 1, at(10, "bracketed")), fee(2, 1, at(11, "block"))]);
  assertStringIncludes(marksOf(svg, "fees")[0]!.title!, "2026-11-21 15:10:00 to 15:10:01 UTC");
  assertStringIncludes(
    svg,
    "1 fee drawn at the earliest: only an interval of its time is known",
  );
  const both = feeTimeline([fee(1, 1, at(10, "bracketed")), fee(2, 1, at(11, "bracketed"))]).svg;
  assertStringIncludes(both, "2 fees drawn at the earliest: only intervals of their times");
  const none = feeTimeline([fee(1, 1, { filled_at_ms: null, time_basis: null })]).svg;
  assertStringIncludes(none, "Block →");
});

Deno.test("feeTimeline() draws negative amounts below zero", () => {
  const { svg } = feeTimeline([fee(1, 2), fee(1, -1)]);
  const [up, down] = marksOf(svg, "fees");
  assertAlmostEquals(numberOf(up, "y") + numberOf(up, "height"), numberOf(down, "y"), 0.02);
});

Deno.test("feeTimeline() gives each kind a panel of its own", () => {
  const { svg } = feeTimeline(rows, { by: "policy_kind" });
  assertEquals(svg.match(/class="fees"/g)?.length, 4);
  assertStringIncludes(svg, "Each panel has its own axis");
});

Deno.test("feeTimeline() leaves out fees without a price or a block, and says how many", () => {
  const { svg, rows: drawn } = feeTimeline([fee(1, 1), fee(1, null), fee(1, NaN), fee(null, 1)]);
  assertStringIncludes(svg, "2 fees without a native price left out");
  assertStringIncludes(svg, "1 fee without a block left out");
  assertEquals(drawn.length, 1);
});

testPicture("feeTimeline", feeTimeline, rows, ["No fees in this range", []], [
  "No fee in this range has a native price and a time or a block",
  [fee(1, null)],
]);
