import type { PlotOptions, Scale, ScaleOptions } from "@observablehq/plot";
import {
  checkOptions,
  defineRule,
  describeValue,
  type OptionRule,
  type OptionRules,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, type ChartOptions, resolveWidth, TITLE } from "../figure/chart_options.ts";
import { parseColor } from "../figure/chosen_colors.ts";
import { drawFigure } from "../figure/figure.ts";
import { type DrawnPlot, drawPanel } from "../figure/panel.ts";
import { type LegendEntry, SERIES_COLORS } from "../looks.ts";
import { ticks } from "../statistics.ts";
import { joinSentences } from "../texts/count_text.ts";
import { formatNumber, measureLabel } from "../texts/label_text.ts";

/** Options of {@linkcode figure}. */
export interface FigureOptions
  extends Pick<ChartOptions, "title" | "subtitle" | "width" | "height" | "source" | "finding"> {
  /** Title of the figure, and its accessible name. @default {that of the plot, which needs one then} */
  title?: string;
  /** Caption below the drawing. @default {that of the plot} */
  caption?: string;
  /** Height of the plot with its margins, in pixels, from 60 to 20,000. @default {as Plot has it} */
  height?: number;
  /** Finding, in one to three sentences, for the text below it. @default {none} */
  finding?: string | false;
  /** Entries of the legend. @default {the color scale, where the plot asks for its legend} */
  legend?: readonly LegendEntry[];
}

const ACTION = "Cannot draw figure";

const SHAPES: readonly unknown[] = [undefined, "square", "dot", "line", "tick"];

const isPaint = (paint: unknown) =>
  paint === undefined || paint === "none" || parseColor(paint) !== null;

const LEGEND: OptionRule<readonly LegendEntry[]> = defineRule(
  'a list as [{ label: "winner", fill: "#0072b2", shape: "dot" }]',
  (entries) =>
    Array.isArray(entries) &&
    entries.every((entry: unknown) => {
      if (typeof entry !== "object" || entry === null) return false;
      const { label, fill, stroke, shape } = entry as LegendEntry;
      return TITLE.accepts(label) && fill !== undefined && isPaint(fill) && isPaint(stroke) &&
        SHAPES.includes(shape);
    }),
);

const OPTIONS: OptionRules<FigureOptions> = {
  title: TITLE,
  subtitle: TITLE,
  caption: String,
  source: String,
  finding: CHART_OPTIONS.finding,
  width: CHART_OPTIONS.width,
  height: CHART_OPTIONS.height,
  legend: LEGEND,
};

/**
 * Draws marks of your own with Plot, in the style of all charts: with a title, a legend, a caption
 * and the source, as SVG, as PNG, and as HTML with tips, a dark mode and a drawing for phones.
 *
 * Marks show as a tip what their channel `title` says. The color scale has the palette of all charts
 * unless the plot says otherwise, and `color: { legend: true }` makes it the legend.
 *
 * @param plot What `Plot.plot` takes, its `PlotOptions`: a list of marks, scales, facets, margins. Its title, subtitle, caption
 * and width count where the options have none.
 * @returns The figure; its `rows` are the data of the marks.
 * @throws {InputError} If an option is unknown or out of range, there is no title, or Plot cannot
 * draw the marks.
 *
 * @example Fills by hour, as bars
 * ```ts
 * import { figure } from "orderlens/charts";
 * import * as Plot from "@observablehq/plot";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = [{ hour: 9, fills: 3 }, { hour: 10, fills: 5 }];
 * const marks = [
 *   Plot.barY(hours, { x: "hour", y: "fills", fill: "#0072b2", title: (one) => `${one.fills} fills` }),
 * ];
 * const chart = figure({ marks }, { title: "Most fills are after ten", source: "my own count" });
 *
 * assertStringIncludes(chart.svg, "Source: my own count");
 * ```
 */
