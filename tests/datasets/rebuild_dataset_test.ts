import { InputError } from "orderlens";
import { exportDataset, rebuildDataset } from "orderlens/datasets";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { factsOf } from "../../lib/datasets/layout/files.ts";
import { namesOf } from "../../lib/datasets/shards/fact_index.ts";
import { readShard } from "../../lib/datasets/shards/shard_contents.ts";
import { ShardWorkers } from "../../lib/datasets/shards/shard_workers.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { recorded, withCopyOf } from "./exported.ts";
import { folderBytes, NODE_FEW } from "./folder_bytes.ts";
import { spreadBook } from "./spread_book.ts";

const RECORDING = await recorded("market_1");
/** Four auctions in three files: 1, 2 and 1 of them. */
const { book: BOOK, auctions: AUCTIONS } = spreadBook(RECORDING, {
  count: 4,
  from: 5990,
  step: 500,
});

const root = await Deno.makeTempDir();
const whole = `${root}/whole`;
await exportDataset(BOOK, whole, {
  auctions: AUCTIONS,
  node: RECORDING,
  blockTimes: false,
  tables: [...NODE_FEW, "fills", "rewards"],
});
await Deno.remove(`${whole}/.orderlens`, { recursive: true });
Deno.test.afterAll(() => Deno.remove(root, { recursive: true }));

Deno.test("a folder with something else in it is not rebuilt into", async () => {
  await rebuildDataset(whole, { into: `${root}/copy` });
  await exportDataset(BOOK, `${root}/other`, {
    auctions: { from: 5990, to: 6490 },
    tables: ["auctions"],
    trades: false,
  });
  for (
    const [from, into, part] of [
      [whole, whole, "something is there"],
      [`${root}/other`, `${root}/copy`, "it is another rebuild"],
      [whole, "", "Pass the path of a folder as into"],
    ] as const
  ) {
    await assertRejects(() => rebuildDataset(from, { into }), InputError, part);
  }
});

Deno.test("an interrupted rebuild goes on with what it has, and mends what was damaged", async () => {
  await withFolder(async (folder) => {
    const into = `${folder}/copy`;
    const expected = await folderBytes(whole);
    const first = "0000006000-0000006999";
    const orders = `${into}/orders/${first}.parquet`;
    const ended = new AbortController();
    const watching = (async () => {
      while (await Deno.stat(`${into}/auctions/${first}.parquet`).catch(() => null) === null) {
        await new Promise((done) => setTimeout(done, 1));
      }
      ended.abort();
    })();
    await assertRejects(() => rebuildDataset(whole, { into, signal: ended.signal }));
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
});

Deno.test("answers that are damaged are named, and nothing is taken from them", async () => {
  await withCopyOf(whole, async (folder) => {
    const raw = `${folder}/raw/0000007000-0000007999.ndjson.zst`;
    await Deno.writeFile(raw, (await Deno.readFile(raw)).subarray(1));
    const error = await assertRejects(
      () => rebuildDataset(folder, { into: `${folder}/../again` }),
      InputError,
      "damaged or missing",
    );
    assertStringIncludes(error.message, `${folder}: raw/0000007000-0000007999.ndjson.zst`);
  });
});

const SOURCE = { network: null, environment: null, chainId: 1, settlementContract: "0x" };

/** Puts a file in the place of answers, and its hash into the manifest. */
async function replaceAnswers(folder: string, raw: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/${raw}`, text);
  const { sha256, bytes } = (await factsOf(`${folder}/${raw}`))!;
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  Object.assign(manifest.files.find(({ path }: { path: string }) => path === raw), {
    sha256,
    bytes,
  });
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify(manifest));
}

Deno.test("rebuildDataset() with two workers", async (t) => {
  await withCopyOf(whole, async (folder) => {
    const bytes = await folderBytes(folder);
    const raws = [...bytes.keys()].filter((path) => path.startsWith("raw/"));

    await t.step("can be aborted, and gives the same bytes as the export", async () => {
      for (const table of ["orders", "fills"]) {
        await Deno.remove(`${folder}/${table}`, { recursive: true });
      }
      const reason = new Error("enough");
      const stopped = rebuildDataset(folder, { signal: AbortSignal.abort(reason) });
      assertEquals(await stopped.catch((error) => error), reason);
      const controller = new AbortController();
      const running = rebuildDataset(folder, { workers: 2, signal: controller.signal });
      const seen = running.catch((error) => error);
      for await (const _ of Deno.watchFs(`${folder}/.orderlens/tmp`)) break;
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
      await replaceAnswers(folder, raw, "no recording\n");
      const error = await assertRejects(() => rebuildDataset(folder, { workers: 2 }), InputError);
      assert(error.message.includes(raw), error.message);
    });
  });
});

Deno.test("rebuildDataset() refuses a number of workers that is none", async () => {
  for (const workers of [0, 1.5, 65]) {
    await assertRejects(() => rebuildDataset("nowhere", { workers }), InputError, "workers");
  }
});
