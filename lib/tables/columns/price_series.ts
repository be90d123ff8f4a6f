import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  numberFrom,
  oneOf,
  type OptionRules,
  requireList,
  TEXT,
} from "../../errors/option_rules.ts";
import type { NotComputable } from "../../metrics/mod.ts";
import { Decimal, HexMap } from "../../units/mod.ts";
import { countUpTo } from "../../metrics/auctions/auction_times.ts";
import { HOUR_MS } from "../../units/instant.ts";
import pl from "nodejs-polars";
import type { DataFrame } from "nodejs-polars";

/** Unit of prices: US dollars, or the native token of the network. */
export type PriceUnit = "usd" | "native";

/** The values of {@linkcode PriceUnit}. */
const PRICE_UNITS: readonly PriceUnit[] = ["usd", "native"];

/** A price as text or a number: text keeps every digit, a number counts as its shortest text. */
export type PriceValue = string | number | bigint | Decimal;

/** One row of a price series: the price of one whole token at a time. */
export interface PriceRow {
  /** Address of the token, in any case. */
  readonly token: string;
  /** Time of the price. */
  readonly time: PriceTime;
  /** Price in US dollars; `null` or absent if unknown. */
  readonly price_usd?: PriceValue | null | undefined;
  /** Price in native tokens; `null` or absent if unknown. */
  readonly price_native?: PriceValue | null | undefined;
  /** Source of the price. */
  readonly source?: string | null | undefined;
}

/** One known price of a token. */
export interface PricePoint {
  /** Price of one whole token. */
  readonly price: Decimal;
  /** Time of the price, in unix milliseconds. */
  readonly timeMs: number;
  /** Source; `null` if the series has none, or the price is the mean of two sources. */
  readonly source: string | null;
}

/** The price at a given time. */
export interface FoundPrice extends PricePoint {
  /** Age of the price at that time, in milliseconds. */
  readonly ageMs: number;
}

/** Reason why a series has no price for a token at a time. */
export type PriceReason =
  | "token_not_in_series"
  | "no_price_in_unit"
  | "before_first_price"
  | "price_too_old";

/** Options of {@linkcode priceAt}. */
export interface PriceAtOptions {
  /** Unit of the price. @default {usd, or native if the series has no price in usd} */
  readonly unit?: PriceUnit;
  /** Maximum age, in milliseconds. @default {3_600_000, one hour} */
  readonly maxAgeMs?: number;
}

const ADDRESS = /^0x[0-9a-f]+$/i;

/** Allowed values of the {@linkcode PriceAtOptions}. */
export const PRICE_AT_OPTIONS: OptionRules<PriceAtOptions> = {
  unit: oneOf<PriceUnit>(...PRICE_UNITS),
  maxAgeMs: numberFrom(0, Number.MAX_SAFE_INTEGER, "milliseconds"),
};

/** Prices of tokens over time, from {@linkcode priceSeries} or `readPrices`. */
export class PriceSeries {
  readonly #points: Readonly<Record<PriceUnit, HexMap<PricePoint[]>>>;

  /** Sorts the prices of each token by time; of those at one time, it takes the median. */
  constructor(points: Readonly<Record<PriceUnit, HexMap<PricePoint[]>>>) {
    this.#points = points;
    for (const unit of PRICE_UNITS) {
      for (const [token, tokenPoints] of points[unit]) {
        const moments = [...Map.groupBy(tokenPoints, ({ timeMs }) => timeMs).values()];
        points[unit].set(token, moments.map(takeMedian).sort((a, b) => a.timeMs - b.timeMs));
      }
    }
  }

