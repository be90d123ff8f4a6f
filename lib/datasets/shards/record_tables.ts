import type { Trade } from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import {
  CHAIN_DIFFERENCES,
  EXECUTIONS,
  executionsTable,
  type Frame,
  IMBALANCES,
  NATIVE_PRICES,
  ORDER_EVENTS,
  orderEventsTable,
  type OrderRecords,
  ORDERS,
  ordersTable,
  PROTOCOL_FEES,
  protocolFeesTable,
  REFERENCE_SCORES,
  referenceScoresTable,
  SETTLEMENTS,
  SOLUTION_ORDERS,
  solutionOrdersTable,
  SOLUTIONS,
  solutionsTable,
  type Table,
  type TokenOptions,
  TOKENS,
  tokensTable,
  TRADES,
  tradesTable,
} from "../../tables/mod.ts";
import { recognizeAuctionPath } from "../../metrics/mod.ts";
import { byUid } from "../../metrics/not_computable.ts";
import { imbalanceRows } from "../../tables/settlements/imbalances.ts";
import { differenceRows, type SettlementRow } from "../../tables/settlements/settlements.ts";
import { groupByHex } from "../../units/mod.ts";
import { APP_DATA, auctionFacts, AUCTIONS, BLOCKS, ORDER_LISTINGS } from "./record_facts.ts";
import { filterFacts, type KeptAudit, type TableContext } from "./table_context.ts";
import type { ShardContents } from "./shard_contents.ts";

/** One table of a dataset. */
export interface PublishedTable {
  /** Its columns, after those of the source. */
  readonly table: Table<never>;
  /** Columns that together are different in every row of a file. */
  readonly key: readonly string[];
  /** What it is made of besides the auctions, and has to be asked for. */
  readonly needs: readonly Need[];
  /** Columns by the table that has their values, within the files of the same 1,000 auctions. */
  readonly references?: readonly TableReference[];
  /** Whether several files may have the same row. */
  readonly hasRepeats?: true;
  /** Whether orders without a bid have rows in it. */
  readonly isOfUnbid?: true;
  /** Whether it is built in the order of its key; if absent, it is sorted. */
  readonly isSorted?: (contents: ShardContents) => boolean;
  /** Builds it for one shard; absent for answers, which follow from records when a run ends. */
  readonly build?: (contents: ShardContents, context: TableContext) => Frame;
}

/** What is asked for besides the auctions; `orders` name the others, so all of these need them too. */
export type Need =
  | "orders"
  | "trades"
  | "app_data"
  | "reports"
  /** Timestamps of blocks, from a node. */
  | "blocks"
  /** Times of auctions: timestamps of blocks, or without a node the dates of orders. */
  | "times"
  /** Transactions and receipts, from a node. */
  | "settlements";

/** Columns of a table whose values are in another. */
interface TableReference {
  /** Its columns. */
  readonly columns: readonly string[];
  /** The table that is named. */
  readonly to: string;
  /** Its columns, as many. @default {those of the same names} */
  readonly toColumns?: readonly string[];
}

/** What a settlement is told by: one transaction of a chain. */
const SETTLEMENT = ["chain_id", "tx_hash"] as const;
/** What a fill is told by: one log of a chain. */
export const FILL = ["chain_id", "block_number", "log_index"] as const;
/** The auction of a row. */
export const TO_AUCTION: TableReference = { columns: ["auction_id"], to: "auctions" };
/** The order of a row. */
export const TO_ORDER: TableReference = { columns: ["order_uid"], to: "orders" };
const EXECUTION = ["order_uid", "auction_id", "block_number"] as const;

