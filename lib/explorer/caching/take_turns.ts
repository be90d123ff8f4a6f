/** Values between which others get their turn. */
const AT_ONCE = 20;

/**
 * Gives values one by one, and lets other requests go on after every few: answers of a recording
 * wait for nothing, so that reading many of them would stop the server.
 *
 * @param signal Ends it, with its reason.
 */
export async function* takeTurns<Value>(
  values: Iterable<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  let count = 0;
  for (const value of values) {
    if (++count % AT_ONCE === 0) await turn(signal);
    signal.throwIfAborted();
    yield value;
  }
}

/** Waits until others had their turn. */
async function turn(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, 0);
    signal.addEventListener("abort", end);
  });
}
