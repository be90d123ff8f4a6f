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
import { type AnswerSources, deriveAnswers, namesFile } from "../shards/derive_answers.ts";
import { ANSWER_NAMES } from "../shards/published_tables.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import { buildShard, writeNames } from "../shards/shard_tasks.ts";
import type { TableContext } from "../shards/table_context.ts";
import { CONTRADICTIONS, type ExportState } from "./export_state.ts";
import { type Keeping, segmentLength } from "./keep_outcomes.ts";
import { isSegmentWhole, segmentLines } from "./segment_lines.ts";

type Publishing = Omit<Keeping, "round" | "now">;

/**
 * Makes the files of a shard anew: its answers packed in their order, and its tables from that file
 * alone. All are complete in the temporary folder before their names and hashes are committed, and
 * only then renamed; so a crash at any moment is repaired by {@linkcode settleIntents}.
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
  const made = (name: string) => paths.temporaryOf(tablePath(name, shard));
  const { tables, drift, contents } = await buildShard(packed, context, made);
  state.setMeta(`drift ${shardName(shard)}`, JSON.stringify(drift));
  await writeNames(namesFile(paths, raw), contents, context);
  step("built");
  const files = tables.map(({ name, ...table }) => ({ ...table, path: tablePath(name, shard) }));
  if (hasSegment) {
    const rows = state.countAnswers(shard);
    files.push({ path: raw, rows, leastKey: null, greatestKey: null });
  }
  const intents = await Array.fromAsync(files, async (one) => {
    return { ...one, shard, ...await factsOfMade(paths.temporaryOf(one.path)) };
  });
  state.inOneStep(() => {
    forgetAnswers(state);
    state.note("intents", intents);
  });
  step("intended");
  if (!await settleIntents(publishing, shard)) {
    throw new InputError(`Cannot keep ${raw} and its tables: a prepared file is gone`, {
      facts: { folder: paths.temporary },
      remedy: "Let nothing else write there, and start the export again",
    });
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

/**
 * Does what was committed to be done with the files of a shard, as far as it is not done yet.
 *
 * @returns Whether all of it is done; if not, the files are to be made anew.
 */
async function settleIntents(
  { paths, state, step }: Publishing,
  shard: number,
): Promise<boolean> {
  const intents = state.rows<{ path: string; sha256: string }>(
    "SELECT path, sha256 FROM intents WHERE shard = ? ORDER BY path",
    shard,
  );
  let isDone = true;
  for (const { path, sha256 } of intents) {
    const file = paths.file(path);
    if ((await factsOf(file))?.sha256 === sha256) continue;
    const made = paths.temporaryOf(path);
    if ((await factsOf(made))?.sha256 !== sha256) {
      isDone = false;
      continue;
    }
    await putInPlace(made, file);
    step(`renamed ${path}`);
  }
  state.inOneStep(() => {
    if (isDone) {
      state.run("INSERT OR REPLACE INTO files SELECT * FROM intents WHERE shard = ?", shard);
      state.run("INSERT OR REPLACE INTO shards VALUES (?, 0)", shard);
    } else state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
    state.run("DELETE FROM intents WHERE shard = ?", shard);
  });
  step("settled");
  return isDone;
}

/**
 * Brings a folder back to what its state says: finishes what a crash interrupted, and marks shards whose
 * tables are damaged to be made anew.
 *
 * @returns Whether the folder has every answer that the state knows of. If it lacks one, the state is to
 *   begin with those that it has.
 */
export async function repair(publishing: Publishing): Promise<boolean> {
  const { paths, state } = publishing;
  for (const shard of state.shards("intents")) await settleIntents(publishing, shard);
  await removeIfThere(paths.temporary);
  for (const shard of state.shards("segments")) {
    if (!await isSegmentWhole(paths, state, shard)) return false;
  }
  for (const { path, shard, sha256 } of state.files()) {
    if ((await factsOf(paths.file(path)))?.sha256 === sha256) continue;
    if (path === rawPath(shard) && segmentLength(state, shard) === 0) return false;
    state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  }
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
    state.note("files", files.map((file) => ({ ...file, shard: shardOf.get(file.raw)! })));
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
