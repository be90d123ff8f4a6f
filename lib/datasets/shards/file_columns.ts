import type { TimeColumns } from "../../tables/columns/frame_files.ts";
import type { Dtype, Table } from "../../tables/mod.ts";

/** A column of a file of a dataset. */
export interface FileColumn {
  /** Name of the column. */
  readonly name: string;
  /** Kind of the column; a `Datetime` is in UTC, with microseconds. */
  readonly dtype: Dtype | "Datetime";
  /** Unit of the values; `null` if there is none. */
  readonly unit: string | null;
  /** Where the values come from. */
  readonly source: string;
}

const SOURCE_COLUMNS: readonly FileColumn[] = [
  {
    name: "network",
    dtype: "String",
    unit: null,
    source: "name of the network; null without a name",
  },
  {
    name: "environment",
    dtype: "String",
    unit: null,
    source: "production or staging; null without one",
  },
  { name: "chain_id", dtype: "Int64", unit: null, source: "chain id" },
];

const TIMESTAMP = "_utc";

/** Whether a column is a timestamp, by its name; the exact text of the same time is beside it. */
export function isTimestamp(column: string): boolean {
  return column.endsWith(TIMESTAMP);
}

/** The times of a table, with the timestamps that its files have besides. */
export function timesOf({ columns }: Pick<Table<never>, "columns">): TimeColumns[] {
  return columns.filter(({ unit }) => unit === "UTC").map(({ name }) => ({
    text: name,
    milliseconds: `${name}_ms`,
    timestamp: `${name}${TIMESTAMP}`,
  }));
}

/** The columns of a table's files: where its rows are from, its own, and timestamps behind times. */
export function fileColumns(table: Pick<Table<never>, "columns">): FileColumn[] {
  const times = new Map(timesOf(table).map((time) => [time.milliseconds, time]));
  const own = table.columns.flatMap(({ name, dtype, unit, source }): FileColumn[] => {
    const column = { name, dtype, unit, source };
    const time = times.get(name);
    if (time === undefined) return [column];
    const of = `${time.text}, rounded down to microseconds`;
    return [column, { name: time.timestamp, dtype: "Datetime", unit: "UTC", source: of }];
  });
  return [...SOURCE_COLUMNS, ...own];
}

const notes = new WeakMap<object, Readonly<Record<string, string>>>();

/** What a file says of itself: what a row of it is, and of each column its unit and source. */
export function notesOf(
  table: Pick<Table<never>, "grain" | "columns">,
): Readonly<Record<string, string>> {
  const made = notes.get(table) ?? newNotesOf(table);
  notes.set(table, made);
  return made;
}

function newNotesOf(
  table: Pick<Table<never>, "grain" | "columns">,
): Readonly<Record<string, string>> {
  const columns = fileColumns(table).map(({ name, unit, source }) =>
    [name, unit === null ? source : `${unit}: ${source}`] as const
  );
  return {
    "one row": table.grain,
    ...Object.fromEntries(columns),
    pandas: JSON.stringify(inPandas(fileColumns(table))),
  };
}

/** What pandas reads: whole numbers of which some are missing stay whole numbers. */
function inPandas(columns: readonly FileColumn[]): object {
  const types: Readonly<Record<FileColumn["dtype"], readonly [string, string]>> = {
    String: ["unicode", "object"],
    Int64: ["int64", "Int64"],
    Float64: ["float64", "float64"],
    Bool: ["bool", "boolean"],
    Datetime: ["datetimetz", "datetime64[us, UTC]"],
  };
  return {
    index_columns: [],
    column_indexes: [],
    columns: columns.map(({ name, dtype }) => {
      const [pandas_type, numpy_type] = types[dtype];
      const metadata = dtype === "Datetime" ? { timezone: "UTC" } : null;
      return { name, field_name: name, pandas_type, numpy_type, metadata };
    }),
  };
}

/** At least so much may be added to the resident memory before it is freed, in bytes. */
const ENOUGH_BYTES = 64 * 1024 * 1024;
/** And this share of it: freeing takes the longer the more is in use. */
const ENOUGH_SHARE = 1 / 4;

let collect: ((options: { readonly type: "major" }) => void) | undefined;
let keptBytes = 0;

/**
 * Frees the memory of frames that are no longer used, once there is enough of it. It stands outside
 * of what the engine counts, so that it would not be freed in time.
 */
export async function freeFrames(): Promise<void> {
  if (!hasGrown()) return;
  if (collect === undefined) {
    process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
    collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as NonNullable<
      typeof collect
    >;
  }
  // Deno collects all twice, whatever the type; Node once with this one.
  collect({ type: "major" });
  await Promise.resolve();
  keptBytes = process.memoryUsage.rss();
}

/** Whether enough memory came into use since it was freed. */
function hasGrown(): boolean {
  const added = process.memoryUsage.rss() - keptBytes;
  return added >= Math.max(ENOUGH_BYTES, keptBytes * ENOUGH_SHARE);
}
