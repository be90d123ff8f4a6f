import { AuctionTimes } from "../../metrics/mod.ts";
import { markPartialList } from "../../metrics/auctions/fast_path.ts";
import { selectLater } from "../../metrics/orders/fills.ts";
import { type Exchange, parseExchange, toJson } from "../../recordings/request_key.ts";
import {
  type Competition,
  type DebugReport,
  decodeCompetition,
  type Instance,
  type Order,
  type Trade,
} from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { freeFrames } from "./file_columns.ts";
import { NativePriceRows } from "../../tables/auctions/native_price_rows.ts";
import { ALL_DOLLAR_TOKENS } from "../../tables/columns/token_facts.ts";
import {
  ListedOrders,
  type Listing,
  selectBoundaryOrders,
} from "../../tables/auctions/order_listings.ts";
import type { AppDataFacts, BlockFacts, OrderListingFacts } from "../../tables/mod.ts";
import { addResponse, type SettlementResponses } from "./node_settlement.ts";
import type { AuditContext } from "./settlement_audits.ts";
import { type AuctionDecoder, DriftCounter, readRecords } from "./shard_records.ts";
import { compareTexts } from "../../recordings/recorded_competitions.ts";

/**
 * Reads the responses of one shard, each auction once: memory holds the orders and tokens of its
 * solutions, and the lists of auctions once for all of them.
 *
 * @param context Deployment of the settlements.
 * @param isAudited Whether settlements are audited.
 * @param isWanted Whether a line is read; all of them if absent.
 */
export async function readShard(
  file: string,
  context: AuditContext,
  { isAudited = false, isWanted }: {
    readonly isAudited?: boolean;
    readonly isWanted?: (line: string) => boolean;
  } = {},
) {
  // Frees the frames of the previous shard.
  await freeFrames();
  const auctions = new AuctionReader(isWanted);
  const competitions = new Map<number, Competition>();
  const instances = new Map<number, Instance>();
  const instanceOrderCounts = new Map<number, number>();
  const orders = new HexMap<Order>();
  const trades = new Map<string, Trade>();
  const reports = new HexMap<DebugReport>();
  const documents = new HexMap<AppDataFacts>();
  const blocks = new Map<number, BlockFacts>();
  const blockTimes = new Map<number, Temporal.Instant>();
  const settlements = new Map<string, SettlementResponses>();
  const answeredFills = new Set<string>();
  const absentOrders = new Set<string>();
  const drift = new DriftCounter();
  const onBody = (exchange: Exchange, body: unknown) => drift.add(exchange, body);
  for await (const record of readRecords(file, auctions, onBody)) {
    if (record.kind === "competition") {
      competitions.set(record.competition.auctionId, record.competition);
    } else if (record.kind === "instance") {
      const { auctionId, instance } = record;
      instances.set(auctionId, selectBids(instance, competitions.get(auctionId)));
      if (instance.orders !== undefined) {
        instanceOrderCounts.set(auctionId, instance.orders.length);
      }
    } else if (record.kind === "order") orders.set(record.order.uid, record.order);
    else if (record.kind === "trade") trades.set(toTradeKey(record.trade), record.trade);
    else if (record.kind === "report") reports.set(record.report.orderUid, record.report);
    else if (record.kind === "block") {
      blockTimes.set(record.number, record.at);
      if (!record.isElsewhere) blocks.set(record.number, record);
    } else if (record.kind === "fills") answeredFills.add(record.orderUid);
    else if (record.kind === "no_order") absentOrders.add(record.orderUid);
    else if (record.kind === "settlement") addResponse(settlements, record);
    else documents.set(record.hash, record);
  }
  for (const order of orders.values()) addDocument(documents, order);
  const orderRecords = { orders: [...orders.values()], debugReports: [...reports.values()] };
  const ascending = [...competitions.values()].sort((a, b) => a.auctionId - b.auctionId);
  const listings = auctions.listIntervals();
  const records = {
    competitions: ascending,
    orders: orderRecords.orders,
    answeredFills,
    instances: instances.values(),
  };
  // Decoding calldata takes viem, which nothing else here needs.
  const audits = isAudited && settlements.size > 0
    ? await (await import("./settlement_audits.ts")).auditSettlements(
      settlements.values(),
      { ...records, trades: trades.values() },
      context,
    )
    : [];
  const times = new AuctionTimes(selectBoundaryOrders(ascending, listings), {
    ...orderRecords,
    blockTimes,
  });
  const contents = {
    /**
     * Auctions by id, with the orders in their solutions, and the native prices of their tokens and of dollars;
     * others are in `listings` and `nativePrices` alone, since an auction has thousands.
     */
    competitions: ascending,
    /** Number of orders that each auction lists, by its id. */
    orderCounts: auctions.orderCounts,
    /** Instances by id, with the orders and tokens of solutions alone. */
    instances: [...instances.values()].sort((a, b) => a.id! - b.id!),
    /** Number of orders that each instance has, by the id of its auction. */
    instanceOrderCounts,
    /** Orders by UID. */
    orders: orderRecords.orders.sort((a, b) => compareTexts(a.uid, b.uid)),
    /** Fills by block and log index. */
    trades: [...trades.values()].sort((a, b) =>
      a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
    ),
    /** Debug reports by UID. */
    reports: orderRecords.debugReports.sort((a, b) => compareTexts(a.orderUid, b.orderUid)),
    /** Documents by hash. */
    documents: [...documents.values()].sort((a, b) => compareTexts(a.hash, b.hash)),
    /** Intervals in which orders were listed. */
    listings,
    /** All native prices. */
    nativePrices: auctions.prices,
    /** Blocks by number, without those in the table of another shard. */
    blocks: [...blocks.values()].sort((a, b) => a.number - b.number),
    /** Settlements by hash, audited against the other records; none unless `isAudited`. */
    audits,
    /** Transactions and receipts of settlements, as a node sent them. */
    settlements: [...settlements.values()],
    /** Start times of auctions. */
    times,
    /** UIDs of orders with a response for their fills, in lower case. */
    answeredFills,
    /** UIDs of orders that the service does not have, in lower case. */
    absentOrders,
  };
  /** The latest time in the responses. */
  const latest = findLatestTime(contents);
  /** Differences between the responses and what this version of the library knows. */
  return { ...contents, latest, drift: drift.sum(latest) };
}

