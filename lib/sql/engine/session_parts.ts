import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { SqlColumn } from "../catalogue/views.ts";
import type { ResultFormat } from "../results/result_format.ts";
import type { ResultInput } from "../results/result_manifest.ts";
import type { MissingNames } from "./query_error.ts";

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

/** Options of {@linkcode SqlSession.write}. */
export interface SqlWriteOptions extends QueryOptions {
  /** Format of the file in a folder. @default {"parquet"} */
  readonly format?: ResultFormat | undefined;
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
  /** Version of DuckDB. */
  readonly version: string;
  /** The datasets, for the manifests of results. */
  readonly inputs: readonly ResultInput[];
  /** SHA-256 of the views. */
  readonly viewsSha256: string;
  /** The network whose reward rules count for deployments without a name. */
  readonly rulesOf: string | null;
}
