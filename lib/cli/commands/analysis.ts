import { type CommandSpec, ENVIRONMENTS } from "../arguments/command_line.ts";
import { EXIT } from "../terminal/io.ts";

/** `orderlens sql` */
export const SQL: CommandSpec = {
  name: "sql",
  summary: "Query datasets in SQL, exact to the atom",
  description:
    "Queries records, derived tables such as fills, fees and rewards, and summary views " +
    "in DuckDB. Never changes the datasets.",
  arguments: {
    "<folder>": "folder of the dataset, or name of a shipped one: market_1",
    "[words...]": "more folders, then one SELECT, a file that contains one, or - for stdin",
  },
  options: {
    "--list": "list tables, views and columns, with units",
    "--csv": "print rows as CSV",
    "--output <path>": "write rows to a .parquet, .csv or .json file",
    "--with <name=file>...": "add a CSV, Parquet or JSON file as a table of this name",
    "--memory <size>": "memory limit, such as 2GB; larger queries spill to disk",
  },
  examples: {
    "sql try --list": "List tables, views and columns",
    'sql try "SELECT * FROM leaderboard"': "One row per solver",
    'sql try "SUMMARIZE fills"': "Ranges and missing values of every column",
    'sql try "SELECT * FROM fills" --output fills.parquet':
      "Write surplus and slippage of every fill to a file",
    'sql try "SELECT * FROM fills JOIN prices USING (auction_id)" --with prices=prices.csv':
      "Join with your own table",
    'sql mainnet gnosis "SELECT * FROM leaderboard"': "Query two datasets as one",
  },
  permissions: ["read", "write", "ffi", "sys", "temporary"],
  async run(session, args) {
    const folders = args.has("--list") ? args.words : args.words.slice(0, -1);
    if (folders.length === 0) {
      throw args.error("without a query", "Pass one after the folder, or --list");
    }
    const { listRelations, readQuery, runQuery } = await import("../actions/sql_action.ts");
    if (args.has("--list")) return await listRelations(session, folders);
    const query = await readQuery(session, args.words.at(-1) ?? "");
    return await runQuery(session, args, { folders, query });
  },
};

/** `orderlens notebook run` */
export const NOTEBOOK_RUN: CommandSpec = {
  name: "notebook run",
  summary: "Execute the notebooks of the project and write their gallery",
  description:
    "Requires a clone of the project. By default, the notebooks read the recordings in " +
    "data/. Decimals and times come from the node in ORDERLENS_RPC_URL, if it is set.",
  arguments: { "[names...]": "notebooks by the start of their file names, or by path (all)" },
  options: {
    "--update": "write the outputs to the committed notebooks",
    "--network <network>": "read a public network",
    [`--env <${ENVIRONMENTS.join("|")}>`]: "deployment of the network (production)",
    "--url <url>": "read another deployment",
    "--chain-id <number>": "chain ID of --url",
    "--settlement <address>": "its settlement contract",
    "--recording <recording>": "read another recording",
    "--dataset <folder>": "read an exported dataset: a shipped one, or a folder",
    "--last <number>": "number of auctions to read (20 on a live deployment)",
    "--set <name=value>...": "set any other parameter",
    "--out <folder>": "output folder",
    "--html <path>":
      "write each notebook as one HTML file that needs no other: to a .html file, or into a folder",
    "--overwrite": "replace existing files of --html",
  },
  examples: {
    "notebook run": "Execute all notebooks",
    "notebook run mine.ipynb --html mine.html": "Make one file of your own notebook, to share",
    "notebook run 01 --network xdai --last 20": "Execute one on a live network",
  },
  permissions: ["read", "run"],
  async run(session, args) {
    const { runTool } = await import("../actions/run_tool.ts");
    const words = args.raw.filter((word) => !["--json", "--quiet", "--verbose"].includes(word));
    return await runTool(session, args, { tool: "tools/run_notebooks.ts", words });
  },
};

/** `orderlens notebook new` */
export const NOTEBOOK_NEW: CommandSpec = {
  name: "notebook new",
  summary: "Create a small notebook that reads a dataset",
  arguments: {
    "<file>": "notebook to create, ending in .ipynb; with --python, also .py for marimo",
  },
  options: {
    "--from <source>": "what to read: a folder, or a name that openMarket accepts",
    "--python": "use Python with polars, DuckDB and Altair",
  },
  examples: {
    "notebook new first.ipynb --from try": "For a dataset",
    "notebook new first.ipynb --from market_1": "For a shipped recording",
    "notebook new first.ipynb --from dataset://market_1": "For a shipped dataset",
    "notebook new first.py --from try --python": "For marimo",
  },
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const folder = args.text("--from");
    const file = args.word(0);
    if (folder === undefined) {
      throw args.error(
        "without a dataset",
        "Pass --from with its folder, or with market_1, which is shipped",
      );
    }
    const isPython = args.has("--python");
    if (!file.endsWith(".ipynb") && !(isPython && file.endsWith(".py"))) {
      throw args.error(
        `with ${file}: it is not the name of a notebook`,
        `Pass a name that ends in .ipynb${isPython ? ", or in .py for marimo" : ""}`,
      );
    }
    const { createNotebook } = await import("../actions/new_notebook.ts");
    await createNotebook(session, file, { folder, isPython });
    return EXIT.done;
  },
};

/** `orderlens lab` */
export const LAB: CommandSpec = {
  name: "lab",
  summary: "Open the notebooks in JupyterLab with the Deno kernel",
  description: "Requires a clone of the project. Installs Jupyter there if it is missing.",
  arguments: { "[words...]": "options of JupyterLab" },
  examples: { "lab": "In a browser", "lab --no-browser --port 9000": "On another port" },
  permissions: ["read", "run"],
  passesOn: true,
  async run(session, args) {
    const { runTool } = await import("../actions/run_tool.ts");
    return await runTool(session, args, { tool: "tools/run_lab.ts", words: args.raw });
  },
};
