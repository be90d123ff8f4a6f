import { hideSecrets } from "../../errors/secrets.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { exitCodeOf } from "../terminal/exit_code_of.ts";
import type { Io } from "../terminal/io.ts";
import { Session, type Verbosity } from "../terminal/session.ts";
import { showError } from "../terminal/show_error.ts";
import { commandLine } from "../words/command_line.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { buildProgram } from "./build_program.ts";

/** Runs the command that the words name, and shows its error. */
export async function runCommand(
  args: readonly string[],
  io: Io,
  commands: readonly CommandSpec[],
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  let running: CommandSpec | undefined;
  const program = buildProgram({ commands, raw: args }, async (spec, given) => {
    running = spec;
    code = await spec.run(new Session(io, settingsOf(given)), given);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (io.signal.aborted) {
      showInterruption(io, running, args);
      return EXIT.interrupted;
    }
    const exitCode = exitCodeOf(error);
    const name = running?.name ?? commandIn(args, commands);
    showError(io, error, {
      isVerbose: args.includes("--verbose"),
      hint: exitCode === EXIT.usage ? `orderlens${name === "" ? "" : ` ${name}`}` : undefined,
    });
    const mayGoOn = exitCode === EXIT.failed || exitCode === EXIT.comeBackLater;
    if (running?.isResumable === true && mayGoOn && !args.includes("--quiet")) {
      io.err.write(hideSecrets(`To go on: the same command\n  ${commandLine(args)}\n`));
    }
    return exitCode;
  }
}

function showInterruption(
  { err }: Io,
  running: CommandSpec | undefined,
  args: readonly string[],
): void {
  const how = running?.isResumable === true
    ? `Interrupted; everything is kept. The same command goes on:\n  ${commandLine(args)}\n`
    : "Interrupted\n";
  err.write(hideSecrets(how));
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
