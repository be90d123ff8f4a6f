import { InputError } from "../../errors/mod.ts";
import { defineRule, type OptionRule } from "../../errors/option_rules.ts";
import { ACCOUNTING_WEEK } from "../../networks/network.ts";
import { DAY_MS, MINUTE_MS, WEEK_MS } from "../../units/instant.ts";
import type { KnownTime } from "../orders/fills.ts";

/** A time: a `Temporal.Instant`, or unix milliseconds. */
export type RewardMoment = Temporal.Instant | number;

/** Time of an event: a time, or the earliest and latest possible ones. */
export type RewardTime = RewardMoment | {
  /** The earliest. */
  readonly min: RewardMoment;
  /** The latest; `null` if unbounded. */
  readonly max: RewardMoment | null;
};

/** A time from a {@linkcode RewardClock}. */
export type RewardClockTime = Pick<KnownTime, "at" | "bracket">;

/**
 * Times of auctions and blocks, `null` if unknown; for example `AuctionTimes`.
 */
export interface RewardClock {
  /** Returns the time at which an auction began. */
  auction(auctionId: number): RewardClockTime | null;
  /** Returns the time of a block. */
  block(number: number): RewardClockTime | null;
}

/**
 * Times of auctions: a `Map` by id, pairs of id and time, or a clock that also knows blocks; it
 * dates the deadline block, which decides.
 */
export type RewardTimes = Iterable<readonly [auctionId: number, time: RewardTime]> | RewardClock;

/** An auction whose time is needed. */
interface TimedAuction {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Last block in which to settle. */
  readonly auctionDeadlineBlock?: number | null | undefined;
}

/** Bounds of a time, in unix milliseconds. */
interface TimeBounds {
  /** The earliest. */
  readonly min: number;
  /** The latest; `Infinity` if unbounded. */
  readonly max: number;
}

/** Allowed values of the option `times`. */
export const REWARD_TIMES: OptionRule<RewardTimes> = defineRule(
  "a Map of times by auction id, pairs of id and time, or the times of `auctionTimes`,",
  (value) =>
    value instanceof Map || isClock(value) ||
    Array.isArray(value) && value.every((entry) => Array.isArray(entry)),
);

function isClock(value: unknown): value is RewardClock {
  return typeof Object(value).auction === "function" && typeof Object(value).block === "function";
}

/** The service settles within a minute. */
export const DEADLINE_MS: number = MINUTE_MS;

/**
 * Creates a finder of bounds of the time of an auction's deadline block, which is at most `deadlineMs`
 * after the auction's time.
 *
 * @returns A function that returns `undefined` if the time of an auction is unknown, or if its times
 * contradict each other.
 * @throws {InputError} If a time is invalid, or its bounds are in the wrong order.
 */
export function createDeadlineFinder(
  times: RewardTimes,
  { deadlineMs, action }: { deadlineMs: number; action: string },
): (auction: TimedAuction) => TimeBounds | undefined {
  const addDeadline = ({ min, max }: TimeBounds) => ({ min, max: max + deadlineMs });
  if (!isClock(times)) {
    const bounds = new Map<number, TimeBounds>();
    for (const [id, time] of times) bounds.set(id, addDeadline(toBounds(time, id, action)));
    return ({ auctionId }) => bounds.get(auctionId);
  }
  return ({ auctionId, auctionDeadlineBlock }) => {
    const began = times.auction(auctionId);
    const due = auctionDeadlineBlock == null ? null : times.block(auctionDeadlineBlock);
    const bounds = [
      ...(began === null
        ? []
        : [addDeadline(toBounds(began.bracket ?? began.at, auctionId, action))]),
      ...(due === null ? [] : [toBounds(due.bracket ?? due.at, auctionId, action)]),
    ];
    if (bounds.length === 0) return undefined;
    const min = Math.max(...bounds.map((bounds) => bounds.min));
    const max = Math.min(...bounds.map((bounds) => bounds.max));
    // Times of the auction and of its blocks may contradict each other: then the time is unknown.
    return min <= max ? { min, max } : undefined;
  };
}

