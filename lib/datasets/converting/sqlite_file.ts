import type { SQLInputValue } from "node:sqlite";
import { readCells } from "../../tables/columns/frame.ts";
import { readParquet } from "../../tables/columns/frame_files.ts";
import type { Dtype, Table } from "../../tables/mod.ts";
import { freeFrames, toFileColumns } from "../shards/file_columns.ts";

export interface TableSource {
  readonly table: Table;
  /** Its files, of which the first has the row that several have. */
  readonly files: readonly string[];
}

const TYPES: Readonly<Record<Dtype, string>> = {
  String: "TEXT",
  Int64: "INTEGER",
  Float64: "REAL",
  Bool: "INTEGER",
};

/** Rows whose cells are in memory together. */
const BATCH_ROWS = 20_000;

const JOIN_COLUMNS = ["order_uid", "auction_id"];

/** Lists the columns of a table in formats without timestamps: times are texts, and milliseconds. */
export function listTextColumns(table: Pick<Table, "columns">) {
  return toFileColumns(table).flatMap(({ dtype, ...column }) =>
    dtype === "Datetime" ? [] : [{ ...column, dtype }]
  );
}

/** A SQLite database that is being written: one table each, with keys and indexes. */
export class SqliteFile implements Disposable {
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

  /** Adds a table with its rows, keys and indexes; returns the number of rows. */
  async add({ table, files }: TableSource, signal: AbortSignal | undefined): Promise<number> {
    const { key, hasRepeats = false } = table;
    const name = quote(table.name);
    const columns = listTextColumns(table);
    const declared = columns.map((column) =>
      `${quote(column.name)} ${TYPES[column.dtype]}${key.includes(column.name) ? " NOT NULL" : ""}`
    );
    this.#database.exec(
      `CREATE TABLE ${name} (${declared.join(", ")}, ` +
        `PRIMARY KEY (${key.map(quote).join(", ")})) STRICT`,
    );
    const describe = this.#database.prepare("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?)");
    for (const [position, { name: column, dtype, unit, source }] of columns.entries()) {
      describe.run(table.name, position + 1, column, TYPES[dtype], unit, source);
    }
    const insert = this.#database.prepare(
      `INSERT ${hasRepeats ? "OR IGNORE " : ""}INTO ${name} ` +
        `VALUES (${columns.map(() => "?").join(", ")})`,
    );
    let rows = 0;
    for (const file of files) {
      signal?.throwIfAborted();
      await freeFrames();
      const frame = readParquet(file).select(...columns.map(({ name }) => name));
      for (let start = 0; start < frame.height; start += BATCH_ROWS) {
        const some = readCells(frame, { start, count: BATCH_ROWS });
        for (let row = 0; row < Math.min(BATCH_ROWS, frame.height - start); row++) {
          const cells = some.map(({ cells }): SQLInputValue => {
            const cell = cells[row]!;
            return typeof cell === "boolean" ? Number(cell) : cell;
          });
          rows += Number(insert.run(...cells).changes);
        }
      }
    }
    // By what tables are joined by, where the key does not begin with it.
    for (const { name: column } of columns) {
      if (!JOIN_COLUMNS.includes(column) || key[0] === column) continue;
      const index = quote(`${table.name}_by_${column}`);
      this.#database.exec(`CREATE INDEX ${index} ON ${name} (${quote(column)})`);
    }
    return rows;
  }

  /** Stores the origin of the database, and closes it. */
  finish(facts: Readonly<Record<string, string>>): void {
    const insert = this.#database.prepare("INSERT INTO dataset VALUES (?, ?)");
    for (const [name, value] of Object.entries(facts)) insert.run(name, value);
    this.#database.exec("COMMIT");
    this[Symbol.dispose]();
  }

  /** Closes the database; what was not finished is not complete. */
  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Reads a fact of a converted database; `null` if it is missing, or the file is no database. */
export function readFact(file: string, name: string): string | null {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare("SELECT value FROM dataset WHERE name = ?").get(name);
    return typeof row?.value === "string" ? row.value : null;
  } catch {
    return null;
  }
}

function quote(name: string): string {
  return `"${name}"`;
}
