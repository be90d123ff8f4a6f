import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  callable,
  checkOptions,
  FLAG,
  needed,
  oneOf,
  type OptionRules,
  requireWord,
  rule,
  SIGNAL,
} from "../../errors/option_rules.ts";
import { VERSION } from "../../http/mod.ts";
import { countParquet, joinParquet } from "../../tables/columns/frame_files.ts";
import { DatasetPaths, factsOf, REPLACING, syncFile, withFile, writeAll } from "../layout/files.ts";
import { folderError, isRefusedBySystem, putInPlaceOf, statOf } from "../layout/folders.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { noteFile } from "../shards/build_shard.ts";
import { freeFrames, notesOf } from "../shards/file_columns.ts";
import { TABLE_NAMES, tablesOf } from "../shards/published_tables.ts";
import { type RowBatch, type SourceTable, sourceTables, tableRows } from "./source_tables.ts";
import { csvHeader, csvRows, ndjsonRows, noteOf, SqliteFile } from "./sqlite_file.ts";

/** Formats that {@linkcode convertDataset} writes. */
export type ConversionFormat = "csv" | "ndjson" | "sqlite" | "parquet";

/** How far a conversion is. */
export interface ConversionProgress {
  /** The table that is being written. */
  readonly table: string;
  /** Rows written, of all tables. */
  readonly rows: number;
  /** Rows of all tables; those that several files repeat count as often. */
  readonly total: number;
}

/** Options of {@linkcode convertDataset}. */
export interface ConversionOptions extends CallOptions {
  /** What to write: a folder of files, or one SQLite database. */
  format: ConversionFormat;
  /** Names of the tables. @default {all tables of the dataset} */
  tables?: readonly string[] | undefined;
  /**
   * Whether text in CSV that a spreadsheet would take for a formula gets a `'` in front. Numbers do
   * not. @default {true}
   */
  guardFormulas?: boolean | undefined;
  /** Called after every few rows. */
  onProgress?: ((progress: ConversionProgress) => void) | undefined;
}

/** A table of a conversion. */
export interface ConvertedTable {
  /** Name of the table. */
  readonly table: string;
  /** Its file in the folder; of a database, the name of the database. */
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
  format: needed(oneOf("csv", "ndjson", "sqlite", "parquet")),
  tables: rule(
    `a list of names of tables: ${TABLE_NAMES.join(", ")}`,
    (value) => Array.isArray(value) && value.every((name) => TABLE_NAMES.includes(name)),
  ),
  guardFormulas: FLAG,
  onProgress: callable(),
  signal: SIGNAL,
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
 * - `parquet`: a folder with one file per table, as the dataset has them for every 1,000 auctions.
 *
 * Folders have `conversion.json`, which names the dataset by the SHA-256 of its manifest, and
 * `columns.csv` with the unit of every column. The output appears when it is complete; an earlier
 * result is replaced, and nothing else.
 *
 * @param folder Folder of the dataset.
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
  const paths = new DatasetPaths(folder);
  const manifest = await readManifest(paths);
  const place = new DatasetPaths(output).folder;
  for (const name of options.tables ?? []) {
    requireWord(name, manifest.request.tables, { action: ACTION, what: "table" });
  }
  try {
    return await putInPlaceOf(place, () => requireConversion(place), async (temporary) => {
      const tables = await convertInto(temporary, { paths, manifest, options });
      const name = place.slice(place.lastIndexOf("/") + 1);
      const { format } = options;
      return {
        output: place,
        format,
        tables: tables.map((one) => format === "sqlite" ? { ...one, file: name } : one),
      };
    });
  } catch (error) {
    if (isRefusedBySystem(error)) throw folderError("Cannot convert into", place, error);
    throw error;
  }
}

/** What is converted, and how. */
interface Converting {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
  readonly options: ConversionOptions;
}

async function convertInto(
  output: string,
  { paths, manifest, options }: Converting,
): Promise<ConvertedTable[]> {
  const { format, tables: names = manifest.request.tables, onProgress, signal } = options;
  const tables = sourceTables(manifest, names, options.format === "parquet");
  const total = tables.flatMap(({ files }) => files).reduce((sum, { rows }) => sum + rows, 0);
  let rows = 0;
  const facts = await factsOf(paths.file("manifest.json"));
  const job = {
    paths,
    output,
    tables,
    signal,
    guardFormulas: options.guardFormulas ?? true,
    report: (table: string, more: number) => onProgress?.({ table, rows: rows += more, total }),
    facts: {
      schema: CONVERSION_SCHEMA,
      format,
      library: VERSION,
      manifest_sha256: facts?.sha256 ?? "",
      network: manifest.source.network ?? "",
      chain_id: String(manifest.source.chainId),
    },
  };
  if (format === "sqlite") return await writeDatabase(job);
  return format === "parquet" ? await writeJoined(job) : await writeTexts(job, format);
}

/** What is to be written, and where. */
interface ConversionJob {
  /** The dataset. */
  readonly paths: DatasetPaths;
  /** Folder or database to write; nothing is there. */
  readonly output: string;
  /** The tables. */
  readonly tables: readonly SourceTable[];
  /** What the output notes of the dataset. */
  readonly facts: Readonly<Record<string, string>>;
  /** Whether text that begins like a formula gets a `'` in front. */
  readonly guardFormulas: boolean;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** Called with the rows that were written. */
  readonly report: (table: string, rows: number) => void;
}

