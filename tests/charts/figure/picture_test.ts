import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import * as Plot from "@observablehq/plot";
import { InputError } from "orderlens";
import { auctionRanking, settlementOutcomes, timeSeries, timeToFill } from "orderlens/charts";
import {
  createListOptions,
  type ListChartOptions,
} from "../../../lib/charts/figure/chart_options.ts";
import { defineChart, type Draw } from "../../../lib/charts/figure/picture.ts";
import { createListPanel } from "../../../lib/charts/marks/bars.ts";
import { COLORS } from "../../../lib/charts/looks.ts";
import { max } from "../../../lib/charts/statistics.ts";
import { selectNumeric, sortRows } from "../../../lib/charts/rows.ts";
import { count } from "../../../lib/charts/texts/count_text.ts";
import { shortenNames } from "../../../lib/charts/texts/short_names.ts";
import { createFixedAxis, createLinearScale } from "../../../lib/charts/axes/axis_scale.ts";
import { parseColor } from "../../../lib/charts/figure/chosen_colors.ts";

// A whole picture, as small as one can be.

interface BidCountRow {
  solver: string;
  bids: number | null;
}

type Options = ListChartOptions<"solver" | "bids">;

const bidCounts: Draw<BidCountRow, Options> = defineChart({
  chart: "bidCounts",
  table: "bid_counts",
  columns: { solver: "text", bids: "number" },
  options: createListOptions("solver", "bids"),
  defaults: { sort: "-bids", limit: 60 },
  select: (rows, { limit, sort }) => {
    const { rows: known, note } = selectNumeric(rows, ["bids"]);
    return { known, note, drawnRows: sortRows(known, sort).slice(0, limit) };
  },
  empty: {
    title: "Bids of solvers",
    noRows: "No solvers in this range",
    noValues: "No solver in this range has a known number of bids",
  },
  axes: ({ drawnRows }) => ({
    axis: createFixedAxis(createLinearScale(drawnRows.map((row) => row.bids!), { label: "Bids" })),
  }),
  panels: ({ drawnRows, axis, ...size }) => [
    createListPanel({
      ...size,
      labels: shortenNames(drawnRows.map((row) => row.solver)),
      axis,
      marks: () => [
        Plot.barX(drawnRows, {
          x: "bids",
          y: (_: BidCountRow, index: number) => index,
          fill: COLORS.blue,
          title: (row: BidCountRow) => `${row.solver}\n${row.bids}`,
          className: "bids",
        }),
      ],
      ends: drawnRows.map(({ bids }) => ({ value: bids!, text: `${bids}` })),
      hasBaseline: true,
    }),
  ],
  legend: () => [{ label: "bids", fill: COLORS.blue }],
  finding: ({ known }) => [`Known of ${count(known.length, "solver")}`, false],
  title: ({ drawnRows }) => `Bids of solvers: up to ${max(drawnRows.map((row) => row.bids!))}`,
  caption: ({ known, drawnRows, note }) => [
    `n = ${count(known.length, "solver")}`,
    known.length > drawnRows.length &&
    `${count(known.length - drawnRows.length, "more solver")} not drawn`,
    note,
  ],
});

const A = { solver: "A", bids: 3 };
const B = { solver: "B", bids: 7 };
const C = { solver: "C", bids: null };
const ROWS = [A, B, C];

Deno.test("defineChart() draws what is selected, with its title, legend and caption", () => {
  const { rows, svg, title } = bidCounts(ROWS, { source: "a test" });
  assertEquals(title, "Bids of solvers: up to 7");
  assertEquals(rows, [B, A]);
  assertStringIncludes(svg, "<title>B\n7</title>");
  const caption = "n = 2 solvers. 1 row without a number in bids left out. Source: a test";
  assertStringIncludes(svg, caption);
  assertStringIncludes(svg, `<desc>${title}. ${caption}</desc>`);
});

Deno.test("defineChart() fills in defaults where an option is left out or undefined", () => {
  const chart = bidCounts(ROWS, { limit: 1, sort: undefined as never });
  assertEquals(chart.rows, [B]);
  assertStringIncludes(chart.svg, "1 more solver not drawn");
});

Deno.test("defineChart() returns what it finds, why it is empty, the caller's finding, or nothing", () => {
  assertEquals(bidCounts(ROWS, {}).finding, "Known of 2 solvers.");
  assertEquals(bidCounts([], {}).finding, "No solvers in this range.");
  assertEquals(bidCounts(ROWS, { finding: "Mine!" }).finding, "Mine!");
  assertEquals(bidCounts(ROWS, { finding: false }).finding, "");
  assertThrows(() => bidCounts(ROWS, { finding: true as never }), InputError, "a text, or false");
});

