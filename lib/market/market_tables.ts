import type { AuditedSettlement, OrderBook } from "../client/mod.ts";
import type { DatasetSource } from "../datasets/layout/manifest.ts";
import { ListedOrders } from "../datasets/shards/listed_orders.ts";
import {
  APP_DATA,
  auctionFacts,
  AUCTIONS,
  ORDER_LISTINGS,
} from "../datasets/shards/record_facts.ts";
import { NETWORKS } from "../networks/mod.ts";
import type { FilterOptions, RewardTableOptions, SolverOptions } from "../tables/mod.ts";
import * as tables from "../tables/mod.ts";
import { datasetTables, sqlColumns } from "../sql/catalogue.ts";
import type { FrameTable, HeldFrame } from "../sql/frame_tables.ts";
import { InputError } from "../errors/mod.ts";
import { findLatestStart, policiesByAuction, recognizeAuctionPath } from "../metrics/mod.ts";
import type { SettlementAudit } from "../metrics/settlements/settlement_audit.ts";
import { buildFrame } from "../tables/columns/frame.ts";
import { withConstants } from "../tables/columns/frame_files.ts";
import type { Frame, Table } from "../tables/mod.ts";
import type { MarketRecords, MarketTokens } from "./market_records.ts";

/**
 * The tables of a market, each with all that is known: names, decimals, times with their basis, fee
 * policies. Their columns are in the data dictionary.
 */
export interface MarketTables {
  /** One row per auction with solutions. */
  auctions(): Promise<Frame>;
  /** One row per solution. */
  solutions(): Promise<Frame>;
  /** One row per order in a solution. */
  solutionOrders(): Promise<Frame>;
  /** One row per solver that won an auction: what the auction would have scored without it. */
  referenceScores(): Promise<Frame>;
  /** One row per order. */
  orders(): Promise<Frame>;
  /** One row per fill, as the service reports it. */
  trades(): Promise<Frame>;
  /** One row per fee that a policy charged, as the service reports it. */
  protocolFees(): Promise<Frame>;
  /** One row per execution of an order in a solution; from debug reports. */
  executions(): Promise<Frame>;
  /** One row per event of an order; from debug reports. */
  orderEvents(): Promise<Frame>;
  /** One row per app data document. */
  appData(): Promise<Frame>;
  /** One row per token of its orders that is known: symbol and decimals. */
  tokenFacts(): Promise<Frame>;
  /** One row per auction and token. */
  nativePrices(): Promise<Frame>;
  /** One row per order and interval of auctions that list it. */
  orderListings(): Promise<Frame>;
  /** One row per settlement that was compared with the chain; none without a node. */
  settlements(): Promise<Frame>;
  /** One row per settlement and token: what the contract kept or paid; none without a node. */
  imbalances(): Promise<Frame>;
  /** One row per difference between the reports and the chain; none without a node. */
  chainDifferences(): Promise<Frame>;
  /** One row per fill: surplus, slippage and its parts, fees, the best other bid. */
  fills(): Promise<Frame>;
  /** One row per charged fee, recomputed to the atom. */
  fees(): Promise<Frame>;
  /** One row per order in a solution: executed or not, over its limit, left on the table. */
  bids(): Promise<Frame>;
  /** One row per solution, with what became of it if it won. */
  outcomes(): Promise<Frame>;
  /** One row per order in a winning solution: whether the win was settled, and what that costs. */
  attempts(): Promise<Frame>;
  /** One row per order in a winning solution, against its best single-pair bid. */
  fairGain(): Promise<Frame>;
  /** One row per order: how long it took, and how it ended. */
  lifecycle(): Promise<Frame>;
  /** One row per solver and accounting week. */
  rewards(): Promise<Frame>;
  /** One row per winning solver and auction. */
  auctionRewards(): Promise<Frame>;
  /** One row per pair on which a solution scored less than the best single-pair bid. */
  missedBaselines(): Promise<Frame>;
  /** One row per fill with another bid for its order. */
  bestOtherBids(): Promise<Frame>;
  /** One row per step of a fill's amount, from clearing prices to what was paid. */
  feeSteps(): Promise<Frame>;
  /** One row per fee policy of an order in an auction; from debug reports. */
  feePolicies(): Promise<Frame>;
  /** One row per order and auction; from debug reports. */
  orderAuctions(): Promise<Frame>;
  /** One row per attempt to settle; from debug reports. */
  settlementAttempts(): Promise<Frame>;
  /** One row per settlement and token, valued at the auction's native prices; none without a node. */
  imbalanceValues(): Promise<Frame>;
}

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
  /** One row per solver: the surplus of its fills after gas, of receipts where there is a node. */
  gasSurplus(): Promise<Frame>;
  /** One row per settlement and token: how much of what is bought of it is also sold. */
  cowShares(): Promise<Frame>;
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
};

