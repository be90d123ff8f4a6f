import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf, REPLACING, syncFile, withFile, writeAll } from "../layout/durable_files.ts";
import { DESCRIPTION } from "./conversion_output.ts";
import type { ConvertedTable } from "./convert_dataset.ts";
import { csvHeader, csvRows, ndjsonRows } from "./row_texts.ts";
import { type RowBatch, type SourceTable, tableRows } from "./source_tables.ts";
import { SqliteFile } from "./sqlite_file.ts";

/** What is to be written, and where. */
export interface ConversionJob {
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
export async function writeDatabase(job: ConversionJob): Promise<ConvertedTable[]> {
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
export async function writeTexts(
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
export async function describeFolder(
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
