import type { OrderBook, RecentAuctions } from "../client/mod.ts";
import { fetchTrades } from "../client/trade_request.ts";
import { NotRecordedError, OrderlensError } from "../errors/mod.ts";
import { blockTimes, type NodeSource } from "../evm/mod.ts";
import { AuctionTimes } from "../metrics/mod.ts";
import type { Market, MarketRecords } from "../market/mod.ts";
import type { RecordedSubjects } from "../recordings/mod.ts";
import type { Competition, Order, Trade } from "../schemas/mod.ts";
import { takeTurns } from "./cache.ts";
import type { RecentCompetitions } from "./recent_competitions.ts";

/** The records of a recording: those of its auctions, and orders that none of them lists. */
export async function readRecording(
  book: OrderBook,
  recorded: RecordedSubjects,
  auctions: RecentAuctions,
  signal: AbortSignal,
): Promise<RecentAuctions> {
  const listedUids = new Set(auctions.orders.map(({ uid }) => uid.toLowerCase()));
  const unlisted = recorded.orderUids.filter((uid) => !listedUids.has(uid.toLowerCase()));
  const { orders } = await book.orders(unlisted, { signal });
  const records = [...auctions.records];
  for await (const order of takeTurns(orders, signal)) {
    records.push({ order, trades: await readTrades(book, order), debugReport: null });
  }
  return joinRecords({ ...auctions, records });
}

/** The fills of a recorded order; none where they were not recorded. */
async function readTrades(book: OrderBook, order: Order): Promise<Trade[]> {
  if (order.executedSellAmount === 0n && order.executedBuyAmount === 0n) return [];
  try {
    return await fetchTrades(book, order.uid, {});
  } catch (error) {
    if (error instanceof NotRecordedError) return [];
    throw error;
  }
}

/** Auction ids of a market of a live deployment. */
const LAST_IDS = 100;

/**
 * Reads the newest auctions of a live deployment, as another market each time: what is read of one stays
 * as it was. What cannot change any more is requested once.
 */
export function createMarketReader(
  book: OrderBook,
  origin: object,
  signal: AbortSignal,
): () => Promise<Market> {
  let earlier: MarketRecords | null = null;
  return async () => {
    const { Market } = await import("../market/mod.ts");
    const market = new Market({ book, origin, earlier }, { signal, last: LAST_IDS });
    earlier = await market.records();
    return market;
  };
}

function joinRecords(auctions: Omit<RecentAuctions, "orders" | "trades">): RecentAuctions {
  const orders = auctions.records.map(({ order }) => order);
  return { ...auctions, orders, trades: auctions.records.flatMap(({ trades }) => trades) };
}

/** Records that were read of a live deployment, for their lists. */
function toRecentAuctions(
  { competitions, orders, trades, blocks }: {
    readonly competitions: readonly Competition[];
    readonly orders: readonly Order[];
    readonly trades: readonly Trade[];
    readonly blocks: ReadonlyMap<number, Temporal.Instant>;
  },
): RecentAuctions {
  return {
    ids: competitions.length,
    competitions,
    records: [],
    orders,
    trades,
    debugReports: [],
    times: new AuctionTimes(competitions, { orders, blockTimes: blocks }),
    accounts: null,
    missing: [],
    failed: [],
    withoutFills: [],
    reportsRefused: null,
  };
}

/** Orders that are requested: two requests of a public deployment. */
const MAX_ORDERS = { public: 256, local: 2_000 };

/** Orders whose fills are requested at once, one request each. */
const MAX_FILLS = { public: 20, local: 2_000 };

/** Blocks whose times are cached. */
const MAX_BLOCKS = 500_000;

/**
 * Reads the records of a live deployment: its newest auctions, the orders in them, and their fills. An
 * interface without lists of everything has no more to request.
 */
export function createLiveReader(
  book: OrderBook,
  recent: RecentCompetitions,
  { isLocal, node, signal }: {
    readonly isLocal: boolean;
    readonly node: NodeSource | null;
    readonly signal: AbortSignal;
  },
): {
  /** Reads what is listed now. */
  readonly read: () => Promise<RecentAuctions>;
  /** Records of orders and fills that were read, with the times of blocks that were. */
  readonly toRecords: (orders: readonly Order[], trades: readonly Trade[]) => RecentAuctions;
} {
  const kind = isLocal ? "local" : "public";
  let fills = new Map<string, { readonly sold: bigint; readonly trades: readonly Trade[] }>();
  const blocks = new Map<number, Temporal.Instant>();

  /** Reads fills only of orders that were executed since. */
  const readFills = async (orders: readonly Order[]) => {
    const newFills: typeof fills = new Map();
    let requested = 0;
    for (const { uid, executedSellAmount: soldAmount } of orders) {
      const cachedFill = fills.get(uid);
      if (soldAmount === 0n) continue;
      if (cachedFill?.sold === soldAmount) newFills.set(uid, cachedFill);
      else if (requested++ < MAX_FILLS[kind]) {
        newFills.set(uid, { sold: soldAmount, trades: await fetchTrades(book, uid, { signal }) });
      }
    }
    fills = newFills;
  };

  /** Asks a node for the blocks that are not cached; without its answer, times stay unknown. */
  const readBlocks = async (numbers: readonly number[]) => {
    if (node === null) return;
    if (blocks.size > MAX_BLOCKS) blocks.clear();
    const uncached = numbers.filter((number) => !blocks.has(number));
    try {
      for (const [number, time] of await blockTimes(node, uncached, { signal })) {
        blocks.set(number, time);
      }
    } catch (error) {
      if (!(error instanceof OrderlensError)) throw error;
    }
  };

  const read = async () => {
    const competitions = (await recent.competitions()).toReversed();
    const uids = await recent.uids(isLocal ? "listed" : "bids", MAX_ORDERS[kind]);
    const { orders } = uids.length === 0 ? { orders: [] } : await book.orders(uids, { signal });
    await readFills(orders);
    const trades = [...fills.values()].flatMap(({ trades }) => trades);
    await readBlocks([
      ...competitions.map(({ auctionStartBlock }) => auctionStartBlock),
      ...trades.map(({ blockNumber }) => blockNumber),
    ]);
    return toRecentAuctions({ competitions, orders, trades, blocks });
  };
  const toRecords = (orders: readonly Order[], trades: readonly Trade[]) =>
    toRecentAuctions({ competitions: [], orders, trades, blocks });
  return { read, toRecords };
}
