import { requireList } from "../errors/option_rules.ts";
import { InputError } from "../errors/orderlens_error.ts";
import { MAX_DATE_MS } from "../units/instant.ts";
import { count } from "./texts/count_text.ts";
import { type Moment, toSeconds } from "./texts/label_text.ts";

/** The part of a polars data frame that charts use. */
export interface RowFrame {
  /** Names of its columns. */
  readonly columns: readonly string[];
  /** Number of rows. */
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

/** A kind of rows, declared once for all charts of it. */
export interface RowKind<Row> {
  /** Table of the rows; `null` for any rows, of which a caller names the columns. */
  readonly table: string | null;
  /** Columns that a chart reads; the compiler compares them with the interface. */
  readonly columns: {
    readonly [Name in keyof Row]-?: ColumnKind<
      NonNullable<Row[Name]>,
      Record<never, never> extends Pick<Row, Name> ? true : false
    >;
  };
}

/** Declares columns of one type, for a {@linkcode RowKind}. */
export function declare<const Kind extends string, const Name extends string>(
  kind: Kind,
  ...names: readonly Name[]
): Readonly<Record<Name, Kind>> {
  return Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, Kind>;
}

/**
 * The rows of a chart as objects, checked to be rows of its kind: every column that it needs is in
 * one of them at least, and so is every column of the caller's own that an option names.
 *
 * Frames are read column by column. A `bigint` becomes a number, which is what an axis takes, and a
 * date an instant, whose text is the same on every machine.
 *
 * @param action Start of the error: the call that needs the rows.
 * @param frameColumns Columns that a frame must have; rows may come without them.
 * @throws {InputError} If they are no rows, or of another kind: naming the columns that are
 *   missing, and the table that has them.
 */
export function readRows<Row extends object>(
  rows: Rows<Row>,
  { table, columns }: RowKind<Row>,
  { action, frameColumns = [] }: { action: string; frameColumns?: readonly string[] | undefined },
): readonly Row[] {
  const ownColumns = frameColumns.filter((name) => !Object.hasOwn(columns, name));
  const kind = {
    table,
    columns: { ...columns, ...declare("text?", ...ownColumns) },
  } as RowKind<Row>;
  const requiredColumns = Object.entries<string>(kind.columns)
    .flatMap(([name, holds]) => holds.endsWith("?") ? [] : [name]);
  const requireColumns = (names: readonly string[], has: (name: string) => boolean) => {
    const missingColumns = names.filter((name) => !has(name));
    if (missingColumns.length === 0) return;
    throw new InputError(`${action} without ${missingColumns.join(", ")}`, {
      remedy: kind.table === null || missingColumns.every((name) => ownColumns.includes(name))
        ? `Pass columns that the rows have: ${listColumns(rows).join(", ") || "none"}`
        : `Pass rows of the table ${kind.table}, which has ` +
          (missingColumns.length === 1 ? "this column" : "these columns"),
    });
  };
  if (isFrame(rows)) {
    requireColumns(
      [...new Set([...requiredColumns, ...frameColumns])],
      (name) => rows.columns.includes(name),
    );
    return toRecords(rows, kind, action);
  }
  requireList(rows, {
    action,
    expected: "an array of rows, or a frame" +
      (kind.table === null ? "" : `, such as the table ${kind.table}`),
  });
  if (!Array.isArray(rows)) {
    throw new InputError(`${action} from an iterable`, { remedy: "Pass `Array.from(it)`" });
  }
  const records: readonly Row[] = rows;
  const odd = records.findIndex((row) => typeof row !== "object" || row === null);
  if (odd !== -1) {
    throw new InputError(`${action}: row ${odd} is ${String(records[odd]).slice(0, 80)}`, {
      remedy: kind.table === null
        ? "Pass objects with named columns"
        : `Pass objects with the columns of the table ${kind.table}`,
    });
  }
  if (records.length > 0) {
    requireColumns(
      [...requiredColumns, ...ownColumns],
      (name) => records.some((row) => name in row),
    );
  }
  return records;
}

/**
 * The rows of a chart that names each by one column, named by another.
 *
 * @param nameColumn Column that the chart reads; that of a solver's name counts no longer.
 * @throws {InputError} As {@linkcode readRows} does; rows need no column of that name.
 */
export function nameRows<Row extends object>(
  rows: Rows<Row>,
  { table, columns }: RowKind<Row>,
  { action, nameColumn, by }: { action: string; nameColumn: keyof Row & string; by: string },
): readonly Row[] {
  const kind = { table, columns: { ...columns, [nameColumn]: "text?", solver_name: "text?" } };
  return readRows(rows, kind as RowKind<Row>, { action, frameColumns: [by] })
    .map((row) => ({ ...row, [nameColumn]: readText(row, by) ?? "unknown", solver_name: null }));
}

/** Lists the columns of a frame, or of the first of some rows. */
export function listColumns(rows: Rows<object>): readonly string[] {
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

function toRecords<Row extends object>(
  frame: RowFrame,
  kind: RowKind<Row>,
  action: string,
): readonly Row[] {
  const names = Object.keys(kind.columns).filter((name) => frame.columns.includes(name));
  const columns = names.map((name) => {
    const isNumber = kind.columns[name as keyof Row].startsWith("number");
    return { name, cells: readCells(frame, name, { isNumber, action }) };
  });
  return Array.from(
    { length: frame.height },
    (_, index) => Object.fromEntries(columns.map(({ name, cells }) => [name, cells[index]])) as Row,
  );
}

function readCells(
  frame: RowFrame,
  name: string,
  { isNumber, action }: { isNumber: boolean; action: string },
): unknown[] {
  const cells = Array.from(
    readColumn(frame, name, action),
    (cell) => cell instanceof Date ? Temporal.Instant.fromEpochMilliseconds(+cell) : cell,
  );
  if (!isNumber) return cells;
  if (cells.some((cell) => typeof cell === "string")) {
    throw new InputError(`${action}: the column ${name} is text`, {
      facts: { first: cells.find((cell) => typeof cell === "string") as string },
      remedy: "Cast it to pl.Float64, or take the column of numbers next to it",
    });
  }
  return cells.map((cell) => typeof cell === "bigint" ? Number(cell) : cell);
}

function readColumn(frame: RowFrame, name: string, action: string): ArrayLike<unknown> {
  try {
    return frame.getColumn(name).toArray();
  } catch (cause) {
    throw new InputError(`${action}: the column ${name} cannot be read`, {
      remedy: "Cast it to a number or to text first, as pl.col(…).cast(pl.Float64)",
      cause,
    });
  }
}

/** Reads a text of a row; `null` if there is none. Other values become their text. */
export function readText(row: object, column: string): string | null {
  const value: unknown = Reflect.get(row, column);
  return value === null || value === undefined || value === "" ? null : String(value);
}

/** Source of a row's time: `block`, `event` or `bracketed`; `null` if it is unknown. */
interface WithTimeBasis {
  readonly time_basis?: string | null;
}

/** Reads a time in seconds since 1970: from a column of milliseconds, else from a moment. */
export function readSeconds(
  milliseconds: number | null | undefined,
  moment?: Moment | null,
): number | null {
  return isNumber(milliseconds) && Math.abs(milliseconds) <= MAX_DATE_MS
    ? milliseconds / 1_000
    : toSeconds(moment);
}

/** Whether a row's time is the start of the interval in which it lies. */
export function isBracketed({ time_basis: basis }: WithTimeBasis): boolean {
  return basis === "bracketed";
}

/** Counts rows that are placed at the start of an interval, for a caption. */
export function describeEarliest(rows: readonly WithTimeBasis[], noun: string): string | null {
  const bracketed = rows.filter(isBracketed).length;
  if (bracketed === 0) return null;
  return bracketed === 1
    ? `1 ${noun} shown at its earliest possible time: only an interval is known`
    : `${count(bracketed, noun)} shown at their earliest possible times: only intervals are known`;
}

export type WithNumbers<Row, Column extends keyof Row> =
  & Row
  & { readonly [Name in Column]-?: number };

/** Maximum size of an amount; sums of larger doubles could overflow. */
const MAX_AMOUNT = 1e100;

/** Whether a value can be put on an axis: a finite number, at most 10^100 in size. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_AMOUNT;
}

/** Whether a value is finite and not negative. */
export function isCount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}

/**
 * Selects the rows that have a number in each of some columns, and counts the others. Missing texts
 * are filled in as {@linkcode fillTexts} does.
 */
export function selectNumeric<Row extends object, Column extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Column[],
  texts: readonly (keyof Row & string)[] = [],
) {
  const numericRows = fillTexts(rows, texts).filter((row): row is WithNumbers<Row, Column> =>
    columns.every((column) => isNumber(row[column]))
  );
  const leftOut = rows.length - numericRows.length;
  const note = leftOut === 0
    ? null
    : `${count(leftOut, "row")} without a number in ${columns.join(" or ")} left out`;
  return { rows: numericRows, leftOut, note };
}

