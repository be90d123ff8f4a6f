import { DatasetPaths } from "../../datasets/layout/files.ts";
import { type DatasetManifest, openDataset, shippedDatasets } from "../../datasets/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { isTaken, localFiles } from "../../http/local_files.ts";
import { replay, shippedRecordings } from "../../recordings/mod.ts";
import type { Session } from "../terminal/session.ts";

/**
 * Writes a notebook that reads a dataset or a recording and shows its contents.
 *
 * @param file Path of the notebook; with Python, `.py` makes it a marimo notebook.
 * @param folder Folder of a dataset, file or folder of a recording, or a name as `openMarket` takes it:
 *   recordings win over datasets, which `dataset://` names. Python reads datasets only.
 * @throws {InputError} If it is neither, or the file exists or cannot be written.
 */
export async function createNotebook(
  session: Session,
  file: string,
  { folder, isPython }: { readonly folder: string; readonly isPython: boolean },
): Promise<void> {
  const isHere = await localFiles().stat(folder).then(() => true, () => false);
  const name = isHere ? null : folder.replace(/^dataset:\/\//, "");
  const isShippedRecording = name === folder && !isPython &&
    (await shippedRecordings()).includes(name);
  const isOwnRecording = isHere && !isPython && await isRecordingAt(folder);
  const ships = !isShippedRecording && name !== null && shippedDatasets().includes(name);
  let text: string;
  if (isShippedRecording) {
    text = formatNotebook(createCells(await describeRecording(name), name), DENO_KERNEL);
  } else if (isOwnRecording) {
    const contents = await describeRecording(folder);
    text = formatNotebook(createCells(contents, await toRelative(file, folder)), DENO_KERNEL);
  } else {
    const dataset = await openDataset(ships ? name : toPath(folder));
    const contents = describeContents(dataset.manifest);
    const source = async () => ships ? `dataset://${name}` : await toRelative(file, folder);
    const isMarimo = file.endsWith(".py");
    text = isPython
      ? formatPythonNotebook(contents, {
        dataset: await toRelative(file, dataset.folder),
        module: await toRelative(file, new DatasetPaths(PYTHON_MODULE).folder),
      }, { isMarimo })
      : formatNotebook(createCells(contents, await source()), DENO_KERNEL);
  }
  try {
    await localFiles().writeFile(file, text, { flag: "wx" });
  } catch (cause) {
    const isThere = isTaken(cause);
    // A partial file from a full disk would block the next attempt.
    if (!isThere) await localFiles().rm(file, { force: true }).catch(() => {});
    throw new InputError(`Cannot write ${file}${isThere ? ": it already exists" : ""}`, {
      ...isThere ? {} : { facts: { reason: cause instanceof Error ? cause.message : `${cause}` } },
      remedy: "Pass another name, in a folder that can be written, on a disk with free space",
      cause,
    });
  }
  if (session.isJson) session.printJson("notebook", { file, folder });
  else session.print(file);
  session.say(
    ...isPython ? [`Install its packages with: pip install ${PYTHON_PACKAGES.join(" ")}`] : [
      "Open it with orderlens lab, or in an editor with Deno's kernel;",
      "its folder, or a parent of it, needs the deno.json of a project with orderlens",
    ],
  );
}

/** Whether a path is a file, or a folder with recorded exchanges and no manifest. */
async function isRecordingAt(path: string): Promise<boolean> {
  if (!(await localFiles().stat(path)).isDirectory()) return true;
  const names = await localFiles().readdir(path);
  return !names.includes("manifest.json") && names.some((name) => /\.ndjson(?:\.gz)?$/.test(name));
}

/** Returns the path of a folder relative to that of a file, with forward slashes. */
async function toRelative(file: string, folder: string): Promise<string> {
  const { dirname, relative } = process.getBuiltinModule("node:path");
  const [from, to] = [await resolvePath(dirname(file)), await resolvePath(folder)];
  const path = relative(from, to).replaceAll("\\", "/");
  return path.startsWith("..") ? path : `./${path}`;
}

async function resolvePath(path: string): Promise<string> {
  try {
    return await localFiles().realpath(path);
  } catch (cause) {
    throw new InputError(`Cannot write a notebook in ${path}: there is no such folder`, {
      remedy: "Create it first",
      cause,
    });
  }
}

/** Describes the contents of a recording in a sentence. */
async function describeRecording(name: string): Promise<string> {
  const { recorded, deployment } = await replay(name);
  const ids = recorded.auctionIds;
  const range = ids.length === 0 ? "orders" : `auctions ${ids[0]} to ${ids.at(-1)}`;
  return `It has ${range} of a deployment on chain ${deployment?.chainId ?? "unknown"}.`;
}

/** Describes the contents of a dataset in a sentence. */
function describeContents({ source, range }: DatasetManifest): string {
  const origin = source.network === null
    ? `a deployment on chain ${source.chainId}`
    : `${source.network}, ${source.environment}`;
  return `It has ${
    range === null ? "orders" : `auctions ${range.from} to ${range.to}`
  } of ${origin}.`;
}

/** Creates pairs of prose and code; the first pair has the parameters. */
function createCells(contents: string, folder: string): readonly (readonly [string, string])[] {
  return [
    [
      `# What is in this market?

${contents}

\`source\` may also be a recording (\`"market_1"\`), a public network (\`"xdai"\`), the URL of a
deployment, or another folder; \`options\` takes \`last\`, \`node\` and other options of \`openMarket\`.`,
      `import type { MarketOptions, MarketSource } from "orderlens/market";

const source: MarketSource = ${JSON.stringify(folder)};
const options: MarketOptions = {};`,
    ],
    [
      "## What was read?",
      `import { explore, solverLeaderboard } from "orderlens/charts";
import { openMarket } from "orderlens/market";
import { show } from "orderlens/notebook";

const market = await openMarket(source, options);
await show(market);`,
    ],
    ["## Who won?", "await show(solverLeaderboard(await market.leaderboard(), market.caption));"],
    [
      "## How do fills compare with their quotes?",
      `const fills = await market.fills();
await show(explore(fills, { frame: "fills", ...market.links }));`,
    ],
    [
      "## What did each fee policy charge?",
      'await show(market.sql("SELECT policy_kind, count(*) AS fees FROM fees GROUP BY policy_kind"));',
    ],
  ];
}

/** Makes a word of the command line a path, never the name of a shipped dataset. */
export function toPath(word: string): string {
  return shippedDatasets().includes(word) ? `./${word}` : word;
}

/** Metadata of a notebook for Deno's kernel. */
const DENO_KERNEL = {
  kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
  language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
};

/** Metadata of a notebook for Python's kernel. */
const PYTHON_KERNEL = {
  kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
  language_info: { file_extension: ".py", mimetype: "text/x-python", name: "python" },
};

/** Formats pairs of prose and code as a Jupyter notebook; the first pair has the parameters. */
function formatNotebook(
  cells: readonly (readonly [prose: string, code: string])[],
  metadata: typeof DENO_KERNEL,
): string {
  const notebook = {
    cells: cells.flat().map((text, index) => ({
      ...(index % 2 === 0 ? { cell_type: "markdown" } : {
        cell_type: "code",
        execution_count: null,
        outputs: [],
      }),
      id: `cell-${index + 1}`,
      metadata: index === 1 ? { tags: ["parameters"] } : {},
      source: text.split(/(?<=\n)/),
    })),
    metadata,
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

/** Folder of the Python module that ships with the library. */
const PYTHON_MODULE = new URL("../../sql/python/", import.meta.url);

/** Packages that the Python notebooks import. */
const PYTHON_PACKAGES = ["altair", "duckdb", "polars", "pyarrow"];

/** A question, the code that answers it, and the names that marimo passes in and out. */
interface PythonCell {
  readonly prose: string;
  readonly code: string;
  readonly takes: readonly string[];
  readonly gives: readonly string[];
}

/**
 * Formats a notebook that reads a dataset with polars, DuckDB and Altair, with the same cells for Jupyter
 * and for marimo, whose notebooks are Python programs.
 *
 * @param contents Contents of the dataset, in a sentence.
 * @param folders Folders of the dataset and of the module, relative to that of the notebook.
 */
function formatPythonNotebook(
  contents: string,
  folders: { readonly dataset: string; readonly module: string },
  { isMarimo }: { readonly isMarimo: boolean },
): string {
  const toPath = (folder: string) => {
    const path = JSON.stringify(folder);
    return isMarimo ? `Path(mo.notebook_dir()) / ${path}` : `Path(${path})`;
  };
  const cells = createPythonCells(contents, toPath(folders.dataset), toPath(folders.module));
  return isMarimo
    ? formatMarimo(cells)
    : formatNotebook(cells.map(({ prose, code }) => [prose, code]), PYTHON_KERNEL);
}

function createPythonCells(
  contents: string,
  folder: string,
  module: string,
): readonly PythonCell[] {
  return [
    {
      prose: `# What is in this dataset?\n\n${contents}`,
      code: `import json
import sys
from pathlib import Path

import altair as alt
import polars as pl

module = ${module}
sys.path.append(str(module.resolve()))
import orderlens

folder = ${folder}
db = orderlens.open_duckdb(folder)`,
      takes: folder.includes("mo.") ? ["mo"] : [],
      gives: ["alt", "db", "folder", "json", "pl"],
    },
    {
      prose: "## What was read?",
      code: `tables = {
    path.name: pl.scan_parquet(path / "*.parquet")
    for path in sorted(folder.iterdir())
    if any(path.glob("*.parquet"))
}
counts = pl.collect_all([table.select(pl.len()) for table in tables.values()])
pl.DataFrame({"table": list(tables), "rows": [count.item() for count in counts]})`,
      takes: ["folder", "pl"],
      gives: ["tables"],
    },
    {
      prose:
        "Names of solvers from the dataset's own file; those of public networks are in its tables.",
      code: `deployment = folder / "deployment.json"
facts = json.loads(deployment.read_text()) if deployment.exists() else {}
names = {one["address"]: one["name"] for one in facts.get("solvers", [])}
solver = pl.coalesce(
    pl.col("solver").replace_strict(names, default=None, return_dtype=pl.String),
    pl.col("solver_name"),
    pl.col("solver"),
).alias("solver")`,
      takes: ["folder", "json", "pl"],
      gives: ["solver"],
    },
    {
      prose: "## Who won?\n\nDoubles are for axes; the last cell sums atoms.",
      code: `leaderboard = (
    tables["outcomes"]
    .group_by(solver)
    .agg(
        solutions=pl.len(),
        wins=pl.col("is_winner").sum(),
        score_won_native=pl.col("score_native").filter(pl.col("is_winner")).sum(),
    )
    .sort("score_won_native", descending=True)
    .collect()
)
alt.Chart(leaderboard, title="Score of winning solutions by solver").mark_bar().encode(
    x=alt.X("score_won_native", title="Score (native tokens)"),
    y=alt.Y("solver", sort="-x", title=None),
    tooltip=["solver", "wins", "solutions", "score_won_native"],
).properties(width=560)`,
      takes: ["alt", "pl", "solver", "tables"],
      gives: ["leaderboard"],
    },
    {
      prose:
        "## How do fills compare with their quotes?\n\nDrag over the picture to filter the bars.",
      code: `every = (
    tables["fills"]
    .select(solver, "pair", "order_uid", "volume_native", "slippage_net_bps")
    .collect()
)
fills = every.drop_nulls(["volume_native", "slippage_net_bps"])
# Altair draws at most 5,000 rows.
drawn = fills if fills.height <= 5_000 else fills.sample(5_000, seed=7)
notes = [f"n = {fills.height:,} fills"]
if drawn.height < fills.height:
    notes = [f"n = {drawn.height:,} of {fills.height:,} fills, drawn at random"]
if fills.height < every.height:
    notes += [f"{every.height - fills.height:,} without a known volume or slippage left out"]
title = alt.Title("Slippage against the net quote", subtitle=". ".join(notes))
view = alt.selection_interval()
dots = alt.Chart(drawn, title=title).mark_circle().encode(
    x=alt.X("volume_native", title="Volume (native tokens)"),
    y=alt.Y("slippage_net_bps", title="Slippage (bps), better above 0"),
    color=alt.when(view).then("solver").otherwise(alt.value("lightgray")),
    tooltip=["order_uid", "pair", "solver", "slippage_net_bps"],
).add_params(view).properties(width=560)
bars = alt.Chart(drawn).mark_bar().encode(
    x=alt.X("slippage_net_bps", bin=alt.Bin(maxbins=40), title="Slippage (bps)"),
    y=alt.Y("count()", title="Fills in view"),
).transform_filter(view).properties(width=560, height=120)
dots & bars`,
      takes: ["alt", "pl", "solver", "tables"],
      gives: ["fills"],
    },
    {
      prose: `## What did each fee policy charge?

The tables and views of \`orderlens sql\`, such as \`leaderboard\`: amounts are whole numbers there,
and sums have every digit.`,
      code: `fees = db.sql(
    """
    SELECT policy_kind, count(*) AS fees, sum(fee_native_atoms)::VARCHAR AS fee_native_atoms
    FROM fees GROUP BY policy_kind ORDER BY policy_kind
    """
).pl()
fees`,
      takes: ["db"],
      gives: ["fees"],
    },
  ];
}

function formatMarimo(cells: readonly PythonCell[]): string {
  const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
  // Prose has words of the dataset, which must not end the string literal.
  const formatProse = (prose: string) => indent(prose.replaceAll('"', "'"));
  const bodies = cells.flatMap(({ prose, code, takes, gives }) => [
    `@app.cell(hide_code=True)\ndef _(mo):\n    mo.md(r"""\n${
      formatProse(prose)
    }\n    """)\n    return`,
    `@app.cell\ndef _(${takes.join(", ")}):\n${indent(code)}\n    return (${gives.join(", ")},)`,
  ]);
  return `import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    return (mo,)


${bodies.join("\n\n\n")}


if __name__ == "__main__":
    app.run()
`;
}
