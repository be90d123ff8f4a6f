import type { Chart, Exploration } from "../../../lib/charts/mod.ts";

/** What a chart gives a Jupyter kernel. */
export function jupyterBundle(chart: Chart | Exploration): Record<string, string> {
  const display = Reflect.get(chart, Symbol.for("Jupyter.display")) as () => Record<string, string>;
  return display.call(chart);
}
