import * as Plot from "@observablehq/plot";
import { TICK_LENGTH } from "../axes/row_axes.ts";
import { COLORS } from "../looks.ts";
import { ticks as roundTicks } from "../statistics.ts";
import {
  addPlus,
  fitText,
  formatDecimal,
  formatNumber,
  formatSigned,
  formatTogether,
  LABEL_SIZE,
  measureLabel,
  needsCommas,
} from "../texts/label_text.ts";
import { SvgDocument, type SvgElement } from "./svg_document.ts";

/** Fonts of all text, the embedded one first. */
export const FONT = "DejaVu Sans, Verdana, Geneva, sans-serif";

const STYLE = `font-family:${FONT};font-size:${LABEL_SIZE}px;color:${COLORS.ink}`;

export interface Panel {
  heading?: string | undefined;
  /** The plot; its width is the figure's, or its part of a row of panels. */
  plot: Plot.PlotOptions;
  /** Whether to choose ticks whose labels fit. @default {true} */
  fits?: boolean;
  /** In a row of panels: part of the width, relative to the others' parts. @default {1} */
  share?: number;
}

/** A drawn plot, with the scales that Plot adds. */
export interface DrawnPlot extends SvgElement {
  scale?(name: Plot.ScaleName): Plot.Scale | undefined;
}

/** To a hundredth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Fits the ticks of the axis along x, and its label. */
function fitXAxis({ x, marginLeft = 40, marginRight = 20 }: Plot.PlotOptions, width: number) {
  if (typeof x !== "object" || x === null) return x;
  const length = width - marginLeft - marginRight;
  const axis = fitTicks(x, { side: "x", length, margins: [marginLeft, marginRight] });
  if (typeof x.label !== "string" || x.labelAnchor !== "center") return axis;
  const overhang = measureLabel(x.label) / 2 - length / 2;
  return overhang <= Math.min(marginLeft, marginRight) ? axis : {
    ...axis,
    labelAnchor: "right" as const,
    label: fitLabel(x.label, width - 2 * LABEL_EDGE),
  };
}

/** Fits the ticks of the axis along y, and its label, which stands above the plot. */
function fitYAxis(
  { y, height, marginTop = 20, marginBottom = 30 }: Plot.PlotOptions,
  width: number,
) {
  if (typeof y !== "object" || y === null || height === undefined) return y;
  const axis = fitTicks(y, {
    side: "y",
    length: height - marginTop - marginBottom,
    margins: [marginTop, marginBottom],
  });
  if (typeof y.label !== "string") return axis;
  return { ...axis, label: fitLabel(y.label, width - 2 * LABEL_EDGE) };
}

/** Drops the direction from the label of an axis where there is no room for it; else cuts it. */
function fitLabel(label: string, room: number): string {
  return fitText(
    measureLabel(label) <= room ? label : label.replace(/\), [^,→]*?( →)?$/, ")$1"),
    room,
  );
}

/** Widens the margin for the labels of numbers with their signs. */
function measureLeftMargin(y: Plot.PlotOptions["y"], marginLeft: number): number {
  if (typeof y !== "object" || y === null || y.axis === null) return marginLeft;
  if (!NUMBERS.has(y.type)) return marginLeft;
  const { ticks, tickFormat } = y;
  if (!Array.isArray(ticks) || typeof tickFormat !== "function") return marginLeft;
  const widths = ticks.map((tick, index) => measureLabel(`${tickFormat(tick, index)}`));
  return Math.ceil(Math.max(marginLeft, ...widths.map((width) => width + TICK_LENGTH)));
}

/** Distance of the label of the axis along y from the edge of the plot, in pixels. */
const LABEL_EDGE = 4;
const NUMBERS: ReadonlySet<unknown> = new Set(["linear", "log", "symlog"]);

/** Rounds coordinates to a hundredth of a pixel; text between tags stays. */
export function roundCoordinates(svg: string): string {
  return svg.replaceAll(
    /<[a-zA-Z]+ [^>]*>/g,
    (tag) => tag.replaceAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(round(Number(number)))),
  );
}

export function drawPanel({ plot, fits = true }: Panel, width: number): DrawnPlot {
  return drawPlot(fits ? fitAxes(plot, width) : plot, width);
}

function fitAxes(input: Plot.PlotOptions, width: number): Plot.PlotOptions {
  const y = fitYAxis(input, width);
  const { marginLeft } = input;
  const plot = marginLeft === undefined
    ? input
    : { ...input, marginLeft: measureLeftMargin(y, marginLeft) };
  return {
    ...plot,
    ...(plot.x == null ? {} : { x: fitXAxis(plot, width) }),
    ...(y == null ? {} : { y }),
  };
}

