import { DamagedError, InputError } from "../../errors/mod.ts";
import { shortenHash } from "../../errors/orderlens_error.ts";
import { type FileStats, isMissing, localFiles, type OpenFile } from "../../http/local_files.ts";
import { type DatasetPaths, hashFile, syncFolder, useFile, writeAll } from "./files.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Copies a file of answers, and compares with the manifest what was copied. The copy may be written
 * to even if the file may not.
 *
 * @param from The dataset.
 * @param copy Path of the copy, in a folder that is there; replaced if it exists.
 * @throws {DamagedError} If the file is damaged or missing; names the dataset.
 */
export async function copyVerified(
  from: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
  copy: string,
): Promise<void> {
  const found = await useFile(copy, "w", async (open) => {
    const facts = await hashFile(from.file(path), (chunk) => writeAll(open, chunk));
    await open.sync();
    return facts;
  });
  if (found?.sha256 === sha256) return;
  throw new DamagedError(`Cannot read ${from.folder}: ${path} is damaged or missing`, {
    facts: { expected: shortenHash(sha256), found: shortenHash(found?.sha256) },
    remedy: "Resume the export, which asks for its answers again, or copy the file again",
  });
}

/**
 * Takes a file for this process and this caller alone; the system takes it back when the process ends,
 * however it ends. It is a lock of SQLite, which all platforms and systems have.
 *
 * @param file Path of a file that is nothing but a lock; created if it is not there, and left there.
 * @returns What gives it back; `null` if another has it.
 */
