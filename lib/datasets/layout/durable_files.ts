import { isMissing } from "../../http/reading/local_files.ts";
import { fileHash } from "./file_hash.ts";

/** Content of a file as a manifest has it. */
export interface FileFacts {
  /** SHA-256 of its bytes, as 64 hex digits. */
  readonly sha256: string;
  /** Length in bytes. */
  readonly bytes: number;
}

/** Uses a file, and closes it. */
export async function withFile<Result>(
  file: string,
  options: Deno.OpenOptions,
  use: (open: Deno.FsFile) => Promise<Result>,
): Promise<Result> {
  const open = await Deno.open(file, options);
  try {
    return await use(open);
  } finally {
    open.close();
  }
}

/** How a file is opened whose content is replaced. */
export const REPLACING = { write: true, create: true, truncate: true } as const;

/** Writes a file and waits until it is on the disk. */
async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  await withFile(file, REPLACING, async (open) => {
    await writeAll(open, bytes);
    await open.sync();
  });
}

/** Waits until a file is on the disk. */
export async function syncFile(file: string): Promise<void> {
  await withFile(file, { read: true, write: true }, (open) => open.sync());
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, { read: true }, (open) => open.sync());
}

/** Writes all bytes; one call of the system may write a part. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
}

/** A file to replace. */
export interface Replacement {
  /** Path of the file. */
  readonly file: string;
  /** Its new content. */
  readonly bytes: Uint8Array;
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
  await Promise.all(replacements.map(({ temporary, bytes }) => writeSynced(temporary, bytes)));
  for (const { temporary, file } of replacements) await Deno.rename(temporary, file);
  await syncFolder(folderOf(first.file));
}

/** Hash and length of a file, in Deno and in Node; `null` if there is none. */
export async function factsOf(file: string): Promise<FileFacts | null> {
  const { open } = process.getBuiltinModule("node:fs/promises");
  try {
    const handle = await open(file);
    try {
      return await fileHash({
        read: async (chunk) => (await handle.read(chunk)).bytesRead || null,
      });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Hash and length of a file that was made just now. */
export async function factsOfMade(file: string): Promise<FileFacts> {
  const facts = await factsOf(file);
  if (facts === null) throw new TypeError(`${file} was not made`);
  return facts;
}

/** The folder that a path names a file in. */
export function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}
