import { COMMANDS } from "./commands/commands.ts";
import { buildProgram } from "./program/build_program.ts";
import { shownCode } from "./program/words_program.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./terminal/exit_code.ts";
import type { Io } from "./terminal/io.ts";
import { Session, type Verbosity } from "./terminal/session.ts";
import { showError } from "./terminal/show_error.ts";
import type { CommandSpec } from "./words/command_spec.ts";
import type { Given } from "./words/given.ts";
import { usageError } from "./words/usage_error.ts";

/**
 * Runs the command line.
 *
 * @param args The words after `orderlens`.
 * @param io The streams and the environment.
 * @returns The exit code.
 */
export async function run(
  args: readonly string[],
  io: Io,
  commands: readonly CommandSpec[] = COMMANDS,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  let running: CommandSpec | undefined;
  const program = buildProgram({ commands, raw: args, io }, async (spec, given) => {
    running = spec;
    code = await spec.run(new Session(io, settingsOf(given)), given);
  });
  if (args.length === 0) {
    io.err.write(program.helpInformation());
    return EXIT.usage;
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    const shown = shownCode(error);
    if (shown !== null) return shown;
    if (io.signal.aborted) return interrupted(io, running);
    const exitCode = exitCodeOf(error);
    const name = running?.name ?? commandIn(args, commands);
    showError(io, error, {
      isVerbose: args.includes("--verbose"),
      hint: exitCode === EXIT.usage ? `orderlens${name === "" ? "" : ` ${name}`}` : undefined,
    });
    return exitCode;
  }
}

function interrupted({ err }: Io, running: CommandSpec | undefined): ExitCode {
  err.write(
    running?.isResumable === true
      ? "Interrupted; everything is kept. The same command goes on.\n"
      : "Interrupted.\n",
  );
  return EXIT.interrupted;
}

function settingsOf(given: Given): { isJson: boolean; verbosity: Verbosity } {
  const [isQuiet, isVerbose] = [given.has("--quiet"), given.has("--verbose")];
  if (isQuiet && isVerbose) {
    throw usageError(`${given.cannot} with --quiet and --verbose`, "Pass one of them");
  }
  return {
    isJson: given.has("--json"),
    verbosity: isQuiet ? "quiet" : isVerbose ? "verbose" : "usual",
  };
}

/** The command that the words begin with; empty if there is none. */
function commandIn(args: readonly string[], commands: readonly CommandSpec[]): string {
  const known = commands.map(({ name }) => name);
  return [args.slice(0, 2).join(" "), args[0] ?? ""].find((words) => known.includes(words)) ?? "";
}
