import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import { createFolderError } from "../datasets/layout/folders.ts";
import { findNearestText, InputError } from "../errors/orderlens_error.ts";
import { localFiles } from "../http/local_files.ts";
import type { SqlRelation } from "./catalogue.ts";
import { createQueryError } from "./query_text.ts";
import type { EngineColumn, QueryFacts } from "./write_result.ts";

/** Name of the table that holds the rows of a query, in the connection of that query. */
export const RESULT_TABLE = "orderlens_result";

/** A file of a session for rows on their way to a frame: one result uses it at a time. */
export interface FrameFile {
  /** Its path. */
  readonly path: string;
  /** Resolves when no result uses it. */
  idle: Promise<unknown>;
}

/** Connection, order and file of a result. */
interface ResultParts {
  /** The connection that has its rows. */
  readonly connection: DuckDBConnection;
  /** Order of its rows, as SQL. @default {the order in which they were created} */
  readonly order?: string | undefined;
  /** The file for frames. @default {none} */
  readonly frameFile?: FrameFile | null | undefined;
}

/** All rows of a query that succeeded, in memory or on the disk. */
export class SqlResult implements Disposable {
  /** Its columns. */
  readonly columns: readonly EngineColumn[];
  /** Number of rows. */
  readonly rowCount: number;
  readonly #connection: DuckDBConnection;
  readonly #order: string;
  readonly #frameFile: FrameFile | null;

  /** Binds a result to its connection; `SqlSession.run` creates results. */
  constructor(parts: ResultParts, columns: readonly EngineColumn[], rowCount: number) {
    this.#connection = parts.connection;
    this.#order = parts.order ?? "";
    this.#frameFile = parts.frameFile ?? null;
    this.columns = columns;
    this.rowCount = rowCount;
  }

  /**
   * Yields its rows in their order, in parts of about 2,000.
   *
   * @throws {InputError} If they can no longer be read.
   */
  async *parts(): AsyncGenerator<SqlRow[], void, undefined> {
    let remaining = this.rowCount;
    // A stream that fails ends like an exhausted one, so its rows are counted.
    for await (
      const chunk of await this.#connection.stream(`SELECT * FROM ${RESULT_TABLE}${this.#order}`)
    ) {
      remaining -= chunk.rowCount;
      yield chunk.getRows().map((row) =>
        Object.fromEntries(
          this.columns.map(({ name, type }, index) => [name, toSqlValue(row[index] ?? null, type)]),
        )
      );
    }
    if (remaining === 0) return;
    const loss = `${remaining} of ${this.rowCount} are missing`;
    throw new InputError(`Cannot read the rows of a query: ${loss}`, {
      remedy: "Run the query again, with enough space in the folder of temporary files",
    });
  }

  /** Computes aggregates of its rows, as SQL names them. */
  async aggregate(aggregates: string): Promise<readonly unknown[]> {
    const result = await this.#connection.runAndReadAll(
      `SELECT ${aggregates} FROM ${RESULT_TABLE}`,
    );
    return result.getRows()[0]!;
  }

  /**
   * Writes its rows into a Parquet file, and removes it after use.
   *
   * @param columns Its columns, as SQL selects them.
   * @throws {InputError} If the file cannot be written.
   */
  async useParquet<Value>(columns: string, use: (file: string) => Value): Promise<Value> {
    const file = this.#frameFile;
    if (file === null) throw new TypeError("The session was opened without a file for frames");
    const select = `SELECT ${columns} FROM ${RESULT_TABLE}${this.#order}`;
    // The file is read once: packing it, and a dictionary of texts that hardly repeat, would take longer.
    const options = "COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1000, USE_TMP_FILE false";
    const target = `${quoteText(file.path)} (FORMAT parquet, ${options})`;
    const using = file.idle.then(async () => {
      try {
        await this.#connection.run(`COPY (${select}) TO ${target}`);
        return use(file.path);
      } catch (cause) {
        if (cause instanceof InputError) throw cause;
        throw createFolderError("Cannot put the rows of a query into", file.path, cause);
      } finally {
        await localFiles().rm(file.path, { force: true });
      }
    });
    file.idle = using.catch(() => {});
    return await using;
  }

  /** Releases the rows. */
  [Symbol.dispose](): void {
    this.#connection.closeSync();
  }
}

/** Hint for listing tables and columns. */
const LIST_HINT = "`SHOW TABLES` and `DESCRIBE fills` list tables and columns";

/** Error of the engine for an amount where it expects another type. */
const AMOUNT_ERROR = /No function matches .*\bBIGNUM\b/;
/** Prefix of the engine's error for a text that it cannot parse. */
const PARSE_ERROR = /^Failed to extract statements: /;
/** Proposal of the engine for an unknown name. */
const PROPOSAL = /^\s*(Did you mean .+|Candidate bindings: .+)$/m;

/** Error of the engine for a file outside the datasets. */
const FILE_ERROR = /^Permission Error: Cannot access (?:file|directory) "(.*?)"/;
/** Error of the engine when it runs out of memory, in a query or while rows are appended, and its limit. */
const MEMORY_ERROR = /^(?:Out of Memory Error|Failed to append): (.* used\).*)$/m;
const MEMORY_LIMIT = /\/(\d+(?:\.\d+)? \w+) used\)/;

/**
 * Converts a failure to the error of a query: the engine's message and its place in the query.
 *
 * @param linesBefore Number of lines before the query's first.
 */
