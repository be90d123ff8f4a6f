import type { OptionRules } from "../../errors/option_rules.ts";
import { TIMES } from "../../metrics/auctions/auction_times.ts";
import type { AuctionTimes, TimeBasis } from "../../metrics/mod.ts";
import type { KnownTime } from "../../metrics/orders/known_time.ts";
import { text, time } from "./columns.ts";
import type { Column } from "./frame.ts";

/** Times of auctions and blocks. */
export interface TimeOptions {
  /**
   * When auctions began and blocks were produced, from `auctionTimes`. Without it, columns of times
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
  readonly of: (row: Row) => KnownTime | null;
}

/** The columns of a time that may be known only as an interval: the time and the interval. */
export function timeInInterval<Row>(
  name: string,
  { interval, source, of }: KnownTimeDeclaration<Row>,
): Column<Row>[] {
  return [
    ...time<Row>(name, {
      source: `${source}; if time_basis is bracketed, ${interval}_min`,
      at: (row) => of(row)?.at,
    }),
    ...time<Row>(`${interval}_min`, {
      source: `earliest possible ${name}; null unless time_basis is bracketed`,
      at: (row) => of(row)?.bracket?.min,
    }),
    ...time<Row>(`${interval}_max`, {
      source: `latest possible ${name}; null unless time_basis is bracketed`,
      at: (row) => of(row)?.bracket?.max,
    }),
  ];
}

/** How the times of a row are known; the weakest basis if it has several. */
export function timeBasis<Row>(of: (row: Row) => readonly (KnownTime | null)[]): Column<Row> {
  return text("time_basis", {
    source: "block, event (traded: when the fill was indexed) or bracketed; null if unknown",
    cell: (row) => {
      const known = new Set(of(row).map((one) => one?.basis));
      return WEAKEST_FIRST.find((basis) => known.has(basis)) ?? null;
    },
  });
}

const WEAKEST_FIRST: readonly TimeBasis[] = ["bracketed", "event", "block"];

/** When the auction of a row began. */
export function auctionTimeColumns<Row>(of: (row: Row) => KnownTime | null): Column<Row>[] {
  return [
    ...timeInInterval<Row>("auction_at", {
      interval: "auction_time",
      source: "when the auction began: timestamp of its start block",
      of,
    }),
    timeBasis<Row>((row) => [of(row)]),
  ];
}

/** When the fill of a row happened. */
export function fillTimeColumns<Row>(of: (row: Row) => KnownTime | null): Column<Row>[] {
  return [
    ...timeInInterval<Row>("filled_at", {
      interval: "fill_time",
      source: "when the fill happened: timestamp of its block, or of the event traded",
      of,
    }),
    timeBasis<Row>((row) => [of(row)]),
  ];
}
