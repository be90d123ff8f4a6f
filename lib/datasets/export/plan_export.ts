import type { OrderBook } from "../../client/order_book.ts";
import { UIDS_PER_REQUEST } from "../../endpoints/orders_by_uids.ts";
import { CALLS_PER_REQUEST } from "../../evm/node/rpc_batches.ts";
import { openSettlementWindows } from "../../evm/node/settlement_windows.ts";
import { DAY_MS } from "../../units/instant.ts";
import { formatSpan } from "../../units/mod.ts";
import { IDS_PER_SHARD } from "../layout/files.ts";
import type { DatasetRequest, RangeResolution } from "../layout/manifest.ts";
import { PUBLIC_RATE } from "../rate_limit/polite_transport.ts";
import { SETTLEMENTS_PER_REQUEST } from "../shards/node_settlement.ts";
import {
  findNeeds,
  listColumns,
  NODE_TABLES,
  SETTLEMENT_TABLES,
} from "../shards/published_tables.ts";
import { FILTER_STORED_SINCE } from "../shards/table_context.ts";
import { ROWS_PER_PAGE } from "./account_fills.ts";
import { checkExport, type ExportOptions } from "./export_options.ts";
import { resolveRange, resolveWalk, toRequest } from "./prepare_export.ts";
import { findUsualNetwork, parseMs, readDates, type UsualNetwork } from "./resolve_range.ts";

/** Plan of an export. */
export interface ExportPlan {
  /** Range of auction ids; `null` for an export of orders, and where it is not determined yet. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Resolution of dates or blocks into that range; `null` without them. */
  readonly resolution: RangeResolution | null;
  /** Number of auction ids; `null` for an export of orders. */
  readonly ids: number | null;
  /** Whether the number of ids is an estimate, from those that the network makes in a day. */
  readonly areIdsEstimated: boolean;
  /** Whether the export continues with new auctions after these. */
  readonly follows: boolean;
  /** Requests to the deployment by route. */
  readonly requests: readonly PlannedRequests[];
  /** Number of all requests to the deployment. */
  readonly total: number;
  /** Number of requests to the node, each with up to 100 calls; 0 without a node. */
  readonly nodeRequests: number;
  /** Number of requests to the node if one were passed; those to the deployment are no fewer then. */
  readonly nodeRequestsIfPassed: number;
  /** Requests per minute that the time is computed with. */
  readonly rate: number;
  /** Time that they take at this rate, in minutes; local deployments are faster. */
  readonly minutes: number;
  /** That time in words, such as `2 d 7 h`. */
  readonly duration: string;
  /** Size of the folder, in bytes, as of usual auctions on mainnet. */
  readonly bytes: number;
  /** Additional size while the export runs, in bytes: responses that are not packed yet. */
  readonly workBytes: number;
  /** Names of the tables. */
  readonly tables: readonly string[];
  /** Names of the columns of each table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Data that the dataset will lack, and why. */
  readonly missing: readonly string[];
}

const MINUTE_NS = 60_000_000_000n;
/** Time since which the service stores competitions. */
const HISTORY_BEGINS = "2024-10-17T00:00:00Z";

/**
 * Plans what {@linkcode exportDataset} would request with the same options, and how long it would take.
 *
 * Requests only the newest competition, and only if the range ends with it. The ids of dates are
 * estimated where it is known how many a network makes in a day; elsewhere, and for blocks, the range
 * is searched for as in the export, with about 60 to 100 requests.
 *
 * @throws {InputError} If an option is invalid, or dates or blocks have no auctions.
 */
export async function planExport(book: OrderBook, options: ExportOptions): Promise<ExportPlan> {
  checkExport(options);
  const request = toRequest(options);
  const usual = findUsualNetwork(book.network?.name);
  const walked = request.walk === undefined ? null : await countWalk(book, options);
  const estimated = walked === null && usual !== null ? estimateIds(book, options, usual) : null;
  const resolved = walked === null && estimated === null ? await resolveRange(book, options) : null;
  const planned = estimated ?? (resolved === null ? null : toPlannedIds(resolved, usual));
  const requests = walked !== null
    ? [
      // An auction names all of its settlements: one request for each at most.
      estimate(`${COMPETITION}by_tx_hash/{hash}`, walked.settlements),
      ...planAuctions(walked.settlements, request),
    ]
    : planned === null
    ? planOrders([...options.uids ?? []].length, request)
    : planRange(planned, request);
  const auctions = walked?.settlements ?? planned?.auctions ?? 0;
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const rate = options.rate ?? PUBLIC_RATE;
  const minutes = Math.ceil(total / rate);
  return {
    range: resolved === null ? null : { from: resolved.from, to: resolved.to },
    resolution: resolved?.resolution ?? null,
    ids: planned?.ids ?? null,
    areIdsEstimated: planned?.isEstimate ?? false,
    follows: request.follow,
    requests,
    total,
    nodeRequests: (walked?.windows ?? 0) + countNodeRequests(auctions, request),
    nodeRequestsIfPassed: (walked?.windows ?? 0) + countNodeRequests(auctions, {
      ...request,
      blockTimes: true,
      tables: [...request.tables, ...NODE_TABLES],
    }),
    rate,
    minutes,
    duration: formatSpan(BigInt(minutes) * MINUTE_NS),
    bytes: estimateBytes(auctions, request),
    // Responses of 1,000 ids are packed together.
    workBytes: UNPACKED_BYTES * Math.min(auctions, IDS_PER_SHARD),
    tables: request.tables,
    columns: listColumns(request.tables),
    missing: listMissing(request, book),
  };
}

