import { openDataset } from "orderlens/datasets";
import { openSql, readViews } from "orderlens/sql";
import { assert, assertEquals } from "@std/assert";
import { tableLines } from "../../lib/cli/actions/sql_action.ts";
import { LibraryRows } from "../sql/library_rows.ts";
import { ANSWERS, type Facts } from "./sql/library_answers.ts";

const page = await Deno.readTextFile(new URL("../../docs/sql.md", import.meta.url));
const blocks = [...page.matchAll(/```sql\n([^]*?)```\n\n```text\n([^]*?)```/g)]
  .map(([, query = "", answer = ""]) => ({ query, answer: answer.trimEnd() }));
const questions = page.split(/^### (?=\d+\. )/m).slice(1).map((text) => ({
  title: text.slice(0, text.indexOf("\n")),
  query: /```sql\n([^]*?)```/.exec(text)?.[1] ?? "",
}));
const sql = await openSql("market_1");
Deno.test.afterAll(() => sql[Symbol.dispose]());

/** Rows of the table in Markdown whose first column has this name. */
function cellsUnder(name: string): string[][] {
  const [table = ""] = new RegExp(`^\\| ${name} [^]*?\\n\\n`, "m").exec(page) ?? [];
  return table.trim().split("\n").slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
  );
}

Deno.test("the page of SQL shows what its queries print", async () => {
  assertEquals(blocks.length, 12);
  for (const { query, answer } of blocks) {
    const columns = (await sql.columns(query)).map(({ name }) => name);
    assertEquals(tableLines(columns, await sql.query(query)).join("\n"), answer);
  }
});

Deno.test("the examples of functions give what the page says", async () => {
  const examples = cellsUnder("call");
  assertEquals(examples.length, 10);
  for (const [call = "", expected] of examples) {
    const [row] = await sql.query(`SELECT ${call} AS value`);
    assertEquals(String(row?.value), expected, call);
  }
});

Deno.test("the page has every view, with its key", async () => {
  const views = cellsUnder("view")
    .map(([name, , key]) => ({ name, key }));
  assertEquals(
    views,
    (await readViews()).map(({ name, key }) => ({ name, key: key.join(", ") })),
  );
});

Deno.test("every name of a table on the page is one of the dataset", () => {
  const names = new Set(sql.relations.map(({ name }) => name));
  const [, text = ""] = page.split("queries may name too:");
  const [listed = ""] = text.split("blocks");
  const tables = [...listed.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  assertEquals(tables.filter((name) => !names.has(name)), []);
  assert(tables.length >= 11);
});

const dataset = await openDataset("market_1");
const library = await LibraryRows.of(dataset);
const facts: Facts = { library, lives: await library.lifecycle(dataset) };

Deno.test("the page has ten questions", () => assertEquals(questions.length, 10));

for (const [index, { title, query }] of questions.entries()) {
  Deno.test(`the library gives the same answer: ${title}`, async () => {
    const expected = ANSWERS[index]!(facts);
    const rows = await sql.query(query);
    assertEquals(rows.length, expected.length);
    assert(rows.length > 0);
    for (const [place, row] of rows.entries()) {
      const names = Object.keys(expected[place]!).filter((name) => name !== "pair");
      assert(names.length >= 3);
      const found = Object.fromEntries(names.map((name) => [name, row[name]]));
      const wanted = Object.fromEntries(names.map((name) => [name, expected[place]![name]]));
      assertEquals(found, wanted);
    }
  });
}
