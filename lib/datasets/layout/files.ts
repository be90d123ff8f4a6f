import { isMissing, localFiles, type OpenFile } from "../../http/local_files.ts";

/** Content of a file as a manifest has it. */
export interface FileFacts {
  /** SHA-256 of its bytes, as 64 hex digits. */
  readonly sha256: string;
  /** Length in bytes. */
  readonly bytes: number;
}

/** Opens a file with flags such as `r+`, and closes it after use. */
export async function useFile<Result>(
  file: string,
  flags: string,
  use: (handle: OpenFile) => Promise<Result>,
): Promise<Result> {
  const handle = await localFiles().open(file, flags);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Writes a file and waits until it is on the disk. */
export async function writeSynced(file: string, text: string): Promise<void> {
  await useFile(file, "w", async (handle) => {
    await writeAll(handle, new TextEncoder().encode(text));
    await handle.sync();
  });
}

export async function syncFile(file: string): Promise<void> {
  await useFile(file, "r+", (handle) => handle.sync());
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await useFile(folder, "r", (handle) => handle.sync());
}

/** Writes all bytes, from `start` if it is passed; one call of the system may write a part. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, start?: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const position = start === undefined ? null : start + done;
    done += (await file.write(bytes, done, bytes.length - done, position)).bytesWritten;
  }
}

/** Reads bytes of a file; fewer if the file ends before. */
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

interface Replacement {
  readonly file: string;
  readonly text: string;
  /** Temporary path of the content, on the same disk. */
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
 * Returns hash and length of a file; `null` if it does not exist.
 *
 * @param onChunk Called with each chunk, whose buffer is reused once it returns.
 */
export async function hashFile(
  file: string,
  onChunk?: (chunk: Uint8Array) => Promise<void>,
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
      await onChunk?.(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Returns hash and length of a file that must exist. */
export async function hashWritten(file: string): Promise<FileFacts> {
  const facts = await hashFile(file);
  if (facts === null) throw new TypeError(`${file} was not made`);
  return facts;
}

/** Moves a file on the same disk; creates the folder of its new path. */
export async function moveFile(source: string, file: string): Promise<void> {
  const folder = dirname(file);
  await localFiles().mkdir(folder, { recursive: true });
  await localFiles().rename(source, file);
  await syncFolder(folder);
}

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

/** Paths of the files of a dataset. */
export class DatasetPaths {
  /** The dataset's folder, without a slash at its end. */
  readonly folder: string;
  /** Folder of files that only the export uses. */
  readonly internal: string;
  readonly state: string;
  /** One line for every run of the export. */
  readonly runs: string;
  /** Lock of the one process that writes. */
  readonly lock: string;
  readonly temporary: string;
  /** Responses as they arrive, one file per shard. */
  readonly segments: string;
  /** Earlier segments, until their responses are restored. */
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

  /** File of a shard's responses, as they arrive. */
  segment(shard: number): string {
    return `${this.segments}/${formatShard(shard)}.ndjson`;
  }
}

/** Escapes a path into a pattern of polars and DuckDB that matches it alone. */
export function escapePattern(path: string): string {
  return path.replace(/[[*?]/g, "[$&]");
}

export function toTablePath(table: string, shard: number): string {
  return `${table}/${formatShard(shard)}.parquet`;
}

export function toRawPath(shard: number): string {
  return `raw/${formatShard(shard)}.ndjson.zst`;
}

/** Auction ids of one shard, aligned: a file's name never depends on the range of an export. */
export const IDS_PER_SHARD = 1_000;

/** The shard of an export of single orders, whose auctions are scattered. */
export const SELECTED_ORDERS = -1;

/** The shard of settlements whose auctions are not known yet; it has no files. */
export const WALKED_SETTLEMENTS = -2;

/** The shard of orders that auctions list and no solver bid on. */
export const UNBID_ORDERS = -3;

const DIGITS = 10;

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

/** Returns the shard's name in a path: the file name without extension. */
export function toShardName(path: string): string {
  return path.split(/[/\\]/).at(-1)!.replace(/\..*$/, "");
}

/** Returns the shard of a name; `null` if the name is not one. */
export function parseShard(name: string): number | null {
  for (const shard of [SELECTED_ORDERS, UNBID_ORDERS]) {
    if (name === formatShard(shard)) return shard;
  }
  const shard = toShard(Number.parseInt(name, 10));
  return name === formatShard(shard) ? shard : null;
}

/** An auction id with leading zeros, so that texts sort like ids. */
export function padId(auctionId: number): string {
  return String(auctionId).padStart(DIGITS, "0");
}
