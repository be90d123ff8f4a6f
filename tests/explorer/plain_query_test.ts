import { assertRejects, assertStringIncludes } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { requirePlain } from "../../lib/explorer/plain_query.ts";
import { openSql } from "../../lib/sql/mod.ts";

/** What a query of somebody else may not do, and what the refusal names. */
const REFUSED: Readonly<Record<string, string>> = {
  "ATTACH 'x.db' AS y": "ATTACH",
  "COPY fills TO 'out.csv'": "COPY",
  "-- a\n/* b */ INSTALL httpfs": "INSTALL",
  "LOAD httpfs": "LOAD",
  "SET threads = 8": "SET",
  "PRAGMA database_list": "PRAGMA",
  "CALL duckdb_settings()": "CALL",
  "EXPORT DATABASE 'x'": "EXPORT",
  "INSERT INTO fills VALUES (1)": "INSERT",
  "CREATE TABLE x AS SELECT 1": "CREATE",
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
  "SELECT u_sum(volume_atoms) OVER () FROM fills",
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
    await assertRejects(() => requirePlain(sql, query), InputError, "longer and longer", query);
  }
  for (const query of ALLOWED) await requirePlain(sql, query);
  await assertRejects(() => requirePlain(sql, " -- nothing"), InputError, "it is empty");
  // A text that cannot be parsed is left to the engine, which says where.
  await requirePlain(sql, "SELEC 1");
});
