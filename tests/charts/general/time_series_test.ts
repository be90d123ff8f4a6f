import pl from "nodejs-polars";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { timeSeries, type TimeSeriesOptions } from "orderlens/charts";
import { fillsOf, marksOf, testPicture, testSays } from "../svg_marks.ts";

const FEES = [
  { filled_at: "2026-11-21T15:00:12Z", fee_native: 0.5, solver_name: "A" },
  { filled_at: "2026-11-21T15:00:48Z", fee_native: 0.25, solver_name: "B" },
  { filled_at: "2026-11-21T15:02:00Z", fee_native: 1, solver_name: "A" },
  { filled_at: "2026-11-21T15:03:59.9Z", fee_native: 3, solver_name: null },
];
const MINUTES = { x: "filled_at", y: "fee_native", every: "minute" } as const;

const SUMS = { ...MINUTES, stat: "sum", series: "solver_name" } as const;
const [FIRST] = FEES;
const UNKNOWN = { ...FIRST!, fee_native: null };
const AT = "2026-11-21T15:00:00Z";
const COUNTED = [["a", 9], ["b", 1], ["b", -1], ["b", 1]]
  .map(([name, size]) => ({ at: AT, name, size }));
const COUNTS = { x: "at", y: "size", series: "name", stat: "count", every: "minute" } as const;
const WINS = [
  { auction_id: 101, start_block: 7, score_native: 2 },
  { auction_id: 109, start_block: 8, score_native: 1 },
  { auction_id: 110, start_block: 8, score_native: 5 },
];
const SCORES = { y: "score_native", stat: "sum", unit: "ETH" } as const;
const INTERVALS = [
  { ...FIRST!, time_basis: "block", fill_time_min: null, fill_time_max: null },
  {
    ...FEES[2]!,
    time_basis: "bracketed",
    fill_time_min: "2026-11-21T15:02:00Z",
    fill_time_max: "2026-11-21T15:02:12Z",
  },
];
const AT_START = "1 row whose time is known only as an interval is placed at its start";

const FAR_IDS = [
  { auction_id: 12_000_500, gas: 100_000, price: 1 },
  { auction_id: 12_001_500, gas: 200_000, price: 2 },
];

