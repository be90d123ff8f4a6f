import { InputError } from "../../errors/input_error.ts";
import { sum } from "../numbers/statistics.ts";
import { count, wholeText } from "../rows/row_selection.ts";
import { type Bins, binsOf, usualEvery } from "./bins.ts";
import { groupNoun } from "./column_text.ts";
import { numberIn, textIn } from "./open_rows.ts";
import { type Places, placesOf } from "./places.ts";
import { MOST_SERIES, type Series, seriesOf } from "./series.ts";
import { placeNoun, requireFitting, type TimePlan, type TimeSeriesOptions } from "./time_plan.ts";
import type { Placed } from "./time_points.ts";

/** What is seen of some rows. */
export interface TimeSelection<Row> {
  /** Where they stand. */
  readonly places: Places;
  /** Those with a place and a number. */
  readonly placed: readonly Placed<Row>[];
  /** The same, told apart. */
  readonly groups: readonly Series<Placed<Row>>[];
  /** Their bins; `null` where every row is drawn, or there is none. */
  readonly bins: Bins | null;
  /** How many rows have no place, and how many of the others no number. */
  readonly missing: { readonly places: number; readonly numbers: number };
  /** The rows that are drawn. */
  readonly drawn: readonly Row[];
}

/** More bins would be narrower than a pixel, and more points would be a heavy page. */
const [MOST_BINS, MOST_POINTS] = [2_000, 4_000];

/**
 * Selects the rows that can be drawn, and puts them in series and bins.
 *
 * @throws {InputError} If the bins do not suit the places or are too many, or a share is asked for of
 * negative numbers.
 */
export function selectTimes<Row extends object>(
  rows: readonly Row[],
  options: TimeSeriesOptions,
  { plan, action }: { plan: TimePlan; action: string },
): TimeSelection<Row> {
  const { x, y, series, limit = MOST_SERIES } = options;
  const places = placesOf(rows, x, action);
  const standing = rows.flatMap((row) => {
    const at = places.of(row);
    return at === null ? [] : [{ row, at, value: y === undefined ? 1 : numberIn(row, y) }];
  });
  const placed = standing.filter((one): one is Placed<Row> => one.value !== null);
  if (plan.isShare && plan.stat === "sum") requireShares(placed, y!, action);
  const groups = seriesOf(placed, {
    keyOf: series === undefined ? null : ({ row }) => textIn(row, series),
    sizeOf: (points) =>
      plan.stat === "sum" ? Math.abs(sum(points, ({ value }) => value)) : points.length,
    limit,
    noun: groupNoun(series ?? ""),
  });
  return {
    places,
    placed,
    groups,
    bins: plan.stat === "none" || placed.length === 0
      ? null
      : requireFew(binned(placed, places, { plan, x, action }), groups.length, action),
    missing: { places: rows.length - standing.length, numbers: standing.length - placed.length },
    drawn: placed.map(({ row }) => row),
  };
}

function binned(
  placed: readonly Placed<unknown>[],
  places: Places,
  { plan, x, action }: { plan: TimePlan; x: string; action: string },
): Bins {
  const ats = placed.map(({ at }) => at);
  if (plan.every !== null) requireFitting(plan.every, places, { x, action });
  return binsOf(ats, plan.every ?? usualEvery(ats, places.isTime, placeNoun(x)));
}

function requireFew(bins: Bins, series: number, action: string): Bins {
  const most = Math.min(MOST_BINS, Math.floor(MOST_POINTS / series));
  if (bins.count <= most) return bins;
  throw new InputError(`${action} every ${bins.text}: ${wholeText(bins.count)} bins`, {
    remedy: `Pass a longer time as every, for at most ${wholeText(most)} bins` +
      (series === 1 ? "" : ` of ${series} series`),
  });
}

function requireShares(placed: readonly Placed<unknown>[], y: string, action: string): void {
  const negative = placed.filter(({ value }) => value < 0).length;
  if (negative === 0) return;
  throw new InputError(
    `${action} with shares of ${y}, which is negative in ${count(negative, "row")}`,
    {
      remedy: "Leave out share, or these rows",
    },
  );
}
