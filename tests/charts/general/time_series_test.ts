import pl from "nodejs-polars";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { timeSeries, type TimeSeriesOptions } from "orderlens/charts";
import { fillsOf, marksOf } from "../svg_marks.ts";

const FEES = [
  { filled_at: "2026-11-21T15:00:12Z", fee_native: 0.5, solver_name: "A" },
  { filled_at: "2026-11-21T15:00:48Z", fee_native: 0.25, solver_name: "B" },
  { filled_at: "2026-11-21T15:02:00Z", fee_native: 1, solver_name: "A" },
  { filled_at: "2026-11-21T15:03:59.9Z", fee_native: 3, solver_name: null },
];
const MINUTES = { x: "filled_at", y: "fee_native", every: "minute" } as const;

function rejection(rows: unknown, options: unknown): string {
  return assertThrows(
    () => timeSeries(rows as never, options as TimeSeriesOptions),
    InputError,
  ).message;
}

/** What the tips of a chart say, those of each mark in one line. */
function tips(svg: string): string[] {
  return [...svg.matchAll(/<(?:circle|rect|path)[^>]*><title>([^<]*)/g)]
    .map(([, text]) => text!.replaceAll("\n", " | "));
}

function captionOf(svg: string): string {
  return /<desc>[^<]*?\. (n = [^<]*)<\/desc>/.exec(svg)?.[1] ?? "";
}

Deno.test("timeSeries() adds up the rows of each bin, 0 where there are none", () => {
  const { svg, title, rows } = timeSeries(FEES, { ...MINUTES, stat: "sum", unit: "ETH" });
  assertEquals(title, "Fee per minute: 4.75 ETH in total");
  assertEquals(rows, FEES);
  assertEquals(tips(svg), [
    "2026-11-21 15:00:00 to 15:01:00 UTC | 0.75 ETH in 2 rows",
    "2026-11-21 15:01:00 to 15:02:00 UTC | 0 ETH in 0 rows",
    "2026-11-21 15:02:00 to 15:03:00 UTC | 1 ETH in 1 row",
    "2026-11-21 15:03:00 to 15:04:00 UTC | 3 ETH in 1 row",
  ]);
  assertStringIncludes(svg, ">↑ Fee per minute (ETH)</text>");
  assertStringIncludes(svg, ">Filled at (2026-11-21, UTC) →</text>");
  assertEquals(
    captionOf(svg),
    "n = 4 rows. One point is one minute; the first and the last, which are hollow, may be cut short",
  );
});

Deno.test("timeSeries() counts rows, with and without a column of numbers", () => {
  const { svg, title } = timeSeries(FEES, { x: "filled_at", every: "2 minutes" });
  assertEquals(title, "Rows per 2 minutes: 4 in total");
  assertEquals(tips(svg), [
    "2026-11-21 15:00:00 to 15:02:00 UTC | 2 rows",
    "2026-11-21 15:02:00 to 15:04:00 UTC | 2 rows",
  ]);
  const rows = [...FEES, { filled_at: FEES[0]!.filled_at, fee_native: null, solver_name: "A" }];
  const known = timeSeries(rows, { ...MINUTES, stat: "count" });
  assertEquals(tips(known.svg)[0], "2026-11-21 15:00:00 to 15:01:00 UTC | 2 rows");
  assertStringIncludes(captionOf(known.svg), "1 row without a number in fee_native left out");
});

Deno.test("timeSeries() counts rows of series, whatever their numbers are", () => {
  const at = "2026-11-21T15:00:00Z";
  const rows = [["a", 9], ["b", 1], ["b", -1], ["b", 1]].map(([name, size]) => ({
    at,
    name,
    size,
  }));
  const counted = { x: "at", y: "size", series: "name", stat: "count", every: "minute" } as const;
  const lines = timeSeries(rows, counted);
  assertEquals(
    lines.finding,
    "4 rows in 1 bin of minute. b has the largest part, 75%.",
  );
  const shares = timeSeries(rows, { ...counted, share: true });
  assertEquals(shares.title, "Share of rows per minute: b has the most, 75%");
});

