import { hideSecrets } from "../../errors/secrets.ts";
import { visibleText } from "../../reports/page/safe_text.ts";
import type { Io } from "./io.ts";

/** How much a command says besides its data. */
export type Verbosity = "quiet" | "usual" | "verbose";

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

  /** Prints lines of data. */
  print(...lines: readonly string[]): void {
    this.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Writes data as it is; to a terminal, what controls it as escapes. */
  write(text: string): void {
    this.io.out.write(this.io.out.isTerminal ? visibleText(text) : text);
  }

  /** Prints an object as one JSON text, whose `schema` is `orderlens/<thing>@1`; amounts are texts. */
  printJson(thing: string, value: object): void {
    const text = JSON.stringify(
      { schema: `orderlens/${thing}@1`, ...value },
      (_, each) => typeof each === "bigint" ? `${each}` : each,
      this.io.out.isTerminal ? 2 : undefined,
    );
    this.print(text);
  }

  /** Says something that is no data, unless it is to be quiet. */
  say(...lines: readonly string[]): void {
    if (this.verbosity !== "quiet") this.#tell(lines);
  }

  /** Says something that only `--verbose` asks for. */
  detail(...lines: readonly string[]): void {
    if (this.verbosity === "verbose") this.#tell(lines);
  }

  /** Warns, even if it is to be quiet. */
  warn(line: string): void {
    this.#tell([line], `${painted(this.io, "33", "Warning:")} `);
  }

  #tell(lines: readonly string[], before = ""): void {
    const text = lines.map((line) => `${visibleText(line)}\n`).join("");
    this.io.err.write(`${before}${hideSecrets(text)}`);
  }
}

/** A text in a colour of the terminal, where colours are wanted and seen. */
export function painted({ isColored, err }: Io, color: "31" | "33", text: string): string {
  return isColored && err.isTerminal ? `\x1b[${color}m${text}\x1b[0m` : text;
}
