import { join } from "node:path";
import { ensureJupyter } from "../jupyter/ensure_jupyter.ts";
import { requireInstalled } from "../jupyter/ensure_python.ts";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { Progress, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { formatSeconds } from "../terminal/seconds.ts";

/** Packages that a task installs into the project's Python. */
export interface Packages {
  /** Names of the packages, for messages. */
  readonly what: string;
  /** Their file of requirements. */
  readonly requirements: string;
  /** File in `.venv` that has the requirements that are installed. */
  readonly stamp: string;
}

const READERS: Packages = {
  what: "pyarrow, DuckDB, datasets, frictionless and mlcroissant",
  requirements: join(PROJECT_ROOT, "tools", "encoding", "requirements.txt"),
  stamp: "readers.txt",
};

/**
 * Returns the project's Python with the other readers of datasets, and installs them if they are missing.
 *
 * @throws {TaskError} If they cannot be installed.
 */
export async function ensureReaders(): Promise<JupyterEnvironment> {
  const environment = await ensureJupyter();
  await ensurePackages(environment, READERS);
  return environment;
}

/** Installs packages unless the stamp in `.venv`, which is written last, has their requirements. */
async function ensurePackages(
  environment: JupyterEnvironment,
  { what, requirements, stamp }: Packages,
): Promise<void> {
  const file = join(environment.folder, stamp);
  const requiredText = await Deno.readTextFile(requirements);
  if (await readOptionalText(file) === requiredText) return;
  using progress = new Progress(`Installing ${what} into .venv, once`, STDERR);
  const installed = await runQuietly({
    program: environment.python,
    args: [
      ...["-m", "pip", "install", "--progress-bar", "off", "--only-binary", ":all:"],
      ...["--no-compile", "-r", requirements],
    ],
    variables: environment.variables,
    log: join(PROJECT_ROOT, "build", "set_up.log"),
  });
  requireInstalled(what, installed);
  await Deno.writeTextFile(file, requiredText);
  progress.say(`Installed ${what} in ${formatSeconds(progress.elapsed)}`);
}

async function readOptionalText(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
