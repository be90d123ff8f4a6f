import {
  type Cell,
  cell,
  type CellSubject,
  type ReportTable,
  type Section,
} from "../reports/page/page_content.ts";
import {
  accountCell,
  auctionCell,
  type PageWords,
  solverCell,
  timeCell,
  transactionCell,
  uidCell,
} from "../reports/page/page_words.ts";
import type { OpenedSource } from "./explorer_source.ts";
import type { AuctionRow, JudgedOrderRow, OrderRow, TradeRow } from "./list_rows.ts";
import type { Shown } from "./shown.ts";

/** Orders as a table. */
export function orderTable(rows: readonly JudgedOrderRow[], words: PageWords): ReportTable {
  return {
    columns: [
      { name: "Order" },
      { name: "Created" },
      { name: "Status" },
      { name: "Verdict" },
      { name: "Kind" },
      { name: "Sells", isNumber: true },
      { name: "Buys", isNumber: true },
      { name: "Owner" },
    ],
    rows: rows.map((row) => [
      uidCell(row.uid),
      timeCell(Temporal.Instant.from(row.createdAt)),
      cell(row.status),
      cell(row.verdict?.replaceAll("_", " ")),
      cell(row.kind),
      words.amount(row.sellAmount, row.sellToken),
      words.amount(row.buyAmount, row.buyToken),
      accountCell(row.owner),
    ]),
  };
}

/** Auctions as a table. */
export function auctionTable(rows: readonly AuctionRow[], source: OpenedSource): ReportTable {
  return {
    columns: [
      { name: "Auction", isNumber: true },
      { name: "Block", isNumber: true },
      { name: "Orders", isNumber: true },
      { name: "Solutions", isNumber: true },
      { name: "Won by" },
      { name: "Settled in" },
    ],
    rows: rows.map((row) => [
      auctionCell(row.auctionId),
      cell(row.startBlock),
      cell(row.orders),
      cell(row.solutions),
      firstOf(row.winners, (winner) => solverCell(winner, source.solverName(winner))),
      firstOf(row.settlements, ({ txHash }) => transactionCell(txHash)),
    ]),
  };
}

/** The first of several as a cell, which says how many more there are. */
function firstOf<Value>(values: readonly Value[], cellOf: (value: Value) => Cell): Cell {
  const [first] = values;
  if (first === undefined) return cell(null);
  const one = cellOf(first);
  if (values.length === 1) return one;
  return { ...one, after: ` and ${values.length - 1} more` };
}

/** Fills as a table. */
export function tradeTable(rows: readonly TradeRow[], words: PageWords): ReportTable {
  return {
    columns: [
      { name: "Block", isNumber: true },
      { name: "Order" },
      { name: "Sold", isNumber: true },
      { name: "Bought", isNumber: true },
      { name: "Owner" },
      { name: "Transaction" },
    ],
    rows: rows.map((row) => [
      cell(row.block),
      uidCell(row.uid),
      words.amount(row.sellAmount, row.sellToken),
      words.amount(row.buyAmount, row.buyToken),
      accountCell(row.owner),
      transactionCell(row.txHash),
    ]),
  };
}

/** Rows of a list on the page of something else. */
export const MOST_RELATED = 50;

/** Orders as a section; none without any. */
export function orderSection(orders: readonly OrderRow[], shown: Shown): Section[] {
  if (orders.length === 0) return [];
  const rows = orders.slice(0, MOST_RELATED).map((row) => ({ ...row, verdict: null }));
  return [{
    id: "listed-orders",
    title: "Orders in the lists",
    note: noteOf(orders.length),
    table: orderTable(rows, shown.words),
  }];
}

/** Fills as a section; none without any. */
export function tradeSection(trades: readonly TradeRow[], shown: Shown): Section[] {
  if (trades.length === 0) return [];
  return [{
    id: "listed-trades",
    title: "Fills in the lists",
    note: noteOf(trades.length),
    table: tradeTable(trades.slice(0, MOST_RELATED), shown.words),
  }];
}

/** The newest rows as data, with how many there are. */
export function relatedData(orders: readonly OrderRow[], trades: readonly TradeRow[]) {
  return {
    ordersKnown: orders.length,
    tradesKnown: trades.length,
    orders: orders.slice(0, MOST_RELATED),
    trades: trades.slice(0, MOST_RELATED),
  };
}

function noteOf(count: number): string {
  return count > MOST_RELATED ? `The newest ${MOST_RELATED} of ${count}.` : `All ${count}.`;
}

/** Where a name leads inside the explorer. */
export function linkWithin(subject: CellSubject): string {
  if ("uid" in subject) return `/orders/${part(subject.uid)}`;
  if ("transaction" in subject) return `/transactions/${part(subject.transaction)}`;
  if ("account" in subject) return `/accounts/${part(subject.account)}`;
  if ("token" in subject) return `/tokens/${part(subject.token)}`;
  if ("auction" in subject) return `/auctions/${subject.auction}`;
  return `/solvers/${part(subject.solver)}`;
}

function part(name: string): string {
  return encodeURIComponent(name.toLowerCase());
}
