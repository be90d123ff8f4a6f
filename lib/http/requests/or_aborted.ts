/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    function onAbort(): void {
      reject(signal.reason);
    }
    function over(): void {
      signal.removeEventListener("abort", onAbort);
    }
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    promise.then(
      (value) => {
        over();
        resolve(value);
      },
      (error) => {
        over();
        reject(error);
      },
    );
  });
}
