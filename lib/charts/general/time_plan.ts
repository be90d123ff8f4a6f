import type { ScaleOptions } from "@observablehq/plot";
import { defineRule, type OptionRule } from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { lowerFirst } from "../../units/format.ts";
import { MAX_DATE_MS } from "../../units/instant.ts";
import { createAxisLabel } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { formatWhole } from "../texts/count_text.ts";
import { formatMoment, formatNumber, type Moment, toSeconds } from "../texts/label_text.ts";
import { readText } from "../rows.ts";
import { describeColumn, readNumber } from "./column_text.ts";

/** Statistic of the rows in one bin. */
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
  /** Column of texts by which rows are distinguished. @default {one series} */
  series?: string;
  /**
   * Statistic of the rows in each bin; `none` draws every row.
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
  /** Noun for a row in the caption, in the singular. @default {"row"} */
  noun?: string;
  /** Most series, from 1 to 6; the others share one more. @default {6} */
  limit?: number;
}

/** Beginning of the messages of {@linkcode timeSeries}. */
export const TIME_SERIES_ACTION = "Cannot draw timeSeries";

export type TimePlan = ReturnType<typeof planTimeSeries>;

const PREFIXES: Partial<Record<TimeSeriesStat, string>> = { median: "Median ", mean: "Mean " };

/**
 * Completes the options by their defaults, which depend on each other.
 *
 * @throws {InputError} If they contradict each other.
 */
export function planTimeSeries(options: TimeSeriesOptions) {
  const { y, series, share: isShare = false, every, unit } = options;
  const fallback = isShare ? "sum" : "none";
  const stat = options.stat ?? (y === undefined ? "count" : fallback);
  const isTotal = stat === "sum" || stat === "count";
  const contradictions = [
    [
      y === undefined && stat !== "count",
      "without y",
      'Pass the name of a column of numbers as y, or "count" as stat',
    ],
    [
      every !== undefined && stat === "none",
      'with `every` and stat "none"',
      "Pass sum, median, mean or count as stat",
    ],
    [
      isShare && series === undefined,
      "with share but without series",
      "Pass the name of a text column as series",
    ],
    [isShare && !isTotal, `with share and stat "${stat}"`, "Pass sum or count as stat"],
  ] as const;
  for (const [isThere, problem, remedy] of contradictions) {
    if (isThere) throw new InputError(`${TIME_SERIES_ACTION} ${problem}`, { remedy });
  }
  const text = stat === "count" ? { name: "Rows", unit: unit ?? null } : describeColumn(y!, unit);
  const name = stat in PREFIXES ? PREFIXES[stat] + lowerFirst(text.name) : text.name;
  return {
    stat,
    isShare,
    isTotal,
    every: every === undefined ? null : parseBinWidth(every),
    text,
    /** Beginning of a label: `Median slippage net`. */
    name,
    subject: isShare ? `Share of ${lowerFirst(text.name)}` : name,
  };
}

/** Returns the noun for numbers along x: `block`, `auction` or `number`. */
export function nameXUnit(x: string): string {
  return /(^|_)(block|auction)(_|$)/.exec(x)?.[2] ?? "number";
}

/**
 * Requires that bins and positions are both times, or count the same: blocks or auctions.
 *
 * @param x Column of the positions.
 * @throws {InputError} Otherwise.
 */
export function requireFittingBins(every: BinWidth, { isTime }: Positions, x: string): void {
  const noun = nameXUnit(x);
  const isCounted = !every.isTime && (noun === "number" || every.text.startsWith(noun) ||
    every.text.endsWith(`${noun}s`));
  if (isTime ? every.isTime : isCounted) return;
  const bins = JSON.stringify(every.text);
  throw new InputError(`${TIME_SERIES_ACTION} with \`every\` ${bins} along ${x}`, {
    remedy: isTime
      ? 'Pass a duration, such as "5 minutes": the column has times'
      : `Pass "100 ${noun === "number" ? "block" : noun}s": the column has numbers`,
  });
}

export interface Positions {
  /** Whether they are seconds since 1970; else numbers of blocks or auctions. */
  readonly isTime: boolean;
  /** Reads the position of a row; `null` if it has none. */
  readonly read: (row: object) => number | null;
}

