import { cpSync } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import { exportDataset, type ExportOptions, verifyDataset } from "orderlens/datasets";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatasetPaths } from "../../lib/datasets/layout/files.ts";
import { runLocked } from "../../lib/datasets/layout/folders.ts";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { ExportState } from "../../lib/datasets/state/export_state.ts";
import { writeOutcomes } from "../../lib/datasets/state/write_outcomes.ts";
import { inFolder, withFolder } from "../sandbox/temp_folder.ts";
import { changedBook, listening } from "./altered_book.ts";
import {
  FEW,
  folderBytes,
  inCopyOf,
  LATER,
  newFolder,
  recorded,
  seededNumbers,
} from "./exported.ts";
import { killedExport } from "./export_until_killed.ts";
import { changeManifest } from "./rewrite_table.ts";

const RECORDING = "market_3";
/** Across two files of 1,000 auction ids. */
const RANGE = { from: 992, to: 1005 };
const OPTIONS = { auctions: RANGE, tables: FEW };
/** Moments of each test: `ORDERLENS_MOMENTS=100` tries more of them than each change needs. */
const MOMENTS = Number(Deno.env.get("ORDERLENS_MOMENTS") ?? 4);

const recording = await recorded(RECORDING);
const book = connect(recording, { clock: LATER });

/**
 * An uninterrupted export: its folder, its bytes, the names of its steps, and its requests; and the
 * folder as it was with answers that were appended and not named yet.
 */
async function uninterrupted() {
  const steps: string[] = [];
  const [folder, begun] = [await newFolder(), await newFolder()];
  const { requests } = await exportInSteps(book, folder, OPTIONS, (name) => {
    if (steps.push(name) === 3) cpSync(folder, begun, { recursive: true });
  });
  return { begun, folder, bytes: await folderBytes(folder), steps, requests };
}

const whole = await uninterrupted();

const inCopy = inCopyOf(() => whole.folder);

Deno.test("exportDataset() has the steps that are interrupted here", () => {
  const kinds = new Set(whole.steps.map((name) => name.replace(/ .*/, "")));
  assertEquals(
    [...kinds],
    ["appended", "committed", "packed", "built", "published", "renamed", "manifest"],
  );
  assertEquals([...whole.bytes.keys()].filter((path) => path.startsWith("raw/")).length, 3);
});

inFolder.test("an export that is killed at any step, again and again, continues to the same bytes", async (folder) => {
  const moments = seededNumbers(14, whole.steps.length);
  for (let kill = 0; kill < MOMENTS; kill++) {
    const copy = `${folder}/${kill}`;
    // Stopped at its third step, and then killed at any that is left.
    await cp(whole.begun, copy, { recursive: true });
    const step = moments.next().value % (whole.steps.length - 3) + 1;
    await killedExport(copy, RECORDING, { ...OPTIONS, step });
    await exportDataset(book, copy, { ...OPTIONS, concurrency: 1 });
    assertEquals(await folderBytes(copy), whole.bytes, `stopped at step 3, killed at ${step}`);
  }
});

Deno.test("exportDataset() keeps all responses when it is aborted, and requests nothing twice", async () => {
  const moments = seededNumbers(7, whole.steps.length);
  const { requests: all } = whole;
  for (let abort = 0; abort <= MOMENTS; abort++) {
    const last = moments.next().value + 1;
    await withFolder(async (folder) => {
      const controller = new AbortController();
      let steps = 0;
      const { book: counted, asked } = listening(recording, LATER);
      const { signal } = controller;
      const first = exportInSteps(counted, folder, { ...OPTIONS, signal }, () => {
        if (++steps === last) controller.abort(new Error("stopped"));
      });
      const isStopped = await first.then(() => false, (error) => error.message === "stopped");
      const { requests } = await exportDataset(book, folder, OPTIONS);
      assertEquals(await folderBytes(folder), whole.bytes, `aborted at step ${last}`);
      // What was under way, and the newest competition, may be asked for once more.
      const sent = asked.length + requests;
      if (isStopped) assert(sent <= all + 12, `${sent} of ${all}`);
    });
  }
});

