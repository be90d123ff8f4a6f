import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { orderTimeline, timeToFill } from "orderlens/charts";
import { filled, ORDER, unfilled } from "../order_rows.ts";
import { assertDrawn, marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

const [ATTEMPT] = ORDER.attempts;
const UNPLACED = [{ block_number: 111 }, { block_number: 103 }];
const FILLED = ORDER.fills.map((row) => ({
  ...row,
  timestamp: null,
  filled_at_ms: Date.UTC(2026, 10, 21, 15, 18, 43),
}));
const filledBy = (basis: string) => FILLED.map((row) => ({ ...row, time_basis: basis }));

testSays("orderTimeline", {
  "draws every event, auction, attempt and fill": [
    () => orderTimeline(ORDER),
    14,
    "The order has 1 fill, the first after 22.9 s. Solvers bid on it in 3 of 4 (75%) auctions. " +
    "1 of 2 (50%) attempts to settle it failed.",
    { lacks: "pending attempt" },
  ],
  "draws an event without a label as unknown": [
    () =>
      orderTimeline({
        ...ORDER,
        events: ORDER.events.map((event) => ({ ...event, label: null as never })),
      }),
    ">unknown</text>",
  ],
  "tells a pending attempt from those that ended": [
    () =>
      orderTimeline({
        ...ORDER,
        attempts: [{ ...ATTEMPT!, outcome: null, end_block: null, end_timestamp: null }],
      }),
    "pending attempt",
  ],
  "says of an order that is being settled that it is not filled yet": [
    () => orderTimeline({ ...ORDER, fills: [], attempts: [{ ...ATTEMPT!, outcome: null }] }),
    "not filled yet, 1 of 1 attempt pending",
    "The order was not filled yet. Solvers bid on it in 3 of 4 (75%) auctions. " +
    "1 attempt to settle it is pending.",
  ],
  // The events are 6.567776 and 23.081263 s after the first.
  "places a fill without a time at its event traded, and says indexed": [
    () => orderTimeline({ ...ORDER, fills: UNPLACED }),
    "fill in block 103\nindexed 6.6 s after the first",
    "fill in block 111\nindexed 23.1 s after the first",
    ">fill, indexed<",
    "Fills are placed where the service indexed them (event traded)",
    { lacks: "without a known time" },
  ],
  "places no fill where there are more than events": [
    () => orderTimeline({ ...ORDER, fills: [...UNPLACED, { block_number: 112 }] }),
    "3 fills without a known time not in the upper panel",
  ],
  "places fills at their own times, and says where these are indexed": [
    () => orderTimeline({ ...ORDER, fills: filledBy("event") }),
    "fill, indexed",
  ],
  "places fills of intervals at their starts": [
    () => orderTimeline({ ...ORDER, fills: filledBy("bracketed") }),
    "1 fill shown at its earliest",
    { lacks: "fill, indexed" },
  ],
  "draws what is public alone: auctions and fills by the block, without commas": [
    () =>
      orderTimeline({
        order_uid: "0x01",
        auctions: [{ auction_id: 5, block_number: 19_000_000 }],
        fills: [{ block_number: 19_000_002 }],
      }),
    "By block",
    ">19000002</text>",
    { lacks: "By time" },
  ],
  "says of an open order that it is not filled yet": [
    () => orderTimeline({ order_uid: "0x01", is_open: true, events: ORDER.events.slice(0, 2) }),
    "Order 0x01: not filled yet\n",
    "The order was not filled yet.",
    "The last known state is hollow",
  ],
  "gives attempts a lane per outcome, and a state whose name is long its reason alone": [
    () =>
      orderTimeline({
        ...ORDER,
        events: [{ ...ORDER.events[3]!, reason: "insufficient_balance" }],
      }, { width: 360 }),
    ">failed attempt</text>",
    ">successful attempt</text>",
    ">insufficient balance</text>",
    { lacks: ">filtered (insufficient balance)</text>" },
  ],
  "says what has no place": [
    () =>
      orderTimeline({
        ...ORDER,
        events: [...ORDER.events, { label: "ready", timestamp: "yesterday" }],
        fills: [{ block_number: NaN }],
      }),
    "1 event or attempt without a time and 1 fill without a known time not in the upper panel",
    "1 auction, attempt or fill without a block not in the lower panel",
  ],
  "counts attempts": [
    () => orderTimeline({ ...ORDER, attempts: [...Array(20).fill(ATTEMPT), ORDER.attempts[1]!] }),
    ", at attempt 21\n",
  ],
  "says that nothing is known": [
    () => orderTimeline({ order_uid: "0x01" }),
    "Nothing is known about this order",
  ],
  "says that no time is known": [
    () => orderTimeline({ order_uid: "0x01", events: [{ label: "x", timestamp: new Date(NaN) }] }),
    "No event, auction, attempt or fill of this order",
  ],
});

Deno.test("orderTimeline() leaves out rows of other orders", () => {
  const fills = [{ order_uid: "0x0A", block_number: 7 }, { order_uid: "0x0b", block_number: 8 }];
  const { rows, title } = orderTimeline({ order_uid: "0x0a", fills });
  assertEquals(rows, fills.slice(0, 1));
  assertEquals(title, "Order 0x0a: filled");
});

Deno.test("orderTimeline() shows the end of validity on the axis, or states its distance", () => {
  const late = orderTimeline({ ...ORDER, valid_to: "2027-01-01T00:00:00Z" }, { width: 1_000 }).svg;
  assertEquals(marksOf(late, "validity").length, 0);
  // From 2026-11-21 15:18:19 to the end of the year: 40 d 8 h 41 min 41 s.
  assertStringIncludes(
    late,
    "valid until 2027-01-01 00:00:00 UTC (at 40 d 8 h 42 min, beyond the axis)",
  );
  // Events take half of the axis at least.
  const isOnAxis = (events: readonly { label: string; timestamp: string }[], seconds: number) =>
    marksOf(
      orderTimeline({
        order_uid: "0x01",
        valid_to: new Date(Date.UTC(2026, 10, 21, 15, 18, seconds)).toISOString(),
        events,
      }).svg,
      "validity",
    ).length === 1;
  const eventOf = (label: string, second: number) => ({
    label,
    timestamp: `2026-11-21T15:18:${second}Z`,
  });
  const ended = [eventOf("created", 10), eventOf("cancelled", 30)];
  assertEquals([isOnAxis(ended, 50), isOnAxis(ended, 51)], [true, false]);
  const ready = [eventOf("created", 10), eventOf("ready", 30)];
  assertEquals([isOnAxis(ready, 50), isOnAxis(ready, 51)], [true, false]);
  // Nothing but a beginning: its validity is all that there is.
  const begun = [eventOf("created", 10), eventOf("ready", 15)];
  assertEquals([isOnAxis(begun, 86_410), isOnAxis(begun, 86_411)], [true, false]);
  const never =
    orderTimeline({ order_uid: "0x01", valid_to: ORDER.valid_to, events: ORDER.events.slice(0, 2) })
      .svg;
  assertEquals(marksOf(never, "validity").length, 1);
});

Deno.test("orderTimeline() says the last second of validity, however late in it", () => {
  const heading = (valid_to: string) =>
    orderTimeline({ ...ORDER, valid_to }).svg.match(/valid until ([^<,]*)/)?.[1];
  assertEquals(heading("2026-11-21T15:15:53Z"), "15:15:53 UTC");
  assertEquals(heading("2026-11-21T15:15:53.9Z"), "15:15:53 UTC");
});

Deno.test("orderTimeline() draws the same figure for the same rows", async (t) => {
  await t.assertSnapshot(orderTimeline(ORDER, { source: "a test" }).svg.split("><"));
});

Deno.test("orderTimeline() goes by time alone where all times are known", () => {
  const at = (second: number) => Date.UTC(2026, 10, 21, 15, 18, second);
  const seconds = [20, 24, 26, 40];
  const auctions = ORDER.auctions.map((row, place) => ({
    ...row,
    auction_at_ms: at(seconds[place]!),
    time_basis: place === 1 ? "bracketed" : "block",
  }));
  const fills = filledBy("block");
  const { svg } = orderTimeline({ ...ORDER, auctions, fills });
  assert(!svg.includes("By block") && !svg.includes("deadline to settle"));
  const dots = marksOf(svg, "auction").map((dot) => ({
    x: numberOf(dot, "cx"),
    id: /auction (\d+)/.exec(dot.title!)![1],
  })).toSorted((a, b) => a.x - b.x);
  assertEquals(dots.map(({ id }) => id), ["7", "8", "9", "10"]);
  const [first, second, , last] = dots.map(({ x }) => x);
  assertEquals(Math.round((last! - first!) / (second! - first!)), 5);
  assertStringIncludes(svg, "1 auction shown at its earliest");
  assertEquals(marksOf(svg, "interval"), [], "where the interval ends is not known");
  const until = auctions.map((row) => ({ ...row, auction_time_max_ms: row.auction_at_ms + 2_000 }));
  const [interval, ...others] = marksOf(
    orderTimeline({ ...ORDER, auctions: until, fills }).svg,
    "interval",
  );
  assertEquals(others, [], "the times of the others are known");
  assertEquals(numberOf(interval, "x1"), second);
  assertEquals(Math.round((numberOf(interval, "x2") - second!) / (second! - first!) * 4), 2);
  assertStringIncludes(svg, ">auction won<");
  assertDrawn(svg);
  // Two auctions that are one dot: the interval ends with the later one, or with the axis.
  const [, bracketed] = until;
  const pair = [1_000, 9e9].map((ms, index) => ({
    ...bracketed!,
    auction_id: index,
    auction_time_max_ms: bracketed!.auction_at_ms + ms,
  }));
  const paired = orderTimeline({ ...ORDER, auctions: pair, fills });
  const [dot] = marksOf(paired.svg, "auction");
  assertEquals(dot!.title, "2 auctions (auction without a bid)\nfrom 0 to 1");
  const [line] = marksOf(paired.svg, "interval");
  assert(numberOf(line, "x2") > numberOf(dot, "cx") && numberOf(line, "x2") < 760);
  assertStringIncludes(paired.svg, "latest possible times, which may be beyond the axis");

  const mixed =
    orderTimeline({ ...ORDER, fills, auctions: [auctions[0]!, ORDER.auctions[1]!] }).svg;
  assertStringIncludes(mixed, "By block");
  assertStringIncludes(mixed, "1 auction without a known time not in the upper panel");
});

Deno.test("orderTimeline() names the solvers of attempts", () => {
  const solver = `0xaaaa${"0".repeat(32)}0001`;
  const attempts = [{ ...ATTEMPT!, solver, solver_name: "Barter" }];
  const { svg } = orderTimeline({ ...ORDER, attempts });
  assertEquals(svg.split("<title>Barter (0xaaaa…0001), auction 7").length, 3);
});

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
    "2 of 2 orders filled",
  ],
  "waits for the complete fill only of orders that are completely filled": [
    () => timeToFill([filled(8), PARTLY], { until: "wholeFill" }),
    "Time to the complete fill: 1 of 2 orders filled",
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
    "2 orders with a time before the axis are shown at its left edge",
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
    "2 of those left out were filled, so the share is too low",
  ],
  "gives no share where no time of a fill is known": [
    () => timeToFill([unfilled("fulfilled", 9), unfilled("expired", 9)]),
    "Time to the first fill\n",
    "build lifecycle with times from auctionTimes",
  ],
  "says how many orders count as filled at the earliest": [
    () => timeToFill([at("bracketed"), at("bracketed"), at("block"), at("event")]),
    "Time to the first fill: 4 of 4 orders filled, median wait at least 10 s",
    "2 fills shown at their earliest possible times: only intervals are known",
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
    "1 order with a time before the axis is shown at",
    { lacks: "in_market" },
    { lacks: "out_of_market" },
  ],
  "breaks the entries of a legend that are wider than the figure": [
    () => timeToFill([filled(5, IN_MARKET)], { by: "market_position", width: 320 }),
    "within 5 s</text>",
    { lacks: "quote (n = 1): 100% filled, half of those within 5 s</text>" },
  ],
});

Deno.test("timeToFill() draws one order without a percentage, and 3,000", () => {
  assertStringIncludes(timeToFill([unfilled("expired", 9)]).title, "0 of 1 order filled");
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
  "2 of 4 (50%) orders were filled, completely or in part. Half of those waited 15 s at most; 2 of 2 " +
    "(100%) no longer than 30 s. The others: 1 cancelled and 1 expired.",
  ["No orders in this range", []],
  [
    "No order in this range has known",
    [unfilled("open", NaN)],
  ],
);
