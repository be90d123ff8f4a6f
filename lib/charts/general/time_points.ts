import { formatDuration } from "../axes/duration_axis.ts";
import { extent, max, median, roundStep, sum } from "../statistics.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import {
  formatExact,
  formatMoment,
  formatPercent,
  type Moment,
  toSeconds,
} from "../texts/label_text.ts";
import { addUnit, type ColumnText, type Series } from "./column_text.ts";
import { type BinWidth, findTimeWidth, formatPosition, type TimeSeriesStat } from "./time_plan.ts";

export interface PlacedRow<Row> {
  readonly row: Row;
  /** Seconds since 1970, or a number. */
  readonly position: number;
  /** Its number; 1 for counted rows. */
  readonly value: number;
}

/** Maximum number of digits of a sum of doubles; more would be noise. */
const DIGITS = 15;

const STATS: Readonly<Record<TimeSeriesStat, (values: readonly number[]) => number>> = {
  none: (values) => values[0] ?? NaN,
  sum: (values) => sum(values),
  count: (values) => values.length,
  median: (values) => median(values) ?? NaN,
  mean: (values) => sum(values) / values.length,
};

export function formatTip(value: number, text: ColumnText): string {
  return addUnit(formatExact(Number(value.toPrecision(DIGITS))), text);
}

function groupByBin<Row>(points: readonly PlacedRow<Row>[], bins: Bins) {
  return Map.groupBy(points, ({ position }) => bins.indexOf(position));
}

/** Creates one point per series and bin: sums and counts are 0 in empty bins, others missing. */
export function createBinPoints<Row>(
  series: readonly Series<PlacedRow<Row>>[],
  bins: Bins,
  { stat, text }: { stat: TimeSeriesStat; text: ColumnText },
) {
  const isTotal = stat === "sum" || stat === "count";
  return series.flatMap(({ name, color, points }) => {
    const members = groupByBin(points, bins);
    return Array.from({ length: bins.count }, (_, index) => {
      const binRows = members.get(index) ?? [];
      const y = binRows.length === 0
        ? isTotal ? 0 : NaN
        : STATS[stat](binRows.map(({ value }) => value));
      const amount = stat === "count"
        ? count(binRows.length, "row")
        : `${formatTip(y, text)} in ${count(binRows.length, "row")}`;
      const title = `${bins.formatTitle(index)}\n${name === "" ? "" : `${name}: `}${amount}`;
      return { name, color, x: bins.locate(index).x, y, title };
    });
  });
}

export type BinPoint = ReturnType<typeof createBinPoints>[number];

/** Stacks the shares of each series in each bin that has something, from 0 to 1. */
export function createShareParts<Row>(
  series: readonly Series<PlacedRow<Row>>[],
  bins: Bins,
  text: ColumnText,
) {
  const members = series.map(({ points }) => groupByBin(points, bins));
  return Array.from({ length: bins.count }, (_, index) => index).flatMap((index) => {
    const values = members.map((byIndex) => sum(byIndex.get(index) ?? [], ({ value }) => value));
    const total = sum(values);
    if (!(total > 0)) return [];
    let stacked = 0;
    return series.flatMap(({ name, color }, seriesIndex) => {
      const value = values[seriesIndex]!;
      if (value === 0) return [];
      const y1 = stacked / total;
      stacked += value;
      const title = `${bins.formatTitle(index)}\n${name}: ${formatPercent(value / total)}\n` +
        `${formatTip(value, { ...text, unit: null })} of ${formatTip(total, text)}`;
      const { x1, x2 } = bins.locate(index);
      return [{ color, x1, x2, y1, y2: stacked / total, title }];
    });
  });
}

export type SharePart = ReturnType<typeof createShareParts>[number];

/** Approximate number of bins if the caller sets no width. */
const USUAL_BINS = 60;

export function pickBinWidth(
  positions: readonly number[],
  isTime: boolean,
  noun: string,
): BinWidth {
  const [low = 0, high = 0] = extent(positions);
  if (isTime) return findTimeWidth(high - low, USUAL_BINS);
  const width = Math.max(1, roundStep((high - low + 1) / USUAL_BINS));
  return { width, isTime, origin: 0, text: width === 1 ? noun : `${formatWhole(width)} ${noun}s` };
}