/** The records of one shard, from which its tables are built. */
export type ShardContents = Awaited<ReturnType<typeof readShard>>;

/** Selects the orders of an instance that have a bid, since an instance has thousands. */
export function selectOrders(
  { liquidity: _, orders, ...auction }: Instance,
  hasBid: (uid: string) => boolean,
): Instance {
  const selectedOrders = orders?.filter(({ uid }) => uid !== undefined && hasBid(uid));
  return { ...auction, ...selectedOrders !== undefined && { orders: selectedOrders } };
}

/** Selects the orders and tokens of an instance that solutions of its auction name. */
function selectBids(instance: Instance, competition: Competition | undefined): Instance {
  const bids = competition?.solutions.flatMap((solution) => solution.orders) ?? [];
  const uids = new HexMap(bids.map(({ id }) => [id, true] as const));
  const traded = collectTokens(bids);
  const { tokens = {}, ...selected } = selectOrders(instance, (uid) => uids.has(uid));
  return {
    ...selected,
    tokens: Object.fromEntries(
      Object.entries(tokens).filter(([token]) => traded?.has(token.toLowerCase()) ?? true),
    ),
  };
}

function findLatestTime(
  { competitions, orders, reports, trades, times }: {
    readonly competitions: readonly Competition[];
    readonly orders: readonly Order[];
    readonly reports: readonly DebugReport[];
    readonly trades: readonly Trade[];
    readonly times: AuctionTimes;
  },
): Temporal.Instant {
  let latest = Temporal.Instant.fromEpochMilliseconds(0);
  const include = (time: Temporal.Instant | null | undefined) => {
    latest = selectLater(latest, time)!;
  };
  for (const { auctionId } of competitions) include(times.auction(auctionId)?.at);
  for (const { creationDate } of orders) include(creationDate);
  for (const { blockNumber } of trades) include(times.block(blockNumber)?.at);
  for (const { events } of reports) for (const { timestamp } of events) include(timestamp);
  return latest;
}

function addDocument(documents: HexMap<AppDataFacts>, { appData, fullAppData }: Order): void {
  if (fullAppData === null || fullAppData === undefined || documents.has(appData)) return;
  documents.set(appData, { hash: appData, document: fullAppData });
}

function toTradeKey({ blockNumber, logIndex, orderUid }: Trade): string {
  return `${blockNumber} ${logIndex} ${orderUid.toLowerCase()}`;
}

