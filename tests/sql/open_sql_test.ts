import { InputError } from "orderlens";
import { openSql, querySql } from "orderlens/sql";
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { copyFolder } from "../../tools/cluster/copy_folder.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const FOLDER = `${SHIPPED_FOLDER}/market_1`;

Deno.test("an error of a query shows the place in its text", async () => {
  const error = await assertRejects(
    () => querySql("market_1", "SELECT surplus,\n  surplu FROM fills"),
    InputError,
    "surplu",
  );
  assertStringIncludes(error.message, "LINE 2:   surplu FROM fills");
  assertStringIncludes(error.message, "--list");
  assertStringIncludes(error.message, 'Candidate bindings: "surplus"');
});

Deno.test("an error of a text that is no query shows the place too, and names nothing unmarked", async () => {
  const [mistyped, byZero, unknown] = await Promise.all(
    ["SELECT * FORM fills", "SELECT u_muldiv('1', '1', '0') AS a", "SELECT * FROM leaderboardd"]
      .map((query) => assertRejects(() => querySql("market_1", query), InputError)),
  );
  assertStringIncludes(mistyped!.message, "LINE 1: SELECT * FORM fills");
  assertStringIncludes(byZero!.message, "Correct the query; ");
  assertStringIncludes(unknown!.message, 'Did you mean "leaderboard"?');
});

Deno.test("an error about text where a number is expected names the functions on amounts", async () => {
  for (
    const select of [
      "sum(score)",
      "score * 2",
      "score - score",
      "abs(score)",
      "score > 1000",
      "score BETWEEN 1 AND 3",
    ]
  ) {
    const error = await assertRejects(
      () => querySql("market_1", `SELECT ${select} FROM solutions`),
      InputError,
    );
    assertStringIncludes(error.message, "Amounts are text: add them with u_sum", select);
  }
});

Deno.test("a query only reads, and only the dataset", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/secret.csv`, "a\n1\n");
    using sql = await openSql(FOLDER);
    const rejected = [
      `COPY (SELECT 1) TO '${FOLDER}/stray.csv'`,
      `EXPLAIN ANALYZE COPY (SELECT 1) TO '${FOLDER}/stray.csv'`,
      `SELECT * FROM read_csv('${folder}/secret.csv')`,
      `SELECT * FROM '${FOLDER}/../../solvers.json'`,
      "CREATE TABLE t AS SELECT 1",
      "DROP VIEW fills",
      "SET enable_external_access = true",
      "INSTALL httpfs",
      "LOAD httpfs",
      `ATTACH '${folder}/x.db'`,
      "SELECT 1; SELECT 2",
      "",
    ];
    for (const query of rejected) await assertRejects(() => sql.query(query), InputError);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["secret.csv"]);
    await assertRejects(() => sql.write("SELECT 1", `${folder}/x.parquet`), InputError);
    assertEquals(await sql.query("SELECT count(*) AS fills FROM trades"), [{ fills: 37 }]);
  });
});

Deno.test("DESCRIBE, SUMMARIZE and SHOW TABLES show what is there, and may be written too", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/columns.csv`;
    using sql = await openSql("market_1", { output });
    const described = await sql.query("DESCRIBE fills");
    const fills = sql.relations.find(({ name }) => name === "fills");
    assertEquals(
      described.map(({ column_name }) => column_name),
      fills?.columns.map(({ name }) => name),
    );
    assertEquals(described.at(2)?.column_type, "BIGINT");
    const [kind] = await sql.query("-- all\nSUMMARIZE SELECT kind FROM fills;");
    assertEquals([kind?.min, kind?.max, kind?.count], ["buy", "sell", 37]);
    const names = (await sql.query("SHOW TABLES")).map(({ name }) => name);
    assertEquals(sql.relations.filter(({ name }) => !names.includes(name)), []);
    assertEquals((await sql.write("DESCRIBE SELECT kind FROM fills", output)).rows, 1);
    const [sums] = await sql.query(
      "SUMMARIZE SELECT u_sum(1) OVER (ORDER BY log_index ROWS 0 PRECEDING) FROM fills",
    );
    assertEquals([sums?.min, sums?.max, sums?.count], ["1", "1", 37]);
  });
});

