import { InputError } from "../../errors/mod.ts";
import {
  addFileColumns,
  countRows,
  measureDigits,
  PARQUET_END,
  setMetadata,
  type TimeColumns,
  writeParquet,
} from "../../tables/columns/frame_files.ts";
import type { Dtype, Frame, Table } from "../../tables/mod.ts";
import { readBytesAt, useFile, writeAll } from "../layout/files.ts";
import type { DatasetFile, DatasetSource } from "../layout/manifest.ts";

export interface FileColumn {
  readonly name: string;
  /** Kind of the column; a `Datetime` is in UTC, with microseconds. */
  readonly dtype: Dtype | "Datetime";
  /** Unit of the values; `null` if there is none. */
  readonly unit: string | null;
  /** Source of the values. */
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

/** Lists the times of a table, with the timestamps that its files have in addition. */
function listTimeColumns({ columns }: Pick<Table, "columns">): TimeColumns[] {
  return columns.filter(({ unit }) => unit === "UTC").map(({ name }) => ({
    text: name,
    milliseconds: `${name}_ms`,
    timestamp: `${name}_utc`,
  }));
}

/** Lists the columns of a table's files: origin of the rows, its own, and timestamps behind times. */
export function toFileColumns(table: Pick<Table, "columns">): FileColumn[] {
  const times = new Map(listTimeColumns(table).map((time) => [time.milliseconds, time]));
  const tableColumns = table.columns.flatMap(({ name, dtype, unit, source }): FileColumn[] => {
    const column = { name, dtype, unit, source };
    const time = times.get(name);
    if (time === undefined) return [column];
    const description = `${time.text}, rounded down to microseconds`;
    return [column, { name: time.timestamp, dtype: "Datetime", unit: "UTC", source: description }];
  });
  return [...SOURCE_COLUMNS, ...tableColumns];
}

const metadataCache = new WeakMap<object, Readonly<Record<string, string>>>();

/** Returns the metadata of a table's files: its grain, and unit and source of each column. */
export function resolveMetadata(
  table: Pick<Table, "grain" | "columns">,
): Readonly<Record<string, string>> {
  const metadata = metadataCache.get(table) ?? buildMetadata(table);
  metadataCache.set(table, metadata);
  return metadata;
}

function buildMetadata(
  table: Pick<Table, "grain" | "columns">,
): Readonly<Record<string, string>> {
  const columns = toFileColumns(table).map(({ name, unit, source }) =>
    [name, unit === null ? source : `${unit}: ${source}`] as const
  );
  return {
    "one row": table.grain,
    ...Object.fromEntries(columns),
    pandas: JSON.stringify(toPandasSchema(toFileColumns(table))),
  };
}

/** Builds the schema for pandas, in which nullable whole numbers stay whole numbers. */
function toPandasSchema(columns: readonly FileColumn[]): object {
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

/** Adds origin and timestamps to the rows of a table, as its files have them. */
export function toFileFrame(
  table: Pick<Table, "columns">,
  rows: Frame,
  { network, environment, chainId }: DatasetSource,
): Frame {
  const constants = { network, environment, chain_id: chainId };
  return addFileColumns(rows, constants, listTimeColumns(table));
}

/** Writes a table; the disk syncs it while the next table is built. */
export async function writeTable(
  table: Pick<Table, "grain" | "columns">,
  frame: Frame,
  file: string,
): Promise<void> {
  writeParquet(frame, file);
  await appendMetadata(file, resolveMetadata(table));
  const count = countRows(file, "chain_id");
  if (count === frame.height) return;
  throw new InputError(`Cannot store ${file}: it has ${count} of ${frame.height} rows`, {
    remedy: "Check the disk, and run the export again",
  });
}

/** Writes metadata into the footer of a Parquet file, and waits until it is on the disk. */
export async function appendMetadata(
  file: string,
  notes: Readonly<Record<string, string>>,
): Promise<void> {
  await useFile(file, "r+", async (handle) => {
    const { size } = await handle.stat();
    const end = await readBytesAt(handle, size - PARQUET_END, PARQUET_END);
    const length = new DataView(end.buffer).getUint32(0, true);
    const start = size - PARQUET_END - length;
    const noted = setMetadata(await readBytesAt(handle, start, size - start), notes);
    await handle.truncate(start);
    await writeAll(handle, noted, start);
    await handle.sync();
  });
}

/** Digits of the longest whole number that decimals of Spark, Trino and Iceberg hold. */
const DECIMAL_DIGITS = 38;

/** Describes the rows of a file for a manifest: first and last key, and columns of long amounts. */
export function describeRows(
  frame: Frame,
  key: readonly string[],
): Pick<DatasetFile, "leastKey" | "greatestKey" | "longAmounts"> {
  if (frame.height === 0) return { leastKey: null, greatestKey: null };
  const keys = frame.select(...key);
  const readKey = (row: number) => keys.row(row) as (string | number | null)[];
  const ends = { leastKey: readKey(0), greatestKey: readKey(frame.height - 1) };
  const amounts = frame.columns.filter((name) => name.endsWith("_atoms"));
  const long = measureDigits(frame, amounts).filter(([, digits]) => digits > DECIMAL_DIGITS);
  return long.length === 0 ? ends : { ...ends, longAmounts: Object.fromEntries(long) };
}

/** Growth of resident memory, in bytes, below which it is not freed. */
const MIN_ADDED_BYTES = 64 * 1024 * 1024;
/** That growth as a share of resident memory. */
const MIN_ADDED_SHARE = 1 / 4;

let collectGarbage: ((options: { readonly type: "major" }) => void) | undefined;
let lastUsage: ReturnType<typeof process.memoryUsage> | undefined;

/**
 * Frees the memory of unused frames, once there is enough of it. The engine does not count it, so
 * it would not be freed in time.
 */
export async function freeFrames(): Promise<void> {
  if (!hasGrown()) return;
  if (collectGarbage === undefined) {
    process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
    collectGarbage = process.getBuiltinModule("node:vm").runInNewContext("gc") as NonNullable<
      typeof collectGarbage
    >;
  }
  // Deno collects all twice, whatever the type; Node once with this one.
  collectGarbage({ type: "major" });
  await Promise.resolve();
  lastUsage = process.memoryUsage();
}

/**
 * Whether enough memory came into use since it was freed: as much as the heap has, which freeing walks
 * through, or more.
 */
function hasGrown(): boolean {
  const usage = process.memoryUsage();
  lastUsage ??= usage;
  const { rss, heapUsed } = lastUsage;
  return usage.rss - rss >= Math.max(MIN_ADDED_BYTES, rss * MIN_ADDED_SHARE, heapUsed);
}
