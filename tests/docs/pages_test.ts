import { assert, assertEquals } from "@std/assert";
import { ROOMS } from "../../tools/lint/rooms.ts";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { walkFiles } from "../../tools/testing/files_below.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { printedBy } from "./printed_by.ts";
import { openSql, readViews } from "orderlens/sql";
import { formatTable } from "../../lib/cli/actions/sql_action.ts";
import { DERIVED, selectTables, toGlobalKey } from "../../lib/datasets/shards/published_tables.ts";

const DOCS = new URL("../../docs/", import.meta.url);
const README = new URL("../README.md", DOCS);
const NOTEBOOKS = new URL("../notebooks/", DOCS);

Deno.test("the architecture page lists every existing room, in order", async () => {
  const page = await Deno.readTextFile(new URL("architecture.md", DOCS));
  const [rooms = ""] = page.split("\n## Where");
  const listed = [...rooms.matchAll(/^\| `([a-z]+)` /gm)].map(([, room]) => room);
  assertEquals(listed, ROOMS.map(({ name }) => name));
});

Deno.test("the architecture page names files that exist, and at most 15 on each path", async () => {
  const page = await Deno.readTextFile(new URL("architecture.md", DOCS));
  const files = await Array.fromAsync(walkFiles(PROJECT_ROOT, ["lib", "tests", "tools"]));
  const namesIn = (text: string) =>
    Array.from(text.matchAll(/`([\w/]+\.(?:ts|md|sql))`/g), ([, name]) => name!);
  const missing = namesIn(page).filter((name) =>
    !files.some((file) => `/${file}`.endsWith(`/${name}`))
  );
  assertEquals(missing, []);
  const [, paths = ""] = /## Two paths[^\n]*\n([^]*?)\n## /.exec(page) ?? [];
  const lengths = paths.trim().split("\n\n").map((path) => namesIn(path).length);
  assertEquals(lengths.map((length) => length > 5 && length <= 15), [true, true]);
});

Deno.test("the index names every page, and links to files of the project are valid", async () => {
  const names = Array.from(Deno.readDirSync(DOCS), ({ name }) => name);
  const index = await Deno.readTextFile(new URL("README.md", DOCS));
  assert(names.length > 1);
  for (const name of names) assert(name === "README.md" || index.includes(`](${name})`), name);
  for (const page of [...names.map((name) => new URL(name, DOCS)), README]) {
    const text = await Deno.readTextFile(page);
    const links = [...text.matchAll(/\]\(((?!https?:)[^)#]+)\)/g)].map(([, link = ""]) => link);
    for (const link of links) await Deno.stat(new URL(link, page));
  }
});

Deno.test("the README's blocks print what the README shows", async () => {
  const readme = await Deno.readTextFile(README);
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/gm)];
  const [[, program = "", expected] = []] = blocks;
  assertEquals([blocks.length, `${await printedBy(program)}\n`], [1, expected]);
});

Deno.test("pictures of pages are light and dark ones that exist, of at most 150 kB", async () => {
  const pages = [[README, ["explore", "order"]], [new URL("README.md", NOTEBOOKS), ["explore"]]];
  for (const [readme, names] of pages as [URL, string[]][]) {
    const text = await Deno.readTextFile(readme);
    const files = [...text.matchAll(/(?:srcset|src)="([^"]+)"/g)].map(([, file]) => file!);
    assertEquals(
      files.map((file) => file.replace(/.*\//, "")),
      names.flatMap((name) => [`${name}_dark.png`, `${name}_light.png`]),
    );
    for (const file of files) {
      const { size } = await Deno.stat(new URL(file, readme));
      assert(size > 10_000 && size <= 150_000, `${file}: ${size} bytes`);
    }
  }
});

Deno.test("every gallery picture is the first one of its notebook", async () => {
  const pictures = await Array.fromAsync(Deno.readDir(new URL("pictures/", NOTEBOOKS)));
  assertEquals(pictures.length > 0, true);
  for (const { name } of pictures.filter(({ name }) => name.endsWith(".svg"))) {
    const picture = await Deno.readTextFile(new URL(`pictures/${name}`, NOTEBOOKS));
    const { cells } = await readNotebook(
      new URL(name.replace(/\.svg$/, ".ipynb"), NOTEBOOKS).pathname,
    );
    const first = cells.flatMap(({ outputs }) =>
      outputs.flatMap(({ data }) =>
        data?.["image/svg+xml"] ?? []
      )
    )[0];
    assert(first != null, `${name}: the notebook draws nothing`);
    assertEquals([first].flat().join(""), picture, name);
  }
});

const page = await Deno.readTextFile(new URL("../../docs/sql.md", import.meta.url));
const blocks = [...page.matchAll(/```sql\n([^]*?)```\n\n```text\n([^]*?)```/g)]
  .map(([, query = "", answer = ""]) => ({ query, answer: answer.trimEnd() }));
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
    using result = await sql.run(query);
    const columns = result.columns.map(({ name }) => name);
    assertEquals(formatTable(columns, await sql.query(query)).join("\n"), answer);
  }
});

Deno.test("the examples of functions give what the page says", async () => {
  const examples = cellsUnder("call");
  assertEquals(examples.length, 5);
  for (const [call = "", expected] of examples) {
    const [row] = await sql.query(`SELECT ${call} AS value`);
    assertEquals(String(row?.value), expected, call);
  }
});

Deno.test("the page has every answer and every view, with its key", async () => {
  const named = (heading: string) => cellsUnder(heading).map(([name, , key]) => ({ name, key }));
  assertEquals(
    named("view"),
    (await readViews()).map(({ name, key }) => ({ name, key: key.join(", ") })),
  );
  const keys = new Map(sql.relations.map(({ name, key }) => [name, key.join(", ")]));
  // The page names those that few datasets have last; that of the test has no instances.
  assertEquals(
    new Map(named("table").map(({ name, key }) => [name, key])),
    new Map(
      selectTables(DERIVED).map(({ name, key }) => [
        name,
        keys.get(name) ?? toGlobalKey(key).join(", "),
      ]),
    ),
  );
});

Deno.test("every name of a table on the page is one of the dataset", () => {
  const names = new Set(sql.relations.map(({ name }) => name));
  const [, text = ""] = page.split("queries may use them too:");
  const [listed = ""] = text.split("blocks");
  const tables = [...listed.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  assertEquals(tables.filter((name) => !names.has(name)), []);
  assert(tables.length >= 11);
});
