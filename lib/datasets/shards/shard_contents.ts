import { laterOf } from "../../metrics/orders/known_time.ts";
import { AuctionTimes } from "../../metrics/auctions/auction_times.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { DatasetDrift } from "../layout/manifest.ts";
import type { AppDataFacts } from "./app_data.ts";
import { AuctionReader } from "./auction_reader.ts";
import type { BlockFacts } from "./blocks.ts";
import { datedAuctions } from "./listed_orders.ts";
import type { NativePriceRows } from "./native_price_rows.ts";
import type { OrderListingFacts } from "./order_listings.ts";
import { DriftCounter } from "./shard_drift.ts";
import { SETTLEMENT_TABLES } from "./table_needs.ts";
import type { TableContext } from "./table_context.ts";
import type {
  AuditContext,
  KeptAudit,
  ReportedRecords,
  SettlementAnswers,
} from "./settlement_audits.ts";
import { shardRecords } from "./shard_records.ts";

/** The records of one shard, from which its tables are built. */
export interface ShardContents {
  /**
   * Auctions by id, with the orders and the native prices of the tokens in their solutions; others
   * stand in `listings` and `nativePrices` alone, since an auction has thousands.
   */
  readonly competitions: readonly Competition[];
  /** Number of orders that each auction lists, by its id. */
  readonly orderCounts: ReadonlyMap<number, number>;
  /** Orders by UID. */
  readonly orders: readonly Order[];
  /** Fills by block and log index. */
  readonly trades: readonly Trade[];
  /** Debug reports by UID. */
  readonly reports: readonly DebugReport[];
  /** Documents by hash. */
  readonly documents: readonly AppDataFacts[];
  /** Intervals in which orders were listed. */
  readonly listings: readonly OrderListingFacts[];
  /** All native prices. */
  readonly nativePrices: NativePriceRows;
  /** Blocks by number, without those that stand in the table of another shard. */
  readonly blocks: readonly BlockFacts[];
  /** Settlements by hash, audited against the other records; none without a table of them. */
  readonly audits: readonly KeptAudit[];
  /** What the answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
  /** When auctions began. */
  readonly times: AuctionTimes;
  /** UIDs of orders whose fills were answered, in lower case. */
  readonly answeredFills: ReadonlySet<string>;
  /** The latest time that the answers name. */
  readonly latest: Temporal.Instant;
}

/**
 * Reads the answers of one shard, each auction once: memory holds what its solutions name, and what
 * auctions list once for all of them.
 *
 * @param context Tables to build, and where settlements are.
 */
export async function readShard(
  file: string,
  context: AuditContext & Pick<TableContext, "tables">,
): Promise<ShardContents> {
  const auctions = new AuctionReader();
  const competitions = new Map<number, Competition>();
  const orders = new HexMap<Order>();
  const trades = new Map<string, Trade>();
  const reports = new HexMap<DebugReport>();
  const documents = new HexMap<AppDataFacts>();
  const blocks = new Map<number, BlockFacts>();
  const blockTimes = new Map<number, Temporal.Instant>();
  const settlements = new Map<string, SettlementAnswers>();
  const answeredFills = new Set<string>();
  const drift = new DriftCounter();
  const records = shardRecords(file, auctions, (exchange, body) => drift.add(exchange, body));
  for await (const record of records) {
    if (record.kind === "competition") {
      competitions.set(record.competition.auctionId, record.competition);
    } else if (record.kind === "order") orders.set(record.order.uid, record.order);
    else if (record.kind === "trade") trades.set(tradeKey(record.trade), record.trade);
    else if (record.kind === "report") reports.set(record.report.orderUid, record.report);
    else if (record.kind === "block") {
      blockTimes.set(record.number, record.at);
      if (!record.isElsewhere) blocks.set(record.number, record);
    } else if (record.kind === "fills") answeredFills.add(record.orderUid);
    else if (record.kind === "settlement") {
      const { txHash, of, result } = record;
      const known = settlements.get(txHash) ?? { txHash, transaction: null, receipt: null };
      settlements.set(txHash, { ...known, [of]: result });
    } else documents.set(record.hash, record);
  }
  for (const order of orders.values()) addDocument(documents, order);
  const known = { orders: [...orders.values()], debugReports: [...reports.values()] };
  const ascending = [...competitions.values()].sort((a, b) => a.auctionId - b.auctionId);
  const listings = auctions.intervals();
  const audits = context.tables.some((table) => SETTLEMENT_TABLES.includes(table))
    ? await auditsOf(settlements, {
      competitions: ascending,
      orders: known.orders,
      trades: trades.values(),
      answeredFills,
    }, context)
    : [];
  const times = new AuctionTimes(datedAuctions(ascending, listings), { ...known, blockTimes });
  return {
    competitions: ascending,
    orderCounts: auctions.orderCounts,
    orders: known.orders.sort((a, b) => byText(a.uid, b.uid)),
    trades: [...trades.values()].sort(byPlace),
    reports: known.debugReports.sort((a, b) => byText(a.orderUid, b.orderUid)),
    documents: [...documents.values()].sort((a, b) => byText(a.hash, b.hash)),
    listings,
    nativePrices: auctions.prices,
    blocks: [...blocks.values()].sort((a, b) => a.number - b.number),
    audits,
    drift: drift.sum(),
    times,
    answeredFills,
    latest: latestTime({ ...known, competitions: ascending, trades: trades.values(), times }),
  };
}

function latestTime({ competitions, orders, debugReports, trades, times }: {
  readonly competitions: readonly Competition[];
  readonly orders: readonly Order[];
  readonly debugReports: readonly DebugReport[];
  readonly trades: Iterable<Trade>;
  readonly times: AuctionTimes;
}): Temporal.Instant {
  let latest = Temporal.Instant.fromEpochMilliseconds(0);
  const see = (at: Temporal.Instant | null | undefined) => {
    latest = laterOf(latest, at)!;
  };
  for (const { auctionId } of competitions) see(times.auction(auctionId)?.at);
  for (const { creationDate } of orders) see(creationDate);
  for (const { blockNumber } of trades) see(times.block(blockNumber)?.at);
  for (const { events } of debugReports) for (const { timestamp } of events) see(timestamp);
  return latest;
}

async function auditsOf(
  settlements: ReadonlyMap<string, SettlementAnswers>,
  records: ReportedRecords,
  context: AuditContext,
): Promise<KeptAudit[]> {
  if (settlements.size === 0) return [];
  // Decoding calldata takes viem, which nothing else here needs.
  const { auditKept } = await import("./settlement_audits.ts");
  return await auditKept(settlements.values(), records, context);
}

function addDocument(documents: HexMap<AppDataFacts>, { appData, fullAppData }: Order): void {
  if (fullAppData === null || fullAppData === undefined || documents.has(appData)) return;
  documents.set(appData, { hash: appData, document: fullAppData });
}

function tradeKey({ blockNumber, logIndex, orderUid }: Trade): string {
  return `${blockNumber} ${logIndex} ${orderUid.toLowerCase()}`;
}

function byPlace(a: Trade, b: Trade): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
