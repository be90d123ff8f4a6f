import { dirname } from "node:path";

/** Wait after which `waiting` is called, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Acquires the lock file at `path`, and holds it until disposed.
 *
 * The system releases it when the process ends in any way.
 *
 * @param waiting Called once if acquiring takes longer than `patienceMs`.
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
