import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join, resolve } from "node:path";
import { findAbsolutePath } from "../../../tools/notebooks/absolute_path.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { checkCells } from "../../../tools/notebooks/check_cells.ts";
import { findDifference } from "../../../tools/notebooks/compare_outputs.ts";
import {
  type CellOutput,
  type Notebook,
  requireNotebook,
} from "../../../tools/notebooks/notebook.ts";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import {
  Code,
  injectParameters,
  listParameters,
} from "../../../tools/notebooks/inject_parameters.ts";
import { SHIPPED_FOLDER } from "../../../tools/datasets/write_shipped.ts";
import { parseRun } from "../../../tools/notebooks/parse_run.ts";
import { writeBack } from "../../../tools/notebooks/write_back.ts";
import { withFiles } from "../../sandbox/temp_folder.ts";

Deno.test("findAbsolutePath() finds paths of a machine, but no URLs and routes", () => {
  assertEquals(findAbsolutePath(`at ${join(PROJECT_ROOT, "lib")}`), PROJECT_ROOT);
  assertEquals(
    findAbsolutePath("at file:///opt/x/mod.ts:3:1 and so on"),
    "file:///opt/x/mod.ts:3:1",
  );
  assertEquals(findAbsolutePath("wrote /home/someone/a.csv"), "/home/someone/a.csv");
  const addresses = "https://example.org/home/x, GET /api/v1/orders, ../data/x";
  assertEquals(findAbsolutePath(addresses), undefined);
});

const FIXTURES = join(PROJECT_ROOT, "tests", "testdata", "notebook");

async function check(...names: string[]): Promise<string[]> {
  const folder = join(PROJECT_ROOT, "build", "tests", `cells_${names.join("_")}`);
  return await checkCells(names.map((name) => join(FIXTURES, `${name}.ipynb`)), folder);
}

Deno.test("checkCells() reports lint by the lines of the cell", async () => {
  assertEquals(await check(), []);
  assertEquals(await check("good", "type_error"), [
    "type_error.ipynb, cell [2], line 1: `unused` is never used (no-unused-vars)",
    "type_error.ipynb is not formatted: deno task notebooks --update does that",
  ]);
});

/** A notebook of cells with a count and outputs. */
function outputs(...cells: [count: number | null, ...outputs: CellOutput[]][]): Notebook {
  return {
    cells: cells.map(([execution_count, ...outputs]) => {
      return { cell_type: "code", source: "x", execution_count, outputs };
    }),
  };
}

function shown(data: Record<string, unknown>): CellOutput {
  return { output_type: "display_data", data, metadata: {} };
}

Deno.test("findDifference() reports the first different character, and its context in a long text", () => {
  const second = (html: string) =>
    outputs([1], [2, shown({ "text/plain": "same" }), shown({ "text/html": html })]);
  assertEquals(findDifference(outputs(), outputs()), undefined);
  assertEquals(findDifference(second("same"), second("same")), undefined);
  assertEquals(
    findDifference(second("<b>41</b>"), second("<b>42</b>")),
    "cell [2]: output 2, text/html, character 5:\n" +
      "  committed  <b>41</b>\n" +
      "  now        <b>42</b>",
  );
  const long = (digit: string) =>
    outputs([1, shown({ "text/plain": `${"a".repeat(100)}${digit}${"b".repeat(100)}` })]);
  assertEquals(
    findDifference(long("1"), long("2")),
    "cell [1]: output 1, text/plain, character 101:\n" +
      `  committed  …${"a".repeat(30)}1${"b".repeat(29)}…\n` +
      `  now        …${"a".repeat(30)}2${"b".repeat(29)}…`,
  );
});

const NONE = outputs([1]);
const PICTURE = outputs([1, shown({ "image/svg+xml": "<svg/>" })]);
const BOTH = outputs([1, shown({ "text/html": "<p>", "text/plain": "p" })]);
const PLAIN = outputs([1, shown({ "text/plain": "p" })]);

for (
  const [name, before, now, expected] of [
    ["a missing output", PICTURE, NONE, "1 output (image/svg+xml) committed, no output now"],
    ["a new output", NONE, PICTURE, "no output committed, 1 output (image/svg+xml) now"],
    ["a missing media type", BOTH, PLAIN, "output 1, text/html: committed, not there now"],
    ["a new media type", PLAIN, BOTH, "output 1, text/html: not committed, there now"],
    ["a cell unexecuted", outputs([null]), NONE, "it was committed without being executed"],
    ["cells out of order", outputs([7]), NONE, "committed as [7], not executed in order"],
  ] as const
) {
  Deno.test(`findDifference() detects ${name}`, () => {
    assertEquals(findDifference(before, now), `cell [1]: ${expected}`);
  });
}

