import { connect, InputError } from "orderlens";
import {
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { factsOf } from "../../lib/datasets/layout/files.ts";
import { namesOf } from "../../lib/datasets/shards/fact_index.ts";
import { readShard } from "../../lib/datasets/shards/shard_contents.ts";
import { ShardWorkers } from "../../lib/datasets/shards/shard_workers.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import {
  exported,
  folderBytes,
  inCopyOf,
  LATER,
  newFolder,
  NODE_FEW,
  recorded,
} from "./exported.ts";
import { spreadBook } from "./altered_book.ts";
import { changeManifest, rewriteFile } from "./rewrite_table.ts";
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { openSql } from "orderlens/sql";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { NODE_TABLES, SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";

const RECORDING = await recorded("market_1");
/** Four auctions in three files: 1, 2 and 1 of them. */
const { book: BOOK, auctions: AUCTIONS } = spreadBook(RECORDING, {
  count: 4,
  from: 5990,
  step: 500,
});

const root = await newFolder();
const whole = `${root}/whole`;
await exportDataset(BOOK, whole, {
  auctions: AUCTIONS,
  node: RECORDING,
  blockTimes: false,
  tables: [...NODE_FEW, "fills", "rewards"],
});
await Deno.remove(`${whole}/.orderlens`, { recursive: true });

const inCopy = inCopyOf(() => whole);

Deno.test("a folder with something else in it is not rebuilt into, nor with a number of workers that is none", async () => {
  await rebuildDataset(whole, { into: `${root}/copy` });
  await exportDataset(BOOK, `${root}/other`, {
    auctions: { from: 5990, to: 6490 },
    tables: ["auctions"],
    trades: false,
  });
  const cases = [
    [whole, whole, "something is there"],
    [`${root}/other`, `${root}/copy`, "it is another rebuild"],
    [whole, "", "Pass the path of a folder as into"],
  ] as const;
  for (const [from, into, part] of cases) {
    await assertRejects(() => rebuildDataset(from, { into }), InputError, part);
  }
  for (const workers of [0, 1.5, 65]) {
    await assertRejects(() => rebuildDataset("nowhere", { workers }), InputError, "workers");
  }
});

inFolder.test("an interrupted rebuild goes on with what it has, and mends what was damaged", async (folder) => {
  const into = `${folder}/copy`;
  const expected = await folderBytes(whole);
  const first = "0000006000-0000006999";
  const orders = `${into}/orders/${first}.parquet`;
  const ended = new AbortController();
  let isOver = false;
  const stopped = rebuildDataset(whole, { into, signal: ended.signal })
    .finally(() => isOver = true);
  const watching = (async () => {
    while (!isOver && !existsSync(`${into}/auctions/${first}.parquet`)) {
      await new Promise((done) => setTimeout(done, 1));
    }
    ended.abort();
  })();
  await assertRejects(() => stopped);
  await watching;
  assertEquals(await Deno.stat(`${into}/manifest.json`).catch(() => null), null);
  const kept = await Deno.stat(orders);
  await rebuildDataset(whole, { into });
  assertEquals(await folderBytes(into), expected);
  assertEquals((await Deno.stat(orders)).ino, kept.ino);
  // Torn while it was appended to, and files that were damaged and lost.
  const journal = `${into}/.orderlens/rebuild.ndjson`;
  await Deno.writeTextFile(journal, (await Deno.readTextFile(journal)).slice(0, -9));
  await Deno.writeFile(orders, (await Deno.readFile(orders)).subarray(1));
  await Deno.remove(`${into}/raw`, { recursive: true });
  await rebuildDataset(whole, { into });
  assertEquals(await folderBytes(into), expected);
  // What another version left is made anew.
  const text = await Deno.readTextFile(journal);
  await Deno.writeTextFile(journal, text.replace(/"library":"[^"]*"/, '"library":"0.0.9"'));
  await Deno.writeTextFile(`${into}/orders/of_another_version.parquet`, "");
  await rebuildDataset(whole, { into });
  assertEquals(await folderBytes(into), expected);
});

inCopy.test("answers that are damaged are named, and nothing is taken from them", async (folder) => {
  const raw = `${folder}/raw/0000007000-0000007999.ndjson.zst`;
  await Deno.writeFile(raw, (await Deno.readFile(raw)).subarray(1));
  const error = await assertRejects(
    () => rebuildDataset(folder, { into: `${folder}/../again` }),
    InputError,
    "damaged or missing",
  );
  assertStringIncludes(error.message, `${folder}: raw/0000007000-0000007999.ndjson.zst`);
});

const SOURCE = { network: null, environment: null, chainId: 1, settlementContract: "0x" };

inCopy.test("rebuildDataset() with two workers", async (folder, t) => {
  const bytes = await folderBytes(folder);
  const raws = [...bytes.keys()].filter((path) => path.startsWith("raw/"));

  await t.step("can be aborted, and gives the same bytes as the export", async () => {
    for (const table of ["orders", "fills", ...SETTLEMENT_TABLES]) {
      await Deno.remove(`${folder}/${table}`, { recursive: true });
    }
    const reason = new Error("enough");
    const stopped = rebuildDataset(folder, { signal: AbortSignal.abort(reason) });
    assertEquals(await stopped.catch((error) => error), reason);
    const controller = new AbortController();
    const running = rebuildDataset(folder, { workers: 2, signal: controller.signal });
    using watcher = Deno.watchFs(folder, { recursive: false });
    const seen = running.catch((error) => error).finally(() => watcher[Symbol.dispose]());
    // The first file put in place makes the folder of its table again.
    for await (const { kind } of watcher) {
      if (kind === "create") break;
    }
    controller.abort(reason);
    assertEquals(await seen, reason);
    await rebuildDataset(folder, { workers: 2 });
    assertEquals(await folderBytes(folder), bytes);
  });

  await t.step("has answers that follow from records of other files", async () => {
    const context = { source: SOURCE, tables: [], tokens: {} };
    const names = await Promise.all(
      raws.map(async (raw) => namesOf(await readShard(`${folder}/${raw}`, context))),
    );
    assert(names.some(({ lackedOrders }) => lackedOrders.length > 0));
    assert(names.some(({ lackedHashes }) => lackedHashes.length > 0));
  });

  await t.step("writes nothing after its workers have ended", async () => {
    const file = `${folder}/made.parquet`;
    const context = { source: SOURCE, tables: ["orders"], tokens: {} } as const;
    const task = { raw: `${folder}/${raws[0]}`, context, names: `${folder}/names.json` };
    const workers = new ShardWorkers(1);
    const { signal } = new AbortController();
    const building = workers.run("build", { ...task, files: { orders: file } }, signal);
    await workers[Symbol.asyncDispose]();
    const { size } = await Deno.stat(file);
    await building;
    assertEquals((await Deno.stat(file)).size, size);
  });

  await t.step("copies no answer any more once it has failed", async () => {
    const [missing = "", other] = raws;
    await Deno.rename(`${folder}/${missing}`, `${folder}/away`);
    const into = `${folder}/../copied`;
    const failing = rebuildDataset(folder, { into, workers: 2 });
    await assertRejects(() => failing, InputError, missing);
    assertEquals(await factsOf(`${into}/${other}`), await factsOf(`${folder}/${other}`));
    await Deno.rename(`${folder}/away`, `${folder}/${missing}`);
  });

  await t.step("rejects with the error that one worker fails with", async () => {
    const [raw = ""] = raws;
    await rewriteFile(folder, raw, (file) => {
      Deno.writeTextFileSync(file, "no recording\n");
      return {};
    });
    const error = await assertRejects(() => rebuildDataset(folder, { workers: 2 }), InputError);
    assert(error.message.includes(raw), error.message);
  });
});

const SHIPPED = `${SHIPPED_FOLDER}/market_1`;
const SIMULATED = connect(await recorded("simulated_1"), { clock: LATER });

/** All tables of the first version, in its order. */
const FIRST = (await openDataset("market_1")).tables.filter((name) => name !== "executions");
/** Those that need no node. */
const WITHOUT_NODE = FIRST.filter((name) => !NODE_TABLES.includes(name));

const EARLIER = { from: 1001, to: 1002 };

/** An export as an earlier version would have made it. */
async function copyEarlier(folder: string): Promise<void> {
  const wanted = { auctions: EARLIER, tables: WITHOUT_NODE };
  await cp(await exported("simulated_1", wanted), folder, { recursive: true });
}

/** Makes a folder what an earlier version would have written: without the table of executions. */
async function makeEarlier(folder: string): Promise<void> {
  await changeManifest(folder, (manifest) => {
    manifest.request.tables = FIRST;
    manifest.files = manifest.files.filter((one: { path: string }) =>
      !one.path.startsWith("executions/")
    );
  });
  await Deno.remove(`${folder}/executions`, { recursive: true });
}

inFolder.test("a query for a table of a later version names what adds it", async (folder) => {
  await cp(SHIPPED, folder, { recursive: true });
  await makeEarlier(folder);
  using sql = await openSql(folder);
  const error = await assertRejects(() => sql.query("SELECT * FROM executions"), InputError);
  assertStringIncludes(error.message, "has no table executions");
  assertStringIncludes(error.message, `orderlens rebuild ${await Deno.realPath(folder)}`);
});

inFolder.test("an export of an earlier version goes on with later tables, of what it has", async (folder) => {
  const auctions = EARLIER;
  const whole = await exportDataset(SIMULATED, `${folder}/whole`, { auctions });
  const earlier = `${folder}/earlier`;
  await copyEarlier(earlier);
  const rebuilt = `${folder}/rebuilt`;
  await cp(earlier, rebuilt, { recursive: true });
  assertEquals(await rebuildDataset(rebuilt), whole.manifest);
  for (const one of [earlier, rebuilt]) {
    const { requests, manifest } = await exportDataset(SIMULATED, one, { auctions });
    assertEquals([requests, manifest], [0, whole.manifest]);
    await assertRejects(
      () => exportDataset(SIMULATED, one, { auctions, tables: ["orders"] }),
      InputError,
      "it is an export with other settings",
    );
  }
  assertEquals((await verifyDataset(earlier)).problems, []);
});

inFolder.test("a rebuild adds nothing to tables that were chosen, and a merge names it", async (folder) => {
  const tables = ["orders", "trades"];
  await exportDataset(SIMULATED, `${folder}/chosen`, { auctions: EARLIER, tables });
  assertEquals((await rebuildDataset(`${folder}/chosen`)).request.tables, tables);
  await copyEarlier(`${folder}/1`);
  await exportDataset(SIMULATED, `${folder}/2`, { auctions: { from: 1003, to: 1004 } });
  const error = await assertRejects(
    () => mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`),
    InputError,
    "they differ in tables",
  );
  assertStringIncludes(error.message, "orderlens rebuild DIR");
});
