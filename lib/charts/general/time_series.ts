import {
  checkOptions,
  oneOf,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { createOpenAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture } from "../figure/picture.ts";
import { MAX_DOTS, type RowDot } from "../marks/dot_plot.ts";
import { listColumns, type Rows } from "../rows.ts";
import { extent, max, median, min, sum } from "../statistics.ts";
import { formatShare } from "../texts/claim_text.ts";
import { addsUp, count, formatWhole } from "../texts/count_text.ts";
import { formatMoment, formatPercent } from "../texts/label_text.ts";
import { describeDoubtful } from "../texts/price_text.ts";
import { shortenName } from "../texts/short_names.ts";
import {
  createSeriesLegend,
  describeColumn,
  describeRest,
  formatColumnLabel,
  formatValue,
  groupSeries,
  lowerFirst,
  MAX_SERIES,
  nameGroup,
  readNumber,
  readOpenRows,
  readText,
} from "./column_text.ts";
import { createDotsPanel, createLinesPanel, createSharesPanel } from "./time_panels.ts";
import {
  ACTION,
  createNumberScale,
  createTimeScale,
  EVERY,
  nameXUnit,
  planTimeSeries,
  type Positions,
  readPositions,
  requireFittingBins,
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
  every: EVERY,
  share: Boolean,
  unit: String,
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
 * @param given Rows of any kind, or a frame. Rows without a time or number are left out, and the
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
  given: Rows<Row>,
  options: TimeSeriesOptions,
): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const { x, y, series } = options;
  const plan = planTimeSeries(options);
  const brackets = findBrackets(x, listColumns(given as Rows<object>));
  const rows = readOpenRows(given, {
    needed: {
      ...(series === undefined ? {} : { [series]: "text" }),
      [x]: "text",
      ...(y === undefined ? {} : { [y]: "number" }),
    },
    read: [...brackets.columns, ...(y?.endsWith("_native") ? ["price_sides"] : [])],
  }, ACTION);
  return drawPicture("timeSeries", rows, options, {
    defaults: { limit: MAX_SERIES },
    select: (rows: readonly Row[], settled) => selectTimes(rows, settled, { plan, brackets }),
    empty: {
      title: `${plan.subject} over time`,
      noRows: "No rows in this range",
      noValues: "No row in this range has a known time" +
        (plan.stat === "count" ? "" : " and number"),
    },
    axes: (seen) => createAxes(seen),
    panels: (seen) => [createPanel(seen)],
    legend: ({ groups, parts }) =>
      createSeriesLegend(groups, {
        shape: plan.isShare ? "square" : "dot",
        formatLabel: (one) =>
          parts === null ? one.label : `${one.label}: ${formatPercent(parts.get(one) ?? 0)}`,
      }),
    finding: (seen) => formatFinding(seen),
    title: (seen) => formatTitle(seen),
    caption: ({ placed, missing, groups, bins, drawn, limit, axis }) => [
      `n = ${count(placed.length, "row")}`,
      missing.places > 0 && `${count(missing.places, "row")} without ${x} left out`,
      missing.numbers > 0 && `${count(missing.numbers, "row")} without a number in ${y} left out`,
      bins === null ? placed.length > MAX_DOTS && AREA_NOTE : describeBins(bins, plan),
      brackets.note(drawn),
      describeRest(groups, {
        limit,
        noun: nameGroup(series ?? ""),
        most: plan.stat === "sum" ? lowerFirst(plan.text.name) : "rows",
      }),
      plan.isShare ? null : axis?.note,
    ],
  });
}

/** What a caption says of many dots. */
const AREA_NOTE = "Rows near each other share a dot, whose area says how many they are";

/** The rows that can be drawn, and the options. */
type TimeSelection<Row extends object> = ReturnType<typeof selectTimes<Row>> & TimeSeriesOptions;
/** What is seen, on its axes. */
type PlottedSelection<Row extends object> = TimeSelection<Row> & ReturnType<typeof createAxes<Row>>;

/** Part of the range by which the axis of dots is longer, on each side. */
const PAD = 0.02;

