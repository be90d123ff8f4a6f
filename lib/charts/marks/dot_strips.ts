import * as Plot from "@observablehq/plot";
import { estimateSample, MIN_COMPARED } from "../../metrics/intervals.ts";
import type { ValueAxis } from "../axes/axis_scale.ts";
import { COLORS, INTERVAL_ENTRY, type LegendEntry } from "../looks.ts";
import { median } from "../statistics.ts";
import { count } from "../texts/count_text.ts";

export interface StripDot {
  index: number;
  x: number;
  fill: string;
  title: string;
}

interface StripOptions {
  axis: ValueAxis;
  noun: string;
  /** Length of the axis, in pixels. */
  axisWidth: number;
  /** Whether each value has its own dot. @default {where there are few enough} */
  isSingle?: boolean;
  className: string;
}

/** Above this number of values, nearby ones share a dot sized by their number. */
const MAX_DOTS = 1_500;
const SMALL_FROM = 200;
const BIN_WIDTH = 11;
/** Fraction of the height of a strip over which its dots spread. */
const SPREAD = 0.64;
/** Golden ratio: the fractional parts of its multiples spread consecutive dots apart. */
const GOLDEN = 0.6180339887498949;

export function hasSingleDots(dots: number): boolean {
  return dots <= MAX_DOTS;
}

/** Says what one dot is, or that its size is a number of values, for a caption. */
export function describeDots(dots: number, noun: string): string {
  return hasSingleDots(dots) ? `One dot is one ${noun}` : `Dot size: number of ${noun}s`;
}

export function createMedianLegend(dots: readonly StripDot[]): LegendEntry[] {
  const sizes = [...Map.groupBy(dots, (dot) => dot.index).values()].map((strip) => strip.length);
  return [
    ...(sizes.some((size) => size >= MEDIAN_FROM)
      ? [{ label: "median", fill: "none", stroke: COLORS.ink, shape: "tick" as const }]
      : []),
    ...(sizes.some((size) => size >= MIN_COMPARED.median) ? [INTERVAL_ENTRY] : []),
  ];
}

/**
 * A strip of dots per row, spread so that equal values show, with the median of each strip and, of ten
 * dots at least, its interval; a linear axis has a line at zero.
 */
export function drawDotStrips(
  dots: readonly StripDot[],
  { axis, axisWidth, noun, isSingle = hasSingleDots(dots.length), className }: StripOptions,
): Plot.Markish[] {
  const strips = Map.groupBy(dots, (dot) => dot.index);
  const fills = new Set(dots.map(({ fill }) => fill));
  const medians = [...strips].filter(([, strip]) => strip.length >= MEDIAN_FROM)
    .map(([index, strip]) => {
      const { value, interval } = estimateSample({ values: strip.map((dot) => dot.x) })!;
      return { index, x: value, interval };
    });
  type Mark = typeof medians[number];
  return [
    ...(axis.isLinear ? [Plot.ruleX([0], { stroke: COLORS.grey })] : []),
    Plot.ruleY([...strips.keys()], { stroke: COLORS.grey, strokeOpacity: 0.5 }),
    isSingle
      ? Plot.dot(spreadDots(strips.values()), {
        x: (dot: StripDot) => axis.clamp(dot.x),
        y: "y",
        // The SVG states a shared colour once.
        fill: fills.size === 1 ? dots[0]!.fill : "fill",
        fillOpacity: 0.65,
        r: dots.length > SMALL_FROM ? 2.4 : 3.6,
        title: "title",
        className,
      })
      : Plot.dot(groupDots(dots, { axis, axisWidth, noun }), {
        x: "x",
        y: "index",
        fill: "fill",
        fillOpacity: 0.65,
        r: "count",
        title: "title",
        className,
      }),
    ...[{ stroke: "white", strokeWidth: 4 }, { stroke: COLORS.ink, strokeWidth: 2 }].map((look) =>
      Plot.ruleY(medians.filter(({ interval }) => interval !== null), {
        x1: ({ interval }: Mark) => axis.clamp(interval!.low),
        x2: ({ interval }: Mark) => axis.clamp(interval!.high),
        y: "index",
        ...look,
        className: `${className}_interval`,
      })
    ),
    Plot.ruleX(medians, {
      x: (mark: Mark) => axis.clamp(mark.x),
      y1: (mark: Mark) => mark.index - 0.4,
      y2: (mark: Mark) => mark.index + 0.4,
      stroke: COLORS.ink,
      strokeWidth: 2,
      className: `${className}_median`,
    }),
  ];
}

/** Strips with at least this many dots show their median. */
const MEDIAN_FROM = 3;

function* spreadDots(strips: Iterable<readonly StripDot[]>): Generator<StripDot & { y: number }> {
  for (const strip of strips) {
    const ascending = strip.toSorted((a, b) => a.x - b.x);
    for (const [index, dot] of ascending.entries()) {
      const offset = ascending.length === 1 ? 0 : (((index + 0.5) * GOLDEN) % 1 - 0.5) * SPREAD;
      yield { ...dot, y: dot.index + offset };
    }
  }
}

function groupDots(
  dots: readonly StripDot[],
  { axis, axisWidth, noun }: Pick<StripOptions, "axis" | "axisWidth" | "noun">,
) {
  const findBin = (dot: StripDot) => Math.round(axis.fraction(dot.x) * axisWidth / BIN_WIDTH);
  const bins = Map.groupBy(dots, (dot) => `${dot.index} ${findBin(dot)} ${dot.fill}`);
  return [...bins.values()].map((members) => {
    const [first] = members as [StripDot];
    return {
      index: first.index,
      x: axis.clamp(median(members.map((dot) => dot.x)) ?? NaN),
      fill: first.fill,
      count: members.length,
      title: members.length === 1 ? first.title : count(members.length, noun),
    };
  });
}
