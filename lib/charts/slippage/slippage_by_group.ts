import * as Plot from "@observablehq/plot";
import { type OptionRules, orderBy } from "../../errors/option_rules.ts";
import { percentText } from "../texts/axis_text.ts";
import type { Chart } from "../figure/chart.ts";
import { readInput } from "../figure/chart_input.ts";
import { LIMIT, type ListOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { differenceAxis } from "../axes/difference_axis.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "../figure/figure.ts";
import { labelRoom } from "../texts/label_size.ts";
import { largestGroups } from "../rows/largest_groups.ts";
import { listAxis } from "../axes/list_axis.ts";
import {
  columnOf,
  fillTooltip,
  type MeasuredFill,
  measuredFills,
  nothingMeasured,
  SLIPPAGE_OPTIONS,
  type SlippageChartOptions,
} from "./measured_fills.ts";
import type { Panel } from "../figure/panel.ts";
import type { Rows } from "../rows/row_kind.ts";
import { captionText, count, sortRows, wholeText } from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";
import { bpsText, bpsTexts } from "../texts/signed_text.ts";
import type { BaselineFacts } from "./slippage_baseline.ts";
import { type SlippageGroup, summaryOf } from "./slippage_groups.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "./slippage_row.ts";

/** Options of charts that compare the slippage of groups. */
export interface SlippageByGroupOptions
  extends SlippageChartOptions, ListOptions<"fills" | "median_bps" | "name"> {}

const OPTIONS: OptionRules<SlippageByGroupOptions> = {
  ...SLIPPAGE_OPTIONS,
  sort: orderBy("fills", "median_bps", "name"),
  limit: LIMIT,
};

/** What is compared. */
export interface GroupQuestion {
  /** Name of the function that draws. */
  chart: string;
  /** Column with the group's name. */
  column: "pair" | "solver";
  /** What a group is. */
  noun: string;
}

/** A row of the picture, with its fills. */
interface Summary extends SlippageGroup {
  members: readonly MeasuredFill[];
}

const MOST_GROUPS = 25;
/** Groups with at least this many fills show quartiles; smaller ones show each fill as a dot. */
const BOX_FROM = 5;
const NOTE_GAP = 10;

function summarize(name: string, members: readonly MeasuredFill[]): Summary {
  return { ...summaryOf(name, members), members };
}

function notesOf(summaries: readonly Summary[]): string[] {
  const medians = bpsTexts(summaries.map((one) => one.median_bps));
  return summaries.map(({ fills }, at) => `${medians[at]}, n = ${wholeText(fills)}`);
}

function tooltipOf(one: Summary): string {
  return [
    one.name,
    `${count(one.fills, "fill")}, ${percentText(one.better_share)} better`,
    `median ${bpsText(one.median_bps)}` +
    (one.weighted_median_bps === null
      ? ""
      : `, weighted by size ${bpsText(one.weighted_median_bps)}`),
    `middle half from ${bpsText(one.lower_quartile_bps)} to ${bpsText(one.upper_quartile_bps)}`,
    `middle 80% from ${bpsText(one.tenth_bps)} to ${bpsText(one.ninetieth_bps)}`,
  ].join("\n");
}

function groupsPanel(
  summaries: readonly Summary[],
  baseline: BaselineFacts,
  { width, ...options }: SlippageByGroupOptions & { width: number },
): { panel: Panel; note: string | null } {
  const boxes = summaries.filter(({ fills }) => fills >= BOX_FROM);
  const few = summaries.filter(({ fills }) => fills < BOX_FROM);
  const places = new Map(summaries.map((one, place) => [one, place]));
  const dots = few.flatMap((one) => one.members.map((fill) => ({ one, fill })));
  const axis = differenceAxis([
    ...boxes.flatMap((one) => [one.tenth_bps, one.ninetieth_bps]),
    ...dots.map(({ fill }) => fill.bps),
  ], "bps");
  const y = (one: Summary) => places.get(one);
  const notes = notesOf(summaries);
  const between = (
    from: "tenth_bps" | "lower_quartile_bps",
    to: "ninetieth_bps" | "upper_quartile_bps",
  ) => ({
    x1: (one: Summary) => axis.place(one[from]),
    x2: (one: Summary) => axis.place(one[to]),
    y,
    title: tooltipOf,
  });
  const list = listAxis(shortNames(summaries.map(({ name }) => name)), {
    ...options,
    width,
  });
  return {
    note: axis.note,
    panel: {
      plot: {
        ...list,
        marginRight: labelRoom(notes) + NOTE_GAP,
        x: {
          ...axis.scale,
          label: `Slippage against the ${baseline.name} (bps), ${baseline.better}`,
          labelAnchor: "center",
        },
        marks: [
          Plot.ruleX([0], { stroke: COLORS.ink }),
          Plot.ruleY(boxes, {
            ...between("tenth_bps", "ninetieth_bps"),
            stroke: COLORS.sky,
            strokeWidth: 2,
          }),
          Plot.ruleY(boxes, {
            ...between("lower_quartile_bps", "upper_quartile_bps"),
            stroke: COLORS.sky,
            strokeWidth: 11,
            className: "half",
          }),
          Plot.dot(dots, {
            x: ({ fill }) => axis.place(fill.bps),
            y: ({ one }) => y(one),
            r: 3.5,
            fill: ({ fill }) => axis.isBeyond(fill.bps) ? "white" : COLORS.sky,
            stroke: COLORS.blue,
            title: ({ fill }) => fillTooltip(fill, baseline),
            className: "fill",
          }),
          Plot.dot(boxes.filter((one) => one.weighted_median_bps !== null), {
            x: ({ weighted_median_bps: weighted }: Summary) =>
              weighted === null ? null : axis.place(weighted),
            y,
            r: 4,
            fill: "white",
            stroke: COLORS.ink,
            title: tooltipOf,
            className: "weighted",
          }),
          Plot.tickX(boxes, {
            x: ({ median_bps: middle }: Summary) => axis.place(middle),
            y,
            stroke: COLORS.ink,
            strokeWidth: 2.5,
            title: tooltipOf,
            className: "median",
          }),
          Plot.text(notes, {
            y: (_: string, place: number) => place,
            text: (note: string) => note,
            frameAnchor: "right",
            textAnchor: "start",
            dx: NOTE_GAP,
          }),
        ],
      },
    },
  };
}

const LEGEND: readonly LegendEntry[] = [
  { label: "median", fill: "none", stroke: COLORS.ink, shape: "tick" },
  { label: "median weighted by size", fill: "white", stroke: COLORS.ink, shape: "dot" },
  { label: "middle half of the fills", fill: COLORS.sky },
  { label: "middle 80%", fill: "none", stroke: COLORS.sky, shape: "line" },
];
const FILL_ENTRY: LegendEntry = {
  label: `fill, where there are fewer than ${BOX_FROM}`,
  fill: COLORS.sky,
  stroke: COLORS.blue,
  shape: "dot",
};

/**
 * Draws the slippage of each group of fills: quartiles and medians, or dots where there are few.
 */
export function slippageByGroup(
  given: Rows<SlippageRow>,
  options: SlippageByGroupOptions,
  { chart, column, noun }: GroupQuestion,
): Chart<SlippageRow> {
  const { rows, width } = readInput(given, options, {
    chart,
    rows: SLIPPAGE_ROWS,
    options: OPTIONS,
    asks: ({ baseline }) => [columnOf(baseline), column],
  });
  const { limit = MOST_GROUPS } = options;
  const { baseline, fills, notes } = measuredFills(rows, options);
  const what = `Fills against the ${baseline.name}, by ${noun}`;
  if (fills.length === 0) {
    return emptyFigure({
      title: what,
      reason: nothingMeasured(rows, baseline),
      caption: captionText(notes, options.source),
      width,
    });
  }
  const { groups, rest } = largestGroups(fills, ({ row }) => row[column], { limit, noun });
  const listed = sortRows(
    groups.map((group) => summarize(group.key, group.rows)),
    options.sort ?? "-fills",
  );
  const summaries = rest === null ? listed : [...listed, summarize(rest.key, rest.rows)];
  const { panel, note } = groupsPanel(summaries, baseline, { ...options, width });
  const caption = captionText([
    ...notes,
    rest === null
      ? null
      : `The ${limit} ${noun}s with the most fills are listed; ${rest.key} share one row`,
    note,
  ], options.source);
  const above = listed.filter((one) => one.median_bps > 0).length;
  const title = `${what}: median better in ${above} of ${count(listed.length, noun)}` +
    (rest === null ? "" : " listed");
  const hasBoxes = summaries.some((one) => one.fills >= BOX_FROM);
  const hasDots = summaries.some((one) => one.fills < BOX_FROM);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: [...(hasBoxes ? LEGEND : []), ...(hasDots ? [FILL_ENTRY] : [])],
    panels: [panel],
    caption,
    width,
    rows: fills.map(({ row }) => row),
  });
}
