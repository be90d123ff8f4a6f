import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  feeRateByPolicy,
  type FeeRateRow,
  feeTimeline,
  type FeeTimelineRow,
} from "orderlens/charts";
import { fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function fee(bps: number | null, facts: Partial<FeeRateRow> = {}): FeeRateRow {
  return {
    order_uid: "0x0123456789abcdef",
    policy_kind: "surplus",
    is_partner: false,
    market_position: "out_of_market",
    fee_bps: bps,
    cap_bps: 98,
    is_capped: false,
    ...facts,
  };
}

const RATES = [
  fee(49),
  fee(98, { is_capped: true }),
  fee(24.5, { policy_kind: "priceImprovement", market_position: "in_market" }),
  fee(2, { policy_kind: "volume", cap_bps: null }),
  fee(10, { policy_kind: "volume", cap_bps: null, is_partner: true }),
];

Deno.test("feeRateByPolicy() draws one dot per fee against its cap, in a panel per market position", () => {
  const { svg } = feeRateByPolicy(RATES);
  const capped = marksOf(svg, "fee_rate").find((dot) => dot.title!.includes(", capped"));
  const caps = marksOf(svg, "cap");
  assertEquals(caps.length, 2, "one cap in each panel");
  assertAlmostEquals(numberOf(capped, "cx"), numberOf(caps[1], "x1"), 0.02);
  // In market only a fee on price improvement was charged: the other policies have no row there.
  const lists = svg.split('aria-label="y-axis tick label"').slice(1);
  assertEquals(lists.map((list) => list.split("</g>")[0]!.match(/<text/g)?.length), [1, 3]);
});

Deno.test("feeRateByPolicy() draws a cap far above the fees at the edge of the axis, and says so", () => {
  const { svg, finding } = feeRateByPolicy([fee(1), fee(4)]);
  const [cap] = marksOf(svg, "cap");
  const [, highest] = marksOf(svg, "fee_rate").map((dot) => numberOf(dot, "cx")).toSorted((a, b) =>
    a - b
  );
  // The axis ends at 4.
  assertAlmostEquals(numberOf(cap, "x1"), highest!, 0.02);
  assertStringIncludes(cap!.title!, "cap 98 bps");
  assertStringIncludes(svg, "Caps beyond the axis stand at its right edge");
  assertStringIncludes(
    finding,
    "0 of 2 (0%) fees with a cap were capped; the one that came closest",
  );
  assertStringIncludes(finding, "reached 4.1% of it");
});

Deno.test("feeRateByPolicy() tells fees of partners, capped ones and those of unknown origin apart", () => {
  const { svg } = feeRateByPolicy([...RATES, fee(1, { is_partner: null })]);
  const counts = Map.groupBy(fillsOf(svg, "fee_rate"), (fill) => fill);
  const expected = { "#56b4e9": 1, "#cc79a7": 1, "#d55e00": 1, "#e69f00": 3 };
  assertEquals(
    [...counts].map(([fill, own]) => [fill, own.length]).sort(),
    Object.entries(expected),
  );
});

Deno.test("feeRateByPolicy() says when the market position or the policy is not known", () => {
  const { svg } = feeRateByPolicy([fee(1, { market_position: null, policy_kind: null })]);
  assertStringIncludes(svg, "Market position not known (1 fee)");
  assertStringIncludes(svg, "fee without policy");
});

Deno.test("feeRateByPolicy() splits by what is asked", () => {
  const pairs = Array.from({ length: 9 }, (_, index) => fee(1, { pair: `T${index} → WETH` }));
  const { svg } = feeRateByPolicy(pairs, { by: "pair" });
  assertStringIncludes(svg, "T0 → WETH (1 fee)");
  assertStringIncludes(svg, "3 other pairs (3 fees)");
  assertStringIncludes(svg, "3 other pairs in one panel");
});

Deno.test("feeRateByPolicy() leaves out fees without a rate, and says how many", () => {
  const { svg, rows: drawn } = feeRateByPolicy([fee(1), fee(null), fee(NaN)]);
  assertStringIncludes(svg, "2 rows without a number in fee_bps left out");
  assertEquals(drawn.length, 1);
});

Deno.test("feeRateByPolicy() gives all panels axes of one length", () => {
  const { svg } = feeRateByPolicy([
    ...Array.from({ length: 1_000 }, () => fee(2, { market_position: "in_market" })),
    fee(2),
  ]);
  const [one, other] = marksOf(svg, "cap");
  assertEquals(numberOf(one, "x1"), numberOf(other, "x1"));
});

testPicture(
  "feeRateByPolicy",
  feeRateByPolicy,
  RATES,
  "The median of 5 fees is 24.5 bps, the highest 98.0 bps. 1 of 3 (33%) fees with a cap were capped.",
  ["No fees in this range", []],
  [
    "No fee in this range has a known rate",
    [fee(null)],
  ],
);

function feeAt(block: number | null, native: number | null, facts: Partial<FeeTimelineRow> = {}) {
  return { block_number: block, fee_native: native, policy_kind: "surplus", ...facts };
}

const FEES: FeeTimelineRow[] = [
  feeAt(100, 1, { policy_kind: "network" }),
  feeAt(100, 2),
  feeAt(100, 1, { policy_kind: "volume", is_partner: true }),
  feeAt(103, 4, { policy_kind: "priceImprovement" }),
];

Deno.test("feeTimeline() stacks the fees of a block by kind, in native tokens", () => {
  const { svg } = feeTimeline(FEES);
  const bars = marksOf(svg, "fees");
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
});

Deno.test("feeTimeline() adds fees of neighbouring blocks where there are many", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => feeAt(21_000_000 + index, 1));
  const { svg, rows: drawn } = feeTimeline(many);
  const bars = marksOf(svg, "fees");
  assertEquals(bars.length, 50);
  assertStringIncludes(svg, "One bar is 200 blocks");
  assertStringIncludes(bars[0]!.title!, "blocks 21,000,000 to 21,000,199\nsurplus fee: 200");
  assertEquals(drawn.length, 10_000);
});

