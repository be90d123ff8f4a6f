import { DuckDBInstance } from "@duckdb/node-api";
const db = await DuckDBInstance.create(":memory:", {threads:"2"}); const c = await db.connect();
await c.run("CREATE TEMP TABLE r AS\nSELECT 1 AS a, 2 AS a, 3 AS A, count(*), NULL, ['x'], {'a':1}, DATE '2020-01-01'; -- x");
const x = await c.runAndReadAll("SELECT * FROM r"); console.log(x.columnNames(), x.columnTypes().map(String), x.getRows());
for (const q of ["SELECT 1,\n surplu FROM r","SELECT CAST('a' AS INTEGER)","COPY r TO 'x'", "DESCRIBE r","SHOW TABLES","SUMMARIZE r","FROM r","VALUES (1)","PRAGMA version","CALL pragma_version()","EXPLAIN SELECT 1","EXPLAIN ANALYZE SELECT 1","TABLE r","PIVOT r ON a USING sum(a)","DELETE FROM r RETURNING *","WITH q AS (SELECT 1) SELECT * FROM q", "SELECT 1 INTO y", "(SELECT 1) WITH NO DATA", "SELECT 1 /* x", "EXECUTE q"]) { try { await c.run("CREATE OR REPLACE TEMP TABLE s AS\n"+q); console.log("OK", q) } catch (e) { console.log(q, "!!", e.message) } }
