import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { openDataset } from "../../lib/datasets/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { openSql } from "../../lib/sql/mod.ts";
import { QUERY_LIMITS } from "../../lib/explorer/sql_queries.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { ask } from "./explore.ts";
import { InputError } from "../../lib/errors/mod.ts";
import { requirePlain } from "../../lib/explorer/plain_query.ts";

const DATASET = await openDataset("market_1");
const FROM = explorer(DATASET);

const linkTo = (query: string, ending = "", more = {}) =>
  `/sql${ending}?${new URLSearchParams({ q: query, ...more })}`;

const BY_PAIR = "SELECT pair, count(*) AS fills FROM fills GROUP BY pair ORDER BY fills DESC, pair";

Deno.test("the page of a query has its text, its rows, and the same as CSV and JSON", async () => {
  const { status, text } = await ask(linkTo(BY_PAIR), { from: FROM });
  assertEquals(status, 200);
  assertStringIncludes(text, `>${BY_PAIR}</textarea>`);
  assertStringIncludes(text, '<td class="number" data-name="fills">');
  using sql = await openSql("market_1");
  const rows = await sql.query<{ pair: string; fills: number }>(BY_PAIR);
  const csv = await ask(linkTo(BY_PAIR, ".csv"), { from: FROM });
  assertEquals(
    csv.text,
    ["pair,fills", ...rows.map((row) => `${row.pair},${row.fills}`), ""].join("\n"),
  );
  assertStringIncludes(csv.headers.get("content-disposition")!, '"result.csv"');
  const json = await ask(linkTo(BY_PAIR, ".json"), { from: FROM });
  assertEquals(JSON.parse(json.text).rows, rows);
});

Deno.test("without a query the page lists tables and columns with their notes, and examples that run", async () => {
  const { text } = await ask("/sql", { from: FROM });
  assertStringIncludes(text, "<summary>solution_orders</summary>");
  assertStringIncludes(text, "<dt>volume_native</dt><dd>native tokens: ");
  const examples = [...text.matchAll(/<li><a href="(\/sql\?[^"]+)"/g)].map(([, link]) => link!);
  assertEquals(examples.length, 5);
  for (const example of examples) {
    const page = await ask(example, { from: FROM });
    assertMatch(page.heading, /^[1-9]\d* rows?$/);
    assertMatch(page.text, /<h2 id="chart-title">|orderlens-explore/);
  }
});

Deno.test("a sandbox is asked as a dataset is, and a deployment elsewhere is not", async () => {
  const from = explorer(await openSandbox({ seed: 7, auctions: 10 }));
  const { text } = await ask(linkTo("SELECT count(*) AS n FROM auctions", ".json"), { from });
  assert(JSON.parse(text).rows[0].n > 0);
  const page = await ask(linkTo("FROM fills"), { from: explorer(connect("xdai")) });
  assertEquals(page.status, 404);
  assertStringIncludes(page.text, "orderlens export");
});

Deno.test("a query that fails is a page with its text and what is wrong, escaped", async () => {
  const page = await ask(linkTo('SELECT "<img src=x>" FROM fills'), { from: FROM });
  assertEquals([page.status, page.heading], [400, "The query failed"]);
  assertStringIncludes(page.text, "Referenced column");
  assert(!page.text.includes("<img src=x"));
  for (const query of ["SELECT * FROM read_csv('/etc/passwd')", "COPY fills TO 'x.csv'"]) {
    const { status, text } = await ask(linkTo(query), { from: FROM });
    assertEquals(status, 400);
    assertMatch(text, /Cannot run the query: it (?:reads read_csv\(\)|is COPY)/);
  }
  assertEquals((await ask("/sql.csv", { from: FROM })).status, 400);
  assertEquals((await ask(linkTo("x".repeat(12_001)), { from: FROM })).status, 414);
});

Deno.test("a large result is cut, and says so", async () => {
  const page = await ask(linkTo("FROM range(2000)"), { from: FROM });
  assertEquals(page.heading, "The first 1,000 rows; the result has more");
  assertEquals((await ask(linkTo("FROM range(1000)"), { from: FROM })).heading, "1,000 rows");
  assert(page.text.length <= 300_000);
  const wide = await ask(linkTo("SELECT f.*, a.* FROM fills f, auctions a"), { from: FROM });
  assert(wide.text.length <= 300_000, String(wide.text.length));
  assertMatch(wide.text, /\d+ more rows are left out of this page/);
  const csv = await ask(linkTo("FROM range(200000)", ".csv"), { from: FROM });
  assertStringIncludes(csv.headers.get("content-disposition")!, '"first_100000_rows.csv"');
  assertEquals(csv.text.split("\n").length, 100_002);
  // 31,968 lines of 1,001 bytes are the most within 32,000,000.
  const long = await ask(linkTo(`SELECT ${LONG} FROM range(32000)`, ".csv"), { from: FROM });
  assertStringIncludes(long.headers.get("content-disposition")!, '"first_31968_rows.csv"');
});

