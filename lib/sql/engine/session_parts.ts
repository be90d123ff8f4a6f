import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { SqlColumn } from "../catalogue/views.ts";
import type { ResultFacts, ResultInput } from "../results/result_manifest.ts";
import type { MissingNames } from "./query_error.ts";

/** A table or a view that queries may name. */
export interface SqlRelation {
  /** Its name. */
  readonly name: string;
  /**
   * `record`: a table of what the service and the chain said; `answer`: one of what follows from it;
   * `view`: sums over answers; `own`: a table of one's own.
   */
  readonly kind: "record" | "answer" | "view" | "own";
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
  /** Compares the files that a query reads with the manifests, the first time. */
  readonly requireWhole: (query: string) => Promise<void>;
  /** Why queries cannot name the others. */
  readonly missing: MissingNames;
  /** What any answer lacks, in sentences. */
  readonly warnings: readonly string[];
  /** Version of DuckDB. */
  readonly version: string;
  /** The datasets, for the manifests of results. */
  readonly inputs: readonly ResultInput[];
  /** Tables of one's own, for the manifests of results. */
  readonly tables: ResultFacts["tables"];
  /** SHA-256 of the views. */
  readonly viewsSha256: string;
}
