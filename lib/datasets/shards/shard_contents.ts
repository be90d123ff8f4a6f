import { AuctionTimes } from "../../metrics/auctions/auction_times.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { nativePricesTable } from "../../tables/auctions/native_prices.ts";
import { stackFrames } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { AppDataFacts } from "./app_data.ts";
import type { BlockFacts } from "./blocks.ts";
import { ListingIntervals, type OrderListingFacts } from "./order_listings.ts";
import { shardRecords } from "./shard_records.ts";
import type { TableContext } from "./table_context.ts";

/** Auctions whose native prices are made into rows at a time, so that few of them are in memory. */
const AUCTIONS_PER_FRAME = 50;

/** The records of one shard, from which its tables are built. */
export interface ShardContents {
  /**
   * Auctions by id, with the native prices of the tokens in their solutions; those of other tokens
   * stand in `nativePrices` alone, since an auction has thousands.
   */
  readonly competitions: readonly Competition[];
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
  /** All native prices; `null` if the table was not asked for. */
  readonly nativePrices: Frame | null;
  /** Blocks by number, without those that stand in the table of another shard. */
  readonly blocks: readonly BlockFacts[];
  /** When auctions began. */
  readonly times: AuctionTimes;
}

/**
 * Reads the answers of one shard, each auction once: memory holds what its solutions name, not what
 * the auctions list.
 */
export async function readShard(file: string, context: TableContext): Promise<ShardContents> {
  const competitions: Competition[] = [];
  const orders = new HexMap<Order>();
  const trades = new Map<string, Trade>();
  const reports = new HexMap<DebugReport>();
  const documents = new HexMap<AppDataFacts>();
  const texts = new Map<string, string>();
  const blocks = new Map<number, BlockFacts>();
  const blockTimes = new Map<number, Temporal.Instant>();
  const prices = new PriceFrames(context);
  for await (const record of shardRecords(file)) {
    if (record.kind === "competition") {
      prices.add(record.competition);
      competitions.push(slim(record.competition, texts));
    } else if (record.kind === "order") orders.set(record.order.uid, record.order);
    else if (record.kind === "trade") trades.set(tradeKey(record.trade), record.trade);
    else if (record.kind === "report") reports.set(record.report.orderUid, record.report);
    else if (record.kind === "block") {
      blockTimes.set(record.number, record.at);
      if (!record.isElsewhere) blocks.set(record.number, record);
    } else documents.set(record.hash, record);
  }
  for (const order of orders.values()) addDocument(documents, order);
  const known = { orders: [...orders.values()], debugReports: [...reports.values()] };
  competitions.sort((a, b) => a.auctionId - b.auctionId);
  const listings = new ListingIntervals();
  for (const competition of competitions) listings.add(competition);
  return {
    competitions,
    orders: known.orders.sort((a, b) => byText(a.uid, b.uid)),
    trades: [...trades.values()].sort(byPlace),
    reports: known.debugReports.sort((a, b) => byText(a.orderUid, b.orderUid)),
    documents: [...documents.values()].sort((a, b) => byText(a.hash, b.hash)),
    listings: listings.sorted(),
    nativePrices: prices.frame(),
    blocks: [...blocks.values()].sort((a, b) => a.number - b.number),
    times: new AuctionTimes(competitions, { ...known, blockTimes }),
  };
}

/** Native prices as rows, a few auctions at a time. */
class PriceFrames {
  readonly #context: TableContext;
  readonly #frames: Frame[] = [];
  #waiting: Competition[] = [];

  constructor(context: TableContext) {
    this.#context = context;
  }

  add(competition: Competition): void {
    if (!this.#context.tables.includes("native_prices")) return;
    this.#waiting.push(competition);
    if (this.#waiting.length === AUCTIONS_PER_FRAME) this.#build();
  }

  frame(): Frame | null {
    if (!this.#context.tables.includes("native_prices")) return null;
    if (this.#waiting.length > 0 || this.#frames.length === 0) this.#build();
    const [first, ...others] = this.#frames;
    return stackFrames([first!, ...others]);
  }

  #build(): void {
    this.#frames.push(nativePricesTable(this.#waiting, this.#context.tokens));
    this.#waiting = [];
  }
}

/** An auction without the prices that no solution needs; neighbours share the texts of UIDs. */
function slim(competition: Competition, texts: Map<string, string>): Competition {
  const bids = competition.solutions.flatMap(({ orders }) => orders);
  const { orders, prices } = competition.auction;
  const tokens = bids.map(({ sellToken, buyToken }) => [sellToken, buyToken]).flat();
  const named = new Set(tokens.map((token) => token?.toLowerCase()));
  return {
    ...competition,
    auction: {
      orders: orders.map((uid) => shared(uid, texts)),
      prices: named.has(undefined) ? prices : Object.fromEntries(
        Object.entries(prices).filter(([token]) => named.has(token.toLowerCase())),
      ),
    },
  };
}

function shared(text: string, texts: Map<string, string>): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
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
