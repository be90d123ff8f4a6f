import type { DuckDBConnection } from "@duckdb/node-api";
import { escapePattern, sha256 } from "../datasets/layout/files.ts";
import { summarizeError } from "../errors/http_errors.ts";
import { InputError } from "../errors/mod.ts";
import { describeValue } from "../errors/option_rules.ts";
import { isMissing, localFiles } from "../http/local_files.ts";
import { castAmount, lowerHex } from "./amounts.ts";
import type { SqlColumn, SqlRelation } from "./catalogue.ts";
import type { TableFrame } from "./frame_tables.ts";
import { quoteName, quoteText } from "./sql_result.ts";

/** Tables of the caller: paths of CSV, Parquet or JSON files by name. */
export type OwnTables = Readonly<Record<string, string>>;

/** A table of the caller. */
interface FileTable {
  /** The relation. */
  readonly relation: SqlRelation;
  /** Its file, as an absolute path. */
  readonly path: string;
  /** SHA-256 of its file. */
  readonly sha256: string;
}

/** Functions of the engine that read files, by the ends of their names. */
const READERS:
  readonly (readonly [end: RegExp, name: "read_csv" | "read_parquet" | "read_json"])[] = [
    [/\.csv$/i, "read_csv"],
    [/\.parquet$/i, "read_parquet"],
    [/\.(?:json|ndjson)$/i, "read_json"],
  ];

/**
 * Adds tables of the caller; their columns that end in `_atoms` are amounts.
 *
 * @param reserved Tables and views whose names are taken.
 * @throws {InputError} If a name is taken or invalid, or a file cannot be read.
 */
export async function addTables(
  connection: DuckDBConnection,
  files: OwnTables,
  reserved: readonly Pick<SqlRelation, "name">[],
): Promise<FileTable[]> {
  const tables: FileTable[] = [];
  for (const [name, file] of Object.entries(files)) {
    const names = [...reserved, ...tables.map(({ relation }) => relation)].map((relation) =>
      relation.name
    );
    const createError = (reason: string) =>
      new InputError(`Cannot query ${file} as the table ${name}`, {
        facts: { reason },
        remedy: "Pass a CSV, Parquet or JSON file under an unused name, such as prices=prices.csv",
      });
    if (!/^[a-z_]\w*$/i.test(name)) {
      throw createError("a name has only letters, digits and _, and does not begin with a digit");
    }
    if (!READERS.some(([end]) => end.test(file))) {
      throw createError("it is not a .csv, .parquet, .json or .ndjson file");
    }
    if (names.includes(name.toLowerCase())) {
      throw createError("a table or view of the dataset has this name");
    }
    try {
      tables.push(await addTable(connection, name.toLowerCase(), file));
    } catch (cause) {
      throw createError(isMissing(cause) ? "it does not exist" : describeFailure(cause));
    }
  }
  return tables;
}

function describeFailure(cause: unknown): string {
  const summary = summarizeError(cause);
  return /Error when sniffing file/.test(summary)
    ? "its rows have different numbers of columns, or a quote is not closed"
    : summary;
}

async function addTable(
  connection: DuckDBConnection,
  name: string,
  file: string,
): Promise<FileTable> {
  const path = await localFiles().realpath(file);
  const bytes = await localFiles().readFile(path);
  const [, reader] = READERS.find(([end]) => end.test(file))!;
  const options = reader === "read_parquet" ? "" : formatOptions(reader, bytes);
  const scan = (more: string) => `${reader}(${quoteText(escapePattern(path))}${options}${more})`;
  const description = await connection.runAndReadAll(`DESCRIBE FROM ${scan("")}`);
  const columns = description.getRows().map(([column, type]) => ({
    name: String(column),
    dtype: String(type),
    unit: null,
    text: "as in the file",
  }));
  const isAmount = (column: string) => column.endsWith("_atoms");
  if (reader !== "read_parquet") {
    if (reader === "read_csv" && isUnnamed(columns)) {
      throw new TypeError("its first line does not name its columns");
    }
    const texts = scan(formatTypes(reader, columns.map((column) => ({ ...column, dtype: TEXT }))));
    const inexact = await findInexact(connection, columns, texts);
    for (const column of columns) {
      if (isAmount(column.name) || inexact.has(column.name)) column.dtype = TEXT;
    }
  }
  const types = reader === "read_parquet" ? "" : formatTypes(reader, columns);
  const selected = columns.map((column) => {
    const quotedColumn = quoteName(column.name);
    if (isAmount(column.name)) {
      const text = `CAST(${quotedColumn} AS VARCHAR)`;
      return `${castAmount(text, `${name}.${column.name}`)} AS ${quotedColumn}`;
    }
    return column.dtype === TEXT ? `${lowerHex(quotedColumn)} AS ${quotedColumn}` : quotedColumn;
  });
  await connection.run(`CREATE VIEW ${name} AS SELECT ${selected.join(", ")} FROM ${scan(types)}`);
  const grain = `One row of ${path}`;
  return { relation: { name, kind: "own", grain, key: [], columns }, path, sha256: sha256(bytes) };
}

const TEXT = "VARCHAR";

/** Whether the engine named the columns of a CSV, as it does where the first line has values. */
function isUnnamed(columns: readonly Pick<SqlColumn, "name">[]): boolean {
  return columns.every(({ name }, index) => Number(/^column(\d+)$/.exec(name)?.[1]) === index);
}

