import {
  checkOptions,
  oneOf,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { lowerFirst } from "../../units/format.ts";
import { createOpenAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture } from "../figure/picture.ts";
import { MAX_DOTS, type RowDot } from "../marks/dot_plot.ts";
import { listColumns, readText, type Rows } from "../rows.ts";
import { extent, max, median, min, sum } from "../statistics.ts";
import { formatShare } from "../texts/claim_text.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import { formatMoment, formatPercent } from "../texts/label_text.ts";
import { describeDoubtful } from "../texts/price_text.ts";
import { nameGroup, shortenName } from "../texts/short_names.ts";
import {
  createSeriesLegend,
  describeColumn,
  describeRest,
  formatColumnLabel,
  formatValue,
  groupSeries,
  MAX_SERIES,
  readNumber,
  readOpenRows,
} from "./column_text.ts";
import { createDotsPanel, createLinesPanel, createSharesPanel } from "./time_panels.ts";
import {
  BIN_WIDTH_RULE,
  createNumberScale,
  createTimeScale,
  formatPosition,
  nameXUnit,
  planTimeSeries,
  type Positions,
  readPositions,
  requireFittingBins,
  TIME_SERIES_ACTION,
  type TimePlan,
  type TimeSeriesOptions,
} from "./time_plan.ts";
import {
  type Bins,
  type Brackets,
  createBinPoints,
  createBins,
  createShareParts,
  findBrackets,
  formatTip,
  pickBinWidth,
  type PlacedRow,
} from "./time_points.ts";

const OPTIONS: OptionRules<TimeSeriesOptions> = {
  ...CHART_OPTIONS,
  x: required(String),
  y: String,
  series: String,
  stat: oneOf("none", "sum", "median", "mean", "count"),
  every: BIN_WIDTH_RULE,
  share: Boolean,
  unit: String,
  noun: String,
  limit: wholeNumber(1, MAX_SERIES),
};

/**
 * Draws a column of any table over time, or by block or auction: every row as a dot, or the sum,
 * median, mean or number of the rows in bins of equal width, one line for each series; or the share
 * of each series in the bins.
 *
 * Times are drawn in UTC. Rows whose time is known only as an interval (`time_basis` is `bracketed`)
 * stand at its start, and the caption counts them. Sums and counts are 0 in bins without rows; medians
 * and means are missing there. The axis of values is linear; logarithmic where they differ a
 * thousandfold.
 *
 * @param input Rows of any kind, or a frame. Rows without a time or number are left out, and the
 * caption says how many; without rows the figure says so.
 * @returns The figure; its `rows` are the rows drawn.
 * @throws {InputError} If an option is unknown, out of range or contradicts another, or the rows have
 * no such column, or no numbers or times in it.
 *
 * @example The fees of each minute
 * ```ts
 * import { timeSeries } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fees = [
 *   { filled_at: "2026-11-21T15:00:12Z", fee_native: 0.5, kind: "sell" },
 *   { filled_at: "2026-11-21T15:00:48Z", fee_native: 0.25, kind: "buy" },
 *   { filled_at: "2026-11-21T15:02:00Z", fee_native: 1, kind: "sell" },
 * ];
 * const chart = timeSeries(fees, { x: "filled_at", y: "fee_native", stat: "sum", every: "minute", unit: "ETH" });
 *
 * assertEquals(chart.title, "Fee per minute: 1.75 ETH in total");
 * ```
 * @example Who filled what share of the volume
 * ```ts
 * import { timeSeries } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fills = [
 *   { auction_id: 101, solver: "A", volume_native: 3 },
 *   { auction_id: 108, solver: "B", volume_native: 1 },
 * ];
 * const chart = timeSeries(fills, {
 *   x: "auction_id",
 *   y: "volume_native",
 *   series: "solver",
 *   share: true,
 *   every: "10 auctions",
 * });
 *
 * assertEquals(chart.title, "Share of volume per 10 auctions: A has the most, 75% (n = 2)");
 * ```
 */
export function timeSeries<Row extends object>(
  input: Rows<Row>,
  options: TimeSeriesOptions,
): Chart<Row> {
  checkOptions(options, OPTIONS, TIME_SERIES_ACTION);
  const { x, y, series } = options;
  const plan = planTimeSeries(options);
  const brackets = findBrackets(x, listColumns(input as Rows<object>));
  const rows = readOpenRows(input, {
    required: {
      ...(series === undefined ? {} : { [series]: "text" }),
      [x]: "text",
      ...(y === undefined ? {} : { [y]: "number" }),
    },
    optional: [...brackets.columns, ...(y?.endsWith("_native") ? ["price_sides"] : [])],
  }, TIME_SERIES_ACTION);
  return drawPicture("timeSeries", rows, options, {
    defaults: { limit: MAX_SERIES, noun: "row" },
    select: (rows: readonly Row[], resolved) => selectTimes(rows, resolved, { plan, brackets }),
    empty: {
      title: `${plan.subject} over time`,
      noRows: "No rows in this range",
      noValues: "No row in this range has a known time" +
        (plan.stat === "count" ? "" : " and number"),
    },
    axes: (selection) => createAxes(selection),
    panels: (selection) => [createPanel(selection)],
    legend: ({ groups, parts }) =>
      createSeriesLegend(groups, {
        shape: plan.isShare ? "square" : "dot",
        formatLabel: (group) =>
          parts === null ? group.label : `${group.label}: ${formatPercent(parts.get(group) ?? 0)}`,
      }),
    finding: (selection) => formatFinding(selection),
    title: (selection) => formatTitle(selection),
    caption: ({ placedRows, missingCounts, groups, bins, drawnRows, limit, axis, noun }) => [
      `n = ${count(placedRows.length, noun)}`,
      missingCounts.positions > 0 &&
      `${count(missingCounts.positions, noun)} without ${x} left out`,
      missingCounts.numbers > 0 &&
      `${count(missingCounts.numbers, noun)} without a number in ${y} left out`,
      bins === null ? placedRows.length > MAX_DOTS && AREA_NOTE : describeBins(bins, plan),
      brackets.note(drawnRows),
      describeRest(groups, {
        limit,
        noun: nameGroup(series ?? ""),
        measure: plan.stat === "sum" ? lowerFirst(plan.text.name) : "rows",
      }),
      plan.isShare ? null : axis?.note,
    ],
  });
}

const AREA_NOTE = "Nearby rows share a dot, whose area shows how many they are";

type TimeSelection<Row extends object> = ReturnType<typeof selectTimes<Row>> & TimeSeriesOptions;
/** Rows to draw, mapped to axis positions. */
type PlottedSelection<Row extends object> = TimeSelection<Row> & ReturnType<typeof createAxes<Row>>;

/** Part of the range added to the axis of dots on each side. */
const PAD = 0.02;

function createAxes<Row extends object>(selection: TimeSelection<Row>) {
  const { plan, x, placedRows, groups, bins, positions: { isTime } } = selection;
  const points = bins === null || plan.isShare ? [] : createBinPoints(groups, bins, plan);
  const values = placedRows.map(({ value }) => value);
  const levels = points.map(({ y }) => y).filter((y) => !Number.isNaN(y));
  const [low = 0, high = 0] = extent(placedRows.map(({ position }) => position));
  const pad = low === high ? 1 : (high - low) * PAD;
  const domain = bins?.domain ?? [low - pad, high + pad] as const;
  const label = describeColumn(isTime ? x.replace(/_ms$/, "") : x).name;
  const perBin = bins === null ? "" : ` per ${bins.text}`;
  const total = sum(values);
  const [{ name, points: largest }] = groups as [typeof groups[number]];
  return {
    across: isTime ? createTimeScale(domain, label) : createNumberScale(domain, label, x),
    axis: createOpenAxis(bins === null ? values : levels, {
      label: formatColumnLabel({ ...plan.text, name: plan.name }, perBin),
      unit: plan.text.unit ?? "",
      towards: "up",
      fromZero: plan.isTotal,
    }),
    points,
    values,
    levels,
    total,
    parts: computeShares(selection),
    largest: { name: shortenName(name), share: sum(largest, ({ value }) => value) / total },
  };
}

function createPanel<Row extends object>(selection: PlottedSelection<Row>): Panel {
  const { plan, groups, bins, points } = selection;
  if (bins === null) return createDotsPanel(createDots(selection), selection);
  if (!plan.isShare) {
    return createLinesPanel(points, { ...selection, ...plan, isCut: mayBeCut(bins, plan) });
  }
  return createSharesPanel(
    createShareParts(groups, bins, plan.text),
    `${plan.subject} per ${bins.text} (%)`,
    selection,
  );
}

/** Computes the share of each series; `null` for one series, or a negative sum. */
function computeShares<Row extends object>({ plan, groups }: TimeSelection<Row>) {
  const totals = groups.map(({ points }) => sum(points, ({ value }) => value));
  const grandTotal = sum(totals);
  const isParted = plan.isTotal && grandTotal > 0 && totals.every((total) => total >= 0);
  if (groups.length < 2 || !isParted) return null;
  return new Map(groups.map((group, index) => [group, totals[index]! / grandTotal]));
}

function createDots<Row extends object>(
  { plan, x, brackets, groups, positions: { isTime } }: TimeSelection<Row>,
): RowDot<Row>[] {
  return groups.flatMap(({ name, color, points }) =>
    points.map(({ row, position, value }) => {
      const time = isTime ? formatMoment(position) : formatPosition(position, x);
      const title = `${time}${brackets.has(row) ? " or later" : ""}\n` +
        `${name === "" ? "" : `${name}: `}${formatTip(value, plan.text)}`;
      return { row, x: position, y: value, color, title };
    })
  );
}

function formatTitle<Row extends object>(selection: PlottedSelection<Row>): string {
  const { plan, placedRows, bins, values, total, largest, positions: { isTime }, x } = selection;
  const format = (value: number) => formatValue(value, plan.text);
  if (bins === null) {
    const along = isTime ? "over time" : `by ${lowerFirst(describeColumn(x).name)}`;
    return `${plan.text.name} ${along}: median ${format(median(values)!)}`;
  }
  const subject = `${plan.subject} per ${bins.text}`;
  if (plan.isShare) {
    return total > 0
      ? `${subject}: ${largest.name} has the most, ${formatShare(largest.share, placedRows.length)}`
      : subject;
  }
  if (plan.stat === "sum") return `${subject}: ${format(total)} in total`;
  if (plan.stat === "count") return `${subject}: ${formatWhole(placedRows.length)} in total`;
  // Bins are groups, which differ by chance too.
  const middle = plan.stat === "mean" ? total / values.length : median(values)!;
  return `${subject}: ${format(middle)} ${values.length === 1 ? "in 1 row" : "over all rows"}`;
}

/** Formats the finding: the total, and where it is highest. */
function formatFinding<Row extends object>(selection: PlottedSelection<Row>): (string | false)[] {
  const { plan, parts, bins, points, values, levels, total, largest, positions: { isTime } } =
    selection;
  const format = (value: number) => formatValue(value, plan.text);
  const highest = max(levels);
  const peak = points.find(({ y }) => y === highest);
  const rows = count(values.length, "row");
  return [
    bins === null || !plan.isTotal
      ? `The median of ${rows} is ${format(median(values)!)}, the range ` +
        `${format(min(values)!)} to ${format(max(values)!)}`
      : `${rows}` +
        `${
          plan.stat === "count"
            ? ""
            : ` ${values.length === 1 ? "adds" : "add"} up to ${format(total)}`
        } in ` +
        `${count(bins.count, "bin")} of ${formatBinWidth(bins)}`,
    plan.stat === "sum" &&
    describeDoubtful<{ readonly price_sides?: string | null }>(selection.drawnRows, {
      noun: "row",
      value: (row) => readNumber(row, selection.y!)!,
      native: plan.text.unit ?? "",
    }),
    parts !== null &&
    `${largest.name} has the largest share, ${formatShare(largest.share, values.length)}`,
    bins !== null && plan.isTotal && !plan.isShare && bins.count > 1 && peak !== undefined &&
    `The highest ${isTime ? "is at" : "is in"} ${peak.title.split("\n")[0]}: ${format(peak.y)}`,
  ];
}

/** Formats the width of a bin: `one minute`, `20 auctions`. */
function formatBinWidth({ text }: Bins): string {
  return /^\d/.test(text) ? text : `one ${text}`;
}

/** Whether the first and the last bin of totals may hold a part of what happened in them. */
function mayBeCut({ isWide, count }: Bins, { isShare, isTotal }: TimePlan): boolean {
  return isTotal && !isShare && isWide && count > 1;
}

function describeBins(bins: Bins, plan: TimePlan): string {
  const week = /week/.test(bins.text) ? ", starting on Monday" : "";
  return `One ${plan.isShare ? "bar" : "point"} is ${formatBinWidth(bins)}${week}` +
    (mayBeCut(bins, plan) ? "; the first and the last, shown hollow, may be incomplete" : "");
}

/** More bins would be narrower than a pixel, and more points would make a heavy page. */
const [MAX_BINS, MAX_POINTS] = [2_000, 4_000];

/**
 * Selects the rows that can be drawn, and puts them in series and bins.
 *
 * @throws {InputError} If the bins do not suit the places or are too many, or a share is requested of
 * negative numbers.
 */
function selectTimes<Row extends object>(
  rows: readonly Row[],
  { x, y, series, limit = MAX_SERIES }: TimeSeriesOptions,
  { plan, brackets }: { plan: TimePlan; brackets: Brackets },
) {
  const positions = readPositions(rows, x);
  const positioned = rows.flatMap((row) => {
    const value = y === undefined ? 1 : readNumber(row, y);
    const position = positions.read(row);
    return position === null ? [] : [{ row, position, value }];
  });
  const numeric = positioned.filter((row): row is PlacedRow<Row> => row.value !== null);
  const placedRows = plan.stat === "count" ? numeric.map((row) => ({ ...row, value: 1 })) : numeric;
  const negative = placedRows.filter(({ value }) => value < 0).length;
  if (plan.isShare && negative > 0) {
    throw new InputError(
      `${TIME_SERIES_ACTION} with shares of ${y}, which is negative in ${count(negative, "row")}`,
      { remedy: "Leave out share, or these rows" },
    );
  }
  const groups = groupSeries(placedRows, {
    readKey: series === undefined ? null : ({ row }) => readText(row, series),
    measure: (points) =>
      plan.stat === "sum" ? Math.abs(sum(points, ({ value }) => value)) : points.length,
    limit,
    noun: nameGroup(series ?? ""),
  });
  return {
    plan,
    brackets,
    positions,
    placedRows,
    groups,
    /** The bins; `null` if every row is drawn, or there is none. */
    bins: plan.stat === "none" || placedRows.length === 0
      ? null
      : createTimeBins(placedRows, { plan, positions, x, series: groups.length }),
    /** Number of rows without a position, and of the others without a number. */
    missingCounts: {
      positions: rows.length - positioned.length,
      numbers: positioned.length - placedRows.length,
    },
    drawnRows: placedRows.map(({ row }) => row),
  };
}

function createTimeBins(
  rows: readonly PlacedRow<unknown>[],
  { plan, positions, x, series }: {
    plan: TimePlan;
    positions: Positions;
    x: string;
    series: number;
  },
): Bins {
  if (plan.every !== null) requireFittingBins(plan.every, positions, x);
  const places = rows.map(({ position }) => position);
  const width = plan.every ?? pickBinWidth(places, positions.isTime, nameXUnit(x));
  const bins = createBins(places, width, x);
  const maxBins = Math.min(MAX_BINS, Math.floor(MAX_POINTS / series));
  if (bins.count <= maxBins) return bins;
  const fault = `every ${bins.text}: ${formatWhole(bins.count)} bins`;
  throw new InputError(`${TIME_SERIES_ACTION} ${fault}`, {
    remedy: `Pass a longer interval as \`every\`, for at most ${formatWhole(maxBins)} bins` +
      (series === 1 ? "" : ` of ${series} series`),
  });
}
