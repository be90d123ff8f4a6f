import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import {
  Code,
  injectParameters,
  parameterNames,
} from "../../../tools/notebooks/inject_parameters.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

const SOURCE = `import type { MarketOptions } from "orderlens/market";

const source = "market_1";
const options: MarketOptions = { rewardsOf: "mainnet" };
const uid =
  "0x12";
`;

function notebook(source: string | string[], tags: string[] = ["parameters"]): string {
  const cells = [
    { cell_type: "markdown", id: "heading", metadata: {}, source: "# Title" },
    { cell_type: "code", id: "own", metadata: { tags }, source },
    { cell_type: "code", id: "rest", metadata: {}, source: "options.last" },
  ];
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

const given = (parameters: Record<string, unknown>) => ({ notebook: "n.ipynb", parameters });

function cellsWith(parameters: Record<string, unknown>) {
  const text = notebook(SOURCE.split(/(?<=\n)/));
  return JSON.parse(injectParameters(text, given(parameters))).cells;
}

Deno.test("injectParameters() puts values in place, and a sentence after the parameters", () => {
  const cells = cellsWith({ source: "xdai", last: 3, node: new Code('Deno.env.get("NODE")') });
  assertEquals(cells.map(({ id }: { id: string }) => id), [
    "heading",
    "own",
    "injected-parameters-note",
    "rest",
  ]);
  assertEquals(
    cells[1].source,
    SOURCE.replace('"market_1"', '"xdai"')
      .replace('{ rewardsOf: "mainnet" }', '{ last: 3, node: Deno.env.get("NODE") }'),
  );
  assertEquals(
    cells[2].source.split(". ")[0],
    '**Executed with other parameters**: `source: "xdai"`, `last: 3`, `node: Deno.env.get("NODE")`',
  );
});

Deno.test("injectParameters() adds options to those of the notebook's own source", () => {
  assertEquals(
    cellsWith({ last: 3, uid: "0x34" })[1].source,
    SOURCE.replace('{ rewardsOf: "mainnet" }', '{ ...{ rewardsOf: "mainnet" }, last: 3 }')
      .replace('"0x12"', '"0x34"'),
  );
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
    "n.ipynb has no parameter url: it has source, options, uid",
  );
  assertThrows(
    () => injectParameters(notebook(SOURCE, []), given({ last: 3 })),
    TaskError,
    "n.ipynb has no parameter last: it has none",
  );
});

Deno.test("every notebook declares its parameters in its first cell of code", async () => {
  for (const path of await findNotebooks(join(PROJECT_ROOT, "notebooks"))) {
    const text = await Deno.readTextFile(path);
    const names = parameterNames(text);
    assert(names.length > 0, `${path} has none`);
    // Those of the sandbox read nothing else.
    const isOfSandbox = ["seed", "simulated"].includes(names[0]!);
    if (!isOfSandbox) assertEquals(names.slice(0, 2), ["source", "options"], path);
    const { cells } = JSON.parse(text);
    const first = cells.find(({ cell_type }: { cell_type: string }) => cell_type === "code");
    assertEquals(first.metadata.tags, ["parameters"], path);
    assertEquals(cells.at(-1).metadata.tags, ["in-short"], path);
    assertEquals(cells.at(-2).source, ["## In short"], path);
  }
});
