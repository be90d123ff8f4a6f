import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, rule } from "../../errors/option_rules.ts";
import { datasetTables, type SqlTable } from "../catalogue/dataset_tables.ts";
import { emptyTable, viewQuery } from "../catalogue/view_query.ts";
import { REWARD_RULES, rewardRules, RULES_OF } from "../catalogue/reward_rules.ts";
import { readViews } from "../catalogue/views.ts";
import { registerFunctions } from "../engine/register_functions.ts";
import { expandWindows } from "../functions/macros.ts";
import { asPattern, quoted } from "../engine/quoted.ts";
import type { SqlRelation } from "../engine/session_parts.ts";
import { SqlSession } from "../engine/sql_session.ts";
import type { SqlRow } from "../engine/sql_values.ts";
import { viewsHash } from "../results/result_manifest.ts";
import { unfinishedOf } from "../results/write_result_file.ts";
import { DatasetFiles } from "./dataset_files.ts";

/** Options of {@linkcode openSql}. */
export interface SqlOptions {
  /**
   * Most memory of the database, such as `2GB` or `500MB`; a query that needs more uses the disk, and
   * fails if it does not fit even so.
   *
   * @default {80% of the memory of the machine}
   */
  memoryLimit?: string | undefined;
  /** Number of threads. @default {number of processors} */
  threads?: number | undefined;
  /** The network whose documented reward rules count for a deployment without a name. @default {none} */
  rulesOf?: string | undefined;
  /**
   * Where a folder is made for what does not fit into memory, and removed when the session is closed.
   *
   * @default {the folder of temporary files of the system}
   */
  temporaryFolder?: string | undefined;
  /** The one file or folder that `write` may write. @default {none} */
  output?: string | undefined;
}

