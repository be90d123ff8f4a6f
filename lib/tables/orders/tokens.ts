import { integer, text } from "../columns/columns.ts";
import { TokenAmounts } from "../columns/lookups.ts";
import { defineTable, type Table } from "../columns/table.ts";

/** A token whose decimals or symbol are known. */
interface KnownToken {
  /** Its address. */
  readonly token: string;
}

/**
 * One row per token of some orders that is known, by address.
 *
 * @example No orders
 * ```ts
 * import { buildTable, TOKENS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(TOKENS, { orders: [] }).height, 0);
 * ```
 */
export const TOKENS: Table<"orders"> = defineTable<KnownToken, "orders">({
  name: "tokens",
  grain: "One token that orders sell or buy, if its decimals or its symbol are known",
  kind: "record",
  of: ["orders"],
  key: ["token"],
  needs: ["orders"],
  hasRepeats: true,
  isOfUnbid: true,
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
        "the source that data/tokens.json or data/token_lists.json names",
      cell: ({ token }, amounts) => amounts.source(token),
    }),
  ],
  rows: (records) => {
    const facts = new TokenAmounts(records);
    const tokens = records.orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]);
    return [...new Set(tokens.map((token) => token.toLowerCase()))]
      .filter((token) => facts.source(token) !== null)
      .map((token) => ({ token }));
  },
});
