import * as Plot from "@observablehq/plot";
import { DOMParser } from "linkedom";
import { COLORS } from "./colors.ts";
import { withFittingTicks } from "../axes/fitting_ticks.ts";
import { TICK_LENGTH } from "../axes/list_axis.ts";
import { fitText, LABEL_SIZE, labelWidth } from "../texts/label_size.ts";

/** The fonts of all text, the one that pictures are made with first. */
export const FONT = "DejaVu Sans, Verdana, Geneva, sans-serif";

/** One drawing inside a figure, with its own heading. */
export interface Panel {
  /** What the panel shows. */
  heading?: string | undefined;
  /** The plot; its width is the figure's, or its part of a row of panels. */
  plot: Plot.PlotOptions;
  /** Whether ticks are chosen whose labels fit. @default {true} */
  fits?: boolean;
  /** In a row of panels: part of the width, relative to the others' parts. @default {1} */
  share?: number;
}

/** What is used of an SVG element. */
export interface SvgElement {
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): { remove(): void } | null;
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>;
  /** Plot's scale of that name, as it was drawn. */
  scale?(name: Plot.ScaleName): Plot.Scale | undefined;
}

/** To a hundredth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The axis along x with ticks that fit, and its label not cut. */
function fittingAxis({ x, marginLeft = 40, marginRight = 20 }: Plot.PlotOptions, width: number) {
  if (typeof x !== "object" || x === null) return x;
  const length = width - marginLeft - marginRight;
  const axis = withFittingTicks(x, { side: "x", length, margins: [marginLeft, marginRight] });
  if (typeof x.label !== "string" || x.labelAnchor !== "center") return axis;
  const overhang = labelWidth(x.label) / 2 - length / 2;
  return overhang <= Math.min(marginLeft, marginRight) ? axis : {
    ...axis,
    labelAnchor: "right" as const,
    label: fitText(x.label, width - 2 * LABEL_EDGE),
  };
}

/** The axis along y with ticks that fit, and its label, which stands above the plot, not cut. */
function fittingHeight(
  { y, height, marginTop = 20, marginBottom = 30 }: Plot.PlotOptions,
  width: number,
) {
  if (typeof y !== "object" || y === null || height === undefined) return y;
  const axis = withFittingTicks(y, {
    side: "y",
    length: height - marginTop - marginBottom,
    margins: [marginTop, marginBottom],
  });
  if (typeof y.label !== "string") return axis;
  return { ...axis, label: fitText(y.label, width - 2 * LABEL_EDGE) };
}

/** At least the margin, and room for the labels of numbers with their signs. */
function roomBeside(y: Plot.PlotOptions["y"], marginLeft: number): number {
  if (typeof y !== "object" || y === null || y.axis === null) return marginLeft;
  if (!NUMBERS.has(y.type)) return marginLeft;
  const { ticks, tickFormat } = y;
  if (!Array.isArray(ticks) || typeof tickFormat !== "function") return marginLeft;
  const widths = ticks.map((tick, place) => labelWidth(`${tickFormat(tick, place)}`));
  return Math.ceil(Math.max(marginLeft, ...widths.map((width) => width + TICK_LENGTH)));
}

/** Distance of the label of the axis along y from the edge of the plot, in pixels. */
const LABEL_EDGE = 4;
const NUMBERS: ReadonlySet<unknown> = new Set(["linear", "log", "symlog"]);

/** Coordinates to a hundredth of a pixel; text between tags stays as it is. */
export function withShortNumbers(svg: string): string {
  return svg.replaceAll(
    /<[a-zA-Z]+ [^>]*>/g,
    (tag) => tag.replaceAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(round(Number(number)))),
  );
}

/** Draws a panel, in the fonts and colours of all. */
export function drawPanel({ plot, fits = true }: Panel, width: number): SvgElement {
  return drawPlot(fits ? fitting(plot, width) : plot, width);
}

/** A plot with ticks whose labels fit, and room for them. */
function fitting(given: Plot.PlotOptions, width: number): Plot.PlotOptions {
  const y = fittingHeight(given, width);
  const { marginLeft } = given;
  const plot = marginLeft === undefined
    ? given
    : { ...given, marginLeft: roomBeside(y, marginLeft) };
  return {
    ...plot,
    ...(plot.x == null ? {} : { x: fittingAxis(plot, width) }),
    ...(y == null ? {} : { y }),
  };
}

function drawPlot(plot: Plot.PlotOptions, width: number): SvgElement {
  const document = new DOMParser().parseFromString(
    "<!doctype html><html><body></body></html>",
    "text/html",
  );
  const options = {
    ...plot,
    width,
    document: document as never,
    style: { fontFamily: FONT, fontSize: `${LABEL_SIZE}px`, color: COLORS.ink },
  };
  const svg = Plot.plot(options) as unknown as SvgElement;
  // Plot's style sheet uses selectors that picture renderers do not know; attributes say the same.
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-family", FONT);
  svg.setAttribute("font-size", String(LABEL_SIZE));
  svg.setAttribute("color", COLORS.ink);
  svg.setAttribute("fill", COLORS.ink);
  return svg;
}
