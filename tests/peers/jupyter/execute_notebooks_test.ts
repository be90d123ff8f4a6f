import { assert, assertEquals, assertMatch } from "@std/assert";
import { basename, join } from "node:path";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { findDifference } from "../../../tools/notebooks/compare_outputs.ts";
import { executeNotebook, type ExecutionEvent } from "../../../tools/notebooks/execute_notebook.ts";
import { executeNotebooks } from "../../../tools/notebooks/execute_notebooks.ts";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { formatNotebook } from "../../../tools/notebooks/format_notebook.ts";
import { listCodeCells, readNotebook } from "../../../tools/notebooks/notebook.ts";
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
  assertEquals(findDifference(await readNotebook(source), await readNotebook(target)), undefined);
  const formatted = await formatNotebook(await Deno.readTextFile(target));
  assertEquals(formatted, await Deno.readTextFile(source));
});

Deno.test("executeNotebooks() shows the expected output", async () => {
  const { source, target } = result("changed_output");
  assertEquals(
    findDifference(await readNotebook(source), await readNotebook(target)),
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

function notebook(...sources: string[]): string {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

/** So many cells show a value at once: a kernel may say that one is done before its output. */
const SHOWN = Array.from({ length: 60 }, (_, power) => String(2n ** BigInt(power)));

Deno.test("executeNotebook() counts the requests of a live notebook, and shows its outputs, each of them", async () => {
  const jupyter = await ensureJupyter();
  const folder = join(PROJECT_ROOT, "build", "tests", "live_cells");
  const source = join(folder, "live.ipynb");
  const target = join(folder, "live_executed.ipynb");
  const seen: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(new URL(request.url).pathname);
    return new Response(`answer ${seen.length}`);
  });
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    source,
    notebook(
      `const root = "http://127.0.0.1:${server.addr.port}";`,
      "await (await fetch(`${root}/a`)).text()",
      "await (await fetch(`${root}/b`)).text()",
      'Deno.cwd().split("/").at(-1)',
      'import { show } from "orderlens/notebook";',
      ...SHOWN.map((value) => `await show(${value}n);`),
    ),
  );
  const events: ExecutionEvent[] = [];

  const failure = await executeNotebook(jupyter, {
    source,
    target,
    folder: join(PROJECT_ROOT, "notebooks"),
    isLive: true,
    onEvent: (event) => events.push(event),
  });

  assertEquals(failure, undefined);
  assertEquals(seen, ["/a", "/b"]);
  assertEquals(events.find(({ event }) => event === "requests"), { event: "requests", count: 1 });
  const shown = listCodeCells(await readNotebook(target)).map(({ outputs }) =>
    outputs.map(({ data }) => data?.["text/plain"])
  );
  assertEquals(shown.slice(0, 5), [[], ['"answer 1"'], ['"answer 2"'], ['"notebooks"'], []]);
  assertEquals(shown.slice(5), SHOWN.map((value) => [value]));
});
