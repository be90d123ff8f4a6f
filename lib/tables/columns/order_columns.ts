import {
  marketPosition,
  type OrderLimit,
  type OrderPair,
  type StoredQuote,
  surplusToken,
} from "../../metrics/mod.ts";
import { gaps, integer, number, text } from "./columns.ts";
import type { Column } from "./frame.ts";
import type { KnownFill } from "./order_records.ts";
import { solver } from "./solver_names.ts";
import { fillTimeColumns } from "./time_columns.ts";

/** The two tokens of a row; `null` if unknown. */
interface Pair {
  readonly sellToken?: string | undefined;
  readonly buyToken?: string | undefined;
}

/** The two amounts of a row. */
interface Amounts {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** An order with its limit and its stored quote. */
type QuotedOrder = OrderLimit & { readonly quote?: StoredQuote | null | undefined };

/** The fill of a row, and its order. */
export const FILL_COLUMNS: readonly Column<KnownFill>[] = [
  text("order_uid", { source: "order.uid", cell: ({ order }) => order.uid }),
  integer("block_number", {
    source: "trade.blockNumber: of the settlement",
    cell: ({ trade }) => trade.blockNumber,
  }),
  integer("log_index", {
    source: "trade.logIndex: of the event in its block",
    cell: ({ trade }) => trade.logIndex,
  }),
  ...fillTimeColumns<KnownFill>(({ filledAt }) => filledAt),
  text("tx_hash", { source: "trade.txHash", cell: ({ trade }) => trade.txHash }),
  integer("auction_id", {
    source: "auction it was settled from, according to debug report or competition",
    cell: ({ auctionId }) => auctionId,
  }),
  text("kind", { source: "order.kind", cell: ({ order }) => order.kind }),
  pairColumn(({ order }) => order),
];

/** The solver that settled a fill. */
export const FILL_SOLVER_COLUMNS: readonly Column<KnownFill>[] = solver<KnownFill>("solver", {
  source: "solver of the winning solution with the order, from debug report or competition",
  solver: (fill) => fill.solver,
});

/** What is unknown about a fill without competitions, debug reports and times. */
export const FILL_GAPS: Column<KnownFill> = gaps(
  "auction if neither competitions nor debug reports name the one it was settled from (solver and " +
    "native amounts are then null), fill_time if neither `times` nor a debug report says when it " +
    "happened",
  ({ auctionId, filledAt }) => [
    auctionId === null && "auction",
    filledAt === null && "fill_time",
  ],
);

/** The directed pair of a row, in symbols. */
export function pairColumn<Row>(pairOf: (row: Row) => Pair): Column<Row> {
  return text("pair", {
    source: "symbols of sell_token → buy_token, or their shortened addresses",
    cell: (row, amounts) => {
      const { sellToken, buyToken } = pairOf(row);
      return amounts.pair(sellToken, buyToken);
    },
  });
}

/** The price of a row's two amounts, for axes. */
export function priceColumn<Row extends Amounts>(name: string): Column<Row> {
  return number(name, {
    unit: "whole buy tokens for one whole sell token",
    source: "buy_amount / sell_amount, for axes",
    cell: ({ sellToken, buyToken, sellAmount, buyAmount }, amounts) =>
      amounts.price({ atoms: buyAmount, token: buyToken }, { atoms: sellAmount, token: sellToken }),
  });
}

/** The token of the surplus of a row's order. */
export function surplusTokenColumn<Row>(
  orderOf: (row: Row) => OrderPair | undefined,
): Column<Row> {
  return text("surplus_token", {
    source: "buy_token of a sell order, sell_token of a buy order",
    cell: (row) => {
      const order = orderOf(row);
      return order === undefined ? null : surplusToken(order);
    },
  });
}

/** The market position of a row's order. */
export function marketPositionColumn<Row>(orderOf: (row: Row) => QuotedOrder): Column<Row> {
  return text("market_position", {
    source: "marketPosition: in_market or out_of_market of the stored quote; null without one",
    cell: (row) => {
      const order = orderOf(row);
      const { position, basis } = marketPosition(order, order.quote);
      return basis === "no_quote" ? null : position;
    },
  });
}
