import { type DuckDBConnection, DuckDBInstance, DuckDBTimestampTZValue } from "@duckdb/node-api";
import { findTemporaryFolder } from "../http/local_files.ts";
import { CREATE_U_FORMAT } from "./amounts.ts";

/** Limits of a session of the engine. */
interface SessionLimits {
  /** Maximum memory, such as `2GB`. @default {80% of the memory of the machine} */
  readonly memoryLimit?: string | undefined;
  /** Number of threads. @default {number of processors} */
  readonly threads?: number | undefined;
  /** Whether a query that needs more memory uses the disk. @default {true} */
  readonly usesDisk?: boolean | undefined;
}

/** Settings that would depend on the machine: time zone and calendar, of all connections. */
const PINNED_SETTINGS = "SET GLOBAL TimeZone = 'UTC'; SET GLOBAL Calendar = 'gregorian'";

/**
 * Opens a session of the engine: a database in memory, with `u_format`. Its time zone is
 * UTC and its calendar Gregorian on every machine, so that the same query has the same rows.
 */
export async function openSession(
  { memoryLimit, threads, usesDisk = true }: SessionLimits,
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
