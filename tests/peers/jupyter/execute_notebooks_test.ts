import { assert, assertEquals, assertMatch } from "@std/assert";
import { basename, join } from "node:path";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { firstDifference } from "../../../tools/notebooks/compare_outputs.ts";
import { executeNotebooks } from "../../../tools/notebooks/execute_notebooks.ts";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { formatNotebook } from "../../../tools/notebooks/format_notebook.ts";
import { readNotebook } from "../../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { SilentScreen } from "../../tools/silent_screen.ts";

const screen = new SilentScreen();
const sources = await findNotebooks(join(PROJECT_ROOT, "tests", "testdata", "notebook"));
const folder = join(PROJECT_ROOT, "build", "tests", "fixtures");
const executed = new Map(
  (await executeNotebooks(await ensureJupyter(), { sources, folder, screen })).map((result) => [
    basename(result.source, ".ipynb"),
    result,
  ]),
);

function result(name: string): { source: string; target: string; failure?: string } {
  const found = executed.get(name);
  assert(found !== undefined, `${name} was not executed`);
  return found;
}

Deno.test("executeNotebooks() and formatNotebook() reproduce a committed notebook", async () => {
  const { source, target, failure } = result("good");
  assertEquals(failure, undefined);
  assertEquals(firstDifference(await readNotebook(source), await readNotebook(target)), undefined);
  const formatted = await formatNotebook(await Deno.readTextFile(target));
  assertEquals(formatted, await Deno.readTextFile(source));
});

Deno.test("executeNotebooks() shows the expected output", async () => {
  const { source, target } = result("changed_output");
  assertEquals(
    firstDifference(await readNotebook(source), await readNotebook(target)),
    "cell [1]: output 1, text/plain, character 7:\n  committed  1000000\n  now        1000001",
  );
});

for (
  const [name, ...lines] of [
    [
      "failing_cell",
      "failing_cell.ipynb, cell [3], line 7",
      "    half(fill.amount);",
      "  RangeError: Cannot halve 1",
      "  Fix: pass an even amount",
    ],
    [
      "syntax_error",
      "syntax_error.ipynb, cell [1], line 2",
      "    this is no code;",
      "  SyntaxError: Expected ';', '}' or <eof>",
    ],
    [
      "ended",
      "ended.ipynb, cell [1]",
      "  DeadKernel: The kernel ended while the cell ran (does it call Deno.exit?)",
    ],
  ] as const
) {
  Deno.test(`executeNotebooks() reports where ${name} failed, by the lines of the cell`, () => {
    assertEquals(result(name).failure, lines.join("\n"));
  });
}

Deno.test("executeNotebooks() reports the result of each notebook", () => {
  assertMatch(screen.text, /^Executing 6 notebooks \(0\.0 s\)\n/);
  assertMatch(screen.text, /\n {2}ok {6}good: 6 cells in [0-9.]+ s\n/);
  assertMatch(screen.text, /\n {2}FAILED {2}failing_cell\n/);
});

Deno.test("executeNotebooks() without notebooks reports nothing", async () => {
  const quiet = new SilentScreen();
  const jupyter = await ensureJupyter();
  assertEquals(await executeNotebooks(jupyter, { sources: [], folder, screen: quiet }), []);
  assertEquals(quiet.text, "");
});
