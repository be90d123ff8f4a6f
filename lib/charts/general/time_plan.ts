import { InputError } from "../../errors/input_error.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type ColumnText, columnText } from "./column_text.ts";
import { type Every, everyOf } from "./every.ts";
import type { Places } from "./places.ts";

/** What is drawn of the rows in one bin. */
export type TimeSeriesStat = "none" | "sum" | "median" | "mean" | "count";

/** Options of {@linkcode timeSeries}. */
export interface TimeSeriesOptions extends ChartOptions {
  /**
   * Column of the horizontal axis: times as UTC text, dates, instants or milliseconds, or numbers of
   * blocks or auctions.
   */
  x: string;
  /** Column of numbers. @default {none: rows are counted} */
  y?: string;
  /** Column of texts by which rows are told apart. @default {one series} */
  series?: string;
  /**
   * What is drawn of the rows in each bin; `none` draws every row.
   * @default {"none" with `y`, "count" without; with `share`, "sum" or "count"}
   */
  stat?: TimeSeriesStat;
  /**
   * Width of a bin, such as `"5 minutes"`, `"hour"`, `"day"`, `"week"` (from Monday, UTC) or
   * `"100 blocks"`. @default {at most about 60 bins}
   */
  every?: string;
  /** Whether to draw the share of each series in the sum or count of a bin. @default {false} */
  share?: boolean;
  /** Unit of `y`, for labels. @default {as its name ends: bps for slippage_net_bps} */
  unit?: string;
  /** Most series, from 1 to 6; the others share one more. @default {6} */
  limit?: number;
}

/** The options, settled and checked against each other. */
export interface TimePlan {
  readonly stat: TimeSeriesStat;
  readonly isShare: boolean;
  readonly every: Every | null;
  /** What `y` is called, or `Rows`. */
  readonly text: ColumnText;
}

const WORDS: Readonly<Record<TimeSeriesStat, string>> = {
  none: "",
  sum: "",
  median: "Median ",
  mean: "Mean ",
  count: "",
};

/**
 * Settles what the options leave open.
 *
 * @throws {InputError} If they contradict each other.
 */
export function timePlan(options: TimeSeriesOptions, action: string): TimePlan {
  const { y, series, share: isShare = false, every, unit } = options;
  const fallback = isShare ? "sum" : "none";
  const stat = options.stat ?? (y === undefined ? "count" : fallback);
  const reject = (what: string, remedy: string) => {
    throw new InputError(`${action} ${what}`, { remedy });
  };
  if (y === undefined && stat !== "count") {
    reject("without y", 'Pass the name of a column of numbers as y, or "count" as stat');
  }
  if (every !== undefined && stat === "none") {
    reject("with every and without a stat", "Pass sum, median, mean or count as stat");
  }
  if (isShare && series === undefined) {
    reject("with share and without series", "Pass the name of a column of texts as series");
  }
  if (isShare && stat !== "sum" && stat !== "count") {
    reject(`with share and stat "${stat}"`, "Pass sum or count as stat");
  }
  const text = stat === "count" ? { name: "Rows", unit: unit ?? null } : columnText(y!, unit);
  return { stat, isShare, every: every === undefined ? null : everyOf(every), text };
}

/** What is drawn, as the beginning of a label: `Median slippage net`. */
export function statName({ stat, text }: TimePlan): string {
  const word = WORDS[stat];
  return word === "" || !/^[A-Z][a-z]/.test(text.name)
    ? word + text.name
    : word + text.name.slice(0, 1).toLowerCase() + text.name.slice(1);
}

/** What a number along x counts: `block`, `auction` or `number`. */
export function placeNoun(x: string): string {
  return /(^|_)(block|auction)(_|$)/.exec(x)?.[2] ?? "number";
}

/** @throws {InputError} If bins are of time and the places are not, or the other way round. */
export function requireFitting(
  every: Every,
  { isTime }: Places,
  { x, action }: { x: string; action: string },
): void {
  const noun = placeNoun(x);
  const isCounted = !every.isTime && (noun === "number" || every.text.startsWith(noun) ||
    every.text.endsWith(`${noun}s`));
  if (isTime ? every.isTime : isCounted) return;
  throw new InputError(`${action} with every ${JSON.stringify(every.text)} along ${x}`, {
    remedy: isTime
      ? 'Pass a time, such as "5 minutes": the column has times'
      : `Pass "100 ${noun === "number" ? "block" : noun}s": the column has numbers`,
  });
}
