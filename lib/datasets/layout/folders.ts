import { DamagedError, InputError } from "../../errors/mod.ts";
import { shortenHash } from "../../errors/orderlens_error.ts";
import { isMissing, localFiles, type OpenFile, statPath } from "../../http/local_files.ts";
import { type DatasetPaths, hashFile, syncFolder, useFile, writeAll } from "./files.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Copies a file of responses, and compares the copy with the manifest. The copy is writable even if
 * the file is not.
 *
 * @param from The dataset.
 * @param copy Path of the copy, in an existing folder; replaced if it exists.
 * @throws {DamagedError} If the file is damaged or missing; names the dataset.
 */
export async function copyVerified(
  from: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
  copy: string,
): Promise<void> {
  await useFile(copy, "w", async (handle) => {
    await appendVerified(from, { path, sha256 }, handle);
    await handle.sync();
  });
}

/**
 * Appends a file to an open one, and compares what was read with the manifest.
 *
 * @throws {DamagedError} If the file is damaged or missing; names the dataset.
 */
export async function appendVerified(
  from: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
  target: OpenFile,
): Promise<void> {
  const facts = await hashFile(from.file(path), (chunk) => writeAll(target, chunk));
  if (facts?.sha256 === sha256) return;
  throw new DamagedError(`Cannot read ${from.folder}: ${path} is damaged or missing`, {
    facts: { expected: shortenHash(sha256), found: shortenHash(facts?.sha256) },
    remedy: "Resume the export, which requests its responses again, or copy the file again",
  });
}

