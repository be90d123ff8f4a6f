import type { Frame, Table } from "./columns/frame.ts";
import type { TokenOptions } from "./columns/lookups.ts";
import type { RecordKind } from "./columns/table_input.ts";
import {
  CONCENTRATION,
  concentrationTable,
  GAS_PAYING_FILL_KIND,
  GAS_SURPLUS,
  gasSurplusTable,
  SETTLEMENT_GAS_KIND,
  WINDOWED_FILL_KIND,
} from "./fills/fill_statistics.ts";
import {
  COW_SHARES,
  cowSharesTable,
  SETTLED_TRADE_KIND,
  type SettledTradeRow,
} from "./settlements/settlements.ts";

/** A table that is made of rows of other tables, all of one deployment. */
export interface RowTable {
  /** Its columns. */
  readonly table: Table<never>;
  /** Columns that together are different in every row. */
  readonly key: readonly string[];
  /** Which rows it takes of which tables; of all but the first there may be none. */
  readonly reads: Readonly<Record<string, RecordKind<never>>>;
  /** Builds it from those rows, in the same order, and what is known of tokens. */
  readonly build: (rows: readonly (readonly never[])[], tokensOf: TokensOf) => Promise<Frame>;
}

/** What is known of tokens, by their addresses. */
type TokensOf = (addresses: readonly string[]) => Promise<TokenOptions>;

/** The tables that are made of rows of others. */
export const ROW_TABLES = {
  concentration: {
    table: CONCENTRATION,
    key: ["windows", "window_of"],
    reads: { fills: WINDOWED_FILL_KIND },
    build: ([fills = []]) => Promise.resolve(concentrationTable(fills)),
  },
  gasSurplus: {
    table: GAS_SURPLUS,
    key: ["solver"],
    reads: { fills: GAS_PAYING_FILL_KIND, settlements: SETTLEMENT_GAS_KIND },
    build: ([fills = [], settlements = []]) =>
      Promise.resolve(gasSurplusTable(fills, { settlements })),
  },
  cowShares: {
    table: COW_SHARES,
    key: ["tx_hash", "token"],
    reads: { trades: SETTLED_TRADE_KIND },
    async build([trades = []]: readonly (readonly SettledTradeRow[])[], tokensOf) {
      const traded = trades.flatMap(({ sell_token, buy_token }) => [sell_token, buy_token]);
      return cowSharesTable(trades, await tokensOf([...new Set(traded)]));
    },
  },
} satisfies Readonly<Record<string, RowTable>>;
