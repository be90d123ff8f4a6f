/** Metadata of a notebook on Deno's kernel. */
export const DENO_KERNEL = {
  kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
  language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
};

/** Metadata of a notebook on Python's. */
export const PYTHON_KERNEL = {
  kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
  language_info: { file_extension: ".py", mimetype: "text/x-python", name: "python" },
};

/** A Jupyter notebook of pairs of prose and code; the first pair has the parameters. */
export function notebookFile(
  cells: readonly (readonly [prose: string, code: string])[],
  metadata: typeof DENO_KERNEL,
): string {
  const notebook = {
    cells: cells.flat().map((text, place) => ({
      ...(place % 2 === 0 ? { cell_type: "markdown" } : {
        cell_type: "code",
        execution_count: null,
        outputs: [],
      }),
      id: `cell-${place + 1}`,
      metadata: place === 1 ? { tags: ["parameters"] } : {},
      source: text.split(/(?<=\n)/),
    })),
    metadata,
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}
