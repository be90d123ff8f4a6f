import type { Chart, Exploration } from "../../../lib/charts/mod.ts";
import { join } from "node:path";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { readNotebook } from "../../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

/** What a chart gives a Jupyter kernel. */
export function jupyterBundle(chart: Chart | Exploration): Record<string, string> {
  const display = Reflect.get(chart, Symbol.for("Jupyter.display")) as () => Record<string, string>;
  return display.call(chart);
}

/** Every drawing of the committed notebooks, in order: what real numbers look like. */
export async function committedDrawings() {
  const found: { title: string; svg: string }[] = [];
  for (const path of await findNotebooks(join(PROJECT_ROOT, "notebooks"))) {
    const { cells } = await readNotebook(path);
    for (const { data } of cells.flatMap(({ outputs }) => outputs)) {
      const svg = data?.["image/svg+xml"];
      if (typeof svg !== "string") continue;
      found.push({ title: /<title>([^<]*)<\/title>/.exec(svg)?.[1] ?? "", svg });
    }
  }
  return found;
}
