import type { Competition, DebugReport, Order, Trade } from "orderlens";
import * as tables from "orderlens/tables";
import { AuctionTimes, policiesByAuction } from "orderlens/metrics";
import { recordedRun } from "../metrics/recorded_run.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

const scenario = await recordedRun("market_1");

/** One row of a table of the service. */
export type TruthRow = Readonly<Record<string, string | number | boolean | null>>;

/** What the service stored of `market_1`, by table. */
export const truth = scenario.truth as unknown as Readonly<Record<string, readonly TruthRow[]>>;

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
/** The calldata of a settlement of `market_1`. */
export function calldataOf(txHash: string): string {
  return scenario.chain.settlements[txHash]!.input;
}
/** After the last expired order, and before the expiry of those that were still open. */
export const now = Temporal.Instant.from("2026-11-21T15:30:00Z");

const tradesOf = Map.groupBy(trades, ({ orderUid }) => orderUid);

/** All that is known of each order of `market_1`. */
export const records: readonly tables.OrderRecords[] = orders.map((order) => ({
  order,
  trades: tradesOf.get(order.uid) ?? [],
  debugReport: scenario.reports.get(order.uid),
}));

/** Solvers of `market_1`, with their names. */
export const { solvers } = deployment;
/** Times of `market_1`, whose chain is recorded without timestamps of blocks. */
export const times = new AuctionTimes(competitions, { orders });

/** A function that builds a table, called as JavaScript may call it. */
export type Build = (records: unknown, options?: unknown) => tables.Frame;

/** The name of a function that builds a table: `feeStepsTable` of `fee_steps`. */
export function builderOf(table: string): string {
  return `${table.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}Table`;
}

/** Every function of the entry point that builds a table, whatever is added to it, by its name. */
export const BUILDERS: ReadonlyMap<string, Build> = new Map(
  Object.entries(tables).filter(([name]) => /^[a-z]\w*Table$/.test(name)) as [string, Build][],
);

/** Options that must be given. */
export const NEEDED: Readonly<Record<string, object>> = {
  lifecycleTable: { now },
  markoutTable: { prices: tables.priceSeries([]) },
};

/** What each table is built from, and with which options: all that it can take. */
async function inputs(): Promise<Record<string, [records: unknown, options?: object]>> {
  const { AUCTIONS, AUDITS, FACTS, SETTLEMENTS } = await import("./settlements/audits.ts");
  const known = { competitions, solvers, times };
  const settled = { trades, debugReports, solvers, times, network: "mainnet" };
  const rewards = { ...settled, orders, cowPrice: 10n ** 14n };
  const policies = policiesByAuction({ debugReports });
  const tokens = new Set(competitions.flatMap(({ auction }) => Object.keys(auction.prices)));
  const prices = tables.priceSeries(
    [...tokens].map((token) => (
      { token, time: "2026-11-21T14:50:00Z", price_usd: "2500.01", source: "made up" }
    )),
  );
  const markout = tables.markoutTable(records, { ...known, prices }).toRecords();
  const decimals = () => 18;
  const audited = {
    solvers: new Map([
      ...Object.entries(FACTS.solvers),
      ...solvers.map(({ address, name }) => [address, name] as const),
    ]),
  };
  return {
    orders: [orders, { solvers }],
    trades: [trades, known],
    tokens: [orders],
    solutions: [competitions, { solvers, times }],
    solution_orders: [competitions, { solvers }],
    reference_scores: [competitions, { solvers }],
    missed_baselines: [competitions, { orders: scenario.orders, policies, solvers }],
    native_prices: [competitions, { times }],
    fee_policies: [debugReports],
    protocol_fees: [records, known],
    fees: [records, known],
    bids: [competitions, { orders, trades, solvers, times }],
    outcomes: [competitions, { trades, debugReports, solvers, times }],
    attempts: [competitions, settled],
    fair_gain: [competitions, { orders, solvers, times }],
    fee_steps: [records, known],
    executions: [debugReports, { solvers }],
    order_events: [debugReports],
    order_auctions: [debugReports],
    settlement_attempts: [debugReports, { solvers }],
    fills: [records, known],
    best_other_bids: [records, known],
    lifecycle: [records, { now, times }],
    rewards: [competitions, rewards],
    markout: [records, { ...known, prices }],
    winners_curse: [markout],
    auction_rewards: [competitions, rewards],
    settlements: [AUDITS, audited],
    imbalances: [AUDITS, { ...audited, decimals }],
    imbalance_values: [AUDITS, { ...audited, decimals, competitions: AUCTIONS }],
    token_flows: [SETTLEMENTS, { decimals }],
    chain_differences: [AUDITS, audited],
  };
}

/** Every declared table of the market with every input, and of nothing. */
export async function builtTables() {
  const all = await inputs();
  return tables.TABLES.map((table) => {
    const given = all[table.name];
    if (given === undefined) {
      throw new Error(
        `No inputs of ${table.name}: add to \`inputs\` in tests/tables/market.ts what it is built of`,
      );
    }
    const name = builderOf(table.name);
    const build = BUILDERS.get(name)!;
    return { table, full: build(...given), empty: build([], NEEDED[name]) };
  });
}

/** Names and kinds of the columns that a frame really has. */
export function dtypesOf(frame: tables.Frame): [name: string, dtype: string][] {
  const schema: Record<string, { variant: string }> = frame.schema;
  return Object.entries(schema).map(([name, { variant }]) => [name, variant]);
}

/** Names and kinds of the columns that a table declares. */
export function declaredDtypes(table: tables.Table<never>): [name: string, dtype: string][] {
  return table.columns.map(({ name, dtype }) => [name, dtype]);
}
