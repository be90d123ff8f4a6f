import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { injectParameters, type Parameters } from "../../tools/notebooks/inject_parameters.ts";
import { codeCells, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/** What a notebook showed. */
export interface Shown {
  /** Sentences and tables, as plain text, in order. */
  readonly texts: readonly string[];
  /** Drawings, in order. */
  readonly drawings: readonly string[];
}

const FOLDER = join(PROJECT_ROOT, "build", "tests", "cells_in_process");
const IMPORT = /^import \{ answer, show \} from "orderlens\/notebook";$/m;

/** What stands before the cells: showing without a kernel. */
const WITHOUT_KERNEL = `import { render } from "orderlens/notebook";
export const texts: string[] = [];
export const drawings: string[] = [];
const answer = (text: string) => { texts.push(text); };
const show = async (value: unknown, options = {}) => {
  const bundle = await render(value, options);
  const drawing = bundle["image/svg+xml"];
  if (typeof drawing === "string") drawings.push(drawing);
  else texts.push(String(bundle["text/plain"]));
};
`;

/** Number of the run: a module of the same path would not run again. */
let runs = 0;

/**
 * Runs the cells of a notebook as one module in this process, with other parameters than its own.
 *
 * @param path The notebook.
 */
export async function runCells(path: string, parameters: Parameters): Promise<Shown> {
  const name = basename(path, ".ipynb");
  const injected = join(FOLDER, `${name}_${Deno.pid}_${++runs}.ipynb`);
  await Deno.mkdir(dirname(injected), { recursive: true });
  await Deno.writeTextFile(
    injected,
    injectParameters(await Deno.readTextFile(path), { notebook: name, parameters }),
  );
  const cells = codeCells(await readNotebook(injected)).map(({ source }) => source).join(";\n");
  if (!IMPORT.test(cells)) throw new Error(`${name} does not show as the others do`);
  const file = injected.replace(/ipynb$/, "ts");
  await Deno.writeTextFile(file, WITHOUT_KERNEL + cells.replace(IMPORT, ""));
  return await import(pathToFileURL(file).href);
}
