import { type DuckDBConnection, DuckDBDataChunk, type DuckDBInstance } from "@duckdb/node-api";
import { InputError } from "../errors/mod.ts";
import { describeValue as quotedValue } from "../errors/option_rules.ts";
import { castAmount, lowerHex } from "./amounts.ts";
import { type SqlColumn, type SqlRelation, TYPES } from "./catalogue.ts";
import { quoteName, toMemoryError } from "./sql_result.ts";

/** A frame of polars or of this library, or columns like those of one, from which a table is built. */
export interface TableFrame {
  /** Names of its columns. */
  readonly columns: string[];
  /** Number of rows. */
  readonly height: number;
  /** One of its columns, by the name that polars gives the kind of its values. */
  getColumn(name: string): { readonly dtype: { readonly variant: string }; toArray(): unknown[] };
}

/** A table of a session whose rows are a frame, which is built when a query needs it. */
export interface FrameTable extends SqlRelation {
  /** Builds its rows; timestamps are computed from the texts of the same times. */
  readonly frame: () => Promise<TableFrame>;
}

const CHUNK_ROWS = 500;

/**
 * Loads a frame into a table, whole or not at all, some rows at a time, so that other tasks can run.
 *
 * @throws {InputError} If a cell is not of its column's kind, or the rows do not fit into memory.
 */
export async function loadFrame(instance: DuckDBInstance, table: FrameTable): Promise<void> {
  const frame = await table.frame();
  const columns = table.columns.filter(({ dtype }) => dtype !== "Datetime");
  const times = table.columns.filter(({ dtype }) => dtype === "Datetime").map(({ name }) =>
    `CAST(${name.replace(/_utc$/, "")} AS TIMESTAMPTZ) AS ${name}`
  );
  const values = columns.map((column) => readValues(table, column, frame));
  const connection = await instance.connect();
  try {
    const types = columns.map(({ name, dtype }) => `${quoteName(name)} ${TYPES[dtype]}`);
    await connection.run(`CREATE TEMP TABLE appended (${types.join(", ")})`);
    const appender = await connection.createAppender("appended", "main", "temp");
    for (let from = 0; from < frame.height; from += CHUNK_ROWS) {
      const chunk = DuckDBDataChunk.create(columns.map((_, index) => appender.columnType(index)));
      chunk.setColumns(values.map((cells) => cells.slice(from, from + CHUNK_ROWS)));
      appender.appendDataChunk(chunk);
      // Other tasks run until the engine responds.
      await connection.run("SELECT 1");
    }
    appender.closeSync();
    const rows = selectRows(table, `(SELECT ${["*", ...times].join(", ")} FROM appended)`);
    try {
      await connection.run(`CREATE TABLE memory.main.${table.name} AS ${rows}`);
    } catch (error) {
      throw await findBadTime(connection, table) ?? error;
    }
  } catch (error) {
    throw toMemoryError(error, table.name) ?? error;
  } finally {
    connection.closeSync();
  }
}

/** Whether a column is an exact amount: decimal text in files, a number in a session. */
function isAmount({ name, dtype }: Pick<SqlColumn, "name" | "dtype">): boolean {
  return dtype === "String" && name.endsWith("_atoms");
}

/** Selects the columns of a table, with its amounts as numbers; addresses of the caller in lower case. */
export function selectRows(
  { columns, kind }: Pick<SqlRelation, "columns" | "kind">,
  from: string,
): string {
  const columnList = columns.map((column) => {
    const name = quoteName(column.name);
    if (isAmount(column)) return `${castAmount(name)} AS ${name}`;
    return kind === "own" && column.dtype === "String" ? `${lowerHex(name)} AS ${name}` : name;
  });
  return `SELECT ${columnList.join(", ")} FROM ${from}`;
}

/** Allowed values of a column by its kind. */
const RULES: Readonly<Record<string, readonly [(value: unknown) => boolean, remedy: string]>> = {
  String: [(value) => typeof value === "string", "Make it text"],
  Int64: [
    (value) => Number.isSafeInteger(value) || typeof value === "bigint" && isInt64(value),
    "Make it a whole number below 2^53, or a bigint below 2^63",
  ],
  Float64: [(value) => typeof value === "number", "Make it a number"],
  Bool: [(value) => typeof value === "boolean", "Make it true or false"],
};

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Reads the values of a column, each of its kind. */
function readValues(
  table: FrameTable,
  column: SqlColumn,
  frame: TableFrame,
): (string | number | bigint | boolean | null)[] {
  const { name, dtype } = column;
  const [isAllowed, remedy] = RULES[dtype]!;
  const hasDigits = isAmount(column);
  return frame.getColumn(name).toArray().map((value, row) => {
    if (value == null) return null;
    const isWhole = !hasDigits || /^-?\d+$/.test(String(value));
    if (isAllowed(value) && isWhole) {
      return dtype === "Int64" ? BigInt(value as number) : value as string;
    }
    throw createCellError(table, column, {
      value,
      row,
      remedy: isWhole ? remedy : "Make it digits",
    });
  });
}