Deno.test("what is wrong in DESCRIBE or SUMMARIZE is said, with its place, and neither lets more in", async () => {
  using sql = await openSql("market_1");
  const unknown = await assertRejects(
    () => sql.query("SUMMARIZE\nSELECT pair, nosuch FROM trades"),
    InputError,
    'Referenced column "nosuch" not found',
  );
  assertStringIncludes(
    unknown.message,
    "LINE 2: SELECT pair, nosuch FROM trades\n                     ^",
  );
  await assertRejects(() => sql.query("DESCRIBE nosuch"), InputError, "Table with name nosuch");
  await assertRejects(
    () => sql.query("SELECT 1); CREATE TABLE more AS (SELECT 1); FROM (SELECT 1"),
    InputError,
    'syntax error at or near ")"',
  );
  const names = (await sql.query("SHOW TABLES")).map(({ name }) => name);
  assertEquals(names.includes("more"), false);
});

Deno.test("the folder of a dataset may have any name", async () => {
  await withFolder(async (folder) => {
    const named = `${folder}/it's [1] of {2}*, 100%`;
    await copyFolder(FOLDER, named);
    assertEquals(await querySql(named, "SELECT count(*) AS fills FROM fills"), [{ fills: 37 }]);
  });
});

Deno.test("datasets of one chain, wrong options and what is no dataset are rejected", async () => {
  await assertRejects(() => openSql(["market_1", FOLDER]), InputError, "chain 1");
  await assertRejects(() => openSql("market_1", { memoryLimit: "lots" }), InputError, "memory");
  await assertRejects(() => openSql("no/such/folder"), InputError, "manifest.json");
  await assertRejects(() => openSql("market_1", { rulesOf: "mainet" }), InputError, "Pass mainnet");
});

/** Queries that keep more than 10 MB in memory, in the engine and in a function of ours. */
const TOO_LARGE = [
  "SELECT * FROM fills",
  "SELECT max(u_add(repeat(CAST(i AS VARCHAR), 1000), '1')) AS x FROM range(100000) AS r(i)",
];

for (const query of TOO_LARGE) {
  Deno.test(`${query.slice(0, 30)} beyond the memory limit names the limit and what to do`, async () => {
    using sql = await openSql("market_1", { memoryLimit: "10MB" });
    const { message } = await assertRejects(() => sql.query(query), InputError);
    // 10 MB are 9.54 MiB, which DuckDB cuts to one digit.
    assertMatch(
      message,
      /^Cannot run the query: it needs more memory than its limit, 9\.5 MiB\n {2}found: .* used\)\nFix: /,
    );
    assertStringIncludes(
      message,
      "Pass a higher `memoryLimit` (`--memory` on the command line), select fewer columns, or run " +
        "the query on Spark (`openSpark`, `--engine spark`)",
    );
    assertEquals(await sql.query("SELECT 1 AS one"), [{ one: 1 }]);
  });
}

Deno.test("tables, views and their columns are listed with units", async () => {
  using sql = await openSql("market_1");
  const fills = sql.relations.find(({ name }) => name === "fills");
  assertEquals(fills?.kind, "view");
  assertEquals(fills?.key, ["chain_id", "block_number", "log_index"]);
  assertEquals(fills?.columns.find(({ name }) => name === "surplus")?.unit, "surplus token atoms");
  assertEquals(sql.relations.find(({ name }) => name === "raw_auctions")?.kind, "table");
});

Deno.test("whole numbers are numbers, and bigints where that would lose digits", async () => {
  assertEquals(
    await querySql("market_1", "SELECT 9007199254740993 AS a, 7 AS b, DATE '2026-11-21' AS c"),
    [{ a: 9007199254740993n, b: 7, c: "2026-11-21" }],
  );
});
