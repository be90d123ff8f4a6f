import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { timeToFill } from "orderlens/charts";
import { filled, unfilled } from "../order_rows.ts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

const FOUR = [filled(10), filled(20), unfilled("cancelled", 15), unfilled("expired", 40)];

/** Heights of the corners of the curve, as shares of all orders. */
function sharesOf(svg: string): number[] {
  const [curve] = marksOf(svg, "filled");
  const heights = [...(curve?.attributes["d"] ?? "").matchAll(/,([\d.]+)/g)]
    .map(([, height]) => Number(height));
  const [bottom = NaN] = heights;
  const top = 28;
  return [...new Set(heights)].map((height) => (bottom - height) / (bottom - top));
}

Deno.test("timeToFill() rises to the share of all orders that were filled", () => {
  assertEquals(sharesOf(timeToFill(FOUR).svg), [0, 0.25, 0.5]);
});

Deno.test("timeToFill() sets unfilled orders on the curve at the age at which they ended", () => {
  const { svg } = timeToFill(FOUR);
  const [cancelled, expired] = marksOf(svg, "ending");
  const [low, high] = [numberOf(cancelled, "cy"), numberOf(expired, "cy")];
  assert(low > high);
  assertAlmostEquals(
    numberOf(cancelled, "cx") / numberOf(expired, "cx"),
    (56 + 15 * 16.3) / (56 + 40 * 16.3),
    0.02,
  );
});

Deno.test("timeToFill() calls the share a lower bound where orders are open", () => {
  assert(!timeToFill(FOUR).svg.includes("lower bound"));
  assertStringIncludes(timeToFill([...FOUR, unfilled("open", 3)]).svg, "a lower bound");
});

Deno.test("timeToFill() waits for the whole fill only of orders that are filled whole", () => {
  const partly = { ...filled(5), status: "cancelled", observed_seconds: 30 };
  assertStringIncludes(timeToFill([filled(8), partly]).title, "100% of orders filled");
  const { svg, title } = timeToFill([filled(8), partly], { until: "wholeFill" });
  assertStringIncludes(title, "Time to the whole fill: 50% of orders filled");
  assertEquals(marksOf(svg, "ending").length, 1);
});

Deno.test("timeToFill() draws a curve per group", () => {
  const { svg } = timeToFill([filled(1), filled(2, { kind: "buy" }), filled(3)], { by: "kind" });
  assertEquals(marksOf(svg, "filled").map(({ title }) => title), [
    "sell (n = 2): 100% filled, half of those within 2 s",
    "buy (n = 1): 100% filled, half of those within 2 s",
  ]);
});

Deno.test("timeToFill() counts orders without the times it needs, and survives odd ones", () => {
  const { rows, svg } = timeToFill([
    filled(1),
    filled(NaN, { observed_seconds: 4 }),
    unfilled("expired", null),
    unfilled("a state <b> of tomorrow", 1e-6),
    filled(0),
    filled(1e12),
  ]);
  assertEquals(rows.length, 4);
  assertStringIncludes(svg, "2 orders without known times left out");
  assertStringIncludes(
    svg,
    "2 orders that ended or were filled before the axis starts are drawn at its left edge",
  );
  assertDrawn(svg);
  assert(!svg.includes("<b>"));
});

Deno.test("timeToFill() leaves out orders that were filled at a time that is not known", () => {
  const { svg } = timeToFill([
    filled(4),
    { ...unfilled("fulfilled", 9) },
    { ...unfilled("cancelled", 9), fill_count: 1 },
    { ...unfilled("expired", 9), fill_count: 0 },
  ]);
  assertStringIncludes(
    svg,
    "n = 2 orders: 1 filled, 1 expired. 2 orders without known times left out. " +
      "2 of those were filled, so the share is too low",
  );
});

Deno.test("timeToFill() gives no share where no time of a fill is known", () => {
  const { svg, title } = timeToFill([unfilled("fulfilled", 9), unfilled("expired", 9)]);
  assertEquals(title, "Time to the first fill");
  assertStringIncludes(svg.replaceAll(/<[^>]+>/g, " "), "auctionTimes gets them");
});

Deno.test("timeToFill() says how many orders count as filled at the earliest", () => {
  const at = (basis: string) => ({ ...filled(10), time_basis: basis });
  const { svg, title } = timeToFill([at("bracketed"), at("bracketed"), at("block"), at("event")]);
  assertEquals(title, "Time to the first fill: 100% of orders filled, median wait at least 10 s");
  assertStringIncludes(
    svg.match(/<desc>([^<]*)/)![1]!,
    "2 orders filled at the earliest: only an interval of the time is known",
  );
  assert(!timeToFill([at("block")]).svg.includes("at the earliest"));
});

Deno.test("timeToFill() is honest about one order, and draws 10,000", () => {
  assertStringIncludes(timeToFill([unfilled("expired", 9)]).title, "0% of orders filled");
  const many = timeToFill(
    Array.from(
      { length: 10_000 },
      (_, place) => place % 3 === 0 ? unfilled("expired", place + 1) : filled(place + 1),
    ),
  );
  assertDrawn(many.svg);
  assert(many.svg.length < 120_000, `${many.svg.length} characters`);
  const dots = marksOf(many.svg, "ending").map(({ title }) =>
    Number(title?.match(/^([\d,]+) orders?/)?.[1]?.replace(",", ""))
  );
  assertEquals(dots.reduce((sum, one) => sum + one, 0), 3_334);
});

Deno.test("timeToFill() says in plain words where limits stood, at the ends of its curves too", () => {
  const { svg } = timeToFill([
    filled(5, { market_position: "in_market" }),
    filled(500, { market_position: "out_of_market" }),
    { ...unfilled("expired", 900), market_position: "out_of_market" },
    { ...unfilled("cancelled", 0.1), market_position: "in_market" },
  ], { by: "market_position" });
  assert(!svg.includes("in_market") && !svg.includes("out_of_market"));
  assertStringIncludes(svg, "In market: the limit could be met at the quote (n = 2)");
  assertEquals(
    [...svg.matchAll(/>((?:in|out of) market \d+%)</g)].map(([, text]) => text),
    ["in market 50%", "out of market 50%"],
  );
  // The axis begins at the first fill, after 5 s; what was cancelled before stands at its edge.
  assertStringIncludes(svg, "1 order that ended or was filled before the axis starts is drawn at");
});

Deno.test("timeToFill() breaks the entries of a legend that are wider than the figure", () => {
  const { svg } = timeToFill([filled(5, { market_position: "in_market" })], {
    by: "market_position",
    width: 320,
  });
  assert(!svg.includes("quote (n = 1): 100% filled, half of those within 5 s</text>"));
  assertStringIncludes(svg, "within 5 s</text>");
});

testPicture(
  "timeToFill",
  timeToFill,
  FOUR,
  "2 of 4 (50%) orders were filled, whole or in part. Half of those waited 15 s at most; 2 of 2 " +
    "(100%) no longer than 30 s. The others: 1 cancelled and 1 expired.",
  ["No orders in this range", []],
  [
    "No order in this range has known",
    [unfilled("open", NaN)],
  ],
);
