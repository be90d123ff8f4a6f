import { IDS_PER_SHARD } from "../layout/files.ts";
import type { DatasetRequest } from "../layout/manifest.ts";
import { needsOf } from "../shards/table_needs.ts";

/** Requests that an export sends on one route. */
export interface PlannedRequests {
  /** Method and route. */
  readonly route: string;
  /** Number of requests. */
  readonly count: number;
  /** Whether the number depends on the answers, and is taken from usual auctions. */
  readonly isEstimate: boolean;
}

/** How many ids are asked for, and how many of them have an auction. */
export interface PlannedIds {
  /** Number of auction ids. */
  readonly ids: number;
  /** Number of auctions. */
  readonly auctions: number;
  /** Whether the ids are an estimate. */
  readonly isEstimate: boolean;
}

/** What a usual auction brings: orders that no earlier one listed, fills, and settlements. */
const PER_AUCTION = { orders: 1.5, executed: 0.9, settled: 1 } as const;
/** Orders that a usual first auction lists. */
const WAITING_ORDERS = 2_000;
/** Bytes of a usual auction of mainnet: 340,000 of answers packed 40 times, and of all tables. */
const RAW_BYTES = 8_500;
/** The same answers while 1,000 auctions are asked for, and what is known of an auction for good. */
const UNPACKED_BYTES = 340_000;
const STATE_BYTES = 4_400;
/** Bytes of a usual settlement: calldata and logs, packed five times. */
const SETTLEMENT_BYTES = 5_000;
const TABLE_BYTES = 16_500;
/** Share of the tables' bytes that are native prices and listings, which all tokens and orders have. */
const BYTES_OF: Readonly<Record<string, number>> = { native_prices: 0.7, order_listings: 0.2 };
const OTHER_TABLES = 0.01;
const UIDS_A_REQUEST = 128;
const BLOCKS_A_REQUEST = 100;
const SETTLEMENTS_A_REQUEST = 50;
const ROWS_A_PAGE = 1_000;
/** Auctions that are looked at to find both ends of a range, and with their neighbours and orders. */
const LOOKS = 60;
const LOOKS_WITHOUT_NODE = 100;
const COMPETITION = "GET /api/v2/solver_competition/{id}";

/** Requests to the deployment for a range. */
export function rangeRequests(
  { ids, auctions, isEstimate }: PlannedIds,
  request: DatasetRequest,
): PlannedRequests[] {
  const needs = needsOf(request);
  const orders = WAITING_ORDERS + Math.ceil(auctions * PER_AUCTION.orders);
  const isResolved = request.dates !== null || request.blocks !== null;
  return [
    ...isResolved
      ? [{
        route: `${COMPETITION}, to find the range`,
        count: looksFor({ ids, auctions }, request),
        isEstimate: true,
      }]
      : [],
    { route: COMPETITION, count: ids, isEstimate },
    ...needs.has("orders") ? [byUids(orders, true)] : [],
    ...ofOrders(Math.ceil(auctions * PER_AUCTION.executed), request),
  ];
}

/**
 * Requests to the deployment for the auctions of settlements: one for each at most, since an auction
 * names all of its own.
 */
export function walkRequests(settlements: number, request: DatasetRequest): PlannedRequests[] {
  const needs = needsOf(request);
  const orders = WAITING_ORDERS + Math.ceil(settlements * PER_AUCTION.orders);
  return [
    {
      route: "GET /api/v2/solver_competition/by_tx_hash/{hash}",
      count: settlements,
      isEstimate: true,
    },
    ...needs.has("orders") ? [byUids(orders, true)] : [],
    ...ofOrders(Math.ceil(settlements * PER_AUCTION.executed), request),
  ];
}

/** Requests to the deployment for single orders, or those of an account. */
export function orderRequests(uids: number, request: DatasetRequest): PlannedRequests[] {
  const isAccount = request.owner !== null;
  const orders = isAccount ? ROWS_A_PAGE : uids;
  const plan = [
    ...isAccount
      ? [{ route: "GET /api/v1/account/{address}/orders", count: 1, isEstimate: true }]
      : [],
    byUids(orders, isAccount),
    ...ofOrders(orders, request),
    ...needsOf(request).has("trades")
      ? [{
        route: "GET /api/v2/solver_competition/by_tx_hash/{hash}",
        count: orders,
        isEstimate: true,
      }]
      : [],
  ];
  return orders === 0 ? plan.filter(({ count }) => count > 0) : plan;
}

/** Requests to the node, each with up to 100 calls. */
export function nodeRequests(auctions: number, request: DatasetRequest): number {
  const needs = needsOf(request);
  const settlements = needs.has("settlements")
    ? Math.ceil(auctions * PER_AUCTION.settled / SETTLEMENTS_A_REQUEST)
    : 0;
  if (!needs.has("blocks")) return settlements;
  const fills = needs.has("trades") ? PER_AUCTION.executed : 0;
  const looks = request.dates === null ? 0 : LOOKS;
  return looks + Math.ceil(auctions * (1 + fills) / BLOCKS_A_REQUEST) + settlements;
}

/** Size of the folder, in bytes, as of usual auctions on mainnet. */
export function plannedBytes(auctions: number, request: DatasetRequest): number {
  const { tables } = request;
  const settlements = needsOf(request).has("settlements") ? PER_AUCTION.settled : 0;
  const share = tables.reduce((sum, table) => sum + (BYTES_OF[table] ?? OTHER_TABLES), 0);
  const raw = RAW_BYTES + STATE_BYTES + SETTLEMENT_BYTES * settlements;
  return Math.round(auctions * (raw + TABLE_BYTES * Math.min(1, share)));
}

/** What an export needs besides while it runs, in bytes: answers of 1,000 ids are packed together. */
export function plannedWorkBytes(auctions: number): number {
  return UNPACKED_BYTES * Math.min(auctions, IDS_PER_SHARD);
}

/** Ids without an auction are passed by. */
function looksFor({ ids, auctions }: Omit<PlannedIds, "isEstimate">, request: DatasetRequest) {
  const looks = request.dates === null || request.blockTimes ? LOOKS : LOOKS_WITHOUT_NODE;
  return Math.ceil(looks * Math.max(1, ids) / Math.max(1, auctions));
}

function byUids(orders: number, isEstimate: boolean): PlannedRequests {
  const count = Math.ceil(orders / UIDS_A_REQUEST);
  return { route: "POST /api/v1/orders/by_uids", count, isEstimate };
}

function ofOrders(executed: number, request: DatasetRequest): PlannedRequests[] {
  const needs = needsOf(request);
  return [
    ...needs.has("trades")
      ? [{ route: "GET /api/v2/trades?orderUid", count: executed, isEstimate: true }]
      : [],
    // Public deployments refuse the first report, and no more are asked for.
    ...needs.has("reports")
      ? [{ route: "GET /restricted/api/v1/debug/order/{uid}", count: 1, isEstimate: true }]
      : [],
  ];
}
