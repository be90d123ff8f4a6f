import type { OrderBook } from "../client/mod.ts";
import { limitToStatus } from "../metrics/orders/calculate_status.ts";
import type { OrderReport } from "../reports/mod.ts";
import type { Competition, Order } from "../schemas/mod.ts";
import { text } from "../tables/columns/columns.ts";
import { buildFrame } from "../tables/columns/frame.ts";
import type { Column, Frame } from "../tables/mod.ts";
import { HexMap } from "../units/mod.ts";
import type { MarketRecords } from "./market_records.ts";

/** Fields of an order's report that determine its verdict. */
type JudgedOrder = Pick<OrderReport, "uid" | "verdict" | "cause" | "reason" | "possible" | "next">;

/** Columns of one row per order. */
const COLUMNS: readonly Column<JudgedOrder>[] = [
  text("order_uid", { source: "order.uid", cell: ({ uid }) => uid }),
  text("verdict", {
    source: "inspectOrder: the cause, behind the status where the cause alone does not say it",
    cell: ({ verdict }) => verdict,
  }),
  text("cause", { source: "inspectOrder: what decided", cell: ({ cause }) => cause }),
  text("reason", {
    source: "reason of the event invalid or filtered, or of the refusal; null without one",
    cell: ({ reason }) => reason,
  }),
  text("possible_causes", {
    source: "causes that fit where cause is unknown, joined by spaces; null where it is known",
    cell: ({ possible }) => possible.join(" ") || null,
  }),
  text("next_action", {
    source: "action of the first next step of inspectOrder",
    cell: ({ next }) => next[0]?.action ?? null,
  }),
  text("next_step", {
    source: "text of the first next step of inspectOrder, with amounts in atoms",
    cell: ({ next }) => next[0]?.text ?? null,
  }),
];

/** Sources of verdicts. */
interface VerdictSources {
  /** The deployment, which provides records that are missing. */
  readonly book: OrderBook;
  /** The records of the market; `null` if everything is requested. */
  readonly records: MarketRecords | null;
  /** Its orders. */
  readonly orders: Iterable<Order>;
  /** Aborts the requests. */
  readonly signal: AbortSignal | undefined;
}

/** Judges each order of a market once. */
export async function readVerdicts(
  { book, records, orders, signal }: VerdictSources,
): Promise<Frame> {
  const { judgeOrders } = await import("../reports/triage/judge_orders.ts");
  const findTime = (order: Order) =>
    records === null ? undefined : limitToStatus(order, records.now);
  const indexed = records === null ? {} : indexRecords(records);
  const rows: JudgedOrder[] = [];
  for await (
    const report of judgeOrders(book, orders, { cached: indexed, readTime: findTime, signal })
  ) {
    const { uid, verdict, cause, reason, possible, next } = report;
    rows.push({ uid, verdict, cause, reason, possible, next });
  }
  return buildFrame(
    { name: "verdicts", columns: COLUMNS },
    rows.sort((a, b) => a.uid < b.uid ? -1 : 1),
  );
}

/** Indexes the records of a market for looking up evidence. */
function indexRecords({ records, withoutFills, competitions }: MarketRecords) {
  const orders = new HexMap(records.map((gathered) => [gathered.order.uid, gathered]));
  const withoutFillUids = new HexMap(withoutFills.map((uid) => [uid, true]));
  const auctions = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  const byTransaction = new HexMap<Competition>();
  for (const competition of competitions) {
    const { transactionHashes, solutions } = competition;
    for (const hash of transactionHashes) byTransaction.set(hash, competition);
    for (const { txHash } of solutions) if (txHash != null) byTransaction.set(txHash, competition);
  }
  return {
    trades: (uid: string) => withoutFillUids.has(uid) ? undefined : orders.get(uid)?.trades,
    debugReport: (uid: string) => orders.get(uid)?.debugReport ?? undefined,
    competition: (txHash: string) => byTransaction.get(txHash),
    auction: (auctionId: number) => auctions.get(auctionId),
  };
}