/**
 * Locks a file for this caller; the system releases it when the process ends, however it ends. It
 * is a lock of SQLite, which all platforms have.
 *
 * @param file Path of a file that is nothing but a lock; created if it is not there, and left there.
 * @returns Releases the lock; `null` if another holds it.
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
 * Runs an operation while holding the lock of a dataset. The system releases the lock when the
 * process ends, however it ends.
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
    throw new InputError(`${action} ${paths.folder}: another export or rebuild is writing it`, {
      remedy: "Wait until it has ended, or stop it",
      cause: Object.assign(new Error("the lock is taken"), { code: "EBUSY" }),
    });
  }
  try {
    return await use();
  } finally {
    lock.release();
  }
}

/** Removes a file or a folder with its content, if it exists. */
export async function removePath(path: string): Promise<void> {
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

/** Runs an operation on a folder, and turns errors of the system into {@linkcode createFolderError}. */
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
  // The writer of tables reports a full disk with this code.
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

/** Name of the file in a temporary folder that stays locked while its process runs. */
const LOCK = "lock";

/**
 * Writes a file or a folder under a temporary name beside its path, and renames it when it is
 * complete. Removes what a killed process left beside the same path.
 *
 * @param output The path, without a slash at its end.
 * @param make Writes to a path where nothing exists.
 * @throws {InputError} If the system refuses; the error begins with the action.
 */
export async function writeAtomically<Result>(
  { action, output, requireFree }: {
    readonly action: string;
    readonly output: string;
    /** Rejects an existing output, unless it may be replaced. */
    readonly requireFree: () => Promise<void>;
  },
  make: (temporary: string) => Promise<Result>,
): Promise<Result> {
  return await wrapFolderErrors(action, output, async () => {
    await requireFree();
    const slash = output.lastIndexOf("/");
    const parent = slash === -1 ? "." : output.slice(0, slash) || "/";
    const name = output.slice(slash + 1);
    await localFiles().mkdir(parent, { recursive: true });
    await removeLeftovers(parent, name);
    const folder = await localFiles().mkdtemp(`${parent}/.${name}-`);
    const lock = await lockFile(`${folder}/${LOCK}`);
    try {
      const temporary = `${folder}/${name}`;
      const result = await make(temporary);
      await requireFree();
      // A folder cannot replace another in one step: the old one is moved aside just before.
      if ((await statPath(output))?.isDirectory() === true) {
        await localFiles().rename(output, `${folder}/old`);
      }
      await localFiles().rename(temporary, output);
      await syncFolder(parent);
      return result;
    } finally {
      lock?.release();
      await localFiles().rm(folder, { recursive: true });
    }
  });
}

/** Removes temporary folders of a path whose process is gone: nobody holds their lock. */
async function removeLeftovers(parent: string, name: string): Promise<void> {
  for (const entry of await localFiles().readdir(parent)) {
    const suffix = entry.startsWith(`.${name}-`) ? entry.slice(name.length + 2) : "";
    const folder = `${parent}/${entry}`;
    if (!/^[0-9A-Za-z]{6}$/.test(suffix) || await statPath(`${folder}/${LOCK}`) === null) {
      continue;
    }
    const lock = await lockFile(`${folder}/${LOCK}`);
    if (lock === null) continue;
    lock.release();
    await localFiles().rm(folder, { recursive: true });
  }
}

/**
 * Rejects a path where anything but an empty folder exists.
 *
 * @throws {InputError} Names it.
 */
export async function requireVacant(path: string, action: string): Promise<void> {
  const stats = await statPath(path);
  const isEmpty = stats?.isDirectory() === true &&
    (await localFiles().readdir(path)).length === 0;
  if (stats === null || isEmpty) return;
  throw new InputError(`${action} ${path}: something exists there`, {
    remedy: "Pass a path that does not exist, or an empty folder",
  });
}

/**
 * Rejects a path inside a folder, also through links, which would then hold files that are not its own.
 *
 * @throws {InputError} Names both.
 */
export async function requireOutside(
  path: string,
  folder: string,
  action: string,
): Promise<void> {
  const { resolve, sep } = process.getBuiltinModule("node:path");
  // What does not exist yet will be where its nearest existing folder really is.
  const findReal = async (path: string): Promise<string> => {
    try {
      return await localFiles().realpath(path);
    } catch (error) {
      const parent = resolve(path, "..");
      if (!isMissing(error) || parent === path) throw error;
      return `${await findReal(parent)}${sep}${path.slice(parent.length).replace(/^[/\\]/, "")}`;
    }
  };
  const [inner, outer] = [await findReal(resolve(path)), await findReal(resolve(folder))];
  if (inner !== outer && !inner.startsWith(`${outer}${sep}`)) return;
  throw new InputError(`${action} ${path}: it is inside of ${folder}`, {
    remedy: "Pass a path outside of the dataset, whose files its manifest lists",
  });
}

/**
 * Rejects paths that are one path on a disk that ignores case, as those of macOS and Windows do.
 *
 * @throws {InputError} Names both.
 */
export function requireDistinctPaths(paths: readonly string[]): void {
  const pathByKey = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (const end of parts.keys()) {
      const part = parts.slice(0, end + 1).join("/");
      const earlierPart = pathByKey.get(part.toLowerCase());
      if (earlierPart === undefined) pathByKey.set(part.toLowerCase(), part);
      else if (earlierPart !== part) {
        throw new InputError(`Cannot publish a dataset: two names differ only in case`, {
          facts: { one: earlierPart, other: part },
          remedy: "Rebuild the dataset, which gives its files their names",
        });
      }
    }
  }
}

const BLOCK_BYTES = 1 << 20;

/**
 * Writes lines into a file, packed with zstd and with a checksum; equal lines give equal bytes.
 *
 * @param file Path of the file; replaced if it exists.
 * @param lines With their newlines, cut anywhere.
 */
export async function packLines(file: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  await using handle: OpenFile = await localFiles().open(file, "w");
  const { constants, createZstdCompress } = process.getBuiltinModule("node:zlib");
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const writing = (async () => {
    for await (const chunk of packing) await writeAll(handle, chunk);
  })();
  writing.catch(() => packing.destroy());
  // Blocks of one size, each packed before the next is written: otherwise the bytes would depend on
  // how lines arrive.
  const pack = (block: Uint8Array) =>
    Promise.race([new Promise((done) => packing.write(block, done)), writing]);
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
  await writing;
  await handle.sync();
}
