import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  version,
} from "@duckdb/node-api";
import { escapePattern } from "../datasets/layout/files.ts";
import { summarizeError } from "../errors/http_errors.ts";
import { InputError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import { findTemporaryFolder } from "../http/local_files.ts";
import { CREATE_U_FORMAT } from "./amounts.ts";
import {
  createOnDemand,
  listDatasetTables,
  selectNothing,
  type SqlTable,
  type SqlView,
} from "./catalogue.ts";
import { filterChainRows } from "./chain_rows.ts";
import { DatasetFiles, type DatasetFolders, requireDisjoint, scanFiles } from "./dataset_files.ts";
import {
  describeFrames,
  type FrameTable,
  loadFrame,
  selectRows,
  type TableFrame,
} from "./frame_tables.ts";
import { addTables, type OwnTables, toRowsFrame } from "./own_tables.ts";
import { type FrameFile, quoteText, type SqlRow } from "./sql_result.ts";
import { SqlSession } from "./sql_session.ts";
import { toUnfinishedPath } from "./write_result.ts";

/** Options of {@linkcode openSql}. */
export interface SqlOptions {
  /**
   * Maximum memory of the database, such as `2GB` or `500MB`; a query that needs more uses the disk, and
   * fails if that does not suffice.
   *
   * @default {80% of the memory of the machine}
   */
  memoryLimit?: string | undefined;
  /** Number of threads. @default {number of processors} */
  threads?: number | undefined;
  /** Whether a query that needs more memory uses the disk. @default {true} */
  usesDisk?: boolean | undefined;
  /**
   * Tables of the caller, by the names that queries use: CSV, Parquet or JSON files. A column whose
   * name ends in `_atoms` is an amount; addresses, hashes and order UIDs are in lower case, as in all
   * tables. @default {none}
   */
  with?: OwnTables | undefined;
  /** The only file that `write` may write. @default {none} */
  output?: string | undefined;
}

const SIZE = /^\d+(?:\.\d+)? ?(?:KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/i;

const isPath = (value: unknown) => typeof value === "string";

const OPTIONS: OptionRules<SqlOptions> = {
  memoryLimit: defineRule(
    "a size such as 500MB or 2GB",
    (value) => typeof value === "string" && SIZE.test(value),
  ),
  threads: wholeNumber(1),
  usesDisk: Boolean,
  with: defineRule(
    "an object of paths by name",
    (value) => typeof value === "object" && value !== null && Object.values(value).every(isPath),
  ),
  output: defineRule("a path", (value) => isPath(value) && value !== ""),
};

/**
 * Opens datasets for SQL: their tables, and views that add them up.
 *
 * The database is DuckDB, in memory and in this process. It reads the files of the datasets and of
 * `with` and nothing else, writes nothing but `output`, and loads no extension. `relations` lists its
 * tables and views.
 *
 * Amounts are of DuckDB's type BIGNUM, whole numbers of any size: `+`, `-`, comparisons, `ORDER BY`,
 * `sum`, `min`, `max` and `median` are exact. `*`, `/`, `%`, `avg` and `abs` give doubles. Rows have
 * amounts as decimal text. Times are in UTC, on every machine.
 *
 * @param folders Folder of a dataset, the name of one that ships, or several without rows in common.
 * @throws {InputError} If one is not a dataset, two have rows in common, or an option is invalid.
 *
 * @example Fees by kind of policy, to the atom
 * ```ts
 * import { openSql } from "orderlens/sql";
 * import { assertEquals } from "@std/assert";
 *
 * using sql = await openSql("market_1");
 * const fees = await sql.query(`
 *   SELECT policy_kind, count(*) AS fees, sum(fee_native_atoms) AS native_atoms
 *   FROM fees GROUP BY policy_kind ORDER BY policy_kind
 * `);
 *
 * assertEquals(fees[1], { policy_kind: "surplus", fees: 4, native_atoms: "13857270316012978" });
 * ```
 */
export async function openSql(
  folders: DatasetFolders,
  options: SqlOptions = {},
): Promise<SqlSession> {
  checkOptions(options, OPTIONS, "Cannot open datasets for SQL");
  const files = await DatasetFiles.read(folders);
  return await openTables({ files, ownTables: options.with }, options);
}

/** A table of the caller: a frame, rows, or the path of a CSV, Parquet or JSON file. */
export type OwnTable = TableFrame | readonly object[] | string;

/** Options of {@linkcode openFrames}. */
interface FrameOptions extends Pick<SqlOptions, "memoryLimit" | "threads" | "usesDisk" | "output"> {
  /** Datasets whose other tables queries may name too. */
  readonly folders?: readonly string[];
  /** Frames, rows, or paths of CSV, Parquet or JSON files, by the names that queries give them. */
  readonly with?: Readonly<Record<string, OwnTable>> | undefined;
}

const FRAME_OPTIONS: OptionRules<FrameOptions> = {
  memoryLimit: OPTIONS.memoryLimit,
  threads: OPTIONS.threads,
  usesDisk: OPTIONS.usesDisk,
  output: OPTIONS.output,
  folders: defineRule("folders of datasets", (value) => Array.isArray(value)),
  with: defineRule(
    "frames, rows or paths by name",
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  ),
};

/**
 * Opens frames for SQL, in memory, in addition to the tables of datasets with other names, and the views that
 * add them up. The rows of a table are read when a query first names it.
 */
export async function openFrames(
  frames: readonly FrameTable[],
  options: FrameOptions = {},
): Promise<SqlSession> {
  checkOptions(options, FRAME_OPTIONS, "Cannot open tables for SQL");
  const { folders = [], with: extraTables = {}, ...limits } = options;
  const files = await DatasetFiles.read(folders);
  const paths: Record<string, string> = {};
  const heldFrames: Record<string, TableFrame> = {};
  for (const [name, table] of Object.entries(extraTables)) {
    if (typeof table === "string") paths[name] = table;
    else heldFrames[name] = isRows(table) ? toRowsFrame(name, table) : table;
  }
  const extraFrames = describeFrames(heldFrames, [...frames, ...files.tables, ...files.views]);
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const path = `${findTemporaryFolder()}/orderlens-frame-${randomUUID()}.parquet`;
  return await openTables({
    files,
    ownTables: paths,
    frames: [...frames, ...extraFrames],
    frameFile: { path, idle: Promise.resolve() },
  }, limits);
}

function isRows(table: OwnTable): table is Exclude<OwnTable, string | TableFrame> {
  return Array.isArray(table);
}

/** Queries that list tables or columns. */
const LISTING_QUERY = /\bshow\b|\b(?:duckdb|pg|sqlite|information)_/i;

/** Opens a session whose tables and views are created when a query first names them. */
async function openTables(
  { files, ownTables = {}, frames = [], frameFile = null }: {
    readonly files: DatasetFiles;
    readonly ownTables?: OwnTables | undefined;
    readonly frames?: readonly FrameTable[];
    readonly frameFile?: FrameFile | null;
  },
  options: SqlOptions,
): Promise<SqlSession> {
  const { instance, connection } = await openSession(options);
  try {
    await requireDisjoint(connection, files);
    const framesByName = new Map(frames.map((table) => [table.name, table]));
    const tables = [...files.tables.filter(({ name }) => !framesByName.has(name)), ...frames];
    const fileTables = await addTables(connection, ownTables, [...tables, ...files.views]);
    const relations = fileTables.map(({ relation }) => relation);
    const names = new Set([...tables, ...relations].map(({ name }) => name));
    const views = files.views.filter(({ tables, optional }) =>
      tables.every((table) => names.has(table) || table === optional)
    );
    const folders = files.datasets.map(({ paths }) => paths.folder);
    await lockSession(connection, {
      folders,
      files: fileTables.map(({ path }) => path),
      written: [
        ...options.output === undefined ? [] : [toUnfinishedPath(options.output)],
        ...frameFile === null ? [] : [frameFile.path],
      ],
    });
    const queryables: readonly (SqlTable | FrameTable | SqlView)[] = [...tables, ...views];
    const create = async (item: SqlTable | FrameTable | SqlView) => {
      if ("frame" in item) return await loadFrame(instance, item);
      if (!("query" in item)) return await createTableView(connection, item, files);
      const absent = listDatasetTables().find(({ name }) =>
        name === item.optional && !names.has(name)
      );
      const commonTable = absent && `WITH ${absent.name} AS (${await buildRowsSql(absent, files)})`;
      await connection.run(`CREATE VIEW ${item.name} AS ${commonTable ?? ""} ${item.query}`);
    };
    const makeNeeded = createOnDemand(queryables, create);
    const session: SqlSession = new SqlSession({
      instance,
      connection,
      relations: [...queryables, ...relations],
      makeNeeded: (query) =>
        makeNeeded(LISTING_QUERY.test(query) ? queryables.map(({ name }) => name).join() : query),
      missing: new Map([...files.missing].filter(([name]) => !names.has(name))),
      warnings: files.listWarnings(),
      frameFile,
      facts: {
        engine: { name: "duckdb", version: version().replace(/^v/, "") },
        tables: fileTables.map(({ relation: { name }, sha256 }) => ({ name, sha256 })),
        ...await files.readFacts(),
      },
    });
    return session;
  } catch (error) {
    connection.closeSync();
    instance.closeSync();
    throw error;
  }
}

/**
 * Runs one query over datasets, and returns all rows: {@linkcode openSql}, `query`, and close.
 *
 * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
 *
 * @example How often each solver won
 * ```ts
 * import { querySql } from "orderlens/sql";
 * import { assertEquals } from "@std/assert";
 *
 * const [first] = await querySql(
 *   "market_1",
 *   "SELECT auctions_won, score_won_atoms FROM leaderboard ORDER BY auctions_won DESC LIMIT 1",
 * );
 *
 * assertEquals(first, { auctions_won: 29, score_won_atoms: "206870159477692212" });
 * ```
 */
export async function querySql<Row = SqlRow>(
  folders: DatasetFolders,
  query: string,
  options: SqlOptions = {},
): Promise<Row[]> {
  using sql = await openSql(folders, options);
  return await sql.query<Row>(query);
}

/** Creates the view of a table: its rows in all datasets, with amounts as numbers. */
async function createTableView(
  connection: DuckDBConnection,
  table: SqlTable,
  files: DatasetFiles,
): Promise<void> {
  const rows = await buildRowsSql(table, files);
  try {
    await connection.run(`CREATE VIEW ${table.name} AS ${rows}`);
  } catch (cause) {
    throw new InputError(`Cannot open the table ${table.name} for SQL`, {
      facts: { reason: summarizeError(cause) },
      remedy: "Rebuild the tables with this version of the library: `orderlens rebuild DIR`",
      cause,
    });
  }
}

/** Verifies the files of a table, and builds the SQL that selects its rows in all datasets. */
async function buildRowsSql(table: SqlTable, files: DatasetFiles): Promise<string> {
  await files.requireWhole(table.name);
  const scans = files.listFiles(table.name).map(scanFiles);
  const rows = scans.length === 0 ? [`(${selectNothing(table)})`] : scans;
  const all = rows.map((from) => selectRows(table, from)).join(" UNION ALL ");
  return await filterChainRows(table, all, files);
}

/** Restricts queries to the datasets, the files of the caller, and files to write, irrevocably. */
async function lockSession(
  connection: DuckDBConnection,
  { folders, files, written }: Readonly<Record<"folders" | "files" | "written", readonly string[]>>,
): Promise<void> {
  const formatList = (paths: readonly string[]) => `[${paths.map(quoteText).join(", ")}]`;
  // Files are read by pattern, and patterns are compared verbatim with the allowed paths.
  const allowed = folders.flatMap((path) => [`${path}/`, `${escapePattern(path)}/`]);
  const paths = [...files.flatMap((path) => [path, escapePattern(path)]), ...written];
  await connection.run(
    `SET allowed_directories = ${formatList(allowed)}; SET allowed_paths = ${formatList(paths)};
     SET enable_external_access = false; SET lock_configuration = true`,
  );
}

/** Settings that would depend on the machine: time zone and calendar, of all connections. */
const PINNED_SETTINGS = "SET GLOBAL TimeZone = 'UTC'; SET GLOBAL Calendar = 'gregorian'";

/**
 * Opens a session of the engine: a database in memory, with `u_format`. Its time zone is
 * UTC and its calendar Gregorian on every machine, so that the same query has the same rows.
 */
async function openSession(
  { memoryLimit, threads, usesDisk = true }: SqlOptions,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const instance = await DuckDBInstance.create(":memory:", {
    temp_directory: usesDisk ? `${findTemporaryFolder()}/orderlens-sql-${randomUUID()}` : "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    // As Spark sorts them: the same text with a LIMIT has the same rows.
    default_null_order: "nulls_first_on_asc_last_on_desc",
    ...memoryLimit !== undefined && { memory_limit: memoryLimit },
    ...threads !== undefined && { threads: String(threads) },
  });
  // The client would format times in the zone of the machine.
  DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  const connection = await instance.connect();
  await connection.run(PINNED_SETTINGS);
  await connection.run(CREATE_U_FORMAT);
  return { instance, connection };
}
