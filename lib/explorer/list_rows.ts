import type { Competition, Order, Trade } from "../schemas/mod.ts";
import type { CellColumn } from "../tables/columns/frame.ts";
import { formatInstant } from "../units/mod.ts";

/** One order in a list. Amounts are in atoms. */
export interface OrderRow {
  /** Its UID. */
  readonly uid: string;
  /** When the service received it, in RFC 3339. */
  readonly createdAt: string;
  /** The same in milliseconds since the unix epoch. */
  readonly createdMs: number;
  /** Status as reported. */
  readonly status: string;
  /** Account that signed it. */
  readonly owner: string;
  /** Which amount is fixed. */
  readonly kind: string;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
  /** Limit amount to sell. */
  readonly sellAmount: bigint;
  /** Limit amount to buy. */
  readonly buyAmount: bigint;
  /** Sold so far. */
  readonly executedSellAmount: bigint;
  /** Bought so far. */
  readonly executedBuyAmount: bigint;
  /** Signed expiry, in unix seconds. */
  readonly validTo: number;
}

/** One auction in a list. */
export interface AuctionRow {
  /** Its id. */
  readonly auctionId: number;
  /** Block at which it started. */
  readonly startBlock: number;
  /** Last block in which to settle; `null` if it is not reported. */
  readonly deadlineBlock: number | null;
  /** Number of orders that it listed. */
  readonly orders: number;
  /** Number of solutions. */
  readonly solutions: number;
  /** Solvers of all solutions. */
  readonly solvers: readonly string[];
  /** Solvers that won. */
  readonly winners: readonly string[];
  /** Orders in winning solutions, and who won them. */
  readonly won: readonly { readonly uid: string; readonly solver: string }[];
  /** Settlement transactions by their winner; those of others have none. */
  readonly settlements: readonly { readonly txHash: string; readonly solver: string | null }[];
}

/** One fill in a list. Amounts are in atoms. */
export interface TradeRow {
  /** Block of the settlement. */
  readonly block: number;
  /** Index of its event in the block. */
  readonly logIndex: number;
  /** Order that was filled. */
  readonly uid: string;
  /** Owner of the order. */
  readonly owner: string;
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
  /** Sold in this fill, with all fees. */
  readonly sellAmount: bigint;
  /** Bought in this fill, after all fees. */
  readonly buyAmount: bigint;
  /** Settlement transaction; `null` until it is indexed. */
  readonly txHash: string | null;
}

/** An order as a row. */
export function orderRow(order: Order): OrderRow {
  const { uid, creationDate, status, owner, kind, sellToken, buyToken, validTo } = order;
  const { sellAmount, buyAmount, executedSellAmount, executedBuyAmount } = order;
  return {
    uid,
    createdAt: formatInstant(creationDate),
    createdMs: creationDate.epochMilliseconds,
    status,
    owner,
    kind,
    sellToken,
    buyToken,
    sellAmount,
    buyAmount,
    executedSellAmount,
    executedBuyAmount,
    validTo,
  };
}

/** An auction as a row. */
export function auctionRow(competition: Competition): AuctionRow {
  const { solutions, transactionHashes } = competition;
  const winning = solutions.filter(({ isWinner }) => isWinner);
  const solverOf = new Map(
    winning.flatMap(({ txHash, solverAddress }) => txHash ? [[txHash, solverAddress]] : []),
  );
  const hashes = new Set([...transactionHashes, ...solverOf.keys()]);
  return {
    auctionId: competition.auctionId,
    startBlock: competition.auctionStartBlock,
    deadlineBlock: competition.auctionDeadlineBlock ?? null,
    orders: competition.auction.orders.length,
    solutions: solutions.length,
    solvers: [...new Set(solutions.map(({ solverAddress }) => solverAddress))],
    winners: [...new Set(winning.map(({ solverAddress }) => solverAddress))],
    won: winning.flatMap(({ orders, solverAddress }) =>
      orders.map(({ id }) => ({ uid: id, solver: solverAddress }))
    ),
    settlements: [...hashes].map((txHash) => ({ txHash, solver: solverOf.get(txHash) ?? null })),
  };
}

/** A fill as a row. */
export function tradeRow(trade: Trade): TradeRow {
  const { blockNumber, logIndex, orderUid, owner, sellToken, buyToken, txHash } = trade;
  return {
    block: blockNumber,
    logIndex,
    uid: orderUid,
    owner,
    sellToken,
    buyToken,
    sellAmount: trade.sellAmount,
    buyAmount: trade.buyAmount,
    txHash,
  };
}

/** Value of one cell of a download; amounts are decimal text. */
type ListValue = CellColumn["cells"][number];

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
