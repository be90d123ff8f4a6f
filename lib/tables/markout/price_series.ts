import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  numberFrom,
  oneOf,
  type OptionRules,
  rule,
} from "../../errors/option_rules.ts";
import { requireList } from "../../errors/require_list.ts";
import type { NotComputable } from "../../metrics/mod.ts";
import { Decimal, HexMap } from "../../units/mod.ts";
import { type PriceTime, priceTime } from "./price_time.ts";

/** What prices are in: US dollars, or the native token of the network. */
export type PriceUnit = "usd" | "native";

/** The words of {@linkcode PriceUnit}. */
export const PRICE_UNITS: readonly PriceUnit[] = ["usd", "native"];

/** A price as text or a number: text keeps every digit, a number counts as its shortest text. */
export type PriceValue = string | number | bigint | Decimal;

/** One row of a price series: the price of one whole token at a time. */
export interface PriceRow {
  /** Address of the token, in any case. */
  readonly token: string;
  /** When it was the price. */
  readonly time: PriceTime;
  /** Price in US dollars; `null` or absent where there is none. */
  readonly price_usd?: PriceValue | null | undefined;
  /** Price in native tokens; `null` or absent where there is none. */
  readonly price_native?: PriceValue | null | undefined;
  /** Where the price is from. */
  readonly source?: string | null | undefined;
}

/** One known price of a token. */
export interface PricePoint {
  /** Price of one whole token. */
  readonly price: Decimal;
  /** When it was the price, unix milliseconds. */
  readonly timeMs: number;
  /** Where it is from; `null` where the series does not say. */
  readonly source: string | null;
}

/** A price that held at the time asked for. */
export interface FoundPrice extends PricePoint {
  /** How long before the time asked for it was, in milliseconds. */
  readonly ageMs: number;
}

/** Why a series has no price of a token at a time. */
export type PriceReason =
  | "token_not_in_series"
  | "no_price_in_unit"
  | "before_first_price"
  | "price_too_old";

/** Which price is asked for. */
export interface PriceAtOptions {
  /** What it is to be in. @default {usd, or native if the series has no price in usd} */
  readonly unit?: PriceUnit;
  /** How old it may be, in milliseconds. @default {3_600_000, one hour} */
  readonly maxAgeMs?: number;
}

const HOUR_MS = 3_600_000;
const ADDRESS = /^0x[0-9a-f]+$/i;

/** Allowed values of the {@linkcode PriceAtOptions}. */
export const PRICE_AT_OPTIONS: OptionRules<PriceAtOptions> = {
  unit: oneOf<PriceUnit>(...PRICE_UNITS),
  maxAgeMs: numberFrom(0, Number.MAX_SAFE_INTEGER, "milliseconds"),
};

/** Prices of tokens over time, as {@linkcode priceSeries} and `readPrices` make them. */
export class PriceSeries {
  readonly #points: Readonly<Record<PriceUnit, HexMap<PricePoint[]>>>;

  /** Sorts the prices of each token by time; of one time, the later row counts. */
  constructor(points: Readonly<Record<PriceUnit, HexMap<PricePoint[]>>>) {
    this.#points = points;
    for (const unit of PRICE_UNITS) {
      for (const own of points[unit].values()) own.sort((a, b) => a.timeMs - b.timeMs);
    }
  }

  /** What there are prices in. */
  get units(): readonly PriceUnit[] {
    return PRICE_UNITS.filter((unit) => this.#points[unit].size > 0);
  }

  /** Addresses of the tokens with a price, in lower case. */
  get tokens(): readonly string[] {
    return [...new Set(PRICE_UNITS.flatMap((unit) => [...this.#points[unit].keys()]))].sort();
  }

  /** How many prices there are in a unit. */
  count(unit: PriceUnit): number {
    return this.#points[unit].values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Prices of a token in a unit, by time; `undefined` where there are none. */
  of(token: string, unit: PriceUnit): readonly PricePoint[] | undefined {
    return this.#points[unit].get(token);
  }
}

/** What an option may be that takes a price series. */
export const SERIES = rule<PriceSeries>(
  "a price series, from `readPrices` or `priceSeries`,",
  (value) => value instanceof PriceSeries,
);

/**
 * A price series from rows, such as the records of a frame.
 *
 * Prices are exact: text keeps every digit, and a double counts as its shortest decimal text. A row
 * without a price in either unit is passed over.
 *
 * @param rows One per token and time, in any order; of two for the same time, the later one counts.
 * @returns The series, for {@linkcode priceAt} and `markoutTable`.
 * @throws {InputError} If a row has no address, no time, or a price that is no decimal number.
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
  return seriesOf(rows, { action });
}

/** The series of rows, of one source if one is named. */
export function seriesOf(
  rows: Iterable<PriceRow>,
  { action, source: wanted }: { action: string; source?: string | undefined },
): PriceSeries {
  const points = { usd: new HexMap<PricePoint[]>(), native: new HexMap<PricePoint[]>() };
  let place = 0;
  for (const row of rows) {
    const { token, time, source = null } = Object(row) as PriceRow;
    const where = `${action}: row ${place++}`;
    if (wanted !== undefined && source !== wanted) continue;
    if (typeof token !== "string" || !ADDRESS.test(token)) {
      throw new InputError(`${where} has the token ${String(token).slice(0, 80)}`, {
        remedy: "Pass the address of a token, 0x and hex digits, as token",
      });
    }
    const timeMs = priceTime(time, where);
    for (const unit of PRICE_UNITS) {
      const price = priceOf(row[`price_${unit}`], where);
      if (price === null) continue;
      const own = points[unit].get(token);
      if (own === undefined) points[unit].set(token, [{ price, timeMs, source }]);
      else own.push({ price, timeMs, source });
    }
  }
  return new PriceSeries(points);
}

function priceOf(value: PriceValue | null | undefined, where: string): Decimal | null {
  if (value === null || value === undefined || value === "") return null;
  const price = value instanceof Decimal ? value : Decimal.tryParse(String(value).trim());
  if (price !== undefined) return price;
  throw new InputError(`${where} has the price ${String(value).slice(0, 80)}`, {
    remedy: 'Pass a non-negative decimal number, such as "0.9998", or null where there is no price',
  });
}

/**
 * The market price of a token at a time: the last price at or before it.
 *
 * No price is looked up in the future and none is interpolated. The prices of a minute or an hour are
 * stamped with its start in most series, so that the last one at or before is that of the same minute.
 *
 * @param series Prices, from `readPrices` or {@linkcode priceSeries}.
 * @param token Address of the token, in any case.
 * @param time When, to the millisecond.
 * @param options The unit, and how old a price may be.
 * @returns The price with its time, age and source; or why there is none.
 * @throws {InputError} If an option is misspelt, or `time` is no time.
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
  const { unit = unitOf(series), maxAgeMs = HOUR_MS } = options;
  const timeMs = priceTime(time, action);
  const points = series.of(token, unit);
  if (points === undefined) {
    return PRICE_UNITS.some((other) => series.of(token, other) !== undefined)
      ? { reason: "no_price_in_unit", detail: `The series has no price of ${token} in ${unit}` }
      : { reason: "token_not_in_series", detail: `The series has no price of ${token}` };
  }
  const last = points[countUpTo(points, timeMs) - 1];
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

/** The unit of a series where none is asked for. */
export function unitOf(series: PriceSeries): PriceUnit {
  return series.units[0] ?? "usd";
}

/** How many prices are not after a time; prices are sorted. */
function countUpTo(points: readonly PricePoint[], timeMs: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.timeMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
