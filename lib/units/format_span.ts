import { isWhole } from "../errors/is_whole.ts";
import { divide } from "./divide.ts";
import { formatAtoms } from "./format_atoms.ts";
import { powerOfTen } from "./power_of_ten.ts";
import type { Rounding } from "./rounding.ts";

const NANOSECOND_DECIMALS = 9;
const MINUTE_NS = 60_000_000_000n;
const HOUR_NS = 60n * MINUTE_NS;
const DAY_NS = 24n * HOUR_NS;

/** How {@linkcode formatSpan} rounds the seconds. */
export interface SpanFormat {
  /** Maximum number of fraction digits of the seconds, a whole number from 0 to 9. */
  fractionDigits: number;
  /** How the remaining digits are rounded. */
  rounding: Rounding;
}

/**
 * Formats a span of time for readers, in days (of 24 hours), hours, minutes and seconds.
 *
 * Exact to the nanosecond unless `format` sets a rounding; units that are zero are left out.
 *
 * @param span Nanoseconds, or a duration without years, months and weeks, which vary in length.
 * @returns Text such as `4 min 12.3 s`; `0 s` for zero, with a leading `-` when negative.
 * @throws {RangeError} If the duration has years, months or weeks, or `fractionDigits` is not a
 * whole number from 0 to 9.
 *
 * @example Between two instants
 * ```ts
 * import { formatSpan } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const from = Temporal.Instant.from("2026-08-21T10:00:00Z");
 * const to = Temporal.Instant.from("2026-08-21T10:04:12.34Z");
 *
 * assertEquals(formatSpan(from.until(to)), "4 min 12.34 s");
 * assertEquals(
 *   formatSpan(252_340_000_000n, { fractionDigits: 1, rounding: "floor" }),
 *   "4 min 12.3 s",
 * );
 * ```
 */
export function formatSpan(span: bigint | Temporal.Duration, format?: SpanFormat): string {
  const exact = typeof span === "bigint" ? span : nanosecondsOf(span);
  const shown = format === undefined ? exact : round(exact, format);
  const size = shown < 0n ? -shown : shown;
  const seconds = size % MINUTE_NS;
  const parts = [
    [size / DAY_NS, "d"],
    [(size % DAY_NS) / HOUR_NS, "h"],
    [(size % HOUR_NS) / MINUTE_NS, "min"],
  ].filter(([count]) => count !== 0n).map(([count, unit]) => `${count} ${unit}`);
  if (seconds !== 0n || parts.length === 0) {
    parts.push(formatAtoms(seconds, NANOSECOND_DECIMALS, { symbol: "s" }));
  }
  return `${shown < 0n ? "-" : ""}${parts.join(" ")}`;
}

function round(span: bigint, { fractionDigits, rounding }: SpanFormat): bigint {
  if (!isWhole(fractionDigits, 0, 9)) {
    throw new RangeError(
      `Cannot format seconds with ${fractionDigits} fraction digits: the number must be whole and from 0 to 9`,
    );
  }
  const step = powerOfTen(NANOSECOND_DECIMALS - fractionDigits);
  return divide(span, step, { rounding }) * step;
}

function nanosecondsOf(duration: Temporal.Duration): bigint {
  if (duration.years !== 0 || duration.months !== 0 || duration.weeks !== 0) {
    throw new RangeError(
      `Cannot measure the duration ${duration} without a calendar: its largest unit must be days`,
    );
  }
  return BigInt(duration.days) * DAY_NS +
    BigInt(duration.hours) * HOUR_NS +
    BigInt(duration.minutes) * MINUTE_NS +
    BigInt(duration.seconds) * 1_000_000_000n +
    BigInt(duration.milliseconds) * 1_000_000n +
    BigInt(duration.microseconds) * 1_000n +
    BigInt(duration.nanoseconds);
}
