import * as Plot from "@observablehq/plot";
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { figure } from "orderlens/charts";
import { testSays } from "../svg_marks.ts";
import { drawRowBars } from "../../../lib/charts/general/row_bars.ts";

const ROWS = [
  { hour: 9, fills: 3_000_000, kind: "sell" },
  { hour: 10, fills: 5, kind: "buy" },
  { hour: 11, fills: 4, kind: "limit" },
];
const BARS = Plot.barY(ROWS, {
  x: "hour",
  y: "fills",
  fill: "kind",
  title: ({ hour, fills }: typeof ROWS[number]) => `${hour}: ${fills}`,
});
const TITLE = { title: "Fills by hour" };

Deno.test("figure() paints series in the palette, and makes the color scale a legend that switches", () => {
  const { svg, html } = figure({ marks: [BARS], color: { legend: true } }, TITLE);
  const swatches = [
    ...svg.matchAll(/<rect[^>]* fill="(#\w+)"[^>]*stroke-width="1.5"\/><text[^>]*>(\w+)/g),
  ]
    .map(([, fill, label]) => [label, fill]);
  assertEquals(swatches, [["buy", "#0072b2"], ["limit", "#d55e00"], ["sell", "#009e73"]]);
  assertEquals(new Set(html.match(/data-legend="\d"/g)).size, 3);
  assertEquals(new Set(html.match(/data-series="\d"/g)).size, 3);
  const own = figure({ marks: [BARS], color: { range: ["red", "blue", "black"] } }, TITLE).svg;
  assertStringIncludes(own, 'fill="red"');
  assert(!own.includes("#0072b2"));
});

Deno.test("figure() has room for the label beside the names of an axis", () => {
  const left = (y: object) => {
    const cells = Plot.cell(ROWS, { x: "hour", y: () => "A name of twenty-five" });
    const { svg } = figure({ marks: [cells], y }, TITLE);
    return Number(/aria-label="cell".*?<rect [^>]*x="([\d.]+)"/s.exec(svg)?.[1]);
  };
  // 16 pixels, of which the bands take up what they are rounded by.
  const room = left({ label: "name" }) - left({ label: null });
  assert(room > 12 && room < 18, `${room} pixels`);
});

Deno.test("figure() says that there are no rows where no mark has any", () => {
  const rows: typeof ROWS = [];
  const bars = () => Plot.barY(rows, { x: "hour", y: "fills" });
  const { svg } = figure({ marks: [bars(), [bars()]] }, TITLE);
  assertStringIncludes(svg, ">No rows in this range</text>");
  assertStringIncludes(svg, "<desc>There is nothing to draw: No rows in this range.</desc>");
  assert(!figure({ marks: [bars(), Plot.ruleY([0])] }, TITLE).svg.includes("No rows"));
  assert(!figure({ marks: [Plot.frame()] }, TITLE).svg.includes("No rows"));
});

Deno.test("figure() shows steps of a color scale of numbers", () => {
  const cells = Plot.cell([0, 50, 100], {
    x: (_: number, at: number) => at,
    fill: (one: number) => one,
  });
  const { svg } = figure({ marks: [cells], color: { legend: true } }, TITLE);
  const labels = [...svg.matchAll(/stroke-width="1.5"\/><text[^>]*>(\d+)</g)].map(([, one]) => one);
  assertEquals(labels, ["0", "20", "40", "60", "80", "100"]);
});

Deno.test("figure() has room for the labels along y, unless the plot has a margin", () => {
  const left = (plot: Plot.PlotOptions) => {
    const { svg } = figure(plot, TITLE);
    return Number(/<rect[^>]* x="([\d.]+)"[^>]*><title>9/.exec(svg)![1]);
  };
  // "3,000,000" is about 56 pixels wide.
  const more = left({ marks: [BARS] }) - left({ marks: [BARS], marginLeft: 20 });
  assert(more > 40, `${more} pixels`);
});

Deno.test("figure() is drawn for phones and wide pages, unless a width is given", () => {
  const widths = (plot: Plot.PlotOptions, options = {}) =>
    [...figure(plot, { ...TITLE, ...options }).html.matchAll(/<svg data-width="(\d+)"/g)]
      .map(([, width]) => Number(width));
  assertEquals(widths({ marks: [BARS] }), [760, 360, 1080]);
  assertEquals(widths({ marks: [BARS] }, { width: 500 }), [500]);
  assertEquals(widths({ marks: [BARS], width: 640 }), [640]);
});

