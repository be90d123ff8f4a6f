import { InputError } from "../../errors/mod.ts";
import type { OptionRules } from "../../errors/option_rules.ts";
import { TIMES } from "../../metrics/auctions/auction_times.ts";
import {
  type AccountingPeriod,
  accountingWeek,
  type AuctionTimes,
  isNotComputable,
  type NotComputable,
  type TimeBasis,
} from "../../metrics/mod.ts";
import type { KnownTime } from "../../metrics/orders/fills.ts";
import {
  atomsToNumber,
  type Decimal,
  divide,
  formatInstant,
  type HexMap,
  nanosecondsBetween,
  nativeValue,
  type Ratio,
  ratioToNumber,
} from "../../units/mod.ts";
import { NATIVE_DECIMALS, PRICE_AND_NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import type { Column } from "./frame.ts";
import type { NameLookup, TokenAmounts } from "./lookups.ts";

/** Declaration of a column, without its name and kind. */
interface Declaration<Row, Value> {
  readonly unit?: string;
  readonly source: string;
  readonly cell: (row: Row, amounts: TokenAmounts, names: NameLookup) => Value | null;
}

/** A number, an exact ratio that becomes the nearest double, or the reason why there is none. */
type Measurement = number | Ratio | NotComputable<string>;

/** A column of text. */
export function text<Row>(name: string, declaration: Declaration<Row, string>): Column<Row> {
  return { name, dtype: "String", unit: null, ...declaration };
}

/** A column of safe integers. */
export function integer<Row>(name: string, declaration: Declaration<Row, number>): Column<Row> {
  return { name, dtype: "Int64", unit: null, ...declaration };
}

/** A column of doubles: for axes, never for computation. */
export function number<Row>(
  name: string,
  { cell, ...declaration }: Declaration<Row, Measurement> & { readonly unit: string },
): Column<Row> {
  return {
    name,
    dtype: "Float64",
    ...declaration,
    cell: (row, amounts, names) => {
      const measured = cell(row, amounts, names);
      if (typeof measured !== "object" || measured === null) return measured;
      return isNotComputable(measured) ? null : ratioToNumber(measured);
    },
  };
}

/** Converts a value that cannot be computed to `null`. */
export function toValue<Value>(measured: Value | NotComputable<string>): Value | null {
  return isNotComputable(measured) ? null : measured as Value;
}

/** A column of booleans. */
export function flag<Row>(name: string, declaration: Declaration<Row, boolean>): Column<Row> {
  return { name, dtype: "Bool", unit: null, ...declaration };
}

/**
 * Parts of a row that are missing because an input was not passed, joined by commas. Empty cells silently
 * add up to 0; this column makes the gap visible.
 */
export function gaps<Row>(
  source: string,
  listGaps: (row: Row) => readonly (string | false | null)[],
): Column<Row> {
  return text("gaps", {
    source: `${source}, joined by commas; null if nothing is missing`,
    cell: (row) => listGaps(row).filter((gap) => typeof gap === "string").join(", ") || null,
  });
}

/** The symbol of a token, or its shortened address. */
export function symbol<Row>(
  name: string,
  { label, token }: { readonly label: string; readonly token: (row: Row) => string | null },
): Column<Row> {
  return text(name, {
    source: `symbol of ${label}, or its shortened address`,
    cell: (row, amounts) => {
      const address = token(row);
      return address === null ? null : amounts.label(address);
    },
  });
}

/** An amount; none where it is unknown or cannot be computed. */
type Atoms = bigint | NotComputable<string> | null | undefined;

/** An amount and its token. */
interface AmountDeclaration<Row> {
  /** Role of the token in the row, such as `sell token`. */
  readonly role: string;
  readonly source: string;
  /** Meaning of the sign, such as `positive = better`. @default {none} */
  readonly sign?: string;
  readonly atoms: (row: Row) => Atoms;
  readonly token: (row: Row) => string | null | undefined;
}

/**
 * Two columns of an amount: every digit as decimal text, and whole tokens for axes.
 *
 * @param name Without its unit: the columns end in `_atoms` and in `_tokens`.
 */
export function amount<Row>(name: string, declaration: AmountDeclaration<Row>): Column<Row>[] {
  const { role, source, sign, atoms, token } = declaration;
  const signNote = sign === undefined ? "" : `, ${sign}`;
  return [
    text(`${name}_atoms`, {
      unit: `${role} atoms${signNote}`,
      source,
      cell: (row) => toDecimalText(toValue(atoms(row))),
    }),
    number(`${name}_tokens`, {
      unit: `whole ${role}s${signNote}`,
      source: `${name}_atoms / 10^decimals, for axes; null if decimals are unknown`,
      cell: (row, amounts) => amounts.tokens(toValue(atoms(row)), token(row)),
    }),
  ];
}

/** An amount of the native token. */
interface NativeDeclaration<Row> {
  readonly source: string;
  readonly atoms: (row: Row) => Atoms;
}

/**
 * Two columns of a native amount: every digit as decimal text, and whole native tokens for axes.
 *
 * @param name Without its unit: the columns end in `_atoms` and in `_native`.
 */
export function native<Row>(name: string, declaration: NativeDeclaration<Row>): Column<Row>[] {
  const { source, atoms } = declaration;
  return [
    text(`${name}_atoms`, {
      unit: "native atoms",
      source,
      cell: (row) => toDecimalText(toValue(atoms(row))),
    }),
    number(`${name}_native`, {
      unit: "native tokens",
      source: `${name}_atoms / 10^18, for axes`,
      cell: (row) => toNativeTokens(toValue(atoms(row))),
    }),
  ];
}

/** An amount of a token, and its native price. */
interface PricedAtoms {
  /** The amount. */
  readonly atoms: bigint;
  /** Native price of its token: native atoms for 10^18 of its atoms. */
  readonly price: bigint | Decimal;
}

/**
 * Two columns of the value of an amount: native atoms (floor), and whole native tokens for axes.
 *
 * @param name Without its unit, such as `volume`, or `fee_native` for the value of another token:
 * the columns end in `_atoms` and in `_native`.
 */
export function value<Row>(
  name: string,
  { source, amount: getAmount }: {
    readonly source: string;
    readonly amount: (row: Row) => PricedAtoms | null;
  },
): Column<Row>[] {
  const stem = name.replace(/_native$/, "");
  return [
    text(`${name}_atoms`, {
      unit: "native atoms",
      source: `${source}, rounded down`,
      cell: (row) => {
        const priced = getAmount(row);
        return priced === null ? null : toDecimalText(nativeValue(priced.atoms, priced.price));
      },
    }),
    number(`${stem}_native`, {
      unit: "native tokens",
      source: `${source}, for axes`,
      cell: (row) => {
        const priced = getAmount(row);
        return priced === null ? null : multiplyByPrice(priced.atoms, priced.price);
      },
    }),
  ];
}

/** Atoms in a US dollar, as many as USDC has. */
const DOLLAR_ATOMS = 1_000_000n;

/**
 * Two columns of a value in US dollars: atoms of 10^-6 dollars (floor), and dollars for axes.
 *
 * @param name Without its unit: the columns end in `_usd_atoms` and in `_usd`.
 */
export function dollars<Row>(
  name: string,
  { source, value: getValue }: {
    readonly source: string;
    readonly value: (row: Row) => Ratio | null;
  },
): Column<Row>[] {
  return [
    text(`${name}_usd_atoms`, {
      unit: "US dollar atoms, 10^-6 dollars each",
      source: `${source}, rounded down`,
      cell: (row) => {
        const value = getValue(row);
        if (value === null) return null;
        const { numerator, denominator } = value;
        return divide(numerator * DOLLAR_ATOMS, denominator, { rounding: "floor" }).toString();
      },
    }),
    number(`${name}_usd`, {
      unit: "US dollars",
      source: `${source}, for axes`,
      cell: getValue,
    }),
  ];
}

/** A time: RFC 3339 text with the digits of its response, and unix milliseconds to compute and plot with. */
export function time<Row>(
  name: string,
  declaration: {
    readonly source: string;
    readonly instant: (row: Row) => Temporal.Instant | null | undefined;
  },
): Column<Row>[] {
  const { source, instant: getInstant } = declaration;
  return [
    text(name, {
      unit: "UTC",
      source,
      cell: (row) => {
        const instant = getInstant(row);
        return instant === null || instant === undefined ? null : formatInstant(instant);
      },
    }),
    integer(`${name}_ms`, {
      unit: "unix milliseconds",
      source: `${name}, rounded down`,
      cell: (row) => getInstant(row)?.epochMilliseconds ?? null,
    }),
  ];
}

/** Formats an exact amount as decimal text, with its sign. */
export function toDecimalText(value: bigint | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "bigint") {
    throw new InputError(`Cannot read ${String(value)} (${typeof value}) as an amount of atoms`, {
      remedy: "Pass decoded records, as returned by decodeOrder and the other decoders",
    });
  }
  return value.toString();
}

