import { InputError } from "../../errors/mod.ts";
import type { DatasetPaths } from "./dataset_paths.ts";

/** The right to write a dataset, until it is disposed of or the process ends. */
export type HeldLock = Disposable;

/**
 * Takes the right to write a dataset. The system takes it back when the process ends, however it
 * ends.
 *
 * @throws {InputError} If another process, or another call of this one, has it.
 */
export async function holdLock(paths: DatasetPaths, action: string): Promise<HeldLock> {
  const file = await Deno.open(paths.lock, { create: true, read: true, write: true });
  let isHeld = false;
  try {
    isHeld = await file.tryLock(true);
  } finally {
    if (!isHeld) file.close();
  }
  if (isHeld) return file;
  throw new InputError(`${action} ${paths.folder}: it is being written already`, {
    remedy: "Wait until the other export or rebuild of this folder has ended, or stop it",
  });
}