/** Smallest number read as milliseconds since 1970, unless it counts something: of 1973. */
const MIN_MILLISECONDS = 1e11;
/** Range of numbers read as seconds since 1970: from 1973 to 5138. */
const EPOCH_SECONDS = [1e8, 1e11] as const;
/** Largest absolute Unix time, in seconds, that an axis can label. */
const MAX_AXIS_SECONDS = 8e12;
const COUNTED_COLUMN = /(^|_)(auction|block|id|number|nonce|index|count)(_|$)/;
const ID_COLUMN = /(^|_)(auction|block|id|number|nonce|index)$/;
const TIMED = /(^|_)(at|time|timestamp|seconds)$/;

/**
 * Reads the positions of rows from a column: times, if it has dates, instants or texts of times, or numbers
 * of milliseconds (or of seconds, if its name says that it is a time); else at its numbers.
 *
 * @throws {InputError} If the column is text that is no time.
 */
export function readPositions(rows: readonly object[], column: string): Positions {
  const numbers = rows.flatMap((row) => readNumber(row, column) ?? []);
  if (numbers.length === 0) {
    const texts = rows.flatMap((row) => readText(row, column) ?? []);
    const readPosition = (row: object) =>
      toAxisSeconds(toSeconds(Reflect.get(row, column) as Moment | null));
    if (texts.length > 0 && rows.every((row) => readPosition(row) === null)) {
      throw new InputError(`${TIME_SERIES_ACTION}: the column ${column} has no times`, {
        facts: { first: texts[0]!.slice(0, 80) },
        remedy: "Pass a column of UTC times, milliseconds, or block or auction numbers",
      });
    }
    return { isTime: true, read: readPosition };
  }
  const divisor = findDivisor(numbers, column);
  const readPosition = (row: object) => {
    const number = readNumber(row, column);
    return number === null || divisor === null ? number : toAxisSeconds(number / divisor);
  };
  return { isTime: divisor !== null, read: readPosition };
}

/** Returns Unix seconds within the axis range; else `null`. */
function toAxisSeconds(seconds: number | null): number | null {
  return seconds !== null && Math.abs(seconds) <= MAX_AXIS_SECONDS ? seconds : null;
}

/** Returns the divisor that turns numbers into seconds since 1970; `null` if they are no times. */
function findDivisor(numbers: readonly number[], column: string): number | null {
  const isBetween = (low: number, high: number) =>
    numbers.every((number) => number >= low && number < high);
  if (column.endsWith("_ms")) return 1_000;
  if (COUNTED_COLUMN.test(column)) return null;
  if (TIMED.test(column) && isBetween(...EPOCH_SECONDS)) return 1;
  return isBetween(MIN_MILLISECONDS, MAX_DATE_MS) ? 1_000 : null;
}

