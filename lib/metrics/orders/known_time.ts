import { type OptionRule, rule } from "../../errors/option_rules.ts";

/**
 * Where a time comes from: `block` is the timestamp of the block itself, `event` that of the event
 * `traded` of a debug report, stored when the service indexed the fill, a little after its block, and
 * `bracketed` an interval that follows from the dates of orders.
 */
export type TimeBasis = "block" | "event" | "bracketed";

/** The interval in which something happened. */
export interface TimeBracket {
  /** It did not happen earlier. */
  readonly min: Temporal.Instant;
  /** It did not happen later; `null` if no bound is known. */
  readonly max: Temporal.Instant | null;
}

/** When something happened, as far as known. */
export interface KnownTime {
  /** The time; if `basis` is `bracketed`, the earliest that it can be. */
  readonly at: Temporal.Instant;
  /** Where it comes from. */
  readonly basis: TimeBasis;
  /** The interval; `null` unless `basis` is `bracketed`. */
  readonly bracket: TimeBracket | null;
}

/** Times of blocks, as far as known, such as `AuctionTimes`. */
export interface BlockClock {
  /** When a block was produced; `null` where nothing is known. */
  block(number: number): KnownTime | null;
}

/** Allowed values of an option that takes times of blocks and auctions. */
export function timesRule<Clock extends BlockClock>(
  methods: readonly (keyof Clock & string)[],
): OptionRule<Clock> {
  return rule(
    "the times that `auctionTimes` returns",
    (value) =>
      typeof value === "object" && value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
  );
}

/** A time that is known exactly. */
export function exactTime(at: Temporal.Instant, basis: "block" | "event"): KnownTime {
  return { at, basis, bracket: null };
}

/** A time that is known only as an interval. */
export function bracketedTime(bracket: TimeBracket): KnownTime {
  return { at: bracket.min, basis: "bracketed", bracket };
}

/** The later of two times; either may be missing. */
export function laterOf(
  a: Temporal.Instant | null | undefined,
  b: Temporal.Instant | null | undefined,
): Temporal.Instant | null {
  if (a == null || b == null) return a ?? b ?? null;
  return Temporal.Instant.compare(a, b) < 0 ? b : a;
}

/** The earlier of two times; either may be missing. */
export function earlierOf(
  a: Temporal.Instant | null | undefined,
  b: Temporal.Instant | null | undefined,
): Temporal.Instant | null {
  if (a == null || b == null) return a ?? b ?? null;
  return Temporal.Instant.compare(a, b) < 0 ? a : b;
}

/** The bracket of two bounds; `null` without a lower one, or if they contradict each other. */
export function bracketOf(
  min: Temporal.Instant | null,
  max: Temporal.Instant | null,
): TimeBracket | null {
  if (min === null) return null;
  return max !== null && Temporal.Instant.compare(min, max) > 0 ? null : { min, max };
}