/** Writes one database. */
async function writeDatabase(job: ConversionJob): Promise<ConvertedTable[]> {
  const database = new SqliteFile(job.output);
  try {
    const written: ConvertedTable[] = [];
    for (const table of job.tables) {
      const insert = database.createTable(table);
      const rows = await eachBatch(job, table, (batch) => Promise.resolve(insert(batch)));
      database.createIndexes(table);
      written.push({ table: table.name, file: "", rows });
    }
    database.finish(job.facts);
    await syncFile(job.output);
    return written;
  } finally {
    database.close();
  }
}

/** Writes a folder with one file of text per table. */
async function writeTexts(
  job: ConversionJob,
  format: "csv" | "ndjson",
): Promise<ConvertedTable[]> {
  await Deno.mkdir(job.output);
  const written: ConvertedTable[] = [];
  for (const table of job.tables) {
    const file = `${table.name}.${format}`;
    const rows = await writeText(`${job.output}/${file}`, async (write) => {
      if (format === "csv") await write(csvHeader(table));
      return await eachBatch(
        job,
        table,
        (batch) => write(format === "csv" ? csvRows(batch, job) : ndjsonRows(batch)),
      );
    });
    written.push({ table: table.name, file, rows });
  }
  await describeFolder(job, written);
  return written;
}

/** Writes the description of a folder, and the units of its columns. */
async function describeFolder(
  { output, tables, facts }: ConversionJob,
  written: readonly ConvertedTable[],
): Promise<void> {
  const files: object[] = [];
  for (const { table, file, rows } of written) {
    files.push({ table, file, rows, ...await factsOf(`${output}/${file}`) });
  }
  const text = JSON.stringify({ ...facts, tables: files }, null, 1);
  await writeText(`${output}/columns.csv`, (write) => write(columnLines(tables)));
  await writeText(`${output}/${DESCRIPTION}`, (write) => write(`${text}\n`));
}

function columnLines(tables: readonly SourceTable[]): string {
  const cell = (text: string | null) => text === null ? "" : `"${text.replaceAll('"', '""')}"`;
  const lines = tables.flatMap(({ name, columns }) =>
    columns.map((column) =>
      [name, column.name, column.dtype, column.unit, column.source].map(cell).join()
    )
  );
  return ["table,column,type,unit,description", ...lines, ""].join("\r\n");
}

/** Uses each few rows of a table, and returns their number. */
async function eachBatch(
  { paths, signal, report }: ConversionJob,
  table: SourceTable,
  use: (batch: RowBatch) => Promise<void>,
): Promise<number> {
  let rows = 0;
  for await (const batch of tableRows(paths, table, signal)) {
    await use(batch);
    rows += batch.rows;
    report(table.name, batch.rows);
  }
  return rows;
}

/** Writes a file of text in pieces. */
async function writeText<Result>(
  file: string,
  make: (write: (text: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const encoder = new TextEncoder();
  return await withFile(file, REPLACING, async (open) => {
    const result = await make((text) => writeAll(open, encoder.encode(text)));
    await open.sync();
    return result;
  });
}

/** Writes a folder with one Parquet file per table. */
async function writeJoined(job: ConversionJob): Promise<ConvertedTable[]> {
  await Deno.mkdir(job.output);
  const written: ConvertedTable[] = [];
  for (const { name, files, key, isRepeated } of job.tables) {
    for (const file of files) await requireWhole(job.paths, file);
    job.signal?.throwIfAborted();
    const [first, ...others] = files.map(({ path }) => job.paths.file(path));
    if (first === undefined) continue;
    const file = `${name}.parquet`;
    await joinParquet([first, ...others], `${job.output}/${file}`, isRepeated ? key : []);
    for (const { table } of tablesOf([name])) {
      await noteFile(`${job.output}/${file}`, notesOf(table));
    }
    await syncFile(`${job.output}/${file}`);
    const rows = countParquet(`${job.output}/${file}`);
    written.push({ table: name, file, rows });
    job.report(name, rows);
    await freeFrames();
  }
  await describeFolder(job, written);
  return written;
}

/** Format of the description of a conversion. */
const CONVERSION_SCHEMA = "orderlens/conversion@1";

/** Name of the description in a folder of converted files. */
const DESCRIPTION = "conversion.json";

/**
 * Rejects a place where something else is than the result of an earlier conversion.
 *
 * @throws {InputError} Names it.
 */
async function requireConversion(output: string): Promise<void> {
  const found = await statOf(output);
  if (found === null) return;
  const isOwn = found.isDirectory
    ? await isConverted(output)
    : noteOf(output, "schema") === CONVERSION_SCHEMA;
  if (isOwn) return;
  throw new InputError(`Cannot convert into ${output}: something else is there`, {
    remedy: "Pass a path where nothing is, or the result of an earlier conversion to replace it",
  });
}

/** Whether a folder is empty, or has the description of a conversion. */
async function isConverted(folder: string): Promise<boolean> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  if (names.length === 0) return true;
  if (!names.includes(DESCRIPTION)) return false;
  try {
    const { schema } = Object(JSON.parse(await Deno.readTextFile(`${folder}/${DESCRIPTION}`)));
    return schema === CONVERSION_SCHEMA;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
