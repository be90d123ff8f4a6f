import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { timeToFill } from "orderlens/charts";
import { filled, unfilled } from "../order_rows.ts";
import { assertDrawn, marksOf, testPicture, testSays } from "../svg_marks.ts";

const FOUR = [filled(10), filled(20), unfilled("cancelled", 15), unfilled("expired", 40)];

const PARTLY = { ...filled(5), status: "cancelled", observed_seconds: 30 };
const IN_MARKET = { market_position: "in_market" };
const OUT_OF_MARKET = { market_position: "out_of_market" };
const at = (basis: string) => ({ ...filled(10), time_basis: basis });

testSays("timeToFill", {
  "gives a share where no order is open": [() => timeToFill(FOUR), { lacks: "lower bound" }],
  "calls the share a lower bound where orders are open": [
    () => timeToFill([...FOUR, unfilled("open", 3)]),
    "a lower bound",
  ],
  "waits for the first fill of orders that are filled in part": [
    () => timeToFill([filled(8), PARTLY]),
    "100% of orders filled",
  ],
  "waits for the whole fill only of orders that are filled whole": [
    () => timeToFill([filled(8), PARTLY], { until: "wholeFill" }),
    "Time to the whole fill: 50% of orders filled",
  ],
  "draws a curve per group": [
    () => timeToFill([filled(1), filled(2, { kind: "buy" }), filled(3)], { by: "kind" }),
    "sell (n = 2): 100% filled, half of those within 2 s",
    "buy (n = 1): 100% filled, half of those within 2 s",
  ],
  "counts orders without the times it needs, and survives odd ones": [
    () =>
      timeToFill([
        filled(1),
        filled(NaN, { observed_seconds: 4 }),
        unfilled("expired", null),
        unfilled("a state <b> of tomorrow", 1e-6),
        filled(0),
        filled(1e12),
      ]),
    4,
    "2 orders without known times left out",
    "2 orders that ended or were filled before the axis starts are drawn at its left edge",
    { lacks: "<b>" },
  ],
  "leaves out orders that were filled at a time that is not known": [
    () =>
      timeToFill([
        filled(4),
        { ...unfilled("fulfilled", 9) },
        { ...unfilled("cancelled", 9), fill_count: 1 },
        { ...unfilled("expired", 9), fill_count: 0 },
      ]),
    "n = 2 orders: 1 filled, 1 expired. 2 orders without known times left out. " +
    "2 of those were filled, so the share is too low",
  ],
  "gives no share where no time of a fill is known": [
    () => timeToFill([unfilled("fulfilled", 9), unfilled("expired", 9)]),
    "Time to the first fill\n",
    "auctionTimes gets them",
  ],
  "says how many orders count as filled at the earliest": [
    () => timeToFill([at("bracketed"), at("bracketed"), at("block"), at("event")]),
    "Time to the first fill: 100% of orders filled, median wait at least 10 s",
    "2 orders filled at the earliest: only an interval of the time is known",
  ],
  "says so of no order whose time is known": [
    () => timeToFill([at("block")]),
    { lacks: "at the earliest" },
  ],
  // The axis begins at the first fill, after 5 s; what was cancelled before stands at its edge.
  "says in plain words where limits stood, at the ends of its curves too": [
    () =>
      timeToFill([
        filled(5, IN_MARKET),
        filled(500, OUT_OF_MARKET),
        { ...unfilled("expired", 900), ...OUT_OF_MARKET },
        { ...unfilled("cancelled", 0.1), ...IN_MARKET },
      ], { by: "market_position" }),
    "In market: the limit could be met at the quote (n = 2)",
    ...[">in market 50%<", ">out of market 50%<"],
    "1 order that ended or was filled before the axis starts is drawn at",
    { lacks: "in_market" },
    { lacks: "out_of_market" },
  ],
  "breaks the entries of a legend that are wider than the figure": [
    () => timeToFill([filled(5, IN_MARKET)], { by: "market_position", width: 320 }),
    "within 5 s</text>",
    { lacks: "quote (n = 1): 100% filled, half of those within 5 s</text>" },
  ],
});

Deno.test("timeToFill() is honest about one order, and draws 3,000", () => {
  assertStringIncludes(timeToFill([unfilled("expired", 9)]).title, "0% of orders filled");
  const { svg } = timeToFill(Array.from(
    { length: 3_000 },
    (_, place) => place % 3 === 0 ? unfilled("expired", place + 1) : filled(place + 1),
  ));
  assertDrawn(svg);
  assert(svg.length < 120_000, `${svg.length} characters`);
  const dots = marksOf(svg, "ending").map(({ title }) =>
    Number(title?.match(/^([\d,]+) orders?/)?.[1]?.replace(",", ""))
  );
  assertEquals(dots.reduce((sum, one) => sum + one, 0), 1_000);
  // Each stands where it ended: those of a seventieth of the axis share a dot.
  assert(dots.length > 35 && dots.length <= 71, `${dots.length} dots`);
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
