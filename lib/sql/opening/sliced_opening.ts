import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../errors/mod.ts";
import type { SqlTable } from "../catalogue/dataset_tables.ts";
import { slicedQuery, slicedTables, slicesOf } from "../catalogue/sliced_query.ts";
import type { SqlView } from "../catalogue/views.ts";
import type { SlicedView } from "../engine/sliced_views.ts";

/** Sizes as the database prints its limit. */
const UNITS: Readonly<Record<string, number>> = {
  bytes: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/**
 * A view in slices, if its joins need more memory than the database may have.
 *
 * @param query Its query over the tables that are there.
 * @param tables The tables that are there.
 */
export async function slicedView(
  connection: DuckDBConnection,
  view: SqlView,
  { query, tables }: { readonly query: string; readonly tables: readonly SqlTable[] },
): Promise<SlicedView | null> {
  const [first] = view.tables;
  if (view.sliced === null || first === undefined) return null;
  const [[rows, limit] = []] = (await connection.runAndReadAll(
    `SELECT count(*), current_setting('memory_limit') FROM ${first}`,
  )).getRows();
  const [, size, unit = ""] = /^([\d.]+) (\w+)$/.exec(String(limit)) ?? [];
  const slices = slicesOf(Number(rows), Number(size) * (UNITS[unit] ?? NaN));
  if (!(slices > 1)) return null;
  return {
    name: view.name,
    ...slicedQuery(query, view.sliced),
    tables: slicedTables(view, tables),
    slices,
  };
}

/**
 * Makes the folder for slices; `false` if the program may not write there.
 *
 * @throws {InputError} If it cannot be made.
 */
export async function makeSlicesFolder(folder: string): Promise<boolean> {
  try {
    await process.getBuiltinModule("node:fs/promises").mkdir(folder, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "NotCapable") return false;
    throw new InputError(`Cannot make the folder ${folder} for joins that are larger than memory`, {
      facts: { reason: error instanceof Error ? error.message : String(error) },
      remedy:
        "Pass a folder that can be written to as `temporaryFolder`, or a higher `memoryLimit`",
      cause: error,
    });
  }
}
