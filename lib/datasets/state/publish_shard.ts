import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import {
  type DatasetPaths,
  formatShard,
  hashFile,
  hashWrittenFile,
  moveFile,
  toRawPath,
  toTablePath,
} from "../layout/files.ts";
import { packLines, removeIfExists } from "../layout/folders.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { type DeriveOptions, deriveTables, toReferencesPath } from "../shards/derive_tables.ts";
import { DERIVED_NAMES, includesDerived } from "../shards/published_tables.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import { buildShard, writeReferences } from "../shards/shard_tasks.ts";
import type { TableContext } from "../shards/table_context.ts";
import { CONTRADICTIONS, type ExportState } from "./export_state.ts";
import { type OutcomeWriter, readSegmentLength } from "./write_outcomes.ts";
import { isSegmentIntact, readSegment } from "./segment_lines.ts";

type PublishContext = Omit<OutcomeWriter, "round" | "now">;

/**
 * Makes the files of a shard anew: its answers packed in their order, and its tables from that file
 * alone. All are complete in the temporary folder when one transaction names them as those of the
 * folder, and only then renamed: {@linkcode repair} ends what a crash interrupts.
 *
 * @returns The records of the shard.
 * @throws {InputError} If another program took a file away meanwhile.
 */
export async function publishShard(
  publishing: PublishContext,
  shard: number,
  context: TableContext,
): Promise<ShardContents> {
  const { paths, state, onStep: step } = publishing;
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const raw = toRawPath(shard);
  // Without an answer, as before history, there is neither a segment nor a file of answers yet.
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
    await writeReferences(toReferencesPath(paths, raw), contents, context);
  }
  step("built");
  const files = tables.map(({ name, ...table }) => ({ ...table, path: toTablePath(name, shard) }));
  if (hasSegment) {
    const rows = state.countResponses(shard);
    files.push({ path: raw, rows, leastKey: null, greatestKey: null });
  }
  const made = await Array.fromAsync(files, async (file) => {
    return { ...file, shard, ...await hashWrittenFile(paths.toTemporary(file.path)) };
  });
  state.runInTransaction(() => {
    forgetDerived(state);
    state.setMeta(`drift ${formatShard(shard)}`, JSON.stringify(drift));
    state.recordFiles(made);
    state.run("INSERT OR REPLACE INTO shards VALUES (?, 0)", shard);
  });
  step("published");
  for (const file of made) {
    if (!await movePrepared(paths, file)) {
      throw new InputError(`Cannot keep ${raw} and its tables: a prepared file is gone`, {
        facts: { folder: paths.temporary },
        remedy: "Let nothing else write there, and start the export again",
      });
    }
    step(`renamed ${file.path}`);
  }
  return contents;
}

/** Takes the files of a shard away that lost its last answer: every order in it was bid on. */
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
  await removeIfExists(paths.segment(shard));
  const files = [toRawPath(shard), ...tables.map((table) => toTablePath(table, shard))];
  for (const path of files) await removeIfExists(paths.file(path));
}

/** Puts a prepared file in its place; returns whether it was there, with the bytes that were named. */
async function movePrepared(
  paths: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
): Promise<boolean> {
  const made = paths.toTemporary(path);
  if ((await hashFile(made))?.sha256 !== sha256) return false;
  await moveFile(made, paths.file(path));
  return true;
}

/**
 * Brings a folder back to what its state says: renames what a crash left prepared, and marks shards
 * whose tables are damaged to be made anew.
 *
 * @returns Whether the folder has every answer that the state knows of. If it lacks one, the state is to
 *   begin with those that it has.
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
  await removeIfExists(paths.temporary);
  return true;
}

/** Marks fills that do not add up to what their order executed. */
const FAIL_FILLS = `UPDATE items SET state = 'failed', isFinal = 0,
  note = 'Its fills do not add up to what the order executed'
  WHERE kind = 'trades' AND key = ? AND state = 'present'`;
/** Name of what says which version derived the answers; empty while records change. */
const DERIVED_VERSION = "derived";

/**
 * Writes what follows from the records, unless it stands there already. Without an end, a run leaves
 * records without answers, which the next run or a rebuild adds.
 */
export async function writeDerivedTables(
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  context: TableContext,
  { signal, atHand }: Pick<DeriveOptions, "signal" | "atHand">,
): Promise<void> {
  if (state.readMeta(DERIVED_VERSION) === VERSION) return;
  const raws = state.listFiles().filter(({ path }) => path.startsWith("raw/"));
  // A run that is stopped while it follows still leaves answers.
  const ended = signal?.aborted === true ? undefined : signal;
  const { files, contradictions, doubtfulFills } = await deriveTables({
    paths,
    raws,
    context,
    signal: ended,
    atHand,
  });
  const shardOf = new Map(raws.map(({ path, shard }) => [path, shard]));
  state.runInTransaction(() => {
    state.recordFiles(files.map((file) => ({ ...file, shard: shardOf.get(file.raw)! })));
    state.setMeta(DERIVED_VERSION, VERSION);
    state.setMeta(CONTRADICTIONS, JSON.stringify(contradictions));
    // The next run requests them again.
    for (const uid of doubtfulFills) state.run(FAIL_FILLS, uid);
  });
}

/** Forgets the answers, since records change: a manifest names none until they are derived again. */
function forgetDerived(state: ExportState): void {
  state.setMeta(DERIVED_VERSION, "");
  state.setMeta(CONTRADICTIONS, "");
  for (const name of DERIVED_NAMES) state.run("DELETE FROM files WHERE path GLOB ?", `${name}/*`);
}
