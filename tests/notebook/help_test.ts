import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseHTML } from "linkedom";
import { leftOnTheTable as drawLeft, winMargin } from "orderlens/charts";
import { Market, openMarket } from "orderlens/market";
import { leftOnTheTable } from "orderlens/metrics";
import { help, render } from "orderlens/notebook";
import { FILLS } from "orderlens/tables";
import { findHelp } from "../../lib/notebook/help.ts";
import { formatHelp } from "../../tools/notebooks/collect_help.ts";
import { readViews } from "orderlens/sql";

/** The help of a subject as text, and the rows of its table. */
async function helpFor(subject?: unknown) {
  const bundle = await render(findHelp(subject));
  const { document } = parseHTML(`<main>${bundle["text/html"]}</main>`);
  const rows = [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.textContent!)
  );
  return { text: String(bundle["text/plain"]), rows, document };
}

const market = await openMarket("market_1", { last: 10 });

Deno.test("the file of the help is that of the documentation", async () => {
  assertEquals(
    await Deno.readTextFile(new URL("../../lib/notebook/help.json", import.meta.url)),
    await formatHelp(),
    "Write it again: deno run -A tools/notebooks/write_help.ts",
  );
});

Deno.test("help shows the columns of a table, by itself, its names or a frame of it", async () => {
  const { text, rows, document } = await helpFor(FILLS);
  assertStringIncludes(
    text,
    "fills: table, FILLS of orderlens/tables, market.fills()\nOne fill of one order: its surplus",
  );
  assertEquals([...document.querySelectorAll("th")].map((cell) => cell.textContent), [
    "column",
    "type",
    "unit",
    "meaning and source",
  ]);
  assertEquals(rows.map(([name]) => name), FILLS.columns.map(({ name }) => name));
  for (const subject of ["FILLS", "fills", market.fills(), await market.fills()]) {
    assertEquals((await helpFor(subject)).text, text);
  }
});

Deno.test("help shows the columns of a view, by its name or a frame of it", async () => {
  const view = (await readViews()).find(({ name }) => name === "solver_days")!;
  const { rows, text } = await helpFor("solver_days");
  assertStringIncludes(text, "solver_days: view, market.solverDays()\n");
  assertEquals(
    rows,
    view.columns.map(({ name, dtype, unit, text }) => [name, dtype, unit ?? "", text]),
  );
});

Deno.test("help shows parameters and options of a function, with what they allow, and an example", async () => {
  const { text, rows, document } = await helpFor(winMargin);
  assertStringIncludes(text, "winMargin(rows, options?), from orderlens/charts\nDraws the margin");
  const limit = rows.find(([name]) => name === "options.limit");
  assertEquals(limit, [
    "options.limit",
    "number",
    "a whole number of at least 1",
    "60",
    "Maximum number of solvers drawn.",
  ]);
  const sort = rows.find(([name]) => name === "options.sort")!;
  assertEquals(sort.slice(2, 4), ["one of solver, -solver, wins, -wins", '"-wins"']);
  const width = rows.find(([name]) => name === "options.width")!;
  assertEquals(width.slice(2, 4), ["a number of pixels from 240 to 4,000", "760"]);
  const native = rows.find(([name]) => name === "rows.margin_native")!;
  assertEquals(native.slice(1), [
    "number | null",
    "",
    "required",
    "Total score of the auction less the solver's reference score, in native tokens.",
  ]);
  assertStringIncludes(document.querySelector("pre")!.textContent!, "const chart = winMargin([");
  assertEquals((await helpFor("winMargin")).text, text);
  const last = (await helpFor(openMarket)).rows.find(([name]) => name === "options.last")!;
  assertEquals(last.slice(1, 4), [
    "number",
    "a whole number of at least 1",
    "20 of a network or a URL, all of everything else",
  ]);
});

Deno.test("help tells a chart from the metric of its name", async () => {
  for (const [subject, room] of [[leftOnTheTable, "metrics"], [drawLeft, "charts"]] as const) {
    assertStringIncludes((await helpFor(subject)).text, `from orderlens/${room}\n`);
  }
});

Deno.test("help shows every method of a market, tables and views with their grain", async () => {
  const { rows, text } = await helpFor(market);
  assertStringIncludes(text, "Market, from orderlens/market\n");
  const byName = new Map(rows.map((row) => [row[0]!.replace(/\(.*/, ""), row]));
  assertEquals(byName.get("fills"), [
    "fills()",
    "table",
    "One row per fill: surplus, slippage and its parts, fees, the best other bid.",
  ]);
  assertEquals(byName.get("leaderboard"), [
    "leaderboard()",
    "view",
    "One row per solver: bids, wins, scores, settlements.",
  ]);
  assertEquals(byName.get("sql")!.slice(0, 2), ["sql(query, options?)", "method"]);
  const members = [
    ...Object.keys(market),
    ...Object.getOwnPropertyNames(Market.prototype).filter((name) => name !== "constructor"),
  ];
  assert(members.length > 40);
  assertEquals(members.filter((name) => !byName.has(name)), []);
  assertEquals((await helpFor(Market)).text, text);
});

Deno.test("help without a subject lists all, and so does the error of another one", async () => {
  const { rows } = await helpFor();
  const kinds = new Map(rows.map(([name = "", kind]) => [name, kind]));
  const expected = { FILLS: "table", leaderboard: "view", winMargin: "function", Market: "class" };
  for (const [name, kind] of Object.entries(expected)) assertEquals(kinds.get(name), kind);
  for (
    const [subject, words] of [["winMargn", '"winMargn"'], [7, "7"], [{}, "an object"]] as const
  ) {
    const { text } = await helpFor(subject);
    assert(text.startsWith(`InputError (input): There is no help for ${words}\n`), text);
    for (const name of kinds.keys()) assertStringIncludes(text, name);
  }
  assertStringIncludes((await helpFor("winMargn")).text, "Fix: Pass winMargin, or another one");
});

Deno.test("the name of each subject has a page that says something", async () => {
  for (const [name = "", , , meaning = ""] of (await helpFor()).rows) {
    const { text } = await helpFor(name);
    assert(!text.includes("There is no help") && meaning.length > 5, name);
    assert(!/\[object|\{@link/.test(text), `${name}: ${text}`);
  }
});

Deno.test("help throws outside a notebook", async () => {
  for (const subject of [FILLS, "no such subject"]) {
    const error = await help(subject).then(() => null, (error) => error);
    assertStringIncludes(String(error), "Cannot show a value outside a notebook");
  }
});