function createAxes<Row extends object>(seen: TimeSelection<Row>) {
  const { plan, x, placed, groups, bins, places: { isTime } } = seen;
  const points = bins === null || plan.isShare ? [] : createBinPoints(groups, bins, plan);
  const values = placed.map(({ value }) => value);
  const levels = points.map(({ y }) => y).filter((y) => !Number.isNaN(y));
  const [low = 0, high = 0] = extent(placed.map(({ position }) => position));
  const pad = low === high ? 1 : (high - low) * PAD;
  const domain = bins?.domain ?? [low - pad, high + pad] as const;
  const label = describeColumn(isTime ? x.replace(/_ms$/, "") : x).name;
  const per = bins === null ? "" : ` per ${bins.text}`;
  const total = sum(values);
  const [{ name, points: largest }] = groups as [typeof groups[number]];
  return {
    across: (isTime ? createTimeScale : createNumberScale)(domain, label),
    axis: createOpenAxis(bins === null ? values : levels, {
      label: formatColumnLabel({ ...plan.text, name: plan.name }, per),
      unit: plan.text.unit ?? "",
      towards: "up",
      fromZero: plan.isTotal,
    }),
    /** What is drawn of the bins; none where every row is. */
    points,
    values,
    levels,
    total,
    parts: computeShares(seen),
    largest: { name: shortenName(name), share: sum(largest, ({ value }) => value) / total },
  };
}

function createPanel<Row extends object>(seen: PlottedSelection<Row>): Panel {
  const { plan, groups, bins, points } = seen;
  if (bins === null) return createDotsPanel(createDots(seen), seen);
  if (!plan.isShare) {
    return createLinesPanel(points, { ...seen, ...plan, isCut: mayBeCut(bins, plan) });
  }
  return createSharesPanel(
    createShareParts(groups, bins, plan.text),
    `${plan.subject} per ${bins.text} (%)`,
    seen,
  );
}

/** The share of each series in all; `null` where there is one series, or a negative sum. */
function computeShares<Row extends object>({ plan, groups }: TimeSelection<Row>) {
  const totals = groups.map(({ points }) => sum(points, ({ value }) => value));
  const all = sum(totals);
  const isParted = plan.isTotal && all > 0 && totals.every((one) => one >= 0);
  if (groups.length < 2 || !isParted) return null;
  return new Map(groups.map((group, index) => [group, totals[index]! / all]));
}

function createDots<Row extends object>(
  { plan, brackets, groups, places: { isTime } }: TimeSelection<Row>,
): RowDot<Row>[] {
  return groups.flatMap(({ name, color, points }) =>
    points.map(({ row, position, value }) => {
      const place = isTime ? formatMoment(position) : formatWhole(position);
      const title = `${place}${brackets.has(row) ? " or later" : ""}\n` +
        `${name === "" ? "" : `${name}: `}${formatTip(value, plan.text)}`;
      return { row, x: position, y: value, color, title };
    })
  );
}

function formatTitle<Row extends object>(seen: PlottedSelection<Row>): string {
  const { plan, placed, bins, values, total, largest, places: { isTime }, x } = seen;
  const said = (value: number) => formatValue(value, plan.text);
  if (bins === null) {
    const along = isTime ? "over time" : `by ${lowerFirst(describeColumn(x).name)}`;
    return `${plan.text.name} ${along}: median ${said(median(values)!)}`;
  }
  const what = `${plan.subject} per ${bins.text}`;
  if (plan.isShare) {
    return total > 0
      ? `${what}: ${largest.name} has the most, ${formatShare(largest.share, placed.length)}`
      : what;
  }
  if (plan.stat === "sum") return `${what}: ${said(total)} in total`;
  if (plan.stat === "count") return `${what}: ${formatWhole(placed.length)} in total`;
  // Bins are groups, which differ by chance too.
  const middle = plan.stat === "mean" ? total / values.length : median(values)!;
  return `${what}: ${said(middle)} ${values.length === 1 ? "in 1 row" : "over all rows"}`;
}

/** What is drawn in all, and where it is the most. */
function formatFinding<Row extends object>(seen: PlottedSelection<Row>): (string | false)[] {
  const { plan, parts, bins, points, values, levels, total, largest, places: { isTime } } = seen;
  const said = (value: number) => formatValue(value, plan.text);
  const highest = max(levels);
  const peak = points.find(({ y }) => y === highest);
  const rows = count(values.length, "row");
  return [
    bins === null || !plan.isTotal
      ? `The median of ${rows} is ${said(median(values)!)}, the range ` +
        `${said(min(values)!)} to ${said(max(values)!)}`
      : `${rows}${plan.stat === "count" ? "" : ` ${addsUp(values.length)} to ${said(total)}`} in ` +
        `${count(bins.count, "bin")} of ${formatBinWidth(bins)}`,
    plan.stat === "sum" &&
    describeDoubtful<{ readonly price_sides?: string | null }>(seen.drawn, {
      noun: "row",
      value: (row) => readNumber(row, seen.y!)!,
      native: plan.text.unit ?? "",
    }),
    parts !== null &&
    `${largest.name} has the largest part, ${formatShare(largest.share, values.length)}`,
    bins !== null && plan.isTotal && !plan.isShare && bins.count > 1 && peak !== undefined &&
    `The highest ${isTime ? "is at" : "is in"} ${peak.title.split("\n")[0]}: ${said(peak.y)}`,
  ];
}