export interface BinWidth {
  /** Seconds, or numbers of blocks or auctions. */
  readonly width: number;
  readonly isTime: boolean;
  /** As a text: `5 minutes`, `minute`. */
  readonly text: string;
  /** Start of one bin; the others follow it. */
  readonly origin: number;
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const COUNTED_UNITS = ["block", "auction"];
/** The first Monday since 1970, in seconds. */
const MONDAY = 4 * 86_400;
const BIN_WIDTH = /^\s*(?:([1-9]\d{0,8})\s+)?(second|minute|hour|day|week|block|auction)s?\s*$/;

/** Parses `5 minutes`, `hour` or `100 blocks`; `null` for anything else. */
export function parseBinWidth(text: unknown): BinWidth | null {
  const [, number, word = ""] = typeof text === "string" ? BIN_WIDTH.exec(text) ?? [] : [];
  if (word === "") return null;
  const times = Number(number ?? 1);
  return {
    width: times * (SECONDS[word] ?? 1),
    isTime: !COUNTED_UNITS.includes(word),
    text: times === 1 ? word : `${times.toLocaleString("en-US")} ${word}s`,
    origin: word === "week" ? MONDAY : 0,
  };
}

/** Allows a width that {@linkcode parseBinWidth} reads. */
export const BIN_WIDTH_RULE: OptionRule<string> = defineRule(
  'a text such as "5 minutes", "hour", "day", "week" or "100 blocks"',
  (text) => parseBinWidth(text) !== null,
);

/** The usual widths of bins of time, the shortest first. */
const TIME_WIDTHS = [
  ...["second", "5 seconds", "15 seconds", "30 seconds", "minute", "5 minutes", "15 minutes"],
  ...["30 minutes", "hour", "3 hours", "6 hours", "12 hours", "day", "week", "4 weeks"],
].map((text) => parseBinWidth(text)!);

/** Finds the shortest usual time that divides a span, in seconds, into at most `maxCount` parts. */
export function findTimeWidth(span: number, maxCount: number): BinWidth {
  return TIME_WIDTHS.find(({ width }) => span / width <= maxCount) ??
    parseBinWidth(`${Math.ceil(span / SECONDS["week"]! / maxCount)} weeks`)!;
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const STEPS = [
  ...[-6, -5, -4, -3, -2, -1].flatMap((power) =>
    [1, 2, 5].map((step) => Number(`${step}e${power}`))
  ),
  ...[1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY],
];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 600];
const MONTH = 30.44 * DAY;
/** Approximate number of ticks; a narrow axis shows fewer. */
const MAX_TICKS = 9;
/** From this number on, whole numbers have an exponent. */
const MIN_EXPONENT = 1e12;

/**
 * The axis of times, in seconds since 1970, with ticks at round times in UTC; the label says the day
 * where there is but one.
 */
export function createTimeScale(domain: readonly [number, number], label: string): ScaleOptions {
  const [from, to] = domain;
  const days = [from, to - 1e-3].map((second) => formatMoment(second).slice(0, 10));
  const isOneDay = days[0] === days[1];
  const { ticks, text } = createTimeTicks(from, to, isOneDay);
  return {
    type: "linear",
    domain: [...domain],
    ...createAxisLabel(`${label} (${isOneDay ? `${days[0]}, UTC` : "UTC"})`),
    ticks,
    tickFormat: text,
  };
}

function createTimeTicks(from: number, to: number, isOneDay: boolean) {
  const step = STEPS.find((seconds) => (to - from) / seconds <= MAX_TICKS);
  if (step === undefined) return createMonthTicks(from, to);
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return {
    ticks,
    text: (second: number) => {
      const text = step < 1 ? formatFraction(second, digits) : formatMoment(second);
      if (step >= DAY) return text.slice(0, 10);
      const clock = step < MINUTE ? text.slice(11, -" UTC".length) : text.slice(11, 16);
      return isOneDay ? clock : `${text.slice(5, 10)} ${clock}`;
    },
  };
}

/** Formats a moment with parts of a second: `2026-11-21 15:18:19.25 UTC`. */
function formatFraction(second: number, digits: number): string {
  const unit = 10 ** digits;
  const units = Math.round(second * unit);
  const wholeSeconds = Math.floor(units / unit);
  const part = String(units - wholeSeconds * unit).padStart(digits, "0");
  return formatMoment(wholeSeconds).replace(" UTC", `.${part} UTC`);
}

function createMonthTicks(from: number, to: number) {
  const step = MONTHS.find((months) => (to - from) / MONTH / months <= MAX_TICKS) ?? 6_000;
  const first = new Date(from * 1_000);
  const ticks: number[] = [];
  for (let month = Math.floor(first.getUTCMonth() / step) * step;; month += step) {
    const tick = Date.UTC(first.getUTCFullYear(), month) / 1_000;
    if (!(tick <= to)) break;
    if (tick >= from) ticks.push(tick);
  }
  return {
    ticks,
    text: (second: number) => formatMoment(second).slice(0, step % 12 === 0 ? 4 : 7),
  };
}

/** Formats a number along x; ids and blocks have no commas. */
export function formatPosition(position: number, column: string): string {
  if (Math.abs(position) >= MIN_EXPONENT) return formatNumber(position);
  return ID_COLUMN.test(column) ? String(position) : formatWhole(position);
}

export function createNumberScale(
  domain: readonly [number, number],
  label: string,
  column: string,
): ScaleOptions {
  return {
    type: "linear",
    domain: [...domain],
    ...createAxisLabel(label),
    ticks: 6,
    tickFormat: (position: number) =>
      Number.isInteger(position) ? formatPosition(position, column) : "",
  };
}
