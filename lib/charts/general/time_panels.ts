import * as Plot from "@observablehq/plot";
import type { OpenAxis } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { COLORS } from "../looks.ts";
import { createDotPanel, drawBinBars, drawDots, type RowDot } from "../marks/dot_plot.ts";
import { extent } from "../statistics.ts";
import { formatPercent } from "../texts/label_text.ts";
import type { BinPoint, SharePart } from "./time_points.ts";

interface TimePanel extends ChartOptions {
  readonly across: Plot.ScaleOptions;
  readonly axis: OpenAxis;
}

const HEIGHT = 320;
const MARGIN_LEFT = 52;
/** Above this number of points, dots are small. */
const SMALL_FROM = 150;

function createPanel({ across, height = HEIGHT, marginLeft = MARGIN_LEFT }: TimePanel, plot: {
  y: Plot.ScaleOptions;
  marks: readonly Plot.Markish[];
}): Panel {
  return createDotPanel({ height, marginLeft, x: across, ...plot });
}

function drawZero({ scale, hasZero }: OpenAxis): Plot.Markish[] {
  const [low = 0] = (scale.domain ?? []) as readonly number[];
  return hasZero || low < 0 ? [Plot.ruleY([0], { stroke: COLORS.ink })] : [];
}

/** So many dots are seen best in the full colour of the legend; more are translucent where they overlap. */
const FEW_DOTS = 50;

/** Draws one dot per row; where there are too many, one for nearby rows of the same series. */
export function createDotsPanel<Row>(dots: readonly RowDot<Row>[], size: TimePanel): Panel {
  const { axis } = size;
  const placedDots = dots.map((dot) =>
    axis.isBeyond(dot.y) ? dot : { ...dot, y: axis.clamp(dot.y) }
  );
  const opacity = dots.length <= FEW_DOTS ? { opacity: 1 } : {};
  const marks = drawDots(placedDots, { noun: "row", y: axis, ...opacity });
  return createPanel(size, { y: axis.scale, marks: [...drawZero(axis), ...marks] });
}

interface LinesPanel extends TimePanel {
  /** Whether the line is of sums, drawn as steps. */
  readonly isTotal: boolean;
  /** Whether the first and the last bin may be cut short; their dots are hollow. */
  readonly isCut: boolean;
}

export function createLinesPanel(
  points: readonly BinPoint[],
  { isTotal, isCut, ...size }: LinesPanel,
): Panel {
  const { axis } = size;
  const y = ({ y }: BinPoint) => axis.clamp(y);
  const [first, last] = extent(points.map(({ x }) => x));
  const isPartial = ({ x }: BinPoint) => isCut && (x === first || x === last);
  return createPanel(size, {
    y: axis.scale,
    marks: [
      ...drawZero(axis),
      Plot.line(points, {
        x: "x",
        y,
        z: "name",
        stroke: ({ color }: BinPoint) => color,
        strokeWidth: 1.6,
        ...(isTotal ? { curve: "step" as const } : {}),
        className: "line",
      }),
      ...[...Map.groupBy(points, ({ color }) => color)].map(([color, members]) =>
        Plot.dot(members.filter(({ y }) => !Number.isNaN(y)), {
          x: "x",
          y,
          r: points.length > SMALL_FROM ? 1.8 : 2.6,
          fill: isTotal ? (point: BinPoint) => isPartial(point) ? "white" : color : color,
          stroke: isTotal ? (point: BinPoint) => isPartial(point) ? color : "none" : "none",
          title: "title",
          className: "point",
        })
      ),
    ],
  });
}

/** Draws one stacked bar per bin, from 0% to 100%. */
export function createSharesPanel(
  parts: readonly SharePart[],
  label: string,
  size: TimePanel,
): Panel {
  return createPanel(size, {
    y: {
      type: "linear",
      domain: [0, 1],
      label: `↑ ${label}`,
      ticks: 5,
      tickFormat: formatPercent,
    },
    marks: [drawBinBars(parts, "share"), Plot.ruleY([0], { stroke: COLORS.ink })],
  });
}