function drawPlot(plot: Plot.PlotOptions, width: number): DrawnPlot {
  const { style: _, ...options } = plot;
  const document = new SvgDocument() as unknown as Document;
  const svg = Plot.plot({ ...options, width, document }) as unknown as DrawnPlot;
  svg.setAttribute("style", STYLE);
  // Plot's style sheet uses selectors that picture renderers do not know; attributes say the same.
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-family", FONT);
  svg.setAttribute("font-size", String(LABEL_SIZE));
  svg.setAttribute("color", COLORS.ink);
  svg.setAttribute("fill", COLORS.ink);
  return svg;
}

/** Minimum distance between ticks requested by number, in pixels. */
const TICK_DISTANCE = { x: 64, y: 24 } as const;
/** Minimum space between two labels, in pixels. */
const GAP = 8;
const LINE_HEIGHT = LABEL_SIZE * 1.5;
const STANDARD_TICKS = 6;
/** Number of ticks to try on a short axis, which shows those whose labels fit. */
const MIN_TICKS = { x: 3, y: 1 } as const;
const MAX_DECIMALS = 18;
const LOGARITHMIC = new Set<unknown>(["log", "symlog"]);

interface AxisSpace {
  side: "x" | "y";
  length: number;
  /** Room before and after it that labels may use, in pixels. */
  margins: readonly [number, number];
}

/**
 * Gives an axis ticks whose labels fit into its length, all in the same format. A linear axis gets as
 * many ticks as it asks for, at round numbers. A logarithmic axis keeps every power of ten, or every
 * second, third and so on, counted from 1.
 */
export function fitTicks(axis: Plot.ScaleOptions, space: AxisSpace): Plot.ScaleOptions {
  const { ticks, tickFormat } = axis;
  if (Array.isArray(ticks)) {
    const fittingTicks = selectTicks(ticks, axis, space);
    return { ...axis, ticks: fittingTicks, ...createTickFormat(fittingTicks, axis) };
  }
  if (typeof ticks !== "number" && ticks !== undefined) return axis;
  const ends = readDomain(axis);
  const maxTicks = Math.max(
    MIN_TICKS[space.side],
    Math.floor(space.length / TICK_DISTANCE[space.side]),
  );
  if (ends === null || typeof tickFormat !== "function") {
    return typeof ticks === "number" ? { ...axis, ticks: Math.min(ticks, maxTicks) } : axis;
  }
  const candidates = roundTicks(...ends, Math.min(ticks ?? STANDARD_TICKS, maxTicks));
  const fittingTicks = selectTicks(candidates, axis, space);
  return {
    ...axis,
    domain: [...ends],
    nice: false,
    ticks: fittingTicks,
    ...createTickFormat(fittingTicks, axis),
  };
}

/** Reads the ends of a linear axis of numbers; `null` for any other axis. */
function readDomain(axis: Plot.ScaleOptions): readonly [number, number] | null {
  const { domain, type = "linear" } = axis;
  if (type !== "linear" || !Array.isArray(domain)) return null;
  const [low, high]: unknown[] = domain;
  if (typeof low !== "number" || typeof high !== "number" || !(high > low)) return null;
  if (!Number.isFinite(high - low)) return null;
  const nice =
    Plot.scale({ x: { type: "linear", domain: [low, high], nice: axis.nice ?? false } }).domain;
  const [first, last] = [...nice ?? []];
  return typeof first === "number" && typeof last === "number" ? [first, last] : [low, high];
}

/** Selects the ticks whose labels neither touch nor are cut. */
function selectTicks(
  ticks: readonly number[],
  axis: Plot.ScaleOptions,
  space: AxisSpace,
): number[] {
  const { apply } = Plot.scale({ x: { ...axis, range: [0, space.length] } });
  const placeLabels = (chosen: readonly number[]) => {
    const texts = formatTicks(chosen, axis);
    return chosen.map((tick, index) => ({
      tick,
      middle: apply(tick) as number,
      size: space.side === "x" ? measureLabel(texts[index] ?? "") : LINE_HEIGHT - GAP,
    }));
  };
  for (const chosen of listChoices(ticks, axis)) {
    const labels = placeLabels(chosen).filter(({ size }) => size > 0);
    const zero = labels.find(({ tick }) => tick === 0);
    const fittingTicks = labels.filter((label) =>
      isInside(label, space) && (zero === undefined || label === zero || isApart(zero, label))
    ).map(({ tick }) => tick);
    const ascending = placeLabels(fittingTicks).toSorted((a, b) => a.middle - b.middle);
    if (ascending.every((label, index) => index === 0 || isApart(ascending[index - 1]!, label))) {
      return fittingTicks;
    }
  }
  return ticks.slice(0, 1);
}

