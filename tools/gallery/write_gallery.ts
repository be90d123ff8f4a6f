import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";
import type { ChartIndex } from "./chart_index.ts";

const BUILD = fileURLToPath(new URL("./build.py", import.meta.url));

/**
 * Writes executed notebooks and the index of charts as pages that load nothing from anywhere: one
 * per notebook, one for the charts, and `index.html`, which leads to them.
 *
 * @throws {TaskError} If a page cannot be made.
 */
export async function writeGallery(
  jupyter: JupyterEnvironment,
  { folder, executed, charts, screen = STDERR }: {
    folder: string;
    executed: readonly string[];
    charts: ChartIndex;
    screen?: Screen;
  },
): Promise<void> {
  using _progress = new Progress("Writing the gallery", screen);
  await Deno.mkdir(folder, { recursive: true });
  const index = join(folder, "charts.json");
  await Deno.writeTextFile(index, JSON.stringify(charts));
  const { success, output } = await runQuietly({
    program: jupyter.python,
    args: [BUILD, folder, index, ...executed],
    variables: jupyter.variables,
  });
  await Deno.remove(index);
  if (!success) {
    throw new TaskError(`Cannot write the gallery (${output.split("\n").at(-1)})`, {
      fix: "check the outputs of the notebook it names",
    });
  }
}
