import type {
  ResultFormat,
  ResultManifest,
  SqlRelation,
  SqlResult,
  SqlRow,
  SqlSession,
} from "../../sql/mod.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import { usageError } from "../words/usage_error.ts";

/** How the rows of a query are printed. */
export type RowFormat = "table" | "csv" | "json";

const TICK_MS = 250;
/** Width of a cell of a table; longer values are cut there, and only there. */
const WIDEST = 44;

/** The query of an argument: its text, or that of the file of this name. */
export async function queryOf(word: string): Promise<string> {
  if (/\s/.test(word.trim())) return word;
  try {
    return await Deno.readTextFile(word);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return word;
    if (error instanceof Deno.errors.IsADirectory) {
      throw usageError(
        `Cannot run sql with the folder ${word} as its query`,
        "Pass one SELECT behind the folders, or the name of a file with one",
      );
    }
    throw error;
  }
}

/** Runs a query of DuckDB, and prints its rows. */
export async function printRows(
  session: Session,
  sql: SqlSession,
  { query, format }: { readonly query: string; readonly format: RowFormat },
): Promise<void> {
  const result = await runOf(session, sql, query);
  try {
    await printParts(session, { columns: result.columns, parts: result.parts() }, format);
  } finally {
    result[Symbol.dispose]();
  }
}

/** Prints rows as they are found, by either engine. */
export async function printParts(
  session: Session,
  found: {
    readonly columns: readonly { readonly name: string }[];
    readonly parts: AsyncIterable<readonly SqlRow[]>;
  },
  format: RowFormat,
): Promise<void> {
  const columns = found.columns.map(({ name }) => name);
  const kept: SqlRow[] = [];
  if (format === "csv") session.print(csvLine(columns));
  for await (const rows of found.parts) {
    session.signal.throwIfAborted();
    if (format !== "csv") kept.push(...rows);
    else if (rows.length > 0) {
      session.print(...rows.map((row) => csvLine(Object.values(row))));
    }
  }
  if (format === "json") session.printJson("sql", { columns, rows: kept });
  else if (format === "table") session.print(...tableLines(columns, kept));
}

async function runOf(session: Session, sql: SqlSession, query: string): Promise<SqlResult> {
  using _ = progressOf(session, sql);
  return await sql.run(query, { signal: session.signal });
}

/** Runs a query into a file or a folder. */
export async function writeRows(
  session: Session,
  sql: SqlSession,
  { query, output, format }: {
    readonly query: string;
    readonly output: string;
    readonly format?: ResultFormat;
  },
): Promise<ResultManifest> {
  using _ = progressOf(session, sql);
  return await sql.write(query, output, { format, signal: session.signal });
}

/** Tables and views with their columns, as lines. */
export function relationLines(relations: readonly SqlRelation[]): string[] {
  return relations.flatMap(({ name, kind, grain, key, columns }) => [
    `${name} (${kind}): ${grain}`,
    `  key: ${key.length === 0 ? "none, rows may repeat: select distinct ones" : key.join(", ")}`,
    ...columns.map((one) =>
      `  ${one.name}  ${one.dtype}${one.unit === null ? "" : `, ${one.unit}`}: ${one.text}`
    ),
    "",
  ]);
}

function progressOf(session: Session, sql: SqlSession): Disposable {
  const line = new ProgressLine(session);
  const timer = setInterval(() => {
    const { progress } = sql;
    if (progress !== null) line.updateWork("Query, percent", Math.floor(progress * 100), 100);
  }, TICK_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      line[Symbol.dispose]();
    },
  };
}

function csvLine(values: readonly unknown[]): string {
  return values.map((value) => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(",");
}

/** Rows as aligned lines, under a head. */
export function tableLines(columns: readonly string[], rows: readonly SqlRow[]): string[] {
  const cells = rows.map((row) => Object.values(row).map(cellOf));
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...cells.map((row) => row[at]!.length))
  );
  const isNumber = columns.map((_, at) =>
    rows.some((row) => Object.values(row)[at] !== null) &&
    rows.every((row) => /^$|^-?[0-9.]+(?:e[+-]?[0-9]+)?$/.test(cellOf(Object.values(row)[at])))
  );
  const line = (row: readonly string[]) =>
    row.map((cell, at) => isNumber[at] ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))
      .join("  ").trimEnd();
  return [
    line(columns),
    line(widths.map((width) => "-".repeat(width))),
    ...cells.map(line),
    `(${rows.length} ${rows.length === 1 ? "row" : "rows"})`,
  ];
}

/** Amounts are never cut: they are digits, and a part of them would be another number. */
function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /^-?\d+$/.test(text) || text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}
