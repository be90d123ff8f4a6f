import { InputError } from "../../errors/orderlens_error.ts";
import {
  estimateSample,
  type Interval,
  type IntervalReason,
  type Statistic,
} from "../../metrics/intervals.ts";
import type { Sample } from "../../metrics/resampling.ts";
import { lowerFirst } from "../../units/format.ts";
import { listSampleColumns, readGroup, readSample } from "../estimate.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { readText, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { compareRange, countSides, formatPoints, LEVEL } from "../texts/claim_text.ts";
import { formatWhole } from "../texts/count_text.ts";
import { formatNumber, formatPercent } from "../texts/label_text.ts";
import type { DoubtfulPrices } from "../texts/price_text.ts";
import { nameGroup, SolverNames } from "../texts/short_names.ts";
import {
  describeColumn,
  formatDifference,
  formatValue,
  groupRows,
  MAX_SERIES,
  readNumber,
  type Series,
} from "./column_text.ts";

/** Orders of the groups of {@linkcode estimates}. */
export type EstimatesSort = "group" | "value" | "n";

/** Options of {@linkcode estimates}. */
export interface EstimatesOptions extends ChartOptions {
  /** Column whose values are the groups, with a line of the chart each. */
  group: string;
  /** Column with the names of the groups, such as `solver_name` for `solver`. @default {their own} */
  label?: string;
  /** Column of numbers; for a share one of true and false, or of 1 and 0. */
  value: string;
  /** Column of weights from 0; for a ratio what the values are divided by. @default {none} */
  weight?: string;
  /** Column of texts that tell the rows of a group apart: a line and a colour for each. @default {none} */
  series?: string;
  /** Column of the number of things that a row is an estimate of, such as `fills`. @default {none} */
  n?: string;
  /**
   * Names of columns: the lower and the upper end of what a row is an estimate of.
   * @default {those named like the value, where they are: curse_low_bps and curse_high_bps}
   */
  interval?: readonly [low: string, high: string];
  /**
   * Statistic of the rows of a group, drawn with its interval: Wilson's of a share, else a bootstrap; `none` where each row is an estimate already.
   * @default {"median"; "none" with `n` or `interval`}
   */
  stat?: Statistic | "none";
  /**
   * Confidence of the intervals, and of the title and the finding for all groups together, from 0 to
   * 1. @default {0.95}
   */
  level?: number;
  /** A value to compare with, drawn as a line; `all` is that of all rows. @default {none} */
  reference?: number | "all";
  /** Unit of the values, for labels. @default {as their name ends: bps for gain_bps} */
  unit?: string;
  /** Order of the groups from top to bottom. @default {"-value"; "group" where they are numbers} */
  sort?: EstimatesSort | `-${EstimatesSort}`;
  /** Maximum number of groups: those of the most rows; the caption counts the others. @default {20} */
  limit?: number;
}

/** Beginning of the messages of {@linkcode estimates}. */
export const ACTION = "Cannot draw estimates";

const MAX_GROUPS = 20;

/** Amounts of different tokens, which do not add up. */
const PER_TOKEN = /_(tokens|atoms)$/;
const SHARE = /_(share|rate)$/;

export type EstimatesPlan = ReturnType<typeof planEstimates>;

/**
 * Settles what the options leave open.
 *
 * @param columns Names of all columns of the rows.
 * @throws {InputError} If they contradict each other.
 */
