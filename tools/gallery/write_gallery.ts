import { fileURLToPath } from "node:url";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";

const BUILD = fileURLToPath(new URL("./build.py", import.meta.url));

/**
 * Writes executed notebooks as one page that loads nothing from anywhere.
 *
 * @throws {TaskError} If the page cannot be made.
 */
export async function writeGallery(
  jupyter: JupyterEnvironment,
  { page, executed, screen = STDERR }: {
    page: string;
    executed: readonly string[];
    screen?: Screen;
  },
): Promise<void> {
  using _progress = new Progress("Writing the gallery", screen);
  const { success, output } = await runQuietly({
    program: jupyter.python,
    args: [BUILD, page, ...executed],
    variables: jupyter.variables,
  });
  if (!success) {
    throw new TaskError(`Cannot write the gallery (${output.split("\n").at(-1)})`, {
      fix: "check the outputs of the notebook it names",
    });
  }
}
