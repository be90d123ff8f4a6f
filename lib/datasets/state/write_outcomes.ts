import { localFiles } from "../../http/local_files.ts";
import {
  type DatasetPaths,
  dirname,
  sha256,
  UNBID_ORDERS,
  useFile,
  writeAll,
} from "../layout/files.ts";
import type { ExportState, Outcome, StoredResponse } from "./export_state.ts";
import { createSeal, reopenSegment, type ResponseRow } from "./segment_lines.ts";

const encoder = new TextEncoder();

/** What a crash may interrupt, named so that tests can. */
export type OnStep = (name: string) => void;

/** Where outcomes are kept, and in which round they were found. */
export interface OutcomeWriter {
  /** The folder. */
  readonly paths: DatasetPaths;
  /** What is known of it. */
  readonly state: ExportState;
  /** The round. */
  readonly round: number;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  /**
   * Whether orders that are open, and their fills, are asked for again in the same round when a new
   * answer names them: an export that follows learns so that they were filled.
   */
  readonly requeues?: boolean;
  /** Called between the steps of each change. */
  readonly onStep: OnStep;
}

/** Where an answer stands, behind what the segment had before. */
type AppendedResponse =
  & Pick<ResponseRow, "start" | "length" | "sha256">
  & Pick<StoredResponse, "route">;

/**
 * Keeps the outcomes of one shard: answers are appended to its segment and synced, and only then
 * named in the state, in one transaction. An answer that is equal to the kept one is not written
 * again. A seal ends what is appended together, by which it is known without the state.
 */
export async function writeOutcomes(
  { paths, state, round, now, requeues: asksAgain = false, onStep: step }: OutcomeWriter,
  shard: number,
  outcomes: readonly Outcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const changed = new Map<Outcome, AppendedResponse[]>();
  const lines: Uint8Array[] = [];
  let length = 0;
  for (const outcome of outcomes) {
    const encoded = outcome.responses.map(({ line }) => encoder.encode(line));
    let end = length;
    const placed = outcome.responses.map(({ route }, part) => {
      const [start, bytes] = [end, encoded[part]!];
      end += bytes.length;
      return { route, start, length: bytes.length, sha256: sha256(bytes) };
    });
    if (
      placed.length === 0 || wouldOverwriteResponse(outcome) || isUnchanged(state, outcome, placed)
    ) continue;
    changed.set(outcome, placed);
    for (const line of encoded) lines.push(line);
    length = end;
  }
  const isMore = length > 0;
  if (isMore) {
    const seal = encoder.encode(createSeal([...changed.values()].flat()));
    lines.push(seal);
    length += seal.length;
    if (readSegmentLength(state, shard) === 0) await reopenSegment(paths, state, shard);
  }
  // A first bid on an order takes its answer out of those without one.
  const isMoving = outcomes.some(({ next }) =>
    next.some(({ kind, key }) => kind === "order" && state.hasUnbidResponse(key))
  );
  if (isMoving && readSegmentLength(state, UNBID_ORDERS) === 0) {
    await reopenSegment(paths, state, UNBID_ORDERS);
  }
  const start = readSegmentLength(state, shard);
  if (isMore) await appendLines(paths.segment(shard), start, lines);
  step("appended");
  const nowMs = now();
  state.runInTransaction(() => {
    for (const outcome of outcomes) {
      recordOutcome(state, outcome, { round, nowMs });
      const answers = changed.get(outcome);
      if (answers === undefined) continue;
      insertResponses(state, outcome, answers, start);
      if (asksAgain) { for (const { kind, key } of outcome.next) state.requeue(kind, key); }
    }
    if (isMore) {
      state.run("INSERT OR REPLACE INTO segments VALUES (?, ?)", shard, start + length);
    }
    state.run("INSERT OR IGNORE INTO shards (shard) VALUES (?)", shard);
    if (changed.size > 0) state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  });
  step("committed");
}

/** Length of a shard's segment that counts, in bytes. */
export function readSegmentLength(state: ExportState, shard: number): number {
  const sql = "SELECT length FROM segments WHERE shard = ?";
  return state.queryRow<{ length: number }>(sql, shard)?.length ?? 0;
}

function isUnchanged(
  state: ExportState,
  { item: { kind, key, state: before } }: Outcome,
  answers: readonly { readonly sha256: string }[],
): boolean {
  if (before === null) return false;
  const sql = "SELECT sha256 FROM answers WHERE kind = ? AND key = ? ORDER BY part";
  const kept = state.queryRows<{ sha256: string }>(sql, kind, key);
  return kept.length === answers.length &&
    kept.every((one, part) => one.sha256 === answers[part]!.sha256);
}

/** What was there is not forgotten, nor its answer, because a later request failed. */
function wouldOverwriteResponse({ item, state }: Outcome): boolean {
  return item.state === "present" && state !== "present";
}

function recordOutcome(
  state: ExportState,
  outcome: Outcome,
  asked: { readonly round: number; readonly nowMs: number },
): void {
  const { item, next, listed } = outcome;
  const ended = wouldOverwriteResponse(outcome)
    ? { ...outcome, state: "present", isFinal: false } as const
    : outcome;
  state.recordOutcome(item, ended, asked);
  for (const one of next) state.add(one.kind, one.key, item.shard);
  if (listed !== undefined) state.addListedOrders(listed);
}

function insertResponses(
  state: ExportState,
  { item: { kind, key, shard } }: Outcome,
  answers: readonly AppendedResponse[],
  segmentStart: number,
): void {
  state.run("DELETE FROM answers WHERE kind = ? AND key = ?", kind, key);
  for (const [part, { start, length, sha256, route }] of answers.entries()) {
    state.run(
      "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ...[kind, key, part, shard, segmentStart + start, length, sha256, route],
    );
  }
}

/** Appends behind what counts: whatever an interrupted writer left there is cut off. */
async function appendLines(
  file: string,
  start: number,
  lines: readonly Uint8Array[],
): Promise<void> {
  if (start === 0) await localFiles().mkdir(dirname(file), { recursive: true });
  await useFile(file, "a", async (open) => {
    await open.truncate(start);
    // One piece, to be written by one call of the system.
    await writeAll(open, process.getBuiltinModule("node:buffer").Buffer.concat(lines));
    await open.sync();
  });
}
