/** Options of {@linkcode mapInOrder}. */
export interface MapInOrderOptions {
  /** Maximum number of concurrent tasks, at least 1. */
  readonly concurrency: number;
  /** Aborts all tasks. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a task for each input, several concurrently, and yields the results in input order.
 *
 * At most `concurrency` tasks are running, or finished but not yet consumed, so memory stays
 * bounded however slow the consumer is. Nothing starts before the first result is requested. When
 * the consumer stops, or a task fails, the running tasks are aborted through their signal.
 */
export async function* mapInOrder<I, O>(
  inputs: Iterable<I>,
  task: (input: I, signal: AbortSignal) => Promise<O>,
  { concurrency, signal }: MapInOrderOptions,
): AsyncGenerator<O, void, undefined> {
  const left = new AbortController();
  const ended = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  const waiting = Iterator.from(inputs);
  const running: Promise<O>[] = [];
  try {
    for (;;) {
      while (running.length < concurrency) {
        const next = waiting.next();
        if (next.done === true) break;
        const result = task(next.value, ended);
        // Results are awaited in order; a failure must not count as an unhandled rejection until
        // its turn.
        result.catch(() => {});
        running.push(result);
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    if (running.length > 0) left.abort();
  }
}
