import { type Moment, secondsOf } from "../texts/moment.ts";
import { count, isNumber } from "./row_selection.ts";

/** How the time of a row is known: `block`, `event` or `bracketed`; `null` where it is not. */
export interface WithTimeBasis {
  /** The column `time_basis`. */
  readonly time_basis?: string | null;
}

/** Later times are no dates, in unix milliseconds. */
const MOST_MILLISECONDS = 8.64e15;

/** When something happened, in seconds since 1970: by a column of milliseconds, else by a moment. */
export function secondsFrom(
  milliseconds: number | null | undefined,
  moment?: Moment | null,
): number | null {
  return isNumber(milliseconds) && Math.abs(milliseconds) <= MOST_MILLISECONDS
    ? milliseconds / 1_000
    : secondsOf(moment);
}

/** Whether only an interval of a row's time is known; its time is then the start of it. */
export function isBracketed({ time_basis: basis }: WithTimeBasis): boolean {
  return basis === "bracketed";
}

/** What a caption says of rows that are placed at the start of an interval. */
export function earliestNote(
  rows: readonly WithTimeBasis[],
  noun: string,
): string | null {
  const bracketed = rows.filter(isBracketed).length;
  if (bracketed === 0) return null;
  return bracketed === 1
    ? `1 ${noun} drawn at the earliest: only an interval of its time is known`
    : `${count(bracketed, noun)} drawn at the earliest: only intervals of their times are known`;
}