export function planEstimates(options: EstimatesOptions, columns: readonly string[]) {
  const { group, label, value, weight, series, n, reference, unit, level = LEVEL } = options;
  const hasEstimates = n !== undefined || options.interval !== undefined;
  const stat = options.stat ?? (hasEstimates ? "none" : "median");
  const contradictions = [
    [
      stat !== "none" && hasEstimates,
      `with ${n === undefined ? "interval" : "n"} and stat "${stat}"`,
    ],
    [stat === "none" && weight !== undefined, 'with weight and stat "none"'],
    [stat === "none" && reference === "all", 'with all as reference and stat "none"'],
    [stat === "none" && options.level !== undefined, 'with level and stat "none"'],
  ] as const;
  for (const [isThere, problem] of contradictions) {
    if (!isThere) continue;
    throw new InputError(`${ACTION} ${problem}`, {
      remedy:
        'Pass n and interval only with stat "none", for rows that are estimates; pass weight and level only with another stat',
    });
  }
  const endColumns = (["low", "high"] as const)
    .map((end) => value.replace(/(?=_[^_]*$)/, `_${end}`)) as [string, string];
  const isNamed = stat === "none" &&
    endColumns.every((name) => name !== value && columns.includes(name));
  const interval = options.interval ?? (isNamed ? endColumns : undefined);
  const numbers = [value, ...(n === undefined ? [] : [n]), ...interval ?? []];
  const sampled = stat === "none"
    ? Object.fromEntries(numbers.map((name) => [name, "number" as const]))
    : listSampleColumns({ value, weight, stat }, ACTION);
  const text = describeColumn(value, unit);
  const weightText = weight === undefined ? null : describeColumn(weight);
  const isRatio = stat === "ratio";
  const isShare = unit === undefined && (stat === "share" ||
    (isRatio ? value.split("_").at(-1) === weight?.split("_").at(-1) : SHARE.test(value)));
  const perWeight = isRatio ? ` / ${lowerFirst(weightText!.name)}` : "";
  return {
    stat,
    level,
    interval,
    /** Name of the statistic; empty for rows that are estimates. */
    word: stat === "none" ? "" : stat,
    noun: nameGroup(group),
    /** Noun for a line: a group, or one of several series of it. */
    lineNoun: series === undefined ? nameOneGroup(group) : "estimate",
    name: stat === "median" || stat === "mean"
      ? `${stat === "mean" ? "Mean" : "Median"} ${lowerFirst(text.name)}`
      : `${text.name}${perWeight}`,
    unit: isShare ? "%" : isRatio && unit === undefined ? null : text.unit,
    isShare,
    /** Whether it is a number of rows, divided by their number. */
    isCounted: stat === "share" && weight === undefined,
    /** Whether all rows together say something. */
    isComparable: stat !== "none" && !PER_TOKEN.test(value),
    rows: n === undefined ? "row" : lowerFirst(describeColumn(n).name).replace(/s$/, ""),
    format: (number: number) =>
      isShare ? formatPercent(number) : isRatio ? formatNumber(number) : formatValue(number, text),
    difference: (number: number) => isShare ? formatPoints(number) : formatDifference(number, text),
    required: {
      [group]: "text",
      ...(label === undefined ? {} : { [label]: "text" }),
      ...(series === undefined ? {} : { [series]: "text" }),
      ...sampled,
    } as Record<string, "number" | "text">,
    /** Whether native prices decide the values. */
    isPriced: [value, weight].some((name) => name?.endsWith("_native") === true),
  };
}

/** Returns the noun for one group: `solver`; `group` where the column names many, as `bidders` does. */
export function nameOneGroup(group: string): string {
  const noun = nameGroup(group);
  return /[^sui]s$/.test(noun) ? "group" : noun;
}

export interface EstimateLine<Row> {
  readonly key: string;
  readonly series: Series<Row>;
  readonly rows: readonly Row[];
  /** Their numbers; `null` of a row that is an estimate. */
  readonly sample: Sample | null;
  readonly value: number;
  /** Its interval; `null` if there is none. */
  readonly interval: Interval | null;
  /** Reason for its missing interval; `null` with one, and for a row that is an estimate. */
  readonly reason: IntervalReason | null;
  /** Number of rows, or of what a row is an estimate of; `null` if unknown. */
  readonly n: number | null;
}

export type EstimatesResult<Row extends object> = ReturnType<typeof estimateLines<Row>>;

