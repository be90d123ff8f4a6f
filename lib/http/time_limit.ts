/** Thrown by {@linkcode limitTime} once its time is over. */
export class TimeLimitError extends Error {}

/**
 * Runs a task with a signal that aborts after a time of the machine, or with another signal.
 *
 * @throws {TimeLimitError} If the task fails once the time is over.
 */
export async function limitTime<Value>(
  ms: number,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  try {
    return await task(
      signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    );
  } catch (cause) {
    if (signal?.aborted === true || !limit.signal.aborted) throw cause;
    throw new TimeLimitError(`there was no response within ${ms / 1_000} s`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Calls an action at once, and again after each interval until it is stopped. */
export function repeatEvery(ms: number, action: () => void): { stop(): void } {
  action();
  const timer = setInterval(action, ms);
  return { stop: () => clearInterval(timer) };
}
