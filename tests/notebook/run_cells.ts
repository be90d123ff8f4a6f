import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { codeCells, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/** What a notebook showed. */
export interface Shown {
  /** Sentences and tables, as plain text, in order. */
  readonly texts: readonly string[];
  /** Drawings, in order. */
  readonly drawings: readonly string[];
}

const FOLDER = join(PROJECT_ROOT, "build", "tests", "young");
const IMPORT = /^import \{ answer, show \} from "orderlens\/notebook";$/m;
/** What a notebook reads: a recording by name, or the one that its parameters name. */
const RECORDING = /await replay\((?:"market_1"|recording)\)/;

/** What stands before the cells: showing without a kernel. */
const WITHOUT_KERNEL = `import { render } from "orderlens/notebook";
import { openSandbox } from "orderlens/sandbox";
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

/**
 * Runs the cells of a notebook as one module in this process, on another deployment than the recording
 * that it reads.
 *
 * @param path The notebook.
 * @param deployment An expression for what `connect` is given in place of the recording.
 */
export async function runCells(path: string, deployment: string): Promise<Shown> {
  const name = basename(path, ".ipynb");
  const cells = codeCells(await readNotebook(path)).map(({ source }) => source).join(";\n");
  if (!IMPORT.test(cells) || !RECORDING.test(cells)) {
    throw new Error(`${name} does not read market_1 and show it, as the others do`);
  }
  const file = join(FOLDER, `${name}_${deployment.replaceAll(/\W+/g, "_")}.ts`);
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeTextFile(
    file,
    WITHOUT_KERNEL + cells.replace(IMPORT, "").replace(RECORDING, deployment),
  );
  return await import(pathToFileURL(file).href);
}