/** How wide a bin is: `one minute`, `20 auctions`. */
function formatBinWidth({ text }: Bins): string {
  return /^\d/.test(text) ? text : `one ${text}`;
}

/** Whether the first and the last of some bins of totals may hold a part of what happened in them. */
function mayBeCut({ isWide, count }: Bins, { isShare, isTotal }: TimePlan): boolean {
  return isTotal && !isShare && isWide && count > 1;
}

/** What a caption says of bins. */
function describeBins(bins: Bins, plan: TimePlan): string {
  const week = /week/.test(bins.text) ? ", from Monday on" : "";
  return `One ${plan.isShare ? "bar" : "point"} is ${formatBinWidth(bins)}${week}` +
    (mayBeCut(bins, plan) ? "; the first and the last, which are hollow, may be cut short" : "");
}

/** More bins would be narrower than a pixel, and more points would be a heavy page. */
const [MAX_BINS, MAX_POINTS] = [2_000, 4_000];

/**
 * Selects the rows that can be drawn, and puts them in series and bins.
 *
 * @throws {InputError} If the bins do not suit the places or are too many, or a share is asked for of
 * negative numbers.
 */
function selectTimes<Row extends object>(
  rows: readonly Row[],
  { x, y, series, limit = MAX_SERIES }: TimeSeriesOptions,
  { plan, brackets }: { plan: TimePlan; brackets: Brackets },
) {
  const places = readPositions(rows, x);
  const standing = rows.flatMap((row) => {
    const position = places.read(row);
    return position === null
      ? []
      : [{ row, position, value: y === undefined ? 1 : readNumber(row, y) }];
  });
  const known = standing.filter((one): one is PlacedRow<Row> => one.value !== null);
  const placed = plan.stat === "count" ? known.map((one) => ({ ...one, value: 1 })) : known;
  const negative = placed.filter(({ value }) => value < 0).length;
  if (plan.isShare && negative > 0) {
    throw new InputError(
      `${ACTION} with shares of ${y}, which is negative in ${count(negative, "row")}`,
      { remedy: "Leave out share, or these rows" },
    );
  }
  const groups = groupSeries(placed, {
    keyOf: series === undefined ? null : ({ row }) => readText(row, series),
    sizeOf: (points) =>
      plan.stat === "sum" ? Math.abs(sum(points, ({ value }) => value)) : points.length,
    limit,
    noun: nameGroup(series ?? ""),
  });
  return {
    plan,
    brackets,
    /** Where rows stand. */
    places,
    /** Those with a place and a number. */
    placed,
    /** The same, told apart. */
    groups,
    /** Their bins; `null` where every row is drawn, or there is none. */
    bins: plan.stat === "none" || placed.length === 0
      ? null
      : createTimeBins(placed.map(({ position }) => position), {
        plan,
        places,
        x,
        series: groups.length,
      }),
    /** How many rows have no place, and how many of the others no number. */
    missing: { places: rows.length - standing.length, numbers: standing.length - placed.length },
    drawn: placed.map(({ row }) => row),
  };
}

function createTimeBins(
  ats: readonly number[],
  { plan, places, x, series }: { plan: TimePlan; places: Positions; x: string; series: number },
): Bins {
  if (plan.every !== null) requireFittingBins(plan.every, places, x);
  const bins = createBins(ats, plan.every ?? pickBinWidth(ats, places.isTime, nameXUnit(x)));
  const most = Math.min(MAX_BINS, Math.floor(MAX_POINTS / series));
  if (bins.count <= most) return bins;
  throw new InputError(`${ACTION} every ${bins.text}: ${formatWhole(bins.count)} bins`, {
    remedy: `Pass a longer time as every, for at most ${formatWhole(most)} bins` +
      (series === 1 ? "" : ` of ${series} series`),
  });
}
