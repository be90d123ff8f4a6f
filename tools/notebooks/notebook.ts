/** The parts of a notebook file that the tools read. */
export interface Notebook {
  readonly cells: readonly NotebookCell[];
}

/** One cell of a {@linkcode Notebook}. */
export interface NotebookCell {
  readonly cell_type: string;
  readonly source: string;
  readonly execution_count: number | null;
  readonly outputs: readonly CellOutput[];
}

/** One output of a cell; its texts are joined, unlike the lines in the file. */
export interface CellOutput {
  readonly output_type: string;
  /** Content by media type, for displayed values. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Reads a notebook file. */
export async function readNotebook(path: string): Promise<Notebook> {
  return parseNotebook(await Deno.readTextFile(path));
}

/** Reads the text of a notebook. */
export function parseNotebook(text: string): Notebook {
  const { cells }: { cells: Record<string, unknown>[] } = JSON.parse(text);
  return {
    cells: cells.map(({ cell_type, source, execution_count, outputs }) => ({
      cell_type: String(cell_type),
      source: String(joinLines(source)),
      execution_count: typeof execution_count === "number" ? execution_count : null,
      outputs: Array.isArray(outputs) ? outputs.map(joinTexts) : [],
    })),
  };
}

/** The executable code cells, in order; the first is number 1, as in JupyterLab. */
export function listCodeCells(notebook: Notebook): NotebookCell[] {
  return notebook.cells.filter((cell) => cell.cell_type === "code" && cell.source.trim() !== "");
}

function joinTexts(output: Record<string, unknown>): CellOutput {
  const { data, text, output_type } = output;
  return {
    ...output,
    output_type: String(output_type),
    ...(text === undefined ? {} : { text: joinLines(text) }),
    ...(typeof data !== "object" || data === null ? {} : {
      data: Object.fromEntries(
        Object.entries(data).map(([type, content]) => [type, joinLines(content)]),
      ),
    }),
  };
}

/** Joins a text that the file format stores as a list of lines. */
function joinLines(content: unknown): unknown {
  return Array.isArray(content) && content.every((line) => typeof line === "string")
    ? content.join("")
    : content;
}
