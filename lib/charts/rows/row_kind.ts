import { InputError } from "../../errors/input_error.ts";
import { requireList } from "../../errors/require_list.ts";
import type { Moment } from "../texts/moment.ts";

/** The part of a polars data frame that charts use. */
export interface RowFrame {
  /** Names of its columns. */
  readonly columns: readonly string[];
  /** How many rows it has. */
  readonly height: number;
  /** One of its columns. */
  getColumn(name: string): RowFrameColumn;
}

/** A column of a {@linkcode RowFrame}. */
export interface RowFrameColumn {
  /** Its cells, from top to bottom. */
  toArray(): ArrayLike<unknown>;
}

/**
 * Rows of a chart: an array of objects, or a frame with the same columns. Other columns are ignored.
 */
export type Rows<Row> = readonly Row[] | RowFrame;

/** The type of a column; with `?` where it may be absent. */
type ColumnKind<Value, Absent> = `${[Value] extends [number] ? "number"
  : [Value] extends [string] ? "text"
  : [Value] extends [boolean] ? "flag"
  : [Value] extends [Moment] ? "moment"
  : never}${Absent extends true ? "?" : ""}`;

/** A kind of rows, declared once for all charts that take it. */
export interface RowKind<Row> {
  /** The table whose rows they are; `null` for any rows, of which a caller names the columns. */
  readonly table: string | null;
  /** Every column that a chart reads; the compiler compares them with the interface. */
  readonly columns: {
    readonly [Name in keyof Row]-?: ColumnKind<
      NonNullable<Row[Name]>,
      Record<never, never> extends Pick<Row, Name> ? true : false
    >;
  };
}

/** What rows are read for. */
export interface RowUse<Row> {
  /** Beginning of error messages, such as `Cannot draw timeToFill`. */
  readonly action: string;
  /** Columns that a frame must have in addition to the required ones. @default {none} */
  readonly asked?: readonly (keyof Row & string)[] | undefined;
}

/**
 * The rows of a chart as objects, checked to be rows of its kind: every column that it needs is in
 * one of them at least.
 *
 * Frames are read column by column. A `bigint` becomes a number, which is what an axis takes, and a
 * date an instant, whose text is the same on every machine.
 *
 * @param use What could not be done without them, and the columns that the question is about: a
 *   frame must have them, rows may come without.
 * @throws {InputError} If they are no rows, or of another kind: naming the columns that are
 *   missing, and the table that has them.
 */
export function rowsOf<Row extends object>(
  rows: Rows<Row>,
  kind: RowKind<Row>,
  { action, asked = [] }: RowUse<Row>,
): readonly Row[] {
  const needed = Object.entries<string>(kind.columns)
    .flatMap(([name, holds]) => holds.endsWith("?") ? [] : [name]);
  const requireColumns = (names: readonly string[], has: (name: string) => boolean) => {
    const missing = names.filter((name) => !has(name));
    if (missing.length === 0) return;
    throw new InputError(`${action} without ${missing.join(", ")}`, {
      remedy: kind.table === null
        ? `Name columns of the rows: ${columnNames(rows).join(", ") || "there are none"}`
        : `Pass rows of ${kind.table}, which has ${
          missing.length === 1 ? "this column" : "these columns"
        }`,
    });
  };
  if (isFrame(rows)) {
    requireColumns([...new Set([...needed, ...asked])], (name) => rows.columns.includes(name));
    return recordsOf(rows, kind, action);
  }
  requireList(rows, {
    action,
    expected: `an array of rows, or a frame${
      kind.table === null ? "" : `, as ${kind.table} gives it`
    }`,
  });
  if (!Array.isArray(rows)) {
    throw new InputError(`${action} from an iterable`, { remedy: "Pass `Array.from(it)`" });
  }
  const given: readonly Row[] = rows;
  const odd = given.findIndex((row) => typeof row !== "object" || row === null);
  if (odd !== -1) {
    throw new InputError(`${action}: row ${odd} is ${String(given[odd]).slice(0, 80)}`, {
      remedy: kind.table === null
        ? "Pass objects with named columns"
        : `Pass objects with the columns of ${kind.table}`,
    });
  }
  if (given.length > 0) requireColumns(needed, (name) => given.some((row) => name in row));
  return given;
}

/** Names of the columns of a frame, or of the first of some rows. */
export function columnNames(rows: Rows<object>): readonly string[] {
  if (isFrame(rows)) return rows.columns;
  const [first] = Array.isArray(rows) ? rows as readonly unknown[] : [];
  return typeof first === "object" && first !== null ? Object.keys(first) : [];
}

/** Whether `rows` is a frame. Frames are proxies for which `"columns" in frame` is false. */
function isFrame(rows: unknown): rows is RowFrame {
  return typeof rows === "object" && rows !== null && !Array.isArray(rows) &&
    Array.isArray(Reflect.get(rows, "columns")) &&
    typeof Reflect.get(rows, "getColumn") === "function";
}

function recordsOf<Row extends object>(
  frame: RowFrame,
  kind: RowKind<Row>,
  action: string,
): readonly Row[] {
  const names = Object.keys(kind.columns).filter((name) => frame.columns.includes(name));
  const columns = names.map((name) => {
    const isNumber = kind.columns[name as keyof Row].startsWith("number");
    return { name, cells: cellsOf(frame, name, { isNumber, action }) };
  });
  return Array.from(
    { length: frame.height },
    (_, place) => Object.fromEntries(columns.map(({ name, cells }) => [name, cells[place]])) as Row,
  );
}

function cellsOf(
  frame: RowFrame,
  name: string,
  { isNumber, action }: { isNumber: boolean; action: string },
): unknown[] {
  const cells = Array.from(
    read(frame, name, action),
    (cell) => cell instanceof Date ? Temporal.Instant.fromEpochMilliseconds(+cell) : cell,
  );
  if (!isNumber) return cells;
  if (cells.some((cell) => typeof cell === "string")) {
    throw new InputError(`${action}: the column ${name} is text`, {
      facts: { first: cells.find((cell) => typeof cell === "string") as string },
      remedy: "Cast it to pl.Float64, or take the column that stands beside it as numbers",
    });
  }
  return cells.map((cell) => typeof cell === "bigint" ? Number(cell) : cell);
}

function read(frame: RowFrame, name: string, action: string): ArrayLike<unknown> {
  try {
    return frame.getColumn(name).toArray();
  } catch (cause) {
    throw new InputError(`${action}: the column ${name} cannot be read`, {
      remedy: "Cast it to a number or to text first, as pl.col(…).cast(pl.Float64)",
      cause,
    });
  }
}
