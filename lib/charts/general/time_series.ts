import {
  checkOptions,
  oneOf,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { openAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture } from "../figure/picture.ts";
import { MOST_DOTS, type RowDot } from "../marks/dot_plot.ts";
import { columnNames, type Rows } from "../rows.ts";
import { extent, max, median, min, sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { addsUp, count, wholeText } from "../texts/count_text.ts";
import { momentText, percentText } from "../texts/label_text.ts";
import { describeDoubtful } from "../texts/price_text.ts";
import { shortName } from "../texts/short_names.ts";
import {
  columnLabel,
  columnText,
  groupNoun,
  inSentence,
  MOST_SERIES,
  numberIn,
  openRows,
  restNote,
  seriesLegend,
  seriesOf,
  textIn,
  valueText,
} from "./column_text.ts";
import { dotsPanel, linesPanel, sharesPanel } from "./time_panels.ts";
import {
  ACTION,
  EVERY,
  numberAxis,
  placeNoun,
  type Places,
  placesOf,
  requireFitting,
  timeAxis,
  type TimePlan,
  timePlan,
  type TimeSeriesOptions,
} from "./time_plan.ts";
import {
  binPoints,
  type Bins,
  binsOf,
  type Brackets,
  bracketsOf,
  type Placed,
  shareParts,
  tipText,
  usualEvery,
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
  limit: wholeNumber(1, MOST_SERIES),
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
  const plan = timePlan(options);
  const brackets = bracketsOf(x, columnNames(given as Rows<object>));
  const rows = openRows(given, {
    needed: {
      ...(series === undefined ? {} : { [series]: "text" }),
      [x]: "text",
      ...(y === undefined ? {} : { [y]: "number" }),
    },
    read: [...brackets.columns, ...(y?.endsWith("_native") ? ["price_sides"] : [])],
  }, ACTION);
  return drawPicture("timeSeries", rows, options, {
    defaults: { limit: MOST_SERIES },
    select: (rows: readonly Row[], settled) => selectTimes(rows, settled, { plan, brackets }),
    empty: {
      title: `${plan.subject} over time`,
      noRows: "No rows in this range",
      noValues: "No row in this range has a known time" +
        (plan.stat === "count" ? "" : " and number"),
    },
    axes: (seen) => axesOf(seen),
    panels: (seen) => [panelOf(seen)],
    legend: ({ groups, parts }) =>
      seriesLegend(groups, {
        shape: plan.isShare ? "square" : "dot",
        labelOf: (one) =>
          parts === null ? one.label : `${one.label}: ${percentText(parts.get(one) ?? 0)}`,
      }),
    finding: (seen) => findingOf(seen),
    title: (seen) => titleOf(seen),
    caption: ({ placed, missing, groups, bins, drawn, limit, axis }) => [
      `n = ${count(placed.length, "row")}`,
      missing.places > 0 && `${count(missing.places, "row")} without ${x} left out`,
      missing.numbers > 0 && `${count(missing.numbers, "row")} without a number in ${y} left out`,
      bins === null ? placed.length > MOST_DOTS && AREAS : binsNote(bins, plan),
      brackets.note(drawn),
      restNote(groups, {
        limit,
        noun: groupNoun(series ?? ""),
        most: plan.stat === "sum" ? inSentence(plan.text.name) : "rows",
      }),
      plan.isShare ? null : axis?.note,
    ],
  });
}

/** What a caption says of many dots. */
const AREAS = "Rows near each other share a dot, whose area says how many they are";

/** The rows that can be drawn, and the options. */
type Seen<Row extends object> = ReturnType<typeof selectTimes<Row>> & TimeSeriesOptions;
/** What is seen, on its axes. */
type Drawn<Row extends object> = Seen<Row> & ReturnType<typeof axesOf<Row>>;

/** Part of the range by which the axis of dots is longer, on each side. */
const PAD = 0.02;

function axesOf<Row extends object>(seen: Seen<Row>) {
  const { plan, x, placed, groups, bins, places: { isTime } } = seen;
  const points = bins === null || plan.isShare ? [] : binPoints(groups, bins, plan);
  const values = placed.map(({ value }) => value);
  const levels = points.map(({ y }) => y).filter((y) => !Number.isNaN(y));
  const [low = 0, high = 0] = extent(placed.map(({ at }) => at));
  const pad = low === high ? 1 : (high - low) * PAD;
  const domain = bins?.domain ?? [low - pad, high + pad] as const;
  const label = columnText(isTime ? x.replace(/_ms$/, "") : x).name;
  const per = bins === null ? "" : ` per ${bins.text}`;
  const total = sum(values);
  const [{ name, points: largest }] = groups as [typeof groups[number]];
  return {
    across: (isTime ? timeAxis : numberAxis)(domain, label),
    axis: openAxis(bins === null ? values : levels, {
      label: columnLabel({ ...plan.text, name: plan.name }, per),
      unit: plan.text.unit ?? "",
      towards: "up",
      fromZero: plan.isTotal,
    }),
    /** What is drawn of the bins; none where every row is. */
    points,
    values,
    levels,
    total,
    parts: partsOf(seen),
    largest: { name: shortName(name), share: sum(largest, ({ value }) => value) / total },
  };
}

function panelOf<Row extends object>(seen: Drawn<Row>): Panel {
  const { plan, groups, bins, points } = seen;
  if (bins === null) return dotsPanel(dotsOf(seen), seen);
  if (!plan.isShare) return linesPanel(points, { ...seen, ...plan, isCut: mayBeCut(bins, plan) });
  return sharesPanel(
    shareParts(groups, bins, plan.text),
    `${plan.subject} per ${bins.text} (%)`,
    seen,
  );
}

/** The share of each series in all; `null` where there is one series, or a negative sum. */
function partsOf<Row extends object>({ plan, groups }: Seen<Row>) {
  const totals = groups.map(({ points }) => sum(points, ({ value }) => value));
  const all = sum(totals);
  const isParted = plan.isTotal && all > 0 && totals.every((one) => one >= 0);
  if (groups.length < 2 || !isParted) return null;
  return new Map(groups.map((group, at) => [group, totals[at]! / all]));
}

function dotsOf<Row extends object>(
  { plan, brackets, groups, places: { isTime } }: Seen<Row>,
): RowDot<Row>[] {
  return groups.flatMap(({ name, color, points }) =>
    points.map(({ row, at, value }) => {
      const place = isTime ? momentText(at) : wholeText(at);
      const title = `${place}${brackets.has(row) ? " or later" : ""}\n` +
        `${name === "" ? "" : `${name}: `}${tipText(value, plan.text)}`;
      return { row, x: at, y: value, color, title };
    })
  );
}

function titleOf<Row extends object>(seen: Drawn<Row>): string {
  const { plan, placed, bins, values, total, largest, places: { isTime }, x } = seen;
  const said = (value: number) => valueText(value, plan.text);
  if (bins === null) {
    const along = isTime ? "over time" : `by ${inSentence(columnText(x).name)}`;
    return `${plan.text.name} ${along}: median ${said(median(values)!)}`;
  }
  const what = `${plan.subject} per ${bins.text}`;
  if (plan.isShare) {
    return total > 0
      ? `${what}: ${largest.name} has the most, ${shareText(largest.share, placed.length)}`
      : what;
  }
  if (plan.stat === "sum") return `${what}: ${said(total)} in total`;
  if (plan.stat === "count") return `${what}: ${wholeText(placed.length)} in total`;
  // Bins are groups, which differ by chance too.
  const middle = plan.stat === "mean" ? total / values.length : median(values)!;
  return `${what}: ${said(middle)} ${values.length === 1 ? "in 1 row" : "over all rows"}`;
}

/** What is drawn in all, and where it is the most. */
function findingOf<Row extends object>(seen: Drawn<Row>): (string | false)[] {
  const { plan, parts, bins, points, values, levels, total, largest, places: { isTime } } = seen;
  const said = (value: number) => valueText(value, plan.text);
  const highest = max(levels);
  const peak = points.find(({ y }) => y === highest);
  const rows = count(values.length, "row");
  return [
    bins === null || !plan.isTotal
      ? `The median of ${rows} is ${said(median(values)!)}, the range ` +
        `${said(min(values)!)} to ${said(max(values)!)}`
      : `${rows}${plan.stat === "count" ? "" : ` ${addsUp(values.length)} to ${said(total)}`} in ` +
        `${count(bins.count, "bin")} of ${widthText(bins)}`,
    plan.stat === "sum" &&
    describeDoubtful<{ readonly price_sides?: string | null }>(seen.drawn, {
      noun: "row",
      value: (row) => numberIn(row, seen.y!)!,
      native: plan.text.unit ?? "",
    }),
    parts !== null &&
    `${largest.name} has the largest part, ${shareText(largest.share, values.length)}`,
    bins !== null && plan.isTotal && !plan.isShare && bins.count > 1 && peak !== undefined &&
    `The highest ${isTime ? "is at" : "is in"} ${peak.title.split("\n")[0]}: ${said(peak.y)}`,
  ];
}

/** How wide a bin is: `one minute`, `20 auctions`. */
function widthText({ text }: Bins): string {
  return /^\d/.test(text) ? text : `one ${text}`;
}

/** Whether the first and the last of some bins of totals may hold a part of what happened in them. */
function mayBeCut({ isWide, count }: Bins, { isShare, isTotal }: TimePlan): boolean {
  return isTotal && !isShare && isWide && count > 1;
}

/** What a caption says of bins. */
function binsNote(bins: Bins, plan: TimePlan): string {
  const week = /week/.test(bins.text) ? ", from Monday on" : "";
  return `One ${plan.isShare ? "bar" : "point"} is ${widthText(bins)}${week}` +
    (mayBeCut(bins, plan) ? "; the first and the last, which are hollow, may be cut short" : "");
}

/** More bins would be narrower than a pixel, and more points would be a heavy page. */
const [MOST_BINS, MOST_POINTS] = [2_000, 4_000];

/**
 * Selects the rows that can be drawn, and puts them in series and bins.
 *
 * @throws {InputError} If the bins do not suit the places or are too many, or a share is asked for of
 * negative numbers.
 */
function selectTimes<Row extends object>(
  rows: readonly Row[],
  { x, y, series, limit = MOST_SERIES }: TimeSeriesOptions,
  { plan, brackets }: { plan: TimePlan; brackets: Brackets },
) {
  const places = placesOf(rows, x);
  const standing = rows.flatMap((row) => {
    const at = places.of(row);
    return at === null ? [] : [{ row, at, value: y === undefined ? 1 : numberIn(row, y) }];
  });
  const known = standing.filter((one): one is Placed<Row> => one.value !== null);
  const placed = plan.stat === "count" ? known.map((one) => ({ ...one, value: 1 })) : known;
  const negative = placed.filter(({ value }) => value < 0).length;
  if (plan.isShare && negative > 0) {
    throw new InputError(
      `${ACTION} with shares of ${y}, which is negative in ${count(negative, "row")}`,
      { remedy: "Leave out share, or these rows" },
    );
  }
  const groups = seriesOf(placed, {
    keyOf: series === undefined ? null : ({ row }) => textIn(row, series),
    sizeOf: (points) =>
      plan.stat === "sum" ? Math.abs(sum(points, ({ value }) => value)) : points.length,
    limit,
    noun: groupNoun(series ?? ""),
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
      : binned(placed.map(({ at }) => at), { plan, places, x, series: groups.length }),
    /** How many rows have no place, and how many of the others no number. */
    missing: { places: rows.length - standing.length, numbers: standing.length - placed.length },
    drawn: placed.map(({ row }) => row),
  };
}

function binned(
  ats: readonly number[],
  { plan, places, x, series }: { plan: TimePlan; places: Places; x: string; series: number },
): Bins {
  if (plan.every !== null) requireFitting(plan.every, places, x);
  const bins = binsOf(ats, plan.every ?? usualEvery(ats, places.isTime, placeNoun(x)));
  const most = Math.min(MOST_BINS, Math.floor(MOST_POINTS / series));
  if (bins.count <= most) return bins;
  throw new InputError(`${ACTION} every ${bins.text}: ${wholeText(bins.count)} bins`, {
    remedy: `Pass a longer time as every, for at most ${wholeText(most)} bins` +
      (series === 1 ? "" : ` of ${series} series`),
  });
}