/**
 * Fills in texts: a missing or empty one becomes `unknown`, and any other value its text. Rows that
 * need no change stay the same objects.
 */
export function fillTexts<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): readonly Row[] {
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  return rows.map((row) => {
    const missingColumns = columns.filter((column) => !isText(row[column]));
    if (missingColumns.length === 0) return row;
    const texts = missingColumns.map((
      column,
    ): [string, string] => [column, String(row[column] ?? "") || "unknown"]);
    return { ...row, ...Object.fromEntries(texts) };
  });
}

/**
 * Sorts rows by a column, descending where its name has a `-` before it; rows without a value last.
 * Rows that are equal keep their order.
 *
 * @param readers Values to sort by of columns that have others than their own, such as names of
 *   solvers for their addresses. @default {none}
 */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  sort: string,
  readers: Readonly<Record<string, (row: Row) => unknown>> = {},
): readonly Row[] {
  const descending = sort.startsWith("-");
  const column = descending ? sort.slice(1) : sort;
  const readValue = Object.hasOwn(readers, column)
    ? readers[column]!
    : (row: Row): unknown => row[column as keyof Row];
  return rows.toSorted((a, b) => {
    const [x, y]: [unknown, unknown] = [readValue(a), readValue(b)];
    if (!isComparable(x) || !isComparable(y)) {
      return Number(isComparable(y)) - Number(isComparable(x));
    }
    const order = x < y ? -1 : x > y ? 1 : 0;
    return descending ? -order : order;
  });
}

