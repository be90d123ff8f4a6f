import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from "@duckdb/node-api";
import type { SqlColumn } from "../catalogue/views.ts";
import { type MissingNames, notAQuery, queryError } from "./query_error.ts";
import { type SqlRow, sqlValue } from "./sql_values.ts";

/** A table or a view that queries may name. */
export interface SqlRelation {
  /** Its name. */
  readonly name: string;
  /** `table` of the dataset, or `view`. */
  readonly kind: "table" | "view";
  /** What one row is. */
  readonly grain: string;
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

  /** A session by its parts; {@linkcode openSql} makes them. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.relations = parts.relations;
  }

  /** Share of the running query that is done, 0 to 1; `null` if unknown. */
  get progress(): number | null {
    const { percentage } = this.#parts.connection.progress;
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
   * Runs one query, and returns its rows in parts of about 2,000 as they are found, so that a result
   * may be larger than memory.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async *parts(
    query: string,
    options: QueryOptions = {},
  ): AsyncGenerator<SqlRow[], void, undefined> {
    const { connection } = this.#parts;
    const statement = await this.#prepare(query);
    const interrupt = () => connection.interrupt();
    options.signal?.throwIfAborted();
    options.signal?.addEventListener("abort", interrupt, { once: true });
    try {
      const result = await statement.stream();
      const names = result.deduplicatedColumnNames();
      for await (const chunk of result) {
        yield chunk.getRows().map((row) =>
          Object.fromEntries(names.map((name, at) => [name, sqlValue(row[at] ?? null)]))
        );
      }
    } catch (cause) {
      options.signal?.throwIfAborted();
      throw queryError(cause, this.#parts.missing);
    } finally {
      options.signal?.removeEventListener("abort", interrupt);
      statement.destroySync();
    }
  }

  /** Names and types of the columns of a query, without running it. */
  async columns(query: string): Promise<{ readonly name: string; readonly type: string }[]> {
    const statement = await this.#prepare(query);
    const columns = Array.from({ length: statement.columnCount }, (_, at) => ({
      name: statement.columnName(at),
      type: String(statement.columnType(at)),
    }));
    statement.destroySync();
    return columns;
  }

  /**
   * Runs one query into a Parquet file, which must be the `output` that the session was opened with.
   *
   * @returns Number of rows.
   * @throws {InputError} If it is not one `SELECT`, fails, or the file cannot be written.
   */
  async writeParquet(query: string, file: string): Promise<number> {
    (await this.#prepare(query)).destroySync();
    const text = query.replace(/(?:;|--[^\n]*|\s)+$/, "");
    try {
      const result = await this.#parts.connection.runAndReadAll(
        `COPY (\n${text}\n) TO '${file.replaceAll("'", "''")}' ` +
          "(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)",
      );
      return Number(result.getRows()[0]?.[0] ?? 0);
    } catch (cause) {
      throw queryError(cause, this.#parts.missing);
    }
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#parts.connection.closeSync();
    this.#parts.instance.closeSync();
  }

  async #prepare(query: string): Promise<DuckDBPreparedStatement> {
    let statement: DuckDBPreparedStatement;
    try {
      const statements = await this.#parts.connection.extractStatements(query);
      if (statements.count !== 1) throw notAQuery(`it has ${statements.count} statements`);
      statement = await statements.prepare(0);
    } catch (cause) {
      throw Error.isError(cause) && cause.name === "InputError"
        ? cause
        : queryError(cause, this.#parts.missing);
    }
    if (statement.statementType === StatementType.SELECT) return statement;
    const word = StatementType[statement.statementType];
    statement.destroySync();
    throw notAQuery(`it is ${word}, not SELECT`);
  }
}
