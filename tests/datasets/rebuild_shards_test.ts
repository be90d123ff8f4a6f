import { connect, InputError } from "orderlens";
import {
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { errorText, withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./folder_bytes.ts";
import { spreadBook } from "./spread_book.ts";

const TAPE = await replay("market_1");
/** Fourteen auctions in six files: 1, 3, 3, 3, 3 and 1 of them. */
const { book: BOOK, auctions: AUCTIONS } = spreadBook(TAPE, { count: 14, from: 4990, step: 330 });
const FILES = 6;

const root = await Deno.makeTempDir();
const whole = `${root}/whole`;
await exportDataset(BOOK, whole, { auctions: AUCTIONS, node: TAPE, blockTimes: false });
await Deno.remove(`${whole}/.orderlens`, { recursive: true });
for (const index of [1, 2, 3]) {
  await rebuildDataset(whole, { shard: { index, of: 3 }, into: `${root}/${index}` });
}
const SHARDS = [1, 2, 3].map((index) => `${root}/${index}`);
Deno.test.afterAll(() => Deno.remove(root, { recursive: true }));

Deno.test("shards of a rebuild become what one rebuild is, byte for byte", async () => {
  const before = await folderBytes(whole);
  const manifest = await rebuildDataset(whole);
  assertEquals(await folderBytes(whole), before);
  await Deno.remove(`${whole}/.orderlens`, { recursive: true });
  const [one, two, three] = SHARDS as [string, string, string];
  const done: string[] = [];
  const merged = await mergeDatasets([three, one, two], `${root}/merged`, {
    onProgress: ({ phase, done: count, total }) => done.push(`${phase} ${count}/${total}`),
  });
  assertEquals(merged, manifest);
  assertEquals(await folderBytes(`${root}/merged`), before);
  assertEquals(done.length, FILES);
  assertEquals((await verifyDataset(`${root}/merged`, { recompute: true })).problems, []);
});

Deno.test("a shard is a dataset of its own auctions, and the whole one is only read", async () => {
  const all = await openDataset(whole);
  const found: (readonly number[])[] = [];
  const ranges: unknown[] = [];
  const sums = new Map<string, number>();
  for (const folder of SHARDS) {
    assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
    const shard = await openDataset(folder);
    ranges.push(shard.manifest.range);
    found.push(await shard.auctionIds());
    assertEquals(shard.manifest.isComplete, true);
    for (const [kind, states] of Object.entries(shard.manifest.items)) {
      for (const [state, count] of Object.entries(states)) {
        const name = `${kind} ${state}`;
        sums.set(name, (sums.get(name) ?? 0) + count);
      }
    }
    const latest = await connect(shard).competition("latest");
    assertEquals(latest.auctionId, (await shard.auctionIds()).at(-1));
    const [order] = await Array.fromAsync(shard.orders());
    assertEquals((await connect(shard).order(order!.uid)).uid, order!.uid);
  }
  assertEquals(ranges, [
    { from: 4990, to: 5999 },
    { from: 6000, to: 7999 },
    { from: 8000, to: 9280 },
  ]);
  assertEquals(found.flat(), await all.auctionIds());
  assertEquals(found.map(({ length }) => length), [4, 6, 4]);
  const { items } = all.manifest;
  for (const [kind, states] of Object.entries(items)) {
    for (const [state, count] of Object.entries(states)) {
      assertEquals([kind, state, sums.get(`${kind} ${state}`)], [kind, state, count]);
    }
  }
  assertEquals(
    await Array.fromAsync(Deno.readDir(whole), ({ name }) => name === ".orderlens")
      .then((names) => names.includes(true)),
    false,
  );
  const card = await Deno.readTextFile(`${SHARDS[1]}/README.md`);
  assertStringIncludes(card, "6000 to 7999, shard 2 of 3\n");
  assertStringIncludes(card, "orderlens rebuild DIR --shard 2/3 --into SHARD\n");
});

Deno.test("shards that are missing, there twice or of something else are not merged", async (t) => {
  const [one, two, three] = SHARDS as [string, string, string];
  const merge = (...folders: string[]) =>
    errorText(mergeDatasets(folders, `${root}/refused`), `${root}/`);
  await t.assertSnapshot(await merge(one, three));
  await t.assertSnapshot(await merge(two));
  await t.assertSnapshot(await merge(one, two, two, three));
  await t.assertSnapshot(await merge(one, two, three, whole));
  await rebuildDataset(whole, { shard: { index: 2, of: 2 }, into: `${root}/half` });
  await t.assertSnapshot(await merge(one, `${root}/half`));
  await withFolder(async (folder) => {
    const auctions = { from: 4990, to: 5320 };
    await exportDataset(BOOK, `${folder}/other`, { auctions });
    await rebuildDataset(`${folder}/other`, { shard: { index: 1, of: 1 }, into: `${folder}/1` });
    assertStringIncludes(await merge(one, `${folder}/1`), "they are of different datasets");
    // As the rebuild of another version leaves it.
    await rebuildDataset(one, { into: `${folder}/earlier` });
    const file = `${folder}/earlier/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(file));
    await Deno.writeTextFile(file, JSON.stringify({ ...manifest, library: "0.0.9" }));
    assertStringIncludes(
      await merge(`${folder}/earlier`, two, three),
      "their tables were built by different versions",
    );
    await rebuildDataset(`${folder}/earlier`);
    await mergeDatasets([`${folder}/earlier`, two, three], `${folder}/merged`);
    assertEquals(await folderBytes(`${folder}/merged`), await folderBytes(whole));
    // A manifest that lost a file, and a file that lost a byte.
    const files = manifest.files.filter(({ path }: { path: string }) =>
      path !== "trades/0000005000-0000005999.parquet"
    );
    const { library } = (await openDataset(one)).manifest;
    await Deno.writeTextFile(file, JSON.stringify({ ...manifest, library, files }));
    assertStringIncludes(
      await merge(`${folder}/earlier`, two, three),
      "missing: trades/0000005000-0000005999.parquet",
    );
    await rebuildDataset(`${folder}/earlier`);
    const damaged = `${folder}/earlier/orders/0000005000-0000005999.parquet`;
    await Deno.writeFile(damaged, (await Deno.readFile(damaged)).subarray(1));
    assertStringIncludes(
      await merge(`${folder}/earlier`, two, three),
      "orders/0000005000-0000005999.parquet is damaged or missing",
    );
  });
  assertEquals(await Deno.stat(`${root}/refused`).then(() => true, () => false), false);
});

Deno.test("shards that cannot be are rejected", async () => {
  const into = `${root}/none`;
  for (
    const [options, part] of [
      [{ shard: { index: 1, of: 3 } }, "without a folder of its own"],
      [{ shard: { index: 0, of: 3 }, into }, "with a shard from 1 to the number of shards"],
      [{ shard: { index: 4, of: 3 }, into }, "with a shard from 1 to the number of shards"],
      [{ shard: { index: 1, of: 7 }, into }, "Cannot rebuild shard 1 of 7"],
      [{ shard: { index: 1, of: 3 }, into: whole }, "something is there"],
      [{ shard: { index: 1, of: 3 }, into: SHARDS[1]! }, "it is another rebuild"],
      [{ into: SHARDS[0]! }, "it is another rebuild"],
      [{ into: "" }, "Pass the path of a folder as into"],
    ] as const
  ) {
    await assertRejects(() => rebuildDataset(whole, options), InputError, part);
  }
  assertEquals(await Deno.stat(into).then(() => true, () => false), false);
  await assertRejects(
    () => exportDataset(BOOK, SHARDS[0]!, { auctions: AUCTIONS }),
    InputError,
    "it is a shard of a rebuilt dataset",
  );
});

Deno.test("an interrupted shard goes on with what it has, and mends what was damaged", async () => {
  await withFolder(async (folder) => {
    const shard = { index: 2, of: 3 };
    const into = `${folder}/shard`;
    const expected = await folderBytes(SHARDS[1]!);
    const first = "0000006000-0000006999";
    const orders = `${into}/orders/${first}.parquet`;
    const ended = new AbortController();
    const watching = (async () => {
      while (await Deno.stat(`${into}/auctions/${first}.parquet`).catch(() => null) === null) {
        await new Promise((done) => setTimeout(done, 1));
      }
      ended.abort();
    })();
    await assertRejects(() => rebuildDataset(whole, { shard, into, signal: ended.signal }));
    await watching;
    assertEquals(await Deno.stat(`${into}/manifest.json`).catch(() => null), null);
    await assertRejects(() => mergeDatasets([into], `${folder}/merged`), InputError, "no manifest");
    const kept = await Deno.stat(orders);
    await rebuildDataset(whole, { shard, into });
    assertEquals(await folderBytes(into), expected);
    assertEquals((await Deno.stat(orders)).ino, kept.ino);
    // Torn while it was appended to, and files that were damaged and lost.
    const journal = `${into}/.orderlens/rebuild.ndjson`;
    await Deno.writeTextFile(journal, (await Deno.readTextFile(journal)).slice(0, -9));
    await Deno.writeFile(orders, (await Deno.readFile(orders)).subarray(1));
    await Deno.remove(`${into}/raw`, { recursive: true });
    await rebuildDataset(whole, { shard, into });
    assertEquals(await folderBytes(into), expected);
    // What another version left is made anew.
    const text = await Deno.readTextFile(journal);
    await Deno.writeTextFile(journal, text.replace(/"library":"[^"]*"/, '"library":"0.0.9"'));
    await Deno.writeTextFile(`${into}/orders/of_another_version.parquet`, "");
    await rebuildDataset(whole, { shard, into });
    assertEquals(await folderBytes(into), expected);
  });
});

Deno.test("answers that are damaged are named, and nothing is taken from them", async () => {
  await withFolder(async (folder) => {
    await rebuildDataset(whole, { into: `${folder}/copy` });
    assertEquals(await folderBytes(`${folder}/copy`), await folderBytes(whole));
    const raw = `${folder}/copy/raw/0000008000-0000008999.ndjson.zst`;
    await Deno.writeFile(raw, (await Deno.readFile(raw)).subarray(1));
    const shard = (index: number) =>
      rebuildDataset(`${folder}/copy`, { shard: { index, of: 3 }, into: `${folder}/${index}` });
    await shard(1);
    const error = await assertRejects(() => shard(3), InputError, "damaged or missing");
    assertStringIncludes(error.message, `${folder}/copy: raw/0000008000-0000008999.ndjson.zst`);
    assertNotEquals(await folderBytes(`${folder}/1`), new Map());
  });
});

Deno.test("shards with blocks, of settlements that were walked, become what one rebuild is", async () => {
  const tape = await replay("market_3");
  const { book, auctions } = spreadBook(tape, { count: 103, from: 4990, step: 33 });
  await withFolder(async (folder) => {
    const walk = { blocks: { from: 1, to: 969 }, walk: "settlements", node: tape } as const;
    for (const [name, options] of [["ids", { auctions, node: tape }], ["walk", walk]] as const) {
      const place = `${folder}/${name}`;
      const { manifest } = await exportDataset(book, place, options);
      assertEquals(manifest.files.filter(({ path }) => path.startsWith("raw/")).length, 5);
      const shards: string[] = [];
      for (const index of [1, 2]) {
        const into = `${place}-${index}`;
        const shard = await rebuildDataset(place, { shard: { index, of: 2 }, into });
        shards.push(into);
        assertEquals((await verifyDataset(into)).problems, []);
        assertEquals(shard.walk?.blocks, manifest.walk?.blocks);
      }
      assertEquals(await mergeDatasets(shards, `${place}-merged`), manifest);
      assertEquals(await folderBytes(`${place}-merged`), await folderBytes(place));
    }
  });
});

Deno.test("shards of several environments have each fill once when they are merged", async () => {
  await withFolder(async (folder) => {
    for (const environment of ["production", "staging"]) {
      const place = `${folder}/${environment}`;
      const manifest = await rebuildDataset(whole, { into: place });
      const source = { ...manifest.source, environment };
      await Deno.writeTextFile(`${place}/manifest.json`, JSON.stringify({ ...manifest, source }));
      await rebuildDataset(place);
    }
    const both = `${folder}/both`;
    const inputs = [`${folder}/production`, `${folder}/staging`];
    const manifest = await mergeDatasets(inputs, both);
    const before = await folderBytes(both);
    // Of twelve files, the third shard has the last two of one environment, the first of the other.
    const shards = [5, 4, 3, 2, 1].map((index) => ({ index, into: `${both}-${index}` }));
    for (const { index, into } of shards) {
      await rebuildDataset(both, { shard: { index, of: 5 }, into });
      assertEquals((await verifyDataset(into)).problems, []);
    }
    const { merged } = (await openDataset(`${both}-3`)).manifest;
    assertEquals(merged?.map(({ range }) => range), [
      { from: 8000, to: 9280 },
      { from: 4990, to: 4999 },
    ]);
    const joined = await mergeDatasets(shards.map(({ into }) => into), `${both}-merged`);
    assertEquals(joined, manifest);
    assertEquals(await folderBytes(`${both}-merged`), before);
    const rows = (name: string) =>
      joined.files.filter(({ path }) => path.startsWith(`${name}/`))
        .reduce((sum, file) => sum + file.rows, 0);
    // As many as in one of them alone.
    assertEquals([rows("trades"), rows("auctions")], [16, 28]);
  });
});

Deno.test("shards of a shard become the shard again", async () => {
  await withFolder(async (folder) => {
    for (const index of [1, 2]) {
      const shard = { index, of: 2 };
      await rebuildDataset(SHARDS[1]!, { shard, into: `${folder}/${index}` });
    }
    await mergeDatasets([`${folder}/2`, `${folder}/1`], `${folder}/shard`);
    assertEquals(await folderBytes(`${folder}/shard`), await folderBytes(SHARDS[1]!));
  });
});
