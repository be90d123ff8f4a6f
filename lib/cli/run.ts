import { VERSION } from "../http/requests/user_agent.ts";
import { COMMANDS } from "./commands/commands.ts";
import { helpFor, helpOf } from "./help/help_for.ts";
import { EXIT, type ExitCode } from "./terminal/exit_code.ts";
import type { Io } from "./terminal/io.ts";
import type { CommandSpec } from "./words/command_spec.ts";

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
  const { runCommand } = await import("./program/run_command.ts");
  return await runCommand(args, io, commands);
}
