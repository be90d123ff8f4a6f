import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import * as charts from "orderlens/charts";
import {
  type Chart,
  type ChartOptions,
  slippageDecomposition,
  type SlippageRow,
} from "orderlens/charts";
import { DRAWN, tableOf } from "../drawn.ts";
import { fill, HOSTILE, TWELVE } from "../slippage_rows.ts";
import { assertDrawn, marksOf, numberOf, testSays } from "../svg_marks.ts";

type Draw = (rows: readonly SlippageRow[], options?: ChartOptions) => Chart<SlippageRow>;

/** Every chart of fills with their slippage, whatever is added to them. */
const CHARTS = DRAWN.filter(([name, draw]) =>
  name !== "orderTimeline" && tableOf(name, draw) === "fills"
) as [string, Draw][];

assert(CHARTS.length > 0);
for (const [name, draw] of CHARTS) {
  for (const [what, rows] of Object.entries(HOSTILE)) {
    Deno.test(`${name}() draws ${what} without an exception or a broken mark`, () => {
      const { rows: drawn, svg } = draw(rows, { source: "a test" });
      assertDrawn(svg);
      assert(!svg.includes("<b>"));
      assertMatch(svg, /Source: a/);
      assert(svg.length < 800_000, `${svg.length} characters`);
      const kept = new Set(rows);
      assert(drawn.every((row) => kept.has(row)), "draws rows that it was given");
      assertMatch(svg, new RegExp(`n = ${drawn.length.toLocaleString("en-US")} fill`));
    });
  }

  Deno.test(`${name}() draws the same figure for the same rows`, async (t) => {
    const { svg } = draw(TWELVE, { source: "a test" });
    assertEquals(draw(TWELVE, { source: "a test" }).svg, svg);
    await t.assertSnapshot(svg.split("><"));
  });
}

const FILL = { order_uid: "0x01", kind: "sell" };
const PARTS = { network_bps: -8, protocol_bps: -2, partner_bps: 0, market_bps: 4 };

/** Findings of few fills, added up by hand. */
const FINDINGS: Readonly<Record<string, readonly [finding: string, expected: string]>> = {
  slippageBaselines: [
    charts.slippageBaselines([-5, 1].map((gross) => ({
      ...FILL,
      slippage_gross_bps: gross,
      slippage_net_bps: gross + 1,
      slippage_user_shown_bps: gross + 6,
      slippage_limit_bps: 50,
    }))).finding,
    "Fills better than the gross quote: 1 of 2 (50%), the net quote: 1 of 2 (50%), the quote as shown: " +
    "2 of 2 (100%) and the limit: 2 of 2 (100%). 1 of 2 (50%) fills are not better than the gross quote but " +
    "better than the quote as shown.",
  ],
  slippageDistribution: [
    charts.slippageDistribution([-10, 0, 10].map((bps) => ({ ...FILL, slippage_net_bps: bps })))
      .finding,
    "1 of 3 (33%) fills were better than the net quote; half of all fills were 0 bps or better. All of them " +
    "lie between −10.0 bps and +10.0 bps.",
  ],
  slippageByPair: [
    charts.slippageByPair([
      { ...FILL, pair: "X → Y", slippage_net_bps: -2 },
      { ...FILL, pair: "Y → X", slippage_net_bps: 1 },
    ]).finding,
    "The 2 pairs have too few fills to tell whether their medians differ.",
  ],
  slippageBySize: [
    charts.slippageBySize(
      Array.from({ length: 30 }, (_, at) => (
        { ...FILL, volume_native: at + 1, slippage_net_bps: at < 15 ? -9 : 2 }
      )),
      { nativeSymbol: "ETH" },
    ).finding,
    "The medians of 2 halves differ: −9.0 bps (1 to 15 ETH, 15 fills) and +2.0 bps (16 to 30 ETH, 15 fills), " +
    "a difference of +11.0 bps (95% interval +11.0 bps to +11.0 bps).",
  ],
  slippageDecomposition: [
    charts.slippageDecomposition([{ ...FILL, pair: "X → Y", slippage_gross_bps: -6, ...PARTS }])
      .finding,
    "On average over 1 fill, the network took 8.0 bps, the protocol took 2.0 bps, partners took 0 bps and the " +
    "market gave 4.0 bps. Together: −6.0 bps against the gross quote.",
  ],
};