Deno.test("figure() labels logarithmic axes as all charts do, not with prefixes such as 50m", () => {
  const labels = (values: readonly number[], more: Plot.PlotOptions = {}) => {
    const marks = [Plot.dot(values, { x: (_: number, at: number) => at, y: (one: number) => one })];
    const { svg } = figure({ marks, y: { type: "log" }, ...more }, TITLE);
    const [ticks = ""] = svg.match(/"y-axis tick label".*?<\/g>/s) ?? [];
    return [...ticks.matchAll(/<text[^>]*>([^<]+)</g)].map(([, label]) => label);
  };
  assertEquals(labels([0.02, 0.05, 0.08]).filter((label) => label === "0.05"), ["0.05"]);
  assertEquals(labels([1e-3, 1e7]).filter((label) => /[a-zµ]$/i.test(label!)), []);
  assertEquals(labels([1e5, 1e7]).includes("1,000,000"), true);
  assertEquals(labels([1, 100], { y: { type: "log", tickFormat: (one) => `${one} x` } })[0], "1 x");
});

const legend = [{ label: "a fill", fill: "none", stroke: "tomato", shape: "line" }] as const;
const PLOT = { marks: [BARS], title: "Plot's", subtitle: "own", caption: "said", height: 200 };

testSays("figure", {
  "gives marks a title, a second line, a caption with its source, and tips": [
    () =>
      figure({ marks: [BARS] }, {
        ...TITLE,
        subtitle: "of a test & more",
        caption: "n = 3 hours",
        source: "my count",
      }),
    3,
    ">Fills by hour</text>",
    ">of a test &amp; more</text>",
    ">n = 3 hours. Source: my count</text>",
    "<desc>Fills by hour. of a test &amp; more. n = 3 hours. Source: my count</desc>",
    "<title>9: 3000000</title>",
  ],
  "takes a legend of the caller": [
    () => figure({ marks: [BARS] }, { ...TITLE, legend }),
    ">a fill</text>",
  ],
  "takes the height, the title and the caption of the plot": [
    () => figure(PLOT),
    ...["Plot's\n", ">own</text>", ">said</text>", ' height="200"'],
  ],
  "takes the height of its options first": [() => figure(PLOT, { height: 300 }), ' height="300"'],
});

Deno.test("figure() takes facets", () => {
  const facets = Plot.dot(ROWS, { fx: "kind", x: "hour", y: "fills", tip: true });
  assertEquals(figure({ marks: [facets] }, TITLE).svg.match(/<circle/g)?.length, 3);
});

const entry = (bad: unknown) => [{ marks: [] }, { ...TITLE, legend: [bad] }] as const;

/** What figure() rejects, by what it says. */
const REFUSED: readonly (readonly [text: string, plot: unknown, options?: unknown])[] = [
  ["figure from an array", [BARS], TITLE],
  ["figure without a title", { marks: [BARS] }],
  ["without a list of marks", { mark: BARS }, TITLE],
  ["Pass title;", { marks: [] }, { titel: "x" }],
  ["with title", { marks: [] }, { title: " " }],
  ["with width 7", { marks: [], width: 7 }, TITLE],
  ["plot: scale incompatible", { marks: [BARS], x: { type: "no such scale" } }, TITLE],
  ["a legend of the symbol scale", { marks: [BARS], symbol: { legend: true } }, TITLE],
  ["Cannot draw figure with legend", ...entry({ label: "a" })],
  ["Cannot draw figure with legend", ...entry({ label: "a", fill: '"/>' })],
  ["Cannot draw figure with legend", ...entry({ label: "", fill: "red" })],
  ["Cannot draw figure with legend", ...entry(null)],
  ["Cannot draw figure with legend", ...entry(7)],
];

Deno.test("figure() names missing options, and marks that Plot cannot draw", () => {
  for (const [text, plot, options] of REFUSED) {
    assertThrows(() => figure(plot as Plot.PlotOptions, options as object), InputError, text);
  }
});

Deno.test("drawRowBars() draws a bar for each row, in their order, with names that fit", () => {
  const rows = [
    { pair: "WETH → USDC", fills: 48 },
    { pair: "<b>", fills: -3 },
    { pair: null, fills: null },
  ];
  const { svg, title } = drawRowBars(rows, { x: "pair", y: "fills", width: 400 });
  assertEquals(title, "Fills by pair");
  assertStringIncludes(svg, "WETH → USDC: 48");
  assertMatch(svg, /&lt;b(?:>|&gt;): [-−]3/);
  assertEquals([...svg.matchAll(/<rect [^>]*><title>/g)].length, 2);
});

testSays("rowBars", {
  "draws the first rows of many, and says so": [
    () =>
      drawRowBars(Array.from({ length: 200 }, (_, at) => ({ name: `row ${at}`, fee_native: at })), {
        x: "name",
        y: "fee_native",
        width: 760,
      }),
    "The first 30 of 200 rows.",
    "<title>row 29:",
    { lacks: "<title>row 30:" },
  ],
});
