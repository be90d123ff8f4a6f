import { formatSeconds } from "./seconds.ts";
import { write } from "./say.ts";

/** The output for progress. */
export interface Screen {
  /** Writes bytes, like `Deno.stderr`. */
  writeSync(bytes: Uint8Array): number;
  /** Whether a line can be overwritten. */
  isTerminal(): boolean;
  /** Width of a line, in characters. */
  columns(): number;
}

/** The terminal on stderr. */
export const STDERR: Screen = {
  writeSync: (bytes) => Deno.stderr.writeSync(bytes),
  isTerminal: () => Deno.stderr.isTerminal(),
  columns: () => Deno.consoleSize().columns,
};

const TERMINAL_TICK_MS = 200;
/** Interval of lines in a log. */
const LOG_TICK_MS = 10_000;
const MIN_WIDTH = 20;
const DEFAULT_WIDTH = 80;

/**
 * Shows the current step and its duration, until disposed.
 *
 * A terminal has one line that is overwritten; other outputs get a line every ten seconds.
 */
export class Progress implements Disposable {
  readonly #screen: Screen;
  readonly #startedAt = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #now: string;
  #drawn = false;

  /** Starts with a step. */
  constructor(now: string, screen: Screen = STDERR) {
    this.#now = now;
    this.#screen = screen;
    const tick = screen.isTerminal() ? TERMINAL_TICK_MS : LOG_TICK_MS;
    this.#timer = setInterval(() => this.#draw(), tick);
    this.#draw();
  }

  /** Duration so far, in milliseconds. */
  get elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  /** Starts the next step. */
  update(now: string): void {
    this.#now = now;
    if (this.#screen.isTerminal()) this.#draw();
  }

  /** Writes a permanent line. */
  say(line: string): void {
    this.#erase();
    write(this.#screen, `${line}\n`);
  }

  /** Clears the progress line. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #draw(): void {
    const time = ` (${formatSeconds(this.elapsed)})`;
    if (!this.#screen.isTerminal()) return write(this.#screen, `${this.#now}${time}\n`);
    const room = this.#width() - time.length;
    const now = this.#now.length > room ? `${this.#now.slice(0, room - 1)}…` : this.#now;
    write(this.#screen, `\r\x1b[K${now}${time}`);
    this.#drawn = true;
  }

  /** Truncates to the width of a line; a terminal with an unknown width reports 0. */
  #width(): number {
    const columns = this.#screen.columns();
    return columns < MIN_WIDTH ? DEFAULT_WIDTH - 1 : columns - 1;
  }

  #erase(): void {
    if (this.#drawn) write(this.#screen, "\r\x1b[K");
    this.#drawn = false;
  }
}
