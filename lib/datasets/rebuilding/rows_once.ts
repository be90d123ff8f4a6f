import { placesOfRows, type RepeatedRows, rowsInPlace } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { type DatasetPaths, factsOfMade, putInPlace } from "../layout/files.ts";
import { isPartitioned } from "../layout/id_ranges.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { freeFrames, keysOf, notesOf, writeNoted } from "../shards/file_columns.ts";
import { SETTLEMENT_TABLES, tablesOf } from "../shards/published_tables.ts";

/**
 * Leaves in a dataset of several environments what the chain has once; another one is left as it is.
 * Which row counts is the same for all files at once as for some of them first, and then for all.
 *
 * @param files Its files.
 * @returns The files by path, with the facts of those that were written again.
 */
export async function leaveRowsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<DatasetFile[]> {
  let left = files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  if (!isPartitioned({ files })) return left;
  for (const { tables, ...repeated } of ONCE) left = await leaveOnce(paths, left, tables, repeated);
  return left;
}

/** What the chain has once, in tables of which the first that is there tells where. */
const ONCE: readonly (RepeatedRows & { readonly tables: readonly string[] })[] = [
  // Every environment reports all fills: one counts where the auction is known that settled it.
  {
    tables: ["trades", "fills", "protocol_fees", "fees"],
    key: ["block_number", "log_index"],
    known: "auction_id",
  },
  // A transaction settles one auction, also where two environments name it: it differs from others.
  { tables: SETTLEMENT_TABLES, key: ["tx_hash"], known: "difference_count", isLeast: true },
];

async function leaveOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
  tables: readonly string[],
  repeated: RepeatedRows,
): Promise<DatasetFile[]> {
  const isOf = (table: string) => ({ path }: DatasetFile) => path.startsWith(`${table}/`);
  const first = tables.find((table) => files.some(isOf(table)));
  if (first === undefined) return [...files];
  const own = files.filter(isOf(first)).map(({ path }) => path);
  const places = placesOfRows(own.map((path) => paths.file(path)), repeated);
  const kept: DatasetFile[] = [];
  for (const file of files) {
    const [table = ""] = file.path.split("/", 1);
    const place = own.indexOf(first + file.path.slice(table.length));
    if (!tables.includes(table) || place === -1) {
      kept.push(file);
      continue;
    }
    const frame = rowsInPlace(paths.file(file.path), place, { places, key: repeated.key });
    kept.push(frame.height === file.rows ? file : await replaceRows(paths, file, frame));
  }
  await freeFrames();
  return kept;
}

/** Writes the file of a table again with other rows; returns it with its new facts. */
async function replaceRows(
  paths: DatasetPaths,
  { path }: DatasetFile,
  frame: Frame,
): Promise<DatasetFile> {
  const [made, file] = [paths.temporaryOf(path), paths.file(path)];
  const [{ table, key } = { table: undefined, key: [] }] = tablesOf([path.split("/")[0]!]);
  await writeNoted(frame, made, table === undefined ? {} : notesOf(table));
  const facts = { ...await factsOfMade(made), rows: frame.height, ...keysOf(frame, key) };
  await putInPlace(made, file);
  await freeFrames();
  return { path, ...facts };
}
