import { basename, dirname, join } from "node:path";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { formatSeconds } from "../terminal/seconds.ts";
import { executeNotebook } from "./execute_notebook.ts";
import { formatFailure } from "./failure_text.ts";
import { injectParameters, type Parameters } from "./inject_parameters.ts";

/** The result of one notebook. */
export interface NotebookResult {
  /** Its file. */
  readonly source: string;
  /** The executed copy. */
  readonly target: string;
  /** Description of the failure. */
  readonly failure?: string;
}

/** Notebooks to execute, with options. */
export interface Executions {
  /** The notebooks. */
  readonly sources: readonly string[];
  /** Folder of the executed copies. */
  readonly folder: string;
  /** Parameters for the copies in place of the notebooks' own. @default {none} */
  readonly parameters?: Parameters | null;
  /** Whether they query a live deployment. @default {false} */
  readonly isLive?: boolean;
  /** Output for progress. @default {stderr} */
  readonly screen?: Screen;
}

/** Maximum number of concurrent notebooks: each runs a kernel and a Python. */
const MAX_CONCURRENT = 2;

/**
 * Executes notebooks, two at a time, and shows progress.
 *
 * A failed notebook does not stop the others. On a live deployment they run one after the other:
 * each limits its rate by itself, and the service is shared.
 *
 * @throws {TaskError} If a notebook lacks one of the parameters.
 */
export async function executeNotebooks(
  jupyter: JupyterEnvironment,
  { sources, folder, parameters = null, isLive = false, screen = STDERR }: Executions,
): Promise<NotebookResult[]> {
  if (sources.length === 0) return [];
  const running = new Map<string, string>();
  using progress = new Progress(`Executing ${formatNotebookCount(sources.length)}`, screen);
  const draw = () => progress.update(`Executing ${[...running.values()].join(" and ")}`);
  const results = new Map<string, NotebookResult>();
  const queue = [...sources];
  const runWorker = async (): Promise<void> => {
    for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
      results.set(source, await executeOne(source));
    }
  };
  const executeOne = async (source: string): Promise<NotebookResult> => {
    const name = basename(source, ".ipynb");
    const target = join(folder, basename(source));
    const startedAt = performance.now();
    let [cells, cell, requests] = [0, 0, 0];
    running.set(source, name);
    draw();
    if (parameters !== null) await writeInjected(source, target, parameters);
    const failure = await executeNotebook(jupyter, {
      source: parameters === null ? source : target,
      target,
      folder: dirname(source),
      isLive,
      onEvent: (event) => {
        if (event.event === "started") cells = event.cells;
        if (event.event === "cell") cell = event.number;
        if (event.event === "requests") requests = event.count;
        if (cell === 0) return;
        const requestText = requests === 0 ? "" : `, request ${requests}`;
        running.set(source, `${name} cell ${cell} of ${cells}${requestText}`);
        draw();
      },
    });
    running.delete(source);
    const took = formatSeconds(performance.now() - startedAt);
    progress.say(
      failure === undefined
        ? `  ok      ${name}: ${cells} ${cells === 1 ? "cell" : "cells"} in ${took}`
        : `  FAILED  ${name}`,
    );
    return failure === undefined
      ? { source, target }
      : { source, target, failure: await formatFailure(target, failure) };
  };
  await Promise.all(Array.from({ length: isLive ? 1 : MAX_CONCURRENT }, runWorker));
  return sources.flatMap((source) => results.get(source) ?? []);
}

async function writeInjected(
  source: string,
  target: string,
  parameters: Parameters,
): Promise<void> {
  const text = await Deno.readTextFile(source);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.writeTextFile(
    target,
    injectParameters(text, { notebook: basename(source), parameters }),
  );
}

/** Formats `1 notebook`, `6 notebooks`. */
export function formatNotebookCount(count: number): string {
  return count === 1 ? "1 notebook" : `${count} notebooks`;
}
