import { InputError } from "../../errors/mod.ts";
import { ACCOUNTING_WEEK } from "../../networks/reward_rules.ts";

const MS_IN_DAY = 86_400_000;
const MS_IN_WEEK = 7 * MS_IN_DAY;
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
 * The accounting week that a time belongs to: from Tuesday, 00:00 UTC, to the next Tuesday.
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
  const startMs = Math.floor((ms - offset) / MS_IN_WEEK) * MS_IN_WEEK + offset;
  return {
    firstDay: new Date(startMs).toISOString().slice(0, 10),
    startMs,
    endMs: startMs + MS_IN_WEEK,
  };
}

/** Start of the first accounting week after the epoch, in milliseconds. */
function startOfWeek(): number {
  const { isoWeekday, utcTime } = ACCOUNTING_WEEK;
  const [hours, minutes] = utcTime.split(":").map(Number);
  const days = (isoWeekday - ISO_WEEKDAY_OF_EPOCH + 7) % 7;
  return days * MS_IN_DAY + (hours! * 60 + minutes!) * 60_000;
}
