/**
 * SQL over exported datasets, exact to the atom.
 *
 * {@linkcode openSql} opens a dataset in DuckDB, in this process: its records, its answers, and three
 * views that add them up (`leaderboard`, `solver_days`, `pairs`). Importing it needs
 * `--allow-ffi --allow-read --allow-sys`.
 *
 * @module
 */
export { openSql, querySql, type SqlOptions } from "./opening/open_sql.ts";
export type { OwnTables } from "./opening/own_tables.ts";
export type { QueryOptions, SqlRelation } from "./engine/session_parts.ts";
export { SqlSession } from "./engine/sql_session.ts";
export { type EngineColumn, SqlResult } from "./engine/sql_result.ts";
export type { SqlRow, SqlValue } from "./engine/sql_values.ts";
export { readViews, type SqlColumn, type SqlView } from "./catalogue/views.ts";
export { FUNCTIONS, type SqlFunction } from "./functions/functions.ts";

export type {
  ResultColumn,
  ResultFacts,
  ResultFile,
  ResultInput,
  ResultManifest,
} from "./results/result_manifest.ts";
export {
  openSpark,
  querySpark,
  type QuerySparkOptions,
  type SparkOptions,
} from "./spark/open_spark.ts";
export {
  type SparkQueryOptions,
  SparkSession,
  type SparkWriteOptions,
} from "./spark/spark_session.ts";
export type { ResultFormat } from "./results/result_format.ts";
export type { SparkConf } from "./spark/spark_conf.ts";
export type { SparkColumn } from "./spark/spark_values.ts";