/** What tables are built from. */
export interface TableSources extends MarketRecords {
  /** Facts of tokens and names of solvers. */
  readonly names: MarketTokens & Pick<MarketRecords, "solvers">;
  /** Names of solvers alone. */
  readonly solverNames: SolverOptions;
  /** Of which auctions it is known whether solutions were filtered out. */
  readonly filter: FilterOptions;
  /** Whose rules reward the solvers. */
  readonly rules: Pick<RewardTableOptions, "network" | "cowPrice">;
  /** Settlements compared with the chain. */
  readonly audits: () => Promise<readonly AuditedSettlement[]>;
}

/** A table of a market. */
interface MarketTable {
  /** Its columns. */
  readonly table: Table<never>;
  /** Builds it. */
  readonly build: (sources: TableSources) => Frame | Promise<Frame>;
}

function of<Row>(table: Table<Row>, build: MarketTable["build"]): MarketTable {
  return { table, build };
}

function ofAudits<Row>(
  table: Table<Row>,
  build: (audits: readonly SettlementAudit[], sources: TableSources) => Frame,
): MarketTable {
  return of(table, async (sources) => {
    const audits = await sources.audits();
    return build(audits.flatMap(({ audit }) => audit ?? []), sources);
  });
}

/** Settlements, trades and reports: what became of winners. */
function settled({ trades, debugReports }: TableSources) {
  return { trades, debugReports };
}

/** The same with the newest block, by which a win without a settlement was not settled. */
function settledBy(all: TableSources) {
  const unread = new Set(all.withoutFills.map((uid) => uid.toLowerCase()));
  return {
    ...settled(all),
    latestBlock: findLatestStart(all.competitions),
    hasFills: (uid: string) => !unread.has(uid.toLowerCase()),
  };
}

