import type { Clock } from "orderlens/http";

/** Options of {@linkcode TestClock}. */
export interface TestClockOptions {
  /** Waits at least this long stand until `advance`; shorter ones pass at once. Default 30 s. */
  readonly heldFromMs?: number;
  /** Time at the beginning, in milliseconds since the unix epoch. */
  readonly startMs?: number;
}

/** A clock without real waits: short waits pass at once and advance it, long ones on request. */
export class TestClock implements Clock {
  /** Short waits so far, in order. */
  readonly waitsMs: number[] = [];
  readonly #held = new Set<{ untilMs: number; resolve: () => void }>();
  readonly #heldFromMs: number;
  #nowMs: number;

  constructor({ heldFromMs = 30_000, startMs = Date.UTC(2026, 9, 3, 10) }: TestClockOptions = {}) {
    this.#heldFromMs = heldFromMs;
    this.#nowMs = startMs;
  }

  /** How many waits stand. */
  get held(): number {
    return this.#held.size;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (ms < this.#heldFromMs) {
        this.waitsMs.push(ms);
        this.#nowMs += ms;
        return resolve();
      }
      const wait = { untilMs: this.#nowMs + ms, resolve };
      this.#held.add(wait);
      signal.addEventListener("abort", () => {
        this.#held.delete(wait);
        reject(signal.reason);
      }, { once: true });
    });
  }

  /** Lets time pass, and with it the waits that are over. */
  advance(ms: number): void {
    this.#nowMs += ms;
    for (const wait of this.#held) {
      if (wait.untilMs > this.#nowMs) continue;
      this.#held.delete(wait);
      wait.resolve();
    }
  }
}
