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
import { removePath } from "../layout/folders.ts";
import { identifyItem, type ItemKey } from "../shards/shard_records.ts";
import { type ExportState, ITEM_KINDS, type ItemKind } from "./export_state.ts";

export interface ResponseRow {
  readonly kind: ItemKind;
  readonly key: string;
  readonly part: number;
  readonly start: number;
  readonly length: number;
  readonly sha256: string;
}

/** By kind, key and part: the order of a file, in whichever order responses arrived. */
const IN_ORDER =
  `SELECT kind, key, part, start, length, sha256 FROM answers WHERE shard = ? ORDER BY
  CASE kind ${ITEM_KINDS.map((kind, index) => `WHEN '${kind}' THEN ${index}`).join(" ")} END,
  key, part`;

const SEAL = "#";
const NEWLINE = 0x0a;

/** Adjacent responses are read together, up to this many bytes. */
const READ_BYTES = 1 << 20;

/**
 * Reads the responses of a shard as lines of a recording, in the order of its file; several at a time
 * where they are adjacent.
 */
export async function* readSegment(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = state.query<ResponseRow>(IN_ORDER, shard);
  if (rows.length === 0) return;
  await using file = await localFiles().open(paths.segment(shard));
  let run = { start: 0, length: 0 };
  for (const { start, length } of rows) {
    if (run.start + run.length === start && run.length + length <= READ_BYTES) {
      run.length += length;
      continue;
    }
    if (run.length > 0) yield await readBytesAt(file, run.start, run.length);
    run = { start, length };
  }
  yield await readBytesAt(file, run.start, run.length);
}

export async function readResponses(
  paths: DatasetPaths,
  state: ExportState,
  { kind, key }: { readonly kind: string; readonly key: string },
): Promise<Exchange[]> {
  const sql = "SELECT * FROM answers WHERE kind = ? AND key = ? ORDER BY part";
  const rows = state.query<ResponseRow & { readonly shard: number }>(sql, kind, key);
  if (rows.length === 0) return [];
  const segment = paths.segment(rows[0]!.shard);
  return await useFile(
    segment,
    "r",
    (handle) =>
      Array.fromAsync(rows, async ({ start, length }) => {
        const line = await readBytesAt(handle, start, length);
        return parseExchange(new TextDecoder().decode(line), segment);
      }),
  );
}

/**
 * Creates the line behind responses that were written together: a hash of theirs, after a character
 * that begins no response.
 */
export function createSeal(responses: Iterable<{ readonly sha256: string }>): string {
  return `${SEAL}${sha256(Array.from(responses, (response) => response.sha256).join(""))}\n`;
}

/**
 * Reads the responses of a segment with valid seals: skips those that a crash cut off, or whose bytes
 * are damaged.
 */
export async function* readSealed(segment: string): AsyncGenerator<Exchange, void, undefined> {
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
    if (
      decoder.decode(line) !==
        createSeal(sealed.map((lineBytes) => ({ sha256: sha256(lineBytes) })))
    ) {
      continue;
    }
    for (const lineBytes of sealed) yield parseExchange(decoder.decode(lineBytes), segment);
  }
}

/**
 * Writes the segment of a shard again from its file of responses, which has the same lines in order:
 * more are about to be added.
 */
export async function reopenSegment(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): Promise<void> {
  const rows = state.query<ResponseRow>(IN_ORDER, shard);
  if (rows.length === 0) return;
  const segment = paths.segment(shard);
  await localFiles().mkdir(dirname(segment), { recursive: true });
  let end = 0;
  const seal = new TextEncoder().encode(createSeal(rows));
  await useFile(segment, "w", async (handle) => {
    for await (const chunk of unpackZstd(await readBytes(paths.file(toRawPath(shard))))) {
      await writeAll(handle, chunk);
    }
    await writeAll(handle, seal);
    await handle.sync();
  });
  state.runInTransaction(() => {
    const sql = "UPDATE answers SET start = ? WHERE kind = ? AND key = ? AND part = ?";
    for (const { kind, key, part, length } of rows) {
      state.run(sql, end, kind, key, part);
      end += length;
    }
    state.run("INSERT OR REPLACE INTO segments VALUES (?, ?)", shard, end + seal.length);
  });
}

/**
 * Removes the segments of shards whose packed files have all responses.
 *
 * @param growing A shard that gets more responses soon, and keeps its segment.
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
    await removePath(paths.segment(shard));
  }
}

/** Whether a segment has every response of its shard as it was committed. */
export async function isSegmentIntact(
  paths: DatasetPaths,
  state: ExportState,
  shard: number,
): Promise<boolean> {
  const segment = paths.segment(shard);
  if (await hashFile(segment) === null) return false;
  return await useFile(segment, "r", async (handle) => {
    for (const { start, length, sha256: sum } of state.query<ResponseRow>(IN_ORDER, shard)) {
      if (sha256(await readBytesAt(handle, start, length)) !== sum) return false;
    }
    return true;
  });
}

export interface ItemResponses extends ItemKey {
  readonly responses: readonly Exchange[];
}

/** Reads the responses of a file, as {@linkcode groupByItem} groups them. */
export function readItems(
  file: string,
  shard: string,
): AsyncGenerator<ItemResponses, void, undefined> {
  return groupByItem(readExchanges(file), shard);
}

/** Groups adjacent responses by item. */
export async function* groupByItem(
  exchanges: AsyncIterable<Exchange>,
  shard: string,
): AsyncGenerator<ItemResponses, void, undefined> {
  let group: { kind: string; key: string; responses: Exchange[] } | undefined;
  for await (const recorded of exchanges) {
    const { kind, key } = identifyItem(recorded, shard);
    // Which table gets its row is decided again.
    const exchange = kind === "block" ? { ...recorded, path: "/rpc" } : recorded;
    if (group?.kind === kind && group.key === key) {
      group.responses.push(exchange);
      continue;
    }
    if (group !== undefined) yield group;
    group = { kind, key, responses: [exchange] };
  }
  if (group !== undefined) yield group;
}
