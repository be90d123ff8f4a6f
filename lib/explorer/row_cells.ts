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
import type { ListName, ListRows, TimeRange } from "./lists.ts";
import type { PageContext } from "./page_context.ts";

/** What tables of rows are made with. */
type RowContext = Pick<PageContext, "words" | "source">;

/** Orders as a table. */
export function buildOrderTable(
  rows: readonly ListRows["orders"][],
  context: RowContext,
): ReportTable {
  const { words: amounts } = context;
  return tableOf(rows, [
    words("Order", ({ uid }) => ({ ...uidCell(uid), isCopied: true })),
    words("Created", (row) => toAgedCell(row, context)),
    words("Status", ({ status }) => statusCell(status)),
    words("Verdict", ({ verdict }) => cell(verdict?.replaceAll("_", " "))),
    words("Kind", ({ kind }) => cell(kind)),
    numbers("Sells", (row) => amounts.amount(BigInt(row.sell_amount_atoms), row.sell_token)),
    numbers("Buys", (row) => amounts.amount(BigInt(row.buy_amount_atoms), row.buy_token)),
    words("Owner", ({ owner }) => accountCell(owner)),
  ]);
}

/** Auctions as a table. */
export function buildAuctionTable(
  rows: readonly ListRows["auctions"][],
  context: RowContext,
): ReportTable {
  const { source } = context;
  const toWinnerCell = (winner: string) => solverCell(winner, source.solverName(winner));
  return tableOf(rows, [
    numbers("Auction", (row) => auctionCell(row.auction_id)),
    numbers("Block", (row) => cell(row.start_block)),
    words("Began", (row) => toAgedCell(row, context)),
    numbers("Orders", ({ orders }) => cell(orders)),
    numbers("Solutions", ({ solutions }) => cell(solutions)),
    words("Won by", ({ winners }) => toFirstCell(winners, toWinnerCell)),
    words(
      "Settled in",
      (row) => toFirstCell(row.tx_hashes, (hash) => ({ ...transactionCell(hash), isCopied: true })),
    ),
  ]);
}

/** Fills as a table. */
export function buildTradeTable(
  rows: readonly ListRows["trades"][],
  context: RowContext,
): ReportTable {
  const { words: amounts } = context;
  return tableOf(rows, [
    numbers("Block", ({ block }) => cell(block)),
    words("Filled", (row) => toAgedCell(row, context)),
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
function toAgedCell({ at_ms: atMs, latest_ms: latestMs }: TimeRange, { source }: RowContext): Cell {
  if (atMs === null) return cell(null);
  const toInstant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(Math.trunc(ms));
  const [earliest, latest] = [toInstant(atMs), toInstant(latestMs ?? atMs)];
  const { text, ...time } = timeCell(earliest, latest);
  // No line ends inside an age.
  const age = ageText(earliest, toInstant(source.book.clock.now())).replaceAll(" ", "\u00a0");
  return { ...time, text: text.replaceAll(/\.\d+/g, ""), after: ` (${age})` };
}

/** The first of several words as a cell, which says how many more there are. */
function toFirstCell(text: string, toCell: (word: string) => Cell): Cell {
  const [first = "", ...more] = text.split(" ");
  if (first === "") return cell(null);
  const suffix = more.length === 0 ? {} : { after: ` and ${more.length} more` };
  return { ...toCell(first), ...suffix };
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
export interface RelatedRows {
  readonly orders: Awaited<ReturnType<typeof readRelated<"orders">>>;
  readonly trades: Awaited<ReturnType<typeof readRelated<"trades">>>;
}

/** Reads the newest orders and fills that fit. */
export async function readOrdersAndFills(
  listing: Listing,
  selection: Selection,
): Promise<RelatedRows> {
  const orders = await readRelated(listing, "orders", selection);
  return { orders, trades: await readRelated(listing, "trades", selection) };
}

/** The newest orders and fills as sections; none without any. */
export function buildRelatedSections(
  { orders, trades }: Partial<RelatedRows>,
  context: PageContext,
): Section[] {
  return [
    ...!orders?.total ? [] : [{
      id: "listed-orders",
      title: "Orders in the lists",
      note: orders.note,
      table: buildOrderTable(orders.rows, context),
    }],
    ...!trades?.total ? [] : [{
      id: "listed-trades",
      title: "Fills in the lists",
      note: trades.note,
      table: buildTradeTable(trades.rows, context),
    }],
  ];
}

/** The newest rows as data, with how many there are. */
export function toRelatedData({ orders, trades }: Partial<RelatedRows>) {
  return {
    ordersKnown: orders?.total ?? 0,
    tradesKnown: trades?.total ?? 0,
    orders: orders?.rows ?? [],
    trades: trades?.rows ?? [],
  };
}

/** Where a name leads inside the explorer. */
export function toPath(subject: CellSubject): string {
  const [[kind = "", name] = []] = Object.entries(subject);
  const folder = kind === "uid" ? "orders" : `${kind}s`;
  return `/${folder}/${encodeURIComponent(String(name).toLowerCase())}`;
}