type Label = Readonly<Record<"middle" | "size", number>>;

function isApart(a: Label, b: Label): boolean {
  return Math.abs(b.middle - a.middle) >= (a.size + b.size) / 2 + GAP;
}

function isInside({ middle, size }: Label, { length, side, margins }: AxisSpace): boolean {
  return side === "y" ||
    (middle - size / 2 >= -margins[0] && middle + size / 2 <= length + margins[1]);
}

/** Yields fewer and fewer of the ticks, evenly spaced. */
function* listChoices(ticks: readonly number[], { type }: Plot.ScaleOptions): Generator<number[]> {
  yield [...ticks];
  const powers = LOGARITHMIC.has(type) ? ticks.filter(isPowerOrZero) : ticks;
  const zero = Math.max(0, powers.indexOf(0));
  for (let step = 1; step <= powers.length; step++) {
    yield powers.filter((tick, index) =>
      LOGARITHMIC.has(type)
        ? tick === 0 || Math.round(Math.log10(Math.abs(tick))) % step === 0
        : (index - zero) % step === 0
    );
  }
  if (powers.includes(0)) yield [0];
}

function isPowerOrZero(tick: number): boolean {
  return tick === 0 || /^1e/.test(Math.abs(tick).toExponential());
}

function createTickFormat(
  ticks: readonly number[],
  axis: Plot.ScaleOptions,
): Pick<Plot.ScaleOptions, "tickFormat"> {
  if (typeof axis.tickFormat !== "function") return {};
  const labels = formatTicks(ticks, axis);
  const texts = new Map(ticks.map((tick, index) => [tick, labels[index] ?? ""]));
  return { tickFormat: (tick: number) => texts.get(tick) ?? "" };
}

/** Formats the labels of an axis: numbers in one format, anything else as the axis formats it. */
function formatTicks(ticks: readonly number[], { tickFormat, type }: Plot.ScaleOptions): string[] {
  const hasSign = tickFormat === formatSigned;
  if (tickFormat !== formatNumber && !hasSign) {
    return padDecimals(
      ticks.map((tick, index) =>
        typeof tickFormat === "function" ? String(tickFormat(tick, index)) : String(tick)
      ),
    );
  }
  const texts = LOGARITHMIC.has(type) ? formatPowers(ticks) : formatSteps(ticks);
  return hasSign ? texts.map((text, index) => addPlus(text, ticks[index]!)) : texts;
}

/** Pads plain numbers to the same number of decimals; zero is `0`. */
function padDecimals(texts: readonly string[]): string[] {
  const countDecimals = (text: string) => /^[+−]?[\d,]+(?:\.(\d+))?$/.exec(text)?.[1]?.length ?? 0;
  const maxDecimals = Math.max(0, ...texts.map(countDecimals));
  return texts.map((text) => {
    const padding = maxDecimals - countDecimals(text);
    if (padding === 0 || text === "0" || !/^[+−]?[\d,.]+$/.test(text)) return text;
    return `${text}${padding === maxDecimals ? "." : ""}${"0".repeat(padding)}`;
  });
}

/** Formats powers of ten as `0.001`, `1`, `1,000` if all are short, else as `1e−6`, `1`, `1e6`. */
function formatPowers(ticks: readonly number[]): string[] {
  const sizes = ticks.map(Math.abs).filter((size) => size > 0);
  const isPlain = sizes.every((size) => size >= 1e-6 && size <= 1e6);
  const countDecimals = (size: number) => Math.max(0, -Math.floor(Math.log10(size)));
  return ticks.map((tick) => {
    const size = Math.abs(tick);
    if (size === 0 || size === 1) return String(tick).replace("-", "−");
    return isPlain
      ? formatDecimal(tick, countDecimals(size), needsCommas(ticks))
      : (tick < 0 ? "−" : "") + size.toExponential().replace("e+", "e").replace("-", "−");
  });
}

/** Formats evenly spaced numbers with as many decimals as their spacing; zero is `0`. */
function formatSteps(ticks: readonly number[]): string[] {
  const [first = 0, second = first] = ticks;
  const step = Math.abs(second - first);
  const largest = Math.max(...ticks.map(Math.abs));
  const decimals = step === 0 ? 0 : Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (step === 0 || decimals > MAX_DECIMALS || largest >= 1e9 || largest < 1e-6) {
    return formatTogether(ticks);
  }
  const hasComma = needsCommas(ticks);
  return ticks.map((tick) => tick === 0 ? "0" : formatDecimal(tick, decimals, hasComma));
}