function createCellError(
  table: FrameTable,
  { name, dtype }: SqlColumn,
  { value, row, remedy }: { value: unknown; row: number; remedy: string },
): InputError {
  const text = `${String(value).slice(0, 80)} (${value?.constructor?.name.toLowerCase()})`;
  return new InputError(`Cannot put ${text} into ${table.name}.${name}`, {
    facts: { row, dtype },
    remedy: `${remedy} in the frame, or null`,
  });
}

/** Finds the first text of a frame that should be a time and is none. */
async function findBadTime(
  connection: DuckDBConnection,
  table: FrameTable,
): Promise<InputError | undefined> {
  for (const { name } of table.columns.filter(({ dtype }) => dtype === "Datetime")) {
    const column = table.columns.find((candidate) => candidate.name === name.replace(/_utc$/, ""))!;
    const result = await connection.runAndReadAll(
      `SELECT rowid, ${column.name} FROM appended
       WHERE ${column.name} IS NOT NULL AND TRY_CAST(${column.name} AS TIMESTAMPTZ) IS NULL LIMIT 1`,
    );
    for (const [row, value] of result.getRows()) {
      const remedy = "Make it a time such as 2026-11-24T00:00:00Z";
      return createCellError(table, column, { value, row: Number(row), remedy });
    }
  }
  return undefined;
}

/** Whether a value is a frame with its rows; a lazy frame and a promise are not. */
export function isFrame(value: unknown): value is TableFrame {
  const { columns, getColumn, height } = Object(value);
  return Array.isArray(columns) && typeof getColumn === "function" && typeof height === "number";
}

/**
 * Describes the caller's frames as tables; their columns that end in `_atoms` are amounts.
 *
 * @param reserved Tables and views whose names are taken.
 * @throws {InputError} If one is no frame, a name is taken or invalid, or a column is of a type that SQL
 * has no column for.
 */
export function describeFrames(
  frames: Readonly<Record<string, TableFrame>>,
  reserved: readonly Pick<SqlRelation, "name">[],
): FrameTable[] {
  return Object.entries(frames).map(([name, frame]) => {
    const createError = (reason: string, remedy: string) =>
      new InputError(`Cannot query the frame ${name}: ${reason}`, { remedy });
    if (!isFrame(frame)) {
      throw new InputError(`Cannot query ${quotedValue(frame)} as the table ${name}`, {
        remedy: "Pass a frame, an array of rows, or the path of a CSV, Parquet or JSON file",
      });
    }
    if (
      !/^[a-z_]\w*$/i.test(name) ||
      reserved.some((relation) => relation.name === name.toLowerCase())
    ) {
      throw createError(
        "the name is invalid or taken",
        "Use letters, digits and _, and not the name of a table",
      );
    }
    const columns = describeColumns(name, frame);
    const grain = "One row of the frame";
    return { name, kind: "own", grain, key: [], columns, frame: () => Promise.resolve(frame) };
  });
}

/**
 * Describes the columns of the caller's frame.
 *
 * @param declaredNames Names of columns that are declared elsewhere, which are left out.
 * @throws {InputError} If one is of a type that SQL has no column for, or two differ in case alone.
 */
export function describeColumns(
  name: string,
  frame: TableFrame,
  declaredNames: ReadonlySet<string> = new Set(),
): SqlColumn[] {
  const createError = (reason: string, remedy: string) =>
    new InputError(`Cannot query the frame ${name}: its column ${reason}`, { remedy });
  const names = new Set(declaredNames);
  return frame.columns.filter((column) => !declaredNames.has(column)).map((column) => {
    if (names.has(column.toLowerCase())) {
      throw createError(`${column} differs from another one only in case`, "Rename one of them");
    }
    names.add(column.toLowerCase());
    const type: string = frame.getColumn(column).dtype.variant;
    const dtype = type.replace(/^U?Int\d+$/, "Int64").replace(/^Float\d+$/, "Float64");
    if (dtype in TYPES && dtype !== "Datetime") {
      return { name: column, dtype, unit: null, text: "as in the frame" };
    }
    throw createError(`${column} is of type ${type}`, "Cast it to text or a number");
  });
}
