import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  oneOf,
  type OptionRules,
  required,
  requireWord,
} from "../../errors/option_rules.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import {
  concatFrames,
  countFrame,
  guardFormulas,
  scanFile,
  writeLazyFrame,
} from "../../tables/columns/frame_files.ts";
import { TABLES } from "../export/export_options.ts";
import { DatasetPaths, hashFile, syncFile, writeSynced } from "../layout/files.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { writeAtomically } from "../layout/folders.ts";
import { countRows, type DatasetManifest, readManifest, selectFiles } from "../layout/manifest.ts";
import { verifyFile } from "../layout/verify_file.ts";
import {
  appendMetadata,
  freeFrames,
  resolveMetadata,
  toFileColumns,
  toFileFrame,
} from "../shards/file_columns.ts";
import { selectTables } from "../shards/published_tables.ts";
import { type FindDay, partitionByDay } from "./day_partition.ts";
import { listTextColumns, readFact, SqliteFile, type TableSource } from "./sqlite_file.ts";

/** Formats that {@linkcode convertDataset} writes. */
export type ConversionFormat = "csv" | "ndjson" | "sqlite" | "parquet";

/** Progress of a conversion. */
export interface ConversionProgress {
  /** The table that was written. */
  readonly table: string;
  /** Rows written, of all tables. */
  readonly rows: number;
  /** Rows of all tables; those that several files repeat count as often. */
  readonly total: number;
}

/** Options of {@linkcode convertDataset}. */
export interface ConversionOptions extends CallOptions {
  /** Format of the output: a folder of files, or one SQLite database. */
  format: ConversionFormat;
  /** Names of the tables. @default {all tables of the dataset} */
  tables?: readonly string[] | undefined;
  /**
   * Whether text in CSV that a spreadsheet would take for a formula gets a `'` in front. Numbers do
   * not. @default {true}
   */
  guardFormulas?: boolean | undefined;
  /**
   * `day` writes a folder for each table, with one file per UTC day: of all files of 1,000 auction ids
   * whose first auction with a known time began on it, at the earliest, so that the last rows may be of
   * the next day. Tables with rows that several files repeat stay one file. @default {one file per table}
   */
  partition?: "day" | undefined;
  /** Called after each table. */
  onProgress?: ((progress: ConversionProgress) => void) | undefined;
}

/** A table of a conversion. */
export interface ConvertedTable {
  /** Name of the table. */
  readonly table: string;
  /** Its file in the folder, or its folder of days; of a database, the name of the database. */
  readonly file: string;
  /** Number of rows. */
  readonly rows: number;
}

/** Result of {@linkcode convertDataset}. */
export interface Conversion {
  /** The folder, or the database. */
  readonly output: string;
  /** Its format. */
  readonly format: ConversionFormat;
  /** Its tables. */
  readonly tables: readonly ConvertedTable[];
}

const OPTIONS: OptionRules<ConversionOptions> = {
  format: required(oneOf("csv", "ndjson", "sqlite", "parquet")),
  tables: TABLES,
  guardFormulas: Boolean,
  partition: oneOf("day"),
  onProgress: Function,
  signal: AbortSignal,
};

const ACTION = "Cannot convert a dataset";

