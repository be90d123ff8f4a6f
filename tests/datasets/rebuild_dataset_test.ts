import { connect, InputError } from "orderlens";
import {
  exportDataset,
  mergeDatasets,
  rebuildDataset,
  type RebuildOptions,
  verifyDataset,
} from "orderlens/datasets";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { hashFile } from "../../lib/datasets/layout/files.ts";
import { SHARD_TASKS } from "../../lib/datasets/shards/shard_tasks.ts";
import { ShardWorkers } from "../../lib/datasets/shards/shard_workers.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import {
  crossingExport,
  exported,
  folderBytes,
  inCopyOf,
  LATER,
  recorded,
  TWO_FILES,
} from "./exported.ts";
import { changeManifest, rewriteFile, rewriteTable } from "./rewrite_table.ts";
import { EventEmitter } from "node:events";
import { cp } from "node:fs/promises";
import { openMarket } from "orderlens/market";
import { openSql } from "orderlens/sql";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";

const SHIPPED = `${SHIPPED_FOLDER}/market_1`;
const { folder: whole } = await crossingExport();

/** Rebuilds a dataset until the tables of one more file are built: it is aborted then. */
async function abortedRebuild(folder: string, options: RebuildOptions = {}): Promise<void> {
  const stop = new AbortController();
  const reason = new Error("enough");
  const { build } = SHARD_TASKS;
  SHARD_TASKS.build = async (task) => {
    const built = await build(task);
    stop.abort(reason);
    return built;
  };
  try {
    const stopped = rebuildDataset(folder, { ...options, signal: stop.signal });
    assertEquals(await stopped.catch((error) => error), reason);
  } finally {
    SHARD_TASKS.build = build;
  }
}

Deno.test("rebuildDataset() rejects a folder with other files, and an invalid number of workers", async () => {
  await assertRejects(
    () => rebuildDataset(whole, { into: whole }),
    InputError,
    "something exists there",
  );
  await assertRejects(() => rebuildDataset(whole, { into: "" }), InputError, "Pass the path of a");
  for (const workers of [0, 1.5, 65]) {
    await assertRejects(() => rebuildDataset("nowhere", { workers }), InputError, "workers");
  }
});

const inTwoFiles = inCopyOf(() => exported("market_1", TWO_FILES));

