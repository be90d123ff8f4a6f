import { assertEquals, fail } from "@std/assert";
import { basename, join } from "node:path";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { absolutePath } from "../../tools/notebooks/absolute_path.ts";
import { checkCells } from "../../tools/notebooks/check_cells.ts";
import { firstDifference } from "../../tools/notebooks/compare_outputs.ts";
import { executeNotebook } from "../../tools/notebooks/execute_notebook.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { codeCells, type Notebook, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runCells } from "./run_cells.ts";

const sources = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
/** It goes through a kernel, as all do in `deno task notebooks`; the cells of the others run here. */
const THROUGH_KERNEL = "06_your_own_data";

async function assertCommitted(source: string, executed: Notebook): Promise<void> {
  const difference = firstDifference(await readNotebook(source), executed);
  if (difference === undefined) return;
  fail(
    `${basename(source)}, ${difference}\nIf that is right: deno task notebooks --update ${
      basename(source, ".ipynb")
    }`,
  );
}

/** The notebook with what its cells show in this process, as a kernel would write it. */
async function runHere(source: string): Promise<Notebook> {
  const { cells } = await runCells(source);
  const own = codeCells(await readNotebook(source));
  return {
    cells: own.map((cell, index) => ({
      ...cell,
      execution_count: index + 1,
      outputs: cells[index]!.map((data) => ({ output_type: "display_data", data, metadata: {} })),
    })),
  };
}

for (const source of sources) {
  const name = basename(source, ".ipynb");
  Deno.test(`${name}, executed again, reproduces its committed outputs`, async () => {
    if (name !== THROUGH_KERNEL) return await assertCommitted(source, await runHere(source));
    const target = join(PROJECT_ROOT, "build", "tests", `${name}_executed.ipynb`);
    const failure = await executeNotebook(await ensureJupyter(), { source, target });
    assertEquals(failure, undefined);
    await assertCommitted(source, await readNotebook(target));
  });
}

Deno.test("notebooks pass the linter and the formatter", async () => {
  const problems = await checkCells(sources, join(PROJECT_ROOT, "build", "tests", "cells_linted"));
  if (problems.length > 0) fail(problems.join("\n\n"));
});

Deno.test("notebooks contain no paths of a machine", async () => {
  for (const source of sources) {
    assertEquals(absolutePath(await Deno.readTextFile(source)), undefined, basename(source));
  }
});
