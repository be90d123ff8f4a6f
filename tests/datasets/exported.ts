import { cp } from "node:fs/promises";
import { connect, type OrderBook } from "orderlens";
import {
  type Dataset,
  type DatasetManifest,
  exportDataset,
  type ExportOptions,
  openDataset,
} from "orderlens/datasets";
import { type Replay, replay } from "orderlens/recordings";
import { records } from "orderlens/tables";
import { withFolder } from "../sandbox/temp_folder.ts";
import { renumberedBook } from "./altered_book.ts";
import { locateAtCaller } from "../../tools/testing/test_example.ts";
import type { Clock } from "orderlens/http";
import { SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { hashFile } from "../../lib/datasets/layout/files.ts";

let root: Promise<string> | undefined;
Deno.test.afterAll(async () => {
  if (root !== undefined) await Deno.remove(await root, { recursive: true });
});

/** One table of each kind of answer: enough where it does not matter which tables follow from them. */
export const FEW: string[] = ["auctions", "orders", "trades", "order_events"];

/** Records of auctions on both sides of the border of two files, with their eight settlements. */
export const SETTLED = {
  auctions: { from: 1998, to: 2013 },
  tables: [...FEW, "solutions", "protocol_fees", ...SETTLEMENT_TABLES],
};

/** Four auctions under other ids, of which two that settled have orders in the file of those before. */
export const CROSSING = {
  auctions: { from: 1998, to: 2001 },
  tables: [...SETTLED.tables, "order_listings", "app_data", "native_prices"]
    .concat("fills", "fees", "bids", "outcomes", "lifecycle", "rewards"),
};
const LOWER = 423;

/** A folder that is not there yet, and is gone when all tests of an isolate have run. */
export async function newFolder(): Promise<string> {
  return `${await (root ??= Deno.makeTempDir())}/${crypto.randomUUID()}`;
}

/** Auctions on both sides of the border of two files, with records and answers. */
export const TWO_FILES = {
  auctions: { from: 1990, to: 2012 },
  tables: [...FEW, "fills", "outcomes"],
};

const opened = new Map<string, Promise<Replay>>();
const made = new Map<string, Promise<string>>();

/** A shipped recording, opened once for all tests of an isolate. */
export function recorded(name: string): Promise<Replay> {
  return opened.getOrInsertComputed(name, () => replay(name));
}

/** An export of a shipped recording, made once for all tests of an isolate, which only read it. */
export function exported(
  name: string,
  wanted: Omit<ExportOptions, "node" | "signal" | "onProgress">,
): Promise<string> {
  return madeOnce(
    JSON.stringify([name, wanted]),
    async () => [connect(await recorded(name), { clock: LATER }), wanted],
  );
}

/** The same of the auctions with settlements, by the node of their recording. */
export function settledExport(): Promise<string> {
  return madeOnce("settled", async () => {
    const node = await recorded("market_1");
    return [connect(node, { clock: LATER }), { ...SETTLED, node, blockTimes: false }];
  });
}

/** The same of the auctions with orders in two files, and how it is made. */
export async function crossingExport() {
  const node = await recorded("market_1");
  const book = renumberedBook(node, LOWER, LATER);
  const options = { ...CROSSING, node, blockTimes: false };
  return { book, options, folder: await madeOnce("crossing", () => [book, options]) };
}

type Exporting = readonly [OrderBook, ExportOptions];

function madeOnce(name: string, of: () => Exporting | Promise<Exporting>): Promise<string> {
  return made.getOrInsertComputed(name, async () => {
    const folder = await newFolder();
    const [book, options] = await of();
    await exportDataset(book, folder, options);
    return folder;
  });
}

/** An export into a folder that is gone afterwards: its bytes, and what it returned. */
export async function exportedOnce(
  book: OrderBook,
  options: ExportOptions,
): Promise<{ bytes: Map<string, string>; requests: number }> {
  let found = { bytes: new Map<string, string>(), requests: 0 };
  await withFolder(async (folder) => {
    const { requests } = await exportDataset(book, folder, options);
    found = { bytes: await folderBytes(folder), requests };
  });
  return found;
}

/** Rows of a table of a dataset. */
export async function rowsOf(
  from: string | Dataset,
  table: string,
): Promise<Record<string, unknown>[]> {
  const dataset = typeof from === "string" ? await openDataset(from) : from;
  return records(await dataset.table(table).collect());
}

/** The auction ids of a dataset that are present. */
export function presentIn({ ids }: Pick<DatasetManifest, "ids">): number[] {
  return ids.present.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, place) => from + place)
  );
}

/** Uses a copy of a folder, which the test may change. */
export async function withCopyOf(
  folder: string,
  use: (copy: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (root) => {
    await cp(folder, `${root}/copy`, { recursive: true });
    await use(`${root}/copy`);
  });
}

/** Tests that each have a copy of a folder, which they may change. */
export function inCopyOf(
  folder: () => string | Promise<string>,
): { test(name: string, run: (copy: string, t: Deno.TestContext) => Promise<void>): void } {
  return {
    test(name, run) {
      const withCopy = async (t: Deno.TestContext) =>
        await withCopyOf(await folder(), (copy) => run(copy, t));
      Deno.test(name, locateAtCaller(withCopy));
    },
  };
}

/** What names the inputs of a dataset. */
const NAMING = [
  "manifest.json",
  "SHA256SUMS",
  "README.md",
  "croissant.json",
  "datapackage.json",
];

/** SHA-256 of every file that readers of a dataset see, by path. */
export async function folderBytes(folder: string, prefix = ""): Promise<Map<string, string>> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${prefix}`)) {
    if (name === ".orderlens") continue;
    const path = `${prefix}${name}`;
    if (isDirectory) found.push(...await folderBytes(folder, `${path}/`));
    else found.push([path, (await hashFile(`${folder}/${path}`))?.sha256 ?? "none"]);
  }
  return new Map(found.sort(([a], [b]) => a < b ? -1 : 1));
}

/** SHA-256 of every file besides those that name the inputs. */
export async function contentOf(folder: string): Promise<Map<string, string>> {
  const bytes = await folderBytes(folder);
  for (const name of NAMING) bytes.delete(name);
  return bytes;
}

/** A clock long after everything that was recorded, when nothing of it can change any more. */
export const LATER: Clock = {
  now: () => Date.UTC(2027, 0, 1),
  sleep: () => Promise.reject(new Error("nothing is waited for")),
};

/** Whole numbers below `below`, the same for the same seed. */
export function* seededNumbers(seed: number, below: number): Generator<number, never, undefined> {
  for (let state = seed >>> 0;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield Math.floor(state / 2 ** 32 * below);
  }
}

/** A range that leads from one file of 1,000 auctions to the next, as one of each. */
export function parted({ from, to }: { from: number; to: number }): { from: number; to: number }[] {
  const next = to - to % 1_000;
  return [{ from, to: next - 1 }, { from: next, to }];
}