/**
 * Writes the tables of a dataset in another format, from its Parquet files alone. Every file is
 * compared with its hash first, and no digit is lost: amounts are text in every format.
 *
 * - `csv`: a folder with one file per table (RFC 4180, UTF-8, a header). Null is empty, and the empty
 *   text is `""`. Spreadsheets round numbers of more than 15 digits: import amounts as text. Text of
 *   others that begins with `=`, `+`, `-`, `@`, a tab or `'` and is not a number gets a `'` in front,
 *   so that no spreadsheet computes it; drop one leading `'` to have the text, or pass
 *   `guardFormulas: false`.
 * - `ndjson`: a folder with one file per table, one object per line; amounts are strings.
 * - `sqlite`: one database with primary keys and indexes; amounts are `TEXT`, booleans 0 and 1. The
 *   table `columns` has the unit of every column.
 * - `parquet`: a folder with one file per table, as the dataset has them for every 1,000 auctions,
 *   or with `partition` one per table and day.
 *
 * Folders have `conversion.json`, which names the dataset by the SHA-256 of its manifest, and
 * `columns.csv` with the unit of every column. The output appears when it is complete; an earlier
 * result is replaced, and nothing else.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param output Folder or database to write.
 * @throws {InputError} If it is not a dataset, a file is damaged, an option is invalid, something else
 *   is at `output`, or it cannot be written.
 *
 * @example A database of fills
 * ```ts
 * import { connect } from "orderlens";
 * import { convertDataset, exportDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await exportDataset(connect(await replay("market_1")), `${folder}/dataset`, {
 *   auctions: { from: 2620, to: 2624 },
 *   tables: ["auctions", "orders", "trades"],
 * });
 * const { tables } = await convertDataset(`${folder}/dataset`, `${folder}/fills.sqlite`, {
 *   format: "sqlite",
 *   tables: ["orders", "trades"],
 * });
 *
 * assertEquals(tables.map(({ table }) => table), ["orders", "trades"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function convertDataset(
  folder: string | URL,
  output: string | URL,
  options: ConversionOptions,
): Promise<Conversion> {
  checkOptions(options, OPTIONS, ACTION);
  const paths = await findDataset(folder);
  const manifest = await readManifest(paths);
  const target = new DatasetPaths(output).folder;
  for (const name of options.tables ?? []) {
    requireWord(name, manifest.request.tables, { action: ACTION, noun: "table" });
  }
  if (options.partition !== undefined && options.format === "sqlite") {
    throw new InputError(`${ACTION} to sqlite with a partition`, {
      remedy: "Leave out `partition` (--partition), or choose another format",
    });
  }
  const requireFree = () => requireConversion(target);
  const destination = { action: "Cannot convert into", output: target, requireFree };
  return await writeAtomically(destination, async (temporary) => {
    const tables = await convertInto(temporary, { paths, manifest, options });
    return { output: target, format: options.format, tables };
  });
}

interface ConversionContext {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
  readonly options: ConversionOptions;
}

async function convertInto(output: string, context: ConversionContext): Promise<ConvertedTable[]> {
  const { paths, manifest, options: { format } } = context;
  const facts = {
    schema: CONVERSION_SCHEMA,
    format,
    library: VERSION,
    manifest_sha256: (await hashFile(paths.file("manifest.json")))?.sha256 ?? "",
    network: manifest.source.network ?? "",
    chain_id: String(manifest.source.chainId),
  };
  if (format !== "sqlite") {
    await localFiles().mkdir(output);
    const findDay = context.options.partition === undefined
      ? null
      : partitionByDay(paths.folder, await listFiles(selectTables(["auctions"])[0]!, context));
    const parts: ConvertedTable[] = [];
    const converted = await convertTables(context, async (source) => {
      const writtenParts = await writeParts(output, { format, source, findDay }, context);
      for (const part of writtenParts) parts.push({ table: source.table.name, ...part });
      const rows = writtenParts.reduce((sum, part) => sum + part.rows, 0);
      const { name } = source.table;
      return {
        file: writtenParts[0]!.file.startsWith(`${name}/`) ? name : writtenParts[0]!.file,
        rows,
      };
    });
    const tables = await Array.fromAsync(parts, async (part) => {
      return { ...part, ...await hashFile(`${output}/${part.file}`) };
    });
    await writeSynced(`${output}/columns.csv`, formatColumns(format, converted));
    const text = JSON.stringify({ ...facts, tables }, null, 1);
    await writeSynced(`${output}/${DESCRIPTION}`, `${text}\n`);
    return converted;
  }
  using database = new SqliteFile(output);
  const file = output.slice(output.lastIndexOf("/") + 1);
  const converted = await convertTables(
    context,
    async (source) => ({ file, rows: await database.add(source, context.options.signal) }),
  );
  database.finish(facts);
  await syncFile(output);
  return converted;
}

async function convertTables(
  context: ConversionContext,
  convert: (source: TableSource) => Promise<Omit<ConvertedTable, "table">>,
): Promise<ConvertedTable[]> {
  const { manifest, options: { onProgress, signal } } = context;
  const tables = selectTables(context.options.tables ?? manifest.request.tables);
  const total = tables.reduce((sum, { name }) => sum + countRows(manifest, name), 0);
  const converted: ConvertedTable[] = [];
  let rows = 0;
  for (const table of tables) {
    signal?.throwIfAborted();
    const result = await convert({ table, files: await listFiles(table, context) });
    converted.push({ table: table.name, ...result });
    onProgress?.({ table: table.name, rows: rows += result.rows, total });
    await freeFrames();
  }
  return converted;
}

/**
 * The files of a table.
 *
 * @throws {InputError} If one is not that of the manifest, or has other columns.
 */
