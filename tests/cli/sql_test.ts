import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { formatTable } from "../../lib/cli/actions/sql_action.ts";
import { openDataset } from "../../lib/datasets/mod.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { createRandom } from "../../tools/fuzz/mutate_body.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";
import { join } from "node:path";

/** What a folder has, in order. */
function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

const QUERY =
  "SELECT auctions_won, score_won_atoms FROM leaderboard ORDER BY auctions_won DESC LIMIT 2";
const CSV = "auctions_won,score_won_atoms\n29,206870159477692212\n5,6637906001677701\n";

Deno.test("orderlens sql prints rows as a table, as CSV and as JSON, with every digit", async () => {
  const table = await orderlens(["sql", "market_1", QUERY]);
  const out = "auctions_won     score_won_atoms\n------------  ------------------\n" +
    "          29  206870159477692212\n           5    6637906001677701\n(2 rows)\n";
  assertEquals(table, { code: 0, out, err: "" });
  assertEquals((await orderlens(["sql", "market_1", QUERY, "--csv"])).out, CSV);
  const json = await orderlens(["sql", "market_1", QUERY, "--json"]);
  const first = { auctions_won: 29, score_won_atoms: "206870159477692212" };
  assertEquals(JSON.parse(json.out).rows[0], first);
});

inFolder.test("orderlens sql takes a query from a file, and writes a file of each format", async (folder) => {
  const query = `${folder}/query.sql`;
  await Deno.writeTextFile(query, `-- The leaders\n${QUERY};\n`);
  const write = async (name: string) => {
    const output = `${folder}/${name}`;
    const { code, err } = await orderlens(["sql", "market_1", query, "--output", output]);
    assertEquals([code, err], [0, `${output}: 2 rows\n`]);
    return await Deno.readFile(output);
  };
  assertEquals(new TextDecoder().decode((await write("rows.parquet")).subarray(0, 4)), "PAR1");
  assertEquals(new TextDecoder().decode(await write("rows.csv")), CSV);
  assertEquals(
    new TextDecoder().decode(await write("rows.json")),
    '{"auctions_won":29,"score_won_atoms":"206870159477692212"}\n' +
      '{"auctions_won":5,"score_won_atoms":"6637906001677701"}\n',
  );
  assertEquals(namesIn(folder), [
    "query.sql",
    ...["csv", "json", "parquet"].flatMap((end) => [`rows.${end}`, `rows.${end}.manifest.json`]),
  ]);
});

Deno.test("orderlens sql lists tables, views and columns, and explains errors", async () => {
  const list = await orderlens(["sql", "market_1", "--list"]);
  assertMatch(list.out, /^fills \(derived\): One fill of one order/m);
  assertStringIncludes(list.out, "  surplus_atoms  String, surplus token atoms: ");
  const wrong = ["sql", "market_1", "SELECT surplu FROM fills"];
  await refused(wrong, 1, "LINE 1: SELECT surplu FROM fills");
});

inFolder.test("orderlens sql reads the query from stdin, joins a custom table and shows plans", async (folder) => {
  await Deno.writeTextFile(`${folder}/own.csv`, "kind,weight\nsell,2\nbuy,3\n");
  const query = "SELECT sum(weight) AS s, 0e0 / 0e0 AS n FROM fills JOIN own USING (kind)\n";
  const words = ["sql", "market_1", "-", "--with", `own=${folder}/own.csv`];
  const json = await orderlens([...words, "--json"], { input: query });
  assertEquals(JSON.parse(json.out).rows, [{ s: 84, n: null }]);
  assertEquals(JSON.parse(json.out).warnings, []);
  const plan = await orderlens(["sql", "market_1", "EXPLAIN SELECT count(*) FROM fills"]);
  assertStringIncludes(plan.out, "│");
  assertEquals(plan.out.includes("…"), false);
});

Deno.test("formatTable() shortens cells only where a line is wider than the terminal, and amounts never", () => {
  const uid = `0x${"ab".repeat(56)}`;
  const rows = [{ order_uid: uid, atoms: "1".repeat(78) }];
  const at = (width?: number) => formatTable(["order_uid", "atoms"], rows, width)[2]!;
  assertEquals(at(), `${uid}  ${"1".repeat(78)}`);
  assertEquals(at(uid.length + 80), `${uid}  ${"1".repeat(78)}`);
  assertEquals(at(uid.length + 79), `${uid.slice(0, 43)}…  ${"1".repeat(78)}`);
});

