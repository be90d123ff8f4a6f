import { basename, dirname, join } from "node:path";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { seconds } from "../terminal/seconds.ts";
import { executeNotebook } from "./execute_notebook.ts";
import { failureText } from "./failure_text.ts";
import { injectParameters, type Parameters } from "./inject_parameters.ts";

/** The result of one notebook. */
export interface Executed {
  /** Its file. */
  readonly source: string;
  /** The executed copy. */
  readonly target: string;
  /** Description of the failure. */
  readonly failure?: string;
}

/** What is executed, and how. */
export interface Executions {
  /** The notebooks. */
  readonly sources: readonly string[];
  /** Folder of the executed copies. */
  readonly folder: string;
  /** Parameters for the copies in place of the notebooks' own. @default {none} */
  readonly parameters?: Parameters | null;
  /** Whether they ask a live deployment. @default {false} */
  readonly isLive?: boolean;
  /** Where progress is shown. @default {stderr} */
  readonly screen?: Screen;
}

/** Maximum number of concurrent notebooks: each runs a kernel and a Python. */
const AT_A_TIME = 2;

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
): Promise<Executed[]> {
  if (sources.length === 0) return [];
  const running = new Map<string, string>();
  using progress = new Progress(`Executing ${notebookCount(sources.length)}`, screen);
  const draw = () => progress.update(`Executing ${[...running.values()].join(" and ")}`);
  const results = new Map<string, Executed>();
  const queue = [...sources];
  const work = async (): Promise<void> => {
    for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
      results.set(source, await executeOne(source));
    }
  };
  const executeOne = async (source: string): Promise<Executed> => {
    const name = basename(source, ".ipynb");
    const target = join(folder, basename(source));
    const started = performance.now();
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
        const asked = requests === 0 ? "" : `, request ${requests}`;
        running.set(source, `${name} cell ${cell} of ${cells}${asked}`);
        draw();
      },
    });
    running.delete(source);
    const took = seconds(performance.now() - started);
    progress.say(
      failure === undefined
        ? `  ok      ${name}: ${cells} ${cells === 1 ? "cell" : "cells"} in ${took}`
        : `  FAILED  ${name}`,
    );
    return failure === undefined
      ? { source, target }
      : { source, target, failure: await failureText(target, failure) };
  };
  await Promise.all(Array.from({ length: isLive ? 1 : AT_A_TIME }, work));
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

/** `1 notebook`, `6 notebooks`. */
export function notebookCount(count: number): string {
  return count === 1 ? "1 notebook" : `${count} notebooks`;
}
