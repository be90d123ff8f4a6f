import { type DuckDBConnection, type DuckDBValue, StatementType } from "@duckdb/node-api";
import { checkOptions, type OptionRules, SIGNAL, wholeFrom } from "../errors/option_rules.ts";
import { InputError } from "../errors/mod.ts";
import type { SqlRelation } from "./catalogue.ts";
import { expandWindows, withoutEnd } from "./expand_calls.ts";
import { requirePlainQuery } from "./plain_query.ts";
import {
  type EngineColumn,
  notAQuery,
  queryError,
  type QueryOptions,
  quoted,
  RESULT,
  type SessionParts,
  SqlResult,
  type SqlRow,
  statementOf,
} from "./sql_result.ts";
import {
  formatOfFile,
  type ResultFormat,
  type ResultManifest,
  unfinishedOf,
  writeResultFile,
} from "./write_result.ts";

const OPTIONS: OptionRules<QueryOptions> = { signal: SIGNAL, maxRows: wholeFrom(0) };

/** Datasets that are open for SQL; close it when done. */
export class SqlSession implements Disposable {
  /** Tables and views that queries may name. */
  readonly relations: readonly SqlRelation[];
  /** What any answer lacks, in sentences: gaps of the datasets, and exports that did not end. */
  readonly warnings: readonly string[];
  readonly #parts: SessionParts;
  readonly #running = new Set<DuckDBConnection>();

