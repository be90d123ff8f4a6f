import type { Order } from "../../schemas/mod.ts";
import { integer, text } from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import { TokenAmounts, type TokenOptions } from "../columns/lookups.ts";
import { type BuildTable, optionsOn, ORDER_KIND, tableOf } from "../columns/table_input.ts";

/** A token of which something is known. */
export interface KnownToken {
  /** Its address. */
  readonly token: string;
}

/** One row per token that is known; see {@linkcode tokensTable}. */
export const TOKENS: Table<KnownToken> = {
  name: "tokens",
  grain: "One token that orders sell or buy, if its decimals or its symbol are known",
  columns: [
    text("token", { source: "order.sellToken or order.buyToken", cell: ({ token }) => token }),
    text("symbol", {
      source: "its symbol; null if unknown",
      cell: ({ token }, amounts) => amounts.symbol(token),
    }),
    integer("decimals", {
      source: "its decimals; null if unknown",
      cell: ({ token }, amounts) => amounts.decimals(token),
    }),
    text("source", {
      source:
        "source of both: deployment, if its facts, a node or the caller has them; otherwise " +
        "the source that data/tokens.json names",
      cell: ({ token }, amounts) => amounts.source(token),
    }),
  ],
};

/**
 * One row per token of some orders that is known, by address.
 *
 * @param orders Decoded orders.
 * @param options Decimals and symbols of tokens.
 * @returns A frame with the columns of {@linkcode TOKENS}; no orders give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No orders
 * ```ts
 * import { tokensTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(tokensTable([]).height, 0);
 * ```
 */
export const tokensTable: BuildTable<Order, TokenOptions> = tableOf({
  table: TOKENS,
  records: ORDER_KIND,
  options: optionsOn("tokens"),
  rows: (orders, options) => {
    const facts = new TokenAmounts(options);
    const named = orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]);
    return [...new Set(named.map((token) => token.toLowerCase()))].sort()
      .filter((token) => facts.source(token) !== null)
      .map((token) => ({ token }));
  },
});
