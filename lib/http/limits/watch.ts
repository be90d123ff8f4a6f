import { alarm, type Clock } from "../requests/clock.ts";
import { orAborted } from "../requests/or_aborted.ts";

const ENDED = Symbol("ended");

/**
 * Watches one attempt: its signal aborts when the caller's does, or when the timer between
 * `startTimer` and `stopTimer` expires. Must be ended, which removes timer and listener.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #stopAlarm: (() => void) | undefined;
  #isTimedOut = false;
  #isEnded = false;

  readonly #onCallerAbort = (): void => this.#controller.abort(this.#caller?.reason);

  /** Watches `caller` from now on, without starting the timer. */
  constructor(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    caller?.addEventListener("abort", this.#onCallerAbort);
    if (caller?.aborted) this.#onCallerAbort();
  }

  /** Aborts when the attempt must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the attempt timed out. */
  get isTimedOut(): boolean {
    return this.#isTimedOut;
  }

  /** Restarts the timer. */
  startTimer(): void {
    this.stopTimer();
    if (this.#timeoutMs === Infinity || this.#isEnded) return;
    this.#stopAlarm = alarm(this.#clock, this.#timeoutMs, () => {
      this.#isTimedOut = true;
      this.#controller.abort(new DOMException("The answer took too long", "TimeoutError"));
    });
  }

  /** Stops the timer. */
  stopTimer(): void {
    this.#stopAlarm?.();
    this.#stopAlarm = undefined;
  }

  /** Stops watching; pending work continues. */
  end(): void {
    this.#isEnded = true;
    this.stopTimer();
    this.#caller?.removeEventListener("abort", this.#onCallerAbort);
  }

  /** Stops watching and aborts pending work. */
  cancel(): void {
    this.end();
    if (!this.signal.aborted) this.#controller.abort(ENDED);
  }

  /**
   * Settles like `promise`, or rejects with the signal's reason as soon as it aborts, even if the
   * promise ignores the signal; a late value goes to `discard`.
   */
  async until<T>(promise: Promise<T>, discard: (late: T) => void): Promise<T> {
    try {
      return await orAborted(promise, this.signal);
    } catch (error) {
      promise.then(discard, () => {});
      throw error;
    }
  }
}
