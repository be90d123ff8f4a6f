import type { OrderBook } from "../../client/order_book.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { DEFAULT_CONCURRENCY, mapInOrder } from "../../endpoints/calls.ts";
import { orderLifecycle } from "../../metrics/mod.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { readCapturingOwners, type ReportedFill } from "../order/order_report.ts";
import { collectAuctionEvidence, type NameLookup, reportFills } from "../order/report_parts.ts";
import { fetchOptional, type MissingResponses, recordOrNull } from "../order/report_requests.ts";

/** An order with the fills that a report is about. */
export interface SettledOrder {
  /** Its UID. */
  readonly uid: string;
  /** Its owner. */
  readonly owner: string;
  /** Whether it sells or buys an exact amount. */
  readonly kind: string;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
  /** Its status now. */
  readonly status: string;
  /** Its fills in question, with surplus, slippage and fees. */
  readonly fills: readonly ReportedFill[];
}

/** Trades by the UID of their order. */
export type TradesByUid = HexMap<readonly Trade[]>;

/** The trades of some orders, four requests at a time; none where a recording lacks them. */
export async function fetchTradesByUid(
  book: OrderBook,
  uids: Iterable<string>,
  { gaps, signal }: {
    readonly gaps: MissingResponses;
    readonly signal: AbortSignal | undefined;
  },
): Promise<TradesByUid> {
  const byUid = new HexMap<readonly Trade[]>();
  const note = gaps.note("trades", "The trades of an order");
  const fetchOne = async (uid: string, taskSignal: AbortSignal) => ({
    uid,
    trades: recordOrNull(
      await fetchOptional(() => fetchTrades(book, uid, { signal: taskSignal }), note),
    ) ??
      [],
  });
  const options = { concurrency: DEFAULT_CONCURRENCY, signal };
  for await (const { uid, trades } of mapInOrder(new Set(uids), fetchOne, options)) {
    byUid.set(uid, trades);
  }
  return byUid;
}

/** Records from which fills are computed. */
interface SettlementRecords {
  /** Trades of the orders. */
  readonly trades: TradesByUid;
  /** The auction that they were settled from; `null` if unknown. */
  readonly competition: Competition | null;
  /** Transactions whose fills count. */
  readonly transactions: readonly string[];
  /** Names of solvers. */
  readonly findName: NameLookup;
}

/** Orders with their fills in some transactions; those without one are left out. */
export function listSettledOrders(
  book: OrderBook,
  orders: readonly Order[],
  records: SettlementRecords,
): SettledOrder[] {
  return orders.flatMap((order) => {
    const fills = reportSettledFills(book, order, records);
    const { uid, owner, kind, sellToken, buyToken, status } = order;
    return fills.length === 0 ? [] : [{ uid, owner, kind, sellToken, buyToken, status, fills }];
  });
}

function reportSettledFills(
  book: OrderBook,
  order: Order,
  { trades: byUid, competition, transactions, findName }: SettlementRecords,
): ReportedFill[] {
  const trades = byUid.get(order.uid) ?? [];
  const competitions = competition === null ? [] : [competition];
  const life = orderLifecycle({ order, trades, competitions }, { now: order.creationDate });
  const auctions = collectAuctionEvidence(life.auctions, {
    order,
    debugReport: null,
    competitions,
    capturingOwners: readCapturingOwners(book),
  });
  const fills = life.fills.filter(({ txHash }) =>
    txHash !== null && transactions.some((hash) => sameHex(hash, txHash))
  );
  return reportFills(fills, {
    order,
    trades,
    debugReport: null,
    competitions,
    auctions,
    findName,
    network: book.network?.name ?? null,
  });
}

/** Counts with what they are of, without those of nothing: `2 late`. */
export function formatCounts(
  ...counts: readonly (readonly [count: number, words: string])[]
): string[] {
  return counts.flatMap(([count, words]) => count === 0 ? [] : [`${count} ${words}`]);
}