/** Counts the settlements of a walk by reading its logs: this sends requests to the node alone. */
async function countWalk({ settlementContract }: OrderBook, options: ExportOptions) {
  const { node, signal } = options;
  const blocks = await resolveWalk(options);
  if (node === undefined || blocks === null) throw new TypeError("There is nothing to walk");
  let [settlements, windows] = [0, 0];
  const range = { ...blocks, settlementContract };
  for await (const { logs } of openSettlementWindows(node, range, { signal })) {
    settlements += logs.length;
    windows++;
  }
  return { settlements, windows };
}

function toPlannedIds(
  { from, to }: { readonly from: number; readonly to: number },
  usual: UsualNetwork | null,
): PlannedIds {
  const ids = to - from + 1;
  return { ids, auctions: Math.ceil(ids * (usual?.presentShare ?? 1)), isEstimate: false };
}

function estimateIds(
  { clock }: OrderBook,
  { dates }: ExportOptions,
  { idsPerDay, presentShare }: UsualNetwork,
): PlannedIds | null {
  if (dates === undefined) return null;
  const { from, to } = readDates(dates);
  const begin = Math.max(parseMs(from), parseMs(HISTORY_BEGINS));
  const end = Math.min(to === null ? Infinity : parseMs(to), clock.now());
  const ids = Math.ceil(Math.max(0, end - begin) / DAY_MS * idsPerDay);
  return { ids, auctions: Math.ceil(ids * presentShare), isEstimate: true };
}

function listMissing(request: DatasetRequest, book: OrderBook): string[] {
  const isOfOrders = request.owner !== null || request.uids !== null;
  const from = request.dates?.from ?? null;
  const isBefore = (time: string) => from !== null && parseMs(from) < parseMs(time);
  const isPublic = book.network !== null;
  return [
    ...request.blockTimes
      ? []
      : ["timestamps of blocks: times of auctions are intervals, from the dates of their orders"],
    ...request.blockTimes || request.tables.some((name) => SETTLEMENT_TABLES.includes(name))
      ? []
      : ["settlements on the chain: they need a node"],
    ...request.trades ? [] : ["trades and protocol_fees: fills are not requested"],
    ...request.debugReports ? [] : ["order_events and executions: debug reports are not requested"],
    ...isPublic && findNeeds(request).has("reports")
      ? ["order_events and executions: public deployments provide no debug reports"]
      : [],
    ...request.walk === undefined
      ? []
      : ["auctions that settled nothing in these blocks: only settlements are walked"],
    ...isOfOrders ? ["auctions in which the orders were not settled"] : [],
    ...isPublic && !isOfOrders && request.last === null
      ? ["auctions of more than about two months ago: public deployments no longer serve them"]
      : [],
    ...isBefore(HISTORY_BEGINS) && isPublic
      ? ["auctions before 2024-10-17: the service keeps none"]
      : [],
    ...isBefore(FILTER_STORED_SINCE) && isPublic
      ? ["filtered_out before 2025-06-20: null, since earlier auctions were filled in with false"]
      : [],
  ];
}

/** Requests that an export sends on one route. */
export interface PlannedRequests {
  /** Method and route. */
  readonly route: string;
  /** Number of requests. */
  readonly count: number;
  /** Whether the number depends on the responses, and is estimated from usual auctions. */
  readonly isEstimate: boolean;
}

/** Number of requested ids, and of auctions among them. */
interface PlannedIds {
  readonly ids: number;
  readonly auctions: number;
  readonly isEstimate: boolean;
}

/** Counts per usual auction: orders that no earlier one listed, fills, and settlements. */
const PER_AUCTION = { orders: 1.5, executed: 0.9, settled: 1 } as const;
/** Share of filled orders that are of the EthFlow contract: an account like others. */
const ETH_FLOW_SHARE = 0.28;
/** Orders that a usual first auction lists. */
const WAITING_ORDERS = 2_000;
/** Bytes of a usual auction of mainnet: 340,000 of responses packed 40 times, and of all tables. */
const RAW_BYTES = 8_500;
/** Bytes of these responses before they are packed, and of an auction in the state. */
const UNPACKED_BYTES = 340_000;
const STATE_BYTES = 4_400;
/** Bytes of a usual settlement: calldata and logs, packed five times. */
const SETTLEMENT_BYTES = 5_000;
const TABLE_BYTES = 16_500;
/** Share of the tables' bytes that are native prices and listings, which all tokens and orders have. */
const BYTE_SHARES: Readonly<Record<string, number>> = { native_prices: 0.7, order_listings: 0.2 };
const OTHER_TABLES = 0.01;
/** Auctions that are read to find both ends of a range, and with their neighbours and orders. */
const LOOKS = 60;
const LOOKS_WITHOUT_NODE = 100;
const COMPETITION = "GET /api/v2/solver_competition/";