Deno.test("feeTimeline() goes by time where that of any fee is known", () => {
  const at = (minute: number) => ({ timestamp: `2026-11-21T15:${minute}:00Z` });
  const { svg } = feeTimeline([feeAt(1, 1, at(10)), feeAt(2, 1, at(55))]);
  assertStringIncludes(svg, "Time (2026-11-21, UTC) →");
  assertStringIncludes(svg, "One bar is one minute");
  assertStringIncludes(marksOf(svg, "fees")[1]!.title!, "2026-11-21 15:55:00 to 15:56:00 UTC");
  const mixed = feeTimeline([feeAt(1, 1, at(10)), feeAt(2, 1), feeAt(1, 4)]);
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
  const { svg } = feeTimeline([feeAt(1, 1, at(10, "bracketed")), feeAt(2, 1, at(11, "block"))]);
  assertStringIncludes(marksOf(svg, "fees")[0]!.title!, "2026-11-21 15:10:00 to 15:10:01 UTC");
  assertStringIncludes(
    svg,
    "1 fee drawn at the earliest: only an interval of its time is known",
  );
  const both =
    feeTimeline([feeAt(1, 1, at(10, "bracketed")), feeAt(2, 1, at(11, "bracketed"))]).svg;
  assertStringIncludes(both, "2 fees drawn at the earliest: only intervals of their times");
  const none = feeTimeline([feeAt(1, 1, { filled_at_ms: null, time_basis: null })]).svg;
  assertStringIncludes(none, "Block →");
});

Deno.test("feeTimeline() draws negative amounts below zero", () => {
  const { svg } = feeTimeline([feeAt(1, 2), feeAt(1, -1)]);
  const [up, down] = marksOf(svg, "fees");
  assertAlmostEquals(numberOf(up, "y") + numberOf(up, "height"), numberOf(down, "y"), 0.02);
});

Deno.test("feeTimeline() gives each kind a panel of its own", () => {
  const { svg } = feeTimeline(FEES, { by: "policy_kind" });
  assertEquals(svg.match(/class="fees"/g)?.length, 4);
  assertStringIncludes(svg, "Each panel has its own axis");
});

Deno.test("feeTimeline() leaves out fees without a price or a block, and says how many", () => {
  const { svg, rows: drawn } = feeTimeline([
    feeAt(1, 1),
    feeAt(1, null),
    feeAt(1, NaN),
    feeAt(null, 1),
  ]);
  assertStringIncludes(svg, "2 fees without a native price left out");
  assertStringIncludes(svg, "1 fee without a block left out");
  assertEquals(drawn.length, 1);
});

testPicture(
  "feeTimeline",
  feeTimeline,
  FEES,
  "4 fees add up to 8 native tokens. The largest part are price improvement fees: 4 native " +
    "tokens (50%).",
  ["No fees in this range", []],
  [
    "No fee in this range has a native price and a time or a block",
    [feeAt(1, null)],
  ],
);
