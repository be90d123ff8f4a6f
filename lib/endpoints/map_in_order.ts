/** How many tasks at once, and what ends them all. */
export interface MapInOrderOptions {
  /** Most tasks under way, at least 1. */
  readonly concurrency: number;
  /** Ends everything. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a task for each input, several at once, and gives the results in the order of the inputs.
 *
 * At most `concurrency` tasks are under way or done and not yet taken, so memory stays flat however
 * slow the taker is. Nothing starts before the first result is wanted. When the taker leaves, or a
 * task fails, the tasks under way are ended through the signal they were given.
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
        // Results are awaited in order; until its turn a failure is no unhandled rejection.
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
