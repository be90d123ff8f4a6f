import type { ExitCode } from "../terminal/exit_code.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "./given.ts";

/**
 * A permission that a command may need. Some are given only where the words ask for them: `net` where
 * a deployment or a node is named; `live` also where none is, since the public networks are asked then;
 * `output` where a file to write is named; `page` the same and, with `--open`, to run a program;
 * `native` for a file of Parquet; `engine` to find the folder of temporary files and, with `--engine spark`, to run it and find its folder.
 */
export type Permission =
  | "read"
  | "write"
  | "net"
  | "live"
  | "loopback"
  | "output"
  | "page"
  | "native"
  | "ffi"
  | "sys"
  | "env"
  | "webhook env"
  | "run"
  | "engine";

/** What completions offer: named lists, files, folders, or nothing. */
export type ValueKind = "network" | "recording" | "table" | "file" | "folder";

/** What may be written for a value. */
export type Values = ValueKind | readonly string[];

/** One option of a command. */
export interface OptionSpec {
  /** The option as help shows it: `--last <number>`. */
  readonly flags: string;
  /** What it does, in lower case and without a period. */
  readonly text: string;
  /** What may be written for its value. */
  readonly values?: Values;
  /** Whether it may be written several times. */
  readonly isRepeated?: true;
}

/** One argument of a command. */
export interface ArgumentSpec {
  /** The argument as help shows it: `<folder>`, `[names...]`. */
  readonly name: string;
  /** What it is. */
  readonly text: string;
  /** What may be written for it. */
  readonly values?: Values;
}

/** A line that can be run, and what it does. */
export interface Example {
  /** The words after `orderlens`. */
  readonly words: string;
  /** What it does, in a few words. */
  readonly text: string;
}

/** One command: the whole of its help and completions, and what it does. */
export interface CommandSpec {
  /** Its words: `export`, or `notebook new`. */
  readonly name: string;
  /** What it does, in one line of the list of commands. */
  readonly summary: string;
  /** More about it, in its own help. */
  readonly description?: string;
  /** Its arguments. */
  readonly arguments?: readonly ArgumentSpec[];
  /** Its options, besides those of every command. */
  readonly options?: readonly OptionSpec[];
  /** At least one line to try. */
  readonly examples: readonly Example[];
  /** The permissions it needs. */
  readonly permissions: readonly Permission[];
  /** Whether it goes on where it was interrupted, when it is run again. */
  readonly isResumable?: true;
  /** Whether words that it does not know go to another program. */
  readonly passesOn?: true;
  /** Does it. Rooms that it needs are imported here, so that help is quick. */
  run(session: Session, given: Given): Promise<ExitCode>;
}

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: "--json", text: "print data as JSON" },
  { flags: "--quiet", text: "say nothing but warnings and errors on stderr" },
  { flags: "--verbose", text: "say more, with the stack of an error" },
];