export function figure(plot: object, options: FigureOptions = {}): Chart {
  requirePlot(plot);
  checkOptions(options, OPTIONS, ACTION);
  const title = options.title ?? toText(plot.title);
  if (title === undefined) {
    throw new InputError(`${ACTION} without a title`, { remedy: "Pass what it shows as title" });
  }
  const width = options.width ?? plot.width;
  if (width !== undefined) checkOptions({ width }, OPTIONS, ACTION);
  return draw(plot, { ...options, title }, width);
}

function requirePlot(plot: unknown): asserts plot is PlotOptions {
  const remedy = "Pass what Plot.plot takes, as { marks: [Plot.dot(rows, { x, y })] }";
  if (typeof plot !== "object" || plot === null || Array.isArray(plot)) {
    throw new InputError(`${ACTION} from ${describeValue(plot)}`, { remedy });
  }
  if (!Array.isArray(Reflect.get(plot, "marks"))) {
    throw new InputError(`${ACTION} without a list of marks`, { remedy });
  }
}

/** Draws the figure; at other widths too if none is set. */
function draw(
  plot: PlotOptions,
  options: FigureOptions & { title: string },
  widthOption: number | undefined,
): Chart {
  const { title, subtitle = toText(plot.subtitle), source, height } = options;
  const width = resolveWidth(widthOption === undefined ? {} : { width: widthOption });
  const house = applyHouseStyle({ ...plot, ...(height === undefined ? {} : { height }) }, width);
  const caption = joinSentences([options.caption ?? toText(plot.caption)], source);
  const nothing = isEmpty(plot.marks) ? "No rows in this range" : null;
  return drawFigure({
    title,
    subtitle,
    description: nothing === null
      ? [title, subtitle, caption].filter((text) => text).join(". ")
      : `There is nothing to draw: ${nothing}.`,
    legend: options.legend ?? house.legend,
    panels: nothing ?? [{ plot: house.plot, fits: false }],
    caption,
    finding: options.finding || "",
    width,
    rows: house.rows,
    redraw: widthOption === undefined ? (width) => draw(plot, options, width).svg : undefined,
  });
}

