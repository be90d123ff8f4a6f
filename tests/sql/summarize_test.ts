import { assertEquals } from "@std/assert";
import { openSql, querySql } from "orderlens/sql";
import { readViews } from "../../lib/sql/catalogue.ts";

Deno.test("SUMMARIZE counts distinct values and finds quartiles exactly", async () => {
  const columns = "order_uid, block_number, slippage_net_bps, surplus_atoms, filled_at_utc";
  const rows = await querySql("market_1", `SELECT ${columns} FROM fills`);
  const summary = await querySql("market_1", `-- all\nSUMMARIZE SELECT ${columns} FROM fills;`);
  const distinct = (name: string) => new Set(rows.map((row) => row[name])).size;
  assertEquals(
    summary.map((row) => [row.column_name, row.distinct_count, row.count, row.null_percentage]),
    columns.split(", ").map((name) => [name, distinct(name), 37, "0.00"]),
  );
  // Of 37 values, quartiles are the 10th, the 19th and the 28th.
  const sorted = rows.map((row) => Number(row.slippage_net_bps)).sort((a, b) => a - b);
  const [, , slippage, surplus] = summary;
  assertEquals(
    [slippage?.q25, slippage?.q50, slippage?.q75].map(Number),
    [sorted[9], sorted[18], sorted[27]],
  );
  const atoms = rows.map((row) => BigInt(String(row.surplus_atoms))).sort((a, b) => a < b ? -1 : 1);
  assertEquals(
    [surplus?.min, surplus?.q25, surplus?.q50, surplus?.q75, surplus?.max],
    [0, 9, 18, 27, 36].map((place) => `${atoms[place]}`),
  );
});

Deno.test("SUMMARIZE accepts a table, and a table without rows", async () => {
  using sql = await openSql("market_1");
  const fills = sql.relations.find(({ name }) => name === "fills");
  const summary = await sql.query("SUMMARIZE fills");
  assertEquals(
    summary.map(({ column_name }) => column_name),
    fills?.columns.map(({ name }) => name),
  );
  const [none] = await sql.query("SUMMARIZE SELECT 1 AS n WHERE FALSE");
  assertEquals(none, {
    column_name: "n",
    column_type: "INTEGER",
    min: null,
    max: null,
    distinct_count: 0,
    avg: null,
    std: null,
    q25: null,
    q50: null,
    q75: null,
    count: 0,
    null_percentage: "0.00",
  });
});

Deno.test("views convert amounts to the nearest double, by their text", async () => {
  // The engine's own cast takes a neighbour of the nearest double.
  const [cast] = await querySql(
    "market_1",
    `SELECT count(*) AS amounts,
      count(*) FILTER (CAST(volume_atoms AS DOUBLE) <> CAST(CAST(volume_atoms AS VARCHAR) AS DOUBLE)) AS off,
    FROM (SELECT CAST('1' || repeat('7', n % 19) || n AS BIGNUM) AS volume_atoms FROM range(5000) AS r(n))`,
  );
  assertEquals([cast?.amounts, Number(cast?.off) > 0], [5_000, true]);
  for (const { name, query } of await readViews()) {
    const direct = query.match(/CAST\((?:\w+_atoms|of_all) AS DOUBLE\)/g) ?? [];
    assertEquals([name, direct], [name, []]);
  }
  using sql = await openSql("market_1");
  const rows = await sql.query<{ score_won_atoms: string; score_share: number }>(
    "SELECT score_won_atoms, score_share FROM leaderboard",
  );
  const all = rows.reduce((sum, { score_won_atoms: atoms }) => sum + BigInt(atoms), 0n);
  for (const { score_won_atoms: atoms, score_share } of rows) {
    assertEquals(score_share, Number(BigInt(atoms)) / Number(all));
  }
});
