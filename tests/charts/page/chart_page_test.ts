import * as Plot from "@observablehq/plot";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  auctionRanking,
  Chart,
  figure,
  settlementOutcomes,
  slippageByQuoteAge,
  slippageBySize,
  timeSeries,
} from "../../../lib/charts/mod.ts";
import { unpackBase64 } from "../../../lib/charts/figure/chart.ts";
import { addInteraction } from "../../../lib/charts/page/interactive_svg.ts";
import { EMBEDDED } from "../../../tools/charts/embed_files.ts";
import { fill, slipped } from "../slippage_rows.ts";
import { marksOf } from "../svg_marks.ts";
import { committedDrawings, jupyterBundle } from "./shown_charts.ts";

const ROWS = Array.from(
  { length: 40 },
  (_, place) => fill(place, { ...slipped(place % 3 === 0 ? -4 : 9), volume_native: 1 + place }),
);
const chart = slippageBySize(ROWS);

Deno.test("a chart is HTML, SVG and text to Jupyter, and its SVG has neither style nor script", () => {
  const bundle = jupyterBundle(chart);
  assertEquals(Object.keys(bundle), ["text/html", "image/svg+xml", "text/plain"]);
  assertEquals(bundle["image/svg+xml"], chart.svg);
  assertEquals(bundle["text/plain"], `${chart.title}\n${chart.finding}`);
  assert(bundle["text/html"]!.endsWith(`</figure><p>${chart.finding}</p>`));
  assert(!/<script|<style|data-/.test(chart.svg));
});

Deno.test("the page of a chart loads nothing and names nothing beside its own class", () => {
  for (const html of [chart.html, jupyterBundle(chart)["text/html"]!]) {
    const [, name = ""] = /^<figure class="(orderlens-[a-z0-9]{12})">/.exec(html) ?? [];
    assert(name !== "");
    assertEquals(
      html.match(/(?:src|href)=["'](?!data:image\/svg\+xml;)|@import|url\((?!#)/g),
      null,
    );
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const selectors = style.replaceAll(/\{[^{}]*\}/g, "{}").split(/[{}]/)
      .filter((text) => text !== "" && !text.startsWith("@"));
    for (const selector of selectors) assert(selector.includes(`.${name}`), selector);
  }
});

Deno.test("the page of a chart is the same for the same drawing, and has another name for another", () => {
  const name = (html: string) => /class="([^"]*)"/.exec(html)![1];
  assertEquals(slippageBySize(ROWS).html, chart.html);
  assertEquals(jupyterBundle(slippageBySize(ROWS)), jupyterBundle(chart));
  assert(name(slippageBySize(ROWS.slice(1)).html) !== name(chart.html));
});

