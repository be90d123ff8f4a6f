import { join } from "node:path";
import { ensureJupyter } from "../jupyter/ensure_jupyter.ts";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { Progress, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { seconds } from "../terminal/seconds.ts";
import { TaskError } from "../terminal/task_error.ts";

const REQUIREMENTS = join(PROJECT_ROOT, "tools", "encoding", "requirements.txt");

/**
 * Returns the project's Python with pyarrow and DuckDB, and installs them if they are missing.
 *
 * A stamp in `.venv`, written last, has the requirements that are installed.
 *
 * @throws {TaskError} If they cannot be installed.
 */
export async function ensureReaders(): Promise<JupyterEnvironment> {
  const environment = await ensureJupyter();
  const stamp = join(environment.folder, "readers.txt");
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  if (await textOf(stamp) === requirements) return environment;
  using progress = new Progress("Installing pyarrow and DuckDB into .venv, once", STDERR);
  const { success, output } = await runQuietly({
    program: environment.python,
    args: [
      ...["-m", "pip", "install", "--progress-bar", "off", "--only-binary", ":all:"],
      ...["--no-compile", "-r", REQUIREMENTS],
    ],
    variables: environment.variables,
    log: join(PROJECT_ROOT, "build", "set_up.log"),
  });
  if (!success) {
    throw new TaskError("Cannot install pyarrow and DuckDB", {
      fix: `check that the Python package index can be reached; pip says: ${
        output.trim().split("\n").at(-1)
      }`,
    });
  }
  await Deno.writeTextFile(stamp, requirements);
  progress.say(`Installed pyarrow and DuckDB in ${seconds(progress.elapsed)}`);
  return environment;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
