import { InputError } from "../../errors/mod.ts";

/** Rows that are written between two waits for the disk. */
const ROWS_A_SYNC = 64;

/** A file of lines that is appended to, and that a run which was interrupted left in order. */
export class RowsFile implements AsyncDisposable {
  readonly #file: Deno.FsFile;
  #unsynced = 0;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Opens a file for one process, and cuts what is behind its last line: half a row.
   *
   * @param path Where it is; it is made if there is none.
   * @param take Called with each line and its end, in order; whether it is a line of this file.
   * @throws {InputError} If another process has it, or a line in it is none of this kind.
   */
  static async open(path: string, take: (line: string) => boolean): Promise<RowsFile> {
    const file = await openOrReject(path);
    try {
      await lockOrReject(file, path);
      const end = await readLines(file, path, take);
      await file.truncate(end);
      // From the start.
      await file.seek(end, 0);
      return new RowsFile(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Appends a line. */
  async append(line: string): Promise<void> {
    const bytes = new TextEncoder().encode(line);
    for (let done = 0; done < bytes.length;) done += await this.#file.write(bytes.subarray(done));
    if (++this.#unsynced < ROWS_A_SYNC) return;
    this.#unsynced = 0;
    await this.#file.syncData();
  }

  /** Waits for the disk, and closes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.sync();
    await this.#file.unlock();
    this.#file.close();
  }
}

/**
 * Opens a file to read and write, and makes it if there is none.
 *
 * @throws {InputError} If it cannot be opened, as in a folder that does not exist.
 */
export async function openOrReject(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { read: true, write: true, create: true });
  } catch (cause) {
    throw new InputError(`Cannot write ${path}`, {
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      remedy: "Pass a path in a folder that is there and may be written",
      cause,
    });
  }
}

/**
 * Takes a file for this process alone; the system takes it back when the process ends.
 *
 * @throws {InputError} If another process has it.
 */
export async function lockOrReject(file: Deno.FsFile, path: string): Promise<void> {
  if (await file.tryLock(true)) return;
  throw new InputError(`Cannot use ${path}: another process is using it`, {
    remedy: "Wait until it has ended, or pass another file",
  });
}

/** Reads whole lines, and returns where the last one ends, in bytes. */
async function readLines(
  file: Deno.FsFile,
  path: string,
  take: (line: string) => boolean,
): Promise<number> {
  const bytes = new Uint8Array(65_536);
  const decoder = new TextDecoder();
  let [rest, end] = [new Uint8Array(0), 0];
  for (let size = await file.read(bytes); size !== null; size = await file.read(bytes)) {
    let data: Uint8Array = new Uint8Array(rest.length + size);
    data.set(rest);
    data.set(bytes.subarray(0, size), rest.length);
    for (let at = data.indexOf(0x0a); at !== -1; at = data.indexOf(0x0a)) {
      const line = decoder.decode(data.subarray(0, at + 1));
      if (!take(line)) throw foreignLine(path, line);
      end += at + 1;
      data = data.subarray(at + 1);
    }
    rest = data.slice();
  }
  return end;
}

function foreignLine(path: string, line: string): InputError {
  return new InputError(
    `Cannot continue with ${path}: it has a line that is not a row of this command`,
    {
      facts: { line: line.slice(0, 80).trimEnd() },
      remedy: "Pass the file and the format that it was begun with, or another file",
    },
  );
}