Deno.test("html draws other widths when it is read, and none as wide as another", () => {
  const asked: number[] = [];
  const { title, svg } = slippageBySize(ROWS, { width: 400 });
  const redraw = (width: number) => {
    asked.push(width);
    return slippageBySize(ROWS, { width }).svg;
  };
  const narrow = new Chart({ title, svg, rows: ROWS, redraw });
  assertEquals(asked, []);
  for (const html of [narrow.html, jupyterBundle(narrow)["text/html"]!]) {
    const widths = [...html.matchAll(/<svg data-width=["'](\d+)["']/g)];
    assertEquals(widths.map(([, width]) => width), ["400", "1080"]);
  }
  assertEquals(asked, [1080, 1080]);
});

Deno.test("ids of two charts, and of the drawings of one, have none in common", () => {
  const drawing = (width: number, fill: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 9" width="${width}" height="9">` +
    `<title>t</title><defs><clipPath id="clip"><rect width="9" height="9"/></clipPath></defs>` +
    `<svg><g aria-label="dot"><circle r="3" fill="${fill}" clip-path="url(#clip)"/></g></svg></svg>`;
  const html = ["#0072b2", "#d55e00"].map((fill) =>
    new Chart({
      title: "t",
      svg: drawing(760, fill),
      rows: [],
      redraw: (width) => drawing(width, fill),
    }).html
  ).join("");
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  const used = [...html.matchAll(/url\(#([^)]*)\)/g)].map(([, id]) => id!);
  assertEquals(ids.length, 6);
  assertEquals(new Set(ids).size, 6);
  assertEquals(used, ids);
});

Deno.test("a title cannot break out of the page, and stays what it is", () => {
  const title = `"><script>alert('x')</script> 100% of #1 & "two"`;
  const escaped = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9" ` +
    `aria-label="${escaped}"><title>${escaped}</title><text>it's\n5%</text></svg>`;
  const hostile = new Chart({ title, svg, rows: [] });
  const html = jupyterBundle(hostile)["text/html"]!;
  for (const page of [hostile.html, html]) {
    assertEquals(page.match(/<script\b/g)?.length, 1);
    assert(!page.includes("alert('x')</script>"));
  }
  const [, source = ""] = /\ssrc="([^"]*)"/.exec(html) ?? [];
  const uri = source.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const shown = decodeURIComponent(uri.replace(/^[^,]*,/, ""));
  assertMatch(uri, /^data:image\/svg\+xml;charset=utf-8,<svg [^#\n]*$/);
  assertEquals(
    shown.replaceAll("'", '"').replace(' data-width="9"', ""),
    svg.replaceAll("'", '"'),
  );
});

/** Fails if a chart takes more than 1.5 MB in a notebook. */
function assertSmall(chart: Chart): void {
  const bytes = new TextEncoder().encode(JSON.stringify(jupyterBundle(chart))).length;
  assert(bytes < 1.5e6, `${bytes} bytes`);
}

Deno.test("2,000 fills, which are drawn one by one, are shown within 1.5 MB", () => {
  assertSmall(slippageByQuoteAge(Array.from({ length: 2_000 }, (_, place) =>
    fill(place, {
      ...slipped(Math.sin(place) * 40),
      volume_native: 0.01 + (place * 7919 % 10_007) / 100,
      quote_age_seconds: 1 + (place * 31 % 1000) / 10,
    }))));
});

Deno.test("10,000 rows of any table are shown within 1.5 MB", () => {
  const many = Array.from({ length: 10_000 }, (_, place) => ({
    filled_at_ms: 1_795_273_200_000 + place * 7_900,
    slippage_bps: Math.sin(place) * 40,
    solver: `solver ${place * 7919 % 12}`,
  }));
  const options = { x: "filled_at_ms", series: "solver" };
  assertSmall(timeSeries(many, { ...options, y: "slippage_bps" }));
  // 659 bins of 6 series, of at most 4,000 points.
  assertSmall(timeSeries(many, { ...options, every: "2 minutes", limit: 5, share: true }));
});

for (const [name, { bytes }] of Object.entries(EMBEDDED)) {
  Deno.test(`lib/charts/png/${name}.ts holds the bytes of the package`, async () => {
    const module = await import(`../../../lib/charts/png/${name}.ts`);
    const embedded = await unpackBase64(module[name.toUpperCase()]);
    assertEquals(embedded.length, bytes.length);
    assertEquals(embedded.every((byte, at) => byte === bytes[at]), true);
  });
}

const DRAWINGS = await committedDrawings();

/** The drawing without what a page added to it. */
function withoutAdditions(svg: string): string {
  return svg
    .replaceAll(
      /<g data-legend="\d+"><rect [^>]*pointer-events="all"\/>((?:(?!<\/g>).)*)<\/g>/gs,
      "$1",
    )
    .replaceAll(/ data-(?:series|edge|stays)="\d*"/g, "");
}

/** The entries of the legend that became buttons: number to label. */
function buttons(svg: string): Record<string, string> {
  const found = svg.matchAll(/<g data-legend="(\d+)">(.*?)<\/g>/gs);
  return Object.fromEntries(
    [...found].map(([, place, inside = ""]) => [place, inside.replaceAll(/<[^>]*>/g, " ").trim()]),
  );
}

Deno.test("addInteraction() adds attributes and changes nothing else, in any committed picture", () => {
  assert(DRAWINGS.length >= 20, `${DRAWINGS.length} drawings`);
  for (const { title, svg } of DRAWINGS) {
    assertEquals(withoutAdditions(addInteraction(svg, "x")), svg, title);
  }
});

Deno.test("addInteraction() gives a button to nearly every entry that has marks", () => {
  const entries = DRAWINGS.map(({ svg }) => Object.keys(buttons(addInteraction(svg, "x"))).length);
  const swatches = DRAWINGS.map(({ svg }) =>
    svg.slice(0, svg.indexOf("<svg", 1)).split('stroke-width="1.5"').length - 1
  );
  const [given, drawn] = [entries, swatches].map((list) => list.reduce((a, b) => a + b, 0));
  assert(given! >= 0.9 * drawn!, `${given} buttons for ${drawn} entries`);
});

Deno.test("addInteraction() tells the marks of each entry: dots by fill, the median by its line", () => {
  const svg = addInteraction(chart.svg, "x");
  assertEquals(buttons(svg), {
    "0": "fill better than the net quote, or equal",
    "1": "worse",
    "2": "median of each half of the fills",
    "3": "its 95% bootstrap interval",
  });
  const dots = marksOf(svg, "fill").map(({ attributes }) =>
    `${attributes["fill"]} ${attributes["data-series"]}`
  );
  assertEquals(dots.filter((dot) => dot === "#0072b2 0").length, 26);
  assertEquals(dots.filter((dot) => dot === "#d55e00 1").length, 14);
  assertMatch(svg, /<g data-series="2"[^>]*class="median"/);
  assertMatch(svg, /<g data-series="3"[^>]*class="interval"/);
  assertMatch(svg, /<g stroke="#1f2328" aria-label="rule">/, "the line at zero stays");
});

Deno.test("addInteraction() goes by outlines where fills do not tell entries apart", () => {
  const common = { auction_id: 7, solver: "a", score_native: 2, filtered_out: false };
  const svg = addInteraction(
    auctionRanking([
      { ...common, ranking: 1, is_winner: true },
      { ...common, ranking: 2, solver: "b", score_native: 1, is_winner: false },
      { ...common, ranking: 3, solver: "c", score_native: 3, is_winner: false, filtered_out: true },
    ]).svg,
    "x",
  );
  const names = buttons(svg);
  const bars = marksOf(svg, "score").map(({ attributes }) => names[attributes["data-series"]!]);
  assertEquals(bars, ["winner", "valid, did not win", "filtered out"]);
});

Deno.test("addInteraction() leaves an entry without marks as it is", () => {
  const svg = settlementOutcomes([
    { solver: "a", in_time: 3, late: 0, absent: 1, pending: 0 },
  ]).svg;
  assertStringIncludes(svg, ">in time</text>");
  assertEquals(Object.values(buttons(addInteraction(svg, "x"))), ["in time", "absent"]);
});

Deno.test("addInteraction() keeps texts as they are on bars and cells that stay as they are", () => {
  const cells = [0, 1].map((won) => ({ solver: `solver ${won}`, pair: "WETH → USDC", won }));
  const place = { x: "solver", y: "pair" };
  const fill = ({ won }: typeof cells[number]) => won === 1 ? "white" : "#1f2328";
  const text = Plot.text(cells, { ...place, fill, text: "won" });
  const { svg } = figure({ marks: [Plot.cell(cells, { ...place, fill: "won" }), text] }, {
    title: "Won",
  });
  const staying = (svg: string) =>
    [...addInteraction(svg, "x").matchAll(/<text data-stays=""[^>]*fill="([^"]*)"/g)]
      .map(([, color]) => color);
  assertEquals(staying(svg), ["#1f2328", "white"]);
  const ranking = DRAWINGS.find(({ title }) => title.startsWith("Ranking of auction"))!;
  assertEquals(staying(ranking.svg), ["white", "#1f2328"]);
});

Deno.test("addInteraction() gives every id a prefix, where it is defined and where it is used", () => {
  const svg =
    '<svg width="9" xmlns="http://www.w3.org/2000/svg"><defs><clipPath id="clip"></clipPath></defs>' +
    '<svg><g aria-label="dot" clip-path="url(#clip)"><use href="#clip"/></g></svg>' +
    '<text>id="clip" url(#clip)</text></svg>';
  assertEquals(
    addInteraction(svg, "one"),
    svg.replace('id="clip">', 'id="one-clip">').replace('"url(#clip)"', '"url(#one-clip)"')
      .replace('href="#clip"', 'href="#one-clip"'),
  );
});