/** What the service and the chain said, in the order in which it is documented. */
export const RECORD_TABLES: readonly PublishedTable[] = [
  {
    table: AUCTIONS,
    key: ["auction_id"],
    needs: ["times"],
    build: (contents, context) => {
      const { competitions, orderCounts, times } = contents;
      const { isFilterStored } = filterFacts(contents, context);
      const orders = byUid(contents.orders);
      const facts = competitions.map((competition) =>
        auctionFacts(competition, {
          auctionAt: times.auction(competition.auctionId),
          orderCount: orderCounts.get(competition.auctionId) ?? 0,
          isFilterStored: isFilterStored?.(competition.auctionId) ?? true,
          path: recognizeAuctionPath(competition, { orders }),
        })
      );
      return buildFrame(AUCTIONS, facts, namesIn(context));
    },
  },
  {
    table: SOLUTIONS,
    key: ["auction_id", "ranking"],
    needs: ["blocks"],
    references: [TO_AUCTION],
    build: (contents, context) => {
      const { competitions, orders, trades, reports, times } = contents;
      const known = { orders, trades, debugReports: reports, times };
      const filter = filterFacts(contents, context);
      return solutionsTable(competitions, { ...context.tokens, ...known, ...filter });
    },
  },
  {
    table: SOLUTION_ORDERS,
    key: ["auction_id", "ranking", "order_uid"],
    needs: [],
    references: [TO_AUCTION, { columns: ["auction_id", "ranking"], to: "solutions" }],
    build: (contents, context) => {
      const filter = filterFacts(contents, context);
      return solutionOrdersTable(contents.competitions, { ...context.tokens, ...filter });
    },
  },
  {
    table: REFERENCE_SCORES,
    key: ["auction_id", "solver"],
    needs: [],
    references: [TO_AUCTION],
    build: ({ competitions }, context) => referenceScoresTable(competitions, namesIn(context)),
  },
  {
    table: ORDERS,
    key: ["order_uid"],
    needs: ["orders"],
    isOfUnbid: true,
    build: ({ competitions, orders }, { tokens }) =>
      ordersTable(orders, { ...tokens, competitions }),
  },
  {
    table: TRADES,
    key: FILL,
    needs: ["orders", "trades", "reports", "times"],
    references: [TO_ORDER],
    build: ({ competitions, trades, orders, reports, times }, { tokens }) =>
      tradesTable(trades, { ...tokens, competitions, orders, debugReports: reports, times }),
  },
  {
    table: PROTOCOL_FEES,
    key: [...FILL, "position"],
    needs: ["orders", "trades", "reports", "times"],
    references: [TO_ORDER, { columns: [...FILL, "order_uid"], to: "trades" }],
    build: (contents, { tokens }) => {
      const { competitions, times } = contents;
      return protocolFeesTable(orderRecordsOf(contents), { ...tokens, competitions, times });
    },
  },
  {
    table: EXECUTIONS,
    key: EXECUTION,
    needs: ["orders", "reports"],
    references: [TO_ORDER],
    build: ({ reports }, { tokens }) => firstOfEach(EXECUTION, executionsTable(reports, tokens)),
  },
  {
    table: ORDER_EVENTS,
    key: ["order_uid", "position"],
    needs: ["orders", "reports"],
    references: [TO_ORDER],
    build: ({ reports }) => orderEventsTable(reports),
  },
  {
    table: APP_DATA,
    key: ["app_data_hash"],
    needs: ["orders", "app_data"],
    hasRepeats: true,
    isOfUnbid: true,
    build: ({ documents }) => buildFrame(APP_DATA, documents),
  },
  {
    table: TOKENS,
    key: ["token"],
    needs: ["orders"],
    hasRepeats: true,
    isOfUnbid: true,
    build: ({ orders }, { tokens }) => tokensTable(orders, tokens),
  },
  {
    table: NATIVE_PRICES,
    key: ["auction_id", "token"],
    needs: ["blocks"],
    references: [TO_AUCTION],
    isSorted: ({ nativePrices }) => nativePrices.isAscending,
    build: ({ nativePrices, times }, { tokens }) =>
      nativePrices.frame((auctionId) => times.auction(auctionId), tokens),
  },
  {
    table: ORDER_LISTINGS,
    key: ["order_uid", "first_auction_id"],
    needs: [],
    references: ["first_auction_id", "last_auction_id"].map((column) => {
      return { columns: [column], to: "auctions", toColumns: ["auction_id"] };
    }),
    isSorted: () => true,
    build: ({ listings }) => buildFrame(ORDER_LISTINGS, listings),
  },
  {
    table: BLOCKS,
    key: ["block_number"],
    needs: ["blocks"],
    hasRepeats: true,
    build: ({ blocks }) => buildFrame(BLOCKS, blocks),
  },
  {
    table: SETTLEMENTS,
    key: SETTLEMENT,
    needs: ["settlements", "orders", "trades"],
    build: ({ audits }, context) =>
      buildFrame(SETTLEMENTS, audits.map(settlementRow), namesIn(context)),
  },
  {
    table: IMBALANCES,
    key: [...SETTLEMENT, "position"],
    needs: ["settlements"],
    references: [{ columns: SETTLEMENT, to: "settlements" }],
    build: ({ audits }, { tokens }) =>
      buildFrame(
        IMBALANCES,
        audits.flatMap(({ audit }) => audit ? imbalanceRows(audit) : []),
        tokens,
      ),
  },
  {
    table: CHAIN_DIFFERENCES,
    key: [...SETTLEMENT, "position"],
    needs: ["settlements", "orders", "trades"],
    references: [{ columns: SETTLEMENT, to: "settlements" }],
    build: ({ audits }, context) => {
      const rows = audits.flatMap(({ audit }) => audit ? differenceRows(audit) : []);
      return buildFrame(CHAIN_DIFFERENCES, rows, namesIn(context));
    },
  },
];

/** How solvers are named; without a network, they are not. */
export function namesIn({ tokens: { network } }: TableContext): Pick<TokenOptions, "network"> {
  return network === undefined ? {} : { network };
}

/** A transaction that cannot be audited has a row with the reason. */
function settlementRow({ txHash, auctionId, audit, why }: KeptAudit): SettlementRow {
  const nothing = { txHash, auctionId, blockNumber: null, solver: null };
  return { audit: audit ?? nothing, whole: audit, why };
}

/** The first row of each key, which counts where a report names one execution twice. */
function firstOfEach(key: readonly string[], frame: Frame): Frame {
  return frame.unique([...key], "first", true) as Frame;
}

/** The orders of a shard, each with its fills and its debug report. */
export function orderRecordsOf(
  { orders, trades, reports }: Pick<ShardContents, "orders" | "trades" | "reports">,
): OrderRecords[] {
  const byOrder = groupByHex(trades, ({ orderUid }: Trade) => orderUid);
  const reportOf = groupByHex(reports, ({ orderUid }) => orderUid);
  return orders.map((order) => ({
    order,
    trades: byOrder.get(order.uid) ?? [],
    debugReport: reportOf.get(order.uid)?.[0] ?? null,
  }));
}
