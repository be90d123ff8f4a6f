import { writeParquet } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOfMade, syncFile } from "../layout/durable_files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { keysOf } from "./build_shard.ts";
import { freeFrames } from "./free_frames.ts";
import { tablesOf } from "./published_tables.ts";

/** Writes the file of a table again with other rows; returns it with its new facts. */
export async function replaceRows(
  paths: DatasetPaths,
  file: DatasetFile,
  frame: Frame,
): Promise<DatasetFile> {
  const place = paths.file(file.path);
  const made = paths.temporaryOf(file.path);
  writeParquet(frame, made);
  await syncFile(made);
  await Deno.rename(made, place);
  const [table] = tablesOf([file.path.slice(0, file.path.indexOf("/"))]);
  const facts = { rows: frame.height, ...keysOf(frame, table?.key ?? []) };
  await freeFrames();
  return { path: file.path, ...await factsOfMade(place), ...facts };
}
