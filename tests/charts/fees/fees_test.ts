import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  feeRateByPolicy,
  type FeeRateRow,
  feeWaterfall,
  type FeeWaterfallRow,
} from "orderlens/charts";
import { fillsOf, type Mark, marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

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

testSays("feeRateByPolicy", {
  "draws a cap far above the fees at the edge of the axis, and says so": [
    () => feeRateByPolicy([fee(1), fee(4)]),
    "cap 98 bps",
    "Caps beyond the axis are shown at its right edge",
    "0 of 2 (0%) fees with a cap reached it; the one that came closest reached 4.1% of it",
  ],
  "says when the market position or the policy is not known": [
    () => feeRateByPolicy([fee(1, { market_position: null, policy_kind: null })]),
    "Market position unknown (1 fee)",
    "fee without policy",
  ],
  "splits by what is asked": [
    () =>
      feeRateByPolicy(
        Array.from({ length: 9 }, (_, index) => fee(1, { pair: `T${index} → WETH` })),
        { by: "pair" },
      ),
    "T0 → WETH (1 fee)",
    "3 other pairs (3 fees)",
    "3 other pairs in one panel",
  ],
  "leaves out fees without a rate, and says how many": [
    () => feeRateByPolicy([fee(1), fee(null), fee(NaN)]),
    1,
    "2 rows without a number in fee_bps left out",
  ],
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
  "The median of 5 fees is 24.5 bps, the highest 98.0 bps. 1 of 3 (33%) fees with a cap reached it.",
  ["No fees in this range", []],
  [
    "No fee in this range has a known rate",
    [fee(null)],
  ],
);

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

testSays("feeWaterfall", {
  "draws a range of a few atoms as one amount, and says how wide it is": [
    () =>
      feeWaterfall(fill(
        "sell",
        { part: "clearing", amount_low_tokens: 100, amount_high_tokens: 100.0000001 },
        { part: "network", amount_low_tokens: 7, amount_high_tokens: 7.0000001 },
        { part: "executed", amount_tokens: 93 },
      )),
    "A sell order received 93 of 100 USDC at clearing prices",
    "about −7",
    "Network fee known to within 1e−7 USDC",
    { lacks: "may also be network fee" },
  ],
  "says how wide the least range is": [
    () =>
      feeWaterfall(fill(
        "sell",
        { part: "network", amount_low_tokens: 0.07, amount_high_tokens: 0.07 + 2 ** -56 },
        { part: "executed", amount_tokens: 93 },
      )),
    "known to within 1e−17 USDC",
  ],
  "says by how much the steps miss the clearing amount": [
    () => feeWaterfall([{ ...sell[0]!, amount_tokens: 103 }, ...sell.slice(1)]),
    "The steps do not add up: fees and what was executed miss",
    "amount by 3",
  ],
  // 0.1 + 0.3 + 0.2 is 0.6000000000000001.
  "bears the rounding of doubles": [
    () =>
      feeWaterfall(fill(
        "sell",
        { part: "clearing", amount_tokens: 0.6 },
        ...[0.2, 0.3].map((fee): Step => ({ part: "protocol", amount_tokens: fee })),
        { part: "executed", amount_tokens: 0.1 },
      )),
    { lacks: "do not add up" },
  ],
  "draws what is known, and says what is not": [
    () =>
      feeWaterfall(
        sell.map((row) => row.part === "protocol" ? { ...row, amount_tokens: NaN } : row),
      ),
    ">unknown<",
    "−1, position unknown",
    "2 steps without a bar: amount or position unknown",
  ],
  "draws one fill, and says whose rows it leaves out": [
    () => feeWaterfall([...sell, { ...sell[0]!, block_number: 7 }]),
    5,
    "1 row of 1 other fill left out",
  ],
});

testPicture(
  "feeWaterfall",
  feeWaterfall,
  sell.toReversed(),
  "A sell order received 93 of 100 USDC at clearing prices. Fees total 7 USDC: the network fee " +
    "1, the surplus fee 4 and the partner's volume fee 2.",
  ["No fill to draw", []],
  [
    "decimals are missing",
    sell.map((row) => ({ ...row, amount_tokens: null })),
  ],
);
