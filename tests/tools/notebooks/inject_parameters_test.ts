import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { injectParameters, parameterNames } from "../../../tools/notebooks/inject_parameters.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

const SOURCE = `const parameters = {
  network: null, // last: none
  last: 10,
};
`;

function notebook(source: string | string[], tags: string[] = ["parameters"]): string {
  const cells = [
    { cell_type: "markdown", id: "heading", metadata: {}, source: "# Title" },
    { cell_type: "code", id: "own", metadata: { tags }, source },
    { cell_type: "code", id: "rest", metadata: {}, source: "parameters.last" },
  ];
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

const given = (parameters: Record<string, unknown>) => ({ notebook: "n.ipynb", parameters });

Deno.test("injectParameters() puts a sentence and a cell after the parameters", () => {
  const text = notebook(SOURCE.split(/(?<=\n)/));
  const injected = injectParameters(text, given({ network: "xdai", last: 3 }));
  const { cells } = JSON.parse(injected);
  assertEquals(cells.map(({ id }: { id: string }) => id), [
    "heading",
    "own",
    "injected-parameters-note",
    "injected-parameters",
    "rest",
  ]);
  assertEquals(
    cells[2].source.split(". ")[0],
    '**Executed with other parameters**: `network: "xdai"`, `last: 3`',
  );
  assertEquals(
    cells[3].source,
    'void Object.assign(parameters, {\n  network: "xdai",\n  last: 3,\n});',
  );
  assertEquals(cells[3].metadata, { tags: ["injected-parameters"] });
});

Deno.test("injectParameters() drops outputs, which are of the notebook's own parameters", () => {
  const content = JSON.parse(notebook(SOURCE));
  content.cells[2].outputs = [{ output_type: "execute_result", data: { "text/plain": "10" } }];
  content.cells[2].execution_count = 2;
  const { cells } = JSON.parse(injectParameters(JSON.stringify(content), given({ last: 3 })));
  const { outputs, execution_count } = cells.at(-1);
  assertEquals([outputs, execution_count], [[], null]);
});

Deno.test("injectParameters() rejects what a notebook has no parameter for", () => {
  assertThrows(
    () => injectParameters(notebook(SOURCE), given({ url: "http://127.0.0.1" })),
    TaskError,
    "n.ipynb has no parameter url: it has network, last",
  );
  assertThrows(
    () => injectParameters(notebook(SOURCE, []), given({ last: 3 })),
    TaskError,
    "n.ipynb has no parameter last: it has none",
  );
});

Deno.test("every notebook declares its parameters in its first cell of code", async () => {
  const common = [
    "recording",
    "dataset",
    "network",
    "environment",
    "url",
    "chainId",
    "settlementContract",
  ];
  for (const path of await findNotebooks(join(PROJECT_ROOT, "notebooks"))) {
    const text = await Deno.readTextFile(path);
    const names = parameterNames(text);
    assert(names.length > 0, `${path} has none`);
    // Those of the sandbox read nothing else, and SQL reads datasets alone.
    const isOfOneSource = ["seed", "dataset"].includes(names[0]!);
    if (!isOfOneSource) assertEquals(names.slice(0, common.length), common, path);
    const { cells } = JSON.parse(text);
    const first = cells.find(({ cell_type }: { cell_type: string }) => cell_type === "code");
    assertEquals(first.metadata.tags, ["parameters"], path);
    assertEquals(cells.at(-1).metadata.tags, ["in-short"], path);
    assertEquals(cells.at(-2).source, ["## In short"], path);
  }
});
