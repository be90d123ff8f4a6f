import { join } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import { type Screen, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { write } from "../terminal/say.ts";
import { type JupyterEnvironment, resolveEnvironment } from "./environment.ts";
import { findPython } from "./find_python.ts";
import { holdLock } from "./hold_lock.ts";
import { installPackages } from "./install_packages.ts";
import { writeKernelSpec } from "./kernel_spec.ts";

/**
 * Returns the project's Jupyter with the `deno` kernel, and sets up what is missing.
 *
 * Fast if the setup is complete. A stamp, written last, describes the installation: without it, or with
 * another `requirements.txt`, Python or location, `.venv` is recreated.
 *
 * @throws {TaskError} If there is no suitable Python, or the packages cannot be installed.
 */
export async function ensureJupyter(
  { root = PROJECT_ROOT, screen = STDERR, find = findPython, install = installPackages }: {
    root?: string;
    screen?: Screen;
    find?: typeof findPython;
    install?: typeof installPackages;
  } = {},
): Promise<JupyterEnvironment> {
  const environment = resolveEnvironment(root);
  using _lock = await holdLock(
    join(root, "build", "set_up.lock"),
    () => write(screen, "Waiting for another task that is setting up .venv\n"),
  );
  const stamp = join(environment.folder, "orderlens.json");
  const currentStamp = await readOptionalText(stamp);
  if (currentStamp === undefined || currentStamp !== await createStamp(root, environment)) {
    const python = await find();
    if (await exists(environment.folder)) {
      write(screen, ".venv is incomplete or out of date: recreating it\n");
    }
    await install({ root, environment, python, screen });
    await Deno.writeTextFile(stamp, await createStamp(root, environment) ?? "");
  }
  await writeKernelSpec(environment.folder, Deno.execPath());
  return environment;
}

/** The expected stamp of a complete `.venv`; `undefined` if its Python does not run. */
async function createStamp(
  root: string,
  { folder, python }: JupyterEnvironment,
): Promise<string | undefined> {
  const version = await readVersion(python);
  if (version === undefined) return undefined;
  const requirements = await Deno.readFile(join(root, "requirements.txt"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", requirements));
  return `${JSON.stringify({ folder, python: version, requirements: digest.toHex() })}\n`;
}

async function readVersion(python: string): Promise<string | undefined> {
  if (!await exists(python)) return undefined;
  const { success, output } = await runQuietly({
    program: python,
    args: ["-S", "-c", "import platform; print(platform.python_version())"],
  });
  return success ? output : undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function readOptionalText(path: string): Promise<string | undefined> {
  return await exists(path) ? await Deno.readTextFile(path) : undefined;
}
