import { type Args, usageError } from "../arguments/command_line.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";
import { cloneFile } from "./new_notebook.ts";

/**
 * Runs a program of `tools/` with words of the command line, in its own process and with all
 * permissions, and ends as it ends.
 *
 * @throws {InputError} If this is not a clone of the project.
 */
export async function runTool(
  session: Session,
  args: Args,
  { tool, words }: { readonly tool: string; readonly words: readonly string[] },
): Promise<ExitCode> {
  const file = await cloneFile(tool);
  if (file === null) {
    throw usageError(
      `${args.cannot}: it needs a clone of the project, and ${tool} is not there`,
      "Clone the repository, and run it from there",
    );
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", file, ...words],
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // Ctrl+C also reaches the child, which ends in its own way.
  const end = () => {
    if (session.signal.reason?.message === "SIGTERM") child.kill("SIGTERM");
  };
  session.signal.addEventListener("abort", end, { once: true });
  const { code } = await child.status;
  return session.signal.aborted ? EXIT.interrupted : code;
}
