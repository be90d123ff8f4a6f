import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import {
  type DatasetPaths,
  factsOf,
  factsOfMade,
  putInPlace,
  rawPath,
  shardName,
  tablePath,
} from "../layout/files.ts";
import { packLines, removeIfThere } from "../layout/folders.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { type AnswerSources, deriveAnswers, namesFile } from "../shards/derive_answers.ts";
import { ANSWER_NAMES, hasAnswers } from "../shards/published_tables.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import { buildShard, writeNames } from "../shards/shard_tasks.ts";
import type { TableContext } from "../shards/table_context.ts";
import { CONTRADICTIONS, type ExportState } from "./export_state.ts";
import { type Keeping, segmentLength } from "./keep_outcomes.ts";
import { isSegmentWhole, segmentLines } from "./segment_lines.ts";

type Publishing = Omit<Keeping, "round" | "now">;

/**
 * Makes the files of a shard anew: its answers packed in their order, and its tables from that file
 * alone. All are complete in the temporary folder when one transaction names them as those of the
 * folder, and only then renamed: {@linkcode repair} ends what a crash interrupts.
 *
 * @returns The records of the shard.
 * @throws {InputError} If another program took a file away meanwhile.
 */
export async function publishShard(
  publishing: Publishing,
  shard: number,
  context: TableContext,
): Promise<ShardContents> {
  const { paths, state, step } = publishing;
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const raw = rawPath(shard);
  // Without an answer, as before history, there is neither a segment nor a file of answers yet.
  const hasSegment = segmentLength(state, shard) > 0 || await factsOf(paths.file(raw)) === null;
  const packed = hasSegment ? paths.temporaryOf(raw) : paths.file(raw);
  if (hasSegment) await packLines(packed, segmentLines(paths, state, shard));
  step("packed");
  const { tables, drift, contents } = await buildShard(
    packed,
    context,
    (name) => paths.temporaryOf(tablePath(name, shard)),
  );
  if (hasAnswers(context.tables)) {
    await writeNames(namesFile(paths, raw), contents, context);
  }
  step("built");
  const files = tables.map(({ name, ...table }) => ({ ...table, path: tablePath(name, shard) }));
  if (hasSegment) {
    const rows = state.countAnswers(shard);
    files.push({ path: raw, rows, leastKey: null, greatestKey: null });
  }
  const made = await Array.fromAsync(files, async (file) => {
    return { ...file, shard, ...await factsOfMade(paths.temporaryOf(file.path)) };
  });
  state.inOneStep(() => {
    forgetAnswers(state);
    state.setMeta(`drift ${shardName(shard)}`, JSON.stringify(drift));
    state.noteFiles(made);
    state.run("INSERT OR REPLACE INTO shards VALUES (?, 0)", shard);
  });
  step("published");
  for (const file of made) {
    if (!await renameMade(paths, file)) {
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
  { paths, state }: Publishing,
  shard: number,
  tables: readonly string[],
): Promise<void> {
  state.inOneStep(() => {
    forgetAnswers(state);
    for (const table of ["files", "segments", "shards"]) {
      state.run(`DELETE FROM ${table} WHERE shard = ?`, shard);
    }
  });
  await removeIfThere(paths.segment(shard));
  const files = [rawPath(shard), ...tables.map((table) => tablePath(table, shard))];
  for (const path of files) await removeIfThere(paths.file(path));
}

/** Puts a prepared file in its place; returns whether it was there, with the bytes that were named. */
async function renameMade(
  paths: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
): Promise<boolean> {
  const made = paths.temporaryOf(path);
  if ((await factsOf(made))?.sha256 !== sha256) return false;
  await putInPlace(made, paths.file(path));
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
  { paths, state }: Pick<Publishing, "paths" | "state">,
): Promise<boolean> {
  for (const shard of state.shards("segments")) {
    if (!await isSegmentWhole(paths, state, shard)) return false;
  }
  for (const file of state.files()) {
    const { path, shard, sha256 } = file;
    if ((await factsOf(paths.file(path)))?.sha256 === sha256) continue;
    if (await renameMade(paths, file)) continue;
    if (path === rawPath(shard) && segmentLength(state, shard) === 0) return false;
    state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  }
  await removeIfThere(paths.temporary);
  return true;
}

/** Marks fills that do not add up to what their order executed. */
const DOUBT_FILLS = `UPDATE items SET state = 'failed', isFinal = 0,
  note = 'Its fills do not add up to what the order executed'
  WHERE kind = 'trades' AND key = ? AND state = 'present'`;
/** Name of what says which version derived the answers; empty while records change. */
const DERIVED = "derived";

/**
 * Writes what follows from the records, unless it stands there already. Without an end, a run leaves
 * records without answers, which the next run or a rebuild adds.
 */
export async function writeAnswers(
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  context: TableContext,
  { signal, atHand }: Pick<AnswerSources, "signal" | "atHand">,
): Promise<void> {
  if (state.meta(DERIVED) === VERSION) return;
  const raws = state.files().filter(({ path }) => path.startsWith("raw/"));
  // A run that is stopped while it follows still leaves answers.
  const ended = signal?.aborted === true ? undefined : signal;
  const { files, contradictions, doubtfulFills } = await deriveAnswers({
    paths,
    raws,
    context,
    signal: ended,
    atHand,
  });
  const shardOf = new Map(raws.map(({ path, shard }) => [path, shard]));
  state.inOneStep(() => {
    state.noteFiles(files.map((file) => ({ ...file, shard: shardOf.get(file.raw)! })));
    state.setMeta(DERIVED, VERSION);
    state.setMeta(CONTRADICTIONS, JSON.stringify(contradictions));
    // The next run requests them again.
    for (const uid of doubtfulFills) state.run(DOUBT_FILLS, uid);
  });
}

/** Forgets the answers, since records change: a manifest names none until they are derived again. */
function forgetAnswers(state: ExportState): void {
  state.setMeta(DERIVED, "");
  state.setMeta(CONTRADICTIONS, "");
  for (const name of ANSWER_NAMES) state.run("DELETE FROM files WHERE path GLOB ?", `${name}/*`);
}
