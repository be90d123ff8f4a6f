import { describeDataset, openDataset, shippedDatasets } from "orderlens/datasets";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { SHIPPED_FOLDER, writeShipped } from "../../tools/datasets/write_shipped.ts";
import { openDuckDb } from "../benchmarks/seeded_fills.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./exported.ts";
import pl from "nodejs-polars";
import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import { joinLimbs, limbSums } from "../../tools/encoding/exact_sum.ts";
import { HARD_AMOUNTS, writeHardAmounts } from "../../tools/encoding/hard_amounts.ts";

inFolder.test("the datasets that ship are exported from their recordings, byte for byte", async (folder) => {
  await writeShipped(folder);
  for (const name of shippedDatasets()) {
    const [made, shipped] = await Promise.all(
      [folder, SHIPPED_FOLDER].map((parent) => folderBytes(`${parent}/${name}`)),
    );
    assertEquals(made, shipped, "Write them again: deno run -A tools/datasets/write_shipped.ts");
  }
});

const DATASET = await openDataset("market_1");

Deno.test("a table is lazy, and only the columns and rows that are asked for are read", async () => {
  const frame = DATASET.table("trades")
    .filter(pl.col("block_number").gt(pl.lit(0).cast(pl.Int64)))
    .select("order_uid", "sell_amount_atoms");
  const plan = frame.describeOptimizedPlan();
  assertStringIncludes(plan, "Parquet SCAN [");
  assertStringIncludes(plan, 'SELECTION: [(col("block_number")) > (0)]');
  assertEquals(/PROJECT (\d+)\/\d+ COLUMNS/.exec(plan)?.[1], "3");
  assertEquals((await frame.collect()).columns, ["order_uid", "sell_amount_atoms"]);
});

inFolder.test("rows that the statistics of a file rule out are never read", async (folder) => {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  const damaged = `${folder}/auctions/0000001000-0000001999.parquet`;
  const bytes = await Deno.readFile(damaged);
  // The pages between the first bytes and the footer, which has the statistics, are destroyed.
  const footer = new DataView(bytes.buffer).getUint32(bytes.length - 8, true) + 8;
  bytes.fill(0xff, 4, bytes.length - footer);
  await Deno.writeFile(damaged, bytes);
  const dataset = await openDataset(folder);
  const late = { auctions: { from: 2000, to: 2004 } };
  const [rows] = (await dataset.sql("SELECT * FROM auctions WHERE auction_id >= 2000").collect())
    .toRecords();
  assertEquals(rows, (await dataset.table("auctions", late).collect()).toRecords()[0]);
  assertEquals(Number(rows?.auction_id) >= 2000, true);
  await assertRejects(async () => await dataset.table("auctions").collect(), Error);
  const early = { auctions: { from: 1995, to: 1999 } };
  await assertRejects(async () => await dataset.table("auctions", early).collect(), Error);
  assertThrows(() => dataset.table("orders", late), InputError, "no auction_id");
});

/** Runs queries in DuckDB, one after another. */
async function query(...statements: readonly string[]): Promise<unknown[][][]> {
  using duckDb = await openDuckDb();
  return await Array.fromAsync(
    statements,
    async (sql) => (await duckDb.connection.runAndReadAll(sql)).getRows(),
  );
}

inFolder.test("DuckDB reads every amount to the digit, and sums 2^256 - 1 exactly", async (folder) => {
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
