/**
 * Reads the wait that an answer asks for from `Retry-After`, in seconds or as a date.
 *
 * A date is compared with the answer's own `Date`, so that a clock difference between client and
 * server does not matter; `nowMs` is used if the answer has none.
 *
 * @param headers Headers of the answer.
 * @param nowMs Milliseconds since the unix epoch. @default {Date.now()}
 * @returns Milliseconds counted from the answer, `0` for a date in the past; `undefined` if the
 * header is absent or holds neither seconds nor a date.
 * @example Seconds, and a date
 * ```ts
 * import { retryAfterMs } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(retryAfterMs(new Headers({ "retry-after": "120" })), 120_000);
 *
 * const headers = new Headers({
 *   "date": "Sat, 03 Oct 2026 10:00:00 GMT",
 *   "retry-after": "Sat, 03 Oct 2026 10:00:30 GMT",
 * });
 * assertEquals(retryAfterMs(headers), 30_000);
 * ```
 */
export function retryAfterMs(headers: Headers, nowMs: number = Date.now()): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const untilMs = dateMs(text);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (dateMs(headers.get("date")) ?? nowMs));
}

/** Parses an HTTP date; `Date.parse` alone would read `-1` as a year. */
function dateMs(text: string | null): number | undefined {
  if (text === null || !/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
