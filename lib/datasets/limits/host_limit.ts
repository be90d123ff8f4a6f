import type { Clock } from "../../http/mod.ts";
import { orAborted } from "../../http/requests/or_aborted.ts";
import type { HostFile } from "./host_file.ts";
import { slowedDown, withNextPlace } from "./host_state.ts";

/** What a limit is for. */
export interface HostLimitOptions {
  /** What is known of the host. */
  readonly file: HostFile;
  /** Maximum requests per minute; `null` without a limit: then only pauses are kept. */
  readonly perMinute: number | null;
  /** Source of time. */
  readonly clock: Clock;
  /** Called when all requests wait, with the time until which, and with `null` when they go on. */
  readonly onPause: (untilMs: number | null) => void;
}

/**
 * Gives requests their turns, evenly spaced, so that all exports of the machine together stay within
 * the rate of a host; and lets all wait when the host asks for it.
 */
export class HostLimit {
  readonly #options: HostLimitOptions;
  #pausedUntilMs = 0;
  #lastTurn: Promise<void> = Promise.resolve();

  /** A limit on the requests to one host. */
  constructor(options: HostLimitOptions) {
    this.#options = options;
  }

  /** Resolves when the next request may be sent, in call order. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // One at a time: what waits behind takes no place from the exports of other processes.
    const before = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    try {
      await orAborted(before, signal);
      await this.#takePlace(signal);
    } finally {
      before.then(turn.resolve);
    }
  }

  /** No request is sent before a time; those of other exports wait too. */
  async pauseUntil(untilMs: number): Promise<void> {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return;
    await file.update(() => clock.now(), (state) => ({
      ...state,
      pausedUntilMs: Math.max(state.pausedUntilMs, untilMs),
    }));
  }

  /** Halves the rate, since a request was refused that was sent at `sentMs`. */
  async slowDown(sentMs: number): Promise<void> {
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return;
    await file.update(() => clock.now(), (state, nowMs) => slowedDown(state, sentMs, nowMs));
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await this.#pause(this.#pausedUntilMs, signal);
      const placeMs = await this.#nextPlace();
      if (placeMs === null) continue;
      const waitMs = placeMs - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      // A pause may have begun meanwhile.
      if (this.#pausedUntilMs <= clock.now()) return;
    }
  }

  /** The next place; `null` if the host is to be left alone for now. */
  async #nextPlace(): Promise<number | null> {
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return clock.now();
    let placeMs: number | null = null;
    const { pausedUntilMs } = await file.update(() => clock.now(), (state, nowMs) => {
      if (state.pausedUntilMs > nowMs) return state;
      const next = withNextPlace(state, perMinute, nowMs);
      placeMs = next.placeMs;
      return next.state;
    });
    if (placeMs === null) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pausedUntilMs);
    return placeMs;
  }

  async #pause(untilMs: number, signal: AbortSignal): Promise<void> {
    const { clock, onPause } = this.#options;
    const waitMs = untilMs - clock.now();
    if (waitMs <= 0) return;
    onPause(untilMs);
    await clock.sleep(waitMs, signal);
    if (this.#pausedUntilMs === untilMs) this.#pausedUntilMs = 0;
    onPause(null);
  }
}