function isComparable(value: unknown): value is number | string | boolean {
  return isNumber(value) || typeof value === "string" || typeof value === "boolean";
}

export interface Group<Row> {
  key: string;
  rows: readonly Row[];
}

/**
 * Groups rows by a text, largest group first (equal ones by name), and puts all but the first
 * `limit` into one, where they are several. Rows without the text are a group of their own, `unknown`.
 *
 * @param noun What a group is, such as `pair`.
 * @param measure Size of a group. @default {how many rows it has}
 */
export function groupLargest<Row>(
  rows: readonly Row[],
  readKey: (row: Row) => string | null | undefined,
  { limit, noun, measure = (members) => members.length }: {
    limit: number;
    noun: string;
    measure?: (members: readonly Row[]) => number;
  },
) {
  const byKey = Map.groupBy(rows, (row) => readKey(row) || `unknown ${noun}`);
  const groups = [...byKey].map(([key, rows]) => ({ key, rows, size: measure(rows) }))
    .toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1));
  // A single other group takes the place of the rest, under its own name.
  if (groups.length <= limit + 1) return { groups, restGroup: null };
  const otherGroups = groups.slice(limit);
  return {
    groups: groups.slice(0, limit),
    restGroup: {
      key: `${count(otherGroups.length, `other ${noun}`)}`,
      rows: otherGroups.flatMap((group) => group.rows),
    },
  };
}

/** Lists the groups, the rest last. */
export function listGroups<Row>({ groups, restGroup }: {
  readonly groups: readonly Group<Row>[];
  readonly restGroup: Group<Row> | null;
}): readonly Group<Row>[] {
  return restGroup === null ? groups : [...groups, restGroup];
}

/** Selects the rows of one order, and rows that name none. */
export function filterOrder<Row extends { readonly order_uid?: string | null }>(
  rows: readonly Row[],
  uid: string,
): Row[] {
  const lowerUid = uid.toLowerCase();
  return rows.filter((row) =>
    row.order_uid == null || String(row.order_uid).toLowerCase() === lowerUid
  );
}
