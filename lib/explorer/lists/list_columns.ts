import type { CellColumn } from "../../tables/columns/frame_cells.ts";
import type { AuctionRow, OrderRow, TradeRow } from "./list_rows.ts";

/** Value of one cell of a download; amounts are decimal text. */
export type ListValue = CellColumn["cells"][number];

/** Rows of one list as columns, for downloads. */
export interface ListColumn<Row> {
  /** Its name. */
  readonly name: string;
  /** Its value in a row. */
  readonly of: (row: Row) => ListValue;
}

/** An order with its verdict; `null` where it was not judged. */
export interface JudgedOrderRow extends OrderRow {
  /** The verdict. */
  readonly verdict: string | null;
}

/** Columns of orders. */
export const ORDER_COLUMNS: readonly ListColumn<JudgedOrderRow>[] = [
  { name: "uid", of: ({ uid }) => uid },
  { name: "created_at", of: ({ createdAt }) => createdAt },
  { name: "status", of: ({ status }) => status },
  { name: "verdict", of: ({ verdict }) => verdict },
  { name: "owner", of: ({ owner }) => owner },
  { name: "kind", of: ({ kind }) => kind },
  { name: "sell_token", of: ({ sellToken }) => sellToken },
  { name: "buy_token", of: ({ buyToken }) => buyToken },
  { name: "sell_amount_atoms", of: ({ sellAmount }) => sellAmount.toString() },
  { name: "buy_amount_atoms", of: ({ buyAmount }) => buyAmount.toString() },
  { name: "executed_sell_amount_atoms", of: (row) => row.executedSellAmount.toString() },
  { name: "executed_buy_amount_atoms", of: (row) => row.executedBuyAmount.toString() },
  { name: "valid_to_sec", of: ({ validTo }) => validTo },
];

/** Columns of auctions. */
export const AUCTION_COLUMNS: readonly ListColumn<AuctionRow>[] = [
  { name: "auction_id", of: ({ auctionId }) => auctionId },
  { name: "start_block", of: ({ startBlock }) => startBlock },
  { name: "deadline_block", of: ({ deadlineBlock }) => deadlineBlock },
  { name: "orders", of: ({ orders }) => orders },
  { name: "solutions", of: ({ solutions }) => solutions },
  { name: "winners", of: ({ winners }) => winners.join(" ") },
  { name: "tx_hashes", of: (row) => row.settlements.map(({ txHash }) => txHash).join(" ") },
];

/** Columns of fills. */
export const TRADE_COLUMNS: readonly ListColumn<TradeRow>[] = [
  { name: "block", of: ({ block }) => block },
  { name: "log_index", of: ({ logIndex }) => logIndex },
  { name: "order_uid", of: ({ uid }) => uid },
  { name: "owner", of: ({ owner }) => owner },
  { name: "sell_token", of: ({ sellToken }) => sellToken },
  { name: "buy_token", of: ({ buyToken }) => buyToken },
  { name: "sell_amount_atoms", of: ({ sellAmount }) => sellAmount.toString() },
  { name: "buy_amount_atoms", of: ({ buyAmount }) => buyAmount.toString() },
  { name: "tx_hash", of: ({ txHash }) => txHash },
];
