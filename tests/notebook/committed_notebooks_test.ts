import { assert, assertEquals } from "@std/assert";
import { basename, join } from "node:path";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { findAbsolutePath } from "../../tools/notebooks/absolute_path.ts";
import { checkCells } from "../../tools/notebooks/check_cells.ts";
import { findDifference } from "../../tools/notebooks/compare_outputs.ts";
import { executeNotebook } from "../../tools/notebooks/execute_notebook.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import {
  type CellOutput,
  listCodeCells,
  type Notebook,
  readNotebook,
} from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { BROKEN, committed, sentencesInShort } from "./committed.ts";
import { runCells } from "./run_cells.ts";

const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
assert(NOTEBOOKS.length > 0);
/** It goes through a kernel, as all do in `deno task notebooks`; the cells of the others run here. */
const THROUGH_KERNEL = "06_your_own_data";

async function assertCommitted(source: string, executed: Notebook): Promise<void> {
  const difference = findDifference(await readNotebook(source), executed);
  const hint = `If that is right: deno task notebooks --update ${basename(source, ".ipynb")}`;
  assert(difference === undefined, `${basename(source)}, ${difference}\n${hint}`);
}

/** The notebook with what its cells show in this process, as a kernel would write it. */
async function runHere(source: string): Promise<Notebook> {
  const { cells } = await runCells(source);
  const own = listCodeCells(await readNotebook(source));
  return {
    cells: own.map((cell, index) => ({
      ...cell,
      execution_count: index + 1,
      outputs: cells[index]!.map((data) => ({ output_type: "display_data", data, metadata: {} })),
    })),
  };
}

for (const source of NOTEBOOKS) {
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
  const folder = join(PROJECT_ROOT, "build", "tests", "cells_linted");
  const problems = await checkCells(NOTEBOOKS, folder);
  assert(problems.length === 0, problems.join("\n\n"));
});

Deno.test("notebooks contain no paths of a machine", async () => {
  for (const source of NOTEBOOKS) {
    assertEquals(findAbsolutePath(await Deno.readTextFile(source)), undefined, basename(source));
  }
});

/** What a page says in short only, worked out from numbers that it shows in other words. */
const ONLY_IN_SHORT = new Set(["3", "662"]);

Deno.test("every page says in short, in three points, what it shows", async (t) => {
  for (const path of NOTEBOOKS) {
    await t.step(basename(path), async () => {
      const { texts } = await committed(basename(path, ".ipynb"));
      const points = sentencesInShort(texts);
      assertEquals(points.length, 3, texts.at(-1));
      const above = texts.slice(0, -1).join(" ").replaceAll("**", "");
      for (const point of points) {
        // The finding of a picture, as it stands below it.
        if (above.includes(point.slice("- ".length).trim())) continue;
        for (const [, said = ""] of point.matchAll(/\*\*(.+?)\*\*/g)) {
          assert(ONLY_IN_SHORT.has(said) || above.includes(said), `${said} is not shown above`);
        }
      }
    });
  }
});

function textOf(output: CellOutput, kind: string): string {
  return [output.data?.[kind] ?? ""].flat().join("");
}

Deno.test("pictures have title and finding as text; sentences no missing number, and their minus", async () => {
  for (const path of NOTEBOOKS) {
    const { cells } = await readNotebook(path);
    for (const output of cells.flatMap(({ outputs }) => outputs)) {
      const sentences = textOf(output, "text/markdown");
      assert(!BROKEN.test(sentences), sentences);
      assert(!/(?<![\w`-])-\d/.test(sentences), sentences);
      const title = textOf(output, "image/svg+xml").match(/<title>([^<]*)<\/title>/)?.[1];
      const [first, finding] = textOf(output, "text/plain").split("\n");
      // What is explored says in the page how many rows are in view.
      if (title === undefined || finding === undefined) continue;
      assertEquals(first?.replaceAll("&", "&amp;"), title, basename(path));
      assert(/\d.*\.$/.test(finding), finding);
      assert(!BROKEN.test(finding), finding);
      const escaped = finding.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      assert(textOf(output, "text/html").includes(escaped), finding);
    }
  }
});

/** Lines of code of all notebooks, of one, of a cell, and of the cell of parameters, at most. */
const MOST = { all: 980, notebook: 90, cell: 12, parameters: 6 };

Deno.test("notebooks are short, and so are their cells", async () => {
  let all = 0;
  for (const path of NOTEBOOKS) {
    const { cells } = JSON.parse(await Deno.readTextFile(path));
    let lines = 0;
    for (const { cell_type, metadata, source } of cells) {
      if (cell_type !== "code") continue;
      const count = [source].flat().join("").split("\n")
        .filter((line: string) => line.trim() !== "" && !line.trim().startsWith("//")).length;
      const most = metadata.tags?.includes("parameters") ? MOST.parameters : MOST.cell;
      assert(count <= most, `${basename(path)} has a cell of ${count} lines`);
      lines += count;
    }
    assert(lines <= MOST.notebook, `${basename(path)} has ${lines} lines of code`);
    all += lines;
  }
  assert(all <= MOST.all, `${all} lines of code`);
});
