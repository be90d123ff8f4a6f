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
import type { Listing, Selection } from "./listing.ts";
import type { ListName, ListRows, Moment } from "./lists.ts";
import type { Shown } from "./shown.ts";

/** What tables of rows are made with. */
type RowWords = Pick<Shown, "words" | "source">;

/** Orders as a table. */
export function orderTable(rows: readonly ListRows["orders"][], shown: RowWords): ReportTable {
  const { words: amounts } = shown;
  return tableOf(rows, [
    words("Order", ({ uid }) => ({ ...uidCell(uid), isCopied: true })),
    words("Created", (row) => agedCell(row, shown)),
    words("Status", ({ status }) => statusCell(status)),
    words("Verdict", ({ verdict }) => cell(verdict?.replaceAll("_", " "))),
    words("Kind", ({ kind }) => cell(kind)),
    numbers("Sells", (row) => amounts.amount(BigInt(row.sell_amount_atoms), row.sell_token)),
    numbers("Buys", (row) => amounts.amount(BigInt(row.buy_amount_atoms), row.buy_token)),
    words("Owner", ({ owner }) => accountCell(owner)),
  ]);
}

/** Auctions as a table. */
export function auctionTable(rows: readonly ListRows["auctions"][], shown: RowWords): ReportTable {
  const { source } = shown;
  const winnerCell = (winner: string) => solverCell(winner, source.solverName(winner));
  return tableOf(rows, [
    numbers("Auction", (row) => auctionCell(row.auction_id)),
    numbers("Block", (row) => cell(row.start_block)),
    words("Began", (row) => agedCell(row, shown)),
    numbers("Orders", ({ orders }) => cell(orders)),
    numbers("Solutions", ({ solutions }) => cell(solutions)),
    words("Won by", ({ winners }) => firstOf(winners, winnerCell)),
    words(
      "Settled in",
      (row) => firstOf(row.tx_hashes, (hash) => ({ ...transactionCell(hash), isCopied: true })),
    ),
  ]);
}

/** Fills as a table. */
export function tradeTable(rows: readonly ListRows["trades"][], shown: RowWords): ReportTable {
  const { words: amounts } = shown;
  return tableOf(rows, [
    numbers("Block", ({ block }) => cell(block)),
    words("Filled", (row) => agedCell(row, shown)),
    words("Order", (row) => ({ ...uidCell(row.order_uid), isCopied: true })),
    numbers("Sold", (row) => amounts.amount(BigInt(row.sell_amount_atoms), row.sell_token)),
    numbers("Bought", (row) => amounts.amount(BigInt(row.buy_amount_atoms), row.buy_token)),
    words("Owner", ({ owner }) => accountCell(owner)),
    words("Transaction", (row) => ({
      ...transactionCell(row.tx_hash),
      isCopied: row.tx_hash !== null,
    })),
  ]);
}

/** A time to the second, and how long ago it was. */
function agedCell({ at_ms: atMs, latest_ms: latestMs }: Moment, { source }: RowWords): Cell {
  if (atMs === null) return cell(null);
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(Math.trunc(ms));
  const [at, latest] = [instant(atMs), instant(latestMs ?? atMs)];
  const { text, ...time } = timeCell(at, latest);
  // No line ends inside an age.
  const age = ageText(at, instant(source.book.clock.now())).replaceAll(" ", "\u00a0");
  return { ...time, text: text.replaceAll(/\.\d+/g, ""), after: ` (${age})` };
}

/** The first of several words as a cell, which says how many more there are. */
function firstOf(text: string, cellOf: (word: string) => Cell): Cell {
  const [first = "", ...others] = text.split(" ");
  if (first === "") return cell(null);
  const more = others.length === 0 ? {} : { after: ` and ${others.length} more` };
  return { ...cellOf(first), ...more };
}

/** Rows of a list on the page of something else. */
const MAX_RELATED = 50;

/** The newest rows of a list that fit, and how many do. */
export async function readRelated<Name extends ListName>(
  listing: Listing,
  name: Name,
  selection: Selection,
) {
  const { total } = await listing.count(name, selection);
  const note = total > MAX_RELATED ? `The newest ${MAX_RELATED} of ${total}.` : `All ${total}.`;
  return { total, note, rows: await listing.rows(name, { ...selection, limit: MAX_RELATED }) };
}

/** The newest orders and fills of something. */
export interface Related {
  readonly orders: Awaited<ReturnType<typeof readRelated<"orders">>>;
  readonly trades: Awaited<ReturnType<typeof readRelated<"trades">>>;
}

/** Reads the newest orders and fills that fit. */
export async function readTraded(listing: Listing, selection: Selection): Promise<Related> {
  const orders = await readRelated(listing, "orders", selection);
  return { orders, trades: await readRelated(listing, "trades", selection) };
}

/** The newest orders and fills as sections; none without any. */
export function relatedSections({ orders, trades }: Partial<Related>, shown: Shown): Section[] {
  return [
    ...!orders?.total ? [] : [{
      id: "listed-orders",
      title: "Orders in the lists",
      note: orders.note,
      table: orderTable(orders.rows, shown),
    }],
    ...!trades?.total ? [] : [{
      id: "listed-trades",
      title: "Fills in the lists",
      note: trades.note,
      table: tradeTable(trades.rows, shown),
    }],
  ];
}

/** The newest rows as data, with how many there are. */
export function relatedData({ orders, trades }: Partial<Related>) {
  return {
    ordersKnown: orders?.total ?? 0,
    tradesKnown: trades?.total ?? 0,
    orders: orders?.rows ?? [],
    trades: trades?.rows ?? [],
  };
}

/** Where a name leads inside the explorer. */
export function linkWithin(subject: CellSubject): string {
  const [[kind = "", name] = []] = Object.entries(subject);
  const folder = kind === "uid" ? "orders" : `${kind}s`;
  return `/${folder}/${encodeURIComponent(String(name).toLowerCase())}`;
}
