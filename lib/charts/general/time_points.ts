import { exactText, percentText } from "../texts/axis_text.ts";
import { median, sum } from "../numbers/statistics.ts";
import { count } from "../rows/row_selection.ts";
import type { Bins } from "./bins.ts";
import { type ColumnText, withUnit } from "./column_text.ts";
import type { Series } from "./series.ts";
import type { TimeSeriesStat } from "./time_plan.ts";

/** A row at its place. */
export interface Placed<Row> {
  readonly row: Row;
  /** Seconds since 1970, or a number. */
  readonly at: number;
  /** Its number; 1 where rows are counted. */
  readonly value: number;
}

/** What is drawn of one series in one bin. */
export interface BinPoint {
  readonly name: string;
  readonly color: string;
  readonly x: number;
  /** `NaN` where a line is interrupted. */
  readonly y: number;
  readonly title: string;
}

/** The share of one series in one bin, on those below it. */
export interface SharePart {
  readonly color: string;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly title: string;
}

/** More digits of a sum of doubles would be noise. */
const DIGITS = 15;

const STATS: Readonly<Record<TimeSeriesStat, (values: readonly number[]) => number>> = {
  none: (values) => values[0] ?? NaN,
  sum: (values) => sum(values),
  count: (values) => values.length,
  median: (values) => median(values) ?? NaN,
  mean: (values) => sum(values) / values.length,
};

/** A number as a tip says it, with its unit. */
export function tipText(value: number, text: ColumnText): string {
  return withUnit(exactText(Number(value.toPrecision(DIGITS))), text);
}

function byBin<Row>(points: readonly Placed<Row>[], bins: Bins) {
  return Map.groupBy(points, ({ at }) => bins.indexOf(at));
}

/** One point for each series and bin: sums and counts are 0 in empty bins, others missing. */
export function binPoints<Row>(
  series: readonly Series<Placed<Row>>[],
  bins: Bins,
  { stat, text }: { stat: TimeSeriesStat; text: ColumnText },
): BinPoint[] {
  const isTotal = stat === "sum" || stat === "count";
  return series.flatMap(({ name, color, points }) => {
    const members = byBin(points, bins);
    return Array.from({ length: bins.count }, (_, index): BinPoint => {
      const own = members.get(index) ?? [];
      const y = own.length === 0 ? isTotal ? 0 : NaN : STATS[stat](own.map(({ value }) => value));
      const said = stat === "count"
        ? count(own.length, "row")
        : `${tipText(y, text)} in ${count(own.length, "row")}`;
      const title = `${bins.titleOf(index)}\n${name === "" ? "" : `${name}: `}${said}`;
      return { name, color, x: bins.at(index).x, y, title };
    });
  });
}

/** The share of each series in each bin that has something, stacked from 0 to 1. */
export function shareParts<Row>(
  series: readonly Series<Placed<Row>>[],
  bins: Bins,
  text: ColumnText,
): SharePart[] {
  const members = series.map(({ points }) => byBin(points, bins));
  return Array.from({ length: bins.count }, (_, index) => index).flatMap((index) => {
    const values = members.map((one) => sum(one.get(index) ?? [], ({ value }) => value));
    const total = sum(values);
    if (!(total > 0)) return [];
    let below = 0;
    return series.flatMap(({ name, color }, at): SharePart[] => {
      const value = values[at]!;
      if (value === 0) return [];
      const y1 = below / total;
      below += value;
      const title = `${bins.titleOf(index)}\n${name}: ${percentText(value / total)}\n` +
        `${tipText(value, { ...text, unit: null })} of ${tipText(total, text)}`;
      const { x1, x2 } = bins.at(index);
      return [{ color, x1, x2, y1, y2: below / total, title }];
    });
  });
}
