import { VERSION } from "../http/transport.ts";
import type { CommandSpec } from "./arguments/command_line.ts";
import { formatCommandHelp, formatGroupHelp, formatProgramHelp } from "./arguments/help_text.ts";
import { COMMANDS } from "./commands/commands.ts";
import { EXIT, type ExitCode, type Io, type Output } from "./terminal/io.ts";

/**
 * Runs the command line. Help loads neither the parser nor other rooms, and is therefore quick.
 *
 * @param args The words after `orderlens`.
 * @param io The streams and the environment.
 * @param commands All commands.
 * @returns The exit code.
 */
export async function run(
  args: readonly string[],
  io: Io,
  commands: readonly CommandSpec[] = COMMANDS,
): Promise<ExitCode> {
  if (args[0] === "--version") {
    io.out.write(`${VERSION}\n`);
    return EXIT.done;
  }
  const help = findHelp(args, commands, io.out);
  if (help !== null) {
    io.out.write(help);
    return EXIT.done;
  }
  const isGroup = args.length === 1 && commands.some(({ name }) => name.startsWith(`${args[0]} `));
  if (args.length === 0 || isGroup) {
    io.err.write(formatHelp(args, commands, io.err) ?? "");
    return EXIT.usage;
  }
  const { runCommand } = await import("./commands/run_command.ts");
  return await runCommand(args, io, commands);
}

const MAX_WIDTH = 100;
const MIN_WIDTH = 40;

/**
 * Returns the help that is requested with `help`, `--help` or `-h`; `null` if none is, or for a command
 * that does not exist.
 */
function findHelp(
  args: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const end = args.indexOf("--");
  const head = end === -1 ? args : args.slice(0, end);
  const words = head[0] === "help" ? head.slice(1) : head;
  const isAsked = head[0] === "help" || head.includes("--help") || head.includes("-h");
  return isAsked ? formatHelp(words.filter((word) => !word.startsWith("-")), commands, out) : null;
}

/** Formats the help of the program, a group or a command; `null` for unknown words. */
function formatHelp(
  words: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const width = out.isTerminal ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, out.columns)) : MAX_WIDTH;
  const [first, second] = words;
  if (first === undefined) return formatProgramHelp(commands, width);
  const spec = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (spec !== undefined) return formatCommandHelp(spec, width);
  const members = commands.filter(({ name }) => name.startsWith(`${first} `));
  return members.length > 0 && second === undefined ? formatGroupHelp(first, members, width) : null;
}
