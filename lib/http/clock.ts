/**
 * Where a transport gets time from. Tests inject one that needs no waiting.
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
   * Whether time stands still but for waits, as in a simulation: what an attempt may take is then
   * timed by the machine's clock, since nobody waits by this one while an answer is made.
   *
   * @default {false}
   */
  readonly isVirtual?: boolean;
  /**
   * Resolves once `ms` milliseconds have passed. When `signal` aborts first, rejects with its reason
   * at once and leaves no timer behind.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest wait a timer takes; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock, unmoved by corrections of its wall time while the process runs. */
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
 * Every attempt sets one and hardly any rings. So on the machine's clock, which stands in for a virtual
 * one, it is a bare timer: to stop it takes much less than to break a wait off.
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
