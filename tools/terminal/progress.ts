import { seconds } from "./seconds.ts";
import { write } from "./say.ts";

/** Where progress is written, and what it can do. */
export interface Screen {
  /** Takes bytes, as `Deno.stderr` does. */
  writeSync(bytes: Uint8Array): number;
  /** Whether a line can be written over. */
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
/** A log is read later: a line now and then is enough to see that work goes on. */
const LOG_TICK_MS = 10_000;
const NARROWEST = 20;
const USUAL_WIDTH = 80;

/**
 * Says what goes on and for how long, until it is disposed of.
 *
 * On a terminal one line is written over; anywhere else a line is written every ten seconds.
 */
export class Progress implements Disposable {
  readonly #screen: Screen;
  readonly #started = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #now: string;
  #drawn = false;

  /** Begins with what goes on now. */
  constructor(now: string, screen: Screen = STDERR) {
    this.#now = now;
    this.#screen = screen;
    const tick = screen.isTerminal() ? TERMINAL_TICK_MS : LOG_TICK_MS;
    this.#timer = setInterval(() => this.#draw(), tick);
    this.#draw();
  }

  /** How long it has been going on, in milliseconds. */
  get elapsed(): number {
    return performance.now() - this.#started;
  }

  /** Says what goes on from now on. */
  update(now: string): void {
    this.#now = now;
    if (this.#screen.isTerminal()) this.#draw();
  }

  /** Writes a line that stays. */
  say(line: string): void {
    this.#erase();
    write(this.#screen, `${line}\n`);
  }

  /** Takes the running line away. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #draw(): void {
    const time = ` (${seconds(this.elapsed)})`;
    if (!this.#screen.isTerminal()) return write(this.#screen, `${this.#now}${time}\n`);
    const room = this.#width() - time.length;
    const now = this.#now.length > room ? `${this.#now.slice(0, room - 1)}…` : this.#now;
    write(this.#screen, `\r\x1b[K${now}${time}`);
    this.#drawn = true;
  }

  /** What fits on a line; a terminal that does not know its width says 0. */
  #width(): number {
    const columns = this.#screen.columns();
    return columns < NARROWEST ? USUAL_WIDTH - 1 : columns - 1;
  }

  #erase(): void {
    if (this.#drawn) write(this.#screen, "\r\x1b[K");
    this.#drawn = false;
  }
}
