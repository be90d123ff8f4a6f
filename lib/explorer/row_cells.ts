import {
  type Cell,
  cell,
  type CellSubject,
  numbers,
  type ReportTable,
  type Section,
  tableOf,
  words,
} from "../reports/page/page_content.ts";
import {
  accountCell,
  ageText,
  auctionCell,
  solverCell,
  statusCell,
  timeCell,
  transactionCell,
  uidCell,
} from "../reports/page/page_words.ts";
import type { AuctionRow, OrderRow, TradeRow } from "./list_rows.ts";
import type { Names } from "./list_filters.ts";
import type { Moment } from "./listings.ts";
import type { Shown } from "./shown.ts";

/** What tables of rows are made with. */
type RowWords = Pick<Shown, "words" | "source"> & Pick<Names, "times">;

/** Orders as a table. */
export function orderTable(rows: readonly OrderRow[], shown: RowWords): ReportTable {
  const { words: amounts } = shown;
  return tableOf(rows, [
    words("Order", ({ uid }) => ({ ...uidCell(uid), isCopied: true })),
    words("Created", ({ createdMs }) => agedCell({ at: createdMs, latest: null }, shown)),
    words("Status", ({ status }) => statusCell(status)),
    words("Verdict", ({ verdict }) => cell(verdict?.replaceAll("_", " "))),
    words("Kind", ({ kind }) => cell(kind)),
    numbers("Sells", ({ sellAmount, sellToken }) => amounts.amount(sellAmount, sellToken)),
    numbers("Buys", ({ buyAmount, buyToken }) => amounts.amount(buyAmount, buyToken)),
    words("Owner", ({ owner }) => accountCell(owner)),
  ]);
}

/** Auctions as a table. */
export function auctionTable(rows: readonly AuctionRow[], shown: RowWords): ReportTable {
  const { source, times } = shown;
  const winnerCell = (winner: string) => solverCell(winner, source.solverName(winner));
  return tableOf(rows, [
    numbers("Auction", ({ auctionId }) => auctionCell(auctionId)),
    numbers("Block", ({ startBlock }) => cell(startBlock)),
    words("Began", (row) => agedCell(times.auction(row), shown)),
    numbers("Orders", ({ orders }) => cell(orders)),
    numbers("Solutions", ({ solutions }) => cell(solutions)),
    words("Won by", ({ winners }) => firstOf(winners, winnerCell)),
    words(
      "Settled in",
      ({ settlements }) =>
        firstOf(settlements, ({ txHash }) => ({ ...transactionCell(txHash), isCopied: true })),
    ),
  ]);
}

/** Fills as a table. */
export function tradeTable(rows: readonly TradeRow[], shown: RowWords): ReportTable {
  const { words: amounts, times } = shown;
  return tableOf(rows, [
    numbers("Block", ({ block }) => cell(block)),
    words("Filled", (row) => agedCell(times.trade(row), shown)),
    words("Order", ({ uid }) => ({ ...uidCell(uid), isCopied: true })),
    numbers("Sold", ({ sellAmount, sellToken }) => amounts.amount(sellAmount, sellToken)),
    numbers("Bought", ({ buyAmount, buyToken }) => amounts.amount(buyAmount, buyToken)),
    words("Owner", ({ owner }) => accountCell(owner)),
    words(
      "Transaction",
      ({ txHash }) => ({ ...transactionCell(txHash), isCopied: txHash !== null }),
    ),
  ]);
}

/** A time to the second, and how long ago it was. */
function agedCell(moment: Moment | null, { source }: RowWords): Cell {
  if (moment === null) return cell(null);
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(Math.trunc(ms));
  const [at, latest] = [instant(moment.at), instant(moment.latest ?? moment.at)];
  const { text, ...time } = timeCell(at, latest);
  // No line ends inside an age.
  const age = ageText(at, instant(source.book.clock.now())).replaceAll(" ", "\u00a0");
  return { ...time, text: text.replaceAll(/\.\d+/g, ""), after: ` (${age})` };
}

/** The first of several as a cell, which says how many more there are. */
function firstOf<Value>(values: readonly Value[], cellOf: (value: Value) => Cell): Cell {
  const [first] = values;
  if (first === undefined) return cell(null);
  const one = cellOf(first);
  if (values.length === 1) return one;
  return { ...one, after: ` and ${values.length - 1} more` };
}

/** Rows of a list on the page of something else. */
export const MOST_RELATED = 50;

/** The newest orders and fills as sections; none without any. */
export function relatedSections(
  { orders = [], trades = [] }: {
    readonly orders?: readonly OrderRow[];
    readonly trades?: readonly TradeRow[];
  },
  shown: Shown,
): Section[] {
  const orderRows = orders.slice(0, MOST_RELATED);
  const tradeRows = trades.slice(0, MOST_RELATED);
  return [
    ...orders.length === 0 ? [] : [{
      id: "listed-orders",
      title: "Orders in the lists",
      note: noteOf(orders.length),
      table: orderTable(orderRows, shown),
    }],
    ...trades.length === 0 ? [] : [{
      id: "listed-trades",
      title: "Fills in the lists",
      note: noteOf(trades.length),
      table: tradeTable(tradeRows, shown),
    }],
  ];
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
  const [[kind = "", name] = []] = Object.entries(subject);
  const folder = kind === "uid" ? "orders" : `${kind}s`;
  return `/${folder}/${encodeURIComponent(String(name).toLowerCase())}`;
}
