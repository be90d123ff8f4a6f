import * as Plot from "@observablehq/plot";
import { createDifferenceAxis } from "../axes/axis_scale.ts";
import { createListOptions, type ListChartOptions } from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { type Group, groupLargest, sortRows } from "../rows.ts";
import { compareRange, countSides, describeRange } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { bpsText, formatBpsTogether, formatPercent } from "../texts/label_text.ts";
import { readSolverNames, shortenNames } from "../texts/short_names.ts";
import {
  type BaselineFacts,
  explainEmpty,
  formatFillTooltip,
  formatSlippageLabel,
  type MeasuredFill,
  measureFills,
  pickColumn,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageChartOptions,
  type SlippageRow,
} from "./measured_fills.ts";
import { describeSharedRow, type SlippageGroup, summarizeFills } from "./slippage_groups.ts";

/** Options of charts that compare the slippage of groups. */
export interface SlippageByGroupOptions
  extends SlippageChartOptions, ListChartOptions<"fills" | "median_bps" | "name"> {}

interface Summary extends SlippageGroup {
  title: string;
  members: readonly MeasuredFill[];
}

/** Groups with at least this many fills show quartiles; smaller ones show each fill as a dot. */
const BOX_FROM = 5;

function toSample(summary: Summary) {
  return { summary, values: summary.members.map(({ bps }) => bps) };
}

function formatNotes(summaries: readonly Summary[]): string[] {
  const medians = formatBpsTogether(summaries.map((summary) => summary.median_bps));
  return summaries.map(({ fills }, index) => `${medians[index]}, n = ${formatWhole(fills)}`);
}

function formatTooltip(summary: Summary): string {
  return [
    summary.title,
    `${count(summary.fills, "fill")}, ${formatPercent(summary.better_share)} better`,
    `median ${bpsText(summary.median_bps)}` +
    (summary.weighted_median_bps === null
      ? ""
      : `, weighted by size ${bpsText(summary.weighted_median_bps)}`),
    `middle half from ${bpsText(summary.lower_quartile_bps)} to ` +
    `${bpsText(summary.upper_quartile_bps)}`,
    `middle 80% from ${bpsText(summary.tenth_bps)} to ${bpsText(summary.ninetieth_bps)}`,
  ].join("\n");
}

/** Separates groups with quartiles from fills of small groups, on one axis. */
function layOutGroups(summaries: readonly Summary[]) {
  const boxes = summaries.filter(({ fills }) => fills >= BOX_FROM);
  const dots = summaries.flatMap((summary, index) =>
    summary.fills >= BOX_FROM ? [] : summary.members.map((fill) => ({ index, fill }))
  );
  const axis = createDifferenceAxis([
    ...boxes.flatMap((summary) => [summary.tenth_bps, summary.ninetieth_bps]),
    ...dots.map(({ fill }) => fill.bps),
  ], "bps");
  return { boxes, dots, axis };
}