Deno.test("defineChart() draws for phones and wide pages too, unless a width is set", () => {
  const widths = (options: Options) =>
    [...bidCounts(ROWS, options).html.matchAll(/<svg data-width="(\d+)"/g)]
      .map(([, width]) => Number(width));
  assertEquals(widths({}), [760, 360, 1080]);
  assertEquals(widths({ width: 500 }), [500]);
  assertEquals(widths({ marginLeft: 300 }), [760, 360, 1080]);
  const { html } = bidCounts(ROWS, { title: "Mine", subtitle: "Two solvers", marginLeft: 300 });
  assertEquals(html.match(/>Two solvers</g)?.length, 3);
  assertEquals(html.match(/<title>Mine</g)?.length, 3);
});

const FEES = [
  { block: 100, policy: "surplus fee", fee_native: 0.5 },
  { block: 100, policy: "network fee", fee_native: 0.25 },
];
const SOLUTION = { auction_id: 7, is_winner: false, filtered_out: false };
const OUTCOMES = [{ solver: "A", won: 10, in_time: 8, late: 2, absent: 0, pending: 0, unknown: 0 }];

Deno.test("parseColor() returns colours in hexadecimal, and null for other text", () => {
  const known: Record<string, string> = {
    tomato: "#ff6347",
    White: "#ffffff",
    "#123": "#112233",
    "#0072B2": "#0072b2",
    "rgb(1, 2, 3)": "#010203",
    "hsl(120, 100%, 25%)": "#008000",
    "rgba(1, 2, 3, 0.5)": "rgba(1, 2, 3, 0.5)",
  };
  for (const [text, color] of Object.entries(known)) assertEquals(parseColor(text), color);
  for (
    const text of ["", "blu", "none", "currentColor", "var(--x)", "url(#a)", '#fff"/>', 7, null]
  ) {
    assertEquals(parseColor(text), null, String(text));
  }
});

Deno.test("colors paint the marks of a series and its entry of the legend, and nothing else", () => {
  const shares = { x: "block", y: "fee_native", series: "policy", share: true } as const;
  const own = timeSeries(FEES, shares).svg;
  const { svg } = timeSeries(FEES, { ...shares, colors: { "surplus fee": "crimson" } });
  // Its bar and its swatch.
  assertEquals(own.match(/fill="#0072b2"/g)?.length, 2);
  assertEquals(svg.match(/fill="#dc143c"/g)?.length, 2);
  const grey = (text: string) => text.replaceAll(/ fill="#(?:0072b2|dc143c)"/g, "");
  assertEquals(grey(svg), grey(own));
});

Deno.test("colors paint the outline of what is hollow, and outlines in the colour of the fill", () => {
  const rows = [
    { ...SOLUTION, ranking: 1, solver: "A", score_native: 2, is_winner: true },
    { ...SOLUTION, ranking: 2, solver: "B", score_native: 3, filtered_out: true },
  ];
  const { svg } = auctionRanking(rows, {
    colors: { winner: "#111111", "filtered out": "#222222" },
  });
  assertMatch(svg, /<rect fill="#111111" stroke="#111111" [^>]*width="444"/);
  for (const tag of svg.match(/<rect[^>]*"#222222"[^>]*>/g) ?? []) {
    assertStringIncludes(tag, 'stroke="#222222"');
    assertStringIncludes(tag, 'fill="white"');
  }
  assert(svg.includes('"#222222"') && !svg.includes("#d55e00"));
});

Deno.test("a text on a bar of another colour can still be read", () => {
  const rows = [{ ...SOLUTION, ranking: 1, solver: "Alpha", score_native: 2, is_winner: true }];
  const textOn = (color: string) => {
    const { svg } = auctionRanking(rows, { colors: { winner: color } });
    return /<text[^>]*fill="([^"]*)"[^>]*>Alpha<\/text>/.exec(svg)?.[1];
  };
  assertEquals([textOn("black"), textOn("khaki")], ["white", "#1f2328"]);
});

Deno.test("colors may be given for what this range does not draw, but not for anything else", () => {
  assertEquals(
    settlementOutcomes(OUTCOMES, { colors: { absent: "black" } }).svg,
    settlementOutcomes(OUTCOMES).svg,
  );
  const wrong = assertThrows(
    () => settlementOutcomes(OUTCOMES, { colors: { in_time: "black" } }),
    InputError,
  );
  assertStringIncludes(wrong.message, 'Pass a color for "in time"; other names are "late"');
  assertEquals(settlementOutcomes([], { colors: { anything: "black" } }).rows, []);
});

Deno.test("curves are named by what they share, not by what the legend adds", () => {
  const rows = [
    { order_uid: "0x01", kind: "sell", status: "fulfilled", time_to_first_fill_seconds: 4 },
    { order_uid: "0x02", kind: "buy", status: "fulfilled", time_to_first_fill_seconds: 8 },
  ];
  const { svg } = timeToFill(rows, { by: "kind", colors: { sell: "#123456" } });
  assertEquals(svg.match(/stroke="#123456"/g)?.length, 2);
});
