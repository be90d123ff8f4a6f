import { cp } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import {
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { exported, recorded } from "./exported.ts";
import { LATER } from "./folder_bytes.ts";
import { NODE_TABLES } from "../../lib/datasets/shards/published_tables.ts";

const SHIPPED = `${SHIPPED_FOLDER}/market_1`;
const BOOK = connect(await recorded("simulated_1"), { clock: LATER });

/** All tables of the first version, in its order. */
const FIRST = (await openDataset("market_1")).tables.filter((name) => name !== "executions");
/** Those that need no node. */
const WITHOUT_NODE = FIRST.filter((name) => !NODE_TABLES.includes(name));

const AUCTIONS = { from: 1001, to: 1002 };

/** An export as an earlier version would have made it. */
async function copyEarlier(folder: string): Promise<void> {
  const wanted = { auctions: AUCTIONS, tables: WITHOUT_NODE };
  await cp(await exported("simulated_1", wanted), folder, { recursive: true });
}

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

Deno.test("a query for a table of a later version names what adds it", async () => {
  await withFolder(async (folder) => {
    await cp(SHIPPED, folder, { recursive: true });
    await makeEarlier(folder);
    using sql = await openSql(folder);
    const error = await assertRejects(() => sql.query("SELECT * FROM executions"), InputError);
    assertStringIncludes(error.message, "has no table executions");
    assertStringIncludes(error.message, `orderlens rebuild ${await Deno.realPath(folder)}`);
  });
});

Deno.test("an export of an earlier version goes on with later tables, of what it has", async () => {
  await withFolder(async (folder) => {
    const auctions = AUCTIONS;
    const whole = await exportDataset(BOOK, `${folder}/whole`, { auctions });
    const earlier = `${folder}/earlier`;
    await copyEarlier(earlier);
    const rebuilt = `${folder}/rebuilt`;
    await cp(earlier, rebuilt, { recursive: true });
    assertEquals(await rebuildDataset(rebuilt), whole.manifest);
    for (const one of [earlier, rebuilt]) {
      const { requests, manifest } = await exportDataset(BOOK, one, { auctions });
      assertEquals([requests, manifest], [0, whole.manifest]);
      await assertRejects(
        () => exportDataset(BOOK, one, { auctions, tables: ["orders"] }),
        InputError,
        "it is an export with other settings",
      );
    }
    assertEquals((await verifyDataset(earlier)).problems, []);
  });
});

Deno.test("a rebuild adds nothing to tables that were chosen, and a merge names it", async () => {
  await withFolder(async (folder) => {
    const tables = ["orders", "trades"];
    await exportDataset(BOOK, `${folder}/chosen`, { auctions: AUCTIONS, tables });
    assertEquals((await rebuildDataset(`${folder}/chosen`)).request.tables, tables);
    await copyEarlier(`${folder}/1`);
    await exportDataset(BOOK, `${folder}/2`, { auctions: { from: 1003, to: 1004 } });
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
