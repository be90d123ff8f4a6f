/** One stream of text that a command writes. */
export interface Output {
  /** Writes a text; nothing once its reader has gone. */
  write(text: string): void;
  /** Whether a person reads it as it is written. */
  readonly isTerminal: boolean;
  /** Width of a line, in characters. */
  readonly columns: number;
}

/** What a command may use of the process that runs it. */
export interface Io {
  /** Data, and nothing else. */
  readonly out: Output;
  /** Progress, warnings and errors. */
  readonly err: Output;
  /** Whether colours are wanted: `NO_COLOR` is not set. */
  readonly isColored: boolean;
  /** Ends when the user interrupts. */
  readonly signal: AbortSignal;
  /** A variable of the environment; `undefined` if it is not set or empty. */
  env(name: string): string | undefined;
  /** All of stdin, as text. */
  readInput(): Promise<string>;
  /** Stdin as pieces of text, as they come. */
  readPieces(): AsyncIterable<string>;
}
