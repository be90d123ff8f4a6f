/**
 * `deno task notebooks [names…] [options]`: executes notebooks with the recordings in `data/` and
 * writes the gallery. `--update` also writes the outputs to the committed notebooks; `--network` and
 * its like execute copies with other parameters; `--help` lists them.
 *
 * @module
 */
import { basename, join, relative, resolve } from "node:path";
import { cachePackages } from "./jupyter/cache_packages.ts";
import { ensureJupyter } from "./jupyter/ensure_jupyter.ts";
import type { JupyterEnvironment } from "./jupyter/environment.ts";
import type { ChartIndex } from "./gallery/chart_index.ts";
import { claimPages, type PageTarget } from "./gallery/claim_pages.ts";
import type { GallerySite } from "./gallery/write_site.ts";
import { NO_CHARTS, writeGallery } from "./gallery/write_gallery.ts";
import {
  executeNotebooks,
  formatNotebookCount,
  type NotebookResult,
} from "./notebooks/execute_notebooks.ts";
import { findNotebooks } from "./notebooks/find_notebooks.ts";
import { injectParameters, type Parameters } from "./notebooks/inject_parameters.ts";
import { requireNotebook } from "./notebooks/notebook.ts";
import { parseRun, type Run, USAGE } from "./notebooks/parse_run.ts";
import { writeBack } from "./notebooks/write_back.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { report, say } from "./terminal/say.ts";
import { formatSeconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";

if (import.meta.main) await runTask(() => runNotebooks(Deno.args));

/** Executes the notebooks that a command line asks for, and writes their pages. */
export async function runNotebooks(args: readonly string[]): Promise<void> {
  const run = await parseRun(args, Deno.env.toObject());
  if (run.isHelp) return report(USAGE);
  const notebooks = await findNotebooks(join(PROJECT_ROOT, "notebooks"), run.names);
  for (const notebook of notebooks) await requireNotebook(notebook);
  const sources = run.parameters === null
    ? notebooks
    : await filterAccepting(notebooks, run.parameters, run);
  const target = run.html === null ? null : await claimPages(run.html, sources, run);
  const jupyter = await ensureJupyter();
  await cachePackages();
  const startedAt = performance.now();
  const results = await executeNotebooks(jupyter, {
    sources,
    folder: resolve(PROJECT_ROOT, run.out),
    parameters: run.parameters,
    isLive: run.isLive,
  });
  const took = formatSeconds(performance.now() - startedAt);
  const failures = results.filter(({ failure }) => failure !== undefined);
  for (const { failure } of failures) say(`\n${failure}`);
  // One that fails does not keep the others from their pages.
  if (target !== null || run.parameters !== null) {
    await writePages(jupyter, run, { results, target });
  }
  if (failures.length > 0) {
    throw new TaskError(`${failures.length} of ${formatNotebookCount(results.length)} failed`);
  }
  if (run.isUpdate) await updateCommitted(results);
  report(`Executed ${formatNotebookCount(results.length)} in ${took}`);
  if (target === null && run.parameters === null && run.names.length === 0) {
    await writePages(jupyter, run, { results, target });
  }
}

/**
 * The notebooks that take all parameters; the others are named.
 *
 * @throws {TaskError} If one was requested by its name, or none takes them.
 */
async function filterAccepting(
  sources: readonly string[],
  parameters: Parameters,
  { names }: Run,
): Promise<string[]> {
  const taking: string[] = [];
  for (const source of sources) {
    const notebook = basename(source);
    try {
      injectParameters(await Deno.readTextFile(source), { notebook, parameters });
      taking.push(source);
    } catch (error) {
      if (!(error instanceof TaskError) || names.length > 0) throw error;
      say(`Skipping one: ${error.message}`);
    }
  }
  if (taking.length === 0) throw new TaskError("No notebook takes these parameters");
  return taking;
}

async function updateCommitted(results: readonly NotebookResult[]): Promise<void> {
  for (const result of results) {
    const verb = await writeBack(result) ? "updated" : "unchanged";
    report(`${verb}  ${relative(PROJECT_ROOT, result.source)}`);
  }
}

/**
 * Writes the pages of what was executed, as the gallery or as requested; whoever names notebooks has no
 * use for the index of charts.
 */
async function writePages(
  jupyter: JupyterEnvironment,
  { gallery, names, html, parameters }: Run,
  { results, target }: {
    readonly results: readonly NotebookResult[];
    readonly target: PageTarget | null;
  },
): Promise<void> {
  const notebooks = results.filter(({ failure }) => failure === undefined);
  if (notebooks.length === 0) return;
  const { folder, alone } = target ?? { folder: resolve(PROJECT_ROOT, gallery), alone: null };
  const isShipped = parameters === null && target === null;
  await writeGallery(jupyter, {
    folder,
    alone,
    isShipped,
    site: isShipped && names.length === 0 ? await writeShippedSite(folder) : null,
    notebooks,
    charts: names.length === 0 ? await drawCharts() : NO_CHARTS,
  });
  const page = alone === null ? join(html ?? gallery, "index.html") : html;
  report(`Wrote ${page}: open it in a browser`);
}

async function writeShippedSite(folder: string): Promise<GallerySite> {
  const { writeSite } = await import("./gallery/write_site.ts");
  return await writeSite(folder);
}

/** Charts and polars take a second to load, which help and errors do not wait for. */
async function drawCharts(): Promise<ChartIndex> {
  const { indexCharts } = await import("./gallery/chart_index.ts");
  return await indexCharts();
}
