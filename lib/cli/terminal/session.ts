import { hideSecrets } from "../../errors/secrets.ts";
import { visibleText } from "../../reports/page/page_content.ts";
import { formatCount, formatDuration, type Io, pluralize } from "./io.ts";

/** How far a long command is. */
export interface Progress {
  /** What it does now. */
  readonly phase: string;
  /** Things that are done, in all runs. */
  readonly done: number;
  /** All of them. */
  readonly total: number;
  /** Requests sent in this run; 0 for a command that sends none. */
  readonly requests: number;
  /** Requests that are still to be sent; `null` if that is not known. */
  readonly requestsLeft: number | null;
  /** Requests sent per minute; 0 before that is known. */
  readonly requestsPerMinute: number;
  /** When it goes on, in unix milliseconds, if it waits; else `null`. */
  readonly waitingUntilMs: number | null;
  /** Whether it waits for a deployment that is down. */
  readonly isDown?: boolean;
}

const TERMINAL_TICK_MS = 250;
/** Interval of lines where nobody watches. */
const LOG_TICK_MS = 30_000;

/**
 * What a progress line says: what is done, the rate, and how many requests and how much time are
 * left; or for how long it waits.
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

/** One line on a terminal that says how far a command is, and a line every 30 seconds elsewhere. */
export class ProgressLine implements Disposable {
  readonly #session: Session;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: Progress | undefined;
  #isDrawn = false;

  /** Starts, with nothing to say yet. */
  constructor(session: Session, options: { readonly tickMs?: number } = {}) {
    this.#session = session;
    if (session.verbosity === "quiet") return;
    const { tickMs = session.io.err.isTerminal ? TERMINAL_TICK_MS : LOG_TICK_MS } = options;
    this.#timer = setInterval(() => this.#draw(), tickMs);
  }

  /** Takes how far it is; it is shown at the next tick. */
  update(progress: Progress): void {
    this.#last = progress;
  }

  /** Takes how far something is that sends no requests. */
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
    const text = visibleText(formatProgress(this.#last, Date.now()));
    const { err } = this.#session.io;
    if (!err.isTerminal) return err.write(`${text}\n`);
    const room = Math.max(20, err.columns - 1);
    err.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`);
    this.#isDrawn = true;
  }
}

/** How much a command says besides its data. */
export type Verbosity = "quiet" | "usual" | "verbose";

/** Lines, and lists of any number of them. */
type Lines = readonly (string | readonly string[])[];

/** How a command is run: its streams, and how it is to use them. */
export class Session {
  /** The streams and the environment. */
  readonly io: Io;
  /** Whether data is printed as JSON. */
  readonly isJson: boolean;
  /** How much to say. */
  readonly verbosity: Verbosity;

  /** A session with its settings. */
  constructor(io: Io, settings: { readonly isJson: boolean; readonly verbosity: Verbosity }) {
    this.io = io;
    this.isJson = settings.isJson;
    this.verbosity = settings.verbosity;
  }

  /** Ends when the user interrupts. */
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

  /** Writes data as it is; to a terminal, what controls it as escapes. */
  write(text: string): void {
    this.io.out.write(this.io.out.isTerminal ? visibleText(text) : text);
  }

  /** Prints an object as one JSON text, whose `schema` is `orderlens/<thing>@1`; amounts are texts. */
  printJson(thing: string, value: object): void {
    const text = JSON.stringify(
      { schema: `orderlens/${thing}@1`, ...value },
      (_, item) => typeof item === "bigint" ? `${item}` : item,
      this.io.out.isTerminal ? 2 : undefined,
    );
    this.print(text);
  }

  /** Says something that is no data, unless it is to be quiet. */
  say(...lines: Lines): void {
    if (this.verbosity !== "quiet") this.#writeLines(lines.flat());
  }

  /** Says something that only `--verbose` asks for. */
  detail(...lines: Lines): void {
    if (this.verbosity === "verbose") this.#writeLines(lines.flat());
  }

  /** Warns, even if it is to be quiet. */
  warn(line: string): void {
    this.#writeLines([line], `${paint(this.io, "33", "Warning:")} `);
  }

  #writeLines(lines: readonly string[], prefix = ""): void {
    const text = lines.map((line) => `${visibleText(line)}\n`).join("");
    this.io.err.write(`${prefix}${hideSecrets(text)}`);
  }
}

/** A text in a colour of the terminal, where colours are wanted and seen. */
export function paint({ isColored, err }: Io, color: "31" | "33", text: string): string {
  return isColored && err.isTerminal ? `\x1b[${color}m${text}\x1b[0m` : text;
}
