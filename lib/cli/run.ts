import { VERSION } from "../http/transport.ts";
import type { CommandSpec } from "./arguments/command_line.ts";
import { commandHelp, groupHelp, programHelp } from "./arguments/help_text.ts";
import { COMMANDS } from "./commands/commands.ts";
import { EXIT, type ExitCode, type Io, type Output } from "./terminal/io.ts";

/**
 * Runs the command line. Help needs neither the parser nor a room, and is therefore quick.
 *
 * @param args The words after `orderlens`.
 * @param io The streams and the environment.
 * @param commands The commands that there are.
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
  const help = helpFor(args, commands, io.out);
  if (help !== null) {
    io.out.write(help);
    return EXIT.done;
  }
  const isGroup = args.length === 1 && commands.some(({ name }) => name.startsWith(`${args[0]} `));
  if (args.length === 0 || isGroup) {
    io.err.write(helpOf(args, commands, io.err) ?? "");
    return EXIT.usage;
  }
  const { runCommand } = await import("./commands/run_command.ts");
  return await runCommand(args, io, commands);
}

const WIDEST = 100;
const NARROWEST = 40;

/**
 * The help that words ask for with `help`, `--help` or `-h`; `null` if they ask for none, or for that
 * of a command that does not exist.
 */
function helpFor(
  args: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const words = own[0] === "help" ? own.slice(1) : own;
  const isAsked = own[0] === "help" || own.includes("--help") || own.includes("-h");
  return isAsked ? helpOf(words.filter((word) => !word.startsWith("-")), commands, out) : null;
}

/** Help of the program or of what the words name; `null` if they name nothing. */
function helpOf(
  words: readonly string[],
  commands: readonly CommandSpec[],
  out: Output,
): string | null {
  const width = out.isTerminal ? Math.min(WIDEST, Math.max(NARROWEST, out.columns)) : WIDEST;
  const [first, second] = words;
  if (first === undefined) return programHelp(commands, width);
  const spec = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (spec !== undefined) return commandHelp(spec, width);
  const members = commands.filter(({ name }) => name.startsWith(`${first} `));
  return members.length > 0 && second === undefined ? groupHelp(first, members, width) : null;
}
