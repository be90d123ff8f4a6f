import { basename, join } from "node:path";
import { listCodeCells, type NotebookCell, readNotebook } from "./notebook.ts";

/** The cells of a notebook as one module. */
export interface JoinedCells {
  readonly path: string;
  /** The module's file. */
  readonly file: string;
  readonly cells: readonly NotebookCell[];
}

/**
 * Writes the cells of each notebook as one module.
 *
 * @param folder Folder for the modules, emptied first; inside the project, so that imports resolve.
 */
export async function joinCells(paths: readonly string[], folder: string): Promise<JoinedCells[]> {
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(folder, { recursive: true });
  return await Promise.all(paths.map(async (path) => {
    const cells = listCodeCells(await readNotebook(path));
    const file = join(folder, `${basename(path, ".ipynb")}.ts`);
    const code = cells.map(({ source }) => source).join(";\n");
    await Deno.writeTextFile(file, `${code};\nexport {};\n`);
    return { path, file, cells };
  }));
}

/** Names the cells in a text that names their modules: `notebook.ipynb, cell [2], line 1`. */
export function nameCells(text: string, notebooks: readonly JoinedCells[]): string {
  return notebooks.reduce(
    (result, notebook) =>
      result.replace(
        new RegExp(`file://\\S*/${RegExp.escape(basename(notebook.file))}:([0-9]+):[0-9]+`, "g"),
        (_, line) => formatLocation(notebook, Number(line)),
      ),
    text,
  );
}

/** The cell of a line of the module, and the line in it; all count from 1. */
export function formatLocation({ path, cells }: JoinedCells, line: number): string {
  let lineCount = 0;
  for (const [index, { source }] of cells.entries()) {
    const lines = source.split("\n").length;
    if (line <= lineCount + lines) {
      return `${basename(path)}, cell [${index + 1}], line ${line - lineCount}`;
    }
    lineCount += lines;
  }
  return basename(path);
}
