import { count } from "../rows/row_selection.ts";
import { type Moment, momentText, secondsOf } from "../texts/moment.ts";

/** The rows of one accounting week. */
export interface RewardWeek<Row> {
  /** When it starts, in seconds since 1970; `null` if unknown. */
  start: number | null;
  /** Its rows, in their order. */
  rows: readonly Row[];
}

/** The rows by accounting week, the earliest first and those without a week last. */
export function rewardWeeks<Row extends { readonly week_start?: Moment | null }>(
  rows: readonly Row[],
): RewardWeek<Row>[] {
  return [...Map.groupBy(rows, (row) => secondsOf(row.week_start))]
    .map(([start, own]) => ({ start, rows: own }))
    .toSorted((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity));
}

/** What stands over the panel of a week; nothing where no row tells its week. */
export function weekHeading(
  { start }: RewardWeek<unknown>,
  weeks: readonly RewardWeek<unknown>[],
): { readonly heading?: string } {
  if (start !== null) {
    return { heading: `Accounting week from ${momentText(start).slice(0, 10)}` };
  }
  return weeks.length === 1 ? {} : { heading: "Auctions of an unknown week" };
}

/** `2 accounting weeks`; `null` where no row tells its week. */
export function weeksText(weeks: readonly RewardWeek<unknown>[]): string | null {
  const known = weeks.filter(({ start }) => start !== null).length;
  return known === 0 ? null : count(known, "accounting week");
}
