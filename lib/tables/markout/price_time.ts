import { InputError } from "../../errors/mod.ts";

/**
 * The time of a price: a `Temporal.Instant`, a `Date`, RFC 3339 text, or unix time as a whole
 * number (or its text), in seconds below 10^11 and in milliseconds above. Text may have a space
 * instead of the `T` and end in `UTC`; without a zone it is UTC.
 */
export type PriceTime = Temporal.Instant | Date | string | number | bigint;

/** A unix time of at least this is in milliseconds: in seconds it would be in the year 5138. */
const FIRST_MS = 100_000_000_000;
/** The end of the year 9999: later times are in a smaller unit than milliseconds. */
const LAST_MS = 253_402_300_799_999;
const WHOLE = /^-?[0-9]+$/;
const DATE_AND_TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?) ?(Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$/i;

/**
 * A time in unix milliseconds, rounded down.
 *
 * @throws {InputError} If it is not a time.
 */
export function priceTime(time: PriceTime, where: string): number {
  const ms = millisecondsOf(time);
  if (ms !== undefined && Number.isSafeInteger(ms) && Math.abs(ms) <= LAST_MS) return ms;
  throw new InputError(`${where} has the time ${String(time).slice(0, 80)}`, {
    remedy: 'Pass RFC 3339 text such as "2026-11-21T15:00:00Z", or unix seconds or milliseconds',
  });
}

function millisecondsOf(time: unknown): number | undefined {
  if (time instanceof Date) return time.getTime();
  if (typeof time === "number" || typeof time === "bigint") return ofNumber(Number(time));
  if (typeof time === "string") return ofText(time.trim());
  return Object(time).epochMilliseconds;
}

function ofNumber(time: number): number | undefined {
  if (!Number.isSafeInteger(time)) return undefined;
  return Math.abs(time) < FIRST_MS ? time * 1_000 : time;
}

function ofText(text: string): number | undefined {
  if (WHOLE.test(text)) return ofNumber(Number(text));
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
