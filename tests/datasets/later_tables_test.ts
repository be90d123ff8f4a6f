import { cp } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import {
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { openSql } from "orderlens/sql";
import { assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { NODE_TABLES } from "../../lib/datasets/shards/table_needs.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./folder_bytes.ts";

const SHIPPED = `${SHIPPED_FOLDER}/market_1`;
const BOOK = connect(await replay("simulated_1"));
const AUCTIONS = { from: 1001, to: 1030 };

/** All tables of the first version, in its order. */
const FIRST = (await openDataset("market_1")).tables.filter((name) => name !== "executions");
/** Those that need no node. */
const WITHOUT_NODE = FIRST.filter((name) => !NODE_TABLES.includes(name));

/** Makes a folder what an earlier version would have written: without the table of executions. */
async function makeEarlier(folder: string): Promise<void> {
  const path = `${folder}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(path));
  manifest.request.tables = FIRST;
  manifest.files = manifest.files.filter((one: { path: string }) =>
    !one.path.startsWith("executions/")
  );
  await Deno.writeTextFile(path, JSON.stringify(manifest, null, 2));
  await Deno.remove(`${folder}/executions`, { recursive: true });
}

Deno.test("a rebuild adds executions to a dataset of an earlier version", async () => {
  await withFolder(async (folder) => {
    await cp(SHIPPED, folder, { recursive: true });
    await makeEarlier(folder);
    await rebuildDataset(folder);
    assertEquals(await folderBytes(folder), await folderBytes(SHIPPED));
  });
});

Deno.test("without executions, fills know the fees of orders that were filled once", async () => {
  await withFolder(async (folder) => {
    await exportDataset(BOOK, folder, { auctions: AUCTIONS });
    const query = `
      SELECT f.*, count(*) OVER (PARTITION BY order_uid) AS fills
      FROM fills AS f ORDER BY block_number, log_index`;
    const rows = async () => {
      using sql = await openSql(folder);
      return await sql.query(query);
    };
    const withFees = await rows();
    await makeEarlier(folder);
    const without = await rows();
    assertNotEquals(without, withFees);
    for (const [place, row] of without.entries()) {
      const known = withFees[place]!;
      assertEquals(known.decomposition_reason, null);
      assertNotEquals(known.network_part_low, null);
      // Auctions outside of the range, their solvers and prices are known from executions alone.
      const { auction_id, solver, solver_name, volume, volume_native } = row.auction_id === null
        ? known
        : row;
      const outside = { auction_id, solver, solver_name, volume, volume_native };
      if (row.decomposition_reason === null) {
        assertEquals<unknown>({ ...row, ...outside }, known);
        continue;
      }
      assertEquals(row.decomposition_reason, "no_settlement_or_executed_fee");
      assertEquals(row.network_part_low, null);
      assertEquals(Number(row.fills) > 1 || row.filled_fraction !== 1, true);
    }
    using sql = await openSql(folder);
    const error = await assertRejects(() => sql.query("SELECT * FROM executions"), InputError);
    assertStringIncludes(error.message, "orderlens rebuild DIR");
  });
});

Deno.test("an export of an earlier version resumes as it is, and with executions once rebuilt", async () => {
  await withFolder(async (folder) => {
    const auctions = { from: 1001, to: 1010 };
    const whole = await exportDataset(BOOK, `${folder}/whole`, { auctions });
    const earlier = `${folder}/earlier`;
    await exportDataset(BOOK, earlier, { auctions, tables: WITHOUT_NODE });
    const { manifest } = await exportDataset(BOOK, earlier, { auctions });
    assertEquals(manifest.request.tables, WITHOUT_NODE);
    assertEquals(await rebuildDataset(earlier), whole.manifest);
    const resumed = await exportDataset(BOOK, earlier, { auctions });
    assertEquals([resumed.requests, resumed.manifest], [0, whole.manifest]);
    assertEquals((await verifyDataset(earlier)).problems, []);
    await assertRejects(
      () => exportDataset(BOOK, earlier, { auctions, tables: ["orders"] }),
      InputError,
      "it is an export with other settings",
    );
  });
});

Deno.test("a rebuild adds nothing to tables that were chosen, and a merge names it", async () => {
  await withFolder(async (folder) => {
    const auctions = { from: 1001, to: 1005 };
    const tables = ["orders", "trades"];
    await exportDataset(BOOK, `${folder}/chosen`, { auctions, tables });
    assertEquals((await rebuildDataset(`${folder}/chosen`)).request.tables, tables);
    await exportDataset(BOOK, `${folder}/1`, { auctions, tables: WITHOUT_NODE });
    await exportDataset(BOOK, `${folder}/2`, { auctions: { from: 1006, to: 1010 } });
    const error = await assertRejects(
      () => mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`),
      InputError,
      "they differ in tables",
    );
    assertStringIncludes(error.message, "orderlens rebuild DIR");
    await rebuildDataset(`${folder}/1`);
    await mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`);
    assertEquals((await verifyDataset(`${folder}/all`)).problems, []);
  });
});
