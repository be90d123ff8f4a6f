import type { Competition, Order, Trade } from "../schemas/mod.ts";
import type { CellColumn } from "../tables/columns/frame.ts";
import { formatInstant } from "../units/mod.ts";

/** One order in a list. */
export type OrderRow = ReturnType<typeof factsOfOrder> & {
  /** Its verdict; `null` where it was not judged. */
  readonly verdict: string | null;
};

/** One auction in a list. */
export type AuctionRow = ReturnType<typeof auctionRow>;

/** One fill in a list. */
export type TradeRow = ReturnType<typeof tradeRow>;

/** An order as a row, with amounts in atoms, which is not judged yet. */
export function orderRow(order: Order): OrderRow {
  return { ...factsOfOrder(order), verdict: null };
}

function factsOfOrder(order: Order) {
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

/** An auction as a row, with who bid, and which orders were won and settled by whom. */
export function auctionRow(competition: Competition) {
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

/** A fill as a row, with amounts in atoms; its transaction is `null` until it is indexed. */
export function tradeRow(trade: Trade) {
  const { blockNumber, logIndex, orderUid, owner, sellToken, buyToken, txHash } = trade;
  const { sellAmount, buyAmount } = trade;
  return {
    block: blockNumber,
    logIndex,
    uid: orderUid,
    owner,
    sellToken,
    buyToken,
    sellAmount,
    buyAmount,
    txHash,
  };
}

/** A column of a download. */
export interface ListColumn<Row> {
  /** Its name. */
  readonly name: string;
  /** Its value in a row; amounts are decimal text. */
  readonly of: (row: Row) => CellColumn["cells"][number];
  /** What rows are sorted by, where the value itself does not sort. @default {the value} */
  readonly key?: (row: Row) => number;
  /** Whether lists can be sorted by it. @default {false} */
  readonly sorts?: boolean;
}

/** Columns of orders. */
export const ORDER_COLUMNS: readonly ListColumn<OrderRow>[] = [
  { name: "uid", of: ({ uid }) => uid },
  {
    name: "created_at",
    of: ({ createdAt }) => createdAt,
    key: (row) => row.createdMs,
    sorts: true,
  },
  { name: "status", of: ({ status }) => status, sorts: true },
  { name: "verdict", of: ({ verdict }) => verdict },
  { name: "owner", of: ({ owner }) => owner, sorts: true },
  { name: "kind", of: ({ kind }) => kind, sorts: true },
  { name: "sell_token", of: ({ sellToken }) => sellToken, sorts: true },
  { name: "buy_token", of: ({ buyToken }) => buyToken, sorts: true },
  { name: "sell_amount_atoms", of: ({ sellAmount }) => sellAmount.toString() },
  { name: "buy_amount_atoms", of: ({ buyAmount }) => buyAmount.toString() },
  { name: "executed_sell_amount_atoms", of: (row) => row.executedSellAmount.toString() },
  { name: "executed_buy_amount_atoms", of: (row) => row.executedBuyAmount.toString() },
  { name: "valid_to_sec", of: ({ validTo }) => validTo, sorts: true },
];

/** Columns of auctions. */
export const AUCTION_COLUMNS: readonly ListColumn<AuctionRow>[] = [
  { name: "auction_id", of: ({ auctionId }) => auctionId, sorts: true },
  { name: "start_block", of: ({ startBlock }) => startBlock, sorts: true },
  { name: "deadline_block", of: ({ deadlineBlock }) => deadlineBlock },
  { name: "orders", of: ({ orders }) => orders, sorts: true },
  { name: "solutions", of: ({ solutions }) => solutions, sorts: true },
  {
    name: "winners",
    of: ({ winners }) => winners.join(" "),
    key: (row) => row.winners.length,
    sorts: true,
  },
  { name: "tx_hashes", of: (row) => row.settlements.map(({ txHash }) => txHash).join(" ") },
];

/** Columns of fills. */
export const TRADE_COLUMNS: readonly ListColumn<TradeRow>[] = [
  { name: "block", of: ({ block }) => block, sorts: true },
  { name: "log_index", of: ({ logIndex }) => logIndex },
  { name: "order_uid", of: ({ uid }) => uid, sorts: true },
  { name: "owner", of: ({ owner }) => owner, sorts: true },
  { name: "sell_token", of: ({ sellToken }) => sellToken, sorts: true },
  { name: "buy_token", of: ({ buyToken }) => buyToken, sorts: true },
  { name: "sell_amount_atoms", of: ({ sellAmount }) => sellAmount.toString() },
  { name: "buy_amount_atoms", of: ({ buyAmount }) => buyAmount.toString() },
  { name: "tx_hash", of: ({ txHash }) => txHash },
];
