import { InputError } from "../../errors/mod.ts";
import { isMissing, statPath } from "../../http/local_files.ts";
import type { Args } from "../arguments/command_line.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/**
 * Runs a program of `tools/` with words of the command line, in its own process with all permissions.
 *
 * @returns The exit code of the program.
 *
 * @throws {InputError} If this is not a clone of the project.
 */
export async function runTool(
  session: Session,
  args: Args,
  { tool, words }: { readonly tool: string; readonly words: readonly string[] },
): Promise<ExitCode> {
  const file = await findCloneFile(tool);
  if (file === null) {
    throw args.error(
      `without a clone of the project: ${tool} is not there`,
      "Clone the repository, and run it from there",
    );
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", file, ...words],
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // Ctrl+C reaches every process of a terminal, so the child exits on its own; a signal to this process
  // alone is passed on.
  const end = () => {
    const isCtrlC = session.signal.reason?.message === "SIGINT" && Deno.stdin.isTerminal();
    if (!isCtrlC) child.kill("SIGTERM");
  };
  session.signal.addEventListener("abort", end, { once: true });
  const { code } = await child.status;
  return session.signal.aborted ? EXIT.interrupted : code;
}

const PROJECT = new URL("../../../", import.meta.url);

/** Returns the path of a file of the clone that this runs in; `null` if it does not exist. */
export async function findCloneFile(path: string): Promise<string | null> {
  if (PROJECT.protocol !== "file:") return null;
  const file = decodeURIComponent(new URL(path, PROJECT).pathname);
  return await statPath(file) === null ? null : file;
}

const OPENERS: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens a file in the default program of the system.
 *
 * @throws {InputError} If the system has no such program.
 */
export async function openFile(file: string): Promise<void> {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  if ((await runProgram(program, [...words, file]))?.code === 0) return;
  throw new InputError(`Cannot open ${file}: ${program} does not open it`, {
    remedy: "Open it in a browser",
  });
}

/** Output of a program that ended. */
export interface ProgramOutput {
  /** Its exit code. */
  readonly code: number;
  /** Text of its standard output. */
  readonly stdout: string;
  /** Text of its standard error. */
  readonly stderr: string;
}

/** Runs a program without input until it ends; returns `null` if it does not exist. */
export async function runProgram(
  program: string,
  args: readonly string[],
): Promise<ProgramOutput | null> {
  // Without permission to read the whole environment, Deno starts programs only with its own API.
  if (typeof Deno !== "undefined") {
    const command = new Deno.Command(program, { args: [...args], stdin: "null" });
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    try {
      // It throws at once if the program is not there.
      const { code, stdout, stderr } = await command.output();
      return { code, stdout: decode(stdout), stderr: decode(stderr) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
  const { spawn } = process.getBuiltinModule("node:child_process");
  return await new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => texts[name] += text);
    }
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve({ code: code ?? 1, ...texts }));
  });
}
