import * as Plot from "@observablehq/plot";
import {
  checkOptions,
  defineRule,
  oneOf,
  type OptionRules,
  orderBy,
  required,
} from "../../errors/option_rules.ts";
import { ESTIMATE_OPTIONS } from "../../metrics/intervals.ts";
import { lowerFirst } from "../../units/format.ts";
import { createPercentAxis, createValueAxis, type ValueAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, LIMIT } from "../figure/chart_options.ts";
import { drawPicture } from "../figure/picture.ts";
import { COLORS, type LegendEntry, SERIES_COLORS } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { isNumber, listColumns, type Rows } from "../rows.ts";
import { formatIntervalsNote } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { createSeriesLegend, formatColumnLabel, readOpenRows } from "./column_text.ts";
import {
  ACTION,
  type EstimateLine,
  estimateLines,
  type EstimatesOptions,
  type EstimatesPlan,
  type EstimatesResult,
  nameOneGroup,
  planEstimates,
} from "./estimate_lines.ts";
import {
  describeBareLines,
  describeCount,
  formatFinding,
  formatTitle,
  nameInterval,
} from "./estimate_texts.ts";

const OPTIONS: OptionRules<EstimatesOptions> = {
  ...CHART_OPTIONS,
  group: required(String),
  label: String,
  value: required(String),
  weight: String,
  series: String,
  n: String,
  interval: defineRule(
    'two names of columns, as ["curse_low_bps", "curse_high_bps"]',
    (names) =>
      Array.isArray(names) && names.length === 2 &&
      names.every((name) => typeof name === "string"),
  ),
  level: ESTIMATE_OPTIONS.level,
  stat: oneOf("median", "mean", "share", "ratio", "none"),
  reference: defineRule('a number, or "all"', (value) => value === "all" || isNumber(value)),
  unit: String,
  sort: orderBy("group", "value", "n"),
  limit: LIMIT,
};

/** Below this width, notes have the values only. */
const LONG_NOTES_FROM = 600;

/**
 * Draws an estimate of each group of rows of any table, as a dot on its interval: a median, a mean, a
 * share, or a ratio of two sums, beside its value and number of rows; or rows that are estimates already,
 * with their intervals.
 *
 * Rows count as independent of each other. The title says that groups differ only where the interval of
 * the difference of the two that differ most, at the level of all pairs, excludes none. Bootstraps are
 * drawn of ten rows at least, those of means and ratios of 30.
 *
 * @param input Rows of any kind, or a frame. Rows without a number, or without a weight, are left out, and
 * the caption says how many; without rows the figure says so.
 * @returns The figure; its `rows` are those of the groups drawn.
 * @throws {InputError} If an option is unknown, out of range or contradicts another, the rows have no such
 * column, or no numbers in it, or several rows are the estimate of one group.
 *
 * @example How often a win is not settled
 * ```ts
 * import { estimates } from "orderlens/charts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const wins = [
 *   { solver: "A", failed: true },
 *   { solver: "A", failed: false },
 *   { solver: "B", failed: false },
 * ];
 * const chart = estimates(wins, { group: "solver", value: "failed", stat: "share" });
 *
 * assertStringIncludes(chart.finding, "Failed: 1 of 3 (33%) rows, 95% interval 6.1% to 79%.");
 * ```
 * @example Rows that are estimates
 * ```ts
 * import { estimates } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const curse = [
 *   { bidders: 1, curse_bps: 0, curse_low_bps: null, curse_high_bps: null, fills: 90 },
 *   { bidders: 2, curse_bps: 4, curse_low_bps: 1, curse_high_bps: 7, fills: 80 },
 * ];
 * const chart = estimates(curse, { group: "bidders", value: "curse_bps", n: "fills", reference: 0 });
 *
 * assertEquals(chart.title, "Curse by bidders: 1 of 1 interval lies above or below 0 bps");
 * ```
 */
