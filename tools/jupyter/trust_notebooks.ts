import { runModule } from "./run_module.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";
import type { JupyterEnvironment } from "./environment.ts";

/**
 * Signs notebooks in the project's own Jupyter: JupyterLab runs no script of a notebook from
 * elsewhere, and the committed charts would be images without tips until they are run again.
 *
 * @throws {TaskError} If a notebook cannot be signed.
 */
export async function trustNotebooks(
  jupyter: JupyterEnvironment,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const { success, output } = await runQuietly({
    program: jupyter.python,
    args: [...runModule("nbformat.sign"), ...paths],
    variables: jupyter.variables,
  });
  if (!success) throw new TaskError(`Cannot sign the notebooks (${output.split("\n").at(-1)})`);
}
