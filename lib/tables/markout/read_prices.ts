import pl from "nodejs-polars";
import type { DataFrame } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, rule, TEXT } from "../../errors/option_rules.ts";
import { type PriceRow, type PriceSeries, seriesOf } from "./price_series.ts";

/** The names of the columns of a price series in a file. */
export interface PriceColumns {
  /** Address of the token. */
  readonly token?: string;
  /** Time of the price. */
  readonly time?: string;
  /** Price in US dollars. */
  readonly price_usd?: string;
  /** Price in native tokens. */
  readonly price_native?: string;
  /** Source of the price. */
  readonly source?: string;
}

/** Text has every digit. A line with too many fields, such as one of a decimal comma, is an error. */
const AS_TEXT = { inferSchemaLength: 0, truncateRaggedLines: false };

const COLUMNS: readonly (keyof PriceColumns)[] = [
  "token",
  "time",
  "price_usd",
  "price_native",
  "source",
];

/** Options of {@linkcode readPrices}. */
export interface ReadPricesOptions {
  /** Names of the file's columns. @default {token, time, price_usd, price_native, source} */
  readonly columns?: PriceColumns;
  /** Only rows of this source. @default {all} */
  readonly source?: string;
}

const OPTIONS: OptionRules<ReadPricesOptions> = {
  columns: rule(
    `names of the file's columns by ${COLUMNS.join(", ")}`,
    (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) &&
      Object.entries(value).every(([name, column]) =>
        COLUMNS.some((each) => each === name) && typeof column === "string"
      ),
  ),
  source: TEXT,
};

/**
 * Reads a price series from a CSV or Parquet file, with polars.
 *
 * The file has one row per token and time: `token` (address), `time`, `price_usd` or `price_native`
 * or both (of one whole token), and optionally `source`. Other columns are ignored. Every column of
 * a CSV file is read as text, which keeps each digit of a price. In a Parquet file text keeps its
 * digits too, and a double counts as its shortest decimal text. Times are as in
 * {@linkcode PriceTime}.
 *
 * @param file Path of a file that ends in `.csv` or `.parquet`.
 * @param options Names of the columns; the source to select.
 * @returns The series, for `priceAt` and `markoutTable`.
 * @throws {InputError} If the file cannot be read, lacks a column, or has an invalid row.
 *
 * @example Prices of a minute
 * ```ts
 * import { isNotComputable } from "orderlens/metrics";
 * import { priceAt, readPrices } from "orderlens/tables";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(
 *   file,
 *   "contract_address,minute,price\n0xa0,2026-11-21 15:00:00.000 UTC,1.0003\n",
 * );
 * const columns = { token: "contract_address", time: "minute", price_usd: "price" };
 * const series = readPrices(file, { columns });
 * await Deno.remove(file);
 *
 * const found = priceAt(series, "0xa0", "2026-11-21T15:00:07Z");
 * assert(!isNotComputable(found));
 * assertEquals(`${found.price}`, "1.0003");
 * ```
 */
export function readPrices(file: string | URL, options: ReadPricesOptions = {}): PriceSeries {
  const action = `Cannot read prices from ${String(file).slice(0, 200)}`;
  checkOptions(options, OPTIONS, "Cannot read prices");
  const frame = readFrame(pathOf(file, action), action);
  const names = namesOf(frame, options.columns ?? {}, action);
  const columns = names.map(([name, column]) =>
    [name, valuesOf(frame, { name, column, action })] as const
  );
  return seriesOf(rowsOf(columns, frame.height), { action, source: options.source });
}

function* rowsOf(
  columns: readonly (readonly [name: string, values: unknown[]])[],
  height: number,
): Iterable<PriceRow> {
  for (let at = 0; at < height; at++) {
    const cells = columns.map(([name, values]) => [name, values[at]] as const);
    // An empty line of a CSV file.
    if (cells.every(([, value]) => value === null)) continue;
    yield Object.fromEntries(cells) as never;
  }
}

function pathOf(file: string | URL, action: string): string {
  if (!(file instanceof URL)) return file;
  if (file.protocol === "file:") return decodeURIComponent(file.pathname);
  throw new InputError(`${action}: it is not a file`, {
    remedy: "Download it, and pass the path of the file",
  });
}

function readFrame(path: string, action: string): DataFrame {
  if (typeof path !== "string" || !/\.(csv|parquet)$/i.test(path)) {
    throw new InputError(`${action}: it is neither .csv nor .parquet`, {
      remedy: "Pass the path of a CSV or Parquet file",
    });
  }
  try {
    return /\.csv$/i.test(path) ? pl.readCSV(path, AS_TEXT) : pl.readParquet(path);
  } catch (cause) {
    throw new InputError(`${action}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      remedy: "Pass the path of a complete CSV or Parquet file",
    });
  }
}

/** The columns of the file, by their meaning. */
function namesOf(
  frame: DataFrame,
  columns: PriceColumns,
  action: string,
): [name: string, column: string][] {
  const found = COLUMNS.map((name): [string, string] => [name, columns[name] ?? name])
    .filter(([, column]) => frame.columns.includes(column));
  const has = (name: string) => found.some(([each]) => each === name);
  const lacks = [
    ...COLUMNS.flatMap((name) => has(name) ? [] : columns[name] ?? []),
    ...["token", "time"].filter((name) => !has(name) && !(name in columns)),
    ...(["price_usd", "price_native"].some((name) => has(name) || name in columns)
      ? []
      : ["price_usd or price_native"]),
  ];
  if (lacks.length === 0) return found;
  throw new InputError(`${action}: it has no column ${[...new Set(lacks)].join(", ")}`, {
    facts: { columns: frame.columns.join(", ").slice(0, 200) },
    remedy: 'Name the file\'s columns in the option columns, such as { price_usd: "price" }',
  });
}

/** The values of a column; prices that are not doubles as text, which keeps all their digits. */
function valuesOf(
  frame: DataFrame,
  { name, column, action }: { name: string; column: string; action: string },
): unknown[] {
  const series = frame.getColumn(column);
  const { variant } = series.dtype as unknown as { variant: string };
  const isText = name.startsWith("price_") && variant !== "Float64";
  try {
    return (isText ? series.cast(pl.String) : series).toArray();
  } catch (cause) {
    throw new InputError(`${action}: the column ${column} is of type ${variant}`, {
      cause,
      remedy: "Store prices as text, decimals or doubles",
    });
  }
}
