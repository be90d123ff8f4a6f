import type { OrderBook } from "../../client/order_book.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { DEFAULT_CONCURRENCY, mapInOrder } from "../../endpoints/calls.ts";
import { orderLifecycle } from "../../metrics/mod.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { recordedOwners, type ReportedFill } from "../order/order_report.ts";
import { auctionEvidence, type NameOf, reportFills } from "../order/report_parts.ts";
import { ask, type MissingResponses, recordOf } from "../order/report_requests.ts";

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
export async function tradesByUid(
  book: OrderBook,
  uids: Iterable<string>,
  { missing, signal }: {
    readonly missing: MissingResponses;
    readonly signal: AbortSignal | undefined;
  },
): Promise<TradesByUid> {
  const found = new HexMap<readonly Trade[]>();
  const note = missing.note("trades", "The trades of an order");
  const one = async (uid: string, ended: AbortSignal) => ({
    uid,
    trades: recordOf(await ask(() => fetchTrades(book, uid, { signal: ended }), note)) ?? [],
  });
  const options = { concurrency: DEFAULT_CONCURRENCY, signal };
  for await (const { uid, trades } of mapInOrder(new Set(uids), one, options)) {
    found.set(uid, trades);
  }
  return found;
}

/** What fills are computed from. */
interface SettledAnswers {
  /** Trades of the orders. */
  readonly trades: TradesByUid;
  /** The auction that they were settled from; `null` if unknown. */
  readonly competition: Competition | null;
  /** Transactions whose fills count. */
  readonly transactions: readonly string[];
  /** Names of solvers. */
  readonly nameOf: NameOf;
}

/** Orders with their fills in some transactions; those without one are left out. */
export function settledOrders(
  book: OrderBook,
  orders: readonly Order[],
  answers: SettledAnswers,
): SettledOrder[] {
  return orders.flatMap((order) => {
    const fills = fillsOf(book, order, answers);
    const { uid, owner, kind, sellToken, buyToken, status } = order;
    return fills.length === 0 ? [] : [{ uid, owner, kind, sellToken, buyToken, status, fills }];
  });
}

function fillsOf(
  book: OrderBook,
  order: Order,
  { trades: byUid, competition, transactions, nameOf }: SettledAnswers,
): ReportedFill[] {
  const trades = byUid.get(order.uid) ?? [];
  const competitions = competition === null ? [] : [competition];
  const life = orderLifecycle({ order, trades, competitions }, { now: order.creationDate });
  const auctions = auctionEvidence(life.auctions, {
    order,
    debugReport: null,
    competitions,
    capturingOwners: recordedOwners(book),
  });
  const fills = life.fills.filter(({ txHash }) =>
    txHash !== null && transactions.some((hash) => sameHex(hash, txHash))
  );
  return reportFills(fills, { order, trades, debugReport: null, competitions, auctions, nameOf });
}

/** Counts with what they are of, without those of nothing: `2 late`. */
export function countsOf(
  ...counts: readonly (readonly [count: number, words: string])[]
): string[] {
  return counts.flatMap(([count, words]) => count === 0 ? [] : [`${count} ${words}`]);
}
