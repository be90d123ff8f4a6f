/**
 * Source of time for a transport. Tests inject one that does not wait.
 *
 * @example A clock that counts instead of waiting
 * ```ts
 * import { type Clock, httpTransport } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const waits: number[] = [];
 * const clock: Clock = {
 *   now: () => 0,
 *   sleep: (ms, signal) =>
 *     new Promise((resolve, reject) => {
 *       if (ms === 30_000) return signal.addEventListener("abort", () => reject(signal.reason));
 *       waits.push(ms);
 *       resolve();
 *     }),
 * };
 * const answers = [
 *   new Response("", { status: 429, headers: { "retry-after": "7" } }),
 *   new Response("v2"),
 * ];
 * const transport = httpTransport("http://localhost", {
 *   clock,
 *   fetch: () => Promise.resolve(answers.shift() ?? Response.error()),
 * });
 *
 * const { body } = await transport.send({ method: "GET", path: "/api/v1/version" });
 *
 * assertEquals(body, "v2");
 * assertEquals(waits, [7000]);
 * ```
 */
export interface Clock {
  /** Milliseconds since the unix epoch; never runs backwards. */
  now(): number;
  /**
   * Whether time only passes during waits, as in a simulation. Attempts are then timed by the
   * system clock, since this clock stands still while an answer is produced.
   *
   * @default {false}
   */
  readonly isVirtual?: boolean;
  /**
   * Resolves once `ms` milliseconds have passed. If `signal` aborts first, rejects with its reason
   * at once and leaves no timer behind.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest wait that a timer supports; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system clock, unaffected by corrections of the wall time while the process runs. */
export const systemClock: Clock = {
  now(): number {
    return performance.timeOrigin + performance.now();
  },
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    for (let left = Math.ceil(ms); left > 0; left -= LONGEST_TIMER_MS) {
      await oneTimer(Math.min(left, LONGEST_TIMER_MS), signal);
    }
  },
};

/**
 * Calls `ring` once `ms` milliseconds have passed, unless it is stopped before.
 *
 * Every attempt sets an alarm and hardly any rings. On the system clock, which also replaces a
 * virtual one here, the alarm is therefore a plain timer: clearing it is much cheaper than aborting
 * a wait.
 *
 * @returns Stops it.
 */
export function alarm(clock: Clock, ms: number, ring: () => void): () => void {
  const isMachine = clock === systemClock || clock.isVirtual === true;
  if (isMachine && ms <= LONGEST_TIMER_MS) {
    const timer = setTimeout(ring, Math.ceil(ms));
    return () => clearTimeout(timer);
  }
  const stopped = new AbortController();
  clock.sleep(ms, stopped.signal).then(
    () => {
      if (!stopped.signal.aborted) ring();
    },
    () => {},
  );
  return () => stopped.abort(STOPPED);
}

const STOPPED = Symbol("stopped");

function oneTimer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    function onAbort(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
