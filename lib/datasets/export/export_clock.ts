import type { ExportState } from "../state/export_state.ts";

const MINUTE_MS = 60_000;

/** Where the times of an export are from. */
interface TimeSources {
  /** The clock of the deployment. */
  readonly clock: { now(): number };
  /** Has the time that the deployment's host told last, if it tells any. */
  readonly host: { readonly hostTimeMs: number | null };
  /** Keeps the latest time. */
  readonly state: ExportState;
}

/**
 * The times by which an export decides that something can no longer change. A clock that is wrong
 * must not end it too early: what is over is over by this machine's clock and by the host's, and
 * something was asked for first at the latest of them and of all earlier runs.
 */
export class ExportClock {
  readonly #sources: TimeSources;
  #latestMs: number;
  #keptMs: number;

  /** The times of one run. */
  constructor(sources: TimeSources) {
    this.#sources = sources;
    this.#latestMs = Number(sources.state.meta("latestMs") ?? 0);
    this.#keptMs = this.#latestMs;
  }

  /** The time that has passed for certain. */
  readonly now = (): number => {
    const { clock, host } = this.#sources;
    return Math.min(clock.now(), host.hostTimeMs ?? Infinity);
  };

  /** The latest time that it may be; kept to the minute, so that it never runs backwards. */
  readonly latest = (): number => {
    const { clock, host, state } = this.#sources;
    const latestMs = Math.max(this.#latestMs, clock.now(), host.hostTimeMs ?? 0);
    if (latestMs > this.#keptMs + MINUTE_MS) {
      state.setMeta("latestMs", String(latestMs));
      this.#keptMs = latestMs;
    }
    this.#latestMs = latestMs;
    return latestMs;
  };
}
