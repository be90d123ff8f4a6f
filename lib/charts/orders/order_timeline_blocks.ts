import * as Plot from "@observablehq/plot";
import { extent } from "../numbers/statistics.ts";
import { percentText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import { fixedAxis } from "../axes/value_axis.ts";
import type { ListSize } from "../axes/list_axis.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { attemptOf } from "./order_timeline_attempts.ts";
import {
  AUCTION_LANES,
  type AuctionDot,
  auctionDots,
  auctionRadius,
} from "./order_timeline_auctions.ts";
import type { TimelinePanel } from "./order_timeline_clock.ts";
import type {
  OrderTimelineAttempt,
  OrderTimelineAuction,
  OrderTimelineFill,
} from "./order_timeline_rows.ts";
import type { Panel } from "../figure/panel.ts";
import { count, isNumber, wholeText } from "../rows/row_selection.ts";
import { solverNames } from "../texts/solver_names.ts";

/** What the blocks show of an order. */
export interface BlockRows {
  /** Auctions that had it in them. */
  auctions: readonly OrderTimelineAuction[];
  /** Attempts to settle it. */
  attempts: readonly OrderTimelineAttempt[];
  /** Its fills. */
  fills: readonly OrderTimelineFill[];
}

interface Try {
  from: number;
  to: number;
  deadline: number | null;
  fill: string;
  stroke: string;
  title: string;
}

const LANES = {
  ...AUCTION_LANES,
  attempt: "attempt to settle",
  fill: "fill",
} as const;
const FILL_RADIUS = 5;
/** How far an attempt extends beyond its blocks on both sides, as a fraction of the axis margin. */
const LEAST_WIDTH = 0.06;

function triesOf(attempts: readonly OrderTimelineAttempt[], last: number): Try[] {
  const names = solverNames(attempts);
  return attempts.flatMap((row) => {
    const { start_block: from, end_block: ended, deadline_block: deadline } = row;
    if (!isNumber(from)) return [];
    return [{
      from,
      to: isNumber(ended) ? ended : Math.max(from, isNumber(deadline) ? deadline : last),
      deadline: isNumber(deadline) ? deadline : null,
      ...attemptOf(row.outcome),
      title:
        `${names.withHex(row.solver)}, auction ${row.auction_id}\n${row.outcome ?? "pending"}\n` +
        `from block ${from}${isNumber(ended) ? ` to ${ended}` : ""}` +
        (isNumber(deadline) ? `, deadline ${deadline}` : ""),
    }];
  });
}

function fillTooltip(
  { block_number: block, auction_id: id, filled_fraction: share }: OrderTimelineFill,
) {
  return `fill in block ${block}` + (isNumber(id) ? `\nauction ${id}` : "") +
    (isNumber(share) ? `\n${percentText(share)} of the order` : "");
}

/** The life of an order by the block. */
export function blockPanel(rows: BlockRows, options: ListSize): TimelinePanel {
  const auctions = rows.auctions.filter((row) => isNumber(row.block_number));
  const fills = rows.fills.filter((row) => isNumber(row.block_number));
  const blocks = [
    ...auctions.flatMap((row) => [row.block_number, row.is_won ? row.deadline_block : null]),
    ...fills.map((row) => row.block_number),
    ...rows.attempts.flatMap((row) => [row.start_block, row.end_block, row.deadline_block]),
  ].filter(isNumber);
  const [first = 0, last = 0] = extent(blocks);
  const tries = triesOf(rows.attempts, last);
  const unplaced = rows.auctions.length - auctions.length + rows.fills.length - fills.length +
    rows.attempts.length - tries.length;
  const note = unplaced === 0
    ? null
    : `${count(unplaced, "auction, attempt or fill", "auctions, attempts or fills")} without a ` +
      "block not in the lower panel";
  if (auctions.length + fills.length + tries.length === 0) return { panel: null, note };
  const range: [number, number] = [first, last];
  const dots = auctionDots(auctions.map((row) => ({ row, at: row.block_number })), range);
  const lanes = Object.values(LANES).filter((lane) =>
    dots.some((dot) => dot.lane === lane) || (lane === LANES.attempt && tries.length > 0) ||
    (lane === LANES.fill && fills.length > 0)
  );
  return { note, panel: lanesPanel({ dots, fills, tries }, { ...options, lanes, range }) };
}

function lanesPanel(
  { dots, fills, tries }: {
    dots: readonly AuctionDot[];
    fills: readonly OrderTimelineFill[];
    tries: readonly Try[];
  },
  { lanes, range: [low, high], ...size }: ListSize & {
    lanes: readonly string[];
    range: readonly [number, number];
  },
): Panel {
  const pad = Math.max(1, (high - low) * 0.03);
  const place = (lane: string) => lanes.indexOf(lane);
  const tryPlace = place(LANES.attempt);
  const deadlines = tries.filter(({ deadline }) => deadline !== null);
  return rankedList({
    ...size,
    heading: "By block: auctions it was in, and their settlement",
    labels: lanes,
    axis: fixedAxis({
      domain: [low - pad, high + pad],
      grid: true,
      ticks: Math.min(6, Math.floor(high - low) + 2),
      tickFormat: wholeText,
    }),
    label: "Block →",
    marginRight: 44,
    marks: () => [
      Plot.barX(tries, {
        x1: ({ from }: Try) => from - pad * LEAST_WIDTH,
        x2: ({ to }: Try) => to + pad * LEAST_WIDTH,
        y: () => tryPlace,
        fill: "fill",
        stroke: "stroke",
        fillOpacity: 0.6,
        insetTop: 1,
        insetBottom: 1,
        title: "title",
        className: "attempt",
      }),
      Plot.tickX(deadlines, {
        x: "deadline",
        y: () => tryPlace,
        stroke: COLORS.ink,
        strokeWidth: 1.5,
        title: ({ deadline }: Try) => `deadline: block ${deadline}`,
        className: "deadline",
      }),
      Plot.dot(dots, {
        x: "at",
        y: ({ lane }: AuctionDot) => place(lane),
        r: auctionRadius(dots),
        fill: "color",
        title: "title",
        className: "auction",
      }),
      Plot.dot(fills, {
        x: "block_number",
        y: () => place(LANES.fill),
        r: FILL_RADIUS,
        fill: COLORS.blue,
        stroke: "white",
        title: fillTooltip,
        className: "settled",
      }),
    ],
  });
}