inFolder.test("an export fails without a prepared file, and continues to the same bytes", async (root) => {
  const spoiling = [Deno.removeSync, (file: string) => Deno.truncateSync(file, 8)];
  for (const [index, spoil] of spoiling.entries()) {
    const folder = `${root}/${index}`;
    let isSpoiled = false;
    const robbed = exportInSteps(book, folder, OPTIONS, (name) => {
      if (name !== "published" || isSpoiled) return;
      const own = `${folder}/.orderlens/tmp`;
      const { name: orders } = Deno.readDirSync(own).find((one) => one.name.startsWith("orders"))!;
      spoil(`${own}/${orders}`);
      isSpoiled = true;
    });
    await assertRejects(() => robbed, InputError, "a prepared file is gone");
    await exportDataset(book, folder, OPTIONS);
    assertEquals(await folderBytes(folder), whole.bytes);
  }
});

inFolder.test("exportDataset() renames files of an interrupted publication, and builds them once", async (folder) => {
  const steps: string[] = [];
  const stopped = exportInSteps(book, folder, OPTIONS, (name) => {
    if (steps.push(name) && name.startsWith("renamed")) throw new Error("stopped");
  });
  await assertRejects(() => stopped, Error, "stopped");
  await exportInSteps(book, folder, OPTIONS, (name) => void steps.push(name));
  assertEquals(await folderBytes(folder), whole.bytes);
  const countBuilds = (names: readonly string[]) => names.filter((name) => name === "built").length;
  // One for each of the three files of answers.
  assertEquals([countBuilds(steps), countBuilds(whole.steps)], [3, 3]);
});

inCopy.test("a finished export requests no final item again", async (folder) => {
  const { requests, manifest } = await exportDataset(book, folder, OPTIONS);
  // One for the orders without a bid that were open.
  assertEquals(requests, 1);
  assertEquals(manifest.isComplete, true);
  assertEquals(await folderBytes(folder), whole.bytes);
});

/** Files that are damaged together: tables, answers, and what describes them. */
const DAMAGED: readonly (readonly [string, (path: string) => boolean])[] = [
  ["tables and sums", (path) => /\.parquet$|^SHA/.test(path)],
  ["answers and descriptions", (path) => /^(?:raw|README|croissant|data|deployment)/.test(path)],
  ["a table and its answers", (path) => /^(?:raw|trades)\/0000000000/.test(path)],
];

inCopy.test("verifyDataset() names truncated files, which the export writes again", async (folder) => {
  for (const [what, isDamaged] of DAMAGED) {
    const damaged = [...whole.bytes.keys()].filter(isDamaged);
    for (const [index, path] of damaged.entries()) {
      // Of each table, one file keeps its first bytes alone, and the other lacks its last.
      const { size } = await Deno.stat(`${folder}/${path}`);
      await Deno.truncate(`${folder}/${path}`, index % 2 === 0 ? 8 : size - 3);
    }
    const { problems } = await verifyDataset(folder);
    const named = new Set(problems.map(({ file }) => file));
    assertEquals(damaged.filter((path) => !named.has(path)), [], what);
    await exportDataset(book, folder, OPTIONS);
    assertEquals(await folderBytes(folder), whole.bytes, what);
  }
});

inCopy.test("verifyDataset() names exactly the files with a flipped bit", async (folder) => {
  const places = seededNumbers(3, 1 << 30);
  const flipped = [...whole.bytes.keys()].filter((path, index) =>
    index % 3 === 0 && !/^(?:manifest|SHA256SUMS)/.test(path)
  );
  for (const path of flipped) {
    const bytes = await Deno.readFile(`${folder}/${path}`);
    const place = places.next().value % bytes.length;
    bytes[place]! ^= 1 << (place % 8);
    await Deno.writeFile(`${folder}/${path}`, bytes);
  }
  const { isWhole, problems } = await verifyDataset(folder);
  assertEquals(isWhole, false);
  assertEquals(problems.map(({ file }) => file).sort(), flipped);
});

inFolder.test("a folder can be written again at once, while other processes start", async (folder) => {
  const paths = new DatasetPaths(folder);
  await Deno.mkdir(paths.internal);
  let isOver = false;
  const starting = (async () => {
    while (!isOver) await new Deno.Command("true").output();
  })();
  for (let time = 0; time < 100; time++) {
    await runLocked(paths, "Cannot export into", () => Promise.resolve());
  }
  isOver = true;
  await starting;
});

inFolder.test("exportDataset() rejects a second export into the same folder", async (folder) => {
  const isHeld = Promise.withResolvers<void>();
  const first = exportInSteps(book, folder, OPTIONS, () => isHeld.resolve());
  await isHeld.promise;
  await assertRejects(
    () => exportDataset(book, folder, OPTIONS),
    Error,
    "another export or rebuild is writing it",
  );
  await first;
  assertEquals(await folderBytes(folder), whole.bytes);
});

