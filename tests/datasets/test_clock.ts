import type { Clock } from "orderlens/http";

/** A clock whose waits take no time, and which keeps how long they were. */
export class TestClock implements Clock {
  /** Unix milliseconds. */
  ms: number;
  /** Waits, in milliseconds. */
  readonly waits: number[] = [];
  readonly #sleepers: { readonly untilMs: number; readonly wake: () => void }[] = [];

  /** Begins at a time. */
  constructor(ms = Date.UTC(2026, 10, 22)) {
    this.ms = ms;
  }

  now(): number {
    return this.ms;
  }

  /** Sleepers wake one after another, the one with the earliest time first. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    return new Promise((resolve) => {
      this.#sleepers.push({ untilMs: this.ms + ms, wake: resolve });
      setTimeout(() => this.#wakeOne(), 0);
    });
  }

  #wakeOne(): void {
    this.#sleepers.sort((a, b) => a.untilMs - b.untilMs);
    const next = this.#sleepers.shift();
    if (next === undefined) return;
    this.ms = Math.max(this.ms, next.untilMs);
    next.wake();
  }
}
