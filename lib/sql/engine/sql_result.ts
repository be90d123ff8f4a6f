import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../errors/mod.ts";
import { type SqlRow, sqlValue } from "./sql_values.ts";

/** Name of the table that holds the rows of a query, in the connection of that query. */
export const RESULT = "orderlens_result";

/** A column of a result. */
export interface EngineColumn {
  /** Its name; a name that the query gives twice gets a number. */
  readonly name: string;
  /** Its type in DuckDB, such as `VARCHAR`, `BIGINT` or `BIGNUM`. */
  readonly type: string;
}

/** All rows of a query that succeeded, in memory or beside it on the disk. */
export class SqlResult implements Disposable {
  /** Its columns. */
  readonly columns: readonly EngineColumn[];
  /** Number of rows. */
  readonly rowCount: number;
  readonly #connection: DuckDBConnection;

  /** A result by the connection that has it; `SqlSession.run` makes them. */
  constructor(
    connection: DuckDBConnection,
    found: { readonly columns: readonly EngineColumn[]; readonly rowCount: number },
  ) {
    this.#connection = connection;
    this.columns = found.columns;
    this.rowCount = found.rowCount;
  }

  /**
   * Its rows in their order, in parts of about 2,000.
   *
   * @throws {InputError} If they can no longer be read.
   */
  async *parts(): AsyncGenerator<SqlRow[], void, undefined> {
    let left = this.rowCount;
    // A stream that fails ends like one that is exhausted, so that its rows are counted.
    for await (const chunk of await this.#connection.stream(`SELECT * FROM ${RESULT}`)) {
      left -= chunk.rowCount;
      yield chunk.getRows().map((row) =>
        Object.fromEntries(
          this.columns.map(({ name, type }, at) => [name, sqlValue(row[at] ?? null, type)]),
        )
      );
    }
    if (left === 0) return;
    throw new InputError(
      `Cannot read the rows of a query: ${left} of ${this.rowCount} are missing`,
      {
        remedy: "Run the query again, with enough space in the folder of temporary files",
      },
    );
  }

  /** Lets go of the rows. */
  [Symbol.dispose](): void {
    this.#connection.closeSync();
  }
}
