import * as Plot from "@observablehq/plot";
import { oneOf } from "../../errors/option_rules.ts";
import { type DifferenceAxis, linearDifferenceAxis } from "../axes/axis_scale.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { dotMarks, dotNoun, dotPlot, type RowDot } from "../marks/dot_plot.ts";
import { isNumber } from "../rows.ts";
import { median } from "../statistics.ts";
import { portionText, shareText } from "../texts/claim_text.ts";
import { count, partText } from "../texts/count_text.ts";
import { axisText, bpsText, exactText } from "../texts/label_text.ts";
import { shortHex } from "../texts/short_names.ts";
import {
  columnOf,
  type MeasuredFill,
  measuredFills,
  nothingMeasured,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageBaseline,
  type SlippageChartOptions,
  type SlippageRow,
} from "./measured_fills.ts";

/** Options of {@linkcode toleranceUsed}. */
export interface ToleranceUsedOptions extends SlippageChartOptions {
  /** What the tolerance is measured from; the limit is its other end. @default {"userShown"} */
  baseline?: Exclude<SlippageBaseline, "limit">;
}

const SIGNED = {
  gross: "tolerance_signed_gross_bps",
  net: "tolerance_signed_net_bps",
  userShown: "tolerance_signed_user_shown_bps",
} as const;
const MOST_ASKED = 3;

/** The tolerances that were asked for, where there are few. */
function askedOf(dots: readonly RowDot<SlippageRow>[]): number[] {
  const asked = new Set(dots.map(({ row }) => row.tolerance_asked_bps).filter(isNumber));
  return asked.size > MOST_ASKED ? [] : [...asked].toSorted((a, b) => a - b);
}

/** The line of all tolerance used, and of the tolerances that were asked for, around the dots. */
function toleranceMarks(
  dots: readonly RowDot<SlippageRow>[],
  { x, y }: { x: DifferenceAxis; y: DifferenceAxis },
): Plot.Markish[] {
  const all = Math.min(x.domain[1], -y.domain[0]);
  const asked = askedOf(dots).filter((bps) => !x.isBeyond(bps));
  return [
    Plot.ruleY([0], { stroke: COLORS.ink }),
    Plot.link([0], {
      x1: 0,
      y1: 0,
      x2: all,
      y2: -all,
      stroke: COLORS.ink,
      strokeDasharray: "5 3",
      title: () => "at the limit: all of the tolerance used",
      className: "limit",
    }),
    Plot.ruleX(asked, {
      stroke: COLORS.muted,
      strokeDasharray: "2 3",
      title: (bps: number) => `${exactText(bps)} bps asked for`,
      className: "asked",
    }),
    ...dotMarks(dots, { noun: "fill", x, y }),
    Plot.text(asked, {
      x: (bps: number) => bps,
      text: (bps: number) => `asked ${axisText(bps)} bps`,
      frameAnchor: "top",
      // Fills beyond the axis stand at its edge, below.
      dy: -16,
    }),
  ];
}

function dotOf({ row, bps }: MeasuredFill, signed: number, than: string): RowDot<SlippageRow> {
  const used = bps < 0 ? `${exactText(-bps)} bps used` : "none used";
  return {
    row,
    x: signed,
    y: bps,
    color: bps < 0 ? COLORS.orange : COLORS.blue,
    title: `${row.kind} ${row.pair ?? ""}\norder ${shortHex(row.order_uid)}\n` +
      `${exactText(signed)} bps signed, ${used} against the ${than}`,
  };
}

/**
 * Draws the tolerance of each fill and how much of it was used: signed tolerance (limit below the
 * quote) along x, the fill against the quote along y. Fills on
 * or above the horizontal line used none of their tolerance, fills on the dashed one all. Where up
 * to three tolerances were asked for in app data, each is a dotted line.
 *
 * A fill whose limit was at its quote or better had no tolerance to use: it is counted in the
 * caption, but in no share.
 *
 * @param rows Rows or a frame. One row per fill with the slippage and the signed tolerance of one
 * baseline; fills without them are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind, or
 * the baseline is the limit itself.
 *
 * @example Of 50 bps signed 12 were used
 * ```ts
 * import { toleranceUsed } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = toleranceUsed([{
 *   order_uid: "0x01",
 *   kind: "sell",
 *   slippage_user_shown_bps: -12,
 *   tolerance_signed_user_shown_bps: 50,
 *   tolerance_asked_bps: 50,
 * }]);
 *
 * assertMatch(chart.svg, /50 bps signed, 12 bps used/);
 * ```
 */
