import type { OrderBook } from "../client/mod.ts";
import type { DatasetSource } from "../datasets/layout/manifest.ts";
import { resolveFilterFacts } from "../datasets/shards/table_context.ts";
import { InputError } from "../errors/mod.ts";
import { findLatestStart } from "../metrics/mod.ts";
import { describeTable } from "../sql/catalogue.ts";
import { describeColumns, type FrameTable, type TableFrame } from "../sql/frame_tables.ts";
import { addConstants } from "../tables/columns/frame_files.ts";
import {
  type Frame,
  type MarketTables,
  type ReadRecords,
  type Table,
  TABLES,
} from "../tables/mod.ts";
import type { MarketOptions } from "./market_options.ts";
import type { MarketRecords } from "./market_records.ts";

/**
 * The views of a market: its tables added up in SQL. Their columns are in the data dictionary of SQL;
 * amounts are text with every digit, and rows are sorted by the key.
 */
export interface MarketViews {
  /** One row per solver: bids, wins, scores, settlements. */
  leaderboard(): Promise<Frame>;
  /** One row per solver and day: bids, wins, scores, settlements. */
  solverDays(): Promise<Frame>;
  /** One row per solver and directed pair that it bid on. */
  pairs(): Promise<Frame>;
  /** One row per application, recipient of partner fees and accounting week. */
  partners(): Promise<Frame>;
  /** One row per accounting week, pair and size: how concentrated volume is in solvers. */
  concentration(): Promise<Frame>;
  /** One row per solver: the surplus of its fills after gas, from receipts where there is a node. */
  gasSurplus(): Promise<Frame>;
  /** One row per settlement and token: the share of the amount bought that is also sold. */
  cowShares(): Promise<Frame>;
  /** One row per solver and accounting week: the slippage of its settlements; none without a node. */
  solverSlippage(): Promise<Frame>;
}

/** The view of each method of {@linkcode MarketViews}. */
export const MARKET_VIEWS: Readonly<Record<keyof MarketViews, string>> = {
  leaderboard: "leaderboard",
  solverDays: "solver_days",
  pairs: "pairs",
  partners: "partners",
  concentration: "concentration",
  gasSurplus: "gas_surplus",
  cowShares: "cow_shares",
  solverSlippage: "solver_slippage",
};

const { blocks: _b, markout: _m, winnersCurse: _w, tokenFlows: _t, ...OWN_TABLES } = TABLES;

/** The tables of a market, by its methods. */
export const MARKET_TABLES: Readonly<Record<keyof MarketTables, Table>> = OWN_TABLES;

/** Converts the records of a market to the input of its tables, without audits. */
export function toTableRecords(
  records: MarketRecords,
  book: OrderBook,
  { rewardsOf, cowPrice }: Pick<MarketOptions, "rewardsOf" | "cowPrice">,
): ReadRecords {
  const { competitions, orders, trades, debugReports, times, tokens, solvers } = records;
  const unread = new Set(records.withoutFills.map((uid) => uid.toLowerCase()));
  const areFillsKnown = (uid: string) => !unread.has(uid.toLowerCase());
  return {
    ...tokens,
    solvers,
    ...records.wrapping,
    ...resolveFilterFacts({ times }, { source: toSource(book) }),
    ...rewardsOf !== undefined && { rewardsOf },
    ...cowPrice !== undefined && {
      cowPrice: typeof cowPrice === "string" ? BigInt(cowPrice) : cowPrice,
    },
    competitions,
    instances: records.instances ?? [],
    orders,
    trades,
    debugReports,
    records: records.records,
    evidence: records.records.map((record) =>
      areFillsKnown(record.order.uid) ? record : { ...record, trades: null }
    ),
    times,
    now: records.now,
    latestBlock: findLatestStart(competitions),
    hasFills: areFillsKnown,
  };
}

/** The methods of {@linkcode MarketTables}. */
export const TABLE_METHODS = Object.keys(MARKET_TABLES) as (keyof MarketTables)[];

/** Returns the source of the rows of an order book. */
function toSource(book: OrderBook): DatasetSource {
  const { network, environment, chainId, settlementContract } = book;
  return { network: network?.name ?? null, environment, chainId, settlementContract };
}

/**
 * The tables of a market as SQL names them, with where their rows are from.
 *
 * @param parts Frames that stand in place of tables, by the names of these.
 * @throws {InputError} If one lacks columns of its table.
 */
export function createSqlTables(
  market: MarketTables & { readonly book: OrderBook },
  parts: Readonly<Record<string, TableFrame>> = {},
): FrameTable[] {
  const { network, environment, chainId } = toSource(market.book);
  const constants = { network, environment, chain_id: chainId };
  return TABLE_METHODS.map((method) => {
    const table = MARKET_TABLES[method];
    const part = parts[table.name];
    const described = describeTable(table);
    if (part === undefined) {
      const frame = async () => addConstants(await market[method](), constants);
      return { ...described, frame };
    }
    requireColumns(table, part, method);
    const declaredNames = new Set(described.columns.map(({ name }) => name));
    const ownColumns = describeColumns(table.name, part, declaredNames);
    const names = [...table.columns, ...ownColumns].map(({ name }) => name);
    return {
      ...described,
      columns: [...described.columns, ...ownColumns],
      frame: () =>
        Promise.resolve(addConstants((part as Frame).select(...names) as Frame, constants)),
    };
  });
}

function requireColumns({ name, columns }: Table, part: TableFrame, method: string): void {
  const missingColumns = columns.flatMap((column) =>
    part.columns.includes(column.name) ? [] : column.name
  );
  if (missingColumns.length === 0) return;
  const names = missingColumns.slice(0, 5).join(", ") + (missingColumns.length > 5 ? ", …" : "");
  throw new InputError(`Cannot query the frame ${name} in place of the table: no ${names}`, {
    remedy: `Pass rows of \`market.${method}()\` with all of their columns, or use another name`,
  });
}