/** Converts native atoms to whole native tokens, as the nearest double, for axes. */
export function toNativeTokens(atoms: bigint | null | undefined): number | null {
  return atoms === null || atoms === undefined ? null : atomsToNumber(atoms, NATIVE_DECIMALS);
}

/**
 * Converts atoms of a token to their value in whole native tokens, for axes: `atoms * price / 10^36`.
 *
 * @param prices Native prices by address; those of debug reports can have fractions.
 * @returns `null` if the token has no price.
 */
export function toNativeValue(
  atoms: bigint,
  token: string,
  prices: HexMap<bigint | Decimal>,
): number | null {
  const price = prices.get(token);
  if (price === undefined) return null;
  return multiplyByPrice(atoms, price);
}

/** Attaches its native price to an amount; `null` without an amount or a price. */
export function attachPrice(
  atoms: bigint | null | undefined,
  token: string,
  prices: HexMap<bigint | Decimal>,
): { readonly atoms: bigint; readonly price: bigint | Decimal } | null {
  const price = prices.get(token);
  return atoms === null || atoms === undefined || price === undefined ? null : { atoms, price };
}

/** Multiplies atoms by a native price, in whole native tokens, for axes; rounded once. */
function multiplyByPrice(atoms: bigint, price: bigint | Decimal): number {
  const { coefficient, scale } = typeof price === "bigint"
    ? { coefficient: price, scale: 0 }
    : price;
  return ratioToNumber({
    numerator: atoms * coefficient,
    denominator: 10n ** BigInt(PRICE_AND_NATIVE_DECIMALS + scale),
  });
}

