import * as Plot from "@observablehq/plot";
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { figure } from "orderlens/charts";
import { rowBars } from "../../../lib/charts/general/row_bars.ts";

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

function rejection(run: () => unknown): string {
  return assertThrows(run, InputError).message;
}

Deno.test("figure() gives marks a title, a second line, a caption with its source, and tips", () => {
  const chart = figure({ marks: [BARS] }, {
    ...TITLE,
    subtitle: "of a test & more",
    caption: "n = 3 hours",
    source: "my count",
  });
  assertEquals([chart.title, chart.rows], ["Fills by hour", ROWS]);
  for (
    const text of [
      ">Fills by hour</text>",
      ">of a test &amp; more</text>",
      ">n = 3 hours. Source: my count</text>",
      "<desc>Fills by hour. of a test &amp; more. n = 3 hours. Source: my count</desc>",
      "<title>9: 3000000</title>",
    ]
  ) assertStringIncludes(chart.svg, text);
});

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

Deno.test("figure() takes the height, the title and the caption of the plot, and facets", () => {
  const plot = { marks: [BARS], title: "Plot's", subtitle: "own", caption: "said", height: 200 };
  const { title, svg } = figure(plot);
  assertEquals(title, "Plot's");
  assertMatch(svg, /<svg [^>]*height="200"[^>]*>/);
  for (const text of [">own</text>", ">said</text>"]) assertStringIncludes(svg, text);
  assertMatch(figure(plot, { height: 300 }).svg, /<svg [^>]*height="300"[^>]*>/);
  const facets = Plot.dot(ROWS, { fx: "kind", x: "hour", y: "fills", tip: true });
  assertEquals(figure({ marks: [facets] }, TITLE).svg.match(/<circle/g)?.length, 3);
});

Deno.test("figure() takes a legend of the caller", () => {
  const legend = [{ label: "a fill", fill: "none", stroke: "tomato", shape: "line" }] as const;
  assertStringIncludes(figure({ marks: [BARS] }, { ...TITLE, legend }).svg, ">a fill</text>");
  for (
    const bad of [{ label: "a" }, { label: "a", fill: '"/>' }, { label: "", fill: "red" }, null, 7]
  ) {
    const told = rejection(() => figure({ marks: [] }, { ...TITLE, legend: [bad as never] }));
    assertStringIncludes(told, "Cannot draw figure with legend");
  }
});

Deno.test("figure() says what it misses and what Plot cannot draw", () => {
  assertStringIncludes(rejection(() => figure([BARS] as never, TITLE)), "figure from an array");
  assertStringIncludes(rejection(() => figure({ marks: [BARS] })), "figure without a title");
  assertStringIncludes(rejection(() => figure({ mark: BARS }, TITLE)), "without a list of marks");
  assertStringIncludes(
    rejection(() => figure({ marks: [] }, { titel: "x" } as never)),
    "Pass title;",
  );
  assertStringIncludes(rejection(() => figure({ marks: [] }, { title: " " })), "with title");
  assertStringIncludes(rejection(() => figure({ marks: [], width: 7 }, TITLE)), "with width 7");
  const wrong = { marks: [BARS], x: { type: "no such scale" as never } };
  assertStringIncludes(rejection(() => figure(wrong, TITLE)), "plot: scale incompatible");
  const legend = { marks: [BARS], symbol: { legend: true } };
  assertStringIncludes(rejection(() => figure(legend, TITLE)), "a legend of the symbol scale");
});

Deno.test("rowBars() draws a bar for each row, in their order, with names that fit", () => {
  const rows = [
    { pair: "WETH → USDC", fills: 48 },
    { pair: "<b>", fills: -3 },
    { pair: null, fills: null },
  ];
  const { svg, title } = rowBars(rows, { x: "pair", y: "fills", width: 400 });
  assertEquals(title, "Fills by pair");
  assertStringIncludes(svg, "WETH → USDC: 48");
  assertMatch(svg, /&lt;b(?:>|&gt;): [-−]3/);
  assertEquals([...svg.matchAll(/<rect [^>]*><title>/g)].length, 2);
});

Deno.test("rowBars() draws the first rows of many, and says so", () => {
  const rows = Array.from({ length: 200 }, (_, at) => ({ name: `row ${at}`, fee_native: at }));
  const { svg } = rowBars(rows, { x: "name", y: "fee_native", width: 760 });
  assertStringIncludes(svg, "The first 30 of 200 rows.");
  assertEquals([...svg.matchAll(/<title>row \d+:/g)].length, 30);
});
