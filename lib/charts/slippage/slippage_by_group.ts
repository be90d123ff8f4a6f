import * as Plot from "@observablehq/plot";
import { createDifferenceAxis } from "../axes/axis_scale.ts";
import { MIN_COMPARED } from "../../metrics/intervals.ts";
import {
  createListOptions,
  type GroupOptions,
  type ListChartOptions,
} from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, INTERVAL_ENTRY, type LegendEntry } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { type Group, groupLargest, isNumber, readText, sortRows } from "../rows.ts";
import { compareRange, countSides, describeRange, INTERVALS_NOTE } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole, pluralize } from "../texts/count_text.ts";
import { bpsText, formatBpsTogether } from "../texts/label_text.ts";
import { nameGroup, readSolverNames, shortenNames } from "../texts/short_names.ts";
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
  extends SlippageChartOptions, ListChartOptions<"fills" | "median_bps" | "name">, GroupOptions {
  /**
   * Column by whose values the fills are grouped, of the table or your own.
   * @default {`pair` or `solver`, as the chart is named}
   */
  by?: string;
  /**
   * Order of the groups from top to bottom; those of fewer than 10 fills stand below the others.
   * @default {"-median_bps"}
   */
  sort?: "fills" | "-fills" | "median_bps" | "-median_bps" | "name" | "-name";
}

interface Summary extends SlippageGroup {
  title: string;
  members: readonly MeasuredFill[];
}

/** Smaller groups show each fill as a dot: an interval of so few misses the true median too often. */
const MIN_FILLS = MIN_COMPARED.median;

function toSample(summary: Summary) {
  return { summary, values: summary.members.map(({ bps }) => bps) };
}

function formatNotes(summaries: readonly Summary[], width: number): string[] {
  const medians = formatBpsTogether(summaries.map((summary) => summary.median_bps));
  return summaries.map(({ fills }, index) =>
    width < LONG_NOTES_FROM
      ? `n = ${formatWhole(fills)}`
      : `${medians[index]}, n = ${formatWhole(fills)}`
  );
}

/** Below this width, notes have the number of fills only. */
const LONG_NOTES_FROM = 600;

function formatTooltip(summary: Summary): string {
  const { median_low_bps: low, median_high_bps: high } = summary;
  return [
    summary.title,
    `${count(summary.fills, "fill")}, ${formatPart(countBetter(summary), summary.fills)} better`,
    `median ${bpsText(summary.median_bps)}` +
    (low === null || high === null ? "" : `, 95% interval ${bpsText(low)} to ${bpsText(high)}`),
    summary.weighted_median_bps !== null &&
    `median weighted by size ${bpsText(summary.weighted_median_bps)}`,
    `middle half from ${bpsText(summary.lower_quartile_bps)} to ` +
    `${bpsText(summary.upper_quartile_bps)}`,
    `middle 80% from ${bpsText(summary.tenth_bps)} to ${bpsText(summary.ninetieth_bps)}`,
  ].filter((line) => line !== false).join("\n");
}

function countBetter({ members }: Summary): number {
  return members.filter(({ bps }) => bps > 0).length;
}

