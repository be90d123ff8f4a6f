import { basename } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

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

/**
 * Requires that a file is a notebook that Deno's kernel executes.
 *
 * @throws {TaskError} If it cannot be read, is no notebook, or is one of another language.
 */
export async function requireNotebook(path: string): Promise<void> {
  const name = basename(path);
  const text = await Deno.readTextFile(path).catch((cause: Error) => {
    throw new TaskError(`Cannot read ${name} (${cause.message})`, { cause });
  });
  const { nbformat, cells, metadata } = parseObject(text);
  if (nbformat !== 4 || !Array.isArray(cells)) {
    throw new TaskError(`${name} is no notebook of format 4`, {
      fix: "pass a notebook that JupyterLab has saved",
    });
  }
  const language = metadata?.kernelspec?.language ?? metadata?.language_info?.name ?? "typescript";
  if (/^(?:type|java)script$/i.test(language)) return;
  throw new TaskError(`${name} is a notebook of ${language}`, {
    fix: "pass one of Deno's kernel, in TypeScript",
  });
}

// deno-lint-ignore no-explicit-any -- the file of a user
function parseObject(text: string): any {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
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
