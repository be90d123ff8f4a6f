import { InputError } from "orderlens";
import { DamagedError } from "orderlens/errors";
import { openSql, querySql } from "orderlens/sql";
import pl from "nodejs-polars";
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { copyFolder } from "../copy_folder.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { copyPart, withoutTables } from "./copy_part.ts";

const FOLDER = `${SHIPPED_FOLDER}/market_1`;

/** A session for all tests that only read. */
const MARKET = await openSql("market_1");
Deno.test.afterAll(() => MARKET[Symbol.dispose]());

/** Queries that are wrong, and what the error says. */
const WRONG: readonly (readonly [query: string, ...says: string[]])[] = [
  [
    "SELECT surplus_bps_of_limit,\n  surplus_bp FROM fills",
    "LINE 2:   surplus_bp FROM fills",
    "`SHOW TABLES` and `DESCRIBE fills` list",
    'Candidate bindings: "surplus_usd", "surplus_bps',
  ],
  ["SELECT * FORM fills", "LINE 1: SELECT * FORM fills"],
  ["SELECT u_format('1.6', 18) AS a", "Correct the query; "],
  ["SELECT * FROM leaderboardd", 'Did you mean "leaderboard"?'],
  ["SELECT score_atoms LIKE '-%' FROM outcomes", "whole numbers of any size (BIGNUM)"],
  [
    "SUMMARIZE\nSELECT pair, nosuch FROM trades",
    'Referenced column "nosuch" not found',
    "LINE 2: SELECT pair, nosuch FROM trades\n                     ^",
  ],
  ["DESCRIBE nosuch", "Table with name nosuch"],
  [
    "SELECT 1); CREATE TABLE more AS (SELECT 1); FROM (SELECT 1",
    'syntax error at or near ")"',
  ],
];

Deno.test("errors of a query show the place in its text and the remedy, and allow nothing more", async () => {
  for (const [query, ...says] of WRONG) {
    const { message } = await assertRejects(() => MARKET.query(query), InputError);
    for (const part of says) assertStringIncludes(message, part);
  }
  const names = (await MARKET.query("SHOW TABLES")).map(({ name }) => name);
  assertEquals(names.includes("more"), false);
});

inFolder.test("what is tried first on an amount is right: order, largest, sum, median, comparison", async (folder) => {
  // As text, 9 is the largest, 10 the smallest, and 9 lies in the middle of none of these orders.
  const scores = ["9", "10", "100", "115792089237316195423570985008687907853269984665640564039"];
  await Deno.writeTextFile(`${folder}/own.csv`, `score_atoms\n${scores.join("\n")}\n`);
  using sql = await openSql("market_1", { with: { own: `${folder}/own.csv` } });
  const listed = await sql.query("SELECT score_atoms FROM own ORDER BY score_atoms");
  assertEquals(listed.map(({ score_atoms }) => score_atoms), scores);
  assertEquals(
    await sql.query(`
      SELECT max(score_atoms) AS most, min(score_atoms) AS least, sum(score_atoms) AS total,
        quantile_disc(score_atoms, 0.5) AS middle, median(score_atoms - 1) AS median,
        count(CASE WHEN score_atoms > 9 THEN 1 END) AS above, typeof(max(score_atoms)) AS type
      FROM own`),
    [{
      most: scores.at(-1) ?? null,
      least: "9",
      total: String(scores.reduce((sum, one) => sum + BigInt(one), 0n)),
      middle: "10",
      median: "9",
      above: 3,
      type: "BIGNUM",
    }],
  );
  assertEquals(
    await sql.query(
      "SELECT typeof(score_atoms * 2) AS a, typeof(avg(score_atoms)) AS b FROM own GROUP BY score_atoms LIMIT 1",
    ),
    [{ a: "DOUBLE", b: "DOUBLE" }],
  );
});

Deno.test("each exact column of each table is a number of any size, beside a double", async () => {
  let amounts = 0;
  for (const { name, columns } of MARKET.relations) {
    using result = await MARKET.run(`SELECT * FROM ${name} LIMIT 0`);
    const types = new Map(
      result.columns.map((one) => [one.name, one.type]),
    );
    assertEquals([...types.keys()], columns.map((one) => one.name));
    for (const [column, type] of types) {
      if (!column.endsWith("_atoms")) continue;
      amounts++;
      const stem = column.slice(0, -"_atoms".length);
      const beside = [stem, `${stem}_tokens`, `${stem}_native`].filter((one) =>
        types.get(one) === "DOUBLE"
      );
      assertEquals([type, beside.length > 0], ["BIGNUM", true], `${name}.${column}`);
    }
  }
  assertEquals(amounts > 80, true, String(amounts));
});

