import type { Frame } from "../../tables/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOfMade, syncFile } from "../layout/durable_files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { keysOf, writeNoted } from "./build_shard.ts";
import { freeFrames } from "./free_frames.ts";
import { tablesOf } from "./published_tables.ts";
import { notesOf } from "./file_columns.ts";

/** Writes the file of a table again with other rows; returns it with its new facts. */
export async function replaceRows(
  paths: DatasetPaths,
  file: DatasetFile,
  frame: Frame,
): Promise<DatasetFile> {
  const place = paths.file(file.path);
  const made = paths.temporaryOf(file.path);
  const [{ table, key } = { table: undefined, key: [] }] = tablesOf([
    file.path.slice(0, file.path.indexOf("/")),
  ]);
  await writeNoted(frame, made, table === undefined ? {} : notesOf(table));
  await syncFile(made);
  await Deno.rename(made, place);
  const facts = { rows: frame.height, ...keysOf(frame, key) };
  await freeFrames();
  return { path: file.path, ...await factsOfMade(place), ...facts };
}
