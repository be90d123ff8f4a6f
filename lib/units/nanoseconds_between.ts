/**
 * The time from one instant to another, in nanoseconds.
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
