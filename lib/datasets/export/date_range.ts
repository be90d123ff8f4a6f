import { InputError } from "../../errors/mod.ts";
import type { NetworkName } from "../../networks/network.ts";
import { formatInstant } from "../../units/mod.ts";

/** Times between which auctions began. */
export interface DateRange {
  /** First time: a day of UTC (`2026-11-01`), a time with its offset (`2026-11-01T12:00Z`). */
  readonly from: string | Temporal.Instant;
  /** End, which does not count; left out to follow new auctions. */
  readonly to?: string | Temporal.Instant | undefined;
}

/** Dates as a manifest has them: RFC 3339 text in UTC. */
export interface RequestedDates {
  /** First time. */
  readonly from: string;
  /** End, which does not count; `null` without one. */
  readonly to: string | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads dates.
 *
 * @throws {InputError} If one is not a day or a time with its offset, or the end is not after the
 *   beginning.
 */
export function readDates({ from, to }: DateRange): RequestedDates {
  const begin = instantOf(from, "from");
  const end = to === undefined ? null : instantOf(to, "to");
  if (end !== null && Temporal.Instant.compare(begin, end) >= 0) {
    throw new InputError("Cannot export: the dates are empty", {
      facts: { from: formatInstant(begin), to: formatInstant(end) },
      remedy: "Pass an end after the beginning: the end itself does not count",
    });
  }
  return { from: formatInstant(begin), to: end === null ? null : formatInstant(end) };
}

function instantOf(value: string | Temporal.Instant, name: string): Temporal.Instant {
  if (value instanceof Temporal.Instant) return value;
  try {
    return Temporal.Instant.from(DAY.test(value) ? `${value}T00:00Z` : value);
  } catch (cause) {
    throw new InputError(`Cannot export: dates.${name} is not a time`, {
      facts: { found: String(value).slice(0, 80) },
      remedy:
        'Pass a day of UTC such as "2026-11-01", a time with its offset such as "2026-11-01T12:00Z", or a Temporal.Instant',
      cause,
    });
  }
}

/** What a network's auctions are like, where they were counted. */
export interface UsualNetwork {
  /** Auction ids in a day. */
  readonly idsPerDay: number;
  /** Share of the ids that have an auction. */
  readonly presentShare: number;
}

/** Mainnet makes 5,300 to 5,700 ids a day; of Base's 70,000 most are absent, here three of four. */
const USUAL: Partial<Readonly<Record<NetworkName, UsualNetwork>>> = {
  mainnet: { idsPerDay: 5_500, presentShare: 1 },
  base: { idsPerDay: 70_000, presentShare: 0.25 },
};

/** What a network's auctions are like; `null` where nobody counted. */
export function usualNetwork(network: NetworkName | undefined): UsualNetwork | null {
  return network === undefined ? null : USUAL[network] ?? null;
}
