import {
  bidsForOrder,
  type ChartOptions,
  type OrderBidRow,
  orderTimeline,
  type OrderTimelineRows,
  slippageDecomposition,
  type SlippageRow,
  timeSeries,
} from "../../charts/mod.ts";
import { shortenHex } from "../../charts/texts/short_names.ts";
import { isNotComputable } from "../../metrics/mod.ts";
import type { AtomInterval } from "../../metrics/prices/price_interval.ts";
import { quoteOverLimitBps } from "../../metrics/slippage/slippage.ts";
import { effectiveValidTo } from "../../schemas/mod.ts";
import { ratio, ratioToNumber } from "../../units/mod.ts";
import { type OrderReport, type ReportedFill, toInstant } from "../order/order_report.ts";
import { formatFilledShare } from "../order/format_sentence.ts";
import { selectUnbid } from "../order/limit_distance.ts";
import type { OrderCharts } from "./page_content.ts";

/** Draws the report of an order; see `orderCharts`, which loads this when it is called. */
export function drawOrder(report: OrderReport, options: ChartOptions): OrderCharts {
  const { fills, limitDistance } = report;
  const bids = listBidRows(report);
  const distances = listDistanceRows(report);
  const isSpread = new Set(distances.map(({ auction_id: id }) => id)).size > 1;
  const split = fills.flatMap((fill) => splitSlippage(fill, report) ?? []);
  return {
    timeline: hasTimes(report)
      ? orderTimeline(toTimelineRows(report), { ...titleLife(report), ...options })
      : null,
    auctions: bids.length === 0 ? null : bidsForOrder(bids, { ...options, orderUid: report.uid }),
    distance: !isSpread ? null : timeSeries(distances, {
      ...{ x: "auction_id", y: "over_limit_bps", series: "market", noun: "price" },
      title: "The market over the limit, in auctions without a bid",
      subtitle: "Below 0, the limit is beyond the market",
      finding: `${limitDistance!.text}.`,
      ...options,
    }),
    fills: split.length === 0
      ? null
      : slippageDecomposition(split, { ...options, by: "fill", limit: 12 }),
  };
}

/**
 * Whether its life has times: where all are intervals, a picture would show none of them, and where
 * only a beginning is known, nothing.
 */
function hasTimes(report: OrderReport): boolean {
  const { order, evidence, timeline } = report;
  const isTimed = timeline.some(({ kind, basis }) =>
    (kind === "auction" || kind === "fill") && basis !== null && basis !== "bracketed"
  );
  if (order === null || evidence.debugReport !== "present" && !isTimed) return false;
  return !isEndUnknown(report) ||
    timeline.some(({ kind }) => kind !== "created" && kind !== "expiry");
}

/** Whether it ended before its validity did, at an unknown time. */
function isEndUnknown({ order, timeline }: OrderReport): boolean {
  return order?.status === "cancelled" && !timeline.some(({ kind }) => kind === "cancelled");
}

/** The title of a life whose fills are not whole, or not known: its rows show neither. */
function titleLife({ uid, order, fills, cause }: OrderReport): ChartOptions {
  const name = `Order ${shortenHex(uid)}`;
  if (order === null) return {};
  if (fills.length > 0) {
    return order.status === "fulfilled"
      ? {}
      : { title: `${name}: ${formatFilledShare(order)} filled` };
  }
  const isFilled = order.executedSellAmount > 0n;
  if (!isFilled && cause !== "executed_not_indexed") return {};
  const fact = isFilled ? `${formatFilledShare(order)} filled` : "executed";
  return { title: `${name}: ${fact}, no trade known`, finding: false };
}

