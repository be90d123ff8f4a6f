import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import {
  type DatasetPaths,
  formatShard,
  hashFile,
  hashWritten,
  moveFile,
  toRawPath,
  toTablePath,
} from "../layout/files.ts";
import { packLines, removePath } from "../layout/folders.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { type DeriveOptions, deriveTables, referencesPath } from "../shards/derive_tables.ts";
import { DERIVED, includesDerived } from "../shards/published_tables.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import { buildShard, writeReferences } from "../shards/shard_tasks.ts";
import type { TableContext } from "../shards/table_context.ts";
import { CONTRADICTIONS, type ExportState } from "./export_state.ts";
import { type OutcomeWriter, readSegmentLength } from "./write_outcomes.ts";
import { isSegmentIntact, readSegment } from "./segment_lines.ts";

type PublishContext = Omit<OutcomeWriter, "round" | "now">;

/**
 * Writes the files of a shard again: its packed responses in order, and its tables from that file
 * alone. All are complete in the temporary folder when one transaction records them, and only then
 * renamed: {@linkcode repair} finishes what a crash interrupts.
 *
 * @returns The records of the shard.
 * @throws {InputError} If another program removed a file meanwhile.
 */
export async function publishShard(
  publish: PublishContext,
  shard: number,
  context: TableContext,
): Promise<ShardContents> {
  const { paths, state, onStep: step } = publish;
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const raw = toRawPath(shard);
  // Without a response, as before history, there is neither a segment nor a file of responses yet.
  const hasSegment = readSegmentLength(state, shard) > 0 ||
    await hashFile(paths.file(raw)) === null;
  const packed = hasSegment ? paths.toTemporary(raw) : paths.file(raw);
  if (hasSegment) await packLines(packed, readSegment(paths, state, shard));
  step("packed");
  const { tables, drift, contents } = await buildShard(
    packed,
    context,
    (name) => paths.toTemporary(toTablePath(name, shard)),
  );
  if (includesDerived(context.tables)) {
    await writeReferences(referencesPath(paths, raw), contents, context);
  }
  step("built");
  const files = tables.map(({ name, ...table }) => ({ ...table, path: toTablePath(name, shard) }));
  if (hasSegment) {
    const rows = state.countResponses(shard);
    files.push({ path: raw, rows, leastKey: null, greatestKey: null });
  }
  const prepared = await Array.fromAsync(files, async (file) => {
    return { ...file, shard, ...await hashWritten(paths.toTemporary(file.path)) };
  });
  state.runInTransaction(() => {
    forgetDerived(state);
    state.setMeta(`drift ${formatShard(shard)}`, JSON.stringify(drift));
    state.recordFiles(prepared);
    state.run("INSERT OR REPLACE INTO shards VALUES (?, 0)", shard);
  });
  step("published");
  for (const file of prepared) {
    if (!await movePrepared(paths, file)) {
      throw new InputError(`Cannot store ${raw} and its tables: a prepared file is gone`, {
        facts: { folder: paths.temporary },
        remedy: "Another process changed the folder: stop it, then run the export again",
      });
    }
    step(`renamed ${file.path}`);
  }
  return contents;
}

/** Removes the files of a shard without responses: of orders without bids, once each got one. */
export async function removeShard(
  { paths, state }: PublishContext,
  shard: number,
  tables: readonly string[],
): Promise<void> {
  state.runInTransaction(() => {
    forgetDerived(state);
    for (const table of ["files", "segments", "shards"]) {
      state.run(`DELETE FROM ${table} WHERE shard = ?`, shard);
    }
  });
  await removePath(paths.segment(shard));
  const files = [toRawPath(shard), ...tables.map((table) => toTablePath(table, shard))];
  for (const path of files) await removePath(paths.file(path));
}

/** Moves a prepared file into place; returns whether it existed with the recorded bytes. */
async function movePrepared(
  paths: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
): Promise<boolean> {
  const temporary = paths.toTemporary(path);
  if ((await hashFile(temporary))?.sha256 !== sha256) return false;
  await moveFile(temporary, paths.file(path));
  return true;
}

/**
 * Restores a folder to its state: renames prepared files that a crash left, and marks shards with
 * damaged tables to be rebuilt.
 *
 * @returns Whether the folder has every response of the state. Otherwise, restore the state from those
 *   that it has.
 */
export async function repair(
  { paths, state }: Pick<PublishContext, "paths" | "state">,
): Promise<boolean> {
  for (const shard of state.listShards("segments")) {
    if (!await isSegmentIntact(paths, state, shard)) return false;
  }
  for (const file of state.listFiles()) {
    const { path, shard, sha256 } = file;
    if ((await hashFile(paths.file(path)))?.sha256 === sha256) continue;
    if (await movePrepared(paths, file)) continue;
    if (path === toRawPath(shard) && readSegmentLength(state, shard) === 0) return false;
    state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  }
  await removePath(paths.temporary);
  return true;
}

/** Marks the fills of an order as failed, since they do not add up to what it executed. */
const FAIL_FILLS = `UPDATE items SET state = 'failed', isFinal = 0,
  note = 'Its fills do not add up to what the order executed'
  WHERE kind = 'trades' AND key = ? AND state = 'present'`;
/** Key of the version that derived the tables; its value is empty while records change. */
const DERIVED_VERSION = "derived";

/**
 * Writes the derived tables, unless they are up to date. An interrupted run leaves records without
 * them, which the next run or a rebuild adds.
 */
export async function writeDerivedTables(
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  context: TableContext,
  { signal, atHand }: Pick<DeriveOptions, "signal" | "atHand">,
): Promise<void> {
  if (state.readMeta(DERIVED_VERSION) === VERSION) return;
  const raws = state.listFiles().filter(({ path }) => path.startsWith("raw/"));
  // A run that is stopped while it follows still writes derived tables.
  const stop = signal?.aborted === true ? undefined : signal;
  const { files, contradictions, doubtfulFills } = await deriveTables({
    paths,
    raws,
    context,
    signal: stop,
    atHand,
  });
  const shardsByPath = new Map(raws.map(({ path, shard }) => [path, shard]));
  state.runInTransaction(() => {
    state.recordFiles(files.map((file) => ({ ...file, shard: shardsByPath.get(file.raw)! })));
    state.setMeta(DERIVED_VERSION, VERSION);
    state.setMeta(CONTRADICTIONS, JSON.stringify(contradictions));
    // The next run requests them again.
    for (const uid of doubtfulFills) state.run(FAIL_FILLS, uid);
  });
}

/**
 * Removes derived tables from the state, since records change: a manifest lists none until they are
 * derived again.
 */
export function forgetDerived(state: ExportState): void {
  state.setMeta(DERIVED_VERSION, "");
  state.setMeta(CONTRADICTIONS, "");
  for (const name of DERIVED) state.run("DELETE FROM files WHERE path GLOB ?", `${name}/*`);
}