inFolder.test("text of a file that is no whole number fails the query that reads it", async (folder) => {
  const files: Record<string, string> = {};
  for (const [at, bad] of ["1.6", "1e20", " 1", "0x10", "--1"].entries()) {
    files[`own_${at}`] = `${folder}/t${at}.csv`;
    await Deno.writeTextFile(`${folder}/t${at}.csv`, `n,price_atoms\n1,${bad}\n`);
  }
  using sql = await openSql("market_1", { with: files });
  for (const name of Object.keys(files)) {
    assertEquals(await sql.query(`SELECT n FROM ${name}`), [{ n: 1 }]);
    await assertRejects(
      () => sql.query(`SELECT price_atoms FROM ${name}`),
      InputError,
      "not a whole number",
    );
  }
});

inFolder.test("a table of one's own joins those of a dataset, and only under a name of its own", async (folder) => {
  const prices = `${folder}/it's [1].csv`;
  await Deno.writeTextFile(prices, "kind,weight\nsell,2\nbuy,3\n");
  using sql = await openSql("market_1", { with: { prices } });
  assertEquals(
    await sql.query("SELECT sum(weight) AS s FROM fills JOIN prices USING (kind)"),
    [{ s: 27 * 2 + 10 * 3 }],
  );
  assertEquals(sql.relations.at(-1)?.kind, "own");
  for (
    const [name, file, why] of [
      ["fills", prices, "has this name"],
      ["a b", prices, "letters, digits"],
      ["more", `${folder}/none.csv`, "it does not exist"],
      ["more", `${folder}/rows.xlsx`, "it is not a .csv, .parquet, .json"],
    ] as const
  ) {
    await assertRejects(() => openSql("market_1", { with: { [name]: file } }), InputError, why);
  }
});

inFolder.test("a query for what an export did not make is an error with the remedy, and gaps are a warning", async (folder) => {
  const changed = async (name: string, change: Parameters<typeof copyPart>[1]) => {
    await copyPart(`${folder}/${name}`, change);
    return await openSql(`${folder}/${name}`);
  };
  using interrupted = await changed("interrupted", (manifest) => {
    Object.assign(manifest, { derived: null, isComplete: false });
  });
  assertStringIncludes(interrupted.warnings.join(), "was interrupted");
  assertEquals(await interrupted.query("SELECT count(*) AS n FROM trades"), [{ n: 37 }]);
  for (const name of ["fills", "leaderboard"]) {
    const { message } = await assertRejects(() => interrupted.query(`FROM ${name}`), InputError);
    assertStringIncludes(message, "run the same command again, or `orderlens rebuild");
  }
  using without = await changed("without", withoutTables("fills", "trades"));
  const counting = () => without.query("SELECT count(*) FROM fills");
  await assertRejects(counting, InputError, "has no table fills");
  using gaps = await changed("gaps", (manifest) => {
    manifest.isComplete = false;
    Object.assign(manifest.ids, { failed: [[2041, 2042]], hidden: [[2043, 2043]] });
  });
  assertStringIncludes(
    gaps.warnings.join(),
    "auctions that failed: 2, auctions not published yet: 1",
  );
  assertEquals(MARKET.warnings, []);
});

Deno.test("EXPLAIN shows the plan of a query only", async () => {
  const [row] = await MARKET.query("-- why\nEXPLAIN SELECT sum(surplus_atoms) FROM fills");
  assertStringIncludes(String(row?.explain_value), "AGGREGATE");
  const [run] = await MARKET.query("EXPLAIN ANALYZE SELECT count(*) FROM fills");
  assertStringIncludes(String(run?.explain_value), "Total Time");
  await assertRejects(
    () => MARKET.query("EXPLAIN DROP VIEW fills"),
    InputError,
    "it explains DROP",
  );
  await assertRejects(() => MARKET.query("EXPLAIN SELECT nosuch FROM fills"), InputError, "nosuch");
});

