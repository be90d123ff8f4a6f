/** A moment: RFC 3339 text as tables have it, or a date or instant. */
export type Moment = string | Date | Temporal.Instant;

const MOST_MILLISECONDS = 8.64e15;

/** A moment as seconds since 1970; `null` when it is not a valid time. */
export function secondsOf(moment: Moment | null | undefined): number | null {
  if (moment === null || moment === undefined) return null;
  if (moment instanceof Date) return inRange(moment.getTime());
  try {
    return inRange(Number(Temporal.Instant.from(String(moment)).epochNanoseconds) / 1e6);
  } catch {
    return null;
  }
}

function inRange(milliseconds: number): number | null {
  return Math.abs(milliseconds) <= MOST_MILLISECONDS ? milliseconds / 1_000 : null;
}

/** Formats seconds since 1970, to the second: `2026-11-21 15:18:19 UTC`. */
export function momentText(seconds: number): string {
  const [day, time] = new Date(Math.floor(seconds) * 1_000).toISOString().split("T");
  return `${day} ${time?.slice(0, 8)} UTC`;
}
