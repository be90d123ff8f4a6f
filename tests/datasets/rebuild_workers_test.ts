import { exportDataset, rebuildDataset } from "orderlens/datasets";
import { InputError } from "orderlens/errors";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { factsOf } from "../../lib/datasets/layout/files.ts";
import { namesOf } from "../../lib/datasets/shards/fact_index.ts";
import { readShard } from "../../lib/datasets/shards/shard_contents.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./folder_bytes.ts";
import { spreadBook } from "./spread_book.ts";

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
  const spread = { count: 8, from: 5_900, step: 400 };
  const { book, auctions } = spreadBook(await replay("market_1"), spread);
  await withFolder(async (folder) => {
    await exportDataset(book, folder, { auctions });
    const bytes = await folderBytes(folder);
    const raws = [...bytes.keys()].filter((path) => path.startsWith("raw/"));

    await t.step("can be aborted, and gives the same bytes as the export", async () => {
      for (const table of ["orders", "native_prices"]) {
        await Deno.remove(`${folder}/${table}`, { recursive: true });
      }
      const reason = new Error("enough");
      const stopped = rebuildDataset(folder, { workers: 2, signal: AbortSignal.abort(reason) });
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
