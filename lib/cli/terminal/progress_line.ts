import { counted, duration, grouped } from "./in_words.ts";
import type { Session } from "./session.ts";

/** How far a long command is. */
export interface Progress {
  /** What it does now. */
  readonly phase: string;
  /** Things that are done, in all runs. */
  readonly done: number;
  /** All of them. */
  readonly total: number;
  /** Requests sent in this run. */
  readonly requests: number;
}

/** A moment of a run. */
interface Moment extends Progress {
  /** Milliseconds since the run began. */
  readonly atMs: number;
}

const TERMINAL_TICK_MS = 250;
/** Interval of lines where nobody watches. */
const LOG_TICK_MS = 30_000;
/** A rate is told once so much of a run is known. */
const RATE_AFTER_MS = 2_000;
const MINUTE_MS = 60_000;

/**
 * What a progress line says: what is done, the rate, and how many requests and how much time are
 * left, as far as the run shows.
 */
export function progressText(first: Moment, now: Moment): string {
  const { phase, done, total, requests } = now;
  const share = total === 0 ? "" : ` (${Math.floor(done * 100 / total)}%)`;
  const parts = [`${phase}: ${grouped(done)} of ${grouped(total)}${share}`];
  const [ran, sent, ended] = [
    now.atMs - first.atMs,
    requests - first.requests,
    done - first.done,
  ];
  if (sent > 0 && ran >= RATE_AFTER_MS) {
    parts.push(`${grouped(Math.round(sent * MINUTE_MS / ran))} requests a minute`);
    if (ended > 0 && done < total) {
      const left = Math.ceil((total - done) * sent / ended);
      parts.push(`about ${counted(left, "request")} left`, `${duration(left * ran / sent / 1000)}`);
    }
  } else if (requests > 0) parts.push(counted(requests, "request"));
  return parts.join(", ");
}

/** One line on a terminal that says how far a command is, and a line every 30 seconds elsewhere. */
export class ProgressLine implements Disposable {
  readonly #session: Session;
  readonly #now: () => number;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #first: Moment | undefined;
  #last: Moment | undefined;
  #isDrawn = false;

  /** Starts, with nothing to say yet. */
  constructor(session: Session, options: { readonly now?: () => number; tickMs?: number } = {}) {
    this.#session = session;
    this.#now = options.now ?? (() => performance.now());
    if (session.verbosity === "quiet") return;
    const { tickMs = session.io.err.isTerminal ? TERMINAL_TICK_MS : LOG_TICK_MS } = options;
    this.#timer = setInterval(() => this.#draw(), tickMs);
  }

  /** Takes how far it is; it is shown at the next tick. */
  update(progress: Progress): void {
    this.#last = { ...progress, atMs: this.#now() };
    this.#first ??= this.#last;
  }

  /** Removes the line. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#isDrawn) this.#session.io.err.write("\r\x1b[K");
  }

  #draw(): void {
    if (this.#first === undefined || this.#last === undefined) return;
    const text = progressText(this.#first, { ...this.#last, atMs: this.#now() });
    const { err } = this.#session.io;
    if (!err.isTerminal) return err.write(`${text}\n`);
    const room = Math.max(20, err.columns - 1);
    err.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`);
    this.#isDrawn = true;
  }
}
