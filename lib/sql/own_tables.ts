import type { DuckDBConnection } from "@duckdb/node-api";
import { asPattern, sha256 } from "../datasets/layout/files.ts";
import { InputError } from "../errors/mod.ts";
import { localFiles } from "../http/local_files.ts";
import { duckdbAmount } from "./expand_calls.ts";
import type { SqlRelation } from "./catalogue.ts";
import { firstLine, quoted } from "./sql_result.ts";

/** Tables of one's own: paths of CSV or Parquet files by name. */
export type OwnTables = Readonly<Record<string, string>>;

/** A table of one's own. */
export interface OwnTable {
  /** Its name. */
  readonly name: string;
  /** Its file, as an absolute path. */
  readonly path: string;
  /** SHA-256 of its file. */
  readonly sha256: string;
}

/**
 * Finds the files of tables of one's own.
 *
 * @throws {InputError} If a name is no name of a table, or a file cannot be read.
 */
export async function ownTables(tables: OwnTables): Promise<OwnTable[]> {
  return await Promise.all(
    Object.entries(tables).map(async ([name, file]) => {
      if (!/^[a-z_]\w*$/i.test(name)) {
        throw ownError(name, file, "a name has letters, digits and _ alone");
      }
      if (!/\.(?:csv|parquet)$/i.test(file)) {
        throw ownError(name, file, "it is no .csv or .parquet");
      }
      try {
        const path = await process.getBuiltinModule("node:fs/promises").realpath(file);
        return { name, path, sha256: sha256(await localFiles().readFile(path)) };
      } catch (cause) {
        throw ownError(name, file, firstLine(cause));
      }
    }),
  );
}

/** Adds tables of one's own; their columns that end in `_atoms` are amounts. */
export async function addTables(
  connection: DuckDBConnection,
  tables: readonly OwnTable[],
  relations: readonly Pick<SqlRelation, "name">[],
): Promise<SqlRelation[]> {
  const added: SqlRelation[] = [];
  for (const { name, path } of tables) {
    if ([...relations, ...added].some((one) => one.name === name.toLowerCase())) {
      throw ownError(name, path, "a table or view of the dataset has this name");
    }
    const file = quoted(asPattern(path));
    const isCsv = /\.csv$/i.test(path);
    const read = (more: string) => isCsv ? `read_csv(${file}${more})` : `read_parquet(${file})`;
    try {
      const described = await connection.runAndReadAll(`DESCRIBE FROM ${read("")}`);
      const columns = described.getRows().map(([column, type]) => ({
        name: String(column),
        dtype: String(type),
        unit: null,
        text: "as in the file",
      }));
      const amounts = columns.filter((column) => column.name.endsWith("_atoms"));
      // A CSV with larger numbers would be read as doubles.
      const types = amounts.map((column) => `${quoted(column.name)}: 'VARCHAR'`).join(", ");
      const selected = columns.map((column) => {
        const named = `"${column.name.replaceAll('"', '""')}"`;
        return amounts.includes(column)
          ? `${duckdbAmount(`CAST(${named} AS VARCHAR)`)} AS ${named}`
          : named;
      });
      const from = read(amounts.length === 0 ? "" : `, types = {${types}}`);
      await connection.run(`CREATE VIEW ${name} AS SELECT ${selected.join(", ")} FROM ${from}`);
      added.push({
        name: name.toLowerCase(),
        kind: "own",
        grain: `One row of ${path}`,
        key: [],
        columns,
      });
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      throw ownError(name, path, firstLine(cause));
    }
  }
  return added;
}

function ownError(name: string, file: string, reason: string): InputError {
  return new InputError(`Cannot query ${file} as the table ${name}`, {
    facts: { reason },
    remedy: "Pass a CSV or Parquet file under a name of its own, such as prices=prices.csv",
  });
}
