import { storedQuoteFee } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { amount, flag } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { solver } from "../columns/solver_names.ts";

/** The quote that is stored with an order. */
export const QUOTE_COLUMNS: readonly Column<Order>[] = [
  ...amount<Order>("quote_sell_amount", {
    of: "sell token",
    source: "order.quote.sellAmount: gross",
    atoms: (order) => order.quote?.sellAmount,
    token: (order) => order.sellToken,
  }),
  ...amount<Order>("quote_buy_amount", {
    of: "buy token",
    source: "order.quote.buyAmount: gross",
    atoms: (order) => order.quote?.buyAmount,
    token: (order) => order.buyToken,
  }),
  ...amount<Order>("quote_fee", {
    of: "sell token",
    source: "order.quote.feeAmount: network fee at quoting",
    atoms: (order) => order.quote?.feeAmount,
    token: (order) => order.sellToken,
  }),
  ...amount<Order>("quote_network_fee", {
    of: "sell token",
    source: "storedQuoteFee: the fee that quotes, fees and slippage count, from the quote's gas " +
      "and prices, exact and rounded down; null if it cannot be computed",
    atoms: ({ quote }) => quote == null ? null : storedQuoteFee(quote),
    token: (order) => order.sellToken,
  }),
  ...solver<Order>("quote_solver", {
    source: "order.quote.solver",
    solver: (order) => order.quote?.solver,
  }),
  flag("quote_verified", {
    source: "order.quote.verified",
    cell: (order) => order.quote?.verified ?? null,
  }),
];
