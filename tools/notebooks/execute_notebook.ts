import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { JupyterEnvironment } from "../jupyter/environment.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { readLines } from "../terminal/run_quietly.ts";

/** An event of `execute.py`. */
export type ExecutionEvent =
  | { readonly event: "started"; readonly cells: number }
  | { readonly event: "cell"; readonly number: number }
  | { readonly event: "requests"; readonly count: number }
  | { readonly event: "done" }
  | CellFailure;

/** The failure of a notebook. */
export interface CellFailure {
  readonly event: "failed";
  /** Number of the code cell, from 1; absent if none has started. */
  readonly number?: number;
  /** Its index among all cells. */
  readonly index?: number;
  /** Class of the error. */
  readonly name: string;
  /** Its message. */
  readonly message: string;
  /** Its stack, one frame per line. */
  readonly traceback: readonly string[];
}

const EXECUTE = fileURLToPath(new URL("./execute.py", import.meta.url));

/** A notebook to execute. */
export interface Execution {
  /** Its file. */
  readonly source: string;
  /** File of the executed copy; may be the same. */
  readonly target: string;
  /** Folder that its cells run in. @default {that of `source`} */
  readonly folder?: string;
  /** Whether it queries a live deployment: its cells may take any time, and its requests are counted. */
  readonly isLive?: boolean;
  /** Called with each event. */
  readonly onEvent?: (event: ExecutionEvent) => void;
}

/**
 * Executes a notebook and writes the executed copy.
 *
 * Cells import by the `deno.json` or `package.json` of their folder or one above it; where there is
 * none, by that of the project.
 *
 * @returns The failure, if a cell failed.
 */
export async function executeNotebook(
  jupyter: JupyterEnvironment,
  { source, target, folder = dirname(source), isLive = false, onEvent }: Execution,
): Promise<CellFailure | undefined> {
  const child = new Deno.Command(jupyter.python, {
    args: [EXECUTE, source, target, folder, await findStart(folder), ...(isLive ? ["live"] : [])],
    env: { ...jupyter.variables },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const noise = Array.fromAsync(readLines(child.stderr));
  let last: ExecutionEvent | undefined;
  for await (const line of readLines(child.stdout)) {
    last = JSON.parse(line) as ExecutionEvent;
    onEvent?.(last);
  }
  await child.status;
  if (last?.event === "failed") return last;
  if (last?.event === "done") return undefined;
  return {
    event: "failed",
    name: "Runner",
    message: (await noise).findLast((line) => line.trim() !== "") ?? "it ended without a word",
    traceback: await noise,
  };
}

/** Names of the files that say what imports mean. */
const CONFIGURATIONS = ["deno.json", "deno.jsonc", "package.json"];

/** The folder that a kernel starts in, which decides what imports mean. */
async function findStart(folder: string): Promise<string> {
  for (let above = resolve(folder);; above = dirname(above)) {
    for (const name of CONFIGURATIONS) {
      if (await Deno.stat(join(above, name)).then(() => true, () => false)) return folder;
    }
    if (above === dirname(above)) return PROJECT_ROOT;
  }
}
