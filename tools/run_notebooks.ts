/**
 * `deno task notebooks [--update] [names…]`: executes notebooks with the recordings in `data/` and
 * writes the gallery page; `--update` also writes the outputs to the committed notebooks.
 *
 * @module
 */
import { join, relative } from "node:path";
import { cachePackages } from "./jupyter/cache_packages.ts";
import { ensureJupyter } from "./jupyter/ensure_jupyter.ts";
import { indexCharts } from "./gallery/chart_index.ts";
import { writeGallery } from "./gallery/write_gallery.ts";
import { executeNotebooks, notebookCount } from "./notebooks/execute_notebooks.ts";
import { findNotebooks } from "./notebooks/find_notebooks.ts";
import { writeBack } from "./notebooks/write_back.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { report, say } from "./terminal/say.ts";
import { seconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";

const UPDATE = "--update";
const GALLERY = join("build", "gallery");

if (import.meta.main) await runTask(() => runNotebooks(Deno.args));

async function runNotebooks(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== UPDATE);
  if (unknown !== undefined) {
    throw new TaskError(`Unknown option ${unknown}`, { fix: `the only option is ${UPDATE}` });
  }
  const names = args.filter((arg) => arg !== UPDATE);
  const sources = await findNotebooks(join(PROJECT_ROOT, "notebooks"), names);
  const jupyter = await ensureJupyter();
  await cachePackages();
  const started = performance.now();
  const executed = await executeNotebooks(jupyter, {
    sources,
    folder: join(PROJECT_ROOT, "build", "notebooks"),
  });
  const took = seconds(performance.now() - started);
  const failures = executed.flatMap(({ failure }) => failure ?? []);
  for (const failure of failures) say(`\n${failure}`);
  if (failures.length > 0) {
    throw new TaskError(`${failures.length} of ${notebookCount(executed.length)} failed`);
  }
  if (args.includes(UPDATE)) {
    for (const result of executed) {
      const verb = await writeBack(result) ? "updated" : "unchanged";
      report(`${verb}  ${relative(PROJECT_ROOT, result.source)}`);
    }
  }
  report(`Executed ${notebookCount(executed.length)} in ${took}`);
  if (names.length > 0) return;
  await writeGallery(jupyter, {
    folder: join(PROJECT_ROOT, GALLERY),
    executed: executed.map(({ target }) => target),
    charts: await indexCharts(),
  });
  report(`Wrote ${join(GALLERY, "index.html")}: open it in a browser`);
}