inFolder.test("a query only reads, and only the dataset", async (folder) => {
  await Deno.writeTextFile(`${folder}/secret.csv`, "a\n1\n");
  using sql = await openSql(FOLDER);
  const [file, secret] = [`${folder}/stray`, `${folder}/secret.csv`];
  const foreign = "does not belong to the dataset";
  const rejected = {
    [`COPY (SELECT 1) TO '${FOLDER}/stray.csv'`]: "it is COPY",
    [`/* c */ -- d\n copy fills FROM '${secret}'`]: "it is COPY",
    [`EXPLAIN ANALYZE COPY (SELECT 1) TO '${FOLDER}/stray.csv'`]: "it explains COPY",
    [`EXPORT DATABASE '${file}'`]: "it is EXPORT",
    [`IMPORT DATABASE '${folder}'`]: "it is IMPORT",
    [`ATTACH '${folder}/x.db'`]: "it is ATTACH",
    "INSTALL httpfs": "it is LOAD",
    "LOAD httpfs": "it is LOAD",
    "SET enable_external_access = true": "it is SET",
    "PRAGMA threads = 1": "it is ",
    "PRAGMA database_list": "it is PRAGMA",
    "CREATE TABLE t AS SELECT 1": "it is CREATE",
    "DELETE FROM trades": "it is DELETE",
    "INSERT INTO trades SELECT * FROM trades": "it is INSERT",
    "DROP VIEW fills": "it is DROP",
    "CALL enable_logging()": "it is CALL",
    "SELECT 1; SELECT 2": "it has 2 statements",
    "": "it is empty",
    ...Object.fromEntries(
      [
        `read_text('${secret}')`,
        `read_blob('${secret}')`,
        `read_csv('${secret}')`,
        `read_parquet('${secret}')`,
        "read_parquet('/etc/*.parquet')",
        "read_json('https://example.org/rows.json')",
        `glob('${folder}/*')`,
        `sniff_csv('${secret}')`,
        `'${secret}'`,
        `'${FOLDER}/../../solvers.json'`,
      ].map((from) => [`SELECT * FROM ${from}`, foreign]),
    ),
    "SELECT getenv('HOME')": "getenv does not exist",
  };
  for (const [query, reason] of Object.entries(rejected)) {
    await assertRejects(() => sql.query(query), InputError, reason);
  }
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["secret.csv"]);
  await assertRejects(() => sql.write("SELECT 1", `${folder}/x.parquet`), InputError);
  assertEquals(await sql.query("SELECT count(*) AS fills FROM trades"), [{ fills: 37 }]);
});

inFolder.test("a query calls nothing that writes, ends the process or runs text, however it is written", async (folder) => {
  using sql = await openSql("market_1");
  for (
    const query of [
      // This one ends the process.
      `FROM enable_logging(storage = 'file', storage_config = {'path': '${folder}/log'})`,
      `FROM enable_profiling('json', save_location = '${folder}/profile')`,
      'SELECT * FROM system.main."Enable_Logging"()',
      "FROM query('FROM enable_' || 'logging()')",
      "DESCRIBE FROM enable_logging()",
      "SELECT (SELECT count(*) FROM disable_logging())",
      "EXPLAIN ANALYZE FROM enable_profiling()",
      "WITH a AS MATERIALIZED (FROM force_checkpoint()) SELECT 1",
      "PIVOT (FROM enable_logging()) ON x IN ('a') USING count(*)",
    ]
  ) {
    await assertRejects(() => sql.query(query), InputError, "which does more than read");
  }
  assertEquals([...Deno.readDirSync(folder)], []);
  assertEquals((await sql.query("PIVOT fills ON kind IN ('sell') USING count(*)")).length, 37);
});

Deno.test("a query stops at its limit of rows and on its signal, EXPLAIN too", async () => {
  using sql = await openSql("market_1");
  const first = "SELECT order_uid FROM fills ORDER BY order_uid DESC";
  const rows = await sql.query(first);
  assertEquals(await sql.query(`${first};`, { maxRows: 3 }), rows.slice(0, 3));
  assertEquals(await sql.query(first, { maxRows: 1_000 }), rows);
  assertEquals(await sql.query("FROM range(1000000000000)", { maxRows: 1 }), [{ range: 0 }]);
  const endless = "SELECT count(*) FROM range(1000000000000)";
  for (const query of [endless, `EXPLAIN ANALYZE ${endless}`]) {
    const late = new Error("too late");
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(late), 100);
    const { signal } = controller;
    assertEquals(await assertRejects(() => sql.query(query, { signal })), late);
    clearTimeout(timer);
  }
  await assertRejects(() => sql.query(first, { maxRows: -1 }), InputError, "maxRows");
});