function toTimelineRows(report: OrderReport): OrderTimelineRows {
  const { uid, order, timeline, auctions, fills, evidence } = report;
  const events = evidence.debugReport === "present" ? timeline : [];
  return {
    order_uid: uid,
    valid_to: order === null || isEndUnknown(report) ? null : toInstant(effectiveValidTo(order)),
    is_open: order?.status === "open" || order?.status === "presignaturePending",
    events: events.flatMap(({ at: time, kind, label, reason }) => {
      const name = kind === "created" || kind === "cancelled" ? kind : label;
      return time === null || name === null ? [] : { timestamp: time, label: name, reason };
    }),
    auctions: auctions.map(({ auctionId, block, deadlineBlock, bids }) => {
      const began = timeline.find((entry) =>
        entry.kind === "auction" && entry.auctionId === auctionId
      );
      return {
        auction_id: auctionId,
        block_number: block,
        auction_at_ms: began?.at?.epochMilliseconds ?? null,
        time_basis: began?.basis ?? null,
        auction_time_max_ms: began?.latestAt?.epochMilliseconds ?? null,
        deadline_block: deadlineBlock,
        bid_count: bids.length,
        is_won: bids.some(({ isWinner }) => isWinner),
      };
    }),
    attempts: auctions.flatMap(({ auctionId, attempts }) =>
      (attempts ?? []).map((attempt) => ({
        auction_id: auctionId,
        solver: attempt.solver,
        start_timestamp: attempt.startTimestamp,
        end_timestamp: attempt.endTimestamp ?? null,
        start_block: attempt.startBlock,
        end_block: attempt.endBlock ?? null,
        deadline_block: attempt.deadlineBlock,
        outcome: attempt.outcome ?? null,
      }))
    ),
    fills: fills.map(({ blockNumber, auctionId }) => {
      const filled = timeline.find(({ kind, block }) => kind === "fill" && block === blockNumber);
      return {
        block_number: blockNumber,
        filled_at_ms: filled?.at?.epochMilliseconds ?? null,
        time_basis: filled?.basis ?? null,
        fill_time_max_ms: filled?.latestAt?.epochMilliseconds ?? null,
        auction_id: auctionId,
      };
    }),
  };
}

function listBidRows({ order, auctions, fills }: OrderReport): OrderBidRow[] {
  const quoteOverLimit = (baseline: "gross" | "net") =>
    order === null ? null : quoteOverLimitBps(order, baseline);
  const quotes = {
    quote_gross_over_limit_bps: quoteOverLimit("gross"),
    quote_net_over_limit_bps: quoteOverLimit("net"),
  };
  return auctions.flatMap(({ auctionId, bids }) =>
    bids.map((bid) => ({
      auction_id: auctionId,
      solver: bid.solver,
      solver_name: bid.solverName,
      ranking: bid.ranking,
      is_winner: bid.isWinner,
      filtered_out: bid.filteredOut,
      is_executed: bid.isWinner && fills.some((fill) => fill.auctionId === auctionId),
      over_limit_bps: bid.overLimitBps,
      ...quotes,
    }))
  );
}

/** Native prices, and the best price offered to another order of the pair, over the limit in each auction. */
function listDistanceRows({ auctions }: OrderReport) {
  return selectUnbid(auctions).flatMap(({ auctionId, marketOverLimitBps, pairOffer }) =>
    Object.entries({
      "native prices": marketOverLimitBps,
      "best offer to others": pairOffer?.overLimitBps ?? null,
    }).flatMap(([market, distance]) =>
      distance === null
        ? []
        : [{ auction_id: auctionId, market, over_limit_bps: ratioToNumber(distance) }]
    )
  );
}

/** The parts of a fill in basis points of the gross quote; the midpoint of what is an interval. */
function splitSlippage(fill: ReportedFill, { uid, order }: OrderReport): SlippageRow | null {
  const { parts, slippages: { gross } } = fill;
  if (order === null || isNotComputable(parts) || isNotComputable(gross)) return null;
  const { numerator, denominator } = gross.baselineAtoms;
  const toBps = ({ low, high }: AtomInterval) =>
    ratioToNumber(ratio(10_000n * (low + high) * denominator, 2n * numerator));
  const toInterval = (atoms: bigint) => ({ low: atoms, high: atoms });
  return {
    order_uid: uid,
    kind: order.kind,
    auction_id: fill.auctionId,
    solver: fill.solver,
    solver_name: fill.solverName,
    block_number: fill.blockNumber,
    log_index: fill.logIndex,
    slippage_gross_bps: ratioToNumber(gross.bps),
    network_bps: toBps(parts.networkCostAtoms),
    protocol_bps: toBps(toInterval(parts.protocolFeeAtoms)),
    partner_bps: toBps(toInterval(parts.partnerFeeAtoms)),
    market_bps: toBps(parts.marketAtoms),
  };
}