/** Creates a finder of bounds of a block's time, from a clock; without a clock, no block has a time. */
export function createBlockTimeFinder(
  times: RewardTimes,
  action: string,
): (block: number) => TimeBounds | undefined {
  if (!isClock(times)) return () => undefined;
  return (block) => {
    const time = times.block(block);
    return time === null ? undefined : toBounds(time.bracket ?? time.at, block, action);
  };
}

function toBounds(time: RewardTime, id: number, action: string): TimeBounds {
  const ms = toUnixMs(time);
  if (ms !== undefined) return { min: ms, max: ms };
  const { min, max } = Object(time);
  const low = toUnixMs(min);
  const high = max === null ? Infinity : toUnixMs(max);
  if (low === undefined || high === undefined || high < low) {
    throw new InputError(`${action}: the time of auction ${id} is invalid`, {
      facts: { found: (low === undefined ? String(time) : `${min} to ${max}`).slice(0, 80) },
      remedy: "Pass unix milliseconds, a Temporal.Instant, or both bounds as { min, max }",
    });
  }
  return { min: low, max: high };
}

function toUnixMs(moment: unknown): number | undefined {
  const ms = typeof moment === "number" ? moment : Object(moment).epochMilliseconds;
  return Number.isFinite(ms) ? ms : undefined;
}

/** 1970-01-01 was a Thursday. */
const ISO_WEEKDAY_OF_EPOCH = 4;

/** One week of the accounting: it includes its start and excludes its end. */
export interface AccountingPeriod {
  /** First day, such as `2026-11-17`; a Tuesday. */
  readonly firstDay: string;
  /** Start, unix milliseconds. */
  readonly startMs: number;
  /** End, unix milliseconds: the start of the next week. */
  readonly endMs: number;
}

/**
 * Returns the accounting week that a time belongs to: from Tuesday, 00:00 UTC, to the next Tuesday.
 *
 * The accounting assigns an auction to the week of its *deadline block* and a quote reward to the week
 * of the block that executed the order.
 *
 * @param time A `Temporal.Instant`, or unix milliseconds.
 * @returns The week; the first instant of a Tuesday starts a new one.
 * @throws {InputError} If `time` is neither.
 * @see {@link https://github.com/cowprotocol/docs/blob/02bf4f9539a3131bd08a68b53d37e2bee25e851c/docs/cow-protocol/reference/core/auctions/accounting.md | the accounting process}
 *
 * @example A Monday evening and the midnight after it
 * ```ts
 * import { accountingWeek } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const evening = Temporal.Instant.from("2026-11-23T23:59:59Z");
 *
 * assertEquals(accountingWeek(evening).firstDay, "2026-11-17");
 * assertEquals(accountingWeek(evening.add({ seconds: 1 })).firstDay, "2026-11-24");
 * ```
 */
export function accountingWeek(time: Temporal.Instant | number): AccountingPeriod {
  const ms = typeof time === "number" ? time : Object(time).epochMilliseconds;
  if (!Number.isFinite(ms)) {
    throw new InputError(`Cannot find the accounting week of ${String(time).slice(0, 80)}`, {
      remedy: "Pass a Temporal.Instant, or unix milliseconds as a number",
    });
  }
  const offset = startOfWeek();
  const startMs = Math.floor((ms - offset) / WEEK_MS) * WEEK_MS + offset;
  return {
    firstDay: new Date(startMs).toISOString().slice(0, 10),
    startMs,
    endMs: startMs + WEEK_MS,
  };
}

/** Shape of a day, such as `2026-11-17`. */
export const DAY: RegExp = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Whether a day begins an accounting week: amounts of any other day would never be used. */
export function isFirstDay(day: unknown): boolean {
  const ms = typeof day === "string" && DAY.test(day) ? Date.parse(day) : NaN;
  return Number.isFinite(ms) && accountingWeek(ms).firstDay === day;
}

/** Returns the start of the first accounting week after the epoch, in milliseconds. */
function startOfWeek(): number {
  const { isoWeekday, utcTime } = ACCOUNTING_WEEK;
  const [hours, minutes] = utcTime.split(":").map(Number);
  const days = (isoWeekday - ISO_WEEKDAY_OF_EPOCH + 7) % 7;
  return days * DAY_MS + (hours! * 60 + minutes!) * MINUTE_MS;
}
