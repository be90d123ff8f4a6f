import { wilsonInterval } from "../../metrics/intervals.ts";
import type { DurationAxis } from "../axes/duration_axis.ts";
import { COLORS } from "../looks.ts";
import { groupLargest, isNumber, listGroups, readText } from "../rows.ts";
import { MARKET_POSITIONS } from "../texts/label_text.ts";
import { nameGroup } from "../texts/short_names.ts";

/** One order's wait: columns of `lifecycle`. */
export interface TimeToFillRow {
  /** UID of the order. */
  order_uid: string;
  /** State at the end, such as `fulfilled`, `cancelled`, `expired` or `open`. */
  status: string;
  /** Seconds from creation to the first fill; `null` when there was none. */
  time_to_first_fill_seconds?: number | null;
  /** Seconds from creation to the last fill; read for orders whose status is `fulfilled` only. */
  time_to_last_fill_seconds?: number | null;
  /**
   * Seconds from creation to the end: whole fill, cancellation, expiry, or the last moment known.
   */
  observed_seconds?: number | null;
  /** Fills it had; an order with fills whose time is not known is left out. */
  fill_count?: number | null;
  /** Source of the times of its fills: `block`, `event` or `bracketed`, at the earliest. */
  time_basis?: string | null;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Whether a solution had it. */
  had_bid?: boolean | null;
  /** Auctions that had it. */
  auction_count?: number | null;
  /** Position of the limit against the quote, such as `in_market` or `out_of_market`. */
  market_position?: string | null;
}

const MAX_CURVES = 5;
const MAX_STEPS = 1_000;
const ENDING_CELLS = 70;

const CURVE_COLORS = [
  COLORS.blue,
  COLORS.vermilion,
  COLORS.green,
  COLORS.purple,
  COLORS.sky,
  COLORS.muted,
];

/** The event an order waits for: its first fill, or its whole fill. */
type FillEvent = "firstFill" | "wholeFill";

export interface OrderWait {
  row: TimeToFillRow;
  /** Seconds from creation to the fill, or to the end. */
  seconds: number;
  isFilled: boolean;
}

/** Orders that ended unfilled at one point of a curve. */
export interface UnfilledPoint {
  /** Their age then. */
  seconds: number;
  /** Height of the curve there. */
  share: number;
  orders: number;
  status: string;
}

interface Step {
  seconds: number;
  /** Share of them that is filled from then on. */
  share: number;
  /** Lower end of its 95% Wilson interval. */
  low: number;
  /** Upper end of that interval. */
  high: number;
}

function readFillTime(row: TimeToFillRow, event: FillEvent): number | null {
  const seconds = event === "firstFill"
    ? row.time_to_first_fill_seconds
    : row.status === "fulfilled"
    ? row.time_to_last_fill_seconds
    : null;
  return isNumber(seconds) ? seconds : null;
}

/** Whether an order was filled at an unknown time. */
export function isUntimed(row: TimeToFillRow, event: FillEvent): boolean {
  const isFilled = row.status === "fulfilled" ||
    (event === "firstFill" && isNumber(row.fill_count) && row.fill_count > 0);
  return isFilled && readFillTime(row, event) === null;
}

export function measureWaits(rows: readonly TimeToFillRow[], event: FillEvent): OrderWait[] {
  return rows.flatMap((row) => {
    const filled = readFillTime(row, event);
    const seconds = filled ?? row.observed_seconds;
    return isNumber(seconds) && !isUntimed(row, event)
      ? [{ row, seconds, isFilled: filled !== null }]
      : [];
  });
}

/** Returns the noun for some orders, by what is true of all of them. */
export function namePopulation(waits: readonly OrderWait[]): string {
  if (waits.length === 0) return "orders";
  if (waits.every(({ row }) => row.had_bid === true)) return "orders that solvers bid on";
  const areListed = waits.every(({ row }) => isNumber(row.auction_count) && row.auction_count > 0);
  return areListed ? "listed orders" : "orders";
}

/** Creates one curve of all orders, or one for each of the largest groups. */
export function createCurves(waits: readonly OrderWait[], column: string | undefined) {
  const groups = column === undefined ? [{ key: "orders", rows: waits }] : listGroups(
    groupLargest(waits, ({ row }) => readText(row, column), {
      limit: MAX_CURVES,
      noun: nameGroup(column),
    }),
  );
  const positions = column === "market_position" ? MARKET_POSITIONS : {};
  return groups.map(({ key, rows }, index) => ({
    name: positions[key]?.long ?? key,
    label: column === undefined ? "" : positions[key]?.short ?? key,
    color: CURVE_COLORS[index] ?? COLORS.muted,
    waits: rows,
    filled: rows.filter(({ isFilled }) => isFilled).map(({ seconds }) => seconds)
      .toSorted((a, b) => a - b),
  }));
}

export type FillCurve = ReturnType<typeof createCurves>[number];

/** Lists the filled share of a curve's orders over time, as steps; steps below a pixel are joined. */
export function listSteps({ filled, waits }: FillCurve, { domain, clamp }: DurationAxis): Step[] {
  const step = Math.ceil(filled.length / MAX_STEPS);
  const createStep = (seconds: number, orders: number): Step => {
    const { low, high } = wilsonInterval(orders, waits.length)!;
    return { seconds, share: orders / waits.length, low, high };
  };
  const steps = [createStep(domain[0], 0)];
  for (const [index, seconds] of filled.entries()) {
    if ((index + 1) % step === 0 || index + 1 === filled.length) {
      steps.push(createStep(clamp(seconds), index + 1));
    }
  }
  steps.push(createStep(domain[1], filled.length));
  return steps;
}

/** Groups orders that ended unfilled by point on the curve, at their age then. */
export function groupUnfilled(curve: FillCurve, axis: DurationAxis): UnfilledPoint[] {
  const toAxisPosition = (seconds: number) => axis.isLog ? Math.log(axis.clamp(seconds)) : seconds;
  const [low, high] = [toAxisPosition(axis.domain[0]), toAxisPosition(axis.domain[1])];
  const cells = new Map<string, UnfilledPoint>();
  const unfilled = curve.waits.filter(({ isFilled }) => !isFilled)
    .toSorted((a, b) => a.seconds - b.seconds);
  let filledCount = 0;
  for (const { seconds, row: { status } } of unfilled) {
    while ((curve.filled[filledCount] ?? Infinity) <= seconds) filledCount++;
    const cell = Math.round((toAxisPosition(seconds) - low) / (high - low) * ENDING_CELLS);
    const key = `${status} ${cell}`;
    const point = cells.get(key) ??
      { seconds: axis.clamp(seconds), share: filledCount / curve.waits.length, orders: 0, status };
    point.orders += 1;
    cells.set(key, point);
  }
  return [...cells.values()];
}
