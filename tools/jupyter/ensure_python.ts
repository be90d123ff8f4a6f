import { join } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import { Progress, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { say } from "../terminal/say.ts";
import { formatSeconds } from "../terminal/seconds.ts";
import { TaskError } from "../terminal/task_error.ts";
import { findPython } from "./find_python.ts";
import { holdLock } from "./hold_lock.ts";

/** Packages for a virtual environment of their own. */
export interface PythonPackages {
  /** Name of the environment's folder in `build`. */
  readonly name: string;
  /** Names of the packages, for messages. */
  readonly what: string;
  /** Their file of requirements. */
  readonly requirements: string;
}

/**
 * Returns a Python with some packages, and installs them into `build` if they are missing.
 *
 * @throws {TaskError} If there is no suitable Python, or they cannot be installed.
 */
export async function ensurePython(
  { name, what, requirements }: PythonPackages,
): Promise<string> {
  const folder = join(PROJECT_ROOT, "build", name);
  const python = join(folder, "bin", "python");
  // Written last: it has the requirements that are installed.
  const stamp = join(folder, "requirements.txt");
  using _lock = await holdLock(
    `${folder}.lock`,
    () => say(`Waiting for another task that is installing ${what}`),
  );
  const requiredText = await Deno.readTextFile(requirements);
  if (await Deno.readTextFile(stamp).catch(() => null) === requiredText) return python;
  const { path } = await findPython();
  using progress = new Progress(`Installing ${what}, once`, STDERR);
  for (
    const [program, ...args] of [
      [path, "-m", "venv", "--clear", folder],
      [python, "-m", "pip", "install", "--quiet", "--prefer-binary", "-r", requirements],
    ] as const
  ) {
    requireInstalled(what, await runQuietly({ program, args }));
  }
  await Deno.writeTextFile(stamp, requiredText);
  progress.say(`Installed ${what} in ${formatSeconds(progress.elapsed)}`);
  return python;
}

/** @throws {TaskError} If a program that installs something failed; with its last line. */
export function requireInstalled(
  packages: string,
  { success, output }: { readonly success: boolean; readonly output: string },
): void {
  if (success) return;
  const lastLine = output.trim().split("\n").at(-1);
  throw new TaskError(`Cannot install ${packages}`, {
    fix: `check that the Python package index can be reached; pip says: ${lastLine}`,
  });
}
