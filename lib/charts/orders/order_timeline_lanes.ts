import * as Plot from "@observablehq/plot";
import type { ValueAxis } from "../axes/axis_scale.ts";
import { type ListSize, MAX_LABELS, TICK_LENGTH } from "../axes/row_axes.ts";
import type { Panel } from "../figure/panel.ts";
import { COLORS } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { isNumber } from "../rows.ts";
import { extent, max } from "../statistics.ts";
import { count } from "../texts/count_text.ts";
import { measureLabel } from "../texts/label_text.ts";
import { ATTEMPT_LOOKS, type OrderTimelineAuction } from "./order_rows.ts";

export interface Stretch {
  lane: string;
  from: number;
  /** Its end; for a point its start. */
  to: number;
  fill: string;
  stroke: string;
  title: string;
  /** End of the interval of its time. @default {its time is known} */
  latest?: number | null;
}

/** Lanes of attempts, which have no dot at their start: one per outcome. */
export const ATTEMPT_LANES: readonly string[] = Object.values(ATTEMPT_LOOKS)
  .map(({ label }) => label);

const MANY_POINTS = 100;

interface LanesOptions extends ListSize {
  dots: ReturnType<typeof createAuctionDots>;
  axis: ValueAxis;
  lanes: readonly string[];
  heading: string;
  /** The end of validity, if it is on the axis. @default {it is not} */
  validity?: number | null;
  deadlines?: readonly { readonly lane: string; readonly deadline: number | null }[];
}

export function createLanesPanel(
  stretches: readonly Stretch[],
  { axis, lanes, dots, heading, validity = null, deadlines = [], ...size }: LanesOptions,
): Panel {
  const y = ({ lane }: { lane: string }) => lanes.indexOf(lane);
  const isAttempt = ({ lane }: Stretch) => ATTEMPT_LANES.includes(lane);
  const points = stretches.filter((stretch) => !isAttempt(stretch));
  const isMany = points.length > MANY_POINTS;
  const open = [
    ...stretches.map(({ lane, from, latest }) => ({ lane, from, latest })),
    ...dots.map(({ lane, position, latest }) => ({ lane, from: position, latest })),
  ].filter(({ from, latest }) => isNumber(latest) && latest > from);
  const drawBars = (bars: readonly Stretch[], look: Plot.BarXOptions) =>
    Plot.barX(bars, {
      x1: "from",
      x2: "to",
      y,
      fill: "fill",
      stroke: "stroke",
      fillOpacity: 0.5,
      inset: 1,
      title: "title",
      ...look,
    });
  return createListPanel({
    ...size,
    heading,
    labels: lanes.map((lane) => shortenLane(lane, size)),
    axis,
    marginTop: validity === null ? 10 : 26,
    marginRight: 44,
    marks: () => [
      drawBars(stretches.filter((stretch) => stretch.to > stretch.from && !isAttempt(stretch)), {
        className: "stretch",
      }),
      // Attempts of a few milliseconds are seen too.
      drawBars(stretches.filter(isAttempt), {
        className: "attempt",
        insetLeft: -1,
        insetRight: -1,
      }),
      Plot.tickX(deadlines, {
        x: "deadline",
        y,
        stroke: COLORS.ink,
        strokeWidth: 1.5,
        title: ({ deadline }: typeof deadlines[number]) => `deadline: block ${deadline}`,
        className: "deadline",
      }),
      Plot.ruleY(open, { x1: "from", x2: "latest", y, stroke: COLORS.ink, className: "interval" }),
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
        x: "position",
        y,
        r: dots.length > 60 ? 2.5 : 4,
        fill: "color",
        title: "title",
        className: "auction",
      })]),
      ...(validity === null ? [] : drawValidity(validity, axis)),
    ],
  });
}

/** Returns the reason of a state alone where there is no room for both. */
function shortenLane(lane: string, { width, marginLeft = width * MAX_LABELS }: ListSize): string {
  return measureLabel(lane) <= marginLeft - TICK_LENGTH
    ? lane
    : lane.replace(/^[^(]+ \((.+)\)$/, "$1");
}

/** Draws the end of validity, with its name on the side that has more room. */
function drawValidity(validity: number, { fraction }: ValueAxis): Plot.Markish[] {
  const isRight = fraction(validity) > 0.5;
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

/** Lanes of auctions by outcome for the order, from top to bottom. */
export const AUCTION_LANES = {
  "auction without a bid": COLORS.grey,
  "auction with bids, lost": COLORS.orange,
  "auction won": COLORS.blue,
  "auction": COLORS.muted,
} as const;

/** Number of cells along the axis; auctions in one cell of a lane are one dot. */
const CELLS = 200;

function nameAuctionLane(
  { bid_count: bids, is_won: isWon }: OrderTimelineAuction,
): keyof typeof AUCTION_LANES {
  if (isWon === true) return "auction won";
  if (bids === 0) return "auction without a bid";
  return isNumber(bids) && bids > 0 ? "auction with bids, lost" : "auction";
}

/** Creates one dot per auction, or one for those in one cell of a lane. */
export function createAuctionDots(
  auctions: readonly { row: OrderTimelineAuction; position: number; latest?: number | null }[],
  [low, high]: readonly [number, number],
) {
  const formatCell = ({ row, position }: typeof auctions[number]) =>
    `${nameAuctionLane(row)} ${Math.round((position - low) / (high - low || 1) * CELLS)}`;
  return [...Map.groupBy(auctions, formatCell).values()].map((members) => {
    const [{ row, position }] = members as [typeof auctions[number]];
    const latest = max(members.map(({ latest }) => latest).filter(isNumber)) ?? null;
    const lane = nameAuctionLane(row);
    const [first, last] = extent(members.map(({ row }) => row.auction_id));
    const title = members.length === 1
      ? formatTooltip(row)
      : `${count(members.length, "auction")} (${lane})\nfrom ${first} to ${last}`;
    return { lane, position, latest, color: AUCTION_LANES[lane], title };
  });
}

function formatTooltip(row: OrderTimelineAuction): string {
  const deadline = isNumber(row.deadline_block) ? `, to settle until ${row.deadline_block}` : "";
  const bids = isNumber(row.bid_count) ? `\n${count(row.bid_count, "bid")} for the order` : "";
  return `auction ${row.auction_id}\nblock ${row.block_number}${deadline}${bids}`;
}
