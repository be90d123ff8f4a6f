import {
  buildTable,
  type Cell,
  cell,
  type CellSubject,
  numberColumn,
  type ReportTable,
  type Section,
  textColumn,
} from "../reports/page/page_content.ts";
import {
  formatAge,
  toAccountCell,
  toAuctionCell,
  toBpsCell,
  toSolverCell,
  toStatusCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "../reports/page/cell_formatter.ts";
import { nameVerdict } from "../reports/order/verdicts.ts";
import { buildTokensSection } from "../reports/page/tokens_section.ts";
import { readFilled } from "../metrics/orders/lifecycle_facts.ts";
import { toFilledStatusCell } from "../reports/page/order_amounts.ts";
import { ratio, ratioToNumber } from "../units/mod.ts";
import type { Listing, Selection } from "./listing.ts";
import type { ListName, ListRows, TimeRange } from "./lists.ts";
import { listRowTokens, type PageContext } from "./page_context.ts";

/** Context of the tables of rows. */
type RowContext = Pick<PageContext, "words" | "source">;

/** Orders as a table. */
export function buildOrderTable(
  rows: readonly ListRows["orders"][],
  context: RowContext,
): ReportTable {
  const { words: amounts } = context;
  return buildTable(rows, [
    textColumn("Order", ({ uid }) => ({ ...toUidCell(uid), isCopied: true })),
    textColumn("Created", (row) => toAgedCell(row, context)),
    textColumn("Status", toListedStatusCell),
    textColumn(
      "Verdict",
      // The status stands beside it.
      ({ verdict }) =>
        verdict == null
          ? cell(null)
          : { text: nameVerdict(verdict).replace(/^.*: /, ""), exact: verdict },
    ),
    textColumn("Terms", (row) => cell(amounts.formatLimit(toListedOrder(row)))),
    numberColumn("Over limit", (row) => toBpsCell(row.surplus_bps)),
    textColumn("Owner", ({ owner }) => toAccountCell(owner)),
  ]);
}

/** A legacy fee makes the sold amount more than what was filled: then there is no share. */
const MAX_SHARE_ERROR = 1e-9;

/** The amounts of a listed order. */
function toListedOrder(row: ListRows["orders"]) {
  return {
    kind: row.kind,
    sellToken: row.sell_token,
    buyToken: row.buy_token,
    sellAmount: BigInt(row.sell_amount_atoms),
    buyAmount: BigInt(row.buy_amount_atoms),
    executedSellAmountBeforeFees: BigInt(row.executed_sell_amount_atoms),
    executedBuyAmount: BigInt(row.executed_buy_amount_atoms),
  };
}

/** The status of a listed order, with its filled part, if that is neither nothing nor all. */
function toListedStatusCell(row: ListRows["orders"]): Cell {
  const order = toListedOrder(row);
  const [filled, total] = readFilled(order);
  const share = total === 0n ? null : ratioToNumber(ratio(filled, total));
  const isSame = share !== null && row.filled_fraction !== null &&
    Math.abs(share - row.filled_fraction) < MAX_SHARE_ERROR;
  return isSame ? toFilledStatusCell(row.status, order) : toStatusCell(row.status);
}

/** Auctions as a table. */
export function buildAuctionTable(
  rows: readonly ListRows["auctions"][],
  context: RowContext,
): ReportTable {
  const { source } = context;
  const toWinnerCell = (winner: string) => toSolverCell(winner, source.solverName(winner));
  return buildTable(rows, [
    numberColumn("Auction", (row) => toAuctionCell(row.auction_id)),
    numberColumn("Block", (row) => cell(row.start_block)),
    textColumn("Began", (row) => toAgedCell(row, context)),
    numberColumn("Orders", ({ orders }) => cell(orders)),
    numberColumn("Solutions", ({ solutions }) => cell(solutions)),
    textColumn("Won by", ({ winners }) => toFirstCell(winners, toWinnerCell)),
    textColumn(
      "Settled in",
      (row) =>
        toFirstCell(row.tx_hashes, (hash) => ({ ...toTransactionCell(hash), isCopied: true })),
    ),
  ]);
}

/** Fills as a table. */
export function buildTradeTable(
  rows: readonly ListRows["trades"][],
  context: RowContext,
): ReportTable {
  const { words: amounts } = context;
  return buildTable(rows, [
    numberColumn("Block", ({ block }) => cell(block)),
    textColumn("Filled", (row) => toAgedCell(row, context)),
    textColumn("Order", (row) => ({ ...toUidCell(row.order_uid), isCopied: true })),
    numberColumn(
      "Sold",
      (row) => amounts.formatAmount(BigInt(row.sell_amount_atoms), row.sell_token),
    ),
    numberColumn(
      "Bought",
      (row) => amounts.formatAmount(BigInt(row.buy_amount_atoms), row.buy_token),
    ),
    textColumn("Owner", ({ owner }) => toAccountCell(owner)),
    textColumn("Transaction", (row) => ({
      ...toTransactionCell(row.tx_hash),
      isCopied: row.tx_hash !== null,
    })),
  ]);
}

/** A time to the second, and how long ago it was. */
function toAgedCell({ at_ms: atMs, latest_ms: latestMs }: TimeRange, { source }: RowContext): Cell {
  if (atMs === null) return cell(null);
  const toInstant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(Math.trunc(ms));
  const [earliest, latest] = [toInstant(atMs), toInstant(latestMs ?? atMs)];
  const { text, ...time } = toTimeCell(earliest, latest);
  // A page in a file is read at any time, so that it has no ages. No line ends inside an age.
  if (source.files !== null) return { ...time, text: text.replaceAll(/\.\d+/g, "") };
  const age = formatAge(earliest, toInstant(source.book.clock.now())).replaceAll(" ", "\u00a0");
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
export const MAX_RELATED = 50;

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

/**
 * The newest orders and fills as sections; none without any.
 *
 * @param shownTokens Tokens whose addresses the page has already.
 */
export async function buildRelatedSections(
  { orders, trades }: Partial<RelatedRows>,
  pageContext: PageContext,
  shownTokens: ReadonlySet<string> = new Set(),
): Promise<Section[]> {
  const rows = [...orders?.rows ?? [], ...trades?.rows ?? []];
  const words = await pageContext.nameTokensOf(rows);
  const context = { ...pageContext, words };
  const tokens = buildTokensSection(listRowTokens(rows).difference(shownTokens), words);
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
    ...tokens === null ? [] : [{ ...tokens, id: "listed-tokens" }],
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

/** Returns the path of a subject in the explorer. */
export function toPath(subject: CellSubject): string {
  const [[kind = "", name] = []] = Object.entries(subject);
  const folder = kind === "uid" ? "orders" : `${kind}s`;
  return `/${folder}/${encodeURIComponent(String(name).toLowerCase())}`;
}
