/**
 * `deno task picture <names…>`: draws examples of the index of charts into `build/pictures/`, as PNG;
 * `deno task picture explore --page` and `order --page` draw the pages in the READMEs into
 * `notebooks/pictures/`.
 *
 * @module
 */
import { join } from "node:path";
import type { Chart } from "orderlens/charts";
import { drawExploration } from "./gallery/draw_exploration.ts";
import { drawOrderPage } from "./gallery/draw_order_page.ts";
import { listExamples, toExampleUrl } from "./gallery/chart_index.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { report } from "./terminal/say.ts";
import { TaskError } from "./terminal/task_error.ts";

const FOLDER = join("build", "pictures");

/** Pages of the READMEs, by the words of the task. */
const PAGES: Readonly<Record<string, () => Promise<string[]>>> = {
  "explore --page": drawExploration,
  "order --page": drawOrderPage,
};

if (import.meta.main) {
  const drawReadmePage = PAGES[Deno.args.join(" ")];
  const draw = () => drawReadmePage?.() ?? drawPictures(Deno.args);
  await runTask(async () => (await draw()).forEach(report));
}

/**
 * Draws examples, and returns the paths of their pictures below the project's folder.
 *
 * @throws {TaskError} If no example is named, or one that there is not.
 */
export async function drawPictures(names: readonly string[]): Promise<string[]> {
  const examples = await listExamples();
  const remedy = `there are ${examples.join(", ")}`;
  if (names.length === 0) throw new TaskError("Name a chart", { fix: remedy });
  const unknownName = names.find((name) => !examples.includes(name));
  if (unknownName !== undefined) {
    const file = `tools/gallery/charts/${unknownName}.ts`;
    throw new TaskError(`There is no example ${file}`, { fix: `add it; ${remedy}` });
  }
  await Deno.mkdir(join(PROJECT_ROOT, FOLDER), { recursive: true });
  return await Promise.all(names.map(async (name) => {
    const { default: chart }: { default: Chart } = await import(toExampleUrl(name).href);
    const path = join(FOLDER, `${name}.png`);
    await Deno.writeFile(join(PROJECT_ROOT, path), await chart.png());
    return path;
  }));
}
