import { type DuckDBConnection, type DuckDBInstance, StatementType } from "@duckdb/node-api";
import type { SqlColumn } from "../catalogue/views.ts";
import { type MissingNames, notAQuery, queryError } from "./query_error.ts";
import { type EngineColumn, RESULT, SqlResult } from "./sql_result.ts";
import type { SqlRow } from "./sql_values.ts";

/** A table or a view that queries may name. */
export interface SqlRelation {
  /** Its name. */
  readonly name: string;
  /** `table` of the dataset, or `view`. */
  readonly kind: "table" | "view";
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; empty for tables that may repeat rows. */
  readonly key: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
}

/** Options of a query. */
export interface QueryOptions {
  /** Ends the query. */
  readonly signal?: AbortSignal | undefined;
}

/** What a session is made of. */
export interface SessionParts {
  /** The database. */
  readonly instance: DuckDBInstance;
  /** Its connection, with tables, views and functions. */
  readonly connection: DuckDBConnection;
  /** What queries may name. */
  readonly relations: readonly SqlRelation[];
  /** Views without one of their tables. */
  readonly missing: MissingNames;
}

/** Datasets that are open for SQL; close it when done. */
export class SqlSession implements Disposable {
  /** Tables and views that queries may name. */
  readonly relations: readonly SqlRelation[];
  readonly #parts: SessionParts;
  readonly #running = new Set<DuckDBConnection>();

  /** A session by its parts; {@linkcode openSql} makes them. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.relations = parts.relations;
  }

  /** Share of the running query that is done, 0 to 1; `null` if unknown. */
  get progress(): number | null {
    const percentage = [...this.#running].at(-1)?.progress.percentage ?? -1;
    return percentage < 0 ? null : percentage / 100;
  }

  /**
   * Runs one query, and returns all rows: for charts, with the type of theirs, which is not checked.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async query<Row = SqlRow>(query: string, options: QueryOptions = {}): Promise<Row[]> {
    return (await Array.fromAsync(this.parts(query, options))).flat() as Row[];
  }

  /**
   * Runs one query, and returns its rows in parts of about 2,000 once it has succeeded, so that a
   * result may be larger than memory.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async *parts(
    query: string,
    options: QueryOptions = {},
  ): AsyncGenerator<SqlRow[], void, undefined> {
    const result = await this.run(query, options);
    try {
      for await (const rows of result.parts()) {
        options.signal?.throwIfAborted();
        yield rows;
      }
    } finally {
      result[Symbol.dispose]();
    }
  }

  /**
   * Runs one query to its end, and keeps its rows: beside memory on the disk, if there are many.
   * An error is thrown here, before there is a row.
   *
   * @returns The result, to be disposed of.
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async run(query: string, options: QueryOptions = {}): Promise<SqlResult> {
    const connection = await this.#parts.instance.connect();
    try {
      const rowCount = await this.#make(connection, { what: "TABLE", query, ...options });
      const { columnNames, columnTypes } = await described(connection);
      const columns = columnNames.map((name, at) => ({ name, type: String(columnTypes[at]) }));
      return new SqlResult(connection, { columns, rowCount });
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Names and types of the columns of a query, without running it. */
  async columns(query: string): Promise<EngineColumn[]> {
    const connection = await this.#parts.instance.connect();
    try {
      await this.#make(connection, { what: "VIEW", query });
      const { columnNames, columnTypes } = await described(connection);
      return columnNames.map((name, at) => ({ name, type: String(columnTypes[at]) }));
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Runs one query into a Parquet file, which must be the `output` that the session was opened with.
   * A file that is there is replaced once the query has succeeded.
   *
   * @returns Number of rows.
   * @throws {InputError} If it is not one `SELECT`, fails, or the file cannot be written.
   */
  async writeParquet(query: string, file: string, options: QueryOptions = {}): Promise<number> {
    const files = process.getBuiltinModule("node:fs/promises");
    const connection = await this.#parts.instance.connect();
    const unfinished = unfinishedOf(file);
    try {
      await this.#make(connection, { what: "VIEW", query });
      const rows = await this.#execute(connection, {
        sql: `COPY (FROM ${RESULT}) TO '${unfinished.replaceAll("'", "''")}' ` +
          "(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)",
        ...options,
      });
      await files.rename(unfinished, file);
      return rows;
    } catch (cause) {
      await files.rm(unfinished, { force: true });
      options.signal?.throwIfAborted();
      throw Error.isError(cause) && cause.name === "InputError"
        ? cause
        : queryError(cause, this.#parts.missing);
    } finally {
      connection.closeSync();
    }
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#parts.connection.closeSync();
    this.#parts.instance.closeSync();
  }

  /** Makes the rows or the view of a query, in a connection of its own. */
  async #make(connection: DuckDBConnection, { what, query, signal }: Making): Promise<number> {
    const missing = this.#parts.missing;
    const create = `CREATE TEMP ${what} ${RESULT} AS\n`;
    try {
      const { count } = await connection.extractStatements(query);
      if (count !== 1) throw notAQuery(`it has ${count} statements`);
      return await this.#execute(connection, { sql: `${create}${query}`, signal });
    } catch (cause) {
      signal?.throwIfAborted();
      if (Error.isError(cause) && cause.name === "InputError") throw cause;
      const error = queryError(cause, missing, LINES_BEFORE);
      const type = await typeOf(connection, query);
      if (type === null || type === StatementType.SELECT && !/Parser Error/.test(String(cause))) {
        throw error;
      }
      if (type !== StatementType.SELECT) {
        throw notAQuery(`it is ${StatementType[type]}, not SELECT`);
      }
      // DESCRIBE and SUMMARIZE are queries, which CREATE takes in parentheses alone.
      const text = query.replace(/[;\s]+$/, "");
      return await this.#execute(connection, { sql: `${create}FROM (${text}\n)`, signal })
        .catch(() => Promise.reject(error));
    }
  }

  /** Runs one statement that can be interrupted; returns its number of rows. */
  async #execute(connection: DuckDBConnection, { sql, signal }: Executing): Promise<number> {
    const interrupt = () => connection.interrupt();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", interrupt, { once: true });
    this.#running.add(connection);
    try {
      const done = await connection.runAndReadAll(sql);
      return Number(done.getRows()[0]?.[0] ?? 0);
    } finally {
      this.#running.delete(connection);
      signal?.removeEventListener("abort", interrupt);
    }
  }
}

/** Lines in front of the query's own. */
const LINES_BEFORE = 1;

interface Executing extends QueryOptions {
  readonly sql: string;
}

interface Making extends QueryOptions {
  readonly what: "TABLE" | "VIEW";
  readonly query: string;
}

/** Where a file is written before it is complete. */
export function unfinishedOf(file: string): string {
  return `${file}.unfinished`;
}

async function described(connection: DuckDBConnection) {
  const none = await connection.runAndReadAll(`SELECT * FROM ${RESULT} LIMIT 0`);
  return { columnNames: none.columnNames(), columnTypes: none.columnTypes() };
}

/** What kind of statement a text is; `null` if it cannot be prepared. */
async function typeOf(connection: DuckDBConnection, query: string): Promise<StatementType | null> {
  try {
    const statement = await (await connection.extractStatements(query)).prepare(0);
    const { statementType } = statement;
    statement.destroySync();
    return statementType;
  } catch {
    return null;
  }
}
