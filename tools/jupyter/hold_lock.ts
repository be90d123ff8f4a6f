import { dirname } from "node:path";

/**
 * Waits until no other process holds the lock file at `path`, and holds it until disposed of.
 *
 * The system lets go of it when the process ends, however it ends.
 *
 * @param waiting Called once if another process holds it now.
 */
export async function holdLock(path: string, waiting: () => void): Promise<Disposable> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const file = await Deno.open(path, { create: true, write: true });
  if (!file.tryLockSync(true)) {
    waiting();
    await file.lock(true);
  }
  return { [Symbol.dispose]: () => file.close() };
}
