import { InputError } from "../../errors/mod.ts";

/** Formats of the files of a result. */
export type ResultFormat = "parquet" | "csv" | "json";

const FORMATS: readonly ResultFormat[] = ["parquet", "csv", "json"];

/**
 * The format of a result that is one file, by the end of its name: `.parquet`, `.csv` or `.json`.
 * `null` for a name without an ending, which is that of a folder.
 *
 * @throws {InputError} If it ends otherwise.
 */
export function formatOfFile(output: string): ResultFormat | null {
  const [, ending] = /\.([a-z]\w*)\/*$/i.exec(output) ?? [];
  if (ending === undefined) return null;
  const format = FORMATS.find((one) => one === ending.toLowerCase());
  if (format !== undefined) return format;
  throw new InputError(`Cannot write a result to ${output}: .${ending} is no format of results`, {
    remedy:
      "Pass a name that ends with .parquet, .csv or .json, or that of a folder, without an ending",
  });
}
