import type { CallOptions } from "../../endpoints/mod.ts";
import { callable, checkOptions, FLAG, needed, oneOf } from "../../errors/option_rules.ts";
import { type OptionRules, rule, SIGNAL } from "../../errors/option_rules.ts";
import { requireWord } from "../../errors/require_word.ts";
import { VERSION } from "../../http/mod.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { folderError, isRefusedBySystem } from "../layout/folder_error.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import { putInPlaceOf } from "../layout/put_in_place.ts";
import { CONVERSION_SCHEMA, requireConversion } from "./conversion_output.ts";
import { sourceTables } from "./source_tables.ts";
import { writeDatabase, writeTexts } from "./write_conversion.ts";
import { writeJoined } from "./write_joined.ts";

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