/** How each table of a market is built. */
export const MARKET_TABLES: Readonly<Record<keyof MarketTables, MarketTable>> = {
  auctions: of(AUCTIONS, ({ competitions, orders, times, filter, solverNames }) =>
    buildFrame(
      AUCTIONS,
      competitions.map((one) =>
        auctionFacts(one, {
          auctionAt: times.auction(one.auctionId),
          orderCount: one.auction.orders.length,
          isFilterStored: filter.isFilterStored?.(one.auctionId) ?? true,
          path: recognizeAuctionPath(one, { orders }),
        })
      ),
      solverNames,
    )),
  solutions: of(tables.SOLUTIONS, (all) =>
    tables.solutionsTable(all.competitions, {
      ...all.names,
      ...all.filter,
      ...settled(all),
      orders: all.orders,
      times: all.times,
    })),
  solutionOrders: of(
    tables.SOLUTION_ORDERS,
    ({ competitions, names, filter }) =>
      tables.solutionOrdersTable(competitions, { ...names, ...filter }),
  ),
  referenceScores: of(
    tables.REFERENCE_SCORES,
    ({ competitions, solverNames }) => tables.referenceScoresTable(competitions, solverNames),
  ),
  orders: of(
    tables.ORDERS,
    ({ orders, competitions, names }) => tables.ordersTable(orders, { ...names, competitions }),
  ),
  trades: of(
    tables.TRADES,
    ({ trades, names, competitions, orders, debugReports, times }) =>
      tables.tradesTable(trades, { ...names, competitions, orders, debugReports, times }),
  ),
  protocolFees: of(
    tables.PROTOCOL_FEES,
    (all) => tables.protocolFeesTable(all.records, fillOptions(all)),
  ),
  executions: of(
    tables.EXECUTIONS,
    ({ debugReports, names }) => tables.executionsTable(debugReports, names),
  ),
  orderEvents: of(tables.ORDER_EVENTS, ({ debugReports }) => tables.orderEventsTable(debugReports)),
  appData: of(APP_DATA, ({ orders }) => {
    const documents = new Map(
      orders.flatMap(({ appData: hash, fullAppData: document }) =>
        document == null ? [] : [[hash, { hash, document }] as const]
      ),
    );
    return buildFrame(APP_DATA, [...documents.values()]);
  }),
  tokenFacts: of(tables.TOKENS, ({ orders, tokens }) => tables.tokensTable(orders, tokens)),
  nativePrices: of(
    tables.NATIVE_PRICES,
    ({ competitions, tokens, times }) =>
      tables.nativePricesTable(competitions, { ...tokens, times }),
  ),
  orderListings: of(ORDER_LISTINGS, ({ competitions }) => {
    const listed = new ListedOrders();
    const listings = competitions.map(({ auctionId, auction }) => ({
      auctionId,
      orders: listed.read(auction.orders) ?? new Int32Array(),
    }));
    return buildFrame(ORDER_LISTINGS, listed.intervals(listings));
  }),
  settlements: ofAudits(
    tables.SETTLEMENTS,
    (audits, { solverNames }) => tables.settlementsTable(audits, solverNames),
  ),
  imbalances: ofAudits(
    tables.IMBALANCES,
    (audits, { names }) => tables.imbalancesTable(audits, names),
  ),
  chainDifferences: ofAudits(
    tables.CHAIN_DIFFERENCES,
    (audits, { solverNames }) => tables.chainDifferencesTable(audits, solverNames),
  ),
  fills: of(
    tables.FILLS,
    (all) => tables.fillsTable(all.records, { ...fillOptions(all), ...all.filter }),
  ),
  fees: of(tables.FEES, (all) => tables.feesTable(all.records, fillOptions(all))),
  bids: of(
    tables.BIDS,
    ({ competitions, orders, trades, times, names, filter }) =>
      tables.bidsTable(competitions, { ...names, ...filter, orders, trades, times }),
  ),
  outcomes: of(tables.OUTCOMES, (all) =>
    tables.outcomesTable(all.competitions, {
      ...all.solverNames,
      ...all.filter,
      ...settledBy(all),
      times: all.times,
    })),
  attempts: of(tables.ATTEMPTS, (all) =>
    tables.attemptsTable(all.competitions, {
      ...all.names,
      ...settledBy(all),
      orders: all.orders,
      times: all.times,
      rules: Object.values(NETWORKS).find(({ name }) => name === all.rules.network)?.rewards ?? [],
    })),
  fairGain: of(
    tables.FAIR_GAIN,
    ({ competitions, orders, times, names, filter, wrapping }) =>
      tables.fairGainTable(competitions, { ...names, ...filter, ...wrapping, orders, times }),
  ),
  lifecycle: of(
    tables.LIFECYCLE,
    ({ records, withoutFills, competitions, times, now, tokens }) => {
      const unread = new Set(withoutFills);
      const evidence = records.map((one) =>
        unread.has(one.order.uid) ? { ...one, trades: null } : one
      );
      return tables.lifecycleTable(evidence, { now, times, competitions, ...tokens });
    },
  ),
  rewards: of(tables.REWARDS, (all) => tables.rewardsTable(all.competitions, rewardOptions(all))),
  auctionRewards: of(
    tables.AUCTION_REWARDS,
    (all) => tables.auctionRewardsTable(all.competitions, rewardOptions(all)),
  ),
  missedBaselines: of(tables.MISSED_BASELINES, (all) => {
    const { competitions, orders, names } = all;
    const policies = policiesByAuction({ competitions, ...settled(all) });
    return tables.missedBaselinesTable(competitions, { ...names, orders, policies });
  }),
  bestOtherBids: of(
    tables.BEST_OTHER_BIDS,
    (all) => tables.bestOtherBidsTable(all.records, fillOptions(all)),
  ),
  feeSteps: of(tables.FEE_STEPS, (all) => tables.feeStepsTable(all.records, fillOptions(all))),
  feePolicies: of(tables.FEE_POLICIES, ({ debugReports }) => tables.feePoliciesTable(debugReports)),
  orderAuctions: of(
    tables.ORDER_AUCTIONS,
    ({ debugReports }) => tables.orderAuctionsTable(debugReports),
  ),
  settlementAttempts: of(
    tables.SETTLEMENT_ATTEMPTS,
    ({ debugReports, solverNames }) => tables.settlementAttemptsTable(debugReports, solverNames),
  ),
  imbalanceValues: ofAudits(
    tables.IMBALANCE_VALUES,
    (audits, { names, competitions }) =>
      tables.imbalanceValuesTable(audits, { ...names, competitions }),
  ),
};

