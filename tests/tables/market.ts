import type { Competition, DebugReport, Order, Trade } from "orderlens";
import type { Frame, OrderRecords, Table } from "orderlens/tables";
import * as tables from "orderlens/tables";
import { decodeSettlement } from "orderlens/evm";
import { AuctionTimes, policiesByAuction } from "orderlens/metrics";
import { readJson } from "../../tools/metrics/read_json.ts";
import { readScenario } from "../../tools/metrics/read_scenario.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

const FOLDER = new URL("../../data/recorded", import.meta.url).pathname;
const scenario = await readScenario(FOLDER, "market_1");

/** One row of a table of the service. */
export type TruthRow = Readonly<Record<string, string | number | boolean | null>>;

/** What the service stored of `market_1`, by table. */
export const truth = await readJson(`${FOLDER}/market_1.truth.json`) as Readonly<
  Record<string, readonly TruthRow[]>
>;

/** Orders of `market_1`, each as an answer that has its quote. */
export const orders: readonly Order[] = [...scenario.orders.values()].map((order) =>
  scenario.orderAnswers.find((answer) =>
    answer.order.uid === order.uid && answer.order.quote != null
  )?.order ?? order
);
/** Fills of `market_1`. */
export const trades: readonly Trade[] = [...scenario.trades.values()];
/** Auctions of `market_1`. */
export const competitions: readonly Competition[] = [...scenario.competitions.values()];
/** Debug reports of `market_1`. */
export const debugReports: readonly DebugReport[] = [...scenario.reports.values()];
/** Decoded settlements of `market_1` by transaction hash. */
export const settlements = new Map(
  Object.entries(scenario.chain?.settlements ?? {})
    .map(([hash, { input }]) => [hash, decodeSettlement(input)]),
);
/** A time after everything. */
export const now = Temporal.Instant.from("2026-11-21T15:28:30Z");

const tradesOf = Map.groupBy(trades, ({ orderUid }) => orderUid);

/** All that is known of each order of `market_1`. */
export const records: readonly OrderRecords[] = orders.map((order) => ({
  order,
  trades: tradesOf.get(order.uid) ?? [],
  debugReport: scenario.reports.get(order.uid),
}));

/** A table with its frame of everything in `market_1`, and its frame of nothing. */
export interface BuiltTable {
  /** As declared. */
  table: Table<never>;
  /** Of the whole market. */
  full: Frame;
  /** Of nothing. */
  empty: Frame;
}

/** Solvers of `market_1`, with their names. */
export const { solvers } = deployment;
/** Times of `market_1`, whose chain is recorded without timestamps of blocks. */
export const times = new AuctionTimes(competitions, { orders });

