import { InputError } from "../errors/orderlens_error.ts";

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;
/** An hour, in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;
/** A week, in milliseconds. */
export const WEEK_MS = 7 * DAY_MS;

/** The latest time of a `Date`, in unix milliseconds. */
export const MAX_DATE_MS = 8.64e15;

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads the two digits at `index` as a number; `NaN` where one is not a digit. */
function readTwoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const units = text.charCodeAt(index + 1) - 48;
  return (tens >>> 0) > 9 || (units >>> 0) > 9 ? NaN : tens * 10 + units;
}

/** Whether a text has dividers at the positions of RFC 3339. */
function hasDividers(text: string): boolean {
  return text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45 && text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58 &&
    text.charCodeAt(text.length - 1) === 90;
}

/** Reads the fraction of a second from index 19 on, in nanoseconds; `NaN` if it is malformed. */
function readFraction(text: string): number {
  const end = text.length - 1;
  if (end === 19) return 0;
  if (end === 20 || text.charCodeAt(19) !== 46) return NaN;
  let nanoseconds = 0;
  for (let index = 20; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if ((digit >>> 0) > 9) return NaN;
    nanoseconds = nanoseconds * 10 + digit;
  }
  for (let index = end; index < 29; index++) nanoseconds *= 10;
  return nanoseconds;
}

/** Counts days from 1970-01-01 to a day of the Gregorian calendar. */
function countDaysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return 365 * shifted + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + day - 719_469;
}

/**
 * Parses nanoseconds since the epoch; `undefined` if the text is not a timestamp in the service's
 * format.
 */
function parseEpochNanoseconds(text: string): bigint | undefined {
  if (text.length < 20 || text.length > 30 || !hasDividers(text)) return undefined;
  const year = readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2);
  const month = readTwoDigits(text, 5);
  const day = readTwoDigits(text, 8);
  const hour = readTwoDigits(text, 11);
  const minute = readTwoDigits(text, 14);
  const second = readTwoDigits(text, 17);
  const nanoseconds = readFraction(text);
  const isTime = hour < 24 && minute < 60 && second < 60 && nanoseconds >= 0;
  if (!(month >= 1 && month <= 12 && day >= 1 && isTime && year >= 0)) return undefined;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > DAYS_IN_MONTH[month - 1]! || (month === 2 && day === 29 && !isLeapYear)) {
    return undefined;
  }
  const seconds = countDaysSinceEpoch(year, month, day) * 86_400 + hour * 3_600 + minute * 60 +
    second;
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
}

/**
 * Texts whose number of fractional digits differs from the one {@linkcode formatInstant} would
 * choose.
 */
const unusualTexts = new WeakMap<Temporal.Instant, string>();

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** The text of the most recent day: times of a list mostly fall on few days. */
let lastDay = NaN;
let lastDayText = "";

/** Formats several times faster than `toString`, because each day is formatted once. */
function formatUsual(instant: Temporal.Instant): string {
  const wholeSeconds = Math.floor(instant.epochMilliseconds / 1_000);
  const day = Math.floor(instant.epochMilliseconds / DAY_MS);
  if (day !== lastDay) {
    lastDay = day;
    lastDayText = new Date(day * DAY_MS).toISOString().replace(/T.*$/, "");
  }
  const nanoseconds = Number(instant.epochNanoseconds - BigInt(wholeSeconds) * 1_000_000_000n);
  const digits = countFractionDigits(nanoseconds);
  const second = wholeSeconds - day * (DAY_MS / 1_000);
  const hours = TWO_DIGITS[Math.floor(second / 3_600)];
  const minutes = TWO_DIGITS[Math.floor(second / 60) % 60];
  const fraction = digits === 0 ? "" : `.${String(nanoseconds).padStart(9, "0").slice(0, digits)}`;
  return `${lastDayText}T${hours}:${minutes}:${TWO_DIGITS[second % 60]}${fraction}Z`;
}

/** Returns the fewest of 0, 3, 6 or 9 digits that hold a fraction of a second. */
function countFractionDigits(nanoseconds: number): 0 | 3 | 6 | 9 {
  if (nanoseconds === 0) return 0;
  if (nanoseconds % 1_000_000 === 0) return 3;
  return nanoseconds % 1_000 === 0 ? 6 : 9;
}

/**
 * Parses a timestamp in the service's format: RFC 3339 in UTC with `Z` and 0 to 9 fractional
 * digits.
 *
 * @returns The instant, exact to the nanosecond.
 * @throws {InputError} If the text is not such a timestamp, or its date does not exist.
 *
 * @example Nanoseconds and their number of digits survive a round trip
 * ```ts
 * import { formatInstant, parseInstant } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const instant = parseInstant("2026-11-21T15:00:23.252884414Z");
 * assertEquals(instant.epochNanoseconds % 1_000n, 414n);
 * assertEquals(formatInstant(parseInstant("2026-11-21T15:00:23.500000Z")), "2026-11-21T15:00:23.500000Z");
 * ```
 */
export function parseInstant(text: string): Temporal.Instant {
  const instant = tryParseInstant(text);
  if (instant === undefined) {
    throw new InputError(`Cannot read ${JSON.stringify(text).slice(0, 80)} as a timestamp`, {
      remedy: 'Pass RFC 3339 in UTC, for example "2026-11-21T15:00:23.252884Z"',
    });
  }
  return instant;
}

/** Like {@linkcode parseInstant}, but returns `undefined` where that throws. */
export function tryParseInstant(text: string): Temporal.Instant | undefined {
  const nanoseconds = parseEpochNanoseconds(text);
  if (nanoseconds === undefined) return undefined;
  const instant = new Temporal.Instant(nanoseconds);
  // The service itself writes 0, 3, 6 or 9 digits that do not end in three zeros.
  const isUsual = text.length === 20 ||
    ((text.length === 24 || text.length === 27 || text.length === 30) &&
      !text.endsWith("000Z"));
  if (!isUsual) unusualTexts.set(instant, text);
  return instant;
}

/**
 * Formats a timestamp as the service does: UTC with `Z` and the fewest of 0, 3, 6 or 9 fractional
 * digits that hold the value. An instant parsed from another number of digits keeps that number.
 */
export function formatInstant(instant: Temporal.Instant): string {
  return unusualTexts.get(instant) ?? formatUsual(instant);
}

/**
 * Returns the time from one instant to another, in nanoseconds.
 *
 * @returns Nanoseconds; negative if `to` is earlier than `from`.
 *
 * @example From creation to settlement
 * ```ts
 * import { nanosecondsBetween } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const created = Temporal.Instant.from("2026-08-21T10:00:00.000001Z");
 * const traded = Temporal.Instant.from("2026-08-21T10:00:12Z");
 *
 * assertEquals(nanosecondsBetween(created, traded), 11_999_999_000n);
 * ```
 */
export function nanosecondsBetween(from: Temporal.Instant, to: Temporal.Instant): bigint {
  return to.epochNanoseconds - from.epochNanoseconds;
}
