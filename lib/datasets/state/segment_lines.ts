import { localFiles } from "../../http/local_files.ts";
import { readBytes, unpackZstd } from "../../http/read_body.ts";
import { readExchanges } from "../../recordings/recording.ts";
import { type Exchange, parseExchange } from "../../recordings/request_key.ts";
import {
  type DatasetPaths,
  dirname,
  hashFile,
  readBytesAt,
  sha256,
  toRawPath,
  useFile,
  writeAll,
} from "../layout/files.ts";
import { removeIfExists } from "../layout/folders.ts";
import { identifyItem, type ItemKey } from "../shards/shard_records.ts";
import { type ExportState, ITEM_KINDS, type ItemKind } from "./export_state.ts";

/** Where the state has an answer. */
export interface ResponseRow {
  readonly kind: ItemKind;
  readonly key: string;
  readonly part: number;
  readonly start: number;
  readonly length: number;
  readonly sha256: string;
}

/** By kind, key and part: in whichever order answers arrived, a file has them in this one. */
const ORDERED_ROWS =
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
export async function* readSegment(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const answers = state.queryRows<ResponseRow>(ORDERED_ROWS, shard);
  if (answers.length === 0) return;
  await using file = await localFiles().open(paths.segment(shard));
  let run = { start: 0, length: 0 };
  for (const { start, length } of answers) {
    if (run.start + run.length === start && run.length + length <= READ_BYTES) {
      run.length += length;
      continue;
    }
    if (run.length > 0) yield await readBytesAt(file, run.start, run.length);
    run = { start, length };
  }
  yield await readBytesAt(file, run.start, run.length);
}

/** The kept answers for one thing. */
export async function readResponses(
  paths: DatasetPaths,
  state: ExportState,
  { kind, key }: { readonly kind: string; readonly key: string },
): Promise<Exchange[]> {
  const sql = "SELECT * FROM answers WHERE kind = ? AND key = ? ORDER BY part";
  const kept = state.queryRows<ResponseRow & { readonly shard: number }>(sql, kind, key);
  if (kept.length === 0) return [];
  const segment = paths.segment(kept[0]!.shard);
  return await useFile(
    segment,
    "r",
    (open) =>
      Array.fromAsync(kept, async ({ start, length }) => {
        const line = await readBytesAt(open, start, length);
        return parseExchange(new TextDecoder().decode(line), segment);
      }),
  );
}

/** The line behind answers that were written together: a hash of theirs, after what begins no answer. */
export function createSeal(answers: Iterable<{ readonly sha256: string }>): string {
  return `${SEAL}${sha256(Array.from(answers, (one) => one.sha256).join(""))}\n`;
}

/**
 * The answers of a segment as far as their seals hold: those which a crash tore off, or whose bytes
 * were damaged, are left out.
 */
export async function* readSealed(
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
    if (decoder.decode(line) !== createSeal(sealed.map((one) => ({ sha256: sha256(one) })))) {
      continue;
    }
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
  const answers = state.queryRows<ResponseRow>(ORDERED_ROWS, shard);
  if (answers.length === 0) return;
  const segment = paths.segment(shard);
  await localFiles().mkdir(dirname(segment), { recursive: true });
  let end = 0;
  const seal = new TextEncoder().encode(createSeal(answers));
  await useFile(segment, "w", async (open) => {
    for await (const chunk of unpackZstd(await readBytes(paths.file(toRawPath(shard))))) {
      await writeAll(open, chunk);
    }
    await writeAll(open, seal);
    await open.sync();
  });
  state.runInTransaction(() => {
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
  for (const shard of state.listShards(packed)) {
    if (shard === growing) continue;
    if (await hashFile(paths.file(toRawPath(shard))) === null) continue;
    state.run("DELETE FROM segments WHERE shard = ?", shard);
    await removeIfExists(paths.segment(shard));
  }
}

/** Whether a segment has every answer of its shard as it was committed. */
export async function isSegmentIntact(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): Promise<boolean> {
  const segment = paths.segment(shard);
  if (await hashFile(segment) === null) return false;
  return await useFile(segment, "r", async (open) => {
    for (
      const { start, length, sha256: sum } of state.queryRows<ResponseRow>(ORDERED_ROWS, shard)
    ) {
      if (sha256(await readBytesAt(open, start, length)) !== sum) return false;
    }
    return true;
  });
}

/** The answers for one thing. */
export interface ItemResponses extends ItemKey {
  /** The exchanges, in their order. */
  readonly responses: readonly Exchange[];
}

/** The answers of a file, as {@linkcode groupByItem} has them. */
export function readItems(
  file: string,
  shard: string,
): AsyncGenerator<ItemResponses, void, undefined> {
  return groupByItem(readExchanges(file), shard);
}

/** Answers together for each thing: they stand next to each other. */
export async function* groupByItem(
  exchanges: AsyncIterable<Exchange>,
  shard: string,
): AsyncGenerator<ItemResponses, void, undefined> {
  let open: { kind: string; key: string; responses: Exchange[] } | undefined;
  for await (const found of exchanges) {
    const { kind, key } = identifyItem(found, shard);
    // Where its row stands is decided anew.
    const exchange = kind === "block" ? { ...found, path: "/rpc" } : found;
    if (open?.kind === kind && open.key === key) {
      open.responses.push(exchange);
      continue;
    }
    if (open !== undefined) yield open;
    open = { kind, key, responses: [exchange] };
  }
  if (open !== undefined) yield open;
}
