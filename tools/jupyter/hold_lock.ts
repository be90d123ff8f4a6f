import { dirname } from "node:path";

/** A lock that is let go of this soon is not worth a word. */
const PATIENCE_MS = 1000;

/**
 * Waits until no other process holds the lock file at `path`, and holds it until disposed of.
 *
 * The system lets go of it when the process ends, however it ends.
 *
 * @param waiting Called once if that takes longer than `patienceMs`.
 */
export async function holdLock(
  path: string,
  waiting: () => void,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Disposable> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const file = await Deno.open(path, { create: true, write: true });
  const impatient = setTimeout(waiting, patienceMs);
  try {
    await file.lock(true);
  } finally {
    clearTimeout(impatient);
  }
  return { [Symbol.dispose]: () => file.close() };
}
