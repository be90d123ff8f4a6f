import type { SQLInputValue } from "node:sqlite";
import type { CellColumn } from "../../tables/columns/frame.ts";
import type { FileColumn } from "../shards/file_columns.ts";
import type { RowBatch, SourceTable } from "./source_tables.ts";

const TYPES: Readonly<Record<FileColumn["dtype"], string>> = {
  String: "TEXT",
  Int64: "INTEGER",
  Float64: "REAL",
  Bool: "INTEGER",
  Datetime: "TEXT",
};

/** Columns that tables are joined by. */
const JOINED_BY = ["order_uid", "auction_id"];

/** A SQLite database that is being written: one table each, with keys and indexes. */
export class SqliteFile {
  readonly #database;

  /** Creates the file. It is only complete when {@linkcode SqliteFile.finish} has returned. */
  constructor(file: string) {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = new DatabaseSync(file);
    // Until it is renamed, the file may be lost: nothing is synced before its end.
    this.#database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    this.#database.exec(
      "CREATE TABLE dataset (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;" +
        "CREATE TABLE columns (table_name TEXT NOT NULL, position INTEGER NOT NULL, " +
        "name TEXT NOT NULL, type TEXT NOT NULL, unit TEXT, description TEXT NOT NULL, " +
        "PRIMARY KEY (table_name, position)) STRICT;",
    );
  }

  /** Creates a table and describes its columns; returns what appends rows to it. */
  createTable({ name, columns, key }: SourceTable): (batch: RowBatch) => void {
    const declared = columns.map((column) =>
      `${quoted(column.name)} ${TYPES[column.dtype]}${key.includes(column.name) ? " NOT NULL" : ""}`
    );
    this.#database.exec(
      `CREATE TABLE ${quoted(name)} (${declared.join(", ")}, ` +
        `PRIMARY KEY (${key.map(quoted).join(", ")})) STRICT`,
    );
    const describe = this.#database.prepare("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?)");
    for (const [position, { name: column, dtype, unit, source }] of columns.entries()) {
      describe.run(name, position + 1, column, TYPES[dtype], unit, source);
    }
    const insert = this.#database.prepare(
      `INSERT INTO ${quoted(name)} VALUES (${columns.map(() => "?").join(", ")})`,
    );
    return ({ rows, columns }) => {
      for (let row = 0; row < rows; row++) {
        insert.run(...columns.map(({ cells }): SQLInputValue => {
          const cell = cells[row]!;
          return typeof cell === "boolean" ? Number(cell) : cell;
        }));
      }
    };
  }

  /** Creates the indexes by which a table is joined, where its key does not begin with them. */
  createIndexes({ name, columns, key }: SourceTable): void {
    for (const column of JOINED_BY) {
      const isColumn = columns.some((one) => one.name === column);
      if (!isColumn || key[0] === column) continue;
      const index = quoted(`${name}_by_${column}`);
      this.#database.exec(`CREATE INDEX ${index} ON ${quoted(name)} (${quoted(column)})`);
    }
  }

  /** Notes what the database was made from, and closes it. */
  finish(facts: Readonly<Record<string, string>>): void {
    const insert = this.#database.prepare("INSERT INTO dataset VALUES (?, ?)");
    for (const [name, value] of Object.entries(facts)) insert.run(name, value);
    this.#database.exec("COMMIT");
    this.close();
  }

  /** Closes the database; what was not finished is not complete. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** A fact that a database of a conversion notes; `null` if there is none, or it is no database. */
export function noteOf(file: string, name: string): string | null {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const row = database.prepare("SELECT value FROM dataset WHERE name = ?").get(name);
      return typeof row?.value === "string" ? row.value : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function quoted(name: string): string {
  return `"${name}"`;
}

type CellValue = CellColumn["cells"][number];

/** Characters with which spreadsheets begin a formula, and the mark that keeps them from it. */
const BEGINS_FORMULA = /^[=+\-@\t\r']/;
const IS_DECIMAL = /^-?\d+$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The first line of a CSV file. */
export function csvHeader({ columns }: SourceTable): string {
  return `${columns.map(({ name }) => name).join()}\r\n`;
}

/**
 * Rows as CSV (RFC 4180): null is empty, and the empty text is `""`. Text that a spreadsheet would
 * take for a formula begins with `'`, and so does text that begins with `'`; decimal numbers, with or
 * without a minus, stay as they are.
 */
export function csvRows({ rows, columns }: RowBatch, { guardFormulas }: CsvOptions): string {
  const print = guardFormulas ? guardedCell : csvCell;
  let text = "";
  for (let row = 0; row < rows; row++) {
    let line = "";
    for (const { cells } of columns) line += `,${print(cells[row]!)}`;
    text += `${line.slice(1)}\r\n`;
  }
  return text;
}

/** How CSV is written. */
interface CsvOptions {
  /** Whether text that begins like a formula gets a `'` in front. */
  readonly guardFormulas: boolean;
}

function guardedCell(cell: CellValue): string {
  const isGuarded = typeof cell === "string" && BEGINS_FORMULA.test(cell) && !IS_DECIMAL.test(cell);
  return csvCell(isGuarded ? `'${cell}` : cell);
}

function csvCell(cell: CellValue): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  return cell === "" || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Rows as NDJSON: one object per line with every column. Amounts are strings, as is a whole number
 * that a double does not hold.
 */
export function ndjsonRows({ rows, columns }: RowBatch): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  let text = "";
  for (let row = 0; row < rows; row++) {
    let line = "";
    for (const [place, { cells }] of columns.entries()) {
      line += `,${names[place]}${jsonCell(cells[row]!)}`;
    }
    text += `{${line.slice(1)}}\n`;
  }
  return text;
}

function jsonCell(cell: CellValue): string {
  return typeof cell === "bigint" ? `"${cell}"` : JSON.stringify(cell);
}