const COMPETITION = '{"method":"GET","path":"/api/v2/solver_competition/';
/** Start of the list of an auction's orders in a stored response, and a quote in its body. */
const LIST = '\\"auction\\":{\\"orders\\":[\\"';
const QUOTE = '\\"';
/** Replaces a list that was read. */
const READ_MARK = "read";
/** A response without records. */
const EMPTY_RESPONSE: Exchange = { method: "GET", path: "/", ...toJson(404, "") };

/**
 * Decodes auctions one after another. Accepts what the decoder accepts, but reads the lists of an
 * auction, nearly all of its body, as differences from its neighbour's.
 */
export class AuctionReader implements AuctionDecoder {
  readonly prices: NativePriceRows = new NativePriceRows();
  readonly #orders = new ListedOrders();
  readonly #listings = new Map<number, Listing>();
  readonly #isWanted: (line: string) => boolean;
  #current: { line: string; where: string; orders: Int32Array } | undefined;

  /** Begins without an auction; skipped lines count as empty responses. */
  constructor(isWanted: (line: string) => boolean = () => true) {
    this.#isWanted = isWanted;
  }

  /** Reads a line; the orders of an auction, most of the text, are read without parsing JSON. */
  parse(line: string, where: string): Exchange {
    this.#current = undefined;
    if (!this.#isWanted(line)) return EMPTY_RESPONSE;
    const index = line.startsWith(COMPETITION) ? line.indexOf(LIST) : -1;
    const start = index + LIST.length;
    const orders = index === -1 ? undefined : this.#orders.readText(line, start, QUOTE);
    if (orders === undefined) return parseExchange(line, where);
    this.#current = { line, where, orders };
    const end = line.indexOf("]", start);
    return parseExchange(`${line.slice(0, start)}${READ_MARK}${QUOTE}${line.slice(end)}`, where);
  }

  /**
   * Decodes an auction, and stores its lists.
   *
   * @returns The auction with the orders of its solutions, and the native prices of their tokens and of dollars.
   * @throws {DecodeError} If it is not a competition.
   */
  decode(body: unknown): Competition {
    const cut = this.#current;
    if (cut === undefined) return this.#decode(body);
    const orders: unknown = Object(Object(body).auction).orders;
    const isCut = Array.isArray(orders) && orders.length === 1 && orders[0] === READ_MARK;
    if (isCut && this.prices.read(Object(body).auction.prices)) {
      return this.#store(body, cut.orders);
    }
    return this.#decode(JSON.parse(parseExchange(cut.line, cut.where).responseBody));
  }

  #decode(body: unknown): Competition {
    const { orders, prices }: Record<string, unknown> = Object(Object(body).auction);
    const rows = this.#orders.read(orders);
    if (rows === undefined || !this.prices.read(prices)) return decodeCompetition(body);
    return this.#store(body, rows);
  }

  #store(body: unknown, rows: Int32Array): Competition {
    const { auction: wireAuction, ...fields }: Record<string, unknown> = Object(body);
    const extras: Record<string, unknown> = { ...Object(wireAuction), orders: [], prices: {} };
    const decoded = decodeCompetition({ ...fields, auction: extras });
    const bids = decoded.solutions.flatMap((solution) => solution.orders);
    const auction = {
      orders: this.#orders.filterListed(bids.map(({ id }) => id)),
      prices: this.prices.select(collectTokens(bids)),
    };
    const isPartial = auction.orders.length < rows.length;
    const competition = { ...decoded, auction: isPartial ? markPartialList(auction) : auction };
    const { auctionId } = competition;
    if (!this.#listings.has(auctionId)) this.prices.add(competition);
    this.#listings.set(auctionId, { auctionId, orders: rows });
    return competition;
  }

  /** Number of orders that each auction lists, by its id. */
  get orderCounts(): ReadonlyMap<number, number> {
    return new Map([...this.#listings].map(([id, { orders }]) => [id, orders.length]));
  }

  /** Lists all intervals in which orders were listed. */
  listIntervals(): OrderListingFacts[] {
    return this.#orders.listIntervals([...this.#listings.values()]);
  }
}

/**
 * Tokens of orders, and those that are worth one US dollar, in lower case; `null` if an order does not name
 * its own.
 */
function collectTokens(
  bids: readonly { readonly sellToken?: string; readonly buyToken?: string }[],
): ReadonlySet<string> | null {
  const tokens = new Set<string>(ALL_DOLLAR_TOKENS);
  for (const { sellToken, buyToken } of bids) {
    if (sellToken === undefined || buyToken === undefined) return null;
    tokens.add(sellToken.toLowerCase()).add(buyToken.toLowerCase());
  }
  return tokens;
}
