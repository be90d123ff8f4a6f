import { type DuckDBConnection, type DuckDBValue, StatementType } from "@duckdb/node-api";
import { checkOptions, defineRule, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import { createFolderError } from "../datasets/layout/folders.ts";
import { InputError } from "../errors/mod.ts";
import type { SqlRelation } from "./catalogue.ts";
import { localFiles } from "../http/local_files.ts";
import { repeatEvery } from "../http/time_limit.ts";
import { stripQueryEnd } from "./query_text.ts";
import { formatCsvLine, formatCsvRow, formatJsonRow } from "./result_text.ts";
import { buildSummary, parseSummarize } from "./summarize.ts";
import {
  createStatementError,
  type QueryOptions,
  quoteName,
  quoteText,
  RESULT_TABLE,
  type SessionParts,
  SqlResult,
  type SqlRow,
  toQueryError,
} from "./sql_result.ts";
import {
  detectFormat,
  type EngineColumn,
  type ResultManifest,
  writeResultFile,
} from "./write_result.ts";

const WRITE_ACTION = "Cannot write a result to";
/** Time after which a statement that has not ended is interrupted again. */
const INTERRUPT_MS = 20;

const QUERY_OPTIONS: OptionRules<QueryOptions> = {
  signal: AbortSignal,
  maxRows: wholeNumber(0),
  values: defineRule(
    "texts and numbers by name",
    (values) => Object.values(Object(values)).every((value) => /string|number/.test(typeof value)),
  ),
};

/** Datasets that are open for SQL; close it when done. */
export class SqlSession implements Disposable {
  /** Tables and views that queries may name. */
  readonly relations: readonly SqlRelation[];
  /** Sentences about what every result lacks: gaps of the datasets, and unfinished exports. */
  readonly warnings: readonly string[];
  readonly #parts: SessionParts;
  readonly #running = new Set<DuckDBConnection>();

  /** Binds a session to its parts; {@linkcode openSql} creates sessions. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.relations = parts.relations;
    this.warnings = parts.warnings;
  }

  /** Share of the running query that is done, 0 to 1; `null` if unknown. */
  get progress(): number | null {
    const percentage = [...this.#running].at(-1)?.progress.percentage ?? -1;
    return percentage < 0 ? null : percentage / 100;
  }

  /**
   * Runs one query, and returns all rows; the type parameter, such as a chart's row, is not checked.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async query<Row = SqlRow>(query: string, options: QueryOptions = {}): Promise<Row[]> {
    using result = await this.run(query, options);
    return (await Array.fromAsync(result.parts())).flat() as Row[];
  }

  /**
   * Runs one query to its end, and stores its rows, on the disk if they exceed memory. Errors are thrown
   * here, before the first row.
   *
   * @returns The result, to be disposed of.
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async run(query: string, options: QueryOptions = {}): Promise<SqlResult> {
    checkOptions(options, QUERY_OPTIONS, "Cannot run the query");
    const connection = await this.#parts.instance.connect();
    try {
      const rowCount = await this.#materialize(connection, "TABLE", query, options);
      const { frameFile } = this.#parts;
      return new SqlResult({ connection, frameFile }, await describeRows(connection), rowCount);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Returns the syntax tree of a query as DuckDB serializes it, to validate queries of others. */
  async syntaxTree(query: string): Promise<unknown> {
    return await parseTree(this.#parts.connection, stripQueryEnd(query));
  }

  /** Reads the tables that a query names, so that {@linkcode run} need not. */
  async readTables(query: string): Promise<void> {
    await this.#parts.makeNeeded(query);
  }

  /**
   * Runs one query into the `output` that the session was opened with, a file whose name ends with
   * `.parquet`, `.csv` or `.json`, and names the query, the engine and the datasets in a manifest beside
   * it, `<file>.manifest.json`. Existing files are replaced once the query has succeeded.
   *
   * Rows without an order are sorted by their columns, from the first on, so that equal rows are equal
   * bytes; `ORDER BY` has to name a key for that.
   *
   * @returns The manifest.
   * @throws {InputError} If it is not one `SELECT`, fails, or the output cannot be written.
   */
  async write(
    query: string,
    output: string,
    { signal }: QueryOptions = {},
  ): Promise<ResultManifest> {
    const format = detectFormat(output);
    return await writeResultFile(output, { ...this.#parts.facts, query }, async (unfinished) => {
      const connection = await this.#parts.instance.connect();
      try {
        return format === "parquet"
          ? await this.#writeParquet(connection, query, { unfinished, signal })
          : await this.#writeText(connection, query, { unfinished, format, signal });
      } catch (cause) {
        signal?.throwIfAborted();
        const error = toQueryError(cause, this.#parts);
        // An error of the query may show it with the file in single quotes.
        if (error.message.includes(`"${unfinished}"`)) {
          throw createFolderError(WRITE_ACTION, output, cause);
        }
        // A missing folder must not end as a dataset that was not found.
        throw cause instanceof Error && "syscall" in cause
          ? createFolderError(WRITE_ACTION, output, new Error(cause.message))
          : error;
      } finally {
        connection.closeSync();
      }
    });
  }

  async #writeParquet(
    connection: DuckDBConnection,
    query: string,
    { unfinished, signal }: { readonly unfinished: string } & QueryOptions,
  ): Promise<{ columns: readonly EngineColumn[]; rows: number }> {
    await this.#materialize(connection, "VIEW", query, { signal });
    const columns = await describeRows(connection);
    const order = await chooseOrder(connection, query);
    const selected = `SELECT ${parquetColumns(columns)} FROM ${RESULT_TABLE}${order}`;
    const target = `${
      quoteText(unfinished)
    } (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`;
    const copied = await this.#execute(connection, `COPY (${selected}) TO ${target}`, { signal });
    return { columns, rows: readCount(copied) };
  }

  /** Writes rows as the command line and pages do: CSV, or one line of JSON each. */
  async #writeText(
    connection: DuckDBConnection,
    query: string,
    { unfinished, format, signal }:
      & { readonly unfinished: string; readonly format: "csv" | "json" }
      & QueryOptions,
  ): Promise<{ columns: readonly EngineColumn[]; rows: number }> {
    // Opened before the query, which may take long: the file may not be writable.
    const file = await localFiles().open(unfinished, "w");
    try {
      const rows = await this.#materialize(connection, "TABLE", query, { signal });
      const columns = await describeRows(connection);
      const names = columns.map(({ name }) => name);
      const order = await chooseOrder(connection, query);
      const result = new SqlResult({ connection, order }, columns, rows);
      if (format === "csv") await file.writeFile(formatCsvLine(names));
      for await (const part of result.parts()) {
        signal?.throwIfAborted();
        const lines = part.map((row) =>
          format === "csv" ? formatCsvRow(names, row) : `${formatJsonRow(row)}\n`
        );
        await file.writeFile(lines.join(""));
      }
      return { columns, rows };
    } finally {
      await file.close();
    }
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#parts.connection.closeSync();
    this.#parts.instance.closeSync();
  }

  /** Creates the rows or the view of a query, in a separate connection. */
  async #materialize(
    connection: DuckDBConnection,
    relationKind: "TABLE" | "VIEW",
    query: string,
    options: QueryOptions,
  ): Promise<number> {
    const { signal, maxRows } = options;
    const text = stripQueryEnd(query);
    await this.readTables(query);
    try {
      const { count } = await connection.extractStatements(query);
      if (count !== 1) throw createStatementError(`it has ${count} statements`);
      const explainMatch = relationKind === "TABLE" ? EXPLAIN.exec(query) : null;
      await requireHarmless(connection, explainMatch?.[1] ?? text);
      const summarized = parseSummarize(text);
      const rows = explainMatch !== null
        ? await this.#explainQuery(connection, explainMatch, options)
        : summarized !== null
        ? `(\n${buildSummary(summarized, await describeRows(connection, summarized))}\n)`
        : `(\n${text}\n)`;
      const limit = maxRows === undefined ? "" : ` LIMIT ${maxRows}`;
      const statement = `CREATE TEMP ${relationKind} ${RESULT_TABLE} AS FROM ${rows}${limit}`;
      return readCount(await this.#execute(connection, statement, options));
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof InputError) throw cause;
      const kind = await detectKind(connection, query);
      if (kind !== "SELECT") throw createStatementError(`it is ${kind}, not SELECT`);
      // One line precedes the query.
      throw toQueryError(cause, this.#parts, 1);
    }
  }

  /** Explains a query, as rows of text. */
  async #explainQuery(
    connection: DuckDBConnection,
    [explain = "", query = ""]: readonly string[],
    options: QueryOptions,
  ): Promise<string> {
    const kind = await detectKind(connection, query);
    if (kind !== "SELECT") throw createStatementError(`it explains ${kind}, not SELECT`);
    const plan = (await this.#execute(connection, explain, options))
      .map((row) => `(${row.map((value) => quoteText(String(value))).join(", ")})`);
    return `(VALUES ${plan.join(", ")}) AS plan(explain_key, explain_value)`;
  }

  /** Runs one statement that can be interrupted, and returns its rows. */
  async #execute(
    connection: DuckDBConnection,
    sql: string,
    { signal, values }: QueryOptions,
  ): Promise<DuckDBValue[][]> {
    signal?.throwIfAborted();
    let interruption: { stop(): void } | undefined;
    const interrupt = () => {
      // DuckDB forgets an interruption that comes before the statement runs in its thread.
      interruption = repeatEvery(INTERRUPT_MS, () => connection.interrupt());
    };
    signal?.addEventListener("abort", interrupt, { once: true });
    this.#running.add(connection);
    try {
      const reader = await connection.runAndReadAll(sql, values);
      // DuckDB may also end an interrupted statement with the rows that it had, and without an error.
      signal?.throwIfAborted();
      return reader.getRows();
    } finally {
      interruption?.stop();
      this.#running.delete(connection);
      signal?.removeEventListener("abort", interrupt);
    }
  }
}

/** Reads the number of rows that a statement created. */
function readCount([row]: readonly (readonly DuckDBValue[])[]): number {
  return Number(row?.[0] ?? 0);
}

/** EXPLAIN and its query. */
const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*EXPLAIN\s+(?:ANALYZE\s+)?([^]+)$/i;

/** Selects the columns of a result without loss for Parquet: amounts as text, and no sums as doubles. */
function parquetColumns(columns: readonly EngineColumn[]): string {
  return columns.map(({ name, type }) => {
    const column = quoteName(name);
    if (type === "BIGNUM") return `CAST(${column} AS VARCHAR) AS ${column}`;
    return type === "HUGEINT" ? `CAST(${column} AS DECIMAL(38, 0)) AS ${column}` : column;
  }).join(", ");
}

async function describeRows(
  connection: DuckDBConnection,
  rows: string = RESULT_TABLE,
): Promise<EngineColumn[]> {
  const emptyResult = await connection.runAndReadAll(`SELECT * FROM ${rows} LIMIT 0`);
  const types = emptyResult.columnTypes();
  return emptyResult.columnNames().map((name, index) => ({ name, type: String(types[index]) }));
}

/** Chooses the order of rows in a file: that of the query, by its syntax tree, otherwise all columns. */
async function chooseOrder(connection: DuckDBConnection, query: string): Promise<string> {
  const { statements = [] } = await parseTree(connection, query);
  const modifiers: readonly { readonly type: string }[] = statements[0]?.node.modifiers ?? [];
  return modifiers.some(({ type }) => type === "ORDER_MODIFIER") ? "" : " ORDER BY ALL";
}

/** Parses a query to the syntax tree that the engine serializes. */
async function parseTree(
  connection: DuckDBConnection,
  query: string,
  visit: Parameters<typeof JSON.parse>[1] = undefined,
) {
  const result = await connection.runAndReadAll(`SELECT json_serialize_sql(${quoteText(query)})`);
  // It contains numbers that JSON does not have.
  const text = String(result.getRows()[0]?.[0]);
  return JSON.parse(text.replaceAll(/"value":(?:-?Infinity|NaN)/g, '"value":0'), visit);
}

/** Functions that change the engine or write, take addresses of memory, or run text as SQL. */
const HARMFUL =
  /^(?:(?:en|dis)able_\w+|arrow_scan\w*|(?:force_)?checkpoint|truncate_\w+|write_log|query|json_execute_serialized_sql)$/;

/**
 * Rejects a query that calls functions that no query of a dataset needs: the engine allows them even
 * without access to files, and one of them ends the process.
 */
async function requireHarmless(connection: DuckDBConnection, query: string): Promise<void> {
  const harmfulCalls: string[] = [];
  const { error_message: parseError } = await parseTree(
    connection,
    `FROM (\n${query}\n)`,
    (name, value) => {
      if (name === "function_name" && HARMFUL.test(value)) harmfulCalls.push(value);
      return value;
    },
  );
  // A query that cannot be parsed is rejected later, with its place.
  if (/^Only SELECT /.test(parseError ?? "")) {
    throw createStatementError("it is not a plain SELECT");
  }
  if (harmfulCalls.length > 0) {
    throw createStatementError(`it calls ${harmfulCalls[0]}, which does more than read`);
  }
}

/** Statements that the engine rejects before it reports their kind. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(COPY|EXPORT|IMPORT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE|PRAGMA)\b/i;

/** Detects the kind of a statement; `SELECT` if that fails, so that the engine reports the error. */
async function detectKind(connection: DuckDBConnection, query: string): Promise<string> {
  const [, word] = STATEMENT.exec(query) ?? [];
  if (word !== undefined) return word.toUpperCase();
  try {
    const statement = await (await connection.extractStatements(query)).prepare(0);
    const { statementType } = statement;
    statement.destroySync();
    return StatementType[statementType];
  } catch {
    return "SELECT";
  }
}
