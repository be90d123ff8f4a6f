import * as Plot from "@observablehq/plot";
import { fixedAxis } from "../axes/axis_scale.ts";
import type { DurationAxis } from "../axes/duration_axis.ts";
import type { ListSize } from "../axes/row_axes.ts";
import { COLORS } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { rankedList } from "../marks/bars.ts";
import { type AuctionDot, auctionRadius } from "./order_timeline_auctions.ts";

/** A stretch or a point in a lane, in seconds since the first. */
export interface Stretch {
  /** Its lane. */
  lane: string;
  /** Where it begins. */
  from: number;
  /** Where it ends; a point where it begins. */
  to: number;
  /** Fill of its bar. */
  fill: string;
  /** Its colour. */
  stroke: string;
  /** What its tooltip says. */
  title: string;
}

/** Lane of attempts. */
export const ATTEMPT_LANE = "attempt to settle";
const MANY_POINTS = 100;

/** How the lanes are set. */
interface LanesOptions extends ListSize {
  /** The auctions. */
  dots: readonly AuctionDot[];
  /** Axis of time. */
  axis: DurationAxis;
  /** The lanes, from top to bottom. */
  lanes: readonly string[];
  /** What stands over the panel. */
  heading: string;
  /** The end of validity, if it is on the axis. */
  validity: number | null;
}

/** Lanes along the clock, with what happened in each. */
export function lanesPanel(
  stretches: readonly Stretch[],
  { axis, lanes, dots, heading, validity, ...size }: LanesOptions,
): Panel {
  const y = ({ lane }: Stretch) => lanes.indexOf(lane);
  const points = stretches.filter(({ lane }) => lane !== ATTEMPT_LANE);
  const isMany = points.length > MANY_POINTS;
  return rankedList({
    ...size,
    heading,
    labels: lanes,
    axis: fixedAxis(axis.scale),
    marginTop: 26,
    marginRight: 44,
    marks: () => [
      Plot.barX(stretches.filter(({ from, to }) => to > from), {
        x1: "from",
        x2: "to",
        y,
        fill: "fill",
        stroke: "stroke",
        fillOpacity: 0.5,
        inset: 1,
        title: "title",
        className: "stretch",
      }),
      Plot.dot(points, {
        x: "from",
        y,
        r: isMany ? 2 : 4,
        fill: "stroke",
        stroke: isMany ? "none" : "white",
        title: "title",
        className: "point",
      }),
      ...(dots.length === 0 ? [] : [Plot.dot(dots, {
        x: "at",
        y: ({ lane }: AuctionDot) => lanes.indexOf(lane),
        r: auctionRadius(dots),
        fill: "color",
        title: "title",
        className: "auction",
      })]),
      ...(validity === null ? [] : validityMarks(validity, axis)),
    ],
  });
}

/** The end of validity, with its name on the side that has more room. */
function validityMarks(validity: number, { domain: [low, high] }: DurationAxis): Plot.Markish[] {
  const isRight = validity > (low + high) / 2;
  return [
    Plot.ruleX([validity], {
      stroke: COLORS.ink,
      strokeDasharray: "5 3",
      title: () => "end of validity",
      className: "validity",
    }),
    Plot.text([validity], {
      x: (seconds: number) => seconds,
      text: () => "valid until here",
      frameAnchor: "top",
      dy: -10,
      dx: isRight ? -4 : 4,
      textAnchor: isRight ? "end" : "start",
    }),
  ];
}
