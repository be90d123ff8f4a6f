/** Formats of the files of a result. */
export type ResultFormat = "parquet" | "csv" | "json";

const FORMATS: readonly ResultFormat[] = ["parquet", "csv", "json"];

/**
 * The format of a result that is one file, by the end of its name: `.parquet`, `.csv` or `.json`.
 * `null` for any other name, which is that of a folder.
 */
export function formatOfFile(output: string): ResultFormat | null {
  const name = output.toLowerCase();
  return FORMATS.find((format) => name.endsWith(`.${format}`)) ?? null;
}