testSays("timeSeries", {
  "adds up the rows of each bin, 0 where there are none": [
    () => timeSeries(FEES, { ...MINUTES, stat: "sum", unit: "ETH" }),
    4,
    "Fee per minute: 4.75 ETH in total\n",
    "2026-11-21 15:00:00 to 15:01:00 UTC\n0.75 ETH in 2 rows",
    "2026-11-21 15:01:00 to 15:02:00 UTC\n0 ETH in 0 rows",
    "2026-11-21 15:02:00 to 15:03:00 UTC\n1 ETH in 1 row",
    "2026-11-21 15:03:00 to 15:04:00 UTC\n3 ETH in 1 row",
    ...[">↑ Fee per minute (ETH)</text>", ">Filled at (2026-11-21, UTC) →</text>"],
    "n = 4 rows. One point is one minute; the first and the last, shown hollow, may be incomplete",
  ],
  "counts rows without a column of numbers": [
    () => timeSeries(FEES, { x: "filled_at", every: "2 minutes" }),
    "Rows per 2 minutes: 4 in total\n",
    "2026-11-21 15:00:00 to 15:02:00 UTC\n2 rows",
    "2026-11-21 15:02:00 to 15:04:00 UTC\n2 rows",
  ],
  "counts rows with a number": [
    () => timeSeries([...FEES, UNKNOWN], { ...MINUTES, stat: "count" }),
    "2026-11-21 15:00:00 to 15:01:00 UTC\n2 rows",
    "1 row without a number in fee_native left out",
  ],
  "counts rows of series, whatever their numbers are": [
    () => timeSeries(COUNTED, COUNTS),
    "4 rows in 1 bin of one minute. b has the largest share, 75% (n = 4).",
  ],
  "draws shares of counts": [
    () => timeSeries(COUNTED, { ...COUNTS, share: true }),
    "Share of rows per minute: b has the most, 75% (n = 4)\n",
  ],
  "has no median where a bin has no row": [
    () => timeSeries(FEES, { ...MINUTES, stat: "median" }),
    "Median fee per minute: 0.75 native tokens over all rows\n",
    ...["\n0.375 native tokens in 2 rows", "\n1 native token in 1 row"],
    { lacks: "in 0 rows" },
  ],
  "draws means": [
    () => timeSeries(FEES, { ...MINUTES, stat: "mean", every: "hour" }),
    "Mean fee per hour: 1.188 native tokens",
  ],
  "draws each row where no stat is asked for": [
    () => timeSeries(FEES, { x: "filled_at", y: "fee_native", series: "solver_name" }),
    "Fee over time: median 0.75 native tokens\n",
    "2026-11-21 15:00:12 UTC\nA: 0.5 native tokens",
    "2026-11-21 15:00:48 UTC\nB: 0.25 native tokens",
    "2026-11-21 15:02:00 UTC\nA: 1 native token",
    "2026-11-21 15:03:59 UTC\nunknown solver: 3 native tokens",
  ],
  // Of 4.75 the unknown solver has 3, A has 1.5 and B 0.25.
  "says what part each series has": [
    () => timeSeries(FEES, SUMS),
    ...[">unknown solver: 63%<", ">A: 32%<", ">B: 5.3%<"],
  ],
  "says no parts of a sum that something negative is in": [
    () => timeSeries([{ ...FIRST!, fee_native: -0.5, solver_name: "C" }, ...FEES], SUMS),
    ...[">unknown solver<", ">C<"],
    { lacks: "the largest part" },
  ],
  "has the sum without rows at absurd and suspect native prices": [
    () =>
      timeSeries(
        ["absurd", "suspect", "suspect", "consistent", null].map((price_sides, index) => (
          { ...FIRST!, fee_native: [200_000, 3, 5, 0.25, 0.5][index]!, price_sides }
        )),
        SUMS,
      ),
    "Without 1 row at absurd and 2 at suspect native prices: 0.75 native tokens.",
  ],
  "says nothing of native prices that agree": [
    () => timeSeries([{ ...FIRST!, price_sides: "consistent" }], SUMS),
    { lacks: "native prices:" },
  ],
  "says of one row that it adds up": [
    () => timeSeries([FIRST!], SUMS),
    "1 row adds up to 0.5 native tokens in 1 bin of one minute.",
  ],
  "tells series apart, the smallest as one": [
    () => timeSeries(FEES, { ...SUMS, limit: 1, width: 500 }),
    ...[">unknown solver: 63%</text>", ">2 other solvers: 37%</text>"],
    "The solver with the most fee is shown; 2 other solvers are the last series",
  ],
  "draws shares of each bin that has something": [
    () => timeSeries(FEES, { ...MINUTES, share: true, series: "solver_name", unit: "ETH" }),
    "Share of fee per minute: unknown solver has the most, 63% (n = 4)\n",
    "2026-11-21 15:00:00 to 15:01:00 UTC\nA: 67%\n0.5 of 0.75 ETH",
    "2026-11-21 15:00:00 to 15:01:00 UTC\nB: 33%\n0.25 of 0.75 ETH",
    "2026-11-21 15:02:00 to 15:03:00 UTC\nA: 100%\n1 of 1 ETH",
    "2026-11-21 15:03:00 to 15:04:00 UTC\nunknown solver: 100%\n3 of 3 ETH",
    ">↑ Share of fee per minute (%)</text>",
    { lacks: "15:01:00 to 15:02:00" },
  ],
  "puts auctions in bins of equally many": [
    () => timeSeries(WINS, { ...SCORES, x: "auction_id", every: "10 auctions" }),
    ...[">100 to 109\n3 ETH in 2 rows", ">110 to 119\n5 ETH in 1 row"],
  ],
  "writes ids of auctions and blocks without commas, and other numbers with them": [
    () => timeSeries(FAR_IDS, { x: "auction_id", y: "price", noun: "price" }),
    ">12001000</text>",
    "<title>12001500\n2</title>",
    "n = 2 prices",
    { lacks: "12,00" },
  ],
  "writes them so in bins": [
    () => timeSeries(FAR_IDS, { x: "auction_id", every: "2000 auctions" }),
    "<title>12000000 to 12001999\n2 rows</title>",
  ],
  "writes other numbers along x with commas": [
    () => timeSeries(FAR_IDS, { x: "gas", y: "price" }),
    "<title>200,000\n2</title>",
  ],
  "cuts no single auction short": [
    () => timeSeries(WINS, { ...SCORES, x: "auction_id" }),
    "3 rows add up to 8 ETH in 10 bins of one auction.",
    { lacks: "cut short" },
    { lacks: 'stroke="#0072b2" fill="white"' },
  ],
  "puts the rows of a block in one bin": [
    () => timeSeries(WINS, { ...SCORES, x: "start_block" }),
    ...[">7\n2 ETH in 1 row", ">8\n6 ETH in 2 rows"],
  ],
  "places rows whose time is an interval at its start": [
    () => timeSeries(INTERVALS, { x: "filled_at", y: "fee_native" }),
    "2026-11-21 15:02:00 UTC or later\n1 native token",
    `${AT_START} (up to 12 s long)`,
  ],
  "says so of bins, where the end is not known": [
    () => timeSeries(INTERVALS.map(({ fill_time_min: _, fill_time_max: __, ...row }) => row), SUMS),
    AT_START,
  ],
  "says why it is empty": [
    () => timeSeries([UNKNOWN], { x: "filled_at", y: "fee_native" }),
    0,
    "No row in this range has a known time and number",
    "1 row without a number in fee_native left out",
  ],
  "says what it left out": [
    () =>
      timeSeries([...FEES, { ...FIRST!, filled_at: null }], { x: "filled_at", y: "fee_native" }),
    4,
    "1 row without filled_at left out",
  ],
});

