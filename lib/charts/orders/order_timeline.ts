import { InputError } from "../../errors/input_error.ts";
import { checkOptions, type OptionRules, rule, TEXT } from "../../errors/option_rules.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, type ChartOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { drawPicture } from "../figure/picture.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { type Moment, secondsOf } from "../texts/moment.ts";
import { attemptOf, ATTEMPTS } from "./order_timeline_attempts.ts";
import { blockPanel } from "./order_timeline_blocks.ts";
import { clockPanel } from "./order_timeline_clock.ts";
import {
  ATTEMPT_ROWS,
  AUCTION_ROWS,
  EVENT_ROWS,
  FILL_ROWS,
  type OrderTimelineAttempt,
  type OrderTimelineAuction,
  type OrderTimelineEvent,
  type OrderTimelineFill,
  type OrderTimelineRow,
  type OrderTimelineRows,
} from "./order_timeline_rows.ts";
import type { Panel } from "../figure/panel.ts";
import { rowsOf } from "../rows/row_kind.ts";
import { count, isNumber } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";

/** Only the latest rows of each part are drawn; more would be unreadable. */
const MOST_ROWS = 1_000;

interface Parts {
  events: readonly OrderTimelineEvent[];
  auctions: readonly OrderTimelineAuction[];
  attempts: readonly OrderTimelineAttempt[];
  fills: readonly OrderTimelineFill[];
}

const NOUNS: readonly [keyof Parts, noun: string, plural: string][] = [
  ["events", "event", "events"],
  ["auctions", "auction", "auctions"],
  ["attempts", "attempt to settle", "attempts to settle"],
  ["fills", "fill", "fills"],
];

const ACTION = "Cannot draw orderTimeline";
/** Rows are looked at where they are read. */
const isAny = () => true;
const PARTS: OptionRules<OrderTimelineRows> = {
  order_uid: TEXT,
  valid_to: rule("a time", (moment) => moment === null || secondsOf(moment as Moment) !== null),
  events: rule("rows", isAny),
  auctions: rule("rows", isAny),
  attempts: rule("rows", isAny),
  fills: rule("rows", isAny),
};

/** The parts of an order's life as rows, each of its own kind. */
function partsOf(order: OrderTimelineRows): Parts {
  checkOptions(order, PARTS, ACTION);
  if (order.order_uid === undefined) {
    throw new InputError(`${ACTION} without order_uid`, { remedy: "Pass the UID of the order" });
  }
  const { events = [], auctions = [], attempts = [], fills = [] } = order;
  return {
    events: rowsOf(events, EVENT_ROWS, { action: ACTION }),
    auctions: rowsOf(auctions, AUCTION_ROWS, { action: ACTION }),
    attempts: rowsOf(attempts, ATTEMPT_ROWS, { action: ACTION }),
    fills: rowsOf(fills, FILL_ROWS, { action: ACTION }),
  };
}

function legendOf(
  attempts: readonly OrderTimelineAttempt[],
  hasBlocks: boolean,
): LegendEntry[] {
  const outcomes = new Set(attempts.map(({ outcome }) => attemptOf(outcome)));
  const looks = Object.values(ATTEMPTS).filter((one) => outcomes.has(one));
  return hasBlocks && attempts.some(({ deadline_block: deadline }) => isNumber(deadline))
    ? [...looks, { label: "deadline to settle", fill: "none", stroke: COLORS.ink, shape: "tick" }]
    : looks;
}

/** Panels whose axes begin at one place. */
function withOneMargin(panels: readonly Panel[]): Panel[] {
  const marginLeft = Math.max(...panels.map(({ plot }) => plot.marginLeft ?? 0));
  return panels.map((panel) => ({ ...panel, plot: { ...panel.plot, marginLeft } }));
}

/**
 * Draws the life of one order: by time its events (a lane per state, as long as it lasted),
 * attempts to settle it and fills, against the end of its validity; and by block the auctions it
 * was in, with and without bids, the attempts and the fills. Where the times of all auctions,
 * attempts and fills are known, there is the axis of time alone.
 *
 * Debug reports have no times of auctions, only blocks: two axes keep what is known separate from
 * what would be a guess. Auctions and fills of which only an interval is known stand at its start. A
 * fill is placed at its own time, otherwise at its `traded` event, which is when the service indexed
 * it. The caption says all this. Of more than 1,000
 * events, attempts or fills only the latest are drawn, and the caption says so; auctions that share
 * a place are one dot.
 *
 * @param order What is known of the order; with nothing known, the figure says so.
 * @returns The figure; its `rows` are events, auctions, attempts and fills, in this order.
 * @throws {InputError} If an option is out of range.
 *
 * @example An order filled in the first auction it was in
 * ```ts
 * import { orderTimeline } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = orderTimeline({
 *   order_uid: "0x01",
 *   valid_to: "2026-11-21T15:38:19Z",
 *   events: [
 *     { label: "created", timestamp: "2026-11-21T15:18:19.058308Z" },
 *     { label: "ready", timestamp: "2026-11-21T15:18:19.569153Z" },
 *     { label: "traded", timestamp: "2026-11-21T15:18:21.626084Z" },
 *   ],
 *   auctions: [{ auction_id: 2241, block_number: 1916, deadline_block: 1924, is_won: true }],
 *   fills: [{ block_number: 1919, auction_id: 2241 }],
 * });
 *
 * assertMatch(chart.title, /3 events, 1 auction, 0 attempts to settle, 1 fill/);
 * ```
 */
export function orderTimeline(
  order: OrderTimelineRows,
  options: ChartOptions = {},
): Chart<OrderTimelineRow> {
  checkOptions(options, CHART_OPTIONS, ACTION);
  const all = partsOf(order);
  const parts: Parts = {
    events: all.events.slice(-MOST_ROWS),
    auctions: all.auctions,
    attempts: all.attempts.slice(-MOST_ROWS),
    fills: all.fills.slice(-MOST_ROWS),
  };
  const rows = [...parts.events, ...parts.auctions, ...parts.attempts, ...parts.fills];
  const name = `Life of order ${shortHex(order.order_uid)}`;
  const counts = NOUNS.map(([part, ...nouns]) => count(all[part].length, ...nouns)).join(", ");
  return drawPicture("orderTimeline", rows, options, {
    select: (rows: readonly OrderTimelineRow[], size) => {
      const clock = clockPanel({ ...parts, valid_to: order.valid_to }, size);
      const blocks = clock.isWhole ? { panel: null, note: null } : blockPanel(parts, size);
      const panels = withOneMargin([clock.panel, blocks.panel].filter((panel) => panel !== null));
      return { clock, blocks, panels, drawn: panels.length === 0 ? [] : rows };
    },
    empty: {
      title: name,
      noRows: "Nothing is known of this order's life",
      noValues: "No event, auction, attempt or fill of this order has a known time or block",
    },
    panels: ({ panels }) => panels,
    legend: ({ blocks }) => legendOf(parts.attempts, blocks.panel !== null),
    title: () => `${name}: ${counts}`,
    caption: ({ clock, blocks }) => [
      counts,
      ...NOUNS.map(([part, ...nouns]) => {
        const more = all[part].length - parts[part].length;
        return more > 0 && `${count(more, ...nouns)} before them not drawn`;
      }),
      clock.note,
      blocks.note,
    ],
  });
}
