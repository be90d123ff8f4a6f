import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { openSql, type ResultManifest, type SqlRow } from "../../sql/mod.ts";
import { formatCsvLine, formatCsvRow } from "../../sql/result_text.ts";
import { detectFormat } from "../../sql/write_result.ts";
import { type Args, usageError } from "../arguments/command_line.ts";
import { EXIT, type ExitCode, pluralize } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";

interface DatasetQuery {
  readonly folders: readonly string[];
  readonly query: string;
}

/** Columns of the result of EXPLAIN. */
const PLAN_COLUMNS = "explain_key,explain_value";
const TICK_MS = 250;
/** Maximum width of a cell where lines would be wider than the terminal. */
const MAX_CELL_WIDTH = 44;

/** Reads the query of an argument: its text, the file that it names, or stdin for `-`. */
export async function readQuery(session: Session, word: string): Promise<string> {
  if (word === "-") return await session.io.readInput();
  if (/\s/.test(word.trim())) return word;
  try {
    return await localFiles().readFile(word, "utf8");
  } catch (error) {
    if (isMissing(error) && !/\.sql$/i.test(word)) return word;
    if (error instanceof Error && "code" in error && error.code === "EISDIR") {
      throw usageError(
        `Cannot run sql with the folder ${word} as its query`,
        "Pass one SELECT after the folders, or a file that contains one",
      );
    }
    throw new InputError(`Cannot run sql: ${word} cannot be read`, {
      facts: { reason: error instanceof Error ? error.message : String(error) },
      remedy: "Pass one SELECT after the folders, or a file that contains one",
      cause: error,
    });
  }
}

/** Runs a query, and prints its rows or writes them to a file. */
export async function runQuery(
  session: Session,
  args: Args,
  { folders, query }: DatasetQuery,
): Promise<ExitCode> {
  const { signal } = session;
  const output = args.text("--output");
  if (output !== undefined) detectFormat(output);
  using sql = await openSql(folders, {
    memoryLimit: args.text("--memory"),
    output,
    with: Object.fromEntries(
      args.texts("--with").map((text) =>
        splitPair(text, `--with ${text}`, "--with prices=prices.csv")
      ),
    ),
  });
  for (const line of sql.warnings) session.warn(line);
  const line = new ProgressLine(session);
  const timer = setInterval(() => {
    const { progress } = sql;
    if (progress !== null) line.updateWork("Query, percent", Math.floor(progress * 100), 100);
  }, TICK_MS);
  const endLine = () => {
    clearInterval(timer);
    line[Symbol.dispose]();
  };
  if (output !== undefined) {
    const manifest = await sql.write(query, output, { signal }).finally(endLine);
    reportOutput(session, output, manifest);
    return EXIT.done;
  }
  using result = await sql.run(query, { signal }).finally(endLine);
  const { columns } = result;
  await printParts(session, args, { columns, parts: result.parts(), warnings: sql.warnings });
  return EXIT.done;
}

/** Splits `name=value`. */
function splitPair(text: string, option: string, example: string): [name: string, value: string] {
  const index = text.indexOf("=");
  if (index > 0) return [text.slice(0, index), text.slice(index + 1)];
  throw usageError(`Cannot run sql with ${option}`, `Pass a name and a value, as in ${example}`);
}

function reportOutput(session: Session, output: string, manifest: ResultManifest): void {
  const { rows, files } = manifest;
  const suffix = files.length === 1 ? "" : ` in ${pluralize(files.length, "file")}`;
  session.say(`${output}: ${pluralize(rows, "row")}${suffix}`);
  if (session.isJson) session.printJson("sql-result", { output, rows, manifest });
}

/** Prints rows as they are read. */
async function printParts(
  session: Session,
  args: Args,
  result: {
    readonly columns: readonly { readonly name: string }[];
    readonly parts: AsyncIterable<readonly SqlRow[]>;
    readonly warnings: readonly string[];
  },
): Promise<void> {
  const isCsv = args.has("--csv") && !session.isJson;
  const columns = result.columns.map(({ name }) => name);
  const allRows: SqlRow[] = [];
  if (isCsv) session.write(formatCsvLine(columns));
  for await (const rows of result.parts) {
    session.signal.throwIfAborted();
    for (const row of isCsv ? [] : rows) allRows.push(row);
    if (isCsv) session.write(rows.map((row) => formatCsvRow(columns, row)).join(""));
  }
  if (session.isJson) {
    session.printJson("sql", { columns, rows: allRows, warnings: result.warnings });
  } else if (isCsv) return;
  else if (columns.join() === PLAN_COLUMNS) {
    session.print(allRows.map((row) => String(row.explain_value)));
  } else {
    const { isTerminal, columns: width } = session.io.out;
    session.print(formatTable(columns, allRows, isTerminal ? width : undefined));
  }
}

/** Lists tables and views with their columns. */
export async function listRelations(
  session: Session,
  folders: readonly string[],
): Promise<ExitCode> {
  using sql = await openSql(folders);
  const { relations } = sql;
  if (session.isJson) {
    session.printJson("sql-relations", { relations });
    return EXIT.done;
  }
  for (const { name, kind, grain, key, columns } of relations) {
    session.print(
      `${name} (${kind}): ${grain}`,
      `  key: ${key.length === 0 ? "none, rows may repeat: select distinct ones" : key.join(", ")}`,
      ...columns.map((column) =>
        `  ${column.name}  ${column.dtype}${
          column.unit === null ? "" : `, ${column.unit}`
        }: ${column.text}`
      ),
      "",
    );
  }
  return EXIT.done;
}

/**
 * Formats rows as aligned lines below their column names. Long cells are shortened only where lines
 * would be wider than the terminal; numbers never are, because part of a number is another number.
 *
 * @param width Width of the terminal. @default {unlimited}
 */
export function formatTable(
  columns: readonly string[],
  rows: readonly SqlRow[],
  width = Infinity,
): string[] {
  const texts = rows.map((row) => Object.values(row).map(formatCell));
  const longest = columns.map((name, index) =>
    Math.max(name.length, ...texts.map((row) => row[index]!.length))
  );
  const isWide = longest.reduce((sum, length) => sum + length + 2, -2) > width;
  const cells = isWide ? texts.map((row) => row.map(shortenCell)) : texts;
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]!.length))
  );
  const isNumber = columns.map((_, index) =>
    rows.some((row) => Object.values(row)[index] !== null) &&
    rows.every((row) =>
      /^$|^-?[0-9.]+(?:e[+-]?[0-9]+)?$/.test(formatCell(Object.values(row)[index]))
    )
  );
  const formatLine = (row: readonly string[]) =>
    row.map((cell, index) =>
      isNumber[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!)
    )
      .join("  ").trimEnd();
  return [
    formatLine(columns),
    formatLine(widths.map((width) => "-".repeat(width))),
    ...cells.map(formatLine),
    `(${rows.length} ${rows.length === 1 ? "row" : "rows"})`,
  ];
}

function formatCell(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

function shortenCell(text: string): string {
  return /^-?\d+$/.test(text) || text.length <= MAX_CELL_WIDTH
    ? text
    : `${text.slice(0, MAX_CELL_WIDTH - 1)}…`;
}
