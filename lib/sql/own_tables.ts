import type { DuckDBConnection } from "@duckdb/node-api";
import { asPattern, sha256 } from "../datasets/layout/files.ts";
import { firstLine } from "../errors/http_errors.ts";
import { InputError } from "../errors/mod.ts";
import { localFiles } from "../http/local_files.ts";
import { duckdbAmount } from "./expand_calls.ts";
import type { SqlRelation } from "./catalogue.ts";
import { quoted, quotedName } from "./sql_result.ts";

/** Tables of one's own: paths of CSV or Parquet files by name. */
export type OwnTables = Readonly<Record<string, string>>;

/** A table of one's own. */
interface OwnTable {
  /** What queries may name. */
  readonly relation: SqlRelation;
  /** Its file, as an absolute path. */
  readonly path: string;
  /** SHA-256 of its file. */
  readonly sha256: string;
}

/**
 * Adds tables of one's own; their columns that end in `_atoms` are amounts.
 *
 * @param taken Tables and views that have other names.
 * @throws {InputError} If a name is taken or no name of a table, or a file cannot be read.
 */
export async function addTables(
  connection: DuckDBConnection,
  own: OwnTables,
  taken: readonly Pick<SqlRelation, "name">[],
): Promise<OwnTable[]> {
  const added: OwnTable[] = [];
  for (const [name, file] of Object.entries(own)) {
    const names = [...taken, ...added.map(({ relation }) => relation)].map((one) => one.name);
    const failed = (reason: string) =>
      new InputError(`Cannot query ${file} as the table ${name}`, {
        facts: { reason },
        remedy: "Pass a CSV or Parquet file under a name of its own, such as prices=prices.csv",
      });
    if (!/^[a-z_]\w*$/i.test(name)) throw failed("a name has letters, digits and _ alone");
    if (!/\.(?:csv|parquet)$/i.test(file)) throw failed("it is no .csv or .parquet");
    if (names.includes(name.toLowerCase())) {
      throw failed("a table or view of the dataset has this name");
    }
    try {
      added.push(await addTable(connection, name.toLowerCase(), file));
    } catch (cause) {
      throw failed(firstLine(cause));
    }
  }
  return added;
}

async function addTable(
  connection: DuckDBConnection,
  name: string,
  file: string,
): Promise<OwnTable> {
  const path = await localFiles().realpath(file);
  const hash = sha256(await localFiles().readFile(path));
  const pattern = quoted(asPattern(path));
  const read = (more: string) =>
    /\.csv$/i.test(path) ? `read_csv(${pattern}${more})` : `read_parquet(${pattern})`;
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
  const from = read(amounts.length === 0 ? "" : `, types = {${types}}`);
  const selected = columns.map((column) => {
    const named = quotedName(column.name);
    const amount = `${duckdbAmount(`CAST(${named} AS VARCHAR)`)} AS ${named}`;
    return amounts.includes(column) ? amount : named;
  });
  await connection.run(`CREATE VIEW ${name} AS SELECT ${selected.join(", ")} FROM ${from}`);
  const grain = `One row of ${path}`;
  return { relation: { name, kind: "own", grain, key: [], columns }, path, sha256: hash };
}
