import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import {
  Chart,
  ecdf,
  slippageByQuoteAge,
  slippageBySize,
  timeSeries,
} from "../../../lib/charts/mod.ts";
import { unpackBase64 } from "../../../lib/charts/figure/chart.ts";
import { EMBEDDED } from "../../../tools/charts/embed_files.ts";
import { fill, slipped } from "../slippage_rows.ts";
import { jupyterBundle } from "./shown_charts.ts";

const ROWS = Array.from(
  { length: 40 },
  (_, place) => fill(place, { ...slipped(place % 3 === 0 ? -4 : 9), volume_native: 1 + place }),
);
const chart = slippageBySize(ROWS);

function redrawable(rows: typeof ROWS, widths: number[] = []): Chart {
  const { title, svg } = slippageBySize(rows);
  const redraw = (width: number) => {
    widths.push(width);
    return slippageBySize(rows, { width }).svg;
  };
  return new Chart({ title, svg, rows, redraw });
}

/** The outermost drawings of a page, by the width that they were drawn for. */
function widthsIn(html: string): number[] {
  return [...html.matchAll(/<svg data-width=["'](\d+)["']/g)].map(([, width]) => Number(width));
}

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
    assertNotEquals(name, "");
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
  assertNotEquals(name(slippageBySize(ROWS.slice(1)).html), name(chart.html));
});

Deno.test("the page of a chart has two more drawings where it can be drawn at another width", () => {
  assert(!slippageBySize(ROWS, { width: 760 }).html.includes("@container"));
  const asked: number[] = [];
  const several = redrawable(ROWS, asked);
  assertEquals(asked, [], "nothing is drawn before it is asked for");
  assertEquals(widthsIn(several.html), [760, 360, 1080]);
  assertEquals(widthsIn(jupyterBundle(several)["text/html"]!), [760, 360, 1080]);
  assertEquals(asked, [360, 1080, 360, 1080]);
});

Deno.test("a drawing that is as wide as another one is not drawn again", () => {
  const { title, svg } = slippageBySize(ROWS, { width: 400 });
  const narrow = new Chart({
    title,
    svg,
    rows: ROWS,
    redraw: (width) => slippageBySize(ROWS, { width }).svg,
  });
  assertEquals(widthsIn(narrow.html), [400, 1080]);
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

Deno.test("10,000 fills are shown within 1.5 MB", () => {
  const many = Array.from({ length: 10_000 }, (_, place) =>
    fill(place, {
      ...slipped(Math.sin(place) * 40),
      volume_native: 0.01 + (place * 7919 % 10_007) / 100,
      quote_age_seconds: 1 + (place * 31 % 1000) / 10,
    }));
  assertSmall(slippageByQuoteAge(many));
});

Deno.test("10,000 rows of any table are shown within 1.5 MB", () => {
  const many = Array.from({ length: 10_000 }, (_, place) => ({
    filled_at_ms: 1_795_273_200_000 + place * 7_900,
    slippage_bps: Math.sin(place) * 40,
    solver: `solver ${place * 7919 % 12}`,
  }));
  const all = { x: "filled_at_ms", y: "slippage_bps", series: "solver" };
  assertSmall(timeSeries(many, all));
  // 659 bins of 6 series, of at most 4,000 points.
  const bins = { x: "filled_at_ms", every: "2 minutes", series: "solver", limit: 5 };
  assertSmall(timeSeries(many, { ...bins, y: "slippage_bps", stat: "median" }));
  assertSmall(timeSeries(many, { ...bins, share: true }));
  assertSmall(ecdf(many, { x: "slippage_bps", series: "solver" }));
});

Deno.test("unpackBase64() unpacks what gzip and base64 packed", async () => {
  // printf 'hello' | gzip -n | base64
  const bytes = await unpackBase64("H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==");
  assertEquals(new TextDecoder().decode(bytes), "hello");
});

for (const [name, { bytes }] of Object.entries(EMBEDDED)) {
  Deno.test(`lib/charts/png/${name}.ts holds the bytes of the package`, async () => {
    const module = await import(`../../../lib/charts/png/${name}.ts`);
    const embedded = await unpackBase64(module[name.toUpperCase()]);
    assertEquals(embedded.length, bytes.length);
    assertEquals(embedded.every((byte, at) => byte === bytes[at]), true);
  });
}
