import { fileURLToPath } from "node:url";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import type { NotebookResult } from "../notebooks/execute_notebooks.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";
import type { ChartIndex } from "./chart_index.ts";
import type { GallerySite } from "./write_site.ts";

const BUILD = fileURLToPath(new URL("./build.py", import.meta.url));

/** An index without charts. */
export const NO_CHARTS: ChartIndex = { beginning: "", charts: [] };

/**
 * Writes executed notebooks and the index of charts as pages that load nothing from anywhere: one
 * per notebook, one for the charts, and `index.html`, which leads to them and to a site of data.
 *
 * @throws {TaskError} If a page cannot be made.
 */
export async function writeGallery(
  jupyter: JupyterEnvironment,
  { folder, notebooks, charts, site = null, alone = null, isShipped = false, screen = STDERR }: {
    /** Absolute path of the folder. */
    folder: string;
    notebooks: readonly Pick<NotebookResult, "source" | "target">[];
    charts: ChartIndex;
    /** The site of a dataset in the folder; `null` without one. @default {null} */
    site?: GallerySite | null;
    /** Name of the page of the only notebook, which is then the only page. @default {null} */
    alone?: string | null;
    /** Whether the notebooks read what ships, with their own parameters. @default {false} */
    isShipped?: boolean;
    screen?: Screen;
  },
): Promise<void> {
  const noun = alone === null ? "the gallery" : "the page";
  using _progress = new Progress(`Writing ${noun}`, screen);
  const plan = await Deno.makeTempFile();
  await Deno.writeTextFile(
    plan,
    JSON.stringify({ folder, notebooks, charts, site, alone, isShipped }),
  );
  const { success, output } = await runQuietly({
    program: jupyter.python,
    args: [BUILD, plan],
    variables: jupyter.variables,
  }).finally(() => Deno.remove(plan));
  if (!success) {
    throw new TaskError(`Cannot write ${noun} (${output.split("\n").at(-1)})`, {
      fix: "check the texts and outputs of the notebook it names",
    });
  }
}
