import { isMissing, localFiles, type OpenFile } from "../../http/local_files.ts";

/** Content of a file as a manifest has it. */
export interface FileFacts {
  /** SHA-256 of its bytes, as 64 hex digits. */
  readonly sha256: string;
  /** Length in bytes. */
  readonly bytes: number;
}

/** Uses a file that is opened with flags such as `r+`, and closes it. */
export async function useFile<Result>(
  file: string,
  flags: string,
  use: (open: OpenFile) => Promise<Result>,
): Promise<Result> {
  const open = await localFiles().open(file, flags);
  try {
    return await use(open);
  } finally {
    await open.close();
  }
}

/** Writes a file and waits until it is on the disk. */
export async function writeSynced(file: string, text: string): Promise<void> {
  await useFile(file, "w", async (open) => {
    await writeAll(open, new TextEncoder().encode(text));
    await open.sync();
  });
}

/** Waits until a file is on the disk. */
export async function syncFile(file: string): Promise<void> {
  await useFile(file, "r+", (open) => open.sync());
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await useFile(folder, "r", (open) => open.sync());
}

/** Writes all bytes, from `start` if it is passed; one call of the system may write a part. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, start?: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const at = start === undefined ? null : start + done;
    done += (await file.write(bytes, done, bytes.length - done, at)).bytesWritten;
  }
}

/** Bytes of a file; fewer if it ends before. */
export async function readBytesAt(
  file: OpenFile,
  start: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** A file to replace. */
interface Replacement {
  /** Path of the file. */
  readonly file: string;
  /** Its new content. */
  readonly text: string;
  /** Where the content is written first, on the same disk. */
  readonly temporary: string;
}

/**
 * Replaces files of one folder, each at once: readers see the old content or the new one, and never a
 * part. All are on the disk before the first is replaced.
 */
export async function replaceFiles(replacements: readonly Replacement[]): Promise<void> {
  const [first] = replacements;
  if (first === undefined) return;
  await Promise.all(replacements.map(({ temporary, text }) => writeSynced(temporary, text)));
  for (const { temporary, file } of replacements) await localFiles().rename(temporary, file);
  await syncFolder(dirname(first.file));
}

/**
 * Hash and length of a file; `null` if there is none.
 *
 * @param see Takes each chunk, which is its until it returns.
 */
export async function hashFile(
  file: string,
  see?: (chunk: Uint8Array) => Promise<void>,
): Promise<FileFacts | null> {
  const handle = await localFiles().open(file).catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const hash = createHasher();
    const chunk = new Uint8Array(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await handle.read(chunk);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
      hash.update(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
      await see?.(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Hash and length of a file that was made just now. */
export async function hashWrittenFile(file: string): Promise<FileFacts> {
  const facts = await hashFile(file);
  if (facts === null) throw new TypeError(`${file} was not made`);
  return facts;
}

/** Puts a file that was made on the same disk in its place, in a folder that is made if it is missing. */
export async function moveFile(made: string, file: string): Promise<void> {
  const folder = dirname(file);
  await localFiles().mkdir(folder, { recursive: true });
  await localFiles().rename(made, file);
  await syncFolder(folder);
}

/** The value of a text in JSON; `undefined` if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The folder that a path names a file in. */
export function dirname(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}

const CHUNK_BYTES = 1 << 18;

/** SHA-256 of a text, as 64 hex digits. */
export function sha256(text: string | Uint8Array): string {
  return createHasher().update(text).digest("hex");
}

function createHasher() {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

/** Where the files of a dataset are. */
export class DatasetPaths {
  /** The dataset's folder, without a slash at its end. */
  readonly folder: string;
  /** What the export alone uses. */
  readonly internal: string;
  /** The state of an export. */
  readonly state: string;
  /** One line for every run of the export. */
  readonly runs: string;
  /** Held by the one process that writes. */
  readonly lock: string;
  /** Files that are being made. */
  readonly temporary: string;
  /** Answers as they arrive, one file for each shard. */
  readonly segments: string;
  /** Segments of before, until their responses are restored. */
  readonly oldSegments: string;

  /** Takes a path or a `file:` URL. */
  constructor(folder: string | URL) {
    const path = typeof folder === "string" ? folder : decodeURIComponent(folder.pathname);
    this.folder = path.replace(/(?<=.)[/\\]+$/, "");
    this.internal = this.file(".orderlens");
    this.state = `${this.internal}/state.sqlite`;
    this.runs = `${this.internal}/runs.ndjson`;
    this.lock = `${this.internal}/lock`;
    this.temporary = `${this.internal}/tmp`;
    this.segments = `${this.internal}/segments`;
    this.oldSegments = `${this.internal}/kept`;
  }

  /** A file by its path in the manifest. */
  file(path: string): string {
    return `${this.folder}/${path}`;
  }

  /** Files by a pattern of their paths in the manifest, such as `trades/*.parquet`. */
  pattern(paths: string): string {
    return `${escapePattern(this.folder)}/${paths}`;
  }

  /** A file that is being made, by the path that it will have. */
  toTemporary(path: string): string {
    return `${this.temporary}/${path.replaceAll("/", "--")}`;
  }

  /** Answers of a shard, as they arrive. */
  segment(shard: number): string {
    return `${this.segments}/${formatShard(shard)}.ndjson`;
  }
}

/** A path as a pattern of polars and DuckDB that matches it alone. */
export function escapePattern(path: string): string {
  return path.replace(/[[*?]/g, "[$&]");
}

/** Path of a table's file of one shard. */
export function toTablePath(table: string, shard: number): string {
  return `${table}/${formatShard(shard)}.parquet`;
}

/** Path of the answers of one shard. */
export function toRawPath(shard: number): string {
  return `raw/${formatShard(shard)}.ndjson.zst`;
}

/** Auction ids of one shard, aligned: a file's name never depends on the range of an export. */
export const IDS_PER_SHARD = 1_000;

/** The shard of an export of single orders, whose auctions are scattered. */
export const SELECTED_ORDERS = -1;

/** Where settlements stand until their auctions are known; it has no files. */
export const WALKED_SETTLEMENTS = -2;

/** The shard of orders that auctions list and no solver bid on. */
export const UNBID_ORDERS = -3;

const DIGITS = 10;

/** The shard that has an auction id. */
export function toShard(auctionId: number): number {
  return Math.floor(auctionId / IDS_PER_SHARD);
}

/** Name of a shard, which its files have before their extension: `0011774000-0011774999`. */
export function formatShard(shard: number): string {
  if (shard === SELECTED_ORDERS) return "selected";
  if (shard === WALKED_SETTLEMENTS) return "settlements";
  if (shard === UNBID_ORDERS) return "unbid";
  const first = shard * IDS_PER_SHARD;
  return `${padId(first)}-${padId(first + IDS_PER_SHARD - 1)}`;
}

/** Name of the shard of a file, by its path: without folder and extension. */
export function extractShardName(path: string): string {
  return path.split(/[/\\]/).at(-1)!.replace(/\..*$/, "");
}

/** The shard of a name; `null` if it is none. */
export function parseShardName(name: string): number | null {
  for (const one of [SELECTED_ORDERS, UNBID_ORDERS]) if (name === formatShard(one)) return one;
  const shard = toShard(Number.parseInt(name, 10));
  return name === formatShard(shard) ? shard : null;
}

/** An auction id with leading zeros, so that texts sort like ids. */
export function padId(auctionId: number): string {
  return String(auctionId).padStart(DIGITS, "0");
}
