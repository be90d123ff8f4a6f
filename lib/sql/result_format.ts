import { InputError } from "../errors/mod.ts";

/** Formats of the files of a result. */
export type ResultFormat = "parquet" | "csv" | "json";

const FORMATS: readonly ResultFormat[] = ["parquet", "csv", "json"];

/**
 * The format of a result that is one file, by the end of its name: `.parquet`, `.csv` or `.json`.
 *
 * @throws {InputError} If it ends otherwise.
 */
export function formatOfFile(output: string): ResultFormat {
  const [, ending] = /\.([a-z]\w*)$/i.exec(output) ?? [];
  const format = FORMATS.find((one) => one === ending?.toLowerCase());
  if (format !== undefined) return format;
  throw new InputError(`Cannot write a result to ${output}: its name says no format of results`, {
    remedy: "Pass a name that ends with .parquet, .csv or .json; Spark alone writes folders",
  });
}