for (const [chart, [finding, expected]] of Object.entries(FINDINGS)) {
  Deno.test(`the finding of ${chart}() has the numbers that it draws`, () => {
    assertEquals(finding, expected);
  });
}

const MANY = Array.from({ length: 40 }, (_, place) => fill(place));
const TWO = [fill(1), fill(2, { network_bps: -4, slippage_gross_bps: -2, network_native: -3 })];

testSays("slippageDecomposition", {
  "averages basis points": [
    () => slippageDecomposition(TWO),
    "on average network −6.0, protocol −2.0",
    "−4.0 bps, n = 2",
  ],
  "sums native amounts": [
    () => slippageDecomposition(TWO, { unit: "native", nativeSymbol: "ETH" }),
    "in total network −3.8, protocol −0.4, partner −0.2, market +1 ETH",
    "−3.4 ETH, n = 2",
  ],
  "says which fills it left out and which do not add up": [
    () =>
      slippageDecomposition([
        fill(1),
        fill(2, { partner_bps: null }),
        fill(3, { slippage_gross_bps: 77 }),
      ]),
    2,
    "1 fill without all four parts left out",
    "The parts of 1 fill do not add up to the slippage",
  ],
  "says how many single fills it does not draw": [
    () => slippageDecomposition(MANY, { by: "fill", limit: 10 }),
    10,
    "The first 10 are shown, 30 are not",
  ],
});

Deno.test("slippageDecomposition() draws a cost that gave something right of zero", () => {
  const { svg } = slippageDecomposition([fill(1, { network_bps: 3 })], { by: "fill" });
  const [network, , , market] = marksOf(svg, "part");
  assertAlmostEquals(
    numberOf(market, "x"),
    numberOf(network, "x") + numberOf(network, "width"),
    1,
  );
});

Deno.test("slippageDecomposition() draws a part that is thinner than 3 pixels as wide as these", () => {
  const row = fill(1, { network_bps: -0.1, protocol_bps: 0, partner_bps: 0, market_bps: 100 });
  const { svg, title } = slippageDecomposition([row], { by: "fill", width: 360 });
  assertMatch(title, /^Why the fill differs .* network −0\.1, /);
  assertEquals(marksOf(svg, "part").map((part) => numberOf(part, "width"))[0], 3);
  assertEquals(marksOf(svg, "part").length, 2, "parts of 0 are not drawn");
  assertStringIncludes(svg, `>block ${row.block_number}</text>`);
});

Deno.test("slippageDecomposition() cuts the bar of one far fill, and says what it does to the mean", () => {
  const rows = Array.from(
    { length: 99 },
    (_, place) => fill(place, { market_bps: place % 3 - 1, pair: place % 2 === 0 ? "A" : "B" }),
  );
  const parts = { market_bps: -8_989, slippage_gross_bps: -9_000 };
  const { svg, title } = slippageDecomposition([...rows, fill(99, { ...parts, pair: "A" })]);
  // Each fill costs 11 bps in network and fees. The far one moves the mean from −11 to
  // (99 * −11 − 9000) / 100 = −100.89.
  assertStringIncludes(title, "market −89.9 bps");
  assertStringIncludes(
    svg,
    "1 fill is far from the rest, up to −9,000.0 bps: with it the mean is −100.9 bps, " +
      "without it −11.0 bps",
  );
  assertStringIncludes(svg, ">−100.9 bps, n = 100</text>");
  assertEquals([...svg.matchAll(/>◀<\/text>/g)].length, 2);
  const [widest] = marksOf(svg, "part").map((mark) => numberOf(mark, "width"))
    .toSorted((a, b) => b - a);
  assert(widest! > 200, "the network cost of 8 bps is most of the axis");
});
