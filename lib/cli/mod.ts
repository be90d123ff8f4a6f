/**
 * The command line: parses words into one call, and prints its result to stdout, progress to stderr, and
 * errors with an exit code. A program, not an entry point of the package.
 *
 * @module
 */
export { run } from "./run.ts";
export { COMMANDS } from "./commands/commands.ts";
export type { Args, CommandSpec, IdRange, Permission, Texts } from "./arguments/command_line.ts";
export type { ExitCode, Io, Output } from "./terminal/io.ts";
export type { Session, Verbosity } from "./terminal/session.ts";
