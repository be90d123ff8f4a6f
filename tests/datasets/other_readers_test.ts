import { DuckDBInstance } from "@duckdb/node-api";
import { describeDataset, openDataset } from "orderlens/datasets";
import { assertEquals } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { joinLimbs, limbSums } from "../../tools/encoding/exact_sum.ts";
import { HARD_AMOUNTS, writeHardAmounts } from "../../tools/encoding/hard_amounts.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

/** Runs queries in DuckDB, one after another. */
async function query(...statements: readonly string[]): Promise<unknown[][][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const found: unknown[][][] = [];
    for (const sql of statements) {
      found.push((await connection.runAndReadAll(sql)).getRows() as unknown[][]);
    }
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

Deno.test("DuckDB reads every amount to the digit, and sums 2^256 - 1 exactly", async () => {
  await withFolder(async (folder) => {
    writeHardAmounts(`${folder}/hard.parquet`);
    const from = `FROM '${folder}/hard.parquet'`;
    const [rows, [limbs]] = await query(
      `SELECT amount_atoms ${from}`,
      `SELECT ${limbSums("amount_atoms")} ${from}`,
    ) as [(string | null)[][], string[][]];
    assertEquals(
      rows.map(([text]) => text),
      HARD_AMOUNTS.map((value) => value?.toString() ?? null),
    );
    const known = HARD_AMOUNTS.filter((value) => value !== null);
    assertEquals(joinLimbs(limbs!), known.reduce((sum, value) => sum + value, 0n));
  });
});

Deno.test("DuckDB reads the dataset that ships as the records have it", async () => {
  const dataset = await openDataset("market_1");
  const trades = await Array.fromAsync(dataset.trades());
  const competitions = await Array.fromAsync(dataset.competitions());
  const solutions = competitions.flatMap((one) => one.solutions);
  const fees = trades.flatMap((trade) => trade.executedProtocolFees ?? []);
  const of = (table: string) => `FROM '${SHIPPED_FOLDER}/market_1/${table}/*.parquet'`;
  const [sold, scored, charged, joined] = await query(
    `SELECT count(*), ${limbSums("sell_amount_atoms")} ${of("trades")}`,
    `SELECT count(*), ${limbSums("score_atoms")} ${of("solutions")}`,
    `SELECT count(*), ${limbSums("fee_atoms")} ${of("protocol_fees")}`,
    `SELECT count(*) ${of("trades")} JOIN (SELECT order_uid ${of("orders")}) USING (order_uid)`,
  );
  const total = (rows: readonly unknown[][] | undefined) => {
    const [count, ...limbs] = rows![0]!;
    return [count, joinLimbs(limbs as string[])];
  };
  const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
  assertEquals(total(sold), [
    BigInt(trades.length),
    sum(trades.map(({ sellAmount }) => sellAmount)),
  ]);
  assertEquals(total(scored), [
    BigInt(solutions.length),
    sum(solutions.map(({ score }) => score)),
  ]);
  assertEquals(total(charged), [BigInt(fees.length), sum(fees.map(({ amount }) => amount))]);
  assertEquals(joined, [[BigInt(trades.length)]]);
});

Deno.test("times are timestamps of microseconds, beside each exact text", async () => {
  const { tables } = await describeDataset(`${SHIPPED_FOLDER}/market_1`);
  const times = tables.flatMap(({ name, columns }) =>
    columns.filter(({ type }) => type === "Datetime").map((column) => [name, column.name] as const)
  );
  assertEquals(times.length > 20, true);
  const queries = times.map(([table, name]) => {
    const text = name.replace(/_utc$/, "");
    return `SELECT DISTINCT typeof(${name}), (${text} IS NULL) = (${name} IS NULL),
      coalesce(epoch_us(${name}) // 1000 = ${text}_ms, true)
      FROM '${SHIPPED_FOLDER}/market_1/${table}/*.parquet'`;
  });
  const [[first] = [], ...found] = await query(
    `SELECT epoch_us(created_at_utc) FROM '${SHIPPED_FOLDER}/market_1/lifecycle/*.parquet'
     WHERE created_at = '2026-11-21T15:12:05.008321Z'`,
    ...queries,
  );
  assertEquals(first, [1795273925008321n]);
  for (const rows of found) {
    for (const row of rows) assertEquals(row, ["TIMESTAMP WITH TIME ZONE", true, true]);
  }
});

Deno.test("a file says of itself what its columns are", async () => {
  const [rows] = await query(
    `SELECT DISTINCT decode(value) FROM parquet_kv_metadata(
     '${SHIPPED_FOLDER}/market_1/trades/*.parquet') WHERE decode(key) = 'sell_amount_atoms'`,
  );
  assertEquals(rows, [["sell token atoms: trade.sellAmount: all fees included"]]);
});

Deno.test("the Croissant file names every file with its hash, and columns of files alone", async () => {
  const folder = `${SHIPPED_FOLDER}/market_1`;
  const [croissant, { files }] = await Promise.all(
    ["croissant", "manifest"].map(async (name) =>
      JSON.parse(await Deno.readTextFile(`${folder}/${name}.json`))
    ),
  );
  const [objects, sets] = ["cr:FileObject", "cr:FileSet"].map((type) =>
    croissant.distribution.filter((one: Record<string, unknown>) => one["@type"] === type)
  );
  assertEquals(
    objects.map((one: Record<string, unknown>) => [one.contentUrl, one.sha256]),
    files.filter(({ path }: { path: string }) => path.endsWith(".parquet"))
      .map(({ path, sha256 }: Record<string, string>) => [path, sha256]),
  );
  const named = new Set(sets.map((one: Record<string, unknown>) => one["@id"]));
  for (const { field, key = [] } of croissant.recordSet) {
    const ids = new Set(field.map((one: Record<string, unknown>) => one["@id"]));
    assertEquals(key.filter((one: Record<string, unknown>) => !ids.has(one["@id"])), []);
    assertEquals(named.has(field[0].source.fileSet["@id"]), true);
  }
});