inTwoFiles.test("rebuildDataset() continues after damaged responses or an abort, and repairs damaged files", async (folder) => {
  const into = `${folder}/../again`;
  const expected = await folderBytes(folder);
  const orders = `${into}/orders/0000001000-0000001999.parquet`;
  const second = "raw/0000002000-0000002999.ndjson.zst";
  const bytes = await Deno.readFile(`${folder}/${second}`);
  await Deno.writeFile(`${folder}/${second}`, bytes.subarray(1));
  const { message } = await assertRejects(() => rebuildDataset(folder, { into }), InputError);
  for (const part of ["damaged or missing", `${folder}: ${second}`]) {
    assertStringIncludes(message, part);
  }
  assertEquals(await Deno.stat(`${into}/manifest.json`).catch(() => null), null);
  const other = rebuildDataset(SHIPPED, { into });
  await assertRejects(() => other, InputError, "it holds a rebuild of another dataset");
  await Deno.writeFile(`${folder}/${second}`, bytes);
  const { ino } = await Deno.stat(orders);
  await abortedRebuild(folder, { into });
  assertEquals(await Deno.stat(`${into}/manifest.json`).catch(() => null), null);
  await rebuildDataset(folder, { into });
  assertEquals(await folderBytes(into), expected);
  assertEquals((await Deno.stat(orders)).ino, ino);
  // Torn while it was appended to, and files that were damaged and lost.
  const journal = `${into}/.orderlens/rebuild.ndjson`;
  await Deno.writeTextFile(journal, (await Deno.readTextFile(journal)).slice(0, -9));
  await Deno.writeFile(orders, (await Deno.readFile(orders)).subarray(1));
  await Deno.remove(`${into}/raw`, { recursive: true });
  await rebuildDataset(folder, { into });
  assertEquals(await folderBytes(into), expected);
  // What another version left is made anew.
  const text = await Deno.readTextFile(journal);
  await Deno.writeTextFile(journal, text.replace(/"library":"[^"]*"/, '"library":"0.0.9"'));
  await Deno.writeTextFile(`${into}/orders/of_another_version.parquet`, "");
  await rebuildDataset(folder, { into });
  assertEquals(await folderBytes(into), expected);
});

inCopyOf(() => whole).test("rebuildDataset() with two workers", async (folder, t) => {
  const bytes = await folderBytes(folder);
  const raws = [...bytes.keys()].filter((path) => path.startsWith("raw/"));

  await t.step("gives the same bytes as the export, also after it was aborted", async () => {
    // Aborted between two files, it leaves a dataset that is whole.
    await abortedRebuild(folder);
    assertEquals(await folderBytes(folder), bytes);
    for (const table of ["orders", "fills", ...SETTLEMENT_TABLES]) {
      await Deno.remove(`${folder}/${table}`, { recursive: true });
    }
    await rebuildDataset(folder, { workers: 2 });
    assertEquals(await folderBytes(folder), bytes);
  });

  await t.step("writes nothing after its workers have ended", async () => {
    const file = `${folder}/made.parquet`;
    const source = { network: null, environment: null, chainId: 1, settlementContract: "0x" };
    const context = { source, tables: ["orders"], tokens: {} } as const;
    const task = { raw: `${folder}/${raws[0]}`, context, names: `${folder}/names.json` };
    const workers = new ShardWorkers(1);
    const { signal } = new AbortController();
    const building = workers.run("build", { ...task, files: { orders: file } }, signal);
    await workers[Symbol.asyncDispose]();
    const { size } = await Deno.stat(file);
    await building;
    assertEquals((await Deno.stat(file)).size, size);

    // A worker is busy in polars for a while after it was told to end.
    using threads = replacedWorker();
    const busy = new ShardWorkers(2);
    const ending = new AbortController();
    const left = busy.run("build", { ...task, files: { orders: file } }, ending.signal);
    ending.abort();
    await assertRejects(() => left, DOMException);
    await busy[Symbol.asyncDispose]().then(() => threads.events.push("disposed"));
    assertEquals(threads.events, ["told to end", "ended", "disposed"]);
  });

  await t.step("copies no answer any more once it has failed", async () => {
    const [missing = "", other] = raws;
    await Deno.rename(`${folder}/${missing}`, `${folder}/away`);
    const into = `${folder}/../copied`;
    const failing = rebuildDataset(folder, { into, workers: 2 });
    await assertRejects(() => failing, InputError, missing);
    assertEquals(await hashFile(`${into}/${other}`), await hashFile(`${folder}/${other}`));
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

/** Workers that end some time after they are told to, as in Deno. */
function replacedWorker() {
  const threads = process.getBuiltinModule("node:worker_threads");
  const { Worker } = threads;
  const events: string[] = [];
  class Busy extends EventEmitter {
    readonly #ports: MessagePort[] = [];
    postMessage({ port }: { port: MessagePort }) {
      this.#ports.push(port);
    }
    terminate() {
      events.push("told to end");
      setTimeout(() => {
        events.push("ended");
        for (const port of this.#ports) port.close();
      });
    }
  }
  Object.assign(threads, { Worker: Busy });
  return { events, [Symbol.dispose]: () => void Object.assign(threads, { Worker }) };
}

/** The tables of the first version. */
const FIRST = [
  ["auctions", "solutions", "solution_orders", "reference_scores", "orders", "trades"],
  ["protocol_fees", "order_events", "app_data", "native_prices", "order_listings"],
].flat();

for (const table of ["executions", "tokens", "fills"]) {
  inFolder.test(`a query for ${table}, of a later version, names the command that adds it`, async (folder) => {
    const book = connect(await recorded("simulated_1"), { clock: LATER });
    await exportDataset(book, folder, { auctions: { from: 1001, to: 1002 } });
    // As the version before that table made it.
    await changeManifest(folder, (manifest) => {
      const { request, files } = manifest;
      request.tables = request.tables.filter((name: string) => name !== table);
      manifest.files = files.filter(({ path }: { path: string }) => !path.startsWith(`${table}/`));
    });
    await Deno.remove(`${folder}/${table}`, { recursive: true });
    const count = async () => {
      using sql = await openSql(folder);
      return await sql.query(`SELECT count(*) > 0 AS has_rows FROM ${table}`);
    };
    const error = await assertRejects(count, InputError, `has no table ${table}`);
    assertStringIncludes(error.message, `orderlens rebuild ${await Deno.realPath(folder)}`);
    await rebuildDataset(folder);
    assertEquals(await count(), [{ has_rows: true }]);
  });
}

inFolder.test("a table without a column of a later version names the command that adds it", async (folder) => {
  const book = connect(await recorded("simulated_1"), { clock: LATER });
  await exportDataset(book, folder, { auctions: { from: 1001, to: 1002 } });
  const [file] = [...Deno.readDirSync(`${folder}/solutions`)].map(({ name }) => name);
  await rewriteTable(folder, `solutions/${file}`, (frame) => frame.drop("native_usd"));
  const read = async () => (await (await openMarket(folder)).solutions()).columns;
  const error = await assertRejects(read, InputError, "it has no column native_usd");
  assertStringIncludes(error.message, "orderlens rebuild");
  await rebuildDataset(folder);
  assert((await read()).includes("native_usd"));
});

inFolder.test("an export of an earlier version gets the later tables that its responses suffice for", async (folder) => {
  const book = connect(await recorded("simulated_1"), { clock: LATER });
  const auctions = { from: 1001, to: 1002 };
  const { manifest } = await exportDataset(book, `${folder}/whole`, { auctions });
  const [earlier, rebuilt, chosen] = ["earlier", "rebuilt", "chosen"].map((name) =>
    `${folder}/${name}`
  ) as [string, string, string];
  await exportDataset(book, earlier, { auctions, tables: FIRST });
  const error = await assertRejects(
    () => mergeDatasets([earlier, `${folder}/whole`], `${folder}/all`),
    InputError,
    "they differ in tables",
  );
  assertStringIncludes(error.message, "orderlens rebuild DIR");
  await cp(earlier, rebuilt, { recursive: true });
  assertEquals(await rebuildDataset(rebuilt), manifest);
  for (const one of [earlier, rebuilt]) {
    const again = await exportDataset(book, one, { auctions });
    assertEquals([again.requests, again.manifest], [0, manifest]);
  }
  assertEquals((await verifyDataset(earlier)).problems, []);
  await exportDataset(book, chosen, { auctions, tables: ["orders", "trades"] });
  assertEquals((await rebuildDataset(chosen)).request.tables, ["orders", "trades"]);
});
