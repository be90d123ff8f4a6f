import type { Clock } from "orderlens/http";
import {
  ANSWER_NAMES,
  SETTLEMENT_TABLES,
  TABLE_NAMES,
} from "../../lib/datasets/shards/published_tables.ts";
import { factsOf } from "../../lib/datasets/layout/files.ts";

/** Tables of what was said, without times of blocks: a third of the time, where answers change nothing. */
export const NODE_RECORDS: string[] = TABLE_NAMES.filter((name) =>
  name !== "blocks" && !ANSWER_NAMES.includes(name)
);

/** One table of each kind of answer: enough where it does not matter which tables follow from them. */
export const FEW: string[] = ["auctions", "orders", "trades", "order_events"];

/** The same with those of settlements. */
export const NODE_FEW: string[] = [...FEW, ...SETTLEMENT_TABLES];

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
    else found.push([path, (await factsOf(`${folder}/${path}`))?.sha256 ?? "none"]);
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
