import type { Screen } from "../../tools/terminal/progress.ts";

/** A screen that keeps what is written on it. */
export class SilentScreen implements Screen {
  readonly #decoder = new TextDecoder();
  /** All that was written. */
  text = "";

  /** Makes a screen that is a log, or a terminal of so many columns. */
  constructor(readonly terminalColumns?: number) {}

  writeSync(bytes: Uint8Array): number {
    this.text += this.#decoder.decode(bytes);
    return bytes.length;
  }

  isTerminal(): boolean {
    return this.terminalColumns !== undefined;
  }

  columns(): number {
    return this.terminalColumns ?? 80;
  }
}
