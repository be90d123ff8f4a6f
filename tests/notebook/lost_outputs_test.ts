import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { executeNotebook } from "../../tools/notebooks/execute_notebook.ts";
import { codeCells, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

const CELLS = 60;

function cell(source: string, index: number): Record<string, unknown> {
  const id = `cell-${index}`;
  return { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source };
}

Deno.test("a notebook that shows 60 values has 60 outputs", async () => {
  const jupyter = await ensureJupyter();
  const folder = join(PROJECT_ROOT, "build", "tests");
  const source = join(folder, "lost_outputs.ipynb");
  const target = join(folder, "lost_outputs_executed.ipynb");
  const cells = Array.from({ length: CELLS }, (_, index) => `await show(2n ** ${index}n);`);
  cells[0] = `import { show } from "orderlens/notebook";\n${cells[0]}`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    source,
    JSON.stringify({ cells: cells.map(cell), metadata: {}, nbformat: 4, nbformat_minor: 5 }),
  );

  assertEquals(await executeNotebook(jupyter, { source, target }), undefined);

  const shown = codeCells(await readNotebook(target)).map(({ outputs }) =>
    outputs.map(({ data }) => data?.["text/plain"])
  );
  assertEquals(shown, Array.from({ length: CELLS }, (_, index) => [String(2n ** BigInt(index))]));
});
