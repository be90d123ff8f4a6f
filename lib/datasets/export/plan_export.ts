import type { OrderBook } from "../../client/order_book.ts";
import { openSettlementWindows } from "../../evm/node/settlement_windows.ts";
import { formatSpan, parseInstant } from "../../units/mod.ts";
import type { DatasetRequest, RangeResolution } from "../layout/manifest.ts";
import { PUBLIC_RATE } from "../rate_limit/polite_transport.ts";
import { columnsOf } from "../shards/published_tables.ts";
import { FILTER_STORED_SINCE } from "../shards/table_context.ts";
import { needsOf, SETTLEMENT_TABLES } from "../shards/table_needs.ts";
import { readDates, type UsualNetwork, usualNetwork } from "./resolve_range.ts";
import { checkExport, type ExportOptions } from "./export_options.ts";
import {
  nodeRequests,
  orderRequests,
  plannedBytes,
  type PlannedIds,
  type PlannedRequests,
  plannedWorkBytes,
  rangeRequests,
  walkRequests,
} from "./planned_requests.ts";
import { rangeOf, requestOf, walkedBlocks } from "./prepare_export.ts";

/** What an export would do. */
export interface ExportPlan {
  /** Range of auction ids; `null` for an export of orders, and where it is not determined yet. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** How dates or blocks became that range; `null` if they did not. */
  readonly resolution: RangeResolution | null;
  /** Number of auction ids; `null` for an export of orders. */
  readonly ids: number | null;
  /** Whether the number of ids is an estimate, from those that the network makes in a day. */
  readonly areIdsEstimated: boolean;
  /** Whether the export goes on with new auctions after these. */
  readonly follows: boolean;
  /** Requests to the deployment by route. */
  readonly requests: readonly PlannedRequests[];
  /** Number of all requests to the deployment. */
  readonly total: number;
  /** Number of requests to the node, each with up to 100 calls; 0 without a node. */
  readonly nodeRequests: number;
  /** Requests per minute that the time is computed with. */
  readonly rate: number;
  /** Time that they take at this rate, in minutes; local deployments are faster. */
  readonly minutes: number;
  /** The same in words, such as `2 d 7 h`. */
  readonly duration: string;
  /** Size of the folder, in bytes, as of usual auctions on mainnet. */
  readonly bytes: number;
  /** What it takes besides while the export runs, in bytes: answers that are not packed yet. */
  readonly workBytes: number;
  /** Names of the tables. */
  readonly tables: readonly string[];
  /** Names of the columns of each table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** What the dataset will not have, and why. */
  readonly missing: readonly string[];
}

const DAY_MS = 86_400_000;
const MINUTE_NS = 60_000_000_000n;
/** When the service began to keep competitions. */
const HISTORY_BEGINS = "2024-10-17T00:00:00Z";

/**
 * Tells what {@linkcode exportDataset} would request with the same options, and how long it would
 * take.
 *
 * Asks for the newest competition alone, and only if the range ends with it. The ids of dates are
 * estimated where it is known how many a network makes in a day; elsewhere, and for blocks, the range
 * is searched for as in the export, with about 60 to 100 requests.
 *
 * @throws {InputError} If an option is invalid, or dates or blocks have no auctions.
 */
export async function planExport(book: OrderBook, options: ExportOptions): Promise<ExportPlan> {
  checkExport(options);
  const request = requestOf(options);
  if (request.walk !== undefined) return await planWalk(book, options, request);
  const usual = usualNetwork(book.network?.name);
  const estimated = usual === null ? null : idsOfDates(book, options, usual);
  const resolved = estimated === null ? await rangeOf(book, options) : null;
  const planned = estimated ?? (resolved === null ? null : idsOf(resolved, usual));
  const requests = planned === null
    ? orderRequests([...options.uids ?? []].length, request)
    : rangeRequests(planned, request);
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
    nodeRequests: planned === null ? 0 : nodeRequests(planned.auctions, request),
    rate,
    minutes,
    duration: formatSpan(BigInt(minutes) * MINUTE_NS),
    bytes: planned === null ? 0 : plannedBytes(planned.auctions, request),
    workBytes: planned === null ? 0 : plannedWorkBytes(planned.auctions),
    tables: request.tables,
    columns: columnsOf(request.tables),
    missing: missingOf(request, book),
  };
}

