import { rawPath } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { segmentLength } from "./keep_outcomes.ts";
import type { Keeping } from "./keep_outcomes.ts";
import { settleIntents } from "./publish_shard.ts";
import { isSegmentWhole } from "./segment_lines.ts";

type Repairing = Omit<Keeping, "round" | "now">;

/**
 * Brings a folder back to what its state says: finishes what a crash interrupted, and marks shards whose
 * tables are damaged to be made anew.
 *
 * @returns Whether the folder has every answer that the state knows of. If it lacks one, the state is to
 *   begin with those that it has.
 */
export async function repair(repairing: Repairing): Promise<boolean> {
  const { paths, state } = repairing;
  const shardsOf = (table: string) =>
    state.rows<{ shard: number }>(`SELECT DISTINCT shard FROM ${table} ORDER BY shard`)
      .map(({ shard }) => shard);
  for (const shard of shardsOf("intents")) await settleIntents(repairing, shard);
  await removeFolder(paths.temporary);
  for (const shard of shardsOf("segments")) {
    if (!await isSegmentWhole(paths, state, shard)) return false;
  }
  for (const { path, shard, sha256 } of state.files()) {
    if ((await factsOf(paths.file(path)))?.sha256 === sha256) continue;
    if (path === rawPath(shard) && segmentLength(state, shard) === 0) return false;
    state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  }
  return true;
}

/** Removes a folder with what is in it, or nothing. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
