import type { ScaleOptions } from "@observablehq/plot";
import {
  checkOptions,
  FLAG,
  needed,
  oneOf,
  type OptionRules,
  TEXT,
  wholeFrom,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture, type Picture } from "../figure/picture.ts";
import { MOST_DOTS, type PlacedLabel, type RowDot } from "../marks/dot_plot.ts";
import { columnNames, type Rows } from "../rows.ts";
import { count, wholeText } from "../texts/count_text.ts";
import { extent, max, median, min, sum } from "../statistics.ts";
import { shortName } from "../texts/short_names.ts";
import { axisText, momentText, percentText } from "../texts/label_text.ts";
import {
  columnLabel,
  columnText,
  groupNoun,
  inSentence,
  MOST_SERIES,
  numberIn,
  openRows,
  restNote,
  type Series,
  seriesLegend,
  seriesOf,
  textIn,
  valueText,
} from "./column_text.ts";
import { type OpenAxis, openAxis } from "../axes/axis_scale.ts";
import { dotsPanel, linesPanel, sharesPanel, type TimePanel } from "./time_panels.ts";
import {
  EVERY,
  numberAxis,
  placeNoun,
  type Places,
  placesOf,
  requireFitting,
  statName,
  timeAxis,
  type TimePlan,
  timePlan,
  type TimeSeriesOptions,
} from "./time_plan.ts";
import {
  type BinPoint,
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

const ACTION = "Cannot draw timeSeries";

const OPTIONS: OptionRules<TimeSeriesOptions> = {
  ...CHART_OPTIONS,
  x: needed(TEXT),
  y: TEXT,
  series: TEXT,
  stat: oneOf("none", "sum", "median", "mean", "count"),
  every: EVERY,
  share: FLAG,
  unit: TEXT,
  limit: wholeFrom(1, MOST_SERIES),
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
 * assertEquals(chart.title, "Share of volume per 10 auctions: A has the most, 75%");
 * ```
 */
export function timeSeries<Row extends object>(
  given: Rows<Row>,
  options: TimeSeriesOptions,
): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const { x, y, series } = options;
  const plan = timePlan(options, ACTION);
  const brackets = bracketsOf(x, columnNames(given as Rows<object>));
  const rows = openRows(given, {
    needed: {
      ...(series === undefined ? {} : { [series]: "text" }),
      [x]: "text",
      ...(y === undefined ? {} : { [y]: "number" }),
    },
    read: brackets.columns,
  }, ACTION);
  const picture = timePicture<Row>({ plan, brackets, action: ACTION });
  return drawPicture("timeSeries", rows, options, picture);
}

/** What a picture is drawn by. */
interface Planned {
  /** What is drawn. */
  readonly plan: TimePlan;
  /** How times may be known. */
  readonly brackets: Brackets;
  /** Beginning of error messages. */
  readonly action: string;
}

interface TimeAxes {
  readonly across: ScaleOptions;
  readonly axis: OpenAxis;
  /** What is drawn of the bins; none where every row is. */
  readonly points: readonly BinPoint[];
}

type Seen<Row> = TimeSelection<Row> & TimeSeriesOptions & { readonly limit: number };

/** Part of the range by which the axis of dots is longer, on each side. */
const PAD = 0.02;

/** The picture of a plan. */
function timePicture<Row extends object>(
  planned: Planned,
): Picture<Row, TimeSeriesOptions, { limit: number }, TimeSelection<Row>, TimeAxes> {
  const { plan, brackets } = planned;
  return {
    defaults: { limit: MOST_SERIES },
    select: (rows, options) => selectTimes(rows, options, planned),
    empty: {
      title: `${subjectOf(plan)} over time`,
      noRows: "No rows in this range",
      noValues: plan.stat === "count"
        ? "No row in this range has a known time"
        : "No row in this range has a known time and number",
    },
    axes: (seen) => axesOf(seen, plan),
    panels: (seen) => [panelOf(seen, planned)],
    legend: ({ groups }) => seriesLegend(groups, { shape: plan.isShare ? "square" : "dot" }),
    finding: (seen) => findingOf(seen, plan),
    title: (seen) => titleOf(seen, plan),
    caption: (seen) => [
      `n = ${count(seen.placed.length, "row")}`,
      ...missingNotes(seen),
      binsNote(seen, plan),
      brackets.note(seen.drawn),
      restNote(seen.groups, {
        limit: seen.limit,
        noun: groupNoun(seen.series ?? ""),
        most: plan.stat === "sum" ? inSentence(plan.text.name) : "rows",
      }),
      plan.isShare ? null : seen.axis?.note,
    ],
  };
}

/** What is seen, as the beginning of a title. */
function subjectOf(plan: TimePlan): string {
  return plan.isShare ? `Share of ${inSentence(plan.text.name)}` : statName(plan);
}

function axesOf<Row>(seen: Seen<Row>, plan: TimePlan): TimeAxes {
  const { x, placed, groups, bins, places: { isTime } } = seen;
  const points = bins === null || plan.isShare ? [] : binPoints(groups, bins, plan);
  const values = bins === null ? placed.map(({ value }) => value) : points.map(({ y }) => y);
  const domain = bins?.domain ?? padded(placed.map(({ at }) => at));
  const label = columnText(isTime ? x.replace(/_ms$/, "") : x).name;
  return {
    across: (isTime ? timeAxis : numberAxis)(domain, label),
    axis: openAxis(values.filter((value) => !Number.isNaN(value)), {
      label: columnLabel(
        { ...plan.text, name: statName(plan) },
        bins === null ? "" : ` per ${bins.text}`,
      ),
      unit: plan.text.unit ?? "",
      towards: "up",
      fromZero: isTotal(plan),
    }),
    points,
  };
}

function padded(ats: readonly number[]): [number, number] {
  const [low = 0, high = 0] = extent(ats);
  const pad = low === high ? 1 : (high - low) * PAD;
  return [low - pad, high + pad];
}

function panelOf<Row extends object>(
  seen: Seen<Row> & TimeAxes & { readonly width: number },
  { plan, brackets }: Planned,
): Panel {
  const { groups, bins, points, across, axis, ...options } = seen;
  const size: TimePanel = { ...options, across, axis };
  if (bins === null) return dotsPanel(dotsOf(seen, { plan, brackets }), size);
  if (!plan.isShare) {
    return linesPanel(points, { ...size, isTotal: isTotal(plan), ends: endsOf(seen, plan) });
  }
  const label = `${subjectOf(plan)} per ${bins.text} (%)`;
  return sharesPanel(shareParts(groups, bins, plan.text), label, size);
}

/** Whether what is drawn of a bin is a sum or a number of rows. */
function isTotal({ stat }: TimePlan): boolean {
  return stat === "sum" || stat === "count";
}

/** The share of each series in all, where its line ends. */
function endsOf<Row>({ groups, points }: Seen<Row> & TimeAxes, plan: TimePlan): PlacedLabel[] {
  const totals = groups.map(({ points }) => sum(points, ({ value }) => value));
  const all = sum(totals);
  if (groups.length < 2 || !isTotal(plan) || !(all > 0) || totals.some((one) => one < 0)) return [];
  return groups.map(({ name }, at) => ({
    text: percentText(totals[at]! / all),
    y: points.findLast((point) => point.name === name)?.y ?? 0,
  }));
}

function dotsOf<Row extends object>(
  { groups, places: { isTime } }: Seen<Row>,
  { plan, brackets }: Pick<Planned, "plan" | "brackets">,
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

function titleOf<Row>(seen: Seen<Row> & TimeAxes, plan: TimePlan): string {
  const { placed, groups, bins, points, places: { isTime }, x } = seen;
  const { text } = plan;
  const said = (value: number) => valueText(value, text);
  const values = placed.map(({ value }) => value);
  if (bins === null) {
    const along = isTime ? "over time" : `by ${inSentence(columnText(x).name)}`;
    return `${text.name} ${along}: median ${said(median(values)!)}`;
  }
  const what = `${subjectOf(plan)} per ${bins.text}`;
  if (plan.isShare) {
    const [first] = groups;
    const own = sum(first?.points ?? [], ({ value }) => value);
    const total = sum(values);
    return total > 0 && first !== undefined
      ? `${what}: ${shortName(first.name)} has the most, ${percentText(own / total)}`
      : what;
  }
  if (plan.stat === "sum") return `${what}: ${said(sum(values))} in total`;
  if (plan.stat === "count") return `${what}: ${wholeText(placed.length)} in total`;
  const [low = 0, high = 0] = extent(points.map(({ y }) => y).filter((y) => !Number.isNaN(y)));
  return low === high ? `${what}: ${said(low)}` : `${what}: from ${axisText(low)} to ${said(high)}`;
}

/** What is drawn in all, and where it is the most. */
function findingOf<Row>(
  { placed, groups, bins, points, places: { isTime } }: Seen<Row> & TimeAxes,
  plan: TimePlan,
): (string | false)[] {
  const { stat, isShare, text } = plan;
  const said = (value: number) => valueText(value, text);
  const values = placed.map(({ value }) => value);
  const total = sum(values);
  const [largest] = groups;
  const own = sum(largest?.points ?? [], ({ value }) => value);
  const highest = max(points.map(({ y }) => y).filter((y) => !Number.isNaN(y)));
  const peak = points.find(({ y }) => y === highest);
  return [
    bins === null || !isTotal(plan)
      ? `The median of ${count(values.length, "row")} is ${said(median(values)!)}, the range ` +
        `${said(min(values)!)} to ${said(max(values)!)}`
      : `${count(values.length, "row")}${stat === "count" ? "" : ` add up to ${said(total)}`} in ` +
        `${count(bins.count, "bin")} of ${bins.text}`,
    groups.length > 1 && isTotal(plan) && total > 0 &&
    `${shortName(largest!.name)} has the largest part, ${percentText(own / total)}`,
    bins !== null && !isShare && bins.count > 1 && peak !== undefined &&
    `The highest ${isTime ? "is at" : "is in"} ${peak.title.split("\n")[0]}: ${said(peak.y)}`,
  ];
}

function missingNotes<Row>({ missing, x, y }: Seen<Row>): (string | false)[] {
  return [
    missing.places > 0 && `${count(missing.places, "row")} without ${x} left out`,
    missing.numbers > 0 && `${count(missing.numbers, "row")} without a number in ${y} left out`,
  ];
}

/** What a caption says of bins, or of dots. */
function binsNote<Row>({ bins, placed }: Seen<Row>, plan: TimePlan): string | null {
  if (bins === null) {
    return placed.length > MOST_DOTS
      ? "Rows near each other share a dot, whose area says how many they are"
      : null;
  }
  const week = /week/.test(bins.text) ? ", from Monday on" : "";
  return `One ${plan.isShare ? "bar" : "point"} is ${/^\d/.test(bins.text) ? "" : "one "}` +
    `${bins.text}${week}` +
    (isTotal(plan) && !plan.isShare && bins.count > 2
      ? "; the first and the last, which are hollow, may be cut short"
      : "");
}

/** What is seen of some rows. */
interface TimeSelection<Row> {
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
function selectTimes<Row extends object>(
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
