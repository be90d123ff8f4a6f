import {
  type AuctionRole,
  auctionRole,
  orderFill,
  quotedFeeAmount,
  settledSurplus,
  storedQuoteFee,
  surplusToken,
} from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { HexMap, type Ratio } from "../../units/mod.ts";
import {
  appDataColumns,
  hasLimitPrice,
  marketPositionColumn,
  onchainUserColumn,
  pairColumn,
  partnerBpsColumn,
  priceColumn,
  receiverColumn,
  surplusTokenColumn,
  toFilledFraction,
  tokenColumns,
  toOverLimitBps,
  tradedColumns,
} from "../columns/order_columns.ts";
import { amount, flag, integer, native, number, solver, text, time } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { defineTable, type Table } from "../columns/table.ts";
import { selectRoles } from "../columns/instance_facts.ts";
import type { ReadRecords } from "../columns/records.ts";

/** Columns of amounts in the tokens of an order. */
const { sold, bought } = tradedColumns<Order>((order) => order);

/** The quote that is stored with an order. */
const QUOTE_COLUMNS: readonly Column<Order>[] = [
  ...sold("quote_sell_amount", {
    source: "order.quote.sellAmount: gross",
    atoms: (order) => order.quote?.sellAmount,
  }),
  ...bought("quote_buy_amount", {
    source: "order.quote.buyAmount: gross",
    atoms: (order) => order.quote?.buyAmount,
  }),
  ...sold("quote_fee", {
    source: "order.quote.feeAmount: network fee at quoting; computed as the service does where a " +
      "response before 2026 lacks it",
    atoms: ({ quote }) => quote == null ? null : quotedFeeAmount(quote),
  }),
  ...sold("quote_network_fee", {
    source: "storedQuoteFee: the fee that quotes, fees and slippage count, from the quote's gas " +
      "and prices, exact and rounded down; null if it cannot be computed",
    atoms: ({ quote }) => quote == null ? null : storedQuoteFee(quote),
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

/** The inputs of one row: an order and its role. */
interface OrderFacts extends Order {
  /** Role of the order in the auction it was settled from. @default {that without the auction} */
  readonly role?: AuctionRole;
}

function resolveRole(order: OrderFacts): AuctionRole {
  return order.role ?? auctionRole(order, null);
}

/**
 * Calculates the surplus of the executed totals; `null` if nothing was executed, the limit has no price, or the
 * role is unknown.
 */
function calculateSurplus(order: OrderFacts): bigint | null {
  const { executedSellAmount, executedBuyAmount } = order;
  if (executedSellAmount === 0n && executedBuyAmount === 0n || !hasLimitPrice(order)) return null;
  const settledAtoms = settledSurplus(orderFill(order), order, resolveRole(order));
  return typeof settledAtoms === "bigint" ? settledAtoms : null;
}

function calculateSurplusBps(order: OrderFacts): Ratio | null {
  return calculateSurplus(order) === null
    ? null
    : toOverLimitBps(orderFill(order), order, resolveRole(order));
}

/**
 * One row per order, in the order given.
 *
 * Amounts are decimal text in atoms and, for axes, `Float64` in whole tokens; the latter are `null`
 * if a token's decimals are unknown, see {@linkcode TokenOptions}.
 *
 * An order that a solver provided as liquidity has a surplus of 0. Competitions identify such
 * orders; without them, surplus is `null` for orders of class `liquidity` without app data.
 *
 * @example The order book's orders as a table, with decimals that the caller knows
 * ```ts
 * import { decodeOrder } from "orderlens/schemas";
 * import { buildTable, ORDERS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const order = decodeOrder({
 *   uid: `0x${"01".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   creationDate: "2026-11-21T15:00:00.123456Z",
 *   status: "open",
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   receiver: null,
 *   sellAmount: "2500000",
 *   buyAmount: "1",
 *   feeAmount: "0",
 *   validTo: 1795275000,
 *   appData: `0x${"00".repeat(32)}`,
 *   executedSellAmount: "0",
 *   executedSellAmountBeforeFees: "0",
 *   executedBuyAmount: "0",
 *   executedFeeAmount: "0",
 *   invalidated: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "eip712",
 *   signature: "0x",
 * });
 * const decimals = new Map([[order.sellToken, 6]]);
 *
 * const [row] = buildTable(ORDERS, { orders: [order], decimals }).toRecords();
 * assertEquals([row?.sell_amount_atoms, row?.sell_amount_tokens], ["2500000", 2.5]);
 * assertEquals([row?.buy_amount_atoms, row?.buy_amount_tokens], ["1", null]);
 * ```
 */
export const ORDERS: Table<"orders"> = defineTable<OrderFacts, "orders">({
  name: "orders",
  grain: "One order, as of the request",
  kind: "record",
  of: ["orders"],
  key: ["order_uid"],
  needs: ["orders"],
  isOfUnbid: true,
  columns: [
    text("order_uid", { source: "order.uid", cell: (order) => order.uid }),
    text("owner", { source: "order.owner", cell: (order) => order.owner }),
    ...time<Order>("creation_date", {
      source: "order.creationDate",
      instant: (order) => order.creationDate,
    }),
    text("status", { source: "order.status", cell: (order) => order.status }),
    text("kind", { source: "order.kind", cell: (order) => order.kind }),
    text("class", {
      source: "order.class: `limit` today, `liquidity` for orders that solvers provide",
      cell: (order) => order.class ?? null,
    }),
    flag("partially_fillable", {
      source: "order.partiallyFillable",
      cell: (order) => order.partiallyFillable,
    }),
    ...tokenColumns<Order>("order", (order) => order),
    pairColumn((order) => order),
    receiverColumn((order) => order),
    ...sold("sell_amount", {
      source: "order.sellAmount: the limit",
      atoms: (order) => order.sellAmount,
    }),
    ...bought("buy_amount", {
      source: "order.buyAmount: the limit",
      atoms: (order) => order.buyAmount,
    }),
    priceColumn("limit_buy_tokens_per_sell_token"),
    ...sold("signed_fee", {
      source: "order.feeAmount: the legacy signed fee, 0 today",
      atoms: (order) => order.feeAmount,
    }),
    integer("valid_to", {
      unit: "unix seconds",
      source: "order.validTo; the maximum for EthFlow orders",
      cell: (order) => order.validTo,
    }),
    integer("user_valid_to", {
      unit: "unix seconds",
      source: "order.ethflowData.userValidTo",
      cell: (order) => order.ethflowData?.userValidTo ?? null,
    }),
    integer("valid_from", {
      unit: "unix seconds",
      source: "order.validFrom",
      cell: (order) => order.validFrom ?? null,
    }),
    text("app_data", { source: "order.appData", cell: (order) => order.appData }),
    ...appDataColumns<Order>((order) => order),
    partnerBpsColumn((order) => order),
    text("signing_scheme", { source: "order.signingScheme", cell: (order) => order.signingScheme }),
    text("settlement_contract", {
      source: "order.settlementContract; the public one for orders that solvers provide",
      cell: (order) => order.settlementContract ?? null,
    }),
    onchainUserColumn((order) => order),
    ...sold("executed_sell_amount", {
      source: "order.executedSellAmount",
      atoms: (order) => order.executedSellAmount,
    }),
    ...bought("executed_buy_amount", {
      source: "order.executedBuyAmount",
      atoms: (order) => order.executedBuyAmount,
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "executed / signed, of the amount that the order fixes, without a legacy fee",
      cell: (order) => toFilledFraction(orderFill(order), order),
    }),
    ...amount<Order>("executed_fee", {
      role: "fee token",
      source: "order.executedFee: network and protocol fees so far",
      atoms: (order) => order.executedFee,
      token: (order) => order.executedFeeToken,
    }),
    text("fee_token", {
      source: "order.executedFeeToken: the sell token today",
      cell: (order) => order.executedFeeToken ?? null,
    }),
    ...native<Order>("gas_cost", {
      source: "order.gasCost: gas paid for the order's fills",
      atoms: (order) => order.gasCost,
    }),
    ...amount<Order>("surplus", {
      role: "surplus token",
      source:
        "settledSurplus of the executed totals; null if nothing was executed or it is unknown",
      atoms: calculateSurplus,
      token: surplusToken,
    }),
    surplusTokenColumn((order) => order),
    number("surplus_bps", {
      unit: "basis points of the limit, scaled to the fill",
      source: "surplus of the executed totals over the limit",
      cell: calculateSurplusBps,
    }),
    ...QUOTE_COLUMNS,
    marketPositionColumn((order) => order),
  ],
  rows: (records) => {
    const { orders } = records;
    const roles = findRoles(records);
    return roles.size === 0 ? orders : orders.map((order): OrderFacts => {
      const role = roles.get(order.uid);
      return role === undefined ? order : { ...order, role };
    });
  },
});

/** Finds the role of each order that a winner executes; `"unknown"` if it had several. */
function findRoles(records: ReadRecords): HexMap<AuctionRole> {
  const roles = new HexMap<AuctionRole>();
  for (const { auctionId, auction, solutions } of records.competitions ?? []) {
    const options = selectRoles(records, auctionId);
    for (const { isWinner, orders } of solutions) {
      if (!isWinner) continue;
      for (const { id: uid } of orders) {
        const role = auctionRole({ uid }, auction, options);
        const existing = roles.get(uid) ?? role;
        roles.set(uid, existing === role ? role : "unknown");
      }
    }
  }
  return roles;
}
