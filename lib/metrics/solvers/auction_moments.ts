import { InputError } from "../../errors/mod.ts";
import { type OptionRule, rule } from "../../errors/option_rules.ts";

/** A time: a `Temporal.Instant`, or unix milliseconds. */
export type RewardMoment = Temporal.Instant | number;

/** When something was: a time, or the earliest and latest that it can have been. */
export type RewardTime = RewardMoment | {
  /** The earliest. */
  readonly min: RewardMoment;
  /** The latest; `null` where nothing bounds it. */
  readonly max: RewardMoment | null;
};

/** Times by auction id: a `Map`, or pairs of id and time. */
export type RewardTimes = Iterable<readonly [auctionId: number, time: RewardTime]>;

/** Bounds of a time, in unix milliseconds. */
export interface TimeBounds {
  /** The earliest. */
  readonly min: number;
  /** The latest; `Infinity` where nothing bounds it. */
  readonly max: number;
}

/** What an option may be that takes times by a number. */
export function timesRule<Value extends Iterable<unknown>>(of: string): OptionRule<Value> {
  return rule(
    `a Map of times by ${of}, or pairs of ${of} and time,`,
    (value) =>
      value instanceof Map || Array.isArray(value) && value.every((one) => Array.isArray(one)),
  );
}

/**
 * Bounds of each time by its number.
 *
 * @throws {InputError} If a time is no time, or its bounds are the wrong way round.
 */
export function timeBounds(
  times: Iterable<readonly [number, RewardTime]>,
  action: string,
): Map<number, TimeBounds> {
  const bounds = new Map<number, TimeBounds>();
  for (const [id, time] of times) bounds.set(id, boundsOf(time, id, action));
  return bounds;
}

function boundsOf(time: RewardTime, id: number, action: string): TimeBounds {
  const ms = momentMs(time);
  if (ms !== undefined) return { min: ms, max: ms };
  const { min, max } = Object(time);
  const low = momentMs(min);
  const high = max === null ? Infinity : momentMs(max);
  if (low === undefined || high === undefined || high < low) {
    throw new InputError(`${action} with a time of ${id} that is none`, {
      facts: { found: String(time).slice(0, 80) },
      remedy: "Pass unix milliseconds, a Temporal.Instant, or both ends as { min, max }",
    });
  }
  return { min: low, max: high };
}

function momentMs(moment: unknown): number | undefined {
  const ms = typeof moment === "number" ? moment : Object(moment).epochMilliseconds;
  return Number.isFinite(ms) ? ms : undefined;
}
