import { basename, join } from "node:path";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";
import { seconds } from "../terminal/seconds.ts";
import { executeNotebook } from "./execute_notebook.ts";
import { failureText } from "./failure_text.ts";

/** The result of one notebook. */
export interface Executed {
  /** Its file. */
  readonly source: string;
  /** The executed copy. */
  readonly target: string;
  /** Description of the failure. */
  readonly failure?: string;
}

/** Maximum number of concurrent notebooks: each runs a kernel and a Python. */
const AT_A_TIME = 2;

/**
 * Executes `sources` into `folder`, two at a time, and shows progress.
 *
 * A failed notebook does not stop the others.
 */
export async function executeNotebooks(
  jupyter: JupyterEnvironment,
  { sources, folder, screen = STDERR }: {
    sources: readonly string[];
    folder: string;
    screen?: Screen;
  },
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
    let cells = 0;
    running.set(source, name);
    draw();
    const failure = await executeNotebook(jupyter, {
      source,
      target,
      onEvent: (event) => {
        if (event.event === "started") cells = event.cells;
        if (event.event !== "cell") return;
        running.set(source, `${name} cell ${event.number} of ${cells}`);
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
      : { source, target, failure: await failureText(source, failure) };
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return sources.flatMap((source) => results.get(source) ?? []);
}

/** `1 notebook`, `6 notebooks`. */
export function notebookCount(count: number): string {
  return count === 1 ? "1 notebook" : `${count} notebooks`;
}