/** Two columns of a solver: its address, and its name. */
export function solver<Row>(
  name: string,
  options: { readonly source: string; readonly solver: (row: Row) => string | null | undefined },
): Column<Row>[] {
  const { source, solver: getAddress } = options;
  return [
    text(name, { source, cell: (row) => getAddress(row) ?? null }),
    text(`${name}_name`, {
      source: `name of ${name}, from the option solvers or data/solvers.json; null if unknown`,
      cell: (row, _amounts, names) => names.name(getAddress(row)),
    }),
  ];
}

/** Times of auctions and blocks. */
export interface TimeOptions {
  /**
   * Times of auctions and blocks, from `auctionTimes`. Without it, columns of times
   * are `null`, except for fills whose debug reports say when they were indexed.
   */
  readonly times?: AuctionTimes;
}

/** Allowed values of the {@linkcode TimeOptions}. */
export const TIME_OPTIONS: OptionRules<TimeOptions> = { times: TIMES };

/** A time as columns: their names, and the event. */
interface KnownTimeDeclaration<Row> {
  /** Name of the columns of the interval, without `_min` and `_max`. */
  readonly interval: string;
  /** The event, for the documentation. */
  readonly source: string;
  readonly time: (row: Row) => KnownTime | null;
}

/** Columns of a time that may only be known as an interval: the time and the interval. */
export function timeInInterval<Row>(
  name: string,
  { interval, source, time: getTime }: KnownTimeDeclaration<Row>,
): Column<Row>[] {
  return [
    ...time<Row>(name, {
      source: `${source}; if time_basis is bracketed, ${interval}_min`,
      instant: (row) => getTime(row)?.at,
    }),
    ...time<Row>(`${interval}_min`, {
      source: `earliest possible ${name}; null unless time_basis is bracketed`,
      instant: (row) => getTime(row)?.bracket?.min,
    }),
    ...time<Row>(`${interval}_max`, {
      source: `latest possible ${name}; null unless time_basis is bracketed`,
      instant: (row) => getTime(row)?.bracket?.max,
    }),
  ];
}

/** Basis of the times of a row; the weakest if there are several. */
export function timeBasis<Row>(getTimes: (row: Row) => readonly (KnownTime | null)[]): Column<Row> {
  return text("time_basis", {
    source: "block, event (traded: when the fill was indexed) or bracketed; null if unknown",
    cell: (row) => {
      const bases = new Set(getTimes(row).map((time) => time?.basis));
      return WEAKEST_FIRST.find((basis) => bases.has(basis)) ?? null;
    },
  });
}

const WEAKEST_FIRST: readonly TimeBasis[] = ["bracketed", "event", "block"];

/** Start of the auction of a row. */
export function auctionTimeColumns<Row>(getTime: (row: Row) => KnownTime | null): Column<Row>[] {
  return [
    ...timeInInterval<Row>("auction_at", {
      interval: "auction_time",
      source: "when the auction began: timestamp of its start block",
      time: getTime,
    }),
    timeBasis<Row>((row) => [getTime(row)]),
  ];
}

/** Time of the fill of a row. */
export function fillTimeColumns<Row>(getTime: (row: Row) => KnownTime | null): Column<Row>[] {
  return [
    ...timeInInterval<Row>("filled_at", {
      interval: "fill_time",
      source: "when the fill happened: timestamp of its block, or of the event traded",
      time: getTime,
    }),
    timeBasis<Row>((row) => [getTime(row)]),
  ];
}

/** Finds the accounting week of a time; `null` if it is unknown, or an interval over two weeks. */
export function findKnownWeek(time: KnownTime | null): AccountingPeriod | null {
  if (time === null) return null;
  const week = accountingWeek(time.at);
  const { bracket } = time;
  if (bracket === null) return week;
  const isWithin = bracket.max !== null && bracket.max.epochMilliseconds < week.endMs;
  return isWithin ? week : null;
}

/** Start of the accounting week of an event of a row. */
export function weekOfTimeColumns<Row>(
  event: string,
  getTime: (row: Row) => KnownTime | null,
): Column<Row>[] {
  return time("week_start", {
    source: `accountingWeek of ${event}: Tuesday, 00:00 UTC; null if its time is unknown, or an ` +
      "interval over two weeks",
    instant: (row) => {
      const week = findKnownWeek(getTime(row));
      return week === null ? null : Temporal.Instant.fromEpochMilliseconds(week.startMs);
    },
  });
}

/** Seconds from one time to another, for axes. */
export function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return toSeconds(nanosecondsBetween(from, to));
}

/** Converts nanoseconds to seconds, for axes. */
export function toSeconds(nanoseconds: bigint): number {
  return ratioToNumber({ numerator: nanoseconds, denominator: 1_000_000_000n });
}