export function estimates<Row extends object>(
  input: Rows<Row>,
  options: EstimatesOptions,
): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const plan = planEstimates(options, listColumns(input as Rows<object>));
  const optionalColumns = plan.isPriced ? ["price_sides"] : [];
  const rows = readOpenRows(input, { required: plan.required, optional: optionalColumns }, ACTION);
  // Not for each width: bootstraps take time.
  const result = estimateLines(rows, options, plan);
  const { lines, leftOut, weightless, others: omitted } = result;
  return drawPicture("estimates", rows, options, {
    select: () => result,
    empty: {
      title: `${plan.name} by ${plan.noun}`,
      noRows: "No rows in this range",
      noValues: `No row in this range has a number in ${options.value}`,
    },
    axes: () => ({ axis: createAxis(result, plan) }),
    panels: ({ axis, width, height, marginLeft }) => [
      createListPanel({
        width,
        height,
        marginLeft,
        heading: `By ${plan.noun}`,
        labels: labelLines(result),
        axis,
        column: lines.map((line) => formatNote(line, plan, width)),
        marks: () => drawLines(result, plan, axis),
      }),
    ],
    legend: () => createLegend(result, plan),
    finding: () => formatFinding(result, plan),
    title: () => formatTitle(result, plan),
    caption: ({ axis }) => [
      describeCount(lines, plan),
      leftOut > 0 && `${count(leftOut, "row")} without a number in ` +
        `${options.value}${nameWeight(options)} left out`,
      weightless > 0 && `${count(weightless, "row")} of groups whose weights add up to 0 left out`,
      omitted.groups > 0 &&
      `${count(omitted.groups, `more ${nameOneGroup(options.group)}`)} with ` +
        `${count(omitted.rows, "row")} not shown`,
      axis && describeBareLines(lines, plan),
      axis && plan.stat !== "none" && lines.length > 1 &&
      lines.some(({ interval }) => interval !== null) && formatIntervalsNote(plan.level),
      axis?.note,
    ],
  });
}

/** Names what a row must have beside its value. */
function nameWeight({ weight, stat }: EstimatesOptions): string {
  if (weight === undefined) return "";
  return stat === "ratio" ? ` or ${weight}` : `, or above 0 in ${weight},`;
}

function createAxis<Row extends object>(
  { lines, reference }: EstimatesResult<Row>,
  { name, unit, isShare }: EstimatesPlan,
): ValueAxis {
  const values = [
    ...lines.flatMap((
      { value, interval },
    ) => [value, interval?.low ?? value, interval?.high ?? value]),
    ...(reference === null ? [] : [reference]),
  ];
  const label = formatColumnLabel({ name, unit });
  return isShare
    ? createPercentAxis(values, label)
    : createValueAxis(values, { label, noun: "value" });
}

function labelLines<Row extends object>({ lines, names }: EstimatesResult<Row>): string[] {
  const labels = names.formatLabels(lines.map(({ key }) => key));
  return labels.map((label, index) => lines[index - 1]?.key === lines[index]!.key ? "" : label);
}

/** Formats `10 of 646 (1.5%)`, or `+22.5 bps, n = 18`; in narrow figures the value alone. */
function formatNote<Row>(
  { value, n }: EstimateLine<Row>,
  { format, isCounted }: EstimatesPlan,
  width: number,
): string {
  if (n === null || width < LONG_NOTES_FROM) return format(value);
  return isCounted
    ? formatPart(Math.round(value * n), n)
    : `${format(value)}, n = ${formatWhole(n)}`;
}

function drawLines<Row extends object>(
  { lines, names, reference }: EstimatesResult<Row>,
  { format, rows }: EstimatesPlan,
  axis: ValueAxis,
): Plot.Markish[] {
  const dots = lines.map((line, index) => ({
    index,
    x: axis.clamp(line.value),
    low: axis.clamp(line.interval?.low ?? line.value),
    high: axis.clamp(line.interval?.high ?? line.value),
    color: line.series.color,
    title: [
      names.formatWithAddress(line.key),
      line.series.name,
      format(line.value),
      line.interval && `${format(line.interval.low)} to ${format(line.interval.high)}`,
      line.n === null ? null : count(line.n, rows),
    ].filter((text) => text).join("\n"),
  }));
  return [
    ...(axis.isLinear ? [Plot.ruleX([0], { stroke: COLORS.grey })] : []),
    Plot.ruleY(dots, {
      x1: "low",
      x2: "high",
      y: "index",
      stroke: COLORS.grey,
      strokeWidth: 3,
      className: "interval",
    }),
    Plot.ruleX(reference === null ? [] : [reference], {
      x: axis.clamp,
      stroke: COLORS.ink,
      strokeDasharray: "5 3",
      className: "reference",
    }),
    Plot.dot(dots, {
      x: "x",
      y: "index",
      r: 5,
      fill: "color",
      title: "title",
      className: "estimate",
    }),
  ];
}

function createLegend<Row extends object>(
  { lines, allSeries, reference }: EstimatesResult<Row>,
  plan: EstimatesPlan,
): LegendEntry[] {
  const label = plan.word || lowerFirst(plan.name);
  const line = { fill: "none", shape: "line" } as const;
  return [
    ...(allSeries.length > 0
      ? createSeriesLegend(allSeries, { shape: "dot" })
      : [{ label, fill: SERIES_COLORS[0]!, shape: "dot" as const }]),
    ...(lines.some(({ interval }) => interval !== null)
      ? [{ ...line, label: nameInterval(plan), stroke: COLORS.grey }]
      : []),
    ...(reference === null ? [] : [{
      ...line,
      label: `reference: ${plan.format(reference)}`,
      name: "reference",
      stroke: COLORS.ink,
      shape: "tick" as const,
    }]),
  ];
}
