import { assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { openMarket } from "orderlens/market";
import {
  formatPolars,
  formatSql,
  type ViewCondition,
} from "../../../lib/charts/explore/exploration_code.ts";
import { writePattern } from "../../../lib/charts/explore/exploration_view.ts";

/** Rows with what code gets wrong: quotes, line ends, letters that turn a line, null, NaN, and atoms. */
const ROWS = [
  {
    id: 0,
    name: `it's "a" \\ b`,
    atoms_atoms: "9007199254740993",
    size: 0.1,
    at_ms: 1_700_000_000_123,
    won: true,
  },
  {
    id: 1,
    name: "two\nlines",
    atoms_atoms: "9007199254740992",
    size: 0.3,
    at_ms: 1_700_000_000_124,
    won: false,
  },
  {
    id: 2,
    name: "\u202eturned",
    atoms_atoms: null,
    size: NaN,
    at_ms: 1_700_000_000_125,
    won: null,
  },
  { id: 3, name: "", atoms_atoms: "12", size: Infinity, at_ms: null, won: true },
  { id: 4, name: null, atoms_atoms: "12", size: null, at_ms: 1_700_000_000_126, won: true },
  { id: 5, name: "unknown", atoms_atoms: "1", size: -1e-7, at_ms: 1_700_000_000_127, won: false },
  {
    id: 6,
    name: "ΣΊΣΥΦΟΣ (a+b)",
    atoms_atoms: "2",
    size: 1e21,
    at_ms: 1_700_000_000_128,
    won: false,
  },
];

function column(key: string, more: object = {}) {
  const type = key === "won" ? "boolean" : /^(?:size|at_ms|id)$/.test(key) ? "number" : "text";
  return {
    key,
    type,
    hasNull: true,
    hasEmpty: key === "name",
    hasOdd: key === "size",
    isTime: key === "at_ms",
    ...more,
  } as Extract<ViewCondition, { kind: "text" }>["column"];
}

const text = (key: string, text: string): ViewCondition => ({
  kind: "text",
  column: column(key),
  text,
});
const range = (key: string, low: number, high: number): ViewCondition => ({
  kind: "range",
  column: column(key),
  range: [low, high],
});
const search = (text: string, ...keys: string[]): ViewCondition => ({
  kind: "search",
  columns: keys.map((key) => column(key)),
  pattern: `(?i)${writePattern(text)}`,
});
const rest = (key: string, texts: string[]): ViewCondition => ({
  kind: "rest",
  column: column(key),
  texts,
});

/** Conditions with the ids of the rows that meet all of them. */
const CASES: readonly [name: string, conditions: readonly ViewCondition[], ids: number[]][] = [
  ["no condition", [], [0, 1, 2, 3, 4, 5, 6]],
  ["text with quotes", [text("name", `it's "a" \\ b`)], [0]],
  ["text with a line end", [text("name", "two\nlines")], [1]],
  ["text that turns the line", [text("name", "\u202eturned")], [2]],
  ["no text", [text("name", "")], [3, 4]],
  ["the text unknown", [text("name", "unknown")], [5]],
  ["neighbouring amounts that are one double", [text("atoms_atoms", "9007199254740993")], [0]],
  ["no amount", [text("atoms_atoms", "")], [2]],
  ["true", [text("won", "true")], [0, 3, 4]],
  ["neither true nor false", [
    { ...text("won", ""), column: column("won", { hasEmpty: false }) } as ViewCondition,
  ], [2]],
  ["a number", [text("size", "0.3")], [1]],
  ["a large number", [text("size", "1e+21")], [6]],
  ["not a number", [text("size", "NaN")], [2]],
  ["a closed range", [range("size", 0.1, 0.3)], [0, 1]],
  ["a range below zero", [range("size", -1e-7, 0.1)], [0, 5]],
  ["an open range without what is not drawn", [range("size", 0.1, Infinity)], [0, 1, 6]],
  ["both ends open", [range("size", -Infinity, Infinity)], [0, 1, 5, 6]],
  ["a value", [range("at_ms", -Infinity, Infinity)], [0, 1, 2, 4, 5, 6]],
  ["times to the millisecond", [range("at_ms", 1_700_000_000_124, 1_700_000_000_126)], [1, 2, 4]],
  ["times up to one", [range("at_ms", -Infinity, 1_700_000_000_124)], [0, 1]],
  ["a searched text in other letters", [search("σίσυφοσ (A+B)", "name")], [6]],
  ["a searched text in either column", [search("12", "name", "atoms_atoms")], [3, 4]],
  ["a searched quote", [search(`'s "`, "name")], [0]],
  ["the rest with null", [rest("name", ["unknown", "two\nlines"])], [0, 2, 3, 4, 6]],
  ["the rest without null", [rest("name", ["", "unknown"])], [0, 1, 2, 6]],
  ["two conditions", [text("won", "true"), range("size", 0, Infinity)], [0]],
];

const frame = pl.DataFrame(ROWS, {
  schema: {
    id: pl.Int64,
    name: pl.String,
    atoms_atoms: pl.String,
    size: pl.Float64,
    at_ms: pl.Int64,
    won: pl.Bool,
  },
});
const market = await openMarket("dataset://market_1");
Deno.test.afterAll(() => market[Symbol.asyncDispose]());

for (const [name, conditions, ids] of CASES) {
  Deno.test(`formatPolars() and formatSql() select the rows with ${name}`, async () => {
    const line = formatPolars("frame", conditions);
    const [head, code] = line.split(/(?<=; )/);
    assertEquals(head, 'import pl from "nodejs-polars"; ');
    const run = new Function("pl", "frame", `return ${line.slice(head!.length)}`);
    assertEquals(run(pl, frame).getColumn("id").toArray().map(Number), ids, code);
    const query = formatSql("rows", conditions, []);
    const rows = await market.sql(query, { with: { rows: frame } });
    assertEquals(rows.map(({ id }) => Number(id)).toSorted(), ids, query);
    for (const text of [line, query]) assertEquals(/[\n\u202e]/.test(text), false, text);
  });
}

Deno.test("formatSql() begins with what all rows meet", () => {
  assertStringIncludes(
    formatSql("outcomes", [text("name", "a")], ["is_winner"]),
    `FROM outcomes WHERE "is_winner" AND "name" = 'a'`,
  );
});