async function listFiles(
  table: TableSource["table"],
  { paths, manifest }: ConversionContext,
): Promise<string[]> {
  const expectedColumns = toFileColumns(table).map(({ name }) => name).join(", ");
  return await Array.fromAsync(selectFiles(manifest, table.name), async (file) => {
    await verifyFile(paths, file);
    const columns = scanFile(paths.file(file.path)).columns.join(", ");
    if (columns === expectedColumns) return paths.file(file.path);
    throw new InputError(`Cannot read ${file.path}: it has the columns of another version`, {
      facts: { expected: expectedColumns, found: columns },
      remedy: "Rebuild the dataset with this version of the library",
    });
  });
}

/** A part of a conversion: the name of its file in the folder, and its number of rows. */
type Part = Pick<ConvertedTable, "file" | "rows">;

/** Writes a table into a folder: one file, or one for each day. */
async function writeParts(
  output: string,
  { format, source, findDay }: {
    readonly format: Exclude<ConversionFormat, "sqlite">;
    readonly source: TableSource;
    readonly findDay: FindDay | null;
  },
  context: ConversionContext,
): Promise<Part[]> {
  const { table: { name, hasRepeats = false }, files } = source;
  const write = (file: string, files: readonly string[]) =>
    writeFile(output, { file, format, source: { ...source, files } }, context);
  if (findDay === null || hasRepeats || files.length === 0) {
    return [await write(`${name}.${format}`, files)];
  }
  await localFiles().mkdir(`${output}/${name}`);
  const parts: Part[] = [];
  for (const [day, dayFiles] of Map.groupBy(files, findDay)) {
    context.options.signal?.throwIfAborted();
    parts.push(await write(`${name}/${day}.${format}`, dayFiles));
    await freeFrames();
  }
  return parts;
}

/** Writes rows of a table into one file of a folder. */
async function writeFile(
  output: string,
  { file, format, source: { table, files } }: {
    readonly file: string;
    readonly format: Exclude<ConversionFormat, "sqlite">;
    readonly source: TableSource;
  },
  { manifest, options }: ConversionContext,
): Promise<Part> {
  const { key, hasRepeats = false } = table;
  const emptyFrames = () => [toFileFrame(table, buildFrame(table, []), manifest.source).lazy()];
  const frames = files.length === 0 ? emptyFrames() : files.map(scanFile);
  let rows = concatFrames(frames, hasRepeats ? key : []);
  if (format !== "parquet") rows = rows.select(...listTextColumns(table).map(({ name }) => name));
  if (format === "csv" && options.guardFormulas !== false) {
    const texts = listTextColumns(table).filter(({ dtype }) => dtype === "String");
    rows = guardFormulas(rows, texts.map(({ name }) => name));
  }
  await writeLazyFrame(rows, `${output}/${file}`, format);
  if (format === "parquet") await appendMetadata(`${output}/${file}`, resolveMetadata(table));
  else await syncFile(`${output}/${file}`);
  return { file, rows: countFrame(rows) };
}

function formatColumns(format: ConversionFormat, converted: readonly ConvertedTable[]): string {
  const quoteCell = (text: string | null) => text === null ? "" : `"${text.replaceAll('"', '""')}"`;
  const columnsOf = format === "parquet" ? toFileColumns : listTextColumns;
  const lines = selectTables(converted.map((table) => table.table)).flatMap((table) =>
    columnsOf(table).map(({ name, dtype, unit, source }) =>
      [table.name, name, dtype, unit, source].map(quoteCell).join()
    )
  );
  return ["table,column,type,unit,description", ...lines, ""].join("\r\n");
}

const CONVERSION_SCHEMA = "orderlens/conversion@1";

const DESCRIPTION = "conversion.json";

/**
 * Rejects a path with anything other than the result of an earlier conversion.
 *
 * @throws {InputError} Names it.
 */
async function requireConversion(output: string): Promise<void> {
  const stats = await statPath(output);
  if (stats === null) return;
  const isOwn = stats.isDirectory()
    ? await isConverted(output)
    : readFact(output, "schema") === CONVERSION_SCHEMA;
  if (isOwn) return;
  throw new InputError(`Cannot convert into ${output}: something else is there`, {
    remedy: "Pass a path where nothing is, or the result of an earlier conversion to replace it",
  });
}

/** Whether a folder is empty, or has the description of a conversion. */
async function isConverted(folder: string): Promise<boolean> {
  const names = await localFiles().readdir(folder);
  if (names.length === 0) return true;
  if (!names.includes(DESCRIPTION)) return false;
  const { schema } = Object(
    tryParseJson(await localFiles().readFile(`${folder}/${DESCRIPTION}`, "utf8")),
  );
  return schema === CONVERSION_SCHEMA;
}
