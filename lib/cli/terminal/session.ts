import type { ExportProgress } from "../../datasets/export/export_options.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { escapeControls } from "../../reports/page/page_content.ts";
import { formatCount, formatDuration, type Io, pluralize } from "./io.ts";

/** Progress of a long command, as of an export; 0 requests for a command that sends none. */
export interface Progress extends Omit<ExportProgress, "phase" | "shard" | "isDown"> {
  /** Name of the current phase. */
  readonly phase: string;
  /** Whether it waits for a deployment that is down. */
  readonly isDown?: boolean;
}

const TERMINAL_TICK_MS = 250;
/** Interval of lines where stderr is no terminal. */
const LOG_TICK_MS = 30_000;

/**
 * Formats a progress line: items done, the rate, and the requests and time left, or the time until it
 * continues.
 */
export function formatProgress(progress: Progress, nowMs: number): string {
  const { phase, done, total, requests, requestsLeft, waitingUntilMs } = progress;
  const share = total === 0 ? "" : ` (${Math.floor(done * 100 / total)}%)`;
  const parts = [`${phase}: ${formatCount(done)} of ${formatCount(total)}${share}`];
  const rate = Math.round(progress.requestsPerMinute);
  if (waitingUntilMs !== null && waitingUntilMs > nowMs) {
    const reason = progress.isDown === true
      ? "the deployment is down"
      : "the service asked to wait";
    parts.push(`${reason}, continues in ${formatDuration((waitingUntilMs - nowMs) / 1000)}`);
  } else if (rate > 0) parts.push(`${formatCount(rate)} requests per minute`);
  else if (requests > 0) parts.push(pluralize(requests, "request"));
  if (requestsLeft !== null && requestsLeft > 0) {
    parts.push(`about ${pluralize(requestsLeft, "request")} left`);
    if (rate > 0) parts.push(formatDuration(requestsLeft * 60 / rate));
  }
  return parts.join(", ");
}

/** Shows progress: as one updated line on a terminal, as a line every 30 seconds elsewhere. */
export class ProgressLine implements Disposable {
  readonly #session: Session;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: Progress | undefined;
  #isDrawn = false;

  /** Starts without progress. */
  constructor(session: Session, options: { readonly tickMs?: number } = {}) {
    this.#session = session;
    if (session.verbosity === "quiet") return;
    const { tickMs = session.io.err.isTerminal ? TERMINAL_TICK_MS : LOG_TICK_MS } = options;
    this.#timer = setInterval(() => this.#draw(), tickMs);
  }

  /** Sets the progress; it is shown at the next tick. */
  update(progress: Progress): void {
    this.#last = progress;
  }

  /** Sets the progress of work without requests. */
  updateWork(phase: string, done: number, total: number): void {
    const noRequests = {
      requests: 0,
      requestsLeft: null,
      requestsPerMinute: 0,
      waitingUntilMs: null,
    };
    this.update({ phase, done, total, ...noRequests });
  }

  /** Removes the line. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#isDrawn) this.#session.io.err.write("\r\x1b[K");
  }

  #draw(): void {
    if (this.#last === undefined) return;
    const text = escapeControls(formatProgress(this.#last, Date.now()));
    const { err } = this.#session.io;
    if (!err.isTerminal) return err.write(`${text}\n`);
    const room = Math.max(20, err.columns - 1);
    err.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`);
    this.#isDrawn = true;
  }
}

/** Amount of output in addition to data. */
export type Verbosity = "quiet" | "usual" | "verbose";

/** Lines, and lists of lines. */
type Lines = readonly (string | readonly string[])[];

/** A run of a command: its streams and output settings. */
export class Session {
  /** The streams and the environment. */
  readonly io: Io;
  /** Whether to print data as JSON. */
  readonly isJson: boolean;
  /** Amount of output in addition to data. */
  readonly verbosity: Verbosity;

  /** Creates a session. */
  constructor(io: Io, settings: { readonly isJson: boolean; readonly verbosity: Verbosity }) {
    this.io = io;
    this.isJson = settings.isJson;
    this.verbosity = settings.verbosity;
  }

  /** Aborts when the user interrupts. */
  get signal(): AbortSignal {
    return this.io.signal;
  }

  /** Waits until the user interrupts. */
  async ended(): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise((stop) => this.signal.addEventListener("abort", stop, { once: true }));
  }

  /** Prints lines of data. */
  print(...lines: Lines): void {
    this.write(lines.flat().map((line) => `${line}\n`).join(""));
  }

  /** Writes data as it is; for a terminal, escapes control characters. */
  write(text: string): void {
    this.io.out.write(this.io.out.isTerminal ? escapeControls(text) : text);
  }

  /** Prints an object as one JSON text with the `schema` `orderlens/<thing>@1`; amounts are strings. */
  printJson(thing: string, value: object): void {
    const text = JSON.stringify(
      { schema: `orderlens/${thing}@1`, ...value },
      (_, item) => typeof item === "bigint" ? `${item}` : item,
      this.io.out.isTerminal ? 2 : undefined,
    );
    this.print(text);
  }

  /** Prints to stderr, unless `--quiet` was passed. */
  say(...lines: Lines): void {
    if (this.verbosity !== "quiet") this.#writeLines(lines.flat());
  }

  /** Prints to stderr if `--verbose` was passed. */
  detail(...lines: Lines): void {
    if (this.verbosity === "verbose") this.#writeLines(lines.flat());
  }

  /** Prints a warning to stderr, even with `--quiet`. */
  warn(line: string): void {
    this.#writeLines([line], `${paint(this.io, "33", "Warning:")} `);
  }

  #writeLines(lines: readonly string[], prefix = ""): void {
    const text = lines.map((line) => `${escapeControls(line)}\n`).join("");
    this.io.err.write(`${prefix}${hideSecrets(text)}`);
  }
}

/** Colors a text, if colors are enabled and stderr is a terminal. */
export function paint({ isColored, err }: Io, color: "31" | "33", text: string): string {
  return isColored && err.isTerminal ? `\x1b[${color}m${text}\x1b[0m` : text;
}