/** A walk over settlements: its blocks are walked already, by requests to the node alone. */
async function planWalk(
  book: OrderBook,
  options: ExportOptions,
  request: DatasetRequest,
): Promise<ExportPlan> {
  const { node, signal, rate = PUBLIC_RATE } = options;
  const blocks = await walkedBlocks(options);
  if (node === undefined || blocks === null) throw new TypeError("There is nothing to walk");
  const { settlementContract } = book;
  const sending = signal === undefined ? {} : { signal };
  let [settlements, windows] = [0, 0];
  const range = { ...blocks, settlementContract };
  for await (const { logs } of openSettlementWindows(node, range, sending)) {
    settlements += logs.length;
    windows++;
  }
  const requests = walkRequests(settlements, request);
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const minutes = Math.ceil(total / rate);
  return {
    range: null,
    resolution: null,
    ids: null,
    areIdsEstimated: false,
    follows: false,
    requests,
    total,
    nodeRequests: windows + nodeRequests(settlements, request),
    rate,
    minutes,
    duration: formatSpan(BigInt(minutes) * MINUTE_NS),
    bytes: plannedBytes(settlements, request),
    workBytes: plannedWorkBytes(settlements),
    tables: request.tables,
    columns: columnsOf(request.tables),
    missing: missingOf(request, book),
  };
}

function idsOf(
  { from, to }: { readonly from: number; readonly to: number },
  usual: UsualNetwork | null,
): PlannedIds {
  const ids = to - from + 1;
  return { ids, auctions: Math.ceil(ids * (usual?.presentShare ?? 1)), isEstimate: false };
}

function idsOfDates(
  { clock }: OrderBook,
  { dates }: ExportOptions,
  { idsPerDay, presentShare }: UsualNetwork,
): PlannedIds | null {
  if (dates === undefined) return null;
  const { from, to } = readDates(dates);
  const begin = Math.max(msOf(from), msOf(HISTORY_BEGINS));
  const end = Math.min(to === null ? Infinity : msOf(to), clock.now());
  const ids = Math.ceil(Math.max(0, end - begin) / DAY_MS * idsPerDay);
  return { ids, auctions: Math.ceil(ids * presentShare), isEstimate: true };
}

function missingOf(request: DatasetRequest, book: OrderBook): string[] {
  const isOfOrders = request.owner !== null || request.uids !== null;
  const from = request.dates?.from ?? null;
  const isBefore = (time: string) => from !== null && msOf(from) < msOf(time);
  const isPublic = book.network !== null;
  return [
    ...request.blockTimes
      ? []
      : ["timestamps of blocks: times of auctions are intervals, from the dates of their orders"],
    ...request.blockTimes || request.tables.some((name) => SETTLEMENT_TABLES.includes(name))
      ? []
      : ["settlements on the chain: no node is asked"],
    ...request.trades ? [] : ["trades and protocol_fees: fills are not asked for"],
    ...request.debugReports ? [] : ["order_events and executions: debug reports are not asked for"],
    ...isPublic && needsOf(request).has("reports")
      ? ["order_events and executions: public deployments provide no debug reports"]
      : [],
    ...request.walk === undefined
      ? []
      : ["auctions that settled nothing in these blocks: only settlements are walked"],
    ...isOfOrders ? ["auctions in which the orders were not settled"] : [],
    ...isBefore(HISTORY_BEGINS) && isPublic
      ? ["auctions before 2024-10-17: the service keeps none"]
      : [],
    ...isBefore(FILTER_STORED_SINCE) && isPublic
      ? ["filtered_out before 2025-06-20: null, since earlier auctions were filled in with false"]
      : [],
  ];
}

function msOf(instant: string): number {
  return parseInstant(instant).epochMilliseconds;
}