/** Separates groups with an interval from fills of small groups, on one axis. */
function layOutGroups(summaries: readonly Summary[]) {
  const boxes = summaries.filter(({ fills }) => fills >= MIN_FILLS);
  const dots = summaries.flatMap((summary, index) =>
    summary.fills >= MIN_FILLS ? [] : summary.members.map((fill) => ({ index, fill }))
  );
  const axis = createDifferenceAxis([
    ...boxes.flatMap((summary) => [
      ...[summary.lower_quartile_bps, summary.upper_quartile_bps],
      ...[summary.median_low_bps, summary.median_high_bps].filter(isNumber),
    ]),
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
  type End = "lower_quartile_bps" | "upper_quartile_bps" | "median_low_bps" | "median_high_bps";
  const spanBetween = (from: End, to: End) => ({
    ...channels,
    x1: (summary: Summary) => axis.clamp(summary[from] ?? NaN),
    x2: (summary: Summary) => axis.clamp(summary[to] ?? NaN),
  });
  return [
    Plot.ruleX([0], { stroke: COLORS.ink }),
    Plot.ruleY(boxes, {
      ...spanBetween("lower_quartile_bps", "upper_quartile_bps"),
      stroke: COLORS.sky,
      strokeOpacity: HALF_OPACITY,
      strokeWidth: 13,
      className: "half",
    }),
    Plot.ruleY(boxes, {
      ...spanBetween("median_low_bps", "median_high_bps"),
      stroke: COLORS.blue,
      strokeWidth: 3,
      className: "interval",
    }),
    Plot.dot(dots, {
      x: ({ fill }) => axis.clamp(fill.bps),
      y: "index",
      r: 3,
      fill: ({ fill }) => axis.isBeyond(fill.bps) ? "white" : COLORS.grey,
      stroke: COLORS.muted,
      title: ({ fill }) => formatFillTooltip(fill, against),
      className: "fill",
    }),
    Plot.dot(boxes.filter((summary) => summary.weighted_median_bps !== null), {
      ...channels,
      x: (summary: Summary) => axis.clamp(summary.weighted_median_bps ?? NaN),
      r: 3.5,
      fill: "white",
      stroke: COLORS.ink,
      className: "weighted",
    }),
    Plot.dot(boxes, {
      ...channels,
      x: (summary: Summary) => axis.clamp(summary.median_bps),
      r: 5,
      fill: COLORS.blue,
      className: "median",
    }),
  ];
}

const HALF_OPACITY = 0.4;

const LEGEND: readonly LegendEntry[] = [
  { label: "median", fill: COLORS.blue, shape: "dot" },
  { ...INTERVAL_ENTRY, stroke: COLORS.blue },
  { label: "median weighted by size", fill: "white", stroke: COLORS.ink, shape: "dot" },
  { label: "middle half of the fills", fill: COLORS.sky },
];
const FILL_ENTRY: LegendEntry = {
  label: `single fill, in groups of fewer than ${MIN_FILLS}`,
  name: "fill",
  fill: COLORS.grey,
  stroke: COLORS.muted,
  shape: "dot",
};

/**
 * The picture of the slippage of each group of fills: medians with their intervals, or dots where there
 * are few.
 *
 * @param chart Name of the function that draws.
 * @param column Column with the group's name, unless the caller names another.
 */
function defineGroupChart(
  chart: string,
  column: "pair" | "solver",
): Draw<SlippageRow, SlippageByGroupOptions> {
  return defineChart({
    chart,
    ...SLIPPAGE_ROWS,
    options: {
      ...SLIPPAGE_OPTIONS,
      ...createListOptions("fills", "median_bps", "name"),
      by: String,
    },
    selectColumns: (
      { baseline, by = column }: SlippageByGroupOptions,
    ) => [pickColumn(baseline), by],
    defaults: { by: column, sort: "-median_bps", limit: 25 },
    select: (rows, options) => {
      const measured = measureFills(rows, options);
      const { by, limit } = options;
      const noun = nameGroup(by);
      const { groups, restGroup } = groupLargest(
        measured.fills,
        ({ row }) => readText(row, by),
        { limit, noun },
      );
      const names = by === "solver" ? readSolverNames(measured.drawnRows) : null;
      const summarize = ({ key, rows }: Group<MeasuredFill>): Summary => ({
        ...summarizeFills(key, rows),
        title: names?.formatWithAddress(key) ?? key,
        members: rows,
      });
      const sortedSummaries = sortRows(groups.map(summarize), options.sort, {
        name: ({ name }) => names?.format(name) ?? name,
      });
      const isSmall = ({ fills }: Summary) => fills < MIN_FILLS;
      const groupSummaries = [
        ...sortedSummaries.filter((summary) => !isSmall(summary)),
        ...sortedSummaries.filter(isSmall),
      ];
      const summaries = restGroup === null
        ? groupSummaries
        : [...groupSummaries, summarize(restGroup)];
      const subject = `Fills against the ${measured.against.name}, by ${noun}`;
      const keys = summaries.map(({ name }) => name);
      const smallCount = groupSummaries.filter(isSmall).length;
      return {
        ...{ ...measured, noun, names, keys, subject },
        ...{ groupSummaries, restGroup, summaries, smallCount },
      };
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
        column: formatNotes(summaries, size.width),
      }),
    ],
    legend: ({ boxes, dots }) => [
      ...(boxes.length > 0 ? LEGEND : []),
      ...(dots.length > 0 ? [FILL_ENTRY] : []),
    ],
    finding: ({ groupSummaries, names, noun, against }) => {
      const [only] = groupSummaries;
      const format = ({ name, median_bps: middle, fills }: Summary) =>
        `${bpsText(middle)} (${names?.formatLabel(name) ?? name}, ${count(fills, "fill")})`;
      const boxes = groupSummaries.filter(({ fills }) => fills >= MIN_FILLS);
      const wide = boxes.filter((summary) =>
        summary.upper_quartile_bps - summary.lower_quartile_bps > Math.abs(summary.median_bps)
      ).length;
      return [
        groupSummaries.length === 1
          ? `The median against the ${against.name} is ${format(only!)}`
          : describeRange(compareRange(groupSummaries.map(toSample), { text: bpsText }), {
            noun,
            rows: "fills",
            text: ({ summary }) =>
              format(summary),
          }),
        boxes.length > 1 &&
        `In ${formatPart(wide, boxes.length)} ${pluralize(noun)} of at least ${MIN_FILLS} fills, ` +
          "the middle half of the fills spans more than the distance from their median to zero",
      ];
    },
    title: ({ subject, groupSummaries, restGroup, noun }) => {
      const { aboveCount, belowCount, neitherCount, fewCount } = countSides(
        groupSummaries.map(toSample),
      );
      const groupsText = `${count(groupSummaries.length, noun)}` +
        `${restGroup === null ? "" : " listed"}`;
      const few = fewCount === 0 ? "" : `, too few fills in ${formatWhole(fewCount)}`;
      if (fewCount === groupSummaries.length) {
        return `${subject}: too few fills to see a difference in any of ${groupsText}`;
      }
      if (aboveCount + belowCount === 0) {
        return fewCount === 0
          ? `${subject}: no clear difference in any of ${groupsText}`
          : `${subject}: no clear difference in ${
            formatWhole(neitherCount)
          } of ${groupsText}${few}`;
      }
      return `${subject}: better in ${formatWhole(aboveCount)} of ${groupsText}, worse in ` +
        `${formatWhole(belowCount)}` +
        (neitherCount === 0 ? "" : `, no clear difference in ${formatWhole(neitherCount)}`) + few;
    },
    caption: ({ drawnRows, notes, limit, restGroup, noun, smallCount, boxes, axis }) => [
      `n = ${count(drawnRows.length, "fill")}`,
      ...notes,
      restGroup !== null && describeSharedRow(limit, noun, restGroup.key),
      smallCount > 0 && boxes !== undefined && boxes.length > 0 &&
      `${count(smallCount, noun)} of fewer than ${MIN_FILLS} fills ` +
        `${smallCount === 1 ? "has" : "have"} no interval and ` +
        `${smallCount === 1 ? "stands" : "stand"} below the others`,
      boxes !== undefined && boxes.length > 1 && INTERVALS_NOTE,
      axis?.note,
    ],
  });
}

/**
 * Draws the slippage of fills against one baseline of their quote, one row per directed pair:
 * median with its 95% interval, median weighted by size, and the middle half of its fills; each fill as
 * a dot where there are fewer than ten. Pairs beyond `limit` (25) share the last row.
 *
 * @param rows Rows or a frame. One row per fill with `pair`; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two pairs, the better one first, of too few fills for an interval
 * ```ts
 * import { slippageByPair } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageByPair([
 *   { order_uid: "0x01", kind: "sell", pair: "WETH → USDC", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", pair: "DAI → USDC", slippage_net_bps: 1 },
 * ], { sort: "-median_bps" });
 *
 * assertMatch(chart.title, /too few fills to see a difference in any of 2 pairs/);
 * ```
 */
export const slippageByPair: Draw<SlippageRow, SlippageByGroupOptions> = defineGroupChart(
  "slippageByPair",
  "pair",
);

/**
 * Draws the slippage of fills against one baseline of their quote, one row per settling solver:
 * median with its 95% interval, median weighted by size, and the middle half of its fills; each fill as
 * a dot where there are fewer than ten. Solvers beyond `limit` (25) share the last row.
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
