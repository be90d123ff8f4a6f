import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { checkCells } from "../../../tools/notebooks/check_cells.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

const FIXTURES = join(PROJECT_ROOT, "tests", "testdata", "notebook");

async function check(...names: string[]): Promise<string[]> {
  const folder = join(PROJECT_ROOT, "build", "tests", `cells_${names.join("_")}`);
  return await checkCells(names.map((name) => join(FIXTURES, `${name}.ipynb`)), folder);
}

Deno.test("checkCells() finds nothing in a valid notebook, and nothing in none", async () => {
  assertEquals(await check("good"), []);
  assertEquals(await check(), []);
});

Deno.test("checkCells() reports lint by the lines of the cell", async () => {
  assertEquals(await check("good", "type_error"), [
    "type_error.ipynb, cell [2], line 1: `unused` is never used (no-unused-vars)",
    "type_error.ipynb is not formatted: deno task notebooks --update does that",
  ]);
});