function toText(text: unknown): string | undefined {
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

const MARGINS = { marginTop: 28, marginRight: 24, marginBottom: 44, marginLeft: 40 } as const;

/** Length of a tick with the gaps beside it, in pixels. */
const TICK_ROOM = 14;

/** Width of the upright label of an axis of names, in pixels. */
const UPRIGHT_ROOM = 16;

/** Largest part of the width that labels may take. */
const MAX_LABELS = 0.4;

const STEPS = 5;

/** Options that the figure sets itself. */
const FIGURE_OPTIONS: ReadonlySet<string> = new Set([
  ...["title", "subtitle", "caption", "figure", "width", "document", "style"],
]);

const ORDINAL: ReadonlySet<unknown> = new Set(["ordinal", "categorical"]);

/**
 * A caller's plot with room for its labels and the colours of all charts, where it says nothing
 * else. Plot's own title, caption and legend stay out of it: the figure has them.
 *
 * @throws {InputError} If Plot cannot draw it.
 */
function applyHouseStyle(input: PlotOptions, width: number) {
  const { color, options } = removeLegends(input);
  const plot = { ...(input.margin === undefined ? MARGINS : {}), ...options };
  const first = tryDraw({ ...plot, ...(color === undefined ? {} : { color }) }, width);
  const scale = first.scale?.("color");
  const painted = color !== undefined || scale !== undefined
    ? { color: { ...pickColors(scale, color), ...color } }
    : {};
  const isFree = input.marginLeft === undefined && input.margin === undefined;
  for (const axis of ["x", "y"] as const) {
    const scale = first.scale?.(axis);
    if (scale?.type !== "log" || plot[axis]?.tickFormat !== undefined) continue;
    plot[axis] = { ...plot[axis], tickFormat: createLogTickFormat(scale) };
  }
  const marginLeft = isFree ? { marginLeft: measureLeftMargin(first, width) } : {};
  const styled = { ...plot, ...painted, ...marginLeft };
  const legend = input.color?.legend === true ? createColorLegend(tryDraw(styled, width)) : [];
  return { plot: styled, legend, rows: listRows(input.marks) };
}

function removeLegends(input: PlotOptions) {
  const plot: PlotOptions = Object.fromEntries(
    Object.entries(input).filter(([name]) => !FIGURE_OPTIONS.has(name)),
  );
  for (const name of ["opacity", "symbol"] as const) {
    if (plot[name]?.legend) {
      throw new InputError(`${ACTION} with a legend of the ${name} scale`, {
        remedy: "Pass the entries as the option legend of the figure",
      });
    }
  }
  const { color, ...options } = plot;
  if (color === undefined || color === null) return { color: undefined, options };
  const { legend: _, ...scale } = color;
  return { color: scale as ScaleOptions, options };
}

function tryDraw(plot: PlotOptions, width: number): DrawnPlot {
  try {
    return drawPanel({ plot, fits: false }, width);
  } catch (cause) {
    throw new InputError(`${ACTION}: Plot cannot draw it`, {
      facts: { plot: cause instanceof Error ? cause.message : String(cause) },
      remedy: "Pass what Plot.plot takes",
      cause,
    });
  }
}

/** Formats amounts as other axes do, not with prefixes: 0.05 ETH is no "50m". */
function createLogTickFormat({ domain }: Scale): (value: number) => string {
  const [low = 1, high = 1] = [...domain ?? []].map(Number).sort((a, b) => a - b);
  const decades = Math.log10(high / low);
  const maxDigit = decades <= 1 ? 9 : decades <= 3 ? 3 : 1;
  return (value) => {
    const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
    return digit <= maxDigit ? formatNumber(value) : "";
  };
}

/** Picks the palette of all charts, unless the caller chose one. */
function pickColors(scale: Scale | undefined, chosen: ScaleOptions | undefined): ScaleOptions {
  if (chosen?.scheme !== undefined || chosen?.range !== undefined) return {};
  if (chosen?.interpolate !== undefined || scale === undefined) return {};
  if (ORDINAL.has(scale.type)) return { range: [...SERIES_COLORS] };
  return scale.type === "linear" || scale.type === "sequential" ? { scheme: "Blues" } : {};
}

function measureLeftMargin(svg: DrawnPlot, width: number): number {
  const listTexts = (label: string) =>
    svg.walkDescendants().filter((element) => element.getAttribute("aria-label") === label)
      .flatMap((group) => group.querySelectorAll("text"));
  const labels = listTexts("y-axis tick label");
  const widest = Math.max(0, ...labels.map(({ textContent }) => measureLabel(textContent)));
  const hasLabel = listTexts("y-axis label")
    .some((text) => text.getAttribute("transform")?.includes("rotate"));
  const room = widest + TICK_ROOM + (hasLabel ? UPRIGHT_ROOM : 0);
  return Math.ceil(Math.min(width * MAX_LABELS, Math.max(MARGINS.marginLeft, room)));
}

/** Creates one entry per value of the color scale, or for some between its ends. */
function createColorLegend(svg: DrawnPlot): LegendEntry[] {
  const scale = svg.scale?.("color");
  if (scale?.domain === undefined) return [];
  const domain = [...scale.domain] as unknown[];
  const [low, high] = [domain[0], domain.at(-1)];
  const isNumbers = !ORDINAL.has(scale.type) && typeof low === "number" && typeof high === "number";
  const values = isNumbers ? ticks(low, high, STEPS) : domain;
  return values.map((value) => ({
    label: isNumbers ? formatNumber(value as number) : String(value),
    fill: parseColor(scale.apply(value)) ?? "none",
  }));
}

function isEmpty(marks: unknown): boolean {
  const data = listData(marks);
  return data.length > 0 && data.every((rows) => rows.length === 0);
}

function listData(marks: unknown): unknown[][] {
  if (Array.isArray(marks)) return marks.flatMap((mark) => listData(mark));
  const data: unknown = typeof marks === "object" && marks !== null
    ? Reflect.get(marks, "data")
    : null;
  return Array.isArray(data) ? [data] : [];
}

/** Lists the data of marks, each value once, in their order. */
function listRows(marks: unknown): unknown[] {
  return [...new Set(listData(marks).flat())];
}