inFolder.test("writeOutcomes() replaces all pages of an item, and keeps the time of its first request", async (folder) => {
  const paths = new DatasetPaths(folder);
  await Deno.mkdir(paths.internal);
  using state = new ExportState(paths);
  state.add("trades", "0xaa", 0);
  const rounds = [["first\n"], ["first\n", "second\n"], ["first\n"]];
  for (const [place, lines] of rounds.entries()) {
    const round = place + 1;
    const [item] = state.listPending(0, "trades", round);
    assertEquals(item?.firstAskedMs, place === 0 ? null : 1_000);
    const responses = lines.map((line) => ({ line, route: "GET /api/v2/trades 200" }));
    const outcome = { item: item!, state: "present", isFinal: false, next: [], responses } as const;
    const keeping = { paths, state, round, now: () => 1_000 * round, onStep: () => {} };
    await writeOutcomes(keeping, 0, [outcome]);
    assertEquals(state.countResponses(0), lines.length);
  }
});

inFolder.test("exportDataset() rejects a range that begins before the first file", async (folder) => {
  const from = (from: number) => ({ auctions: { from, to: 1000 }, tables: ["auctions"] });
  await exportDataset(book, folder, from(1000));
  const before = await folderBytes(folder);
  const refused = () => exportDataset(book, folder, from(990));
  await assertRejects(refused, InputError, "begins before the first file");
  assertEquals(await folderBytes(folder), before);
  await Deno.remove(`${folder}/.orderlens`, { recursive: true });
  const files = await listFiles(folder);
  await assertRejects(refused, InputError, "begins before the first file");
  assertEquals(await listFiles(folder), files);
});

inFolder.test("an export that failed before its first response takes the corrected command", async (folder) => {
  const { baseUrl, deployment } = recording;
  const send = () => Promise.reject(new TypeError("connection refused"));
  const refusing = changedBook({ baseUrl, deployment, send }, undefined, LATER);
  await assertRejects(() => exportDataset(refusing, folder, { auctions: { from: 1, to: 5 } }));
  await exportDataset(book, folder, OPTIONS);
  assertEquals(await folderBytes(folder), whole.bytes);
});

inCopy.test("exportDataset() rejects other settings, and names the difference", async (folder) => {
  const cases = [
    [{ ...OPTIONS, auctions: { from: 993, to: 1005 } }, "auctions"],
    [{ ...OPTIONS, auctions: { from: 993, to: 1006 } }, "auctions"],
    [{ ...OPTIONS, trades: false }, "trades"],
    [{ ...OPTIONS, tables: ["trades"] }, "tables"],
  ] as const;
  for (const [options, name] of cases) {
    await assertRejects(() => exportDataset(book, folder, options), Error, `setting: ${name}`);
  }
  // Markets of one chain and contract are not one market.
  const { deployment } = recording;
  const send: typeof recording.send = (request) => recording.send(request);
  const other = changedBook({ baseUrl: "replay://other", deployment, send }, undefined, LATER);
  const elsewhere = exportDataset(other, folder, OPTIONS);
  await assertRejects(() => elsewhere, Error, "setting: deployment");
  assertEquals(await folderBytes(folder), whole.bytes);
});

inCopy.test("exportDataset() writes nothing into a published folder that it rejects", async (folder) => {
  await Deno.remove(`${folder}/.orderlens`, { recursive: true });
  const before = await listFiles(folder);
  const otherChain = { rpc: () => Promise.resolve([{ result: "0x64" }]) };
  const cases: [ExportOptions, string][] = [
    [{ ...OPTIONS, tables: ["trades"] }, "setting: tables"],
    [{ ...OPTIONS, trades: false }, "setting: trades"],
    [{ ...OPTIONS, auctions: { from: 993, to: 1006 } }, "setting: auctions"],
    [{ ...OPTIONS, node: otherChain }, "a node of another chain"],
  ];
  for (const [options, part] of cases) {
    await assertRejects(() => exportDataset(book, folder, options), InputError, part);
    assertEquals(await listFiles(folder), before, part);
  }
  await changeManifest(folder, (manifest) => manifest.merged = []);
  await assertRejects(() => exportDataset(book, folder, OPTIONS), InputError, "merged from");
  assertEquals(await listFiles(folder), before);
  await Deno.remove(`${folder}/manifest.json`);
  await assertRejects(() => exportDataset(book, folder, OPTIONS), InputError, "by no export");
  assertEquals(await listFiles(folder), before.filter((name) => name !== "manifest.json"));
});

/** Lists all files and folders in a folder. */
async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}
