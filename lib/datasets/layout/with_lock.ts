import { InputError } from "../../errors/mod.ts";
import type { DatasetPaths } from "./dataset_paths.ts";
import { withFile } from "./durable_files.ts";

/**
 * Does something with the right to write a dataset. The system takes the right back when the process
 * ends, however it ends.
 *
 * @throws {InputError} If another process, or another call of this one, has it.
 */
export async function withLock<Result>(
  paths: DatasetPaths,
  action: string,
  use: () => Promise<Result>,
): Promise<Result> {
  return await withFile(paths.lock, { create: true, read: true, write: true }, async (file) => {
    if (!await file.tryLock(true)) {
      throw new InputError(`${action} ${paths.folder}: it is being written already`, {
        remedy: "Wait until the other export or rebuild of this folder has ended, or stop it",
        cause: Object.assign(new Error("the lock is taken"), { code: "EBUSY" }),
      });
    }
    try {
      return await use();
    } finally {
      // Closing is not enough: a process that is just being started still has a copy of the file.
      await file.unlock();
    }
  });
}