function drawGroups(
  { boxes, dots, axis }: ReturnType<typeof layOutGroups>,
  findIndex: (summary: Summary) => number | undefined,
  against: BaselineFacts,
): Plot.Markish[] {
  const channels = { y: findIndex, title: formatTooltip };
  const spanBetween = (
    from: "tenth_bps" | "lower_quartile_bps",
    to: "ninetieth_bps" | "upper_quartile_bps",
  ) => ({
    ...channels,
    x1: (summary: Summary) => axis.clamp(summary[from]),
    x2: (summary: Summary) => axis.clamp(summary[to]),
    stroke: COLORS.sky,
  });
  return [
    Plot.ruleX([0], { stroke: COLORS.ink }),
    Plot.ruleY(boxes, { ...spanBetween("tenth_bps", "ninetieth_bps"), strokeWidth: 2 }),
    Plot.ruleY(boxes, {
      ...spanBetween("lower_quartile_bps", "upper_quartile_bps"),
      strokeWidth: 11,
      className: "half",
    }),
    Plot.dot(dots, {
      x: ({ fill }) => axis.clamp(fill.bps),
      y: "index",
      r: 3.5,
      fill: ({ fill }) => axis.isBeyond(fill.bps) ? "white" : COLORS.sky,
      stroke: COLORS.blue,
      title: ({ fill }) => formatFillTooltip(fill, against),
      className: "fill",
    }),
    Plot.dot(boxes.filter((summary) => summary.weighted_median_bps !== null), {
      ...channels,
      x: (summary: Summary) => axis.clamp(summary.weighted_median_bps ?? NaN),
      r: 4,
      fill: "white",
      stroke: COLORS.ink,
      className: "weighted",
    }),
    Plot.tickX(boxes, {
      ...channels,
      x: (summary: Summary) => axis.clamp(summary.median_bps),
      stroke: COLORS.ink,
      strokeWidth: 2.5,
      className: "median",
    }),
  ];
}

const LEGEND: readonly LegendEntry[] = [
  { label: "median", fill: "none", stroke: COLORS.ink, shape: "tick" },
  { label: "median weighted by size", fill: "white", stroke: COLORS.ink, shape: "dot" },
  { label: "middle half of the fills", fill: COLORS.sky },
  { label: "middle 80%", fill: "none", stroke: COLORS.sky, shape: "line" },
];
const FILL_ENTRY: LegendEntry = {
  label: `single fill, in groups of fewer than ${BOX_FROM}`,
  fill: COLORS.sky,
  stroke: COLORS.blue,
  shape: "dot",
};

/**
 * The picture of the slippage of each group of fills: quartiles and medians, or dots where there
 * are few.
 *
 * @param chart Name of the function that draws.
 * @param column Column with the group's name.
 */
