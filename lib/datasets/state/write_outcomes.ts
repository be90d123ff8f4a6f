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

/** Called between steps that a crash may interrupt, for tests. */
export type OnStep = (name: string) => void;

/** Destination of outcomes: folder, state and round. */
export interface OutcomeWriter {
  readonly paths: DatasetPaths;
  readonly state: ExportState;
  readonly round: number;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  /**
   * Whether open orders and their fills are requested again in the same round when a new response names
   * them: so an export that follows learns that they were filled.
   */
  readonly requeues?: boolean;
  /** Called between the steps of each change. */
  readonly onStep: OnStep;
}

/** Position of a response, relative to the end of the segment before. */
type AppendedResponse =
  & Pick<ResponseRow, "start" | "length" | "sha256">
  & Pick<StoredResponse, "route">;

/**
 * Writes the outcomes of one shard: appends responses to its segment and syncs it, then records them in
 * the state, in one transaction. A response that is equal to the stored one is not written again. A
 * seal ends what is appended together, by which it can be restored without the state.
 */
export async function writeOutcomes(
  { paths, state, round, now, requeues = false, onStep }: OutcomeWriter,
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
    const appended = outcome.responses.map(({ route }, part) => {
      const [start, bytes] = [end, encoded[part]!];
      end += bytes.length;
      return { route, start, length: bytes.length, sha256: sha256(bytes) };
    });
    if (
      appended.length === 0 || wouldOverwriteResponse(outcome) ||
      isUnchanged(state, outcome, appended)
    ) continue;
    changed.set(outcome, appended);
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
  // A first bid on an order moves its response to another shard.
  const isMoving = outcomes.some(({ next }) =>
    next.some(({ kind, key }) => kind === "order" && state.hasUnbidResponse(key))
  );
  if (isMoving && readSegmentLength(state, UNBID_ORDERS) === 0) {
    await reopenSegment(paths, state, UNBID_ORDERS);
  }
  const start = readSegmentLength(state, shard);
  if (isMore) await append(paths.segment(shard), start, lines);
  onStep("appended");
  const nowMs = now();
  state.runInTransaction(() => {
    for (const outcome of outcomes) {
      recordOutcome(state, outcome, { round, nowMs });
      const responses = changed.get(outcome);
      if (responses === undefined) continue;
      insertResponses(state, outcome, responses, start);
      if (requeues) { for (const { kind, key } of outcome.next) state.requeue(kind, key); }
    }
    if (isMore) {
      state.run("INSERT OR REPLACE INTO segments VALUES (?, ?)", shard, start + length);
    }
    state.run("INSERT OR IGNORE INTO shards (shard) VALUES (?)", shard);
    if (changed.size > 0) state.run("UPDATE shards SET isStale = 1 WHERE shard = ?", shard);
  });
  onStep("committed");
}

/** Reads the committed length of a shard's segment, in bytes. */
export function readSegmentLength(state: ExportState, shard: number): number {
  const sql = "SELECT length FROM segments WHERE shard = ?";
  return state.queryRow<{ length: number }>(sql, shard)?.length ?? 0;
}

function isUnchanged(
  state: ExportState,
  { item: { kind, key, state: earlier } }: Outcome,
  responses: readonly { readonly sha256: string }[],
): boolean {
  if (earlier === null) return false;
  const sql = "SELECT sha256 FROM answers WHERE kind = ? AND key = ? ORDER BY part";
  const rows = state.query<{ sha256: string }>(sql, kind, key);
  return rows.length === responses.length &&
    rows.every((row, part) => row.sha256 === responses[part]!.sha256);
}

/** Whether a failed retry would overwrite an earlier success. */
function wouldOverwriteResponse({ item, state }: Outcome): boolean {
  return item.state === "present" && state !== "present";
}

function recordOutcome(
  state: ExportState,
  outcome: Outcome,
  time: { readonly round: number; readonly nowMs: number },
): void {
  const { item, next, listed } = outcome;
  const final = wouldOverwriteResponse(outcome)
    ? { ...outcome, state: "present", isFinal: false } as const
    : outcome;
  state.recordOutcome(item, final, time);
  for (const request of next) state.add(request.kind, request.key, item.shard);
  if (listed !== undefined) state.addListedOrders(listed);
}

function insertResponses(
  state: ExportState,
  { item: { kind, key, shard } }: Outcome,
  responses: readonly AppendedResponse[],
  segmentStart: number,
): void {
  state.run("DELETE FROM answers WHERE kind = ? AND key = ?", kind, key);
  for (const [part, { start, length, sha256, route }] of responses.entries()) {
    state.run(
      "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ...[kind, key, part, shard, segmentStart + start, length, sha256, route],
    );
  }
}

/** Appends lines at the committed length: cuts off what an interrupted writer left there. */
async function append(file: string, start: number, lines: readonly Uint8Array[]): Promise<void> {
  if (start === 0) await localFiles().mkdir(dirname(file), { recursive: true });
  await useFile(file, "a", async (handle) => {
    await handle.truncate(start);
    // One buffer, to be written by one call of the system.
    await writeAll(handle, process.getBuiltinModule("node:buffer").Buffer.concat(lines));
    await handle.sync();
  });
}