const SIZE = /^\d+(?:\.\d+)? ?(?:KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/i;

const OPTIONS: OptionRules<SqlOptions> = {
  memoryLimit: rule(
    "a size such as 500MB or 2GB",
    (value) => typeof value === "string" && SIZE.test(value),
  ),
  threads: rule(
    "a whole number of at least 1",
    (value) => Number.isInteger(value) && value as number >= 1,
  ),
  rulesOf: RULES_OF,
  temporaryFolder: rule("a path", (value) => typeof value === "string" && value !== ""),
  output: rule("a path", (value) => typeof value === "string" && value !== ""),
};

/**
 * Opens datasets for SQL: their tables, the views of this room, and exact functions on amounts.
 *
 * The database is DuckDB, in memory and in this process. It reads the files of the datasets and
 * nothing else, writes nothing but `output`, and loads no extension. What it reads is listed in
 * `relations`, and in the data dictionary of this room.
 *
 * Amounts are decimal text: add them with `u_sum`, `u_add` and `u_sub`, multiply and divide them with
 * `u_muldiv`; a cast to a number loses digits.
 *
 * @param folders Folder of a dataset, the name of one that ships, or several of different chains.
 * @throws {InputError} If one is not a dataset, two are of one chain, or an option is invalid.
 *
 * @example Fees by kind of policy, to the atom
 * ```ts
 * import { openSql } from "orderlens/sql";
 * import { assertEquals } from "@std/assert";
 *
 * using sql = await openSql("market_1");
 * const fees = await sql.query(`
 *   SELECT policy_kind, count(*) AS fees, u_sum(fee_native_atoms) AS native_atoms
 *   FROM fees GROUP BY policy_kind ORDER BY policy_kind
 * `);
 *
 * assertEquals(fees.map(({ policy_kind, fees }) => `${policy_kind} ${fees}`), [
 *   "priceImprovement 35",
 *   "surplus 4",
 *   "volume 42",
 * ]);
 * ```
 */
export async function openSql(
  folders: string | URL | readonly (string | URL)[],
  options: SqlOptions = {},
): Promise<SqlSession> {
  checkOptions(options, OPTIONS, "Cannot open datasets for SQL");
  const all = typeof folders === "string" || folders instanceof URL ? [folders] : folders;
  const files = await DatasetFiles.read(all);
  const scratch = scratchFolder(options);
  const instance = await DuckDBInstance.create(":memory:", settings(options, scratch));
  const connection = await instance.connect();
  try {
    await registerFunctions(connection);
    const made = await makeRelations(connection, files, options);
    const inputs = await files.inputs();
    await lock(connection, files.folders, options);
    return new SqlSession({
      instance,
      connection,
      ...made,
      version: await versionOf(connection),
      inputs,
      viewsSha256: viewsHash(await readViews()),
      rulesOf: options.rulesOf ?? null,
    });
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
 *   "SELECT auctions_won, score_won FROM leaderboard ORDER BY auctions_won DESC LIMIT 1",
 * );
 *
 * assertEquals(first, { auctions_won: 29, score_won: "206870159477692212" });
 * ```
 */
export async function querySql<Row = SqlRow>(
  folders: string | URL | readonly (string | URL)[],
  query: string,
  options: SqlOptions = {},
): Promise<Row[]> {
  const sql = await openSql(folders, options);
  try {
    return await sql.query<Row>(query);
  } finally {
    sql[Symbol.dispose]();
  }
}

async function versionOf(connection: DuckDBConnection): Promise<string> {
  const found = await connection.runAndReadAll("SELECT version()");
  return String(found.getRows()[0]?.[0]).replace(/^v/, "");
}

/** The name of a folder of this session for what does not fit into memory. */
function scratchFolder({ temporaryFolder }: SqlOptions): string {
  const own = `orderlens-sql-${process.getBuiltinModule("node:crypto").randomUUID()}`;
  return `${temporaryFolder ?? systemTemporaryFolder()}/${own}`;
}

function settings({ memoryLimit, threads }: SqlOptions, scratch: string): Record<string, string> {
  return {
    temp_directory: scratch,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    // As Spark sorts them: the same text with a LIMIT has the same rows.
    default_null_order: "nulls_first_on_asc_last_on_desc",
    ...memoryLimit !== undefined && { memory_limit: memoryLimit },
    ...threads !== undefined && { threads: String(threads) },
  };
}

/** The folder of the system for such files; the usual one if its variables may not be read. */
function systemTemporaryFolder(): string {
  const { tmpdir } = process.getBuiltinModule("node:os");
  try {
    return tmpdir();
  } catch (error) {
    if (error instanceof Error && error.name === "NotCapable") return "/tmp";
    throw error;
  }
}

/** What queries may name. */
interface Made {
  readonly relations: SqlRelation[];
  readonly missing: Map<string, string>;
}

async function makeRelations(
  connection: DuckDBConnection,
  files: DatasetFiles,
  { rulesOf }: SqlOptions,
): Promise<Made> {
  const relations: SqlRelation[] = [];
  const missing = new Map<string, string>();
  const absent: SqlTable[] = [];
  for (const table of datasetTables()) {
    if (!files.has(table.folder)) {
      absent.push(table);
      missing.set(table.name, table.folder);
      continue;
    }
    const scan = scanOf(table, files.of(table.folder));
    try {
      await connection.run(`CREATE VIEW ${table.name} AS ${scan}`);
    } catch (cause) {
      throw tableError(table, cause);
    }
    relations.push({ ...table, kind: "table" });
  }
  await connection.run(`CREATE VIEW ${REWARD_RULES} AS ${rewardRules(rulesOf)}`);
  for (const view of await readViews()) {
    const lacks = view.tables.find((table) => !files.has(table));
    if (lacks === undefined) {
      const without = absent.filter(({ folder }) => view.optional.includes(folder));
      const query = expandWindows(viewQuery(view, without));
      await connection.run(`CREATE VIEW ${view.name} AS ${query}`);
      relations.push({ ...view, kind: "view" });
    } else missing.set(view.name, lacks);
  }
  return { relations, missing };
}

function tableError({ folder }: SqlTable, cause: unknown): InputError {
  const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return new InputError(`Cannot open the table ${folder} for SQL`, {
    facts: { reason },
    remedy: "Make the tables again with this version of the library: `orderlens rebuild DIR`",
    cause,
  });
}

function scanOf(table: SqlTable, files: readonly string[]): string {
  if (files.length === 0) return emptyTable(table);
  return `SELECT ${table.columns.map(({ name }) => name).join(", ")} FROM read_parquet([${
    files.map(quoted).join(", ")
  }], union_by_name = true, hive_partitioning = false)`;
}

/** From here on queries reach the datasets alone, and cannot undo it. */
async function lock(
  connection: DuckDBConnection,
  folders: readonly string[],
  { output }: SqlOptions,
): Promise<void> {
  const list = (paths: readonly string[]) => `[${paths.map(quoted).join(", ")}]`;
  // Files are asked for by pattern, and patterns are compared with what is allowed as they stand.
  const allowed = folders.flatMap((one) => [`${one}/`, `${asPattern(one)}/`]);
  await connection.run(`SET allowed_directories = ${list(allowed)}`);
  if (output !== undefined) {
    await connection.run(`SET allowed_paths = ${list([unfinishedOf(output)])}`);
  }
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}