Deno.test("the chart follows the types of columns, and the address", async () => {
  const bars = await ask(linkTo(BY_PAIR), { from: FROM });
  assertStringIncludes(bars.text, "Fills by pair");
  const query = "SELECT filled_at, volume_native, slippage_net_bps FROM fills";
  const series = await ask(linkTo(query), { from: FROM });
  assertStringIncludes(series.text, "<option selected>filled_at</option>");
  assertStringIncludes(series.text, 'id="chart-title"');
  const chosen = await ask(linkTo(query, "", { x: "volume_native", y: "slippage_net_bps" }), {
    from: FROM,
  });
  assertStringIncludes(chosen.text, "<option selected>volume_native</option>");
  assertStringIncludes(chosen.text, "orderlens-explore");
  const none = await ask(linkTo("SELECT 'a' AS text"), { from: FROM });
  assert(!none.text.includes("<select"));
});

/** Holds timers of a length back until they are to end. */
function heldTimers(ms: number) {
  const { setTimeout } = globalThis;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const held = (run: () => void, after?: number) =>
    after === ms ? (over.then(run), 0) : setTimeout(run, after);
  globalThis.setTimeout = held as typeof setTimeout;
  return { end, [Symbol.dispose]: () => void (globalThis.setTimeout = setTimeout) };
}

Deno.test("a query that never ends is stopped at its limit, and others are answered meanwhile", async () => {
  const one = linkTo("SELECT 1 AS one");
  {
    using timers = heldTimers(QUERY_LIMITS.timeoutMs);
    const endless = Promise.all(
      [1, 2, 3].map((at) =>
        ask(linkTo(`SELECT count(*) + ${at} FROM range(100000000000)`), { from: FROM })
      ),
    );
    const { status, text } = await ask("/auctions", { from: FROM });
    // Lists have a database of their own.
    assertEquals([status, text.includes("<time")], [200, true]);
    assertEquals((await ask(one, { from: FROM })).status, 503);
    timers.end();
    for (const { status, text } of await endless) {
      assertEquals(status, 400);
      assertStringIncludes(text, "it took longer than 5 s");
    }
  }
  assertEquals((await ask(one, { from: FROM })).status, 200);
});

Deno.test("no answer says where the dataset is", async () => {
  for (const query of ["DESCRIBE fills", "FROM duckdb_views()", "FROM fills, no", "FROM './x'"]) {
    const { text } = await ask(linkTo(query), { from: FROM });
    assert(!text.includes(DATASET.folder), query);
  }
});

/** What a query of somebody else may not do, and what the refusal names. */
const REFUSED: Readonly<Record<string, string>> = {
  "ATTACH 'x.db' AS y": "ATTACH",
  "COPY fills TO 'out.csv'": "COPY",
  "-- a\n/* b */ INSTALL httpfs": "INSTALL",
  "SET threads = 8": "SET",
  "PRAGMA database_list": "PRAGMA",
  "CALL duckdb_settings()": "CALL",
  "DROP VIEW fills": "DROP",
  "EXPLAIN ANALYZE SELECT 1": "EXPLAIN",
  "SELECT 1; SELECT 2": "2 statements",
  "SELECT 1; ATTACH 'x'": "several statements",
  "SELECT * FROM read_csv('/etc/passwd')": "read_csv()",
  "SELECT (SELECT content FROM read_text('/etc/passwd'))": "read_text()",
  "WITH a AS (FROM read_parquet('x.parquet')) SELECT 1": "read_parquet()",
  "FROM glob('/*')": "glob()",
  "FROM 'fills.parquet'": "fills.parquet",
  "SELECT * FROM fills JOIN '/etc/passwd' ON true": "/etc/passwd",
  "SELECT getenv('HOME')": "getenv()",
  "SELECT current_setting('temp_directory')": "current_setting()",
  "FROM duckdb_settings()": "duckdb_settings()",
  "FROM query('SELECT 1')": "query()",
  "SELECT json_serialize_plan('FROM fills')": "json_serialize_plan()",
  "FROM SQLITE_MASTER": "sqlite_master",
  'FROM system.main."duckdb_views"': "duckdb_views",
  "FROM information_schema.tables": "tables",
  "DESCRIBE pg_settings": "pg_settings",
  "SHOW DATABASES": "databases",
  "FROM held.fills": "fills",
  "FROM memory.main.fills": "fills",
  "FROM unnest([getenv('HOME')])": "getenv()",
  "SELECT repeat('a', 1000000000)": "repeat()",
  "SELECT [x FOR x IN range(1000000000)]": "range()",
  "SELECT (SELECT list_resize([1], 1000000000) FROM range(3))": "list_resize()",
  "SELECT list_reduce([1, 2], (a, x) -> a || x)": "list_reduce()",
  "SELECT levenshtein(pair, kind) FROM fills": "levenshtein()",
};