const known = { competitions, solvers, times };
const prices = tables.priceSeries(
  competitions.flatMap(({ auction }) =>
    Object.keys(auction.prices).map((token) => ({
      token,
      time: "2026-11-21T14:50:00Z",
      price_usd: "2500.01",
      source: "made up",
    }))
  ),
);
const settled = { trades, debugReports, solvers, times };
const rewards = {
  trades,
  debugReports,
  orders,
  solvers,
  network: "mainnet",
  times,
  cowPrice: 10n ** 14n,
};
const policies = policiesByAuction({ debugReports });
const gas = trades.map(({ txHash }) => (
  { tx_hash: `${txHash}`, gas_cost_atoms: "300000000000000", trade_count: 1 }
));
const frames: Record<string, [full: () => Frame, empty: () => Frame]> = {
  orders: [() => tables.ordersTable(orders, { solvers }), () => tables.ordersTable([])],
  trades: [() => tables.tradesTable(trades, known), () => tables.tradesTable([])],
  solutions: [
    () => tables.solutionsTable(competitions, { solvers, times }),
    () => tables.solutionsTable([]),
  ],
  solution_orders: [
    () => tables.solutionOrdersTable(competitions, { solvers }),
    () => tables.solutionOrdersTable([]),
  ],
  reference_scores: [
    () => tables.referenceScoresTable(competitions, { solvers }),
    () => tables.referenceScoresTable([]),
  ],
  missed_baselines: [
    () => tables.missedBaselinesTable(competitions, { orders: scenario.orders, policies, solvers }),
    () => tables.missedBaselinesTable([]),
  ],
  native_prices: [
    () => tables.nativePricesTable(competitions, { times }),
    () => tables.nativePricesTable([]),
  ],
  fee_policies: [() => tables.feePoliciesTable(debugReports), () => tables.feePoliciesTable([])],
  protocol_fees: [
    () => tables.protocolFeesTable(records, known),
    () => tables.protocolFeesTable([]),
  ],
  fees: [() => tables.feesTable(records, known), () => tables.feesTable([])],
  bids: [
    () => tables.bidsTable(competitions, { orders, trades, solvers, times }),
    () => tables.bidsTable([]),
  ],
  outcomes: [
    () => tables.outcomesTable(competitions, { trades, debugReports, solvers, times }),
    () => tables.outcomesTable([]),
  ],
  attempts: [
    () => tables.attemptsTable(competitions, { ...settled, network: "mainnet" }),
    () => tables.attemptsTable([]),
  ],
  fair_gain: [
    () => tables.fairGainTable(competitions, { orders, solvers, times }),
    () => tables.fairGainTable([]),
  ],
  fee_steps: [() => tables.feeStepsTable(records, known), () => tables.feeStepsTable([])],
  executions: [
    () => tables.executionsTable(debugReports, { solvers }),
    () => tables.executionsTable([]),
  ],
  order_events: [() => tables.orderEventsTable(debugReports), () => tables.orderEventsTable([])],
  order_auctions: [
    () => tables.orderAuctionsTable(debugReports),
    () => tables.orderAuctionsTable([]),
  ],
  settlement_attempts: [
    () => tables.settlementAttemptsTable(debugReports, { solvers }),
    () => tables.settlementAttemptsTable([]),
  ],
  fills: [() => tables.fillsTable(records, known), () => tables.fillsTable([])],
  best_other_bids: [
    () => tables.bestOtherBidsTable(records, known),
    () => tables.bestOtherBidsTable([]),
  ],
  solver_leaderboard: [
    () => tables.solverLeaderboardTable(competitions, { trades, debugReports, solvers }),
    () => tables.solverLeaderboardTable([]),
  ],
  solver_pairs: [
    () => tables.solverPairsTable(competitions, { solvers, times }),
    () => tables.solverPairsTable([]),
  ],
  lifecycle: [
    () => tables.lifecycleTable(records, { now, times }),
    () => tables.lifecycleTable([], { now }),
  ],
  rewards: [
    () => tables.rewardsTable(competitions, rewards),
    () => tables.rewardsTable([]),
  ],
  markout: [
    () => tables.markoutTable(records, { ...known, prices }),
    () => tables.markoutTable([], { prices }),
  ],
  winners_curse: [
    () => tables.winnersCurseTable(tables.markoutTable(records, { ...known, prices }).toRecords()),
    () => tables.winnersCurseTable([]),
  ],
  concentration: [
    () => tables.concentrationTable(tables.fillsTable(records, known).toRecords()),
    () => tables.concentrationTable([]),
  ],
  gas_surplus: [
    () =>
      tables.gasSurplusTable(tables.fillsTable(records, known).toRecords(), { settlements: gas }),
    () => tables.gasSurplusTable([]),
  ],
  cow_shares: [
    () => tables.cowSharesTable(tables.tradesTable(trades, known).toRecords()),
    () => tables.cowSharesTable([]),
  ],
  auction_rewards: [
    () => tables.auctionRewardsTable(competitions, rewards),
    () => tables.auctionRewardsTable([]),
  ],
};

/** Frames of audits, which are read only where all tables are built. */
async function auditFrames(): Promise<typeof frames> {
  const { AUCTIONS, AUDITS, FACTS, SETTLEMENTS } = await import("./settlements/audits.ts");
  const { solvers } = FACTS;
  return {
    settlements: [
      () => tables.settlementsTable(AUDITS, { solvers }),
      () => tables.settlementsTable([]),
    ],
    imbalances: [
      () => tables.imbalancesTable(AUDITS, { solvers, decimals: () => 18 }),
      () => tables.imbalancesTable([]),
    ],
    imbalance_values: [
      () =>
        tables.imbalanceValuesTable(AUDITS, {
          solvers,
          decimals: () => 18,
          competitions: AUCTIONS,
        }),
      () => tables.imbalanceValuesTable([]),
    ],
    token_flows: [
      () => tables.tokenFlowsTable(SETTLEMENTS, { decimals: () => 18 }),
      () => tables.tokenFlowsTable([]),
    ],
    chain_differences: [
      () => tables.chainDifferencesTable(AUDITS, { solvers }),
      () => tables.chainDifferencesTable([]),
    ],
  };
}

/** Every declared table, built. */
export async function builtTables(): Promise<BuiltTable[]> {
  const all = { ...frames, ...await auditFrames() };
  return tables.TABLES.map((table) => {
    const frame = all[table.name];
    if (frame === undefined) {
      throw new Error(
        `No frames of ${table.name}: add them to \`frames\` in tests/tables/market.ts, as a function ` +
          "that builds the table of the recorded market and one that builds it of nothing",
      );
    }
    const [full, empty] = frame;
    return { table, full: full(), empty: empty() };
  });
}

/** Names and kinds of the columns that a frame really has. */
export function dtypesOf(frame: Frame): [name: string, dtype: string][] {
  const schema: Record<string, { variant: string }> = frame.schema;
  return Object.entries(schema).map(([name, { variant }]) => [name, variant]);
}

/** Names and kinds of the columns that a table declares. */
export function declaredDtypes(table: Table<never>): [name: string, dtype: string][] {
  return table.columns.map(({ name, dtype }) => [name, dtype]);
}
