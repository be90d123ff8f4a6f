/** Metadata of a notebook on Deno's kernel. */
export const DENO_KERNEL = {
  kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
  language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
};

/** Metadata of a notebook on Python's. */
const PYTHON_KERNEL = {
  kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
  language_info: { file_extension: ".py", mimetype: "text/x-python", name: "python" },
};

/** A Jupyter notebook of pairs of prose and code; the first pair has the parameters. */
export function notebookFile(
  cells: readonly (readonly [prose: string, code: string])[],
  metadata: typeof DENO_KERNEL,
): string {
  const notebook = {
    cells: cells.flat().map((text, place) => ({
      ...(place % 2 === 0 ? { cell_type: "markdown" } : {
        cell_type: "code",
        execution_count: null,
        outputs: [],
      }),
      id: `cell-${place + 1}`,
      metadata: place === 1 ? { tags: ["parameters"] } : {},
      source: text.split(/(?<=\n)/),
    })),
    metadata,
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

/** What the notebooks read datasets with. */
export const PYTHON_PACKAGES = ["altair", "duckdb", "polars", "pyarrow"];

/** A question, the code that answers it, and for marimo the names that it takes and gives. */
interface PythonCell {
  readonly prose: string;
  readonly code: string;
  readonly takes: readonly string[];
  readonly gives: readonly string[];
}

/**
 * A notebook that reads a dataset with polars, DuckDB and Altair: the same cells for Jupyter and for
 * marimo, whose notebooks are Python programs.
 *
 * @param contents What the dataset has, in a sentence.
 * @param path The dataset's folder, seen from that of the notebook.
 */
export function pythonNotebook(
  contents: string,
  path: string,
  { isMarimo }: { readonly isMarimo: boolean },
): string {
  const quoted = JSON.stringify(path);
  if (isMarimo) return marimoFile(pythonCells(contents, `Path(mo.notebook_dir()) / ${quoted}`));
  const cells = pythonCells(contents, `Path(${quoted})`);
  return notebookFile(cells.map(({ prose, code }) => [prose, code]), PYTHON_KERNEL);
}

function pythonCells(contents: string, folder: string): readonly PythonCell[] {
  return [
    {
      prose: `# What is in this dataset?\n\n${contents}`,
      code: `import json
from pathlib import Path

import altair as alt
import duckdb
import polars as pl

folder = ${folder}`,
      takes: folder.includes("mo.") ? ["mo"] : [],
      gives: ["alt", "duckdb", "folder", "json", "pl"],
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
        "Names of solvers that the dataset brings; those of public networks are in its tables.",
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
      prose: "## Who won?\n\nDoubles are for axes; the last cell adds up atoms.",
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
      code: `fills = (
    tables["fills"]
    .select(solver, "pair", "order_uid", "volume_native", "slippage_net_bps")
    .drop_nulls(["volume_native", "slippage_net_bps"])
    .collect()
)
view = alt.selection_interval()
dots = alt.Chart(fills, title="Slippage against the net quote").mark_circle().encode(
    x=alt.X("volume_native", title="Volume (native tokens)"),
    y=alt.Y("slippage_net_bps", title="Slippage (bps), better above 0"),
    color=alt.when(view).then("solver").otherwise(alt.value("lightgray")),
    tooltip=["order_uid", "pair", "solver", "slippage_net_bps"],
).add_params(view).properties(width=560)
bars = alt.Chart(fills).mark_bar().encode(
    x=alt.X("slippage_net_bps", bin=alt.Bin(maxbins=40), title="Slippage (bps)"),
    y=alt.Y("count()", title="Fills in view"),
).transform_filter(view).properties(width=560, height=120)
dots & bars`,
      takes: ["alt", "pl", "solver", "tables"],
      gives: ["fills"],
    },
    {
      prose: `## What did each fee policy charge?

Exact amounts are decimal text; cast to \`BIGNUM\`, DuckDB adds them up with every digit.`,
      code: `fees = duckdb.sql(
    """
    SELECT policy_kind, count(*) AS fees,
      sum(CAST(fee_native_atoms AS BIGNUM))::VARCHAR AS fee_native_atoms
    FROM read_parquet(?) GROUP BY policy_kind ORDER BY policy_kind
    """,
    params=[str(folder / "fees/*.parquet")],
).pl()
fees`,
      takes: ["duckdb", "folder"],
      gives: ["fees"],
    },
  ];
}

function marimoFile(cells: readonly PythonCell[]): string {
  const indented = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
  // Prose has words of the dataset, which must not end the text that they stand in.
  const told = (prose: string) => indented(prose.replaceAll('"', "'"));
  const bodies = cells.flatMap(({ prose, code, takes, gives }) => [
    `@app.cell(hide_code=True)\ndef _(mo):\n    mo.md(r"""\n${told(prose)}\n    """)\n    return`,
    `@app.cell\ndef _(${takes.join(", ")}):\n${indented(code)}\n    return (${gives.join(", ")},)`,
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
