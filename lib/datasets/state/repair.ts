import { rawPath } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { segmentLength } from "./keep_outcomes.ts";
import type { Keeping } from "./keep_outcomes.ts";
import { settleIntents } from "./publish_shard.ts";
import { damagedItems } from "./segment_lines.ts";

type Repairing = Omit<Keeping, "round" | "now">;

/**
 * Brings a folder back to what its state says: finishes what a crash interrupted, marks shards whose
 * tables are damaged to be made anew, and what has a damaged answer to be asked for again.
 */
export async function repair(repairing: Repairing): Promise<void> {
  const { paths, state } = repairing;
  const shardsOf = (table: string) =>
    state.rows<{ shard: number }>(`SELECT DISTINCT shard FROM ${table} ORDER BY shard`)
      .map(({ shard }) => shard);
  for (const shard of shardsOf("intents")) await settleIntents(repairing, shard);
  await emptyTemporary(repairing);
  for (const shard of shardsOf("segments")) {
    const damaged = segmentLength(state, shard) === 0
      ? []
      : await damagedItems(paths, state, shard);
    for (const { kind, key } of damaged) forget(repairing, kind, key);
    if (damaged.length > 0) state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  }
  for (const { path, shard, sha256 } of state.files()) {
    if ((await factsOf(paths.file(path)))?.sha256 === sha256) continue;
    state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
    if (path === rawPath(shard) && segmentLength(state, shard) === 0) forgetShard(repairing, shard);
  }
}

function forget({ state }: Repairing, kind: string, key: string): void {
  state.inOneStep(() => {
    state.run("DELETE FROM answers WHERE kind = ? AND key = ?", kind, key);
    state.run("UPDATE items SET state = NULL, isFinal = 0 WHERE kind = ? AND key = ?", kind, key);
  });
}

/** Asks for everything of a shard again: its answers are lost. */
function forgetShard({ state }: Repairing, shard: number): void {
  state.inOneStep(() => {
    state.run("DELETE FROM answers WHERE shard = ?", shard);
    state.run("UPDATE shards SET isSealed = 0 WHERE shard = ?", shard);
    state.run(
      `UPDATE items SET state = NULL, isFinal = 0
       WHERE shard = ? AND (state IS NULL OR state <> 'beforeHistory')`,
      shard,
    );
  });
}

async function emptyTemporary({ paths }: Repairing): Promise<void> {
  try {
    await Deno.remove(paths.temporary, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