function defineGroupChart(
  chart: string,
  column: "pair" | "solver",
): Draw<SlippageRow, SlippageByGroupOptions> {
  return defineChart({
    chart,
    ...SLIPPAGE_ROWS,
    options: { ...SLIPPAGE_OPTIONS, ...createListOptions("fills", "median_bps", "name") },
    selectColumns: ({ baseline }: SlippageByGroupOptions) => [pickColumn(baseline), column],
    defaults: { sort: "-fills", limit: 25 },
    select: (rows, options) => {
      const measured = measureFills(rows, options);
      const limits = { limit: options.limit, noun: column };
      const { groups, restGroup } = groupLargest(measured.fills, ({ row }) => row[column], limits);
      const names = column === "pair" ? null : readSolverNames(measured.drawnRows);
      const summarize = ({ key, rows }: Group<MeasuredFill>): Summary => ({
        ...summarizeFills(key, rows),
        title: names?.formatWithAddress(key) ?? key,
        members: rows,
      });
      const groupSummaries = sortRows(groups.map(summarize), options.sort, {
        name: ({ name }) => names?.format(name) ?? name,
      });
      const summaries = restGroup === null
        ? groupSummaries
        : [...groupSummaries, summarize(restGroup)];
      const subject = `Fills against the ${measured.against.name}, by ${column}`;
      const keys = summaries.map(({ name }) => name);
      return { ...measured, names, keys, groupSummaries, restGroup, summaries, subject };
    },
    empty: ({ subject, against }) => ({ title: subject, ...explainEmpty(against) }),
    axes: ({ summaries }) => layOutGroups(summaries),
    panels: ({ summaries, keys, names, against, boxes, dots, axis, ...size }) => [
      createListPanel({
        ...size,
        labels: names?.formatLabels(keys) ?? shortenNames(keys),
        axis,
        label: formatSlippageLabel(against),
        marks: () => {
          const places = new Map(summaries.map((summary, index) => [summary, index]));
          return drawGroups({ boxes, dots, axis }, (summary) => places.get(summary), against);
        },
        column: formatNotes(summaries),
      }),
    ],
    legend: ({ boxes, dots }) => [
      ...(boxes.length > 0 ? LEGEND : []),
      ...(dots.length > 0 ? [FILL_ENTRY] : []),
    ],
    finding: ({ groupSummaries, names, against }) => {
      const [only] = groupSummaries;
      const format = ({ name, median_bps: middle, fills }: Summary) =>
        `${bpsText(middle)} (${names?.formatLabel(name) ?? name}, ${count(fills, "fill")})`;
      const wide = groupSummaries.filter((summary) =>
        summary.upper_quartile_bps - summary.lower_quartile_bps > Math.abs(summary.median_bps)
      ).length;
      return [
        groupSummaries.length === 1
          ? `The median against the ${against.name} is ${format(only!)}`
          : describeRange(compareRange(groupSummaries.map(toSample), { text: bpsText }), {
            noun: column,
            rows: "fills",
            text: ({ summary }) =>
              format(summary),
          }),
        groupSummaries.length > 1 &&
        `In ${formatPart(wide, groupSummaries.length)} ${column}s, the middle half of the ` +
          "fills spans more than the distance from their median to zero",
      ];
    },
    title: ({ subject, groupSummaries, restGroup }) => {
      const { aboveCount, belowCount, neitherCount } = countSides(groupSummaries.map(toSample));
      const groupsText = `${count(groupSummaries.length, column)}` +
        `${restGroup === null ? "" : " listed"}`;
      if (aboveCount + belowCount === 0) {
        return `${subject}: no clear difference in any of ${groupsText}`;
      }
      return `${subject}: better in ${formatWhole(aboveCount)} of ${groupsText}, worse in ` +
        `${formatWhole(belowCount)}` +
        (neitherCount === 0 ? "" : `, no clear difference in ${formatWhole(neitherCount)}`);
    },
    caption: ({ drawnRows, notes, limit, restGroup, axis }) => [
      `n = ${count(drawnRows.length, "fill")}`,
      ...notes,
      restGroup !== null && describeSharedRow(limit, column, restGroup.key),
      axis?.note,
    ],
  });
}

/**
 * Draws the slippage of fills against one baseline of their quote, one row per directed pair:
 * median, median weighted by size, the middle half and the middle 80% of its fills; each fill as a
 * dot where there are fewer than five. Pairs beyond `limit` (25) share the last row.
 *
 * @param rows Rows or a frame. One row per fill with `pair`; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two pairs, the better one first
 * ```ts
 * import { slippageByPair } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageByPair([
 *   { order_uid: "0x01", kind: "sell", pair: "WETH → USDC", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", pair: "DAI → USDC", slippage_net_bps: 1 },
 * ], { sort: "-median_bps" });
 *
 * assertMatch(chart.title, /no clear difference in any of 2 pairs/);
 * ```
 */
export const slippageByPair: Draw<SlippageRow, SlippageByGroupOptions> = defineGroupChart(
  "slippageByPair",
  "pair",
);

/**
 * Draws the slippage of fills against one baseline of their quote, one row per settling solver:
 * median, median weighted by size, the middle half and the middle 80% of its fills; each fill as a
 * dot where there are fewer than five. Solvers beyond `limit` (25) share the last row.
 *
 * Solvers settle different orders, so this compares their results, not their skill.
 *
 * @param rows Rows or a frame. One row per fill with `solver`; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fill whose solver is not known is a row of its own
 * ```ts
 * import { slippageBySolver } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageBySolver([
 *   { order_uid: "0x01", kind: "sell", solver: "quasilabs", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", solver: null, slippage_net_bps: 1 },
 * ]);
 *
 * assertMatch(chart.svg, /unknown solver/);
 * ```
 */
export const slippageBySolver: Draw<SlippageRow, SlippageByGroupOptions> = defineGroupChart(
  "slippageBySolver",
  "solver",
);
