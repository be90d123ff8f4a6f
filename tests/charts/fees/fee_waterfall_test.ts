import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { feeWaterfall, type FeeWaterfallRow } from "orderlens/charts";
import { assertDrawn, type Mark, marksOf, numberOf, testPicture } from "../svg_marks.ts";

type Step = Partial<FeeWaterfallRow> & Pick<FeeWaterfallRow, "part">;

function fill(kind: "sell" | "buy", ...steps: readonly Step[]): FeeWaterfallRow[] {
  return steps.map((step, index) => ({
    order_uid: "0x0123456789abcdef",
    kind,
    step: index + 1,
    token: "USDC",
    amount_tokens: null,
    ...step,
  }));
}

const sell = fill(
  "sell",
  { part: "clearing", amount_tokens: 100 },
  { part: "network", amount_tokens: 1 },
  { part: "protocol", policy_kind: "surplus", amount_tokens: 4, is_capped: true },
  { part: "partner", policy_kind: "volume", amount_tokens: 2 },
  { part: "executed", amount_tokens: 93 },
);

const buy = fill(
  "buy",
  { part: "clearing", amount_tokens: 93 },
  { part: "network", amount_tokens: 1 },
  { part: "protocol", policy_kind: "priceImprovement", amount_tokens: 6 },
  { part: "executed", amount_tokens: 100 },
);

function endsOf(mark: Mark | undefined): [number, number] {
  const x = numberOf(mark, "x");
  return [x, x + numberOf(mark, "width")];
}

Deno.test("feeWaterfall() ends at the executed amount, and begins at the one at clearing prices", () => {
  const { svg } = feeWaterfall(sell.toReversed());
  const [clearing, executed] = marksOf(svg, "whole").map((mark) => numberOf(mark, "x1"));
  const [network, protocol, partner] = marksOf(svg, "fee").map(endsOf);
  assertAlmostEquals(network![1], clearing!, 0.02);
  assertAlmostEquals(network![0], protocol![1], 0.02);
  assertAlmostEquals(protocol![0], partner![1], 0.02);
  assertAlmostEquals(partner![0], executed!, 0.02);
  assertAlmostEquals((protocol![1] - protocol![0]) / (network![1] - network![0]), 4, 0.01);
});

Deno.test("feeWaterfall() adds fees to what a buy order paid", () => {
  const { svg, title } = feeWaterfall(buy);
  assertEquals(title, "A buy order paid 100 USDC for 93 USDC at clearing prices");
  const [clearing, executed] = marksOf(svg, "whole").map((mark) => numberOf(mark, "x1"));
  const [network, protocol] = marksOf(svg, "fee").map(endsOf);
  assertAlmostEquals(network![0], clearing!, 0.02);
  assertAlmostEquals(protocol![0], network![1], 0.02);
  assertAlmostEquals(protocol![1], executed!, 0.02);
  assertStringIncludes(svg, "+6");
  assertStringIncludes(svg, "owner paid");
});

Deno.test("feeWaterfall() draws a network fee that is not exact as a range, and the clearing amount too", () => {
  const { svg, title } = feeWaterfall(fill(
    "sell",
    { part: "clearing", amount_low_tokens: 99, amount_high_tokens: 101 },
    { part: "network", amount_low_tokens: 0, amount_high_tokens: 2 },
    { part: "protocol", policy_kind: "volume", amount_tokens: 6 },
    { part: "executed", amount_tokens: 93 },
  ));
  assertEquals(title, "A sell order received 93 of 99 to 101 USDC at clearing prices");
  const [range] = marksOf(svg, "whole_range").map(endsOf);
  const [uncertain] = marksOf(svg, "uncertain").map(endsOf);
  assertAlmostEquals(uncertain![0], range![0], 0.02);
  assertAlmostEquals(uncertain![1], range![1], 0.02);
  assertStringIncludes(svg, "0 to −2");
  assertStringIncludes(svg, "may also be network fee");
});

Deno.test("feeWaterfall() draws a range of a few atoms as one amount, and says how wide it is", () => {
  const { svg, title } = feeWaterfall(fill(
    "sell",
    { part: "clearing", amount_low_tokens: 100, amount_high_tokens: 100.0000001 },
    { part: "network", amount_low_tokens: 7, amount_high_tokens: 7.0000001 },
    { part: "executed", amount_tokens: 93 },
  ));
  assertEquals(title, "A sell order received 93 of 100 USDC at clearing prices");
  assertEquals(marksOf(svg, "uncertain"), []);
  assertStringIncludes(svg, "about −7");
  assertStringIncludes(svg, "Network fee known to within 1e−7 USDC");
  const atoms = feeWaterfall(fill(
    "sell",
    { part: "network", amount_low_tokens: 0.07, amount_high_tokens: 0.07 + 2 ** -56 },
    { part: "executed", amount_tokens: 93 },
  ));
  assertStringIncludes(atoms.svg, "known to within 1e−17 USDC");
});

Deno.test("feeWaterfall() says by how much the steps miss the clearing amount", () => {
  assertEquals(feeWaterfall(sell).svg.includes("do not add up"), false);
  const { svg } = feeWaterfall([{ ...sell[0]!, amount_tokens: 103 }, ...sell.slice(1)]);
  assertStringIncludes(svg, "The steps do not add up: fees and what was executed miss");
  assertStringIncludes(svg, "amount by 3");
});

Deno.test("feeWaterfall() bears the rounding of doubles", () => {
  const fees = [0.1, 0.2, 0.3].map((amount_tokens): Step => ({ part: "protocol", amount_tokens }));
  const { svg } = feeWaterfall(fill(
    "sell",
    { part: "clearing", amount_tokens: 1.6 },
    ...fees,
    { part: "executed", amount_tokens: 1 },
  ));
  assertEquals(svg.includes("do not add up"), false);
});

Deno.test("feeWaterfall() draws what is known, and says what is not", () => {
  const { svg } = feeWaterfall(
    sell.map((row) => row.part === "protocol" ? { ...row, amount_tokens: NaN } : row),
  );
  assertEquals(marksOf(svg, "fee").length, 1, "only the partner's fee has a place");
  assertEquals(marksOf(svg, "whole").length, 2);
  assertStringIncludes(svg, "not known");
  assertStringIncludes(svg, "−1, place not known");
  assertDrawn(svg);
});

Deno.test("feeWaterfall() draws one fill, and says whose rows it leaves out", () => {
  const other = { ...sell[0]!, block_number: 7 };
  const { svg, rows } = feeWaterfall([...sell, other]);
  assertStringIncludes(svg, "1 row of 1 other fill left out");
  assertEquals(rows.length, 5);
});

testPicture(
  "feeWaterfall",
  feeWaterfall,
  sell,
  "A sell order received 93 of 100 USDC at clearing prices. All fees are 7 USDC: the network fee " +
    "1, the surplus fee 4 and the partner's volume fee 2.",
  ["No fill to draw", []],
  [
    "decimals are missing",
    sell.map((row) => ({ ...row, amount_tokens: null })),
  ],
);
