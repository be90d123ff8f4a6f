import type { CommandSpec } from "../arguments/command_line.ts";
import { ENGINES } from "../arguments/options.ts";

/** Options that only one of the engines has. */
const OF_SPARK = ["--master", "--conf"];
const OF_DUCKDB = ["--memory", "--with"];

/** `orderlens sql` */
export const SQL: CommandSpec = {
  name: "sql",
  summary: "Query datasets in SQL, exact to the atom",
  description: "Records, answers such as fills, fees and rewards, and views that add them up: in " +
    "DuckDB on this machine, or in Spark on one machine or a cluster, which is installed on first " +
    "use. Datasets are only read.",
  arguments: {
    "<folder>": "folder of the dataset",
    "[words...]": "more folders, then one SELECT, a file that contains one, or - for stdin",
  },
  options: {
    "--list": "list tables, views and columns, with units",
    "--csv": "print rows as CSV",
    "--output <path>": "write rows to a .parquet, .csv or .json file; with Spark, to a folder",
    "--with <name=file>...": "add a CSV or Parquet file as a table of this name",
    "--memory <size>": "most memory to use, such as 2GB; what needs more uses the disk",
    [`--engine <${ENGINES.join("|")}>`]: "engine of the query (duckdb)",
    "--master <url>": "master of the Spark cluster, such as spark://host:7077 (local[*])",
    "--conf <name=value>...": "a setting of Spark",
  },
  examples: {
    "sql try --list": "What queries may name",
    'sql try "SELECT * FROM leaderboard"': "One row for each solver",
    'sql try "SUMMARIZE fills"': "Ranges and missing values of every column",
    'sql try "SELECT * FROM fills" --output fills.parquet':
      "Surplus and slippage of every fill, in a file",
    'sql try "SELECT * FROM fills JOIN prices USING (auction_id)" --with prices=prices.csv':
      "The same beside a table of your own",
    'sql mainnet gnosis "SELECT * FROM fills" --engine spark --master spark://host:7077 --output fills':
      "The same of two networks on a cluster, in a folder",
  },
  permissions: ["read", "write", "ffi", "sys", "engine"],
  async run(session, args) {
    const engine = args.choice("--engine", ENGINES) ?? "duckdb";
    const [others, other] = engine === "spark" ? [OF_DUCKDB, "duckdb"] : [OF_SPARK, "spark"];
    const option = others.find((one) => args.has(one));
    if (option !== undefined) {
      throw args.error(
        `with ${option} in ${engine}`,
        `Leave it out, or pass --engine ${other}`,
      );
    }
    const folders = args.has("--list") ? args.words : args.words.slice(0, -1);
    if (folders.length === 0) {
      throw args.error("without a query", "Pass one after the folder, or --list");
    }
    const { listRelations, onDuckDb, onSpark, queryOf } = await import("../actions/sql_action.ts");
    if (args.has("--list")) return await listRelations(session, folders);
    const query = await queryOf(session, args.words.at(-1) ?? "");
    const run = engine === "spark" ? onSpark : onDuckDb;
    return await run(session, args, { folders, query });
  },
};