inFolder.test("orderlens sql rejects everything but one query of the dataset, with the reason", async (folder) => {
  const [file, secret] = [`${folder}/stray`, `${folder}/secret.csv`];
  await Deno.writeTextFile(secret, "hidden\n1\n");
  const copy = `COPY (SELECT 1) TO '${file}'`;
  const sql = (...words: string[]) => ["sql", "market_1", ...words];
  await refused(sql(copy), 2, "it is COPY", "Pass one SELECT");
  await refused(sql(`SELECT * FROM read_text('${secret}')`), 1, "does not belong to the dataset");
  const nowhere = `${folder}/none/a.csv`;
  await refused(sql("SELECT 1", "--output", nowhere), 1, ` to ${nowhere}\n`);
  const cast = "SELECT CAST(order_uid AS INT) AS a FROM orders";
  await refused(sql(cast, "--output", `${folder}/a.csv`), 1, "the query: Conversion");
  await refused(sql(`${folder}/none.sql`), 5, "none.sql cannot be read\n");
  assertEquals(namesIn(folder), ["secret.csv"]);
});

const EXPLORER = explorer(await openDataset("market_1"));
const MAIN = join(import.meta.dirname!, "../../lib/cli/main.ts");
/** It would take days. */
const LONG =
  "SELECT n FROM range(1000000) AS a(n), range(1000000) AS b(m) WHERE n::BIGNUM > (m + 2000000)::BIGNUM";

inFolder.test("orderlens sql exits at once with 130 when interrupted, and leaves no file", async (folder) => {
  if (Deno.build.os === "windows") return;
  const [output, temporary] = [`${folder}/rows.csv`, `${folder}/temporary`];
  await Deno.mkdir(temporary);
  await Deno.writeTextFile(output, "n\n7\n");
  using watcher = Deno.watchFs(folder);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "sql", "market_1", LONG, "--output", output],
    env: { TMPDIR: temporary },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ended = child.output();
  void ended.then(() => watcher.close());
  // The query runs once the file is there that it writes.
  for await (const { paths } of watcher) {
    if (paths.some((path) => path.endsWith("/rows.csv.unfinished"))) break;
  }
  child.kill("SIGINT");
  const { code, stdout, stderr } = await ended;
  const err = new TextDecoder().decode(stderr);
  assertEquals([code, stdout.length], [130, 0], err);
  assertStringIncludes(err, "nterrupted");
  assertEquals(namesIn(folder), ["rows.csv", "temporary"]);
  assertEquals(namesIn(temporary), []);
  assertEquals(await Deno.readTextFile(output), "n\n7\n");
});

/** Texts that spreadsheets, CSV or JSON treat in ways of their own. */
const TEXTS = [
  "",
  "=HYPERLINK(1)",
  "+1",
  "-1.5",
  "@x",
  "'x",
  "a,b",
  'a"b',
  "a\nb",
  "Ω",
  " ",
  "-1-1",
];

inFolder.test("orderlens sql writes the same bytes to the terminal, to a file and on a page", async (folder) => {
  const pick = createRandom(5);
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const row = (): string => {
    const digits = Array.from({ length: 1 + pick(38) }, () => pick(10)).join("");
    const cells = [
      quoted(TEXTS[pick(TEXTS.length)]!),
      `${digits.slice(0, 18)}::BIGINT`,
      `'${digits}'::HUGEINT`,
      `'${digits}${digits}'::BIGNUM`,
      `'${pick(1e9)}e${pick(40) - 30}'::DOUBLE`,
      `${pick(1_000)}.25::DECIMAL(38, 2)`,
      `to_timestamp(${pick(2e9)}.${pick(1e6)})`,
      pick(2) === 0 ? "true" : "false",
      "NULL",
    ];
    return `(${cells.map((cell) => pick(8) === 0 ? "NULL" : cell).join(", ")})`;
  };
  for (let run = 0; run < 3; run++) {
    const rows = Array.from({ length: 12 }, row).join(", ");
    // A name that is a number comes first among the keys of an object, and not among columns.
    const names = 't, b, "2", "1", d, m, moment, "is", n';
    const query = `SELECT * FROM (VALUES ${rows}) AS v(${names}) ORDER BY ALL`;
    const printed = (...options: string[]) => succeeds(["sql", "market_1", query, ...options]);
    const asked = async (ending: string) => {
      const url = `http://localhost/sql${ending}?${new URLSearchParams({ q: query })}`;
      return await (await EXPLORER.fetch(new Request(url))).text();
    };
    const file = async (ending: string) => {
      await printed("--output", `${folder}/rows${ending}`);
      return await Deno.readTextFile(`${folder}/rows${ending}`);
    };
    const csv = await file(".csv");
    assertEquals((await printed("--csv")).out, csv);
    assertEquals(await asked(".csv"), csv);
    const json = (await file(".json")).trimEnd().split("\n");
    const texts = (body: string) =>
      JSON.parse(body).rows.map((each: object) => JSON.stringify(each));
    assertEquals(texts((await printed("--json")).out), json);
    assertEquals(texts(await asked(".json")), json);
    assertEquals(json.length, 12);
  }
});