  /** Units of the prices. */
  get units(): readonly PriceUnit[] {
    return PRICE_UNITS.filter((unit) => this.#points[unit].size > 0);
  }

  /** Addresses of the tokens with a price, in lower case. */
  get tokens(): readonly string[] {
    return [...new Set(PRICE_UNITS.flatMap((unit) => [...this.#points[unit].keys()]))].sort();
  }

  /** Number of prices in a unit. */
  count(unit: PriceUnit): number {
    return this.#points[unit].values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Prices of a token in a unit, by time; `undefined` if there are none. */
  of(token: string, unit: PriceUnit): readonly PricePoint[] | undefined {
    return this.#points[unit].get(token);
  }
}

/** Takes the price in the middle, or the mean of the two there, whatever the order of the rows. */
function takeMedian(points: readonly PricePoint[]): PricePoint {
  const ascending = points.toSorted((a, b) =>
    comparePrices(a.price, b.price) || ((a.source ?? "") < (b.source ?? "") ? -1 : 1)
  );
  const [low, high] = [ascending[(ascending.length - 1) >> 1]!, ascending[ascending.length >> 1]!];
  if (comparePrices(low.price, high.price) === 0) return low;
  const scale = Math.max(low.price.scale, high.price.scale);
  const sum = scaleUp(low.price, scale) + scaleUp(high.price, scale);
  return {
    // Half of an odd number of units is five tenths of it, exactly.
    price: sum % 2n === 0n ? new Decimal(sum / 2n, scale) : new Decimal(5n * sum, scale + 1),
    timeMs: low.timeMs,
    source: low.source === high.source ? low.source : null,
  };
}

function comparePrices(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [scaleUp(a, scale), scaleUp(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Scales the coefficient of a decimal up to a larger scale. */
function scaleUp({ coefficient, scale }: Decimal, to: number): bigint {
  return coefficient * 10n ** BigInt(to - scale);
}

/** Allowed values of an option that takes a price series. */
export const SERIES = defineRule<PriceSeries>(
  "a price series, from `readPrices` or `priceSeries`,",
  (value) => value instanceof PriceSeries,
);

/**
 * Builds a price series from rows, such as the records of a frame.
 *
 * Prices are exact: text keeps every digit, and a double counts as its shortest decimal text. A row
 * without a price in either unit is ignored.
 *
 * @param rows One per token and time, in any order; of several at one time, the median counts: the price
 * in the middle, or the mean of the two there.
 * @returns The series, for {@linkcode priceAt} and `markout`.
 * @throws {InputError} If a row has no address or time, or its price is not a decimal number.
 *
 * @example A token at 1.0003 dollars
 * ```ts
 * import { isNotComputable } from "orderlens/metrics";
 * import { priceAt, priceSeries } from "orderlens/tables";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const series = priceSeries([
 *   { token: "0xA0", time: "2026-11-21T15:00:00Z", price_usd: "1.0003" },
 * ]);
 * const found = priceAt(series, "0xa0", Temporal.Instant.from("2026-11-21T15:00:07Z"));
 *
 * assert(!isNotComputable(found));
 * assertEquals([`${found.price}`, found.ageMs], ["1.0003", 7_000]);
 * ```
 */
export function priceSeries(rows: Iterable<PriceRow>): PriceSeries {
  const action = "Cannot read prices";
  requireList(rows, { action, expected: "rows with token, time and price_usd or price_native" });
  return buildSeries(rows, { action });
}

/** Builds the series of rows, of one source if it is specified. */
function buildSeries(
  rows: Iterable<PriceRow>,
  { action, source: onlySource }: { action: string; source?: string | undefined },
): PriceSeries {
  const points = { usd: new HexMap<PricePoint[]>(), native: new HexMap<PricePoint[]>() };
  let index = 0;
  for (const row of rows) {
    const { token, time, source = null } = Object(row) as PriceRow;
    const subject = `${action}: row ${index++}`;
    if (onlySource !== undefined && source !== onlySource) continue;
    if (typeof token !== "string" || !ADDRESS.test(token)) {
      throw new InputError(`${subject} has the token ${String(token).slice(0, 80)}`, {
        remedy: "Pass the address of a token, 0x and hex digits, as token",
      });
    }
    const timeMs = parseTime(time, subject);
    for (const unit of PRICE_UNITS) {
      const price = parsePrice(row[`price_${unit}`], subject);
      if (price === null) continue;
      const tokenPoints = points[unit].get(token);
      if (tokenPoints === undefined) points[unit].set(token, [{ price, timeMs, source }]);
      else tokenPoints.push({ price, timeMs, source });
    }
  }
  return new PriceSeries(points);
}

function parsePrice(value: PriceValue | null | undefined, subject: string): Decimal | null {
  if (value === null || value === undefined || value === "") return null;
  const price = value instanceof Decimal ? value : Decimal.tryParse(String(value).trim());
  if (price !== undefined) return price;
  throw new InputError(`${subject} has the price ${String(value).slice(0, 80)}`, {
    remedy: 'Pass a non-negative decimal number, such as "0.9998", or null if there is no price',
  });
}

/**
 * Returns the market price of a token at a time: the last price at or before it.
 *
 * Later prices are never used, and prices are never interpolated. Most series stamp the price of a
 * minute or an hour with its start, so the last one at or before is that of the same minute or
 * hour.
 *
 * @param series Prices, from `readPrices` or {@linkcode priceSeries}.
 * @param token Address of the token, in any case.
 * @param time Time of the price, to the millisecond.
 * @param options The unit, and the maximum age.
 * @returns The price with its time, age and source; or the reason why there is none.
 * @throws {InputError} If an option is unknown, or `time` is invalid.
 *
 * @example No price is older than an hour
 * ```ts
 * import { isNotComputable } from "orderlens/metrics";
 * import { priceAt, priceSeries } from "orderlens/tables";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const series = priceSeries([
 *   { token: "0xa0", time: "2026-11-21T15:00:00Z", price_usd: "1.0003" },
 * ]);
 * const later = priceAt(series, "0xa0", Temporal.Instant.from("2026-11-21T16:00:01Z"));
 *
 * assert(isNotComputable(later));
 * assertEquals(later.reason, "price_too_old");
 * ```
 */
export function priceAt(
  series: PriceSeries,
  token: string,
  time: PriceTime,
  options: PriceAtOptions = {},
): FoundPrice | NotComputable<PriceReason> {
  const action = "Cannot look up a price";
  checkOptions(options, PRICE_AT_OPTIONS, action);
  const { unit = chooseUnit(series), maxAgeMs = HOUR_MS } = options;
  const timeMs = parseTime(time, action);
  const points = series.of(token, unit);
  if (points === undefined) {
    return PRICE_UNITS.some((otherUnit) => series.of(token, otherUnit) !== undefined)
      ? { reason: "no_price_in_unit", detail: `The series has no price for ${token} in ${unit}` }
      : { reason: "token_not_in_series", detail: `The series has no price for ${token}` };
  }
  const last = points[countUpTo(points, (point) => point.timeMs, timeMs) - 1];
  if (last === undefined) {
    const first = new Date(points[0]!.timeMs).toISOString();
    return { reason: "before_first_price", detail: `The first price of ${token} is of ${first}` };
  }
  const ageMs = timeMs - last.timeMs;
  if (ageMs > maxAgeMs) {
    const detail = `The last price of ${token} was ${ageMs / 1_000} seconds old`;
    return { reason: "price_too_old", detail };
  }
  return { ...last, ageMs };
}

/** Chooses the default unit of a series. */
export function chooseUnit(series: PriceSeries): PriceUnit {
  return series.units[0] ?? "usd";
}

/**
 * The time of a price: a `Temporal.Instant`, a `Date`, RFC 3339 text, or unix time as a whole
 * number (or its text), in seconds below 10^11 and in milliseconds above. Text may have a space
 * instead of the `T` and end in `UTC`; without a zone it is UTC.
 */
export type PriceTime = Temporal.Instant | Date | string | number | bigint;

/** A unix time of at least this is in milliseconds: in seconds it would be in the year 5138. */
const MIN_MS = 100_000_000_000;
/** The end of the year 9999: later times are in a smaller unit than milliseconds. */
const MAX_MS = 253_402_300_799_999;
const WHOLE = /^-?[0-9]+$/;
const DATE_AND_TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?) ?(Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$/i;

/**
 * Parses a time to unix milliseconds, rounded down.
 *
 * @throws {InputError} If it is not a time.
 */
function parseTime(time: PriceTime, subject: string): number {
  const ms = toMilliseconds(time);
  if (ms !== undefined && Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_MS) return ms;
  throw new InputError(`${subject} has the time ${String(time).slice(0, 80)}`, {
    remedy: 'Pass RFC 3339 text such as "2026-11-21T15:00:00Z", or unix seconds or milliseconds',
  });
}

function toMilliseconds(time: unknown): number | undefined {
  if (time instanceof Date) return time.getTime();
  if (typeof time === "number" || typeof time === "bigint") return parseUnixTime(Number(time));
  if (typeof time === "string") return parseTimeText(time.trim());
  return Object(time).epochMilliseconds;
}

function parseUnixTime(time: number): number | undefined {
  if (!Number.isSafeInteger(time)) return undefined;
  return Math.abs(time) < MIN_MS ? time * 1_000 : time;
}

function parseTimeText(text: string): number | undefined {
  if (WHOLE.test(text)) return parseUnixTime(Number(text));
  const match = DATE_AND_TIME.exec(text);
  if (match === null) return undefined;
  const [, date, clock, zone = "Z"] = match;
  try {
    return Temporal.Instant.from(`${date}T${clock}${/^utc$/i.test(zone) ? "Z" : zone}`)
      .epochMilliseconds;
  } catch {
    return undefined;
  }
}

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
  columns: defineRule(
    `names of the file's columns by ${COLUMNS.join(", ")}`,
    (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) &&
      Object.entries(value).every(([name, column]) =>
        COLUMNS.some((columnName) => columnName === name) && typeof column === "string"
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
 * @returns The series, for `priceAt` and `markout`.
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
  const frame = readFrame(toPath(file, action), action);
  const names = matchColumns(frame, options.columns ?? {}, action);
  const columns = names.map(([name, column]) =>
    [name, readValues(frame, { name, column, action })] as const
  );
  return buildSeries(readRows(columns, frame.height), { action, source: options.source });
}

function* readRows(
  columns: readonly (readonly [name: string, values: unknown[]])[],
  height: number,
): Iterable<PriceRow> {
  for (let index = 0; index < height; index++) {
    const cells = columns.map(([name, values]) => [name, values[index]] as const);
    // An empty line of a CSV file.
    if (cells.every(([, value]) => value === null)) continue;
    yield Object.fromEntries(cells) as never;
  }
}

function toPath(file: string | URL, action: string): string {
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

/** Matches the columns of a file to those of a price series. */
function matchColumns(
  frame: DataFrame,
  columns: PriceColumns,
  action: string,
): [name: string, column: string][] {
  const matches = COLUMNS.map((name): [string, string] => [name, columns[name] ?? name])
    .filter(([, column]) => frame.columns.includes(column));
  const has = (name: string) => matches.some(([match]) => match === name);
  const missingColumns = [
    ...COLUMNS.flatMap((name) => has(name) ? [] : columns[name] ?? []),
    ...["token", "time"].filter((name) => !has(name) && !(name in columns)),
    ...(["price_usd", "price_native"].some((name) => has(name) || name in columns)
      ? []
      : ["price_usd or price_native"]),
  ];
  if (missingColumns.length === 0) return matches;
  throw new InputError(`${action}: it has no column ${[...new Set(missingColumns)].join(", ")}`, {
    facts: { columns: frame.columns.join(", ").slice(0, 200) },
    remedy: 'Name the file\'s columns in the option columns, such as { price_usd: "price" }',
  });
}

/** Reads the values of a column; prices that are not doubles as text, which keeps all their digits. */
function readValues(
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
