import type { SQLInputValue } from "node:sqlite";
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
