import type { PlotOptions, Scale, ScaleOptions } from "@observablehq/plot";
import { InputError } from "../../errors/input_error.ts";
import { SERIES_COLORS } from "../figure/colors.ts";
import { cssColor } from "../figure/chosen_colors.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { drawPanel, type SvgElement } from "../figure/panel.ts";
import { axisText } from "../texts/axis_text.ts";
import { labelWidth } from "../texts/label_size.ts";
import { ticks } from "../numbers/statistics.ts";

/** A caller's plot as it is drawn. */
export interface HousePlot {
  /** What Plot takes. */
  readonly plot: PlotOptions;
  /** What its color scale says, where the plot asks for its legend. */
  readonly legend: readonly LegendEntry[];
  /** The data of its marks. */
  readonly rows: readonly unknown[];
}

const MARGINS = { marginTop: 28, marginRight: 24, marginBottom: 44, marginLeft: 40 } as const;
/** Length of a tick with the gaps beside it, in pixels. */
const TICK_ROOM = 14;
/** Largest part of the width that labels may take. */
const MOST_LABELS = 0.4;
const STEPS = 5;
/** What the figure has, or decides. */
const OF_THE_FIGURE: ReadonlySet<string> = new Set([
  ...["title", "subtitle", "caption", "figure", "width", "document", "style"],
]);
const ORDINAL: ReadonlySet<unknown> = new Set(["ordinal", "categorical"]);

/**
 * A caller's plot with room for its labels and the colours of all charts, where it says nothing
 * else. Plot's own title, caption and legend stay out of it: the figure has them.
 *
 * @throws {InputError} If Plot cannot draw it.
 */
export function housePlot(given: PlotOptions, width: number, action: string): HousePlot {
  const { color, rest } = withoutLegends(given, action);
  const plot = { ...(given.margin === undefined ? MARGINS : {}), ...rest };
  const first = drawn({ ...plot, ...(color === undefined ? {} : { color }) }, width, action);
  const scale = first.scale?.("color");
  const painted = color !== undefined || scale !== undefined
    ? { color: { ...defaultColors(scale, color), ...color } }
    : {};
  const isFree = given.marginLeft === undefined && given.margin === undefined;
  const marginLeft = isFree ? { marginLeft: roomFor(first, width) } : {};
  const whole = { ...plot, ...painted, ...marginLeft };
  const legend = given.color?.legend === true ? colorLegend(drawn(whole, width, action)) : [];
  return { plot: whole, legend, rows: rowsOf(given.marks) };
}

function withoutLegends(given: PlotOptions, action: string) {
  const plot: PlotOptions = Object.fromEntries(
    Object.entries(given).filter(([name]) => !OF_THE_FIGURE.has(name)),
  );
  for (const name of ["opacity", "symbol"] as const) {
    if (plot[name]?.legend) {
      throw new InputError(`${action} with a legend of the ${name} scale`, {
        remedy: "Pass the entries as the option legend of the figure",
      });
    }
  }
  const { color, ...rest } = plot;
  if (color === undefined || color === null) return { color: undefined, rest };
  const { legend: _, ...scale } = color;
  return { color: scale as ScaleOptions, rest };
}

function drawn(plot: PlotOptions, width: number, action: string): SvgElement {
  try {
    return drawPanel({ plot, fits: false }, width);
  } catch (cause) {
    throw new InputError(`${action}: Plot cannot draw it`, {
      facts: { plot: cause instanceof Error ? cause.message : String(cause) },
      remedy: "Pass what Plot.plot takes",
      cause,
    });
  }
}

/** The palette of all charts, where the caller chose none. */
function defaultColors(scale: Scale | undefined, chosen: ScaleOptions | undefined): ScaleOptions {
  if (chosen?.scheme !== undefined || chosen?.range !== undefined) return {};
  if (chosen?.interpolate !== undefined || scale === undefined) return {};
  if (ORDINAL.has(scale.type)) return { range: [...SERIES_COLORS] };
  return scale.type === "linear" || scale.type === "sequential" ? { scheme: "Blues" } : {};
}

/** Room for the widest label of the axis along y. */
function roomFor(svg: SvgElement, width: number): number {
  const labels = [...svg.querySelectorAll('[aria-label="y-axis tick label"] text')];
  const widest = Math.max(0, ...labels.map(({ textContent }) => labelWidth(textContent)));
  return Math.ceil(
    Math.min(width * MOST_LABELS, Math.max(MARGINS.marginLeft, widest + TICK_ROOM)),
  );
}

/** One entry for each value of the color scale, or for some between its ends. */
function colorLegend(svg: SvgElement): LegendEntry[] {
  const scale = svg.scale?.("color");
  if (scale?.domain === undefined) return [];
  const domain = [...scale.domain] as unknown[];
  const [low, high] = [domain[0], domain.at(-1)];
  const isNumbers = !ORDINAL.has(scale.type) && typeof low === "number" && typeof high === "number";
  const values = isNumbers ? ticks(low, high, STEPS) : domain;
  return values.map((value) => ({
    label: isNumbers ? axisText(value as number) : String(value),
    fill: cssColor(scale.apply(value)) ?? "none",
  }));
}

/** The data of marks, each value once, in their order. */
function rowsOf(marks: unknown): unknown[] {
  if (Array.isArray(marks)) return [...new Set(marks.flatMap((mark) => rowsOf(mark)))];
  const data: unknown = typeof marks === "object" && marks !== null
    ? Reflect.get(marks, "data")
    : null;
  return Array.isArray(data) ? data : [];
}
