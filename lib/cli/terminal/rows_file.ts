import { writeAll } from "../../datasets/layout/files.ts";
import { lockFile } from "../../datasets/layout/folders.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles, type OpenFile } from "../../http/local_files.ts";
import { splitLines } from "../../recordings/recording.ts";

/** Rows written between two syncs to the disk. */
const ROWS_PER_SYNC = 64;

/** A file of lines to append to, which an interrupted run leaves intact up to its last whole line. */
export class RowsFile implements AsyncDisposable {
  readonly #file: OpenFile;
  readonly #lock: { release(): void };
  #unsynced = 0;

  private constructor(file: OpenFile, lock: { release(): void }) {
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * Locks and opens a file, and truncates a partial row after its last line.
   *
   * @param path Path of the file; it is created if it does not exist.
   * @param start Beginning of the first line: a partial one is ours only if it agrees.
   * @param take Called with each line and its line break, in order; returns whether the line is valid.
   * @throws {InputError} If another process uses it, or a line is not valid.
   */
  static async open(
    path: string,
    start: string,
    take: (line: string) => boolean,
  ): Promise<RowsFile> {
    const lock = await lockOrReject(path);
    let file: OpenFile | undefined;
    try {
      file = await openOrReject(path);
      await file.truncate(await readLines(path, start, take));
      return new RowsFile(file, lock);
    } catch (error) {
      await file?.close();
      lock.release();
      throw error;
    }
  }

  /** Appends a line. */
  async append(line: string): Promise<void> {
    await writeAll(this.#file, new TextEncoder().encode(line));
    if (++this.#unsynced < ROWS_PER_SYNC) return;
    this.#unsynced = 0;
    await this.#file.datasync();
  }

  /** Syncs the file to the disk, and closes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    this.#lock.release();
  }
}

/**
 * Opens a file to read and append; creates it if it does not exist.
 *
 * @throws {InputError} If it cannot be opened, as in a folder that does not exist.
 */
async function openOrReject(path: string): Promise<OpenFile> {
  try {
    return await localFiles().open(path, "a+");
  } catch (cause) {
    throw writeError(path, cause);
  }
}

/**
 * Locks `<path>.lock` for this process; the system releases it when the process ends.
 *
 * @throws {InputError} If another process holds it, or it cannot be created.
 */
export async function lockOrReject(path: string): Promise<{ release(): void }> {
  let lock: { release(): void } | null;
  try {
    lock = await lockFile(`${path}.lock`);
  } catch (cause) {
    throw writeError(path, cause);
  }
  if (lock !== null) return lock;
  throw new InputError(`Cannot use ${path}: another process is using it`, {
    remedy: "Wait until it has ended, or pass another file",
  });
}

function writeError(path: string, cause: unknown): InputError {
  return new InputError(`Cannot write ${path}`, {
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    remedy: "Pass a path in a folder that exists and can be written, on a disk with free space",
    cause,
  });
}

/** Reads whole lines, and returns the offset of the end of the last one, in bytes. */
async function readLines(
  path: string,
  start: string,
  take: (line: string) => boolean,
): Promise<number> {
  const file = await localFiles().open(path);
  let end = 0;
  for await (const { bytes, isEnded } of splitLines(file.createReadStream())) {
    const line = new TextDecoder().decode(bytes);
    const isOwn = isEnded
      ? take(`${line}\n`)
      : end > 0 || start.startsWith(line) || line.startsWith(start);
    if (!isOwn) throw foreignLineError(path, line);
    if (isEnded) end += bytes.length + 1;
  }
  return end;
}

function foreignLineError(path: string, line: string): InputError {
  return new InputError(
    `Cannot continue with ${path}: it has a line that this command did not write`,
    {
      facts: { line: line.slice(0, 80).trimEnd() },
      remedy: "Pass the file and the format of the first run, or another file",
    },
  );
}
