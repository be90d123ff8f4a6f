import { countParquet, joinParquet } from "../../tables/columns/frame_files.ts";
import { syncFile } from "../layout/durable_files.ts";
import { freeFrames } from "../shards/free_frames.ts";
import type { ConvertedTable } from "./convert_dataset.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { type ConversionJob, describeFolder } from "./write_conversion.ts";

/** Writes a folder with one Parquet file per table. */
export async function writeJoined(job: ConversionJob): Promise<ConvertedTable[]> {
  await Deno.mkdir(job.output);
  const written: ConvertedTable[] = [];
  for (const { name, files, key, isRepeated } of job.tables) {
    for (const file of files) await requireWhole(job.paths, file);
    job.signal?.throwIfAborted();
    const [first, ...others] = files.map(({ path }) => job.paths.file(path));
    if (first === undefined) continue;
    const file = `${name}.parquet`;
    await joinParquet([first, ...others], `${job.output}/${file}`, isRepeated ? key : []);
    await syncFile(`${job.output}/${file}`);
    const rows = countParquet(`${job.output}/${file}`);
    written.push({ table: name, file, rows });
    job.report(name, rows);
    await freeFrames();
  }
  await describeFolder(job, written);
  return written;
}
