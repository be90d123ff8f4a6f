import { assertEquals, fail } from "@std/assert";
import { basename, join } from "node:path";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { absolutePath } from "../../tools/notebooks/absolute_path.ts";
import { checkCells } from "../../tools/notebooks/check_cells.ts";
import { firstDifference } from "../../tools/notebooks/compare_outputs.ts";
import { executeNotebooks } from "../../tools/notebooks/execute_notebooks.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

const sources = await findNotebooks(join(PROJECT_ROOT, "notebooks"));

Deno.test("re-executed notebooks reproduce their committed outputs", async (t) => {
  const executed = await executeNotebooks(await ensureJupyter(), {
    sources,
    folder: join(PROJECT_ROOT, "build", "tests", "notebooks"),
  });
  for (const { source, target, failure } of executed) {
    await t.step(basename(source), async () => {
      if (failure !== undefined) fail(failure);
      const difference = firstDifference(await readNotebook(source), await readNotebook(target));
      if (difference === undefined) return;
      fail(
        `${basename(source)}, ${difference}\nIf that is right: deno task notebooks --update ${
          basename(source, ".ipynb")
        }`,
      );
    });
  }
});

Deno.test("notebooks pass the linter and the formatter", async () => {
  const problems = await checkCells(sources, join(PROJECT_ROOT, "build", "tests", "cells_linted"));
  if (problems.length > 0) fail(problems.join("\n\n"));
});

Deno.test("notebooks contain no paths of a machine", async () => {
  for (const source of sources) {
    assertEquals(absolutePath(await Deno.readTextFile(source)), undefined, basename(source));
  }
});