/** Requests to the deployment for a range. */
function planRange(
  { ids, auctions, isEstimate }: PlannedIds,
  request: DatasetRequest,
): PlannedRequests[] {
  const isResolved = request.dates !== null || request.blocks !== null;
  const looks = request.dates === null || request.blockTimes ? LOOKS : LOOKS_WITHOUT_NODE;
  // Ids without an auction are passed by.
  const looked = Math.ceil(looks * Math.max(1, ids) / Math.max(1, auctions));
  return [
    ...isResolved ? [estimate(`${COMPETITION}{id}, to find the range`, looked)] : [],
    { route: `${COMPETITION}{id}`, count: ids, isEstimate },
    ...planAuctions(auctions, request),
  ];
}

/** Requests to the deployment for single orders, or those of an account. */
function planOrders(uids: number, request: DatasetRequest): PlannedRequests[] {
  const isAccount = request.owner !== null;
  const orders = isAccount ? ROWS_PER_PAGE : uids;
  const plan = [
    ...isAccount ? [estimate("GET /api/v1/account/{address}/orders", 1)] : [],
    { ...planUids(orders), isEstimate: isAccount },
    ...planFills(orders, request),
    ...findNeeds(request).has("trades")
      ? [estimate(`${COMPETITION}by_tx_hash/{hash}`, orders)]
      : [],
  ];
  return orders === 0 ? plan.filter(({ count }) => count > 0) : plan;
}

function estimate(route: string, count: number): PlannedRequests {
  return { route, count, isEstimate: true };
}

function planUids(orders: number): PlannedRequests {
  return estimate("POST /api/v1/orders/by_uids", Math.ceil(orders / UIDS_PER_REQUEST));
}

function planAuctions(auctions: number, request: DatasetRequest): PlannedRequests[] {
  const orders = WAITING_ORDERS + Math.ceil(auctions * PER_AUCTION.orders);
  return [
    ...findNeeds(request).has("instances") ? [estimate("GET /instances/{id}.json", auctions)] : [],
    ...findNeeds(request).has("orders") ? [planUids(orders)] : [],
    ...planFills(Math.ceil(auctions * PER_AUCTION.executed), request),
  ];
}

function planFills(orders: number, request: DatasetRequest): PlannedRequests[] {
  const needs = findNeeds(request);
  return [
    ...needs.has("trades")
      ? [estimate("GET /api/v2/trades?owner", estimateAccountPages(orders))]
      : [],
    // Public deployments refuse the first report, and no more are requested.
    ...needs.has("reports") ? [estimate("GET /restricted/api/v1/debug/order/{uid}", 1)] : [],
  ];
}

/**
 * Pages of accounts that have the fills of some orders, which with a node are as many: their fees are in
 * no log. The accounts of mainnet in September 2024 were 93 for 108 orders, 314 for 434, 547 for 868.
 */
function estimateAccountPages(orders: number): number {
  const accountOrders = (1 - ETH_FLOW_SHARE) * orders;
  const ethFlow = Math.ceil(ETH_FLOW_SHARE * orders / ROWS_PER_PAGE);
  return ethFlow + Math.ceil(Math.min(accountOrders, 2.6 * accountOrders ** 0.79));
}

/** Requests to the node, each with up to 100 calls. */
function countNodeRequests(auctions: number, request: DatasetRequest): number {
  const needs = findNeeds(request);
  const settlements = needs.has("settlements")
    ? Math.ceil(auctions * PER_AUCTION.settled / SETTLEMENTS_PER_REQUEST)
    : 0;
  if (!needs.has("blocks")) return settlements;
  const fills = needs.has("trades") ? PER_AUCTION.executed : 0;
  const looks = request.dates === null ? 0 : LOOKS;
  return looks + Math.ceil(auctions * (1 + fills) / CALLS_PER_REQUEST) + settlements;
}

/** Size of the folder, in bytes, as of usual auctions on mainnet. */
function estimateBytes(auctions: number, request: DatasetRequest): number {
  const { tables } = request;
  const settlements = findNeeds(request).has("settlements") ? PER_AUCTION.settled : 0;
  const share = tables.reduce((sum, table) => sum + (BYTE_SHARES[table] ?? OTHER_TABLES), 0);
  const raw = RAW_BYTES + STATE_BYTES + SETTLEMENT_BYTES * settlements;
  return Math.round(auctions * (raw + TABLE_BYTES * Math.min(1, share)));
}
