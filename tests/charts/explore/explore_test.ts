import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { explore, type ExploreOptions } from "orderlens/charts";
import pl from "nodejs-polars";
import { exploredFills } from "./explored_fills.ts";
import { createExplorationScript } from "../../../lib/charts/explore/exploration_script.ts";
import { formatShort } from "../../../lib/charts/explore/exploration_view.ts";

/** What stands in the page of an exploration. */
function dataOf(html: string) {
  const [, json] = /<script type="application\/json">(.*?)<\/script>/s.exec(html)!;
  return JSON.parse(json!);
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

Deno.test("explore() takes a frame as it takes rows, and keeps every double and every UID", () => {
  const rows = exploredFills(40);
  const html = explore(rows).html;
  // Code that the page copies makes a frame of the rows first.
  const framed = explore(pl.DataFrame(rows)).html.replace(
    '"frame":"frame"',
    '"frame":"pl.DataFrame(frame)"',
  );
  assert(framed === html);
  const { columns, x, y, listed, height } = dataOf(html);
  assertEquals(height, 40);
  const doubles = new Float64Array(bytesOf(columns[x].cells.bytes).buffer);
  assertEquals([...doubles], rows.map(({ volume_native }) => volume_native));
  assertEquals(columns[y[0].column].label, "Slippage net (bps)");
  const { cells } = columns[listed[0]];
  assertEquals([cells.kind, cells.width], ["hex", 56]);
  assertEquals(`0x${bytesOf(cells.bytes).slice(0, 56).toHex()}`, rows[0]!.order_uid);
});

Deno.test("explore() counts rows that are not on the axes", () => {
  const rows = [...exploredFills(3), { ...exploredFills(1)[0]!, volume_native: null }];
  assertEquals(dataOf(explore(rows).html).note, "1 of 4 fills lack a value for one of the axes.");
  assertStringIncludes(explore([], { x: "a", y: "b" }).title, "0 rows");
});

Deno.test("explore() keeps 50,000 fills in 3 MB, and counts more of them in bins", () => {
  const fills = exploredFills(50_001);
  const { html } = explore(fills.slice(1));
  assert(html.length < 3_000_000, `${html.length} characters`);
  assertEquals(dataOf(html).weights, null);
  const binned = dataOf(explore(fills).html);
  const weights = new Uint32Array(bytesOf(binned.weights).buffer);
  assertEquals(weights.length, binned.height);
  assert(weights.length < 50_000);
  assertEquals(weights.reduce((sum, one) => sum + one, 0), 50_001);
  assertStringIncludes(binned.note, "More than 50,000 fills are counted in bins");
});

Deno.test("explore() links where href says: a running explorer, or those of a network", () => {
  const linked = (options: ExploreOptions, rows: object[] = exploredFills(1)) =>
    dataOf(explore(rows, options).html).columns.flatMap(({ link }: { link: string }) => link ?? []);
  assertEquals(linked({}), []);
  assertEquals(linked({ href: "http://127.0.0.1:8080/" }), ["http://127.0.0.1:8080/orders/"]);
  assertEquals(linked({ href: "xdai" }), ["https://explorer.cow.fi/gc/orders/"]);
  assertEquals(linked({ href: "../search.html?q=" }), ["../search.html?q="]);
  const named = exploredFills(2).map((row) => ({ ...row, network: "xdai" }));
  assertEquals(linked({}, named), ["https://explorer.cow.fi/gc/orders/"]);
  assertEquals(linked({ href: null }, named), []);
});

Deno.test("explore() keeps every digit of 50,000 rows while there is room, and says if not", () => {
  const many = exploredFills(50_000);
  const { columns, x, note } = dataOf(explore(many).html);
  assertEquals([columns[x].cells.width, note.includes("seven digits")], [8, false]);
  const wide = many.map((row) => ({
    ...row,
    slippage_user_shown_bps: row.slippage_net_bps,
    slippage_limit_bps: row.slippage_gross_bps,
  }));
  const { html } = explore(wide);
  assertStringIncludes(dataOf(html).note, "Numbers are rounded to seven digits here");
  assert(html.length < 3_000_000, `${html.length} characters`);
});

Deno.test("explore() names the table of its frame, and the frame that code reads", () => {
  const codeOf = (rows: Parameters<typeof explore>[0], options: ExploreOptions = {}) => {
    const { frame, table, always } = dataOf(explore(rows, options).html);
    return [frame, table, always];
  };
  const rows = exploredFills(2);
  assertEquals(codeOf(rows), ["pl.DataFrame(frame)", "fills", []]);
  assertEquals(codeOf(pl.DataFrame(rows), { frame: "mine", table: null }), ["mine", null, []]);
  assertEquals(codeOf(rows, { frame: null }), [null, "fills", []]);
  const win = { auction_at_ms: 1_000, margin_native: 1, score_native: 2, is_winner: true };
  assertEquals(codeOf([win]), ["pl.DataFrame(frame)", "outcomes", ["is_winner"]]);
});

Deno.test("explore() escapes what would end its script", () => {
  const rows = [{ volume_native: 1, slippage_net_bps: 1, solver_name: "</script><b>" }];
  assert(!explore(rows).html.includes("</script><b>"));
});

Deno.test("explore() calls solutions winning only where all of them are", () => {
  const solution = { auction_at_ms: 1_000, margin_native: 1, score_native: 2, is_winner: true };
  const other = { ...solution, margin_native: null, is_winner: false };
  assertStringIncludes(explore([solution]).title, "1 winning solution: margin");
  const both = explore([solution, other]);
  assertStringIncludes(both.title, "2 solutions: margin");
  assertStringIncludes(both.svg, "1 without a margin left out.");
});

const REFUSED: readonly [rows: object[], options: object, message: string][] = [
  [[{ a: 1 }], {}, "rows of this kind without a column for each axis"],
  [[{ text: "b", a: 1, empty: null }], {}, '{ x: "…", y: "…" }: a'],
  [[{ text: "b" }], {}, "these have only text"],
  [[{ a: 1, at_ms: 2 }], { x: "a", y: "at_ms" }, 'Pass it as { x: "at_ms" }'],
  [[{ a: 1, is_winner: true }], { x: "a", y: "is_winner" }, "is_winner is true or false"],
  [exploredFills(1), { x: "sise" }, "Cannot draw explore without sise"],
  [
    [{ a: 1, fee_atoms: "12" }],
    { x: "a", y: "fee_atoms" },
    "the column fee_atoms is text",
  ],
  [exploredFills(1), { href: "javascript:alert(1)" }, "href"],
  [exploredFills(1), { href: "javascript:alert(1)?q=" }, "href"],
  [exploredFills(1), { frame: "a b" }, "frame"],
  [exploredFills(1), { table: "a; DROP TABLE b" }, "table"],
  [exploredFills(1), { z: "a" }, '"z"'],
];

for (const [rows, options, message] of REFUSED) {
  Deno.test(`explore() refuses ${JSON.stringify(options)} of ${Object.keys(rows[0]!).length} columns`, () => {
    assertThrows(() => explore(rows, options as ExploreOptions), Error, message);
  });
}

Deno.test("formatShort() writes 0.00001 as people do, and an exponent where it saves many zeros", () => {
  const texts = [0.00001, 0.0001, 2_500_000, 2.5e-7, 3e9].map((value) => formatShort(value, false));
  assertEquals(texts, ["0.00001", "0.0001", "2,500,000", "2.500e−7", "3.000e+9"]);
});

Deno.test("createExplorationScript() has every function that its files export, each name once", async () => {
  const script = createExplorationScript();
  let count = 0;
  for (const file of ["canvas", "code", "controls", "output", "pointer", "rows", "view"]) {
    const functions: Record<string, unknown> = await import(
      `../../../lib/charts/explore/exploration_${file}.ts`
    );
    for (const name of Object.keys(functions)) {
      assertEquals(script.split(`function ${name}(`).length, 2, name);
      count++;
    }
  }
  assert(count > 20, `${count} functions`);
});