/** Formats the option of a file of text that sets the types of its columns. */
function formatTypes(
  reader: "read_csv" | "read_json",
  columns: readonly Pick<SqlColumn, "name" | "dtype">[],
): string {
  const types = columns.map(({ name, dtype }) => `${quoteText(name)}: ${quoteText(dtype)}`);
  return `, columns = {${types.join(", ")}}${reader === "read_csv" ? ", header = true" : ""}`;
}

/**
 * Finds columns whose values the engine would change: hex, which it takes for a number, and whole numbers
 * that a double may not hold.
 *
 * @param texts The rows with all values as text, as SQL.
 */
async function findInexact(
  connection: DuckDBConnection,
  columns: readonly Pick<SqlColumn, "name" | "dtype">[],
  texts: string,
): Promise<ReadonlySet<string>> {
  const checked = columns.filter(({ dtype }) => /INT|DOUBLE/.test(dtype));
  if (checked.length === 0) return new Set();
  const conditions = checked.map(({ name, dtype }) => {
    const pattern = dtype === "DOUBLE" ? "^[+-]?[0-9]{16,}$|^0[xX]" : "^0[xX]";
    return `bool_or(regexp_matches(${quoteName(name)}, '${pattern}'))`;
  });
  const result = await connection.runAndReadAll(`SELECT ${conditions.join(", ")} FROM ${texts}`);
  const [verdicts = []] = result.getRows();
  return new Set(checked.flatMap(({ name }, index) => verdicts[index] === true ? name : []));
}

/** Bytes of a file of text in which its first line is looked for. */
const HEAD_BYTES = 65_536;

/**
 * Formats the options for a file of text. The types of all rows decide. The separator is the one in the
 * first line, since the engine would take lines of different lengths for one column.
 */
function formatOptions(reader: "read_csv" | "read_json", bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).trimStart();
  if (head === "") throw new TypeError("it is empty");
  if (reader === "read_json") return ", sample_size = -1";
  const [line = ""] = head.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/);
  const count = (separator: string) => line.split(separator).length;
  const [separator = ","] = [",", ";", "\t", "|"].toSorted((a, b) => count(b) - count(a));
  return `, sample_size = -1, skip = 0, delim = ${quoteText(separator)}, quote = '"', escape = '"'`;
}

/** Kinds of columns by the values that they have; `undefined` for a value that no column takes. */
function detectKind(value: unknown): string | undefined {
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Bool";
  if (typeof value === "bigint" || Number.isInteger(value)) return "Int64";
  return typeof value === "number" ? "Float64" : undefined;
}

/** Whether a number is beyond the whole numbers that a double tells from their neighbours. */
function isRounded(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

/**
 * Makes a frame of rows: objects whose values are text, numbers, bigints, booleans or null; a column that
 * a row lacks is null there. Whole numbers beside others are doubles.
 *
 * @param name Name of the table, for errors.
 * @throws {InputError} If there is no row, one is no object, or the values of a column are of several kinds.
 */
export function toRowsFrame(name: string, rows: readonly unknown[]): TableFrame {
  const createError = (problem: string, remedy: string) =>
    new InputError(`Cannot query rows as the table ${name}: ${problem}`, { remedy });
  if (rows.length === 0) {
    throw createError("there are none", "Pass at least one row, or a frame with columns");
  }
  const columns = new Map<string, { readonly variant: string; readonly values: unknown[] }>();
  const names = new Set(rows.flatMap((row, index) => {
    if (typeof row === "object" && row !== null && !Array.isArray(row)) return Object.keys(row);
    throw createError(
      `row ${index} is ${describeValue(row)}`,
      "Pass objects, such as { owner, volume_atoms: 5n }",
    );
  }));
  for (const column of names) {
    const values = rows.map((row) => Object(row)[column] ?? null);
    const kinds = new Set<string>();
    for (const [index, value] of values.entries()) {
      if (value === null) continue;
      const kind = detectKind(value);
      if (kind === undefined) {
        throw createError(
          `${column} of row ${index} is ${describeValue(value)}`,
          "Pass text, numbers, bigints, booleans or null",
        );
      }
      kinds.add(kind);
      if (column.endsWith("_atoms") && kind === "Int64" && isRounded(value)) {
        throw createError(
          `${column} of row ${index} is ${value}, a number that may have lost digits`,
          "Pass it as a bigint or as text",
        );
      }
    }
    const isAmount = column.endsWith("_atoms") && kinds.isSubsetOf(new Set(["String", "Int64"]));
    if (isAmount) {
      const texts = values.map((value) => value === null ? null : String(value));
      columns.set(column, { variant: "String", values: texts });
      continue;
    }
    const isNumber = kinds.isSubsetOf(new Set(["Int64", "Float64"]));
    if (kinds.size > 1 && !isNumber) {
      throw createError(
        `values of ${column} are of several kinds`,
        "Pass values of one kind in a column, or null",
      );
    }
    const [kind = "String"] = kinds;
    const variant = kinds.size > 1 ? "Float64" : kind;
    const inexact = values.find((value) =>
      variant === "Float64" && typeof value === "bigint" && BigInt(Number(value)) !== value
    );
    if (inexact !== undefined) {
      throw createError(
        `${column} has ${inexact} beside numbers with a fraction, which would round it`,
        "Pass all of them as text",
      );
    }
    columns.set(column, {
      variant,
      values: variant === "Float64"
        ? values.map((value) => value === null ? null : Number(value))
        : values,
    });
  }
  return {
    columns: [...columns.keys()],
    height: rows.length,
    getColumn(column) {
      const { variant, values } = columns.get(column)!;
      return { dtype: { variant }, toArray: () => values };
    },
  };
}