export const toleranceUsed: Draw<SlippageRow, ToleranceUsedOptions> = picture({
  chart: "toleranceUsed",
  ...SLIPPAGE_ROWS,
  options: { ...SLIPPAGE_OPTIONS, baseline: oneOf("gross", "net", "userShown") },
  asks: ({ baseline = "userShown" }) => [columnOf(baseline), SIGNED[baseline]],
  defaults: { baseline: "userShown" },
  select: (rows, options) => {
    const { fills, against, notes } = measuredFills(rows, options);
    const signed = fills.flatMap((fill) => {
      const bps = fill.row[SIGNED[options.baseline]];
      return isNumber(bps) ? [{ fill, bps }] : [];
    });
    const dots = signed.filter(({ bps }) => bps > 0)
      .map(({ fill, bps }) => dotOf(fill, bps, against.name));
    return {
      fills,
      against,
      notes,
      dots,
      withoutRoom: signed.length - dots.length,
      unknown: fills.length - signed.length,
      what: `Price tolerance against the ${against.name}`,
      drawn: dots.map(({ row }) => row),
    };
  },
  empty: ({ what, fills, against, withoutRoom }) => ({
    title: what,
    ...nothingMeasured(against),
    ...(fills.length === 0 ? {} : {
      noValues: withoutRoom > 0
        ? `No fill in this range had a limit that left room below the ${against.name}`
        : "No fill in this range has a known signed tolerance",
    }),
  }),
  axes: ({ dots }) => {
    const signed = dots.map((dot) => dot.x);
    const slippages = dots.map((dot) => dot.y);
    return {
      x: linearDifferenceAxis(signed, "bps signed"),
      y: linearDifferenceAxis([...slippages, -median(signed)!], "bps"),
    };
  },
  panels: ({ dots, against: { name, better }, x, y, height = 400, marginLeft }) => [
    dotPlot({
      height,
      marginLeft,
      marginTop: 40,
      x: {
        ...x.scale,
        label: `Tolerance signed: limit below the ${name} (bps) →`,
        labelAnchor: "center",
      },
      y: { ...y.scale, label: `↑ Fill against the ${name} (bps), ${better.replace(" →", "")}` },
      marks: toleranceMarks(dots, { x, y }),
    }),
  ],
  legend: ({ dots, against }) => [
    {
      label: `${dotNoun(dots.length, "fill")} at the ${against.name} or better: none used`,
      fill: COLORS.blue,
      shape: "dot",
    },
    { label: "worse: some used", fill: COLORS.orange, shape: "dot" },
    { label: "at the limit: all used", fill: "none", stroke: COLORS.ink, shape: "line" },
  ],
  finding: ({ dots, against }) => {
    const used = dots.filter((dot) => dot.y < 0);
    const shares = used.map((dot) => Math.min(1, -dot.y / dot.x));
    return [
      `${partText(dots.length - used.length, dots.length)} fills needed none of their tolerance ` +
      `below the ${against.name}`,
      shares.length > 0 &&
      `The others used ${shareText(median(shares)!, shares.length, "of it")} at the median; ` +
        `the one that needed the most was at ${
          bpsText(used.reduce((lowest, { y }) => Math.min(lowest, y), 0))
        }`,
    ];
  },
  title: ({ against, dots }) => {
    const unused = dots.filter((dot) => dot.y >= 0).length;
    return `${portionText(unused, dots.length, "fill")} needed none of their tolerance below the ` +
      against.name;
  },
  caption: ({ against, dots, notes, withoutRoom, unknown, x, y }) => [
    `n = ${count(dots.length, "fill")}`,
    withoutRoom > 0 &&
    `${count(withoutRoom, "fill")} whose limit left no room below the ${against.name} left out`,
    unknown > 0 && `${count(unknown, "fill")} without a known signed tolerance left out`,
    ...notes,
    x?.note,
    y?.note,
  ],
});