export function toQueryError(
  cause: unknown,
  { relations, missing }: Pick<SessionParts, "relations" | "missing">,
  linesBefore = 0,
): InputError {
  if (cause instanceof InputError) return cause;
  const fullMessage = cause instanceof Error ? cause.message : String(cause);
  // A query that cannot be parsed was read without the lines before it.
  const message = fullMessage.replace(PARSE_ERROR, "");
  const skippedLines = PARSE_ERROR.test(fullMessage) ? 0 : linesBefore;
  const [, file] = FILE_ERROR.exec(message) ?? [];
  if (file !== undefined) {
    const remedy = "Query the tables and views of the dataset: a query reads nothing else, and " +
      `writes nothing but the requested output; ${LIST_HINT}`;
    return createQueryError(`${file} does not belong to the dataset`, remedy, { cause });
  }
  const memoryError = toMemoryError(cause);
  if (memoryError !== null) return memoryError;
  const [summary = message, ...locationLines] = message.split(/\n\s*(?=LINE \d+: )/);
  const location = locationLines.join("\n").replace(
    /^LINE (\d+): (.*)\n( *)\^/m,
    (_, line: string, text: string, indent: string) => {
      const [was, is] = [`LINE ${line}: `, `LINE ${Number(line) - skippedLines}: `];
      return `${is}${text}\n${indent.slice(was.length - is.length)}^`;
    },
  ).split("\n");
  const [name = ""] = /(?<=Table with name )\w+/.exec(summary) ?? [];
  const names = relations.map((relation) => relation.name);
  const nearest = findNearestText(name.toLowerCase(), names);
  const proposal = name === ""
    ? PROPOSAL.exec(message)?.[1]
    : nearest && `Did you mean "${nearest}"?`;
  const missingReason = missing.get(name.toLowerCase());
  const facts = {
    ...proposal !== undefined && { hint: proposal },
    ...locationLines.length > 0 && { at: `\n${location.join("\n")}` },
  };
  const remedy = missingReason ??
    (name !== ""
      ? `Query one of these tables and views: ${names.join(", ")}`
      : AMOUNT_ERROR.test(summary)
      ? "Amounts are whole numbers of any size (BIGNUM): +, -, comparisons, sum, min, max and median " +
        "take them; for anything else, use the column next to it, such as score_native, or " +
        "CAST(CAST(… AS VARCHAR) AS DOUBLE), which is the nearest double"
      : `Correct the query${
        locationLines.length > 0 ? " at the marked position" : ""
      }; ${LIST_HINT}`);
  return createQueryError(summary.trim().split("\n")[0]!, remedy, { facts, cause });
}

/**
 * Converts a failure to the error of a query that does not fit into memory, even with the disk; `null`
 * for other failures.
 *
 * @param table The table whose rows did not fit. @default {the rows of the query did not}
 */
export function toMemoryError(cause: unknown, table?: string): InputError | null {
  const [, usage] = MEMORY_ERROR.exec(cause instanceof Error ? cause.message : "") ?? [];
  if (usage === undefined) return null;
  const [, limit] = MEMORY_LIMIT.exec(usage) ?? [];
  return createQueryError(
    `${table === undefined ? "it" : `the table ${table}`} needs more memory than ${
      limit === undefined ? "is available" : `its limit, ${limit}`
    }`,
    `Pass a higher \`memoryLimit\` (\`--memory\` on the command line), or ${
      table === undefined ? "select fewer columns" : "open fewer auctions or rows"
    }`,
    { facts: { found: usage }, cause },
  );
}

/** Creates the error for anything but one query. */
export function createStatementError(problem: string): InputError {
  return createQueryError(
    problem,
    "Pass one SELECT, WITH … SELECT, DESCRIBE, SUMMARIZE or EXPLAIN: datasets are read-only",
  );
}

/** Options of a query. */
export interface QueryOptions {
  /** Aborts the query. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of rows of the result, the first ones. @default {all} */
  readonly maxRows?: number | undefined;
  /** Values of the parameters that the query names, such as `$owner`. @default {none} */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
}

/** Parts of a session. */
export interface SessionParts {
  /** The database. */
  readonly instance: DuckDBInstance;
  /** Its connection, with tables, views and functions. */
  readonly connection: DuckDBConnection;
  /** Relations that queries may name. */
  readonly relations: readonly SqlRelation[];
  /** Creates the tables and views that a query first names, once their files are verified. */
  readonly makeNeeded: (query: string) => Promise<void>;
  /** Reason why queries cannot name the others. */
  readonly missing: ReadonlyMap<string, string>;
  /** Sentences about what every result lacks. */
  readonly warnings: readonly string[];
  /** The file for rows on their way to a frame; `null` of a session without frames. */
  readonly frameFile: FrameFile | null;
  /** Facts in the manifests of all results. */
  readonly facts: Omit<QueryFacts, "query">;
}

/** Quotes a text for SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value of a row. */
export type SqlValue = string | number | bigint | boolean | null;

/** One row of a result, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * Converts a value to JavaScript: whole numbers to `number`, or `bigint` where that would lose digits;
 * amounts, dates, decimals and other types to text.
 *
 * @param type Its type in DuckDB.
 */
function toSqlValue(value: DuckDBValue, type: string): SqlValue {
  if (typeof value === "bigint" && type !== "BIGNUM") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  const isPrimitive = value === null || /^(?:string|number|boolean)$/.test(typeof value);
  return isPrimitive ? value as SqlValue : String(value);
}
