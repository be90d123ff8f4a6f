import type { OrderBook } from "../../client/order_book.ts";
import type { DatasetRequest } from "../layout/manifest.ts";
import { checkExport, type ExportOptions } from "./export_options.ts";
import { PUBLIC_RATE } from "../limits/open_limit.ts";
import { rangeOf, requestOf } from "./prepare_export.ts";

/** Requests that an export sends on one route. */
export interface PlannedRequests {
  /** Method and route. */
  readonly route: string;
  /** Number of requests. */
  readonly count: number;
  /** Whether the number depends on the answers, and is taken from usual auctions. */
  readonly isEstimate: boolean;
}

/** What an export would do. */
export interface ExportPlan {
  /** Range of auction ids; `null` for an export of orders. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Requests by route. */
  readonly requests: readonly PlannedRequests[];
  /** Number of all requests. */
  readonly total: number;
  /** Requests per minute that the time is computed with. */
  readonly rate: number;
  /** Time that they take at this rate, in minutes; local deployments are faster. */
  readonly minutes: number;
  /** Size of the folder, in bytes, as of usual auctions on mainnet. */
  readonly bytes: number;
  /** Names of the tables. */
  readonly tables: readonly string[];
  /** What the dataset will not have, and why. */
  readonly missing: readonly string[];
}

/** What a usual auction brings: new orders that were bid on, fills, and packed bytes of it. */
const PER_AUCTION = { orders: 1.3, executed: 0.9, bytes: 25_000 } as const;
const UIDS_A_REQUEST = 128;
const ROWS_A_PAGE = 1_000;

/**
 * Tells what {@linkcode exportDataset} would request with the same options, and how long it would
 * take. Asks for the newest competition alone, and only if `last` is passed.
 *
 * @throws {InputError} If an option is invalid.
 */
export async function planExport(book: OrderBook, options: ExportOptions): Promise<ExportPlan> {
  checkExport(options);
  const request = requestOf(options);
  const range = await rangeOf(book, options);
  const requests = range === null
    ? ordersPlan([...options.uids ?? []].length, request)
    : rangePlan(range.to - range.from + 1, request);
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const rate = options.rate ?? PUBLIC_RATE;
  return {
    range,
    requests,
    total,
    rate,
    minutes: Math.ceil(total / rate),
    bytes: range === null ? 0 : (range.to - range.from + 1) * PER_AUCTION.bytes,
    tables: request.tables,
    missing: missingOf(request, book),
  };
}

function rangePlan(ids: number, request: DatasetRequest): PlannedRequests[] {
  const orders = Math.ceil(ids * PER_AUCTION.orders);
  return [
    { route: "GET /api/v2/solver_competition/{id}", count: ids, isEstimate: false },
    {
      route: "POST /api/v1/orders/by_uids",
      count: Math.ceil(orders / UIDS_A_REQUEST),
      isEstimate: true,
    },
    ...ofOrders(Math.ceil(ids * PER_AUCTION.executed), orders, request),
  ];
}

function ordersPlan(uids: number, request: DatasetRequest): PlannedRequests[] {
  const isAccount = request.owner !== null;
  const orders = isAccount ? ROWS_A_PAGE : uids;
  return [
    ...isAccount
      ? [{ route: "GET /api/v1/account/{address}/orders", count: 1, isEstimate: true }]
      : [],
    {
      route: "POST /api/v1/orders/by_uids",
      count: Math.ceil(orders / UIDS_A_REQUEST),
      isEstimate: isAccount,
    },
    ...ofOrders(orders, orders, request),
    ...request.trades
      ? [{
        route: "GET /api/v2/solver_competition/by_tx_hash/{hash}",
        count: orders,
        isEstimate: true,
      }]
      : [],
  ];
}

function ofOrders(executed: number, orders: number, request: DatasetRequest): PlannedRequests[] {
  const plan: PlannedRequests[] = [];
  if (request.trades) {
    plan.push({ route: "GET /api/v2/trades?orderUid", count: executed, isEstimate: true });
  }
  // Public deployments refuse the first report, and no more are asked for.
  if (request.debugReports) {
    plan.push({ route: "GET /restricted/api/v1/debug/order/{uid}", count: 1, isEstimate: true });
  }
  return orders === 0 ? plan.filter(({ count }) => count > 0) : plan;
}

function missingOf(request: DatasetRequest, book: OrderBook): string[] {
  return [
    "timestamps of blocks: times of auctions are intervals, from the dates of their orders",
    ...request.trades ? [] : ["trades and protocol_fees: fills are not asked for"],
    ...request.debugReports ? [] : ["order_events: debug reports are not asked for"],
    ...request.debugReports && book.network !== null
      ? ["order_events: public deployments provide no debug reports"]
      : [],
    ...request.auctions === null && request.last === null
      ? ["auctions in which the orders were not settled"]
      : [],
  ];
}