testPicture(
  "timeSeries",
  (rows, options) => timeSeries(rows, { ...SUMS, unit: "ETH", ...options }),
  FEES,
  "4 rows add up to 4.75 ETH in 4 bins of one minute. unknown solver has the largest share, 63% (n = 4). The " +
    "highest is at 2026-11-21 15:03:00 to 15:04:00 UTC: 3 ETH.",
  ["No rows in this range", []],
);

Deno.test("timeSeries() interrupts lines of medians, and draws bins that may be cut short hollow", () => {
  const { svg } = timeSeries(FEES, { ...MINUTES, stat: "median" });
  const [, line] = /class="line[^"]*"[^>]*>\s*<path[^>]* d="([^"]*)"/.exec(svg) ?? [];
  assertEquals(line?.match(/M/g)?.length, 2);
  assert(!fillsOf(svg, "point").includes("white"));
  const own = marksOf(timeSeries(FEES, SUMS).svg, "point")
    .filter(({ title }) => title!.includes("A: "));
  const isHollow = own.map(({ attributes }) => attributes["fill"] === "white");
  assertEquals(isHollow, [true, false, false, true]);
});

Deno.test("timeSeries() paints series, and a page switches them", () => {
  const { html } = timeSeries(FEES, { ...SUMS, limit: 1, width: 500 });
  for (const entry of [0, 1]) {
    // The group of its points, and its line.
    assertEquals(html.match(new RegExp(` data-series="${entry}"`, "g"))?.length, 2);
  }
  const { svg } = timeSeries(FEES, { ...SUMS, colors: { A: "#123456" } });
  // Its line, its four points and its entry in the legend.
  assertEquals(svg.match(/"#123456"/g)?.length, 6);
});

Deno.test("timeSeries() draws a frame as its rows", () => {
  for (const rows of [FEES, INTERVALS]) {
    assertEquals(timeSeries(pl.DataFrame(rows), SUMS).svg, timeSeries(rows, SUMS).svg);
  }
  const doubtful = [{ ...FIRST!, price_sides: "absurd" }, { ...FIRST!, price_sides: "consistent" }];
  assertStringIncludes(
    timeSeries(pl.DataFrame(doubtful), SUMS).finding,
    "Without 1 row at absurd native prices: 0.5 native tokens.",
  );
});

const FAR = [FIRST!, { ...FIRST!, filled_at: "2026-11-21T16:00:12Z" }];
const BLOCKS = [{ block_number: 1, fee: 1 }, { block_number: 9, fee: -1 }];

/** Options that contradict each other or the rows, by what is said of them. */
const REFUSED: Readonly<Record<string, readonly [options: object, rows?: readonly object[]]>> = {
  "Cannot draw timeSeries without x": [{ x: undefined, y: undefined }],
  "without y": [{ y: undefined, stat: "sum" }],
  'with `every` and stat "none"': [{ every: "hour" }],
  "with share but without series": [{ share: true }],
  'with share and stat "mean"': [{ share: true, series: "solver_name", stat: "mean" }],
  'Pass a text such as "5 minutes"': [{ every: "5 parsecs", stat: "sum" }],
  'Pass a duration, such as "5 minutes"': [{ every: "5 blocks", stat: "sum" }],
  "without at\nFix: Pass columns that the rows have: filled_at, fee_native": [{ x: "at" }],
  "the column solver_name is text": [{ y: "solver_name" }],
  "the column solver_name has no times": [{ x: "solver_name" }],
  'Pass "100 blocks": the column has numbers': [
    { x: "block_number", y: undefined, every: "hour" },
    BLOCKS,
  ],
  "shares of fee, which is negative in 1 row": [
    { x: "block_number", y: "fee", series: "fee", share: true },
    BLOCKS,
  ],
  "every second: 3,601 bins": [{ y: undefined, stat: "count", every: "second" }, FAR],
};

Deno.test("timeSeries() rejects options that contradict each other or the rows", () => {
  for (const [text, [options, rows = FEES]] of Object.entries(REFUSED)) {
    const all = { x: "filled_at", y: "fee_native", ...options };
    assertThrows(() => timeSeries(rows, all as TimeSeriesOptions), InputError, text);
  }
});
