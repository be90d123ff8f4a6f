import pl from "nodejs-polars";
import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import { openDataset } from "orderlens/datasets";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

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

Deno.test("rows that the statistics of a file rule out are never read", async () => {
  await withFolder(async (folder) => {
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
});

Deno.test("every table is typed as the dictionary says, and tables names them all", async () => {
  for (const name of DATASET.tables) {
    const frame = await DATASET.table(name).collect();
    assertEquals(frame.columns.slice(0, 3), ["network", "environment", "chain_id"]);
    assertEquals(frame.getColumn("chain_id").dtype.toString(), pl.Int64.toString());
  }
  await assertRejects(async () => await DATASET.table("trade").collect(), InputError, "trade");
});