function fillOptions({ names, competitions, times }: TableSources): tables.FillOptions {
  return { ...names, competitions, times };
}

function rewardOptions(all: TableSources): RewardTableOptions {
  const { solverNames, rules, times, orders } = all;
  return { ...solverNames, ...rules, ...settledBy(all), times, orders };
}

/** The methods of {@linkcode MarketTables}. */
export const TABLE_METHODS = Object.keys(MARKET_TABLES) as (keyof MarketTables)[];

/** Where the rows of an order book are from. */
export function sourceOf(book: OrderBook): DatasetSource {
  const { network, environment, chainId, settlementContract } = book;
  return { network: network?.name ?? null, environment, chainId, settlementContract };
}

/**
 * The tables of a market as SQL names them, with where their rows are from.
 *
 * @param parts Frames that stand in place of tables, by the names of these.
 * @throws {InputError} If one lacks columns of its table.
 */
export function sqlTables(
  market: MarketTables & { readonly book: OrderBook },
  parts: Readonly<Record<string, HeldFrame>> = {},
): FrameTable[] {
  const { network, environment, chainId } = sourceOf(market.book);
  const constants = { network, environment, chain_id: chainId };
  const published = new Map(datasetTables().map((table) => [table.name, table]));
  return TABLE_METHODS.map((method) => {
    const { table } = MARKET_TABLES[method];
    const { name, grain } = table;
    const part = parts[name];
    if (part !== undefined) requireColumns(table, part, method);
    const frame = async () => withConstants(part as Frame ?? await market[method](), constants);
    const { kind = "answer", key = [] } = published.get(name) ?? {};
    return { name, kind, grain, key, columns: sqlColumns(table), frame };
  });
}

function requireColumns({ name, columns }: Table<never>, part: HeldFrame, method: string): void {
  const missing = columns.flatMap((column) =>
    part.columns.includes(column.name) ? [] : column.name
  );
  if (missing.length === 0) return;
  const named = missing.slice(0, 5).join(", ") + (missing.length > 5 ? ", …" : "");
  throw new InputError(`Cannot query the frame ${name} in place of the table: no ${named}`, {
    remedy: `Pass rows of \`market.${method}()\` with all of their columns, or use another name`,
  });
}
