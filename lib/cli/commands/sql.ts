import type { ResultFormat, ResultManifest } from "../../sql/mod.ts";
import { formatOfFile } from "../../sql/result_format.ts";
import { type Args, type CommandSpec, usageError } from "../arguments/command_line.ts";
import { counted, EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

const ENGINES = ["duckdb", "spark"];
const FORMATS = ["parquet", "csv", "json"] as const;
/** Options that only one of the engines has. */
const OF_SPARK = ["--master", "--conf", "--format"];
const OF_DUCKDB = ["--memory", "--with"];

/** `orderlens sql` */
export const SQL: CommandSpec = {
  name: "sql",
  summary: "Query datasets in SQL, exact to the atom",
  description: "Records, answers such as fills, fees and rewards, and views that add them up, in " +
    "DuckDB on this machine, or in Spark on one machine or a cluster, which is installed when " +
    "first asked for. Datasets are only read.",
  arguments: [
    { name: "<folder>", text: "folder of the dataset", values: "folder" },
    {
      name: "[words...]",
      text: "more folders, then one SELECT, the name of a file with one, or - for stdin",
      values: "file",
    },
  ],
  options: [
    { flags: "--list", text: "list tables, views and columns, with units" },
    { flags: "--csv", text: "print rows as CSV" },
    {
      flags: "--output <path>",
      text: "write rows into a file .parquet, .csv or .json; on Spark, into a folder",
      values: "file",
    },
    {
      flags: "--format <format>",
      text: "of a folder on Spark: parquet, csv or json (parquet)",
      values: FORMATS,
    },
    {
      flags: "--with <name=file>",
      text: "a CSV or Parquet file as a table of this name; may be repeated",
      isRepeated: true,
    },
    { flags: "--memory <size>", text: "most memory, such as 2GB; what needs more uses the disk" },
    { flags: "--engine <engine>", text: "duckdb or spark (duckdb)", values: ENGINES },
    { flags: "--master <url>", text: "where Spark runs, such as spark://host:7077 (local[*])" },
    {
      flags: "--conf <name=value>",
      text: "a setting of Spark; may be repeated",
      isRepeated: true,
    },
  ],
  examples: [
    { words: "sql try --list", text: "What queries may name" },
    { words: 'sql try "SELECT * FROM leaderboard"', text: "One row for each solver" },
    { words: 'sql try "SUMMARIZE fills"', text: "Ranges and missing values of every column" },
    {
      words: 'sql try "SELECT * FROM fills" --output fills.parquet',
      text: "Surplus and slippage of every fill, in a file",
    },
    {
      words:
        'sql try "SELECT * FROM fills JOIN prices USING (auction_id)" --with prices=prices.csv',
      text: "The same beside a table of your own",
    },
    {
      words: 'sql mainnet gnosis "SELECT * FROM fills" --engine spark ' +
        "--master spark://host:7077 --output fills",
      text: "The same of two networks on a cluster, in a folder",
    },
  ],
  permissions: ["read", "write", "ffi", "sys", "engine"],
  async run(session, args) {
    const engine = args.choice("--engine", "engine", ENGINES) ?? "duckdb";
    requireOptionsOf(engine, args);
    const folders = args.has("--list") ? args.words : args.words.slice(0, -1);
    if (folders.length === 0) {
      throw usageError(`${args.cannot} without a query`, "Pass one after the folder, or --list");
    }
    if (args.has("--list")) return await list(session, folders);
    const { queryOf } = await import("../actions/sql_action.ts");
    const asked = {
      folders,
      query: await queryOf(session, args.words.at(-1) ?? ""),
    };
    return engine === "spark"
      ? await onSpark(session, args, asked)
      : await onDuckDb(session, args, asked);
  },
};

interface Asked {
  readonly folders: readonly string[];
  readonly query: string;
}

function requireOptionsOf(engine: string, args: Args): void {
  const [others, other] = engine === "spark" ? [OF_DUCKDB, "duckdb"] : [OF_SPARK, "spark"];
  const option = others.find((one) => args.has(one));
  if (option === undefined) return;
  throw usageError(
    `${args.cannot} with ${option} in ${engine}`,
    `Leave it out, or pass --engine ${other}`,
  );
}

async function list(session: Session, folders: readonly string[]): Promise<ExitCode> {
  const [{ openSql }, { relationLines }] = await Promise.all([
    import("../../sql/mod.ts"),
    import("../actions/sql_action.ts"),
  ]);
  using sql = await openSql(folders);
  if (session.isJson) session.printJson("sql-relations", { relations: sql.relations });
  else session.print(...relationLines(sql.relations));
  return EXIT.done;
}

async function onDuckDb(
  session: Session,
  args: Args,
  { folders, query }: Asked,
): Promise<ExitCode> {
  const [{ openSql }, action] = await Promise.all([
    import("../../sql/mod.ts"),
    import("../actions/sql_action.ts"),
  ]);
  const output = args.text("--output");
  if (output !== undefined) formatOfFile(output);
  using sql = await openSql(folders, {
    memoryLimit: args.text("--memory"),
    output,
    with: Object.fromEntries(args.texts("--with").map(action.tableOf)),
  });
  for (const line of sql.warnings) session.warn(line);
  if (output === undefined) {
    await action.printRows(session, sql, { query, format: formatOf(session, args) });
  } else tellWritten(session, output, await action.writeRows(session, sql, { query, output }));
  return EXIT.done;
}

async function onSpark(session: Session, args: Args, asked: Asked): Promise<ExitCode> {
  const { printSparkRows, writeSparkRows } = await import("../actions/spark_action.ts");
  const written = writtenOf(args);
  if (written !== undefined && /\.[a-z]\w*$/i.test(written.output)) {
    throw usageError(
      `${args.cannot} with --output ${written.output} in spark, whose workers write a folder of files`,
      "Pass the name of a folder, and --format if it is not parquet",
    );
  }
  const on = { ...asked, master: args.text("--master"), conf: args.texts("--conf") };
  if (written === undefined) await printSparkRows(session, on, formatOf(session, args));
  else tellWritten(session, written.output, await writeSparkRows(session, on, written));
  return EXIT.done;
}

/** Where Spark writes rows, and how; `undefined` if they are printed. */
function writtenOf(args: Args): { output: string; format?: ResultFormat } | undefined {
  const [output, word] = [args.text("--output"), args.choice("--format", "format", FORMATS)];
  const format = FORMATS.find((one) => one === word);
  if (output !== undefined) return { output, ...format !== undefined && { format } };
  if (format === undefined) return undefined;
  throw usageError(`${args.cannot} with --format alone`, "Pass --output with a folder");
}

function tellWritten(session: Session, output: string, manifest: ResultManifest): void {
  const { rows, files } = manifest;
  const where = files.length === 1 ? "" : ` in ${counted(files.length, "file")}`;
  session.say(`${output}: ${counted(rows, "row")}${where}`);
  if (session.isJson) session.printJson("sql-result", { output, rows, manifest });
}

function formatOf(session: Session, args: Args): "json" | "csv" | "table" {
  if (session.isJson) return "json";
  return args.has("--csv") ? "csv" : "table";
}