/** A text of 1,000 characters. */
const LONG = `'${"a".repeat(1_000)}'`;

/** The value of a query of one column, some times around it. */
function around(query: string, times: number, more: string): string {
  return times === 0 ? query : `SELECT ${more} AS a FROM (${around(query, times - 1, more)})`;
}

/** Queries of which a value is longer than all memory, or that nothing ends in time. */
const GROWING = [
  around("SELECT 'aaaa' AS a", 28, "a || a"),
  around("SELECT pair AS a FROM fills", 12, "concat(a, a)"),
  around("SELECT [1, 2] AS a", 28, "list_concat(a, a)"),
  around("SELECT pair AS a FROM fills", 4, "bin(a)"),
  around("SELECT pair AS a FROM fills", 4, "a::BLOB::BIT::VARCHAR"),
  "SELECT pair || pair AS a, a || a AS b, b || b AS c, c || c AS d, d || d AS e, e || e AS f, " +
  "f || f AS g, g || g AS h, h || h AS i, i || i AS j, j || j AS k, k || k AS l FROM fills",
  `WITH a AS (SELECT replace(pair, 'a', ${LONG}) AS a FROM fills) SELECT replace(a, 'a', a) FROM a`,
  `SELECT replace(replace(${LONG}, 'a', ${LONG}), 'a', ${LONG})`,
  `SELECT regexp_replace(${LONG}, 'a', ${LONG}, 'g')`,
  "WITH RECURSIVE t(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM t) SELECT max(x) FROM t",
  `SELECT [[x || y FOR x IN string_split(${LONG}, '')] FOR y IN string_split(${LONG}, '')]`,
  `SELECT array_to_string(string_split(${LONG}, ''), ${LONG})`,
  "FROM (SELECT pair AS a FROM fills) t, LATERAL (SELECT replace(t.a, 'T', t.a) AS b) u, " +
  "LATERAL (SELECT replace(u.b, 'T', u.b) AS c)",
];

const ALLOWED = [
  "WITH a AS (SELECT pair FROM fills) SELECT count(*) FROM a",
  "FROM range(3)",
  "SELECT unnest([1, 2])",
  "VALUES (1), ('Infinity'::DOUBLE)",
  "SELECT 1e400, 'FROM read_csv()'",
  "DESCRIBE fills",
  "SUMMARIZE main.fills",
  "SHOW TABLES",
  "SELECT sum(volume_atoms) OVER () FROM fills",
  "SELECT replace(pair, 'T', '') FROM fills; -- done",
  "SELECT replace(replace(replace(pair, 'T', 't'), '/', '-'), 'W', 'w') FROM fills",
  "SELECT solver || ': ' || pair || ' in ' || kind || ' at ' || filled_at || ', ' || order_uid FROM fills",
  "SELECT [upper(x) FOR x IN string_split(pair, '/')], list(pair)[1:3] FROM fills GROUP BY pair",
  "SELECT string_agg(DISTINCT pair, ', ' ORDER BY pair) FROM fills",
  "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT sum(n) FROM t",
];

Deno.test("a query of somebody else is refused if it is none of the tables, and names why", async () => {
  using sql = await openSql("market_1");
  for (const [query, name] of Object.entries(REFUSED)) {
    const error = await assertRejects(() => requirePlain(sql, query), InputError);
    assertStringIncludes(error.message.split("\n")[0]!, name);
  }
  for (const query of GROWING) {
    await assertRejects(() => requirePlain(sql, query), InputError, "ever longer values", query);
  }
  for (const query of ALLOWED) await requirePlain(sql, query);
  await assertRejects(() => requirePlain(sql, " -- nothing"), InputError, "it is empty");
  // A text that cannot be parsed is left to the engine, which says where.
  await requirePlain(sql, "SELEC 1");
});