export function estimateLines<Row extends object>(
  rows: readonly Row[],
  options: EstimatesOptions,
  plan: EstimatesPlan,
) {
  const { label, series, value, weight, reference: referenceOption, limit = MAX_GROUPS } = options;
  const selected = plan.stat === "none"
    ? rows.filter((row) => readNumber(row, value) !== null)
    : readSample(rows, { value, weight, stat: plan.stat }, ACTION).rows;
  // Rows that are estimates cannot share a line.
  const allSeries = groupRows(selected, series, plan.stat === "none" ? Infinity : MAX_SERIES);
  const bySeries = new Map(
    allSeries.flatMap((group) => group.points.map((row) => [row, group] as const)),
  );
  const names = new SolverNames(
    selected.map((
      row,
    ) => [formatKey(row, options), label === undefined ? null : readText(row, label)]),
  );
  const keyedGroups = [...Map.groupBy(selected, (row) => formatKey(row, options))].map(
    ([key, groupRows]) => {
      const lines = allSeries.flatMap((group) => {
        const members = groupRows.filter((row) => bySeries.get(row) === group);
        return members.length === 0
          ? []
          : estimateLine({ key, series: group }, members, options, plan);
      });
      const n = sum(lines, (line) => line.n ?? line.rows.length);
      return {
        key,
        group: readGroup(groupRows[0]!, options.group),
        lines,
        n,
        rows: groupRows.length,
      };
    },
  );
  const sortedGroups = sortRows(keyedGroups.filter(({ lines }) => lines.length > 0), "-n");
  const isNumbers = sortedGroups.every(({ group }) => group === null || typeof group === "number");
  const { sort = isNumbers ? "group" : "-value" } = options;
  const groups = sortRows(sortedGroups.slice(0, limit), sort, {
    group: ({ key, group }) => typeof group === "string" ? names.format(key) : group,
    value: ({ lines }) => lines[0]!.value,
  });
  const lines = groups.flatMap((group) => group.lines);
  const samples = lines.flatMap((line) => line.sample === null ? [] : { ...line.sample, line });
  const stat = plan.stat === "none" ? "median" : plan.stat;
  const { level } = plan;
  const total = plan.isComparable && selected.length > 0
    ? estimateAll(selected, options, plan)
    : null;
  const reference = referenceOption === "all" ? total?.value : referenceOption;
  return {
    names,
    lines,
    allSeries: series === undefined ? [] : allSeries,
    drawnRows: lines.flatMap((line) => line.rows),
    leftOut: rows.length - selected.length +
      sum(
        keyedGroups.flatMap((group) => group.lines),
        (line) => line.sample === null ? 0 : line.rows.length - line.n!,
      ),
    /** Rows of groups whose weights add up to 0. */
    weightless: sum(keyedGroups.filter((group) => group.lines.length === 0), (group) => group.rows),
    others: {
      groups: sortedGroups.length - groups.length,
      rows: sum(sortedGroups.slice(limit), (group) => group.rows),
    },
    total,
    doubtful: plan.isPriced ? findDoubtful(selected, options, plan) : null,
    reference: reference ?? null,
    range: samples.length > 1
      ? compareRange(samples, { text: plan.difference, stat, level })
      : null,
    sides: samples.length > 0 && reference !== undefined
      ? countSides(samples, { reference, stat, level })
      : null,
    formatLine: (line: EstimateLine<Row>) => {
      const name = [names.formatLabel(line.key), line.series.label].filter((text) => text !== "");
      const n = line.n === null
        ? plan.isShare ? ["n unknown"] : []
        : [`n = ${formatWhole(line.n)}`];
      return `${plan.format(line.value)} (${[...name, ...n].join(", ")})`;
    },
  };
}

function formatKey(row: object, { group }: EstimatesOptions): string {
  const key = readGroup(row, group);
  if (key === null) return `unknown ${nameGroup(group)}`;
  return typeof key === "number" ? formatNumber(key) : String(key);
}

/** @throws {InputError} If several rows that are estimates are of one group. */
function estimateLine<Row extends object>(
  head: Pick<EstimateLine<Row>, "key" | "series">,
  rows: readonly Row[],
  { value, weight, n, group }: EstimatesOptions,
  { stat, level, interval: ends }: EstimatesPlan,
): EstimateLine<Row>[] {
  if (stat !== "none") {
    const { sample } = readSample(rows, { value, weight, stat }, ACTION);
    const estimated = estimateSample(sample, { stat, level });
    if (estimated === null) return [];
    return [{ ...head, rows, sample, ...estimated }];
  }
  if (rows.length > 1) {
    throw new InputError(
      `${ACTION} of ${formatWhole(rows.length)} rows whose ${group} is ${head.key}`,
      { remedy: "Pass a stat, or a column that distinguishes them as series" },
    );
  }
  const [row] = rows as [Row];
  const [low, high] = ends?.map((name) => readNumber(row, name)) ?? [];
  return [{
    ...head,
    rows,
    sample: null,
    value: readNumber(row, value)!,
    interval: low == null || high == null ? null : { low, high },
    reason: null,
    n: n === undefined ? null : readNumber(row, n),
  }];
}

function estimateAll<Row extends object>(
  rows: readonly Row[],
  { value, weight }: EstimatesOptions,
  { stat, level }: EstimatesPlan,
) {
  if (stat === "none") return null;
  return estimateSample(readSample(rows, { value, weight, stat }, ACTION).sample, { stat, level });
}

/** Finds rows at native prices that do not agree, and the estimate of all others; `null` if all agree. */
function findDoubtful<Row extends object>(
  rows: readonly Row[],
  options: EstimatesOptions,
  plan: EstimatesPlan,
): (DoubtfulPrices & { readonly value: number | null }) | null {
  const readVerdict = (row: Row) => readText(row, "price_sides");
  const [absurd, suspect] = ["absurd", "suspect"]
    .map((word) => rows.filter((row) => readVerdict(row) === word).length) as [number, number];
  if (absurd + suspect === 0) return null;
  const sound = rows.filter((row) => !["absurd", "suspect"].includes(readVerdict(row) ?? ""));
  return { absurd, suspect, value: estimateAll(sound, options, plan)?.value ?? null };
}