Deno.test("timeSeries() leaves a gap where a bin has no median or mean", () => {
  const { svg, title } = timeSeries(FEES, { ...MINUTES, stat: "median" });
  assertEquals(title, "Median fee per minute: from 0.375 to 3 native tokens");
  assertEquals(tips(svg).map((tip) => tip.split(" | ")[1]), [
    "0.375 native tokens in 2 rows",
    "1 native tokens in 1 row",
    "3 native tokens in 1 row",
  ]);
  const [, line] = /class="line[^"]*"[^>]*>\s*<path[^>]* d="([^"]*)"/.exec(svg) ?? [];
  assertEquals(line?.match(/M/g)?.length, 2, "the line is interrupted");
  const mean = timeSeries(FEES, { x: "filled_at", y: "fee_native", stat: "mean", every: "hour" });
  assertStringIncludes(mean.title, "Mean fee per hour: 1.188 native tokens");
});

Deno.test("timeSeries() draws each row where no stat is asked for", () => {
  const { svg, title } = timeSeries(FEES, {
    x: "filled_at",
    y: "fee_native",
    series: "solver_name",
  });
  assertEquals(title, "Fee over time: median 0.75 native tokens");
  assertEquals(tips(svg).sort(), [
    "2026-11-21 15:00:12 UTC | A: 0.5 native tokens",
    "2026-11-21 15:00:48 UTC | B: 0.25 native tokens",
    "2026-11-21 15:02:00 UTC | A: 1 native tokens",
    "2026-11-21 15:03:59 UTC | unknown solver: 3 native tokens",
  ]);
});

Deno.test("timeSeries() draws sums as steps, and bins that may be cut short hollow", () => {
  const { svg } = timeSeries(FEES, { ...MINUTES, stat: "sum", series: "solver_name" });
  const own = marksOf(svg, "point").filter(({ title }) => title!.includes("A: "));
  const isHollow = own.map(({ attributes }) => attributes["fill"] === "white");
  assertEquals(isHollow, [true, false, false, true]);
  // Of 4.75 the unknown solver has 3, A has 1.5 and B 0.25: shares where their lines end.
  for (const share of [">63%<", ">32%<", ">5.3%<"]) assertStringIncludes(svg, share);
  const medians = timeSeries(FEES, { ...MINUTES, stat: "median" }).svg;
  assert(!fillsOf(medians, "point").includes("white"));
});

Deno.test("timeSeries() tells series apart, the smallest as one, and a page switches them", () => {
  const { svg, html } = timeSeries(FEES, {
    ...MINUTES,
    stat: "sum",
    series: "solver_name",
    limit: 1,
    width: 500,
  });
  // The unknown solver has 3, A has 1.5 and B 0.25.
  assertStringIncludes(svg, ">unknown solver</text>");
  assertStringIncludes(svg, ">2 other solvers</text>");
  assertStringIncludes(
    captionOf(svg),
    "The solver with the most fee is shown; 2 other solvers are the last series",
  );
  for (const entry of [0, 1]) {
    // The group of its points, and its line.
    assertEquals(html.match(new RegExp(` data-series="${entry}"`, "g"))?.length, 2);
  }
  const { svg: painted } = timeSeries(FEES, {
    ...MINUTES,
    stat: "sum",
    series: "solver_name",
    colors: { A: "#123456" },
  });
  // Its line, its four points and its entry in the legend.
  assertEquals(painted.match(/"#123456"/g)?.length, 6);
});

Deno.test("timeSeries() draws shares of each bin that has something", () => {
  const { svg, title } = timeSeries(FEES, {
    ...MINUTES,
    share: true,
    series: "solver_name",
    unit: "ETH",
  });
  assertEquals(title, "Share of fee per minute: unknown solver has the most, 63%");
  assertEquals(tips(svg), [
    "2026-11-21 15:00:00 to 15:01:00 UTC | A: 67% | 0.5 of 0.75 ETH",
    "2026-11-21 15:00:00 to 15:01:00 UTC | B: 33% | 0.25 of 0.75 ETH",
    "2026-11-21 15:02:00 to 15:03:00 UTC | A: 100% | 1 of 1 ETH",
    "2026-11-21 15:03:00 to 15:04:00 UTC | unknown solver: 100% | 3 of 3 ETH",
  ]);
  assertStringIncludes(svg, ">↑ Share of fee per minute (%)</text>");
});

Deno.test("timeSeries() puts auctions and blocks in bins of equally many", () => {
  const wins = [
    { auction_id: 101, start_block: 7, score_native: 2 },
    { auction_id: 109, start_block: 8, score_native: 1 },
    { auction_id: 110, start_block: 8, score_native: 5 },
  ];
  const of = (options: Omit<TimeSeriesOptions, "y">) =>
    tips(timeSeries(wins, { y: "score_native", stat: "sum", unit: "ETH", ...options }).svg);
  assertEquals(of({ x: "auction_id", every: "10 auctions" }), [
    "100 to 109 | 3 ETH in 2 rows",
    "110 to 119 | 5 ETH in 1 row",
  ]);
  assertEquals(of({ x: "start_block", every: "block" }), [
    "7 | 2 ETH in 1 row",
    "8 | 6 ETH in 2 rows",
  ]);
  assertEquals(of({ x: "start_block" }), of({ x: "start_block", every: "block" }));
});

Deno.test("timeSeries() places rows whose time is an interval at its start, and says so", () => {
  const rows = [
    { ...FEES[0]!, time_basis: "block", fill_time_min: null, fill_time_max: null },
    {
      ...FEES[2]!,
      time_basis: "bracketed",
      fill_time_min: "2026-11-21T15:02:00Z",
      fill_time_max: "2026-11-21T15:02:12Z",
    },
  ];
  const said =
    "1 row whose time is known only as an interval is placed at its start (up to 12 s long)";
  const dots = timeSeries(rows, { x: "filled_at", y: "fee_native" });
  assertStringIncludes(captionOf(dots.svg), said);
  assertEquals(tips(dots.svg)[1], "2026-11-21 15:02:00 UTC or later | 1 native tokens");
  assertStringIncludes(captionOf(timeSeries(rows, { ...MINUTES, stat: "sum" }).svg), said);
  assertStringIncludes(
    captionOf(timeSeries(pl.DataFrame(rows), { x: "filled_at", y: "fee_native" }).svg),
    said,
  );
  const few = rows.map(({ fill_time_min: _, fill_time_max: __, ...row }) => row);
  assertStringIncludes(
    captionOf(timeSeries(few, { x: "filled_at", y: "fee_native" }).svg),
    "1 row whose time is known only as an interval is placed at its start",
  );
});

Deno.test("timeSeries() draws a frame as its rows, and dates and milliseconds as texts", () => {
  const options = { ...MINUTES, stat: "sum", series: "solver_name" } as const;
  const { svg } = timeSeries(FEES, options);
  assertEquals(timeSeries(pl.DataFrame(FEES), options).svg, svg);
  const as = (convert: (text: string) => unknown) =>
    timeSeries(FEES.map((row) => ({ ...row, filled_at: convert(row.filled_at) })), options).svg;
  assertEquals(as((text) => new Date(text)), svg);
  assertEquals(as((text) => Temporal.Instant.from(text)), svg);
  assertEquals(as((text) => Date.parse(text)), svg);
  assertEquals(as((text) => BigInt(Date.parse(text))), svg);
});

Deno.test("timeSeries() says why it is empty, and what it left out", () => {
  const options = { x: "filled_at", y: "fee_native" };
  assertStringIncludes(timeSeries([], options).svg, "No rows in this range");
  const unknown = [{ filled_at: "2026-11-21T15:00:12Z", fee_native: null }];
  const empty = timeSeries(unknown, options);
  assertStringIncludes(empty.svg, "No row in this range has a known time and number");
  assertStringIncludes(empty.svg, "1 row without a number in fee_native left out");
  const rows = [...FEES, { filled_at: null, fee_native: 9, solver_name: "A" }];
  assertStringIncludes(
    captionOf(timeSeries(rows, options).svg),
    "1 row without filled_at left out",
  );
});

Deno.test("timeSeries() looks as it did", async (t) => {
  const { svg } = timeSeries(FEES, { ...MINUTES, stat: "sum", series: "solver_name", unit: "ETH" });
  await t.assertSnapshot(svg.split("><"));
});

Deno.test("timeSeries() rejects options that contradict each other or the rows", () => {
  const of = (options: unknown) =>
    rejection(FEES, { x: "filled_at", y: "fee_native", ...options as object });
  assertStringIncludes(rejection(FEES, {}), "Cannot draw timeSeries without x");
  assertStringIncludes(rejection(FEES, { x: "filled_at", stat: "sum" }), "without y");
  assertStringIncludes(of({ every: "hour" }), "with every and without a stat");
  assertStringIncludes(of({ share: true }), "with share and without series");
  assertStringIncludes(
    of({ share: true, series: "solver_name", stat: "mean" }),
    'with share and stat "mean"',
  );
  assertStringIncludes(of({ every: "5 parsecs", stat: "sum" }), 'Pass a text such as "5 minutes"');
  assertStringIncludes(of({ every: "5 blocks", stat: "sum" }), 'Pass a time, such as "5 minutes"');
  assertStringIncludes(
    of({ x: "at" }),
    "without at\nFix: Name columns of the rows: filled_at, fee_native",
  );
  assertStringIncludes(of({ y: "solver_name" }), "the column solver_name is text");
  assertStringIncludes(of({ x: "solver_name" }), "the column solver_name has no times");
  const blocks = [{ block_number: 1, fee: 1 }, { block_number: 9, fee: -1 }];
  assertStringIncludes(
    rejection(blocks, { x: "block_number", every: "hour" }),
    'Pass "100 blocks": the column has numbers',
  );
  assertStringIncludes(
    rejection(blocks, { x: "block_number", y: "fee", series: "fee", share: true }),
    "shares of fee, which is negative in 1 row",
  );
  const far = [FEES[0]!, { ...FEES[1]!, filled_at: "2026-11-21T16:00:12Z" }];
  assertStringIncludes(
    rejection(far, { x: "filled_at", stat: "count", every: "second" }),
    "every second: 3,601 bins",
  );
});