Deno.test("findNotebooks() finds notebooks in reading order, by prefixes of names and by paths, each once", async () => {
  const names = ["02_b.ipynb", "README.md", "01_a.ipynb", "elsewhere/mine.ipynb"];
  await withFiles(Object.fromEntries(names.map((name) => [name, ""])), async (folder) => {
    const at = (name: string) => join(folder, name);
    const [a, b, mine] = [at("01_a.ipynb"), at("02_b.ipynb"), at("elsewhere/mine.ipynb")];
    assertEquals(await findNotebooks(folder), [a, b]);
    assertEquals(await findNotebooks(join(folder, "nowhere")), []);
    assertEquals(await findNotebooks(folder, ["02"]), [b]);
    assertEquals(await findNotebooks(folder, ["notebooks/02_b.ipynb"]), [b]);
    assertEquals(await findNotebooks(folder, [mine]), [mine]);
    assertEquals(await findNotebooks(folder, [mine, "01", a]), [a, mine]);
    const says = "There is no notebook 03_c: there are 01_a.ipynb, 02_b.ipynb";
    await assertRejects(() => findNotebooks(folder, ["03_c"]), TaskError, says);
    await assertRejects(() => findNotebooks(folder, [`${folder}/elsewhere/no.ipynb`]), TaskError);
    const other = "README.md is no notebook: pass a file that ends in .ipynb";
    await assertRejects(() => findNotebooks(folder, [at("README.md")]), TaskError, other);
  });
});

Deno.test("requireNotebook() takes notebooks of Deno's kernel, and says what another file is", async () => {
  const withMetadata = (metadata: object) =>
    JSON.stringify({ cells: [], metadata, nbformat: 4, nbformat_minor: 5 });
  const files = {
    "deno.ipynb": withMetadata({ kernelspec: { name: "deno", language: "typescript" } }),
    "bare.ipynb": withMetadata({}),
    "python.ipynb": withMetadata({ kernelspec: { name: "python3", language: "python" } }),
    "r.ipynb": withMetadata({ language_info: { name: "R" } }),
    "text.ipynb": "# A page",
    "list.ipynb": "[1]",
    "null.ipynb": "null",
    "old.ipynb": JSON.stringify({ worksheets: [], nbformat: 3 }),
  };
  await withFiles(files, async (folder) => {
    const messages: Record<string, string> = {};
    for (const name of [...Object.keys(files), "absent.ipynb"]) {
      await requireNotebook(join(folder, name)).catch((error: TaskError) => {
        messages[name] = error.message.replace(/ \(.*/, "");
      });
    }
    const noNotebook = "is no notebook of format 4: pass a notebook that JupyterLab has saved";
    const other = "pass one of Deno's kernel, in TypeScript";
    assertEquals(messages, {
      "python.ipynb": `python.ipynb is a notebook of python: ${other}`,
      "r.ipynb": `r.ipynb is a notebook of R: ${other}`,
      "text.ipynb": `text.ipynb ${noNotebook}`,
      "list.ipynb": `list.ipynb ${noNotebook}`,
      "null.ipynb": `null.ipynb ${noNotebook}`,
      "old.ipynb": `old.ipynb ${noNotebook}`,
      "absent.ipynb": "Cannot read absent.ipynb",
    });
  });
});

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
  const ids = cells.map(({ id }: { id: string }) => id);
  assertEquals(ids, ["heading", "own", "injected-parameters-note", "rest"]);
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
  const other = () => injectParameters(notebook(SOURCE), given({ url: "http://127.0.0.1" }));
  assertThrows(other, TaskError, "n.ipynb has no parameter url: it has source, options, uid");
  const untagged = () => injectParameters(notebook(SOURCE, []), given({ last: 3 }));
  assertThrows(untagged, TaskError, "n.ipynb has no parameter last: it has none");
});

