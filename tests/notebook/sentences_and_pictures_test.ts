import { assert, assertEquals } from "@std/assert";
import { basename, join } from "node:path";
import { type CellOutput, readNotebook } from "../../tools/notebooks/notebook.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { BROKEN } from "./in_short.ts";

const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"), []);

function textOf(output: CellOutput, kind: string): string {
  return [output.data?.[kind] ?? ""].flat().join("");
}

Deno.test("every picture has its title and its finding as text, the same below it on the page", async () => {
  for (const path of NOTEBOOKS) {
    const { cells } = await readNotebook(path);
    for (const output of cells.flatMap(({ outputs }) => outputs)) {
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

Deno.test("sentences have no missing number, and the minus sign of the pictures", async () => {
  for (const path of NOTEBOOKS) {
    const { cells } = await readNotebook(path);
    for (
      const text of cells.flatMap(({ outputs }) =>
        outputs.map((one) => textOf(one, "text/markdown"))
      )
    ) {
      assert(!BROKEN.test(text), text);
      assert(!/(?<![\w`-])-\d/.test(text), text);
    }
  }
});

/** Lines of code of all notebooks, of one, of a cell, and of the cell of parameters, at most. */
const MOST = { all: 900, notebook: 90, cell: 12, parameters: 6 };

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
