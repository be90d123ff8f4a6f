import { InputError } from "orderlens";
import { exportDataset, rebuildDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes, NODE_RECORDS } from "./folder_bytes.ts";
import { spreadBook } from "./spread_book.ts";

const RECORDING = await replay("market_1");
/** Fourteen auctions in six files: 1, 3, 3, 3, 3 and 1 of them. */
const { book: BOOK, auctions: AUCTIONS } = spreadBook(RECORDING, {
  count: 14,
  from: 4990,
  step: 330,
});

const root = await Deno.makeTempDir();
const whole = `${root}/whole`;
await exportDataset(BOOK, whole, {
  auctions: AUCTIONS,
  node: RECORDING,
  blockTimes: false,
  // With all of them, it would be taken for one of the first version, and get answers.
  tables: NODE_RECORDS.filter((name) => name !== "app_data"),
});
await Deno.remove(`${whole}/.orderlens`, { recursive: true });
Deno.test.afterAll(() => Deno.remove(root, { recursive: true }));

Deno.test("a folder with something else in it is not rebuilt into", async () => {
  await rebuildDataset(whole, { into: `${root}/copy` });
  await exportDataset(BOOK, `${root}/other`, { auctions: { from: 4990, to: 5320 } });
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
  await withFolder(async (folder) => {
    await rebuildDataset(whole, { into: `${folder}/copy` });
    const raw = `${folder}/copy/raw/0000008000-0000008999.ndjson.zst`;
    await Deno.writeFile(raw, (await Deno.readFile(raw)).subarray(1));
    const error = await assertRejects(
      () => rebuildDataset(`${folder}/copy`, { into: `${folder}/again` }),
      InputError,
      "damaged or missing",
    );
    assertStringIncludes(error.message, `${folder}/copy: raw/0000008000-0000008999.ndjson.zst`);
  });
});
