import { type CowShare, cowShares, type SettledTrade } from "../../metrics/mod.ts";
import { amount, integer, number, symbol, text } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import type { TokenOptions } from "../columns/lookups.ts";
import {
  atomsIn,
  type BuildTable,
  optionsOn,
  type RecordKind,
  tableOf,
} from "../columns/table_input.ts";

/** A row of `trades`, as far as {@linkcode cowSharesTable} reads it. */
export interface SettledTradeRow {
  /** Hash of the settlement; trades without one are left out. */
  readonly tx_hash: string | null;
  /** Id of its auction; `null` if unknown. */
  readonly auction_id: number | null;
  /** Address of the token sold. */
  readonly sell_token: string;
  /** What was sold, in atoms. */
  readonly sell_amount_atoms: string;
  /** Address of the token bought. */
  readonly buy_token: string;
  /** What was bought, in atoms. */
  readonly buy_amount_atoms: string;
}

/** What rows of trades are needed for shares. */
export const SETTLED_TRADE_KIND: RecordKind<SettledTradeRow> = {
  noun: "rows of trades",
  fields: [
    "tx_hash",
    "auction_id",
    "sell_token",
    "sell_amount_atoms",
    "buy_token",
    "buy_amount_atoms",
  ],
  from: "`toRecords()` of the frame of `tradesTable` returns them",
};

function tradeOf(row: SettledTradeRow): CowShareFacts["trades"][number] {
  return {
    auctionId: row.auction_id,
    txHash: row.tx_hash,
    sellToken: row.sell_token,
    sellAmount: atomsIn(row, "sell_amount_atoms") ?? 0n,
    buyToken: row.buy_token,
    buyAmount: atomsIn(row, "buy_amount_atoms") ?? 0n,
  };
}

/** What one row is computed from. */
export type CowShareFacts = CowShare<SettledTrade & { readonly auctionId: number | null }>;

function part(
  name: "sold" | "bought" | "matched",
  source: string,
): Column<CowShareFacts>[] {
  const atoms = (row: CowShareFacts) => row[name];
  return amount(name, { of: "token", source, atoms, token: ({ token }) => token });
}

/** One row per settlement and token; see {@linkcode cowSharesTable}. */
export const COW_SHARES: Table<CowShareFacts> = {
  name: "cow_shares",
  grain: "One token of one settlement: how much of what is bought of it is also sold",
  columns: [
    text("tx_hash", { source: "trades.tx_hash: of the settlement", cell: ({ txHash }) => txHash }),
    integer("auction_id", {
      source: "trades.auction_id: its auction, null if unknown",
      cell: ({ trades }) => trades.find(({ auctionId }) => auctionId !== null)?.auctionId ?? null,
    }),
    text("token", {
      source: "address of the token; the native token and its wrapped one are two",
      cell: ({ token }) => token,
    }),
    symbol("symbol", { of: "token", token: ({ token }) => token }),
    integer("trades", {
      unit: "fills",
      source: "fills of the settlement that sell or buy it",
      cell: ({ trades }) => trades.length,
    }),
    ...part("sold", "what they sell of it, as trades.sell_amount_atoms"),
    ...part("bought", "what they buy of it, as trades.buy_amount_atoms"),
    ...part("matched", "the smaller of both: what can have gone from trader to trader, at most"),
    number("cow_share", {
      unit: "0 to 1",
      source: "cowShares: matched / bought, an upper bound without transfers, which is " +
        "naive_cow_potential of the public dune-queries; null if none is bought",
      cell: ({ share }) => share,
    }),
  ],
};

/**
 * One row per settlement and token, with how much of what it buys of the token for traders its trades
 * also sell: an upper bound of what went from trader to trader.
 *
 * @param trades Rows of `trades`, of one deployment.
 * @param options Decimals and symbols.
 * @returns A frame with the columns of {@linkcode COW_SHARES}; no trades give no rows.
 * @throws {InputError} If a record is no row of trades, or an option is unknown.
 *
 * @example One trader sells half of what another buys
 * ```ts
 * import { cowSharesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const of = { tx_hash: "0xaa", auction_id: 7 };
 * const x = { sell_token: "0x01", sell_amount_atoms: "10", buy_token: "0x02", buy_amount_atoms: "8" };
 * const y = { sell_token: "0x02", sell_amount_atoms: "4", buy_token: "0x03", buy_amount_atoms: "9" };
 *
 * const frame = cowSharesTable([{ ...of, ...x }, { ...of, ...y }], { decimals: () => 0 });
 * assertEquals(frame.toRecords().map((row) => row.cow_share), [null, 0.5, 0]);
 * ```
 */
export const cowSharesTable: BuildTable<SettledTradeRow, TokenOptions> = tableOf({
  table: COW_SHARES,
  records: SETTLED_TRADE_KIND,
  options: optionsOn("tokens"),
  rows: (trades) => cowShares(trades.map(tradeOf)),
});
