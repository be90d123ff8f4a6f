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
import { FEW, folderBytes, LATER } from "./folder_bytes.ts";

const ROOT = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(ROOT, { recursive: true }));

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

/** What a shared export is asked for; `isWithNode` takes the node of the recording for settlements. */
export interface Wanted extends Omit<ExportOptions, "node" | "signal" | "onProgress"> {
  readonly isWithNode?: boolean;
}

/** An export of a shipped recording, made once for all tests of an isolate, which only read it. */
export function exported(name: string, wanted: Wanted): Promise<string> {
  return made.getOrInsertComputed(JSON.stringify([name, wanted]), async () => {
    const folder = `${ROOT}/${made.size}`;
    const { isWithNode = false, ...options } = wanted;
    const recording = await recorded(name);
    const node: Partial<ExportOptions> = isWithNode ? { node: recording, blockTimes: false } : {};
    await exportDataset(connect(recording, { clock: LATER }), folder, { ...options, ...node });
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
