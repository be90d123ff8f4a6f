import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { feeRateByPolicy, type FeeRateRow } from "orderlens/charts";
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

const rows = [
  fee(49),
  fee(98, { is_capped: true }),
  fee(24.5, { policy_kind: "priceImprovement", market_position: "in_market" }),
  fee(2, { policy_kind: "volume", cap_bps: null }),
  fee(10, { policy_kind: "volume", cap_bps: null, is_partner: true }),
];

Deno.test("feeRateByPolicy() draws one dot per fee against its cap, in a panel per market position", () => {
  const { svg, title } = feeRateByPolicy(rows);
  assertEquals(
    title,
    "What fee policies charged: median 24.5, at most 98.0 bps; 1 of 3 fees with a cap was capped",
  );
  const dots = marksOf(svg, "fee_rate");
  assertEquals(dots.length, 5);
  assertStringIncludes(svg, "In market: the limit could be met at the quote (1 fee)");
  assertStringIncludes(svg, "Out of market: the limit waits for a better price");
  const capped = dots.find((dot) => dot.title!.includes(", capped"));
  const caps = marksOf(svg, "cap");
  assertEquals(caps.length, 2, "one cap in each panel");
  assertAlmostEquals(numberOf(capped, "cx"), numberOf(caps[1], "x1"), 0.02);
  // In market only a fee on price improvement was charged: the other policies have no row there.
  const lists = svg.split('aria-label="y-axis tick label"').slice(1);
  assertEquals(lists.map((list) => list.split("</g>")[0]!.match(/<text/g)?.length), [1, 3]);
  assertStringIncludes(svg, ">median 73.5, max 98.0, n = 2<");
});

Deno.test("feeRateByPolicy() draws a cap far above the fees at the edge of the axis, and says so", () => {
  const { svg } = feeRateByPolicy([fee(1), fee(4)]);
  const [cap] = marksOf(svg, "cap");
  const [, highest] = marksOf(svg, "fee_rate").map((dot) => numberOf(dot, "cx")).toSorted((a, b) =>
    a - b
  );
  // The axis ends at 4.
  assertAlmostEquals(numberOf(cap, "x1"), highest!, 0.02);
  assertStringIncludes(cap!.title!, "cap 98 bps");
  assertStringIncludes(svg, "Caps beyond the axis stand at its right edge");
});

Deno.test("feeRateByPolicy() tells fees of partners, capped ones and those of unknown origin apart", () => {
  const { svg } = feeRateByPolicy([...rows, fee(1, { is_partner: null })]);
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
  const fee = {
    order_uid: "0x01",
    policy_kind: "surplus",
    cap_bps: 98,
    is_capped: false,
    fee_bps: 2,
  };
  const { svg } = feeRateByPolicy([
    ...Array.from({ length: 1_000 }, () => ({ ...fee, market_position: "in_market" })),
    { ...fee, market_position: "out_of_market" },
  ]);
  const [one, other] = marksOf(svg, "cap");
  assertEquals(numberOf(one, "x1"), numberOf(other, "x1"));
});

testPicture("feeRateByPolicy", feeRateByPolicy, rows, ["No fees in this range", []], [
  "No fee in this range has a known rate",
  [fee(null)],
]);
