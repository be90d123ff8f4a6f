import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  auctionRanking,
  settlementOutcomes,
  slippageBySize,
  solverMatrix,
} from "../../../lib/charts/mod.ts";
import { interactiveSvg } from "../../../lib/charts/page/interactive_svg.ts";
import { marksOf } from "../svg_marks.ts";
import { fill, slipped } from "../slippage_rows.ts";
import { committedDrawings } from "./shown_charts.ts";

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

Deno.test("interactiveSvg() adds attributes and changes nothing else, in any committed picture", () => {
  assert(DRAWINGS.length >= 20, `${DRAWINGS.length} drawings`);
  for (const { title, svg } of DRAWINGS) {
    assertEquals(withoutAdditions(interactiveSvg(svg, "x")), svg, title);
  }
});

Deno.test("interactiveSvg() gives a button to nearly every entry that has marks", () => {
  const entries = DRAWINGS.map(({ svg }) => Object.keys(buttons(interactiveSvg(svg, "x"))).length);
  const swatches = DRAWINGS.map(({ svg }) =>
    svg.slice(0, svg.indexOf("<svg", 1)).split('stroke-width="1.5"').length - 1
  );
  const [given, drawn] = [entries, swatches].map((list) => list.reduce((a, b) => a + b, 0));
  assert(given! >= 0.9 * drawn!, `${given} buttons for ${drawn} entries`);
});

Deno.test("interactiveSvg() tells the marks of each entry: dots by fill, the median by its line", () => {
  const rows = Array.from(
    { length: 48 },
    (_, place) => fill(place, { ...slipped(place % 3 === 0 ? -4 : 9), volume_native: 1 + place }),
  );
  const svg = interactiveSvg(slippageBySize(rows).svg, "x");
  assertEquals(buttons(svg), {
    "0": "fill better than the net quote, or equal",
    "1": "worse",
    "2": "median of each third of the fills",
  });
  const dots = marksOf(svg, "fill").map(({ attributes }) =>
    `${attributes["fill"]} ${attributes["data-series"]}`
  );
  assertEquals(dots.filter((dot) => dot === "#0072b2 0").length, 32);
  assertEquals(dots.filter((dot) => dot === "#d55e00 1").length, 16);
  assertMatch(svg, /<g data-series="2"[^>]*class="median"/);
  assertMatch(svg, /<g stroke="#1f2328" aria-label="rule">/, "the line at zero stays");
});

Deno.test("interactiveSvg() goes by outlines where fills do not tell entries apart", () => {
  const common = { auction_id: 7, solver: "a", score_native: 2, filtered_out: false };
  const svg = interactiveSvg(
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

Deno.test("interactiveSvg() leaves an entry without marks as it is", () => {
  const svg = settlementOutcomes([
    { solver: "a", in_time: 3, late: 0, absent: 1, pending: 0 },
  ]).svg;
  assertStringIncludes(svg, ">in time</text>");
  assertEquals(Object.values(buttons(interactiveSvg(svg, "x"))), ["in time", "absent"]);
});

Deno.test("interactiveSvg() keeps a text dark on a bar that stays pale, and lets it go with its cell", () => {
  const cells = solverMatrix([
    { solver: "a", pair: "WETH → USDC", bids: 10, wins: 10 },
    { solver: "b", pair: "WETH → USDC", bids: 10, wins: 1 },
  ]).svg;
  const svg = interactiveSvg(cells, "x");
  assert(!svg.includes("data-stays"), "cells turn with the page, and so do their texts");
  const [texts = ""] = svg.match(/<g[^>]*pointer-events="none"[^]*?<\/g>/) ?? [];
  assertEquals([...texts.matchAll(/data-series="(\d)"/g)].length, 2);
  const ranking = DRAWINGS.find(({ title }) => title.startsWith("Ranking of auction"))!;
  assertEquals(
    [...interactiveSvg(ranking.svg, "x").matchAll(/<text data-stays=""[^>]*fill="([^"]*)"/g)]
      .map(([, color]) => color),
    ["white", "#1f2328"],
  );
});

Deno.test("interactiveSvg() gives every id a prefix, where it is defined and where it is used", () => {
  const svg =
    '<svg width="9" xmlns="http://www.w3.org/2000/svg"><defs><clipPath id="clip"></clipPath></defs>' +
    '<svg><g aria-label="dot" clip-path="url(#clip)"><use href="#clip"/></g></svg>' +
    '<text>id="clip" url(#clip)</text></svg>';
  assertEquals(
    interactiveSvg(svg, "one"),
    svg.replace('id="clip">', 'id="one-clip">').replace('"url(#clip)"', '"url(#one-clip)"')
      .replace('href="#clip"', 'href="#one-clip"'),
  );
});
