import { InputError } from "../../errors/mod.ts";
import { type CellColumn, frameCells } from "../../tables/columns/frame.ts";
import { readParquet } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { wholeKey } from "../layout/id_ranges.ts";
import type { DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { type FileColumn, fileColumns, freeFrames, isTimestamp } from "../shards/file_columns.ts";
import { tablesOf } from "../shards/published_tables.ts";

const ROWS_AT_ONCE = 20_000;

/** A table of a dataset: what it has, and in which files. */
export interface SourceTable {
  /** Name of the table. */
  readonly name: string;
  /** What one row is. */
  readonly grain: string;
  /** All columns, in order. */
  readonly columns: readonly FileColumn[];
  /** Columns that together are different in every row of the table. */
  readonly key: readonly string[];
  /** Whether several files may have the same row, of which the first is taken. */
  readonly isRepeated: boolean;
  /** Its files. */
  readonly files: readonly DatasetFile[];
}

/** Some rows of a table, column by column. */
export interface RowBatch {
  /** Number of rows. */
  readonly rows: number;
  /** Cells of each column, in the order of the table's columns. */
  readonly columns: readonly CellColumn[];
}

/**
 * The tables of some names with their files.
 *
 * @param hasTimestamps Whether times are to be there as timestamps, besides as texts.
 */
export function sourceTables(
  manifest: DatasetManifest,
  names: readonly string[],
  hasTimestamps: boolean,
): SourceTable[] {
  return tablesOf(names).map(({ table, key, hasRepeats = false }) => ({
    name: table.name,
    grain: table.grain,
    columns: fileColumns(table).filter(({ dtype }) => hasTimestamps || dtype !== "Datetime"),
    key: wholeKey(manifest, key),
    isRepeated: hasRepeats,
    files: manifest.files.filter(({ path }) => path.startsWith(`${table.name}/`)),
  }));
}

/**
 * The rows of a table, file by file, a few at a time: memory holds one file of 1,000 auctions.
 *
 * @throws {InputError} If a file is not the one of the manifest, or has other columns.
 */
export async function* tableRows(
  paths: DatasetPaths,
  table: SourceTable,
  signal: AbortSignal | undefined,
): AsyncGenerator<RowBatch, void, undefined> {
  const seen = table.isRepeated ? new Set<string>() : null;
  for (const file of table.files) {
    signal?.throwIfAborted();
    await requireWhole(paths, file);
    yield* batchesOf(requireColumns(readParquet(paths.file(file.path)), table, file), table, seen);
    await freeFrames();
  }
}

function* batchesOf(
  frame: Frame,
  { key }: SourceTable,
  seen: Set<string> | null,
): Generator<RowBatch> {
  for (let start = 0; start < frame.height; start += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, frame.height - start);
    const columns = frameCells(frame, { start, count });
    yield seen === null ? { rows: count, columns } : unseen(columns, { key, seen });
  }
}

/** The rows whose key was not seen before. */
function unseen(
  columns: readonly CellColumn[],
  { key, seen }: { readonly key: readonly string[]; readonly seen: Set<string> },
): RowBatch {
  const parts = columns.filter(({ name }) => key.includes(name));
  const kept: number[] = [];
  for (let row = 0; row < (columns[0]?.cells.length ?? 0); row++) {
    const text = JSON.stringify(parts.map(({ cells }) => String(cells[row])));
    if (seen.has(text)) continue;
    seen.add(text);
    kept.push(row);
  }
  return {
    rows: kept.length,
    columns: columns.map(({ cells, ...column }) => ({
      ...column,
      cells: kept.map((row) => cells[row]!),
    })),
  };
}

function requireColumns(frame: Frame, table: SourceTable, file: DatasetFile): Frame {
  const expected = table.columns.map(({ name }) => name);
  const found = frame.columns.filter((name) => expected.includes(name) || !isTimestamp(name));
  if (expected.join() === found.join()) return frame.select(...expected) as Frame;
  throw new InputError(`Cannot read ${file.path}: it has the columns of another version`, {
    facts: { expected: expected.join(", "), found: frame.columns.join(", ") },
    remedy: "Rebuild the dataset with this version of the library",
  });
}