inFolder.test("an interrupted query never ends with the rows that it had", async (folder) => {
  const output = `${folder}/rows.csv`;
  using sql = await openSql("market_1", { output });
  // It would take days. DuckDB ends it without an error where the interruption meets a certain moment.
  const endless = "SELECT a.range FROM range(1000000) AS a, range(1000000) AS b " +
    "WHERE a.range::BIGNUM > (b.range + 2000000)::BIGNUM";
  for (let tenths = 0; tenths < 100; tenths += 1) {
    const controller = new AbortController();
    const { signal } = controller;
    setTimeout(() => controller.abort(), tenths / 10);
    const result = tenths % 2 === 0
      ? sql.run(endless, { signal })
      : sql.write(endless, output, { signal });
    await assertRejects(() => result, DOMException, "aborted");
  }
  assertEquals([...Deno.readDirSync(folder)], []);
});

inFolder.test("DESCRIBE, SUMMARIZE and SHOW TABLES show what is there, and may be written too", async (folder) => {
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
    "SUMMARIZE SELECT sum(1) OVER (ORDER BY log_index ROWS 0 PRECEDING) FROM fills",
  );
  assertEquals([sums?.min, sums?.max, sums?.count], ["1", "1", 37]);
});

inFolder.test("the folder of a dataset may have any name, and must have a manifest", async (folder) => {
  await assertRejects(() => openSql("market_1", { memoryLimit: "lots" }), InputError, "memory");
  await assertRejects(() => openSql("no/such/folder"), InputError, "manifest.json");
  const named = `${folder}/it's [1] of {2}*, 100%`;
  await copyFolder(FOLDER, named);
  assertEquals(await querySql(named, "SELECT count(*) AS fills FROM fills"), [{ fills: 37 }]);
});

/** Queries that keep more than 10 MB in memory. */
const TOO_LARGE = [
  "SELECT list(a.order_uid || b.order_uid || c.kind) AS x FROM bids a, bids b, bids c",
  "SELECT list(repeat(CAST(i AS VARCHAR), 1000)) AS x FROM range(100000) AS r(i)",
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
      "Pass a higher `memoryLimit` (`--memory` on the command line), or select fewer columns",
    );
    assertEquals(await sql.query("SELECT 1 AS one"), [{ one: 1 }]);
  });
}

Deno.test("tables, views and their columns are listed with units", () => {
  const fills = MARKET.relations.find(({ name }) => name === "fills");
  assertEquals(fills?.kind, "derived");
  assertEquals(fills?.key, ["chain_id", "block_number", "log_index"]);
  assertEquals(
    fills?.columns.find(({ name }) => name === "surplus_atoms")?.unit,
    "surplus token atoms",
  );
  const kinds = ["auctions", "pairs"].map((one) =>
    MARKET.relations.find(({ name }) => name === one)?.kind
  );
  assertEquals(kinds, ["record", "view"]);
});

Deno.test("whole numbers are numbers, and bigints where that would lose digits", async () => {
  assertEquals(
    await querySql("market_1", "SELECT 9007199254740993 AS a, 7 AS b, DATE '2026-11-21' AS c"),
    [{ a: 9007199254740993n, b: 7, c: "2026-11-21" }],
  );
});

inFolder.test("a table whose files are not those of the manifest answers no query, and others do", async (root) => {
  const folder = `${root}/market_1`;
  await copyFolder(FOLDER, folder);
  const path = "outcomes/0000002000-0000002999.parquet";
  const frame = pl.readParquet(`${folder}/${path}`);
  frame.withColumn(pl.col("score_native").mul(2).alias("score_native"))
    .writeParquet(`${folder}/${path}`);
  using sql = await openSql(folder);
  for (const query of ["SELECT sum(score_native) FROM outcomes", "FROM leaderboard"]) {
    const error = await assertRejects(() => sql.query(query), DamagedError, path);
    assertStringIncludes(error.message, "Verify the dataset");
  }
  assertEquals(await sql.query("SELECT count(*) AS orders FROM orders"), [{ orders: 41 }]);

  // As many rows as a manifest likes, in a file that has its hash.
  await copyPart(folder, ({ files }) => {
    files.find((file: { path: string }) => file.path === path).rows++;
  });
  await assertRejects(() => querySql(folder, "FROM outcomes"), DamagedError, "rows instead of");
});

Deno.test("SqlSession.query takes values of parameters apart from its text", async () => {
  using sql = await openSql("market_1");
  const query = "SELECT $text AS text, count(*) AS n FROM auctions WHERE auction_id >= $from";
  const values = { text: "' OR true --", from: 0 };
  assertEquals(await sql.query(query, { values }), [{ text: "' OR true --", n: 32 }]);
  await assertRejects(
    () => sql.query(query, { values: { text: null as never, from: 0 } }),
    InputError,
    "texts and numbers by name",
  );
});