Deno.test("every notebook declares its parameters in its first cell of code", async () => {
  const paths = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
  assert(paths.length > 0);
  for (const path of paths) {
    const text = await Deno.readTextFile(path);
    const names = listParameters(text);
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

const XDAI = { source: "xdai", cacheFolder: "../build/cache" };
const SETTLEMENT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";
const RECORDED = join(PROJECT_ROOT, "data", "recorded", "market_1.ndjson.gz");
const DATASET = join(SHIPPED_FOLDER, "market_1");
const URL_HERE = "http://127.0.0.1:8080";
const built = (name: string) => join("build", name);

/** What a command line asks for. */
const RUNS = {
  // Without options, the notebooks' own parameters.
  "01 02 --update": {
    names: ["01", "02"],
    isUpdate: true,
    parameters: null,
    isLive: false,
    out: built("notebooks"),
    gallery: built("gallery"),
    html: null,
  },
  "mine.ipynb --html pages/mine.html": { html: "pages/mine.html", isOverwriting: false },
  "--html pages --overwrite": { parameters: null, html: "pages", isOverwriting: true },
  // Of a public network few auctions, unless it is told otherwise.
  "--network xdai": {
    parameters: { ...XDAI, last: 20 },
    isLive: true,
    out: built("notebooks-xdai"),
    gallery: join("build", "notebooks-xdai", "gallery"),
  },
  "--network=xdai --env staging --last 200": {
    parameters: { ...XDAI, environment: "staging", last: 200 },
    out: built("notebooks-xdai-staging"),
  },
  [`--url ${URL_HERE} --chain-id 100 --settlement ${SETTLEMENT} --out there`]: {
    parameters: { source: URL_HERE, chainId: 100, settlementContract: SETTLEMENT, last: 20 },
    isLive: true,
    out: resolve("there"),
  },
  "--dataset market_1 --last 20": {
    parameters: { source: "dataset://market_1", last: 20 },
    out: built("notebooks-dataset-market_1"),
    isLive: false,
  },
  // Datasets and recordings as long as they are, by name, folder or path.
  [`--dataset ${DATASET}`]: { parameters: { source: DATASET } },
  "--recording simulated_1": {
    parameters: { source: "simulated_1" },
    isLive: false,
    out: built("notebooks-simulated_1"),
  },
  [`--recording ${RECORDED}`]: {
    parameters: { source: RECORDED },
    out: built("notebooks-market_1"),
  },
  // Values are JSON or text.
  "--set uid=0x12 --set accounts=3 --set text=a=b": {
    parameters: { uid: "0x12", accounts: 3, text: "a=b" },
  },
};

for (const [line, expected] of Object.entries(RUNS)) {
  Deno.test(`parseRun() of ${line}`, async () => {
    const run = await parseRun(line.split(" "));
    assertEquals<unknown>({ ...run, ...expected }, run);
  });
}

Deno.test("parseRun() asks the node of the environment, without its URL", async () => {
  const variables = { ORDERLENS_RPC_URL: "https://node.example/a1b2c3d4e5f6a7b8" };
  const live = await parseRun(["--network", "xdai"], variables);
  assertEquals(JSON.stringify(live).includes("a1b2c3"), false);
  assertEquals(live.parameters?.node, new Code('Deno.env.get("ORDERLENS_RPC_URL")'));
  assertEquals((await parseRun(["01"], variables)).parameters, null);
  const recorded = await parseRun(["--recording", "edges"], variables);
  assertEquals(recorded.parameters, { source: "edges" });
});

for (
  const [line, message] of [
    ["--upgrade", "There is no option --upgrade: deno task notebooks --help lists the options"],
    ["--last", "--last has no value: deno task notebooks --help lists the options"],
    ["--update=no", "--update takes no value: deno task notebooks --help lists the options"],
    ["--last 0", "--last 0 is no whole number above 0: deno task notebooks --help lists"],
    ["--last -3", "--last has no value"],
    ["--out --last 3", "--out has no value"],
    ["--network gnosis", "There is no network gnosis: there are mainnet, xdai, "],
    ["--overwrite", "--overwrite has no effect without --html"],
    ["--html", "--html has no value"],
    ["--env staging", "--env has no effect without --network"],
    ["--network xdai --env barn", "There is no environment barn: there are production"],
    ["--network xdai --recording edges", "--network and --recording name different"],
    [`--dataset ${SHIPPED_FOLDER}`, "There is no dataset in"],
    ["--url 127.0.0.1:8080 --chain-id 1", "--url is no URL of http or https: pass one"],
    ["--url http://127.0.0.1:8080", "--url does not identify its chain: pass --chain-id"],
    ["--url https://me:key@host --chain-id 1", "--url has credentials or a query, which"],
    ["--url http://a --chain-id x", "--chain-id x is no whole number above 0"],
    ["--url http://a --chain-id 1 --settlement 0x12", "--settlement is no address"],
    ["--chain-id 1", "--chain-id has no effect without --url"],
    ["--recording no_such", "There is no recording no_such: pass a file, a folder, or one of"],
    ["--set source=xdai", "--set does not take source: use --network, --url, --recording or"],
    ["--set uid", "--set uid gives no parameter a value: pass --set name=value"],
    ["--rpc-url https://node/key", "--rpc-url would show the URL, and any key in it, to other"],
    ["--update --last 3", "--update writes the committed notebooks, which keep their own"],
    ["--update --out x", "--update writes the committed notebooks, which keep their own"],
  ] as const
) {
  Deno.test(`parseRun() rejects ${line}`, async () => {
    await assertRejects(() => parseRun(line.split(" ")), TaskError, message);
  });
}

Deno.test("writeBack() keeps a notebook with unchanged outputs, writes new ones in Jupyter's format, and rejects a path of this machine", async () => {
  const good = await Deno.readTextFile(join(FIXTURES, "good.ipynb"));
  const write = (executed: string) =>
    withFiles({ "source.ipynb": good, "target.ipynb": executed }, async (folder) => {
      const [source, target] = [join(folder, "source.ipynb"), join(folder, "target.ipynb")];
      const isWritten = await writeBack({ source, target })
        .catch((error: unknown) => error instanceof TaskError && error.message);
      return [isWritten, await Deno.readTextFile(source)];
    });
  for (const changed of [good, good.replace("12000", "12001")]) {
    assertEquals(await write(JSON.stringify(JSON.parse(changed))), [changed !== good, changed]);
  }
  const [said, text] = await write(good.replace("12000", join(PROJECT_ROOT, "data")));
  assert(`${said}`.includes(`it would hold the path ${PROJECT_ROOT}`), `${said}`);
  assertEquals(text, good);
});