/** Creates bins of a width around at least one position, which the column has. */
export function createBins(positions: readonly number[], every: BinWidth, column: string) {
  const { width, isTime, origin, text } = every;
  const toBin = (position: number) => Math.floor((position - origin) / width);
  const [low = 0, high = 0] = extent(positions);
  const [first, last] = [toBin(low), toBin(high)];
  // A number is itself: a bin of one block is around it.
  const shift = !isTime && width === 1 ? -0.5 : 0;
  const locate = (index: number) => {
    const x1 = (first + index) * width + origin + shift;
    return { x: x1 + width / 2, x1, x2: x1 + width };
  };
  return {
    text,
    /** Whether a bin holds several positions, of which only some may be known. */
    isWide: isTime || width > 1,
    count: last - first + 1,
    domain: [locate(0).x1, locate(last - first).x2] as const,
    indexOf: (position: number) => toBin(position) - first,
    locate,
    formatTitle: (index: number) => {
      const { x1, x2 } = locate(index);
      if (isTime) return formatTimes(x1, x2);
      const [from, to] = [x1 - shift, x2 - shift - 1].map((end) => formatPosition(end, column));
      return from === to ? `${from}` : `${from} to ${to}`;
    },
  };
}

export type Bins = ReturnType<typeof createBins>;

/** `2026-11-21 15:00:00 to 15:05:00 UTC`. */
function formatTimes(from: number, to: number): string {
  const [a, b] = [formatMoment(from), formatMoment(to)];
  const isDay = a.slice(0, 10) === b.slice(0, 10);
  return `${a.slice(0, 19)} to ${isDay ? b.slice(11) : b}`;
}

const TIME = /^(.*?)(?:_at|_time_(min|max))(?:_ms)?$/;
const BASIS = "time_basis";

/**
 * Finds the columns with the interval of each time. `auction_at` has its interval in `auction_time_min` and
 * `auction_time_max`, `filled_at` in `fill_time_min` and `fill_time_max`.
 *
 * @param names All columns of the rows.
 */
export function findBrackets(column: string, names: readonly string[]) {
  const [, stem = "", end] = TIME.exec(column) ?? [];
  const readStem = (name: string) => /^(.+)_time_max$/.exec(name)?.[1];
  const stemColumn = names.map(readStem).find((name) =>
    name === stem || (name && `${name}ed` === stem)
  );
  const [low, high] = [`${stemColumn}_time_min`, `${stemColumn}_time_max`];
  const isKnown = stemColumn !== undefined && names.includes(low);
  const hasBasis = names.includes(BASIS) && (isKnown || /(^|_)(auction|filled)$/.test(stem));
  const isBracketed = (row: object) => {
    if (isKnown) return measureSpan(row, low, high) !== null;
    return hasBasis && Reflect.get(row, BASIS) === "bracketed";
  };
  return {
    columns: [...(hasBasis ? [BASIS] : []), ...(isKnown ? [low, high] : [])],
    has: isBracketed,
    note: (rows: readonly object[]) => {
      const bracketed = rows.filter(isBracketed);
      if (bracketed.length === 0) return null;
      const widest = isKnown && max(bracketed.map((row) => measureSpan(row, low, high) ?? 0));
      return `${count(bracketed.length, "row")} whose time is known only as an interval ` +
        `${bracketed.length === 1 ? "is" : "are"} placed at its ` +
        (end === "max" ? "end" : "start") +
        (widest === undefined || widest === false ? "" : ` (up to ${formatDuration(widest)} long)`);
    },
  };
}

export type Brackets = ReturnType<typeof findBrackets>;

/** Measures an interval in seconds; `null` if a row has none. */
function measureSpan(row: object, low: string, high: string): number | null {
  const [from, to] = [low, high].map((name) => toSeconds(Reflect.get(row, name) as Moment | null));
  return from == null || to == null ? null : to - from;
}
