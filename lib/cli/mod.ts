/**
 * The command line: words to one call, its result to stdout, progress to stderr, an error to an exit
 * code. A program, not an entry point of the package.
 *
 * @module
 */
export { run } from "./run.ts";
export { COMMANDS } from "./commands/commands.ts";
export type {
  ArgumentSpec,
  CommandSpec,
  Example,
  OptionSpec,
  Permission,
  ValueKind,
  Values,
} from "./words/command_spec.ts";
export type { Given } from "./words/given.ts";
export type { IdRange } from "./words/id_range.ts";
export type { ExitCode } from "./terminal/exit_code.ts";
export type { Io, Output } from "./terminal/io.ts";
export type { Session, Verbosity } from "./terminal/session.ts";
