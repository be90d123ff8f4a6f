import { localFiles } from "../../http/local_files.ts";
import { readBytes, unpackZstd } from "../../http/read_body.ts";
import { exchangesIn } from "../../recordings/recording.ts";
import { type Exchange, parseExchange } from "../../recordings/request_key.ts";
import {
  bytesAt,
  type DatasetPaths,
  factsOf,
  folderOf,
  rawPath,
  sha256,
  withFile,
  writeAll,
} from "../layout/files.ts";
import { removeIfThere } from "../layout/folders.ts";
import { type AnsweredItem, answeredItem } from "../shards/shard_records.ts";
import { type ExportState, ITEM_KINDS, type ItemKind } from "./export_state.ts";

/** Where the state has an answer. */
export interface AnswerRow {
  readonly kind: ItemKind;
  readonly key: string;
  readonly part: number;
  readonly start: number;
  readonly length: number;
  readonly sha256: string;
}

/** By kind, key and part: in whichever order answers arrived, a file has them in this one. */
const IN_ORDER =
  `SELECT kind, key, part, start, length, sha256 FROM answers WHERE shard = ? ORDER BY
  CASE kind ${ITEM_KINDS.map((kind, place) => `WHEN '${kind}' THEN ${place}`).join(" ")} END,
  key, part`;

const SEAL = "#";
const NEWLINE = 0x0a;

/** What stands together is read together, up to this many bytes. */
const READ_BYTES = 1 << 20;

/**
 * The kept answers of a shard as lines of a recording, in the order of its file; several at a time
 * where they stand together.
 */
export async function* segmentLines(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const answers = state.rows<AnswerRow>(IN_ORDER, shard);
  if (answers.length === 0) return;
  await using file = await localFiles().open(paths.segment(shard));
  let run = { start: 0, length: 0 };
  for (const { start, length } of answers) {
    if (run.start + run.length === start && run.length + length <= READ_BYTES) {
      run.length += length;
      continue;
    }
    if (run.length > 0) yield await bytesAt(file, run.start, run.length);
    run = { start, length };
  }
  yield await bytesAt(file, run.start, run.length);
}

/** The kept answers for one thing. */
export async function keptAnswers(
  paths: DatasetPaths,
  state: ExportState,
  { kind, key }: { readonly kind: string; readonly key: string },
): Promise<Exchange[]> {
  const sql = "SELECT * FROM answers WHERE kind = ? AND key = ? ORDER BY part";
  const kept = state.rows<AnswerRow & { readonly shard: number }>(sql, kind, key);
  if (kept.length === 0) return [];
  const segment = paths.segment(kept[0]!.shard);
  return await withFile(
    segment,
    "r",
    (open) =>
      Array.fromAsync(kept, async ({ start, length }) => {
        const line = await bytesAt(open, start, length);
        return parseExchange(new TextDecoder().decode(line), segment);
      }),
  );
}

/** The line behind answers that were written together: a hash of theirs, after what begins no answer. */
export function sealOf(answers: Iterable<{ readonly sha256: string }>): string {
  return `${SEAL}${sha256(Array.from(answers, (one) => one.sha256).join(""))}\n`;
}

/**
 * The answers of a segment as far as their seals hold: those which a crash tore off, or whose bytes
 * were damaged, are left out.
 */
export async function* sealedExchanges(
  segment: string,
): AsyncGenerator<Exchange, void, undefined> {
  const bytes = await localFiles().readFile(segment);
  const decoder = new TextDecoder();
  const lines: Uint8Array[] = [];
  for (let start = 0, end = 0; (end = bytes.indexOf(NEWLINE, start)) !== -1;) {
    const line = bytes.subarray(start, start = end + 1);
    if (line[0] !== SEAL.charCodeAt(0)) {
      lines.push(line);
      continue;
    }
    const sealed = lines.splice(0);
    if (decoder.decode(line) !== sealOf(sealed.map((one) => ({ sha256: sha256(one) })))) continue;
    for (const one of sealed) yield parseExchange(decoder.decode(one), segment);
  }
}

/**
 * Writes the segment of a shard again from its file of answers, which has the same lines in their
 * order: more of them are about to be added.
 */
export async function reopenSegment(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): Promise<void> {
  const answers = state.rows<AnswerRow>(IN_ORDER, shard);
  if (answers.length === 0) return;
  const segment = paths.segment(shard);
  await localFiles().mkdir(folderOf(segment), { recursive: true });
  let end = 0;
  const seal = new TextEncoder().encode(sealOf(answers));
  await withFile(segment, "w", async (open) => {
    for await (const chunk of unpackZstd(await readBytes(paths.file(rawPath(shard))))) {
      await writeAll(open, chunk);
    }
    await writeAll(open, seal);
    await open.sync();
  });
  state.inOneStep(() => {
    const sql = "UPDATE answers SET start = ? WHERE kind = ? AND key = ? AND part = ?";
    for (const { kind, key, part, length } of answers) {
      state.run(sql, end, kind, key, part);
      end += length;
    }
    state.run("INSERT OR REPLACE INTO segments VALUES (?, ?)", shard, end + seal.length);
  });
}

/**
 * Removes the segments of shards whose files have all of their answers: these are packed.
 *
 * @param growing A shard that gets more answers soon, and keeps its segment.
 */
export async function dropSegments(
  paths: DatasetPaths,
  state: ExportState,
  growing?: number,
): Promise<void> {
  const packed = "segments WHERE shard IN (SELECT shard FROM shards WHERE isStale = 0)";
  for (const shard of state.shards(packed)) {
    if (shard === growing) continue;
    if (await factsOf(paths.file(rawPath(shard))) === null) continue;
    state.run("DELETE FROM segments WHERE shard = ?", shard);
    await removeIfThere(paths.segment(shard));
  }
}

/** Whether a segment has every answer of its shard as it was committed. */
export async function isSegmentWhole(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): Promise<boolean> {
  const segment = paths.segment(shard);
  if (await factsOf(segment) === null) return false;
  return await withFile(segment, "r", async (open) => {
    for (const { start, length, sha256: sum } of state.rows<AnswerRow>(IN_ORDER, shard)) {
      if (sha256(await bytesAt(open, start, length)) !== sum) return false;
    }
    return true;
  });
}

/** The answers for one thing. */
export interface ItemAnswers extends AnsweredItem {
  /** The exchanges, in their order. */
  readonly answers: readonly Exchange[];
}

/** The answers of a file, as {@linkcode itemsOf} has them. */
export function itemsIn(
  file: string,
  shard: string,
): AsyncGenerator<ItemAnswers, void, undefined> {
  return itemsOf(exchangesIn(file), shard);
}

/** Answers together for each thing: they stand next to each other. */
export async function* itemsOf(
  exchanges: AsyncIterable<Exchange>,
  shard: string,
): AsyncGenerator<ItemAnswers, void, undefined> {
  let open: { kind: string; key: string; answers: Exchange[] } | undefined;
  for await (const found of exchanges) {
    const { kind, key } = answeredItem(found, shard);
    // Where its row stands is decided anew.
    const exchange = kind === "block" ? { ...found, path: "/rpc" } : found;
    if (open?.kind === kind && open.key === key) {
      open.answers.push(exchange);
      continue;
    }
    if (open !== undefined) yield open;
    open = { kind, key, answers: [exchange] };
  }
  if (open !== undefined) yield open;
}