export async function lockFile(file: string): Promise<{ release(): void } | null> {
  // Says what the system refuses, which SQLite does not.
  await useFile(file, "a", async () => {});
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const lock = new DatabaseSync(file);
  try {
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch (error) {
    lock.close();
    if (error instanceof Error && /locked/.test(error.message)) return null;
    throw error;
  }
}

/**
 * Does something with the right to write a dataset. The system takes the right back when the process
 * ends, however it ends.
 *
 * @throws {InputError} If another process, or another call of this one, has it.
 */
export async function runLocked<Result>(
  paths: DatasetPaths,
  action: string,
  use: () => Promise<Result>,
): Promise<Result> {
  const lock = await lockFile(paths.lock);
  if (lock === null) {
    throw new InputError(`${action} ${paths.folder}: it is being written already`, {
      remedy: "Wait until the other export or rebuild of this folder has ended, or stop it",
      cause: Object.assign(new Error("the lock is taken"), { code: "EBUSY" }),
    });
  }
  try {
    return await use();
  } finally {
    lock.release();
  }
}

/** Removes a file, or a folder with what is in it, or nothing. */
export async function removeIfExists(path: string): Promise<void> {
  try {
    await localFiles().rm(path, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The error for a folder that cannot be read or written. */
export function createFolderError(action: string, folder: string, cause: unknown): InputError {
  return new InputError(`${action} ${folder}`, {
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    remedy:
      "Pass a readable and writable folder on a disk with free space, and run it with `--allow-read --allow-write`",
    cause,
  });
}

/** Does something with a folder; what the system refuses becomes the error for it. */
export async function wrapFolderErrors<Result>(
  action: string,
  folder: string,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    throw isRefusedBySystem(error) ? createFolderError(action, folder, error) : error;
  }
}

/** Whether an operation of files, of the state's database or of tables was refused by the system. */
export function isRefusedBySystem(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  // How the writer of tables says that the disk is full.
  if (code === "GenericFailure") {
    return /os error \d+|\bOs \{|transport error|IO error/i.test(error.message);
  }
  return /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOTDIR|EISDIR|EEXIST|ENOENT|EFBIG|EMFILE|ERR_SQLITE_ERROR)$/
    .test(code) || error.name === "NotCapable";
}

/** Whether SQLite cannot make sense of a file, rather than of the disk or of another process. */
export function isCorruptDatabase(error: unknown): boolean {
  const { code, message } = Object(error);
  return code === "ERR_SQLITE_ERROR" && !/locked|full|I\/O|unable to open/.test(message);
}

/** Name of the file that is locked in a temporary folder as long as its process runs. */
const LOCK = "lock";

/**
 * Makes a file or a folder under a temporary name beside its place, and puts it there when it is
 * complete. What a killed process left beside the same place is removed.
 *
 * @param place Where it goes, without a slash at its end.
 * @param make Makes it at a path where nothing is.
 * @throws {InputError} If the system refuses it; the error begins with the action.
 */
export async function writeAtomically<Result>(
  { action, output, requireFree }: {
    readonly action: string;
    readonly output: string;
    /** Rejects what is there, unless it may be replaced. */
    readonly requireFree: () => Promise<void>;
  },
  make: (temporary: string) => Promise<Result>,
): Promise<Result> {
  return await wrapFolderErrors(action, output, async () => {
    await requireFree();
    const at = output.lastIndexOf("/");
    const parent = at === -1 ? "." : output.slice(0, at) || "/";
    const name = output.slice(at + 1);
    await localFiles().mkdir(parent, { recursive: true });
    await removeLeftovers(parent, name);
    const folder = await localFiles().mkdtemp(`${parent}/.${name}-`);
    const lock = await lockFile(`${folder}/${LOCK}`);
    try {
      const made = `${folder}/${name}`;
      const result = await make(made);
      await requireFree();
      // A folder cannot replace another in one step: the old one is moved aside just before.
      if ((await statIfExists(output))?.isDirectory() === true) {
        await localFiles().rename(output, `${folder}/old`);
      }
      await localFiles().rename(made, output);
      await syncFolder(parent);
      return result;
    } finally {
      lock?.release();
      await localFiles().rm(folder, { recursive: true });
    }
  });
}

/** Removes temporary folders of a place whose process is gone: nobody holds their lock. */
async function removeLeftovers(parent: string, name: string): Promise<void> {
  for (const entry of await localFiles().readdir(parent)) {
    const suffix = entry.startsWith(`.${name}-`) ? entry.slice(name.length + 2) : "";
    const folder = `${parent}/${entry}`;
    if (!/^[0-9A-Za-z]{6}$/.test(suffix) || await statIfExists(`${folder}/${LOCK}`) === null) {
      continue;
    }
    const lock = await lockFile(`${folder}/${LOCK}`);
    if (lock === null) continue;
    lock.release();
    await localFiles().rm(folder, { recursive: true });
  }
}

/** What is at a path; `null` if nothing is. */
export async function statIfExists(path: string): Promise<FileStats | null> {
  try {
    return await localFiles().stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Rejects a path where something is, other than an empty folder.
 *
 * @throws {InputError} Names it.
 */
export async function requireVacant(path: string, action: string): Promise<void> {
  const found = await statIfExists(path);
  const isEmpty = found?.isDirectory() === true &&
    (await localFiles().readdir(path)).length === 0;
  if (found === null || isEmpty) return;
  throw new InputError(`${action} ${path}: something is there`, {
    remedy: "Pass a path where nothing is",
  });
}

const BLOCK_BYTES = 1 << 20;

/**
 * Writes lines into a file, packed with zstd and with a checksum; equal lines give equal bytes.
 *
 * @param file Path of the file; replaced if it exists.
 * @param lines With their newlines, cut anywhere.
 */
export async function packLines(file: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  await using open: OpenFile = await localFiles().open(file, "w");
  const { constants, createZstdCompress } = process.getBuiltinModule("node:zlib");
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const written = (async () => {
    for await (const chunk of packing) await writeAll(open, chunk);
  })();
  written.catch(() => packing.destroy());
  // Blocks of one size, each packed before the next is written: otherwise the bytes would depend on
  // how lines arrive.
  const pack = (block: Uint8Array) =>
    Promise.race([new Promise((done) => packing.write(block, done)), written]);
  let block = new Uint8Array(BLOCK_BYTES);
  let length = 0;
  for await (const line of lines) {
    for (let done = 0; done < line.length;) {
      const part = line.subarray(done, done + BLOCK_BYTES - length);
      block.set(part, length);
      length += part.length;
      done += part.length;
      if (length < BLOCK_BYTES) continue;
      await pack(block);
      [block, length] = [new Uint8Array(BLOCK_BYTES), 0];
    }
  }
  if (length > 0) await pack(block.subarray(0, length));
  packing.end();
  await written;
  await open.sync();
}
