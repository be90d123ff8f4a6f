import type { ResultManifest, SqlRelation, SqlResult, SqlRow, SqlSession } from "../../sql/mod.ts";
import { usageError } from "../arguments/command_line.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";

/** How the rows of a query are printed. */
export type RowFormat = "table" | "csv" | "json";

/** Columns of a plan. */
const PLAN = "explain_key,explain_value";
const TICK_MS = 250;
/** Width of a cell where a line of all cells is wider than the terminal. */
const WIDEST = 44;

/** The query of an argument: its text, that of the file of this name, or stdin for `-`. */
export async function queryOf(session: Session, word: string): Promise<string> {
  if (word === "-") return await session.io.readInput();
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

/** A name and the file of a table of one's own. */
export function tableOf(text: string): [name: string, file: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    `Cannot run sql with --with ${text}`,
    "Pass a name and a file, as in --with prices=prices.csv",
  );
}

/** Runs a query of DuckDB, and prints its rows. */
export async function printRows(
  session: Session,
  sql: SqlSession,
  { query, format }: { readonly query: string; readonly format: RowFormat },
): Promise<void> {
  const result = await runOf(session, sql, query);
  try {
    await printParts(session, {
      columns: result.columns,
      parts: result.parts(),
      warnings: sql.warnings,
    }, format);
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
    readonly warnings: readonly string[];
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
  if (format === "json") {
    session.printJson("sql", { columns, rows: kept, warnings: found.warnings });
  } else if (format === "csv") return;
  else if (columns.join() === PLAN) session.print(...kept.map((row) => String(row.explain_value)));
  else {
    const { isTerminal, columns: width } = session.io.out;
    session.print(...tableLines(columns, kept, isTerminal ? width : undefined));
  }
}

async function runOf(session: Session, sql: SqlSession, query: string): Promise<SqlResult> {
  using _ = progressOf(session, sql);
  return await sql.run(query, { signal: session.signal });
}

/** Runs a query into a file. */
export async function writeRows(
  session: Session,
  sql: SqlSession,
  { query, output }: { readonly query: string; readonly output: string },
): Promise<ResultManifest> {
  using _ = progressOf(session, sql);
  return await sql.write(query, output, { signal: session.signal });
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

/**
 * Rows as aligned lines, under a head. Long cells are cut only where lines would be wider than a
 * terminal, and amounts never: they are digits, and a part of them would be another number.
 *
 * @param width Of the terminal. @default {none: nothing is cut}
 */
export function tableLines(
  columns: readonly string[],
  rows: readonly SqlRow[],
  width = Infinity,
): string[] {
  const whole = rows.map((row) => Object.values(row).map(textOf));
  const longest = columns.map((name, at) =>
    Math.max(name.length, ...whole.map((row) => row[at]!.length))
  );
  const isWide = longest.reduce((sum, one) => sum + one + 2, -2) > width;
  const cells = isWide ? whole.map((row) => row.map(cut)) : whole;
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...cells.map((row) => row[at]!.length))
  );
  const isNumber = columns.map((_, at) =>
    rows.some((row) => Object.values(row)[at] !== null) &&
    rows.every((row) => /^$|^-?[0-9.]+(?:e[+-]?[0-9]+)?$/.test(textOf(Object.values(row)[at])))
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

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

function cut(text: string): string {
  return /^-?\d+$/.test(text) || text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}