  /** A session by its parts; {@linkcode openSql} makes them. */
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
   * Runs one query, and returns all rows: for charts, with the type of theirs, which is not checked.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async query<Row = SqlRow>(query: string, options: QueryOptions = {}): Promise<Row[]> {
    const result = await this.run(query, options);
    try {
      return (await Array.fromAsync(result.parts())).flat() as Row[];
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
    checkOptions(options, OPTIONS, "Cannot run the query");
    const connection = await this.#parts.instance.connect();
    try {
      const rowCount = await this.#make(connection, "TABLE", query, options);
      return new SqlResult(connection, { columns: await described(connection), rowCount });
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /**
   * Requires that a query of somebody else names the tables and views of `relations` alone, and calls
   * only what computes with their columns; and reads these tables, so that {@linkcode run} need not.
   *
   * @throws {InputError} If it is not one `SELECT`, or names or calls anything else.
   */
  async requirePlain(query: string): Promise<void> {
    const { connection, makeNeeded } = this.#parts;
    requirePlainQuery(query, JSON.parse(await treeOf(connection, withoutEnd(query))));
    await makeNeeded(query);
  }

  /**
   * Runs one query into the `output` that the session was opened with, a file whose name ends with
   * `.parquet`, `.csv` or `.json`, and names the query, the engine and the datasets in a manifest beside
   * it, `<file>.manifest.json`. What is there is replaced once the query has succeeded.
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
    const format = formatOfFile(output);
    return await writeResultFile(
      output,
      { ...this.#parts.facts, query },
      () => this.#copy(query, unfinishedOf(output), format, signal),
    );
  }

  /** Runs one query into a new file. */
  async #copy(query: string, to: string, format: ResultFormat, signal: AbortSignal | undefined) {
    const connection = await this.#parts.instance.connect();
    try {
      const limit = { signal };
      await this.#make(connection, "VIEW", query, limit);
      const columns = await described(connection);
      const order = await hasOrder(connection, query) ? "" : " ORDER BY ALL";
      const selected = `SELECT ${written(columns, format)} FROM ${RESULT}${order}`;
      const into = `${quoted(to)} (${COPIED[format]}, USE_TMP_FILE false)`;
      return {
        columns,
        rows: countOf(await this.#execute(connection, `COPY (${selected}) TO ${into}`, limit)),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      throw queryError(cause, this.#parts);
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
  async #make(
    connection: DuckDBConnection,
    what: "TABLE" | "VIEW",
    query: string,
    options: QueryOptions,
  ): Promise<number> {
    const { makeNeeded } = this.#parts;
    const { signal, maxRows } = options;
    const text = withoutEnd(query);
    await makeNeeded(query);
    try {
      const { count } = await connection.extractStatements(query);
      if (count !== 1) throw notAQuery(`it has ${count} statements`);
      const explained = what === "TABLE" ? EXPLAIN.exec(query) : null;
      await requireHarmless(connection, explained?.[1] ?? text);
      const rows = explained === null
        ? `(\n${expandWindows(text)}\n)`
        : await this.#planOf(connection, explained, options);
      const most = maxRows === undefined ? "" : ` LIMIT ${maxRows}`;
      const made = `CREATE TEMP ${what} ${RESULT} AS FROM ${rows}${most}`;
      return countOf(await this.#execute(connection, made, options));
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof InputError) throw cause;
      const statement = statementOf(query) ?? await typeOf(connection, query);
      if (statement !== null && statement !== "SELECT") {
        throw notAQuery(`it is ${statement}, not SELECT`);
      }
      // One line stood before the query's own.
      throw queryError(cause, this.#parts, 1);
    }
  }

  /** The plan of a query as rows of text. */
  async #planOf(
    connection: DuckDBConnection,
    [explain = "", query = ""]: readonly string[],
    options: QueryOptions,
  ): Promise<string> {
    const type = await typeOf(connection, query) ?? statementOf(query);
    if (type !== null && type !== "SELECT") throw notAQuery(`it explains ${type}, not SELECT`);
    const explained = `${explain.slice(0, -query.length)}${expandWindows(query)}`;
    const plan = (await this.#execute(connection, explained, options))
      .map((row) => `(${row.map((one) => quoted(String(one))).join(", ")})`);
    return `(VALUES ${plan.join(", ")}) AS plan(explain_key, explain_value)`;
  }

  /** Runs one statement that can be interrupted, and returns its rows. */
  async #execute(
    connection: DuckDBConnection,
    sql: string,
    { signal }: QueryOptions,
  ): Promise<DuckDBValue[][]> {
    const interrupt = () => connection.interrupt();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", interrupt, { once: true });
    this.#running.add(connection);
    try {
      return (await connection.runAndReadAll(sql)).getRows();
    } finally {
      this.#running.delete(connection);
      signal?.removeEventListener("abort", interrupt);
    }
  }
}

/** What the engine returns of a statement that makes rows: their number. */
function countOf([row]: readonly (readonly DuckDBValue[])[]): number {
  return Number(row?.[0] ?? 0);
}

/** EXPLAIN, and the query behind it. */
const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*EXPLAIN\s+(?:ANALYZE\s+)?([^]+)$/i;

/** How files of each format are written. */
const COPIED: Readonly<Record<ResultFormat, string>> = {
  parquet: "FORMAT parquet, COMPRESSION zstd",
  csv: "FORMAT csv, HEADER",
  json: "FORMAT json",
};

/**
 * The columns of a result as a file of some format has every digit of them: amounts as text, sums of
 * counts as decimals, where Parquet would have doubles, and null for what JSON cannot say.
 */
function written(columns: readonly EngineColumn[], format: ResultFormat): string {
  return columns.map(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    const as = (value: string) => `${value} AS ${column}`;
    if (type === "BIGNUM") return as(`CAST(${column} AS VARCHAR)`);
    if (type === "HUGEINT" && format === "parquet") return as(`CAST(${column} AS DECIMAL(38, 0))`);
    const isDouble = (type === "DOUBLE" || type === "FLOAT") && format === "json";
    return isDouble ? as(`CASE WHEN isfinite(${column}) THEN ${column} END`) : column;
  }).join(", ");
}

async function described(connection: DuckDBConnection): Promise<EngineColumn[]> {
  const none = await connection.runAndReadAll(`SELECT * FROM ${RESULT} LIMIT 0`);
  const types = none.columnTypes();
  return none.columnNames().map((name, at) => ({ name, type: String(types[at]) }));
}

/** Whether a query says in which order its rows are, by its syntax tree. */
async function hasOrder(connection: DuckDBConnection, query: string): Promise<boolean> {
  const { statements = [] } = JSON.parse(await treeOf(connection, query));
  const modifiers: readonly { readonly type: string }[] = statements[0]?.node.modifiers ?? [];
  return modifiers.some(({ type }) => type === "ORDER_MODIFIER");
}

/** The syntax tree of a query, as JSON. */
async function treeOf(connection: DuckDBConnection, query: string): Promise<string> {
  const parsed = await connection.runAndReadAll(`SELECT json_serialize_sql(${quoted(query)})`);
  // Numbers that JSON does not have stand in it as they are.
  return String(parsed.getRows()[0]?.[0]).replaceAll(/"value":(?:-?Infinity|NaN)/g, '"value":0');
}

/** Functions that change the engine or write, take addresses of memory, or run text as SQL. */
const HARMFUL =
  /^(?:(?:en|dis)able_\w+|arrow_scan\w*|(?:force_)?checkpoint|truncate_\w+|write_log|query|json_execute_serialized_sql)$/;

/**
 * Refuses a query that calls what no query of a dataset needs: such functions are allowed where files
 * are not, and one of them ends the process.
 */
async function requireHarmless(connection: DuckDBConnection, query: string): Promise<void> {
  const called: string[] = [];
  const { error_message: unread } = JSON.parse(
    await treeOf(connection, `FROM (\n${query}\n)`),
    (name, value) => {
      if (name === "function_name" && HARMFUL.test(value)) called.push(value);
      return value;
    },
  );
  // What cannot be parsed is refused below, with its place.
  if (/^Only SELECT /.test(unread ?? "")) throw notAQuery("it is no plain SELECT");
  if (called.length > 0) throw notAQuery(`it calls ${called[0]}, which does more than read`);
}

/** What kind of statement a text is; `null` if it cannot be prepared. */
async function typeOf(connection: DuckDBConnection, query: string): Promise<string | null> {
  try {
    const statement = await (await connection.extractStatements(query)).prepare(0);
    const { statementType } = statement;
    statement.destroySync();
    return StatementType[statementType];
  } catch {
    return null;
  }
}
