import type { Clock } from "orderlens/http";

/** A clock whose waits take no time, and which keeps how long they were. */
export class TestClock implements Clock {
  /** Unix milliseconds. */
  ms: number;
  /** Waits, in milliseconds. */
  readonly waits: number[] = [];

  /** Begins at a time. */
  constructor(ms = Date.UTC(2026, 10, 22)) {
    this.ms = ms;
  }

  now(): number {
    return this.ms;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const untilMs = this.ms + ms;
    this.waits.push(ms);
    await Promise.resolve();
    this.ms = Math.max(this.ms, untilMs);
  }
}
