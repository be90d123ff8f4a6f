/**
 * SQL over exported datasets, exact to the atom.
 *
 * {@linkcode openSql} opens a dataset in DuckDB, in this process: its record tables and derived tables, views
 * that add them up (`leaderboard`, `solver_days`, `pairs`, `partners`, `concentration`, `gas_surplus`,
 * `cow_shares`, `solver_slippage`). Importing it needs `--allow-ffi --allow-read --allow-sys`.
 *
 * @module
 */
export { openSql, type OwnTable, querySql, type SqlOptions } from "./open_sql.ts";
export type { OwnTables } from "./own_tables.ts";
export type { WriteRowsOptions, WrittenRows } from "./write_rows.ts";
export type { TableFrame } from "./frame_tables.ts";
export type { DatasetFolders } from "./dataset_files.ts";
export { type QueryOptions, SqlResult, type SqlRow, type SqlValue } from "./sql_result.ts";
export { SqlSession } from "./sql_session.ts";
export { readViews, type SqlColumn, type SqlRelation, type SqlView } from "./catalogue.ts";

export type {
  EngineColumn,
  ResultFacts,
  ResultFile,
  ResultFormat,
  ResultInput,
  ResultManifest,
} from "./write_result.ts";
