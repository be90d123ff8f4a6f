import pl from "nodejs-polars";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { InputError } from "orderlens";
import { openMarket } from "orderlens/market";
import { NODE_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { createSqlTables } from "../../lib/market/market_tables.ts";
import { listDatasetTables } from "../../lib/sql/catalogue.ts";
import { openFrames } from "../../lib/sql/open_sql.ts";
import { openSql, querySql, readViews, type SqlRow } from "orderlens/sql";
import { changeManifest } from "../datasets/rewrite_table.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { copyPart, filesWith, withoutTables } from "./copy_part.ts";

Deno.test("a market has each view as a method, with the rows that SQL has over a dataset's files", async () => {
  await using market = await openMarket("dataset://market_1");
  using sql = await openSql("market_1");
  const methods = {
    leaderboard: market.leaderboard,
    solver_days: market.solverDays,
    pairs: market.pairs,
    partners: market.partners,
    concentration: market.concentration,
    gas_surplus: market.gasSurplus,
    cow_shares: market.cowShares,
    solver_slippage: market.solverSlippage,
  };
  const views = await readViews();
  assertEquals(Object.keys(methods).toSorted(), views.map(({ name }) => name).toSorted());
  for (const { name, key, columns } of views) {
    const frame = await methods[name as keyof typeof methods]();
    const rows = await sql.query(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`);
    assert(rows.length > 0, name);
    // A dataset names no solvers of its own; a market does.
    const known = ({ network: _n, environment: _e, chain_id: _c, ...row }: SqlRow) => ({
      ...row,
      ..."solver_name" in row && { solver_name: null },
    });
    assertEquals(
      frame.toRecords().map((row) => known({ network: null, ...row })),
      rows.map(known),
      name,
    );
    const dtypes = new Map(columns.map((column) => [column.name, column.dtype]));
    for (const column of frame.columns) {
      assertEquals(frame.getColumn(column).dtype.variant, dtypes.get(column), `${name}.${column}`);
    }
  }
  const joined = `SELECT sum(fills) = (SELECT count(*) FROM fills) AS are_all FROM gas_surplus`;
  assertEquals(await sql.query(joined), [{ are_all: true }]);
});

Deno.test("a frame in place of a table is what views add up, and has all of its columns", async () => {
  await using market = await openMarket("dataset://market_1");
  const fills = await market.fills();
  const sold = fills.filter(pl.col("kind").eq(pl.lit("sell")));
  const query = "SELECT sum(fills) AS fills FROM concentration WHERE windows = 'pair'";
  const counts = await Promise.all(
    [{}, { with: { fills: sold } }].map(async (options) => await market.frame(query, options)),
  );
  assertEquals(counts.map((one) => one.toRecords()), [
    [{ fills: fills.height }],
    [{ fills: sold.height }],
  ]);
  assert(sold.height > 0 && sold.height < fills.height);
  const part = { with: { fills: sold.drop("solver") } };
  const lacking = await assertRejects(() => market.frame(query, part), InputError);
  assertMatch(
    lacking.message,
    /frame fills in place of the table: no solver\nFix: [^]*market\.fills\(\)/,
  );
  const taken = await assertRejects(
    () => market.frame(query, { with: { leaderboard: sold } }),
    InputError,
  );
  assertMatch(taken.message, /the frame leaderboard: the name is invalid or taken/);
});

Deno.test("a frame in place of a table keeps columns of its own, also under names such as `my share`", async () => {
  await using market = await openMarket("dataset://market_1");
  const fills = (await market.fills()).withColumns(
    pl.lit(0.5).alias("my share"),
    pl.lit("7").alias("own_atoms"),
  );
  const query = 'SELECT sum("my share") AS share, sum(own_atoms) AS atoms FROM fills';
  const rows = await market.sql(query, { with: { fills } });
  assertEquals(rows, [{ share: 37 / 2, atoms: `${7 * 37}` }]);
  // All columns of a query are a table again: where rows are from, and timestamps, are made anew.
  const whole = await market.frame("SELECT * FROM fills");
  assertEquals(
    await market.sql("SELECT sum(fills) AS n FROM gas_surplus", { with: { fills: whole } }),
    await market.sql("SELECT sum(fills) AS n FROM gas_surplus"),
  );
  const cased = fills.withColumns(pl.lit(1).alias("Solver"));
  const refused = () => market.sql("SELECT 1 FROM fills", { with: { fills: cased } });
  await assertRejects(refused, InputError, "Solver differs from another one only in case");
});

Deno.test("a cell of a frame that its column cannot hold is named with its table and row", async () => {
  await using market = await openMarket("dataset://market_1");
  const rows = (await market.fills()).toRecords();
  const cases: readonly [string, unknown, pl.DataType, RegExp][] = [
    ["auction_id", "x".repeat(99), pl.String, /put x{80} \(string\) into fills\.auction_id\n/],
    ["auction_id", 1.5, pl.Float64, /put 1\.5 \(number\) into fills\.auction_id\n/],
    ["auction_id", 2n ** 63n, pl.UInt64, /put 9223372036854775808 .* into fills\.auction_id\n/],
    ["solver", new Date(0), pl.Datetime("ms"), /put .*1970.* \(date\) into fills\.solver\n/],
    ["surplus_atoms", "1.5", pl.String, /put 1\.5 \(string\) into fills\.surplus_atoms\n/],
    ["filled_at", "once", pl.String, /put once \(string\) into fills\.filled_at\n/],
    ["surplus_native", "1", pl.String, /put 1 \(string\) into fills\.surplus_native\n/],
  ];
  for (const [column, value, dtype, message] of cases) {
    const cells = rows.map((row, index) =>
      index === 3 ? value : dtype === pl.String ? row[column] : null
    );
    const texts = cells.map((cell) =>
      typeof cell === "number" && dtype === pl.String ? null : cell
    );
    const fills = (await market.fills()).withColumns(pl.Series(column, texts, dtype));
    const error = await assertRejects(
      () => market.frame("SELECT count(*) AS n FROM fills", { with: { fills } }),
      InputError,
    );
    assertMatch(error.message, message);
    assertMatch(error.message, /row: 3\n[^]*Fix: Make it .+ in the frame, or null$/);
  }
});

Deno.test("Market.frame has amounts and dates as text, and rejects values that it cannot hold", async () => {
  await using market = await openMarket("dataset://market_1");
  const frame = await market.frame(
    `SELECT DATE '2026-11-24' AS day, sum(score_atoms) AS atoms, count(*) AS n, 0.5e0 AS half,
       TRUE AS flag, NULL AS none, sum(ranking) AS sum FROM outcomes`,
  );
  const kinds = ["String", "String", "Int64", "Float64", "Bool", "Int64", "Int64"];
  assertEquals(frame.columns.map((name) => frame.getColumn(name).dtype.variant), kinds);
  const [row] = frame.toRecords();
  assertEquals([row?.day, row?.half, row?.flag, row?.none], ["2026-11-24", 0.5, true, null]);
  assertEquals(await market.sql("SELECT sum(score_atoms) AS atoms FROM outcomes"), [
    { atoms: row!.atoms! },
  ]);
  for (
    const [value, remedy] of [
      ["9007199254740993", "CAST(x AS VARCHAR)"],
      ["'NaN'::DOUBLE", "isfinite(x)"],
    ]
  ) {
    const { message } = await assertRejects(
      () => market.frame(`SELECT ${value} AS x`),
      InputError,
      "into the column x of a frame",
    );
    assert(message.includes(remedy!), message);
  }
});

/** Each has one of the two shards: auctions 1990 to 1999, and 2000 on. */
async function copyHalves(folder: string): Promise<[first: string, second: string]> {
  await copyPart(`${folder}/first`, filesWith("/0000001000"));
  await copyPart(`${folder}/second`, filesWith("/0000002000"));
  return [`${folder}/first`, `${folder}/second`];
}

inFolder.test("datasets of one chain are one, unless they have rows in common", async (folder) => {
  await assertRejects(() => openSql(["market_1", "market_1"]), InputError, "twice");
  const [first, second] = await copyHalves(folder);
  const outcomes = "SELECT count(*) AS n, sum(score_atoms) AS score FROM outcomes";
  assertEquals(await querySql([first, second], outcomes), await querySql("market_1", outcomes));
  await Deno.copyFile(`${second}/manifest.json`, `${first}/manifest.json`);
  const { message } = await assertRejects(() => openSql([first, second]), InputError);
  assertMatch(message, / as one: shared rows of auctions: \d+\n[^]*orderlens merge/);
});

inFolder.test("views over several datasets add their rows up, and say what they lack", async (folder) => {
  const parts = await copyHalves(folder);
  const query = "SELECT * FROM concentration ORDER BY ALL";
  assertEquals(await querySql(parts, query), await querySql("market_1", query));
  const sold =
    "SELECT symbol, sold_tokens FROM cow_shares WHERE auction_id = 1990 AND sold_atoms > 0";
  // 161314643658000000000 atoms of a token with 18 decimals, by the name that the deployment has for it;
  // both parts have a row of it.
  assertEquals(await querySql(parts, sold), [{ symbol: "T3", sold_tokens: 161.314643658 }]);
  const bare = `${folder}/bare`;
  await copyPart(bare, withoutTables("fills"));
  const concentration = () => querySql(bare, "SELECT * FROM concentration");
  await assertRejects(concentration, InputError, "has no table fills");
});

inFolder.test("views do without the table that a dataset may lack, and its own error says why", async (folder) => {
  const bare = `${folder}/bare`;
  await copyPart(bare, withoutTables(...NODE_TABLES, "tokens"));
  const cow =
    "SELECT COLUMNS(c -> c <> 'symbol' AND c NOT LIKE '%_tokens') FROM cow_shares ORDER BY ALL";
  assertEquals(await querySql(bare, cow), await querySql("market_1", cow));
  const tokens = "SELECT DISTINCT symbol IS NULL AS a, sold_tokens IS NULL AS b FROM cow_shares";
  assertEquals(await querySql(bare, tokens), [{ a: false, b: true }]);
  const counts = "SELECT sum(fills + unknown_count) AS fills FROM gas_surplus";
  assertEquals(await querySql(bare, counts), [{ fills: 37 }]);
  const { message } = await assertRejects(() => querySql(bare, "FROM settlements"), InputError);
  assertStringIncludes(message, "no table settlements, since it was exported without a node: run");
  assertStringIncludes(message, "--rpc-url URL");
  await assertRejects(() => querySql(bare, "FROM tokens"), InputError, "has no table tokens");
  // Rows of those that have the table are read.
  const [first, second] = await copyHalves(folder);
  await changeManifest(second, withoutTables("settlements", "tokens"));
  const symbols = "SELECT DISTINCT symbol FROM tokens";
  const known = await querySql(first, symbols);
  const named = await querySql([first, second], "SELECT DISTINCT symbol FROM cow_shares");
  assert(known.every(({ symbol }) => named.some((row) => row.symbol === symbol)));
});

Deno.test("each table that a view does without declares its columns as the table has them", async () => {
  const types: Record<string, string> = { BIGINT: "Int64", STRING: "String" };
  for (const { name, optional, tables, query } of await readViews()) {
    if (optional === null) continue;
    assert(tables.includes(optional));
    const text = await Deno.readTextFile(
      new URL(`../../lib/sql/views/${name}.sql`, import.meta.url),
    );
    const [, declared = ""] = /^-- optional: \w+: (.+)$/m.exec(text)!;
    const { columns } = listDatasetTables().find((table) => table.name === optional)!;
    for (const column of declared.split(", ")) {
      const [read = "", type = ""] = column.split(" ");
      const { dtype } = columns.find((one) => one.name === read)!;
      assertEquals(types[type], read.endsWith("_atoms") ? "Int64" : dtype, read);
      assertStringIncludes(query, read);
    }
  }
});

Deno.test("openFrames names the table, the limit and what to do if a frame exceeds the memory", async () => {
  const texts = Array.from({ length: 40_000 }, (_, index) => `${index}`.repeat(200));
  const large = pl.DataFrame({ texts });
  using frames = await openFrames([], {
    with: { large, small: pl.DataFrame({ texts: ["a"] }) },
    memoryLimit: "20MB",
    usesDisk: false,
  });
  const query = () => frames.query("SELECT count(texts) AS texts FROM large");
  // Tried again, the table is built again; 20 MB are 19.07 MiB, which DuckDB cuts to one digit.
  for (const attempt of [query, query]) {
    const { message } = await assertRejects(attempt, InputError);
    assertMatch(
      message,
      /^Cannot run the query: the table large needs more memory than its limit, 19\.0 MiB\n {2}found: .* used\)\n/,
    );
    assertStringIncludes(message, "Fix: Pass a higher `memoryLimit` (`--memory` on the command");
  }
  assertEquals(await frames.query("SELECT texts FROM small"), [{ texts: "a" }]);
});

const UNNAMED = "SELECT COLUMNS(name -> name NOT LIKE '%solver_name') FROM";

Deno.test("openFrames gives the rows and types of files, and the views over them", async () => {
  const market = await openMarket("dataset://market_1");
  using frames = await openFrames(createSqlTables(market), {
    memoryLimit: "200MB",
    usesDisk: false,
  });
  using files = await openSql("market_1");
  for (
    const query of [
      // A market also names solvers that no list has.
      `${UNNAMED} fills ORDER BY order_uid, block_number, log_index`,
      `${UNNAMED} auctions ORDER BY auction_id`,
      `${UNNAMED} leaderboard ORDER BY solver`,
      "DESCRIBE orders",
      "SELECT sum(sell_amount_atoms) AS atoms, min(filled_at_utc) AS first FROM trades",
    ]
  ) {
    assertEquals(await frames.query(query), await files.query(query), query);
  }
  const relations = new Map(frames.relations.map((one) => [one.name, one]));
  assertEquals(
    relations.get("fills")?.columns,
    files.relations.find(({ name }) => name === "fills")?.columns,
  );
});
