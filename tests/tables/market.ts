import { assert } from "@std/assert";
import type { Competition, DebugReport, Order, Trade } from "orderlens";
import type { Instance } from "orderlens/schemas";
import * as tables from "orderlens/tables";
import { AuctionTimes } from "orderlens/metrics";
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

/** Instances of `market_1`, as its orders have them. */
export const instances: readonly Instance[] = competitions.map(({ auctionId, auction }) => ({
  id: auctionId,
  deadline: Temporal.Instant.from("2026-11-21T14:50:00Z"),
  effectiveGasPrice: 1_000_000_007n,
  orders: auction.orders.flatMap((uid) => {
    const order = scenario.orders.get(uid);
    if (order === undefined) return [];
    const { kind, sellToken, buyToken, sellAmount, buyAmount } = order;
    const limit = { fullSellAmount: sellAmount, fullBuyAmount: buyAmount };
    return [{ uid, kind, sellToken, buyToken, sellAmount, buyAmount, ...limit }];
  }),
  surplusCapturingJitOrderOwners: [`0x${"0e".repeat(20)}`],
}));

/** Solvers of `market_1`, with their names. */
export const { solvers } = deployment;
/** Times of `market_1`, whose chain is recorded without timestamps of blocks. */
export const times = new AuctionTimes(competitions, { orders });

/** `buildTable()`, called as JavaScript may call it. */
export const build = tables.buildTable as (table: unknown, records?: unknown) => tables.Frame;

/** Every table, whatever is added to it. */
export const ALL: readonly tables.Table[] = Object.values(tables.TABLES);
assert(ALL.length > 0);

/** The least that a table can be built from: no records, and the parameters that it needs. */
export function nothingOf({ of }: tables.Table): tables.Records {
  const needed: Readonly<Record<string, unknown>> = { now, prices: tables.priceSeries([]) };
  return Object.fromEntries(of.map((name) => [name, needed[name] ?? []]));
}

/** Records of `market_1` by the name under which a table is built of them. */
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  ...{ competitions, debugReports, instances, orders, records, trades },
};

/** Inputs of the tables that take more than the records that they are of: all that they can take. */
async function inputs(): Promise<Record<string, tables.Records>> {
  const { AUCTIONS, AUDITS, FACTS, SETTLEMENTS } = await import("./settlements/audits.ts");
  const dollarTokens = [deployment.tokens[0]!.address];
  const known = { competitions, solvers, times, dollarTokens };
  const fills = { records, ...known };
  const settled = { trades, debugReports, solvers, times, network: "mainnet" };
  const rewards = {
    competitions,
    ...settled,
    orders,
    cowPrice: [{ nativeAtoms: 10n ** 14n, source: "a test" }],
  };
  const tokens = new Set(competitions.flatMap(({ auction }) => Object.keys(auction.prices)));
  const prices = tables.priceSeries(
    [...tokens].map((token) => (
      { token, time: "2026-11-21T14:50:00Z", price_usd: "2500.01", source: "made up" }
    )),
  );
  const markouts = tables.buildTable(tables.MARKOUT, { ...fills, prices })
    .toRecords<tables.ContestedFillRow>();
  const decimals = () => 18;
  const audited = {
    audits: AUDITS,
    solvers: new Map([
      ...Object.entries(FACTS.solvers),
      ...solvers.map(({ address, name }) => [address, name] as const),
    ]),
  };
  const at = Temporal.Instant.from("2026-11-21T14:50:00Z");
  return {
    auctions: { ...known, orders },
    orders: { orders, solvers },
    trades: { trades, ...known },
    blocks: { blocks: [{ number: 1000, at }] },
    solutions: known,
    solution_orders: known,
    reference_scores: known,
    missed_baselines: { competitions, orders, debugReports, solvers },
    native_prices: known,
    protocol_fees: fills,
    fees: fills,
    bids: { ...known, orders, trades },
    outcomes: { ...known, trades, debugReports },
    attempts: { competitions, ...settled },
    fair_gain: { ...known, orders },
    instance_orders: { ...known, instances, orders },
    fee_steps: fills,
    executions: { debugReports, solvers },
    settlement_attempts: { debugReports, solvers },
    fills,
    best_other_bids: fills,
    lifecycle: { evidence: records, now, times },
    rewards,
    markout: { ...fills, prices },
    winners_curse: { markouts },
    auction_rewards: rewards,
    settlements: audited,
    imbalances: { ...audited, decimals },
    imbalance_values: {
      ...audited,
      decimals,
      competitions: AUCTIONS,
      dollarTokens: Object.keys(AUCTIONS[0]!.auction.prices),
    },
    settlement_slippage: { ...audited, competitions: AUCTIONS, times },
    token_flows: { onchainSettlements: SETTLEMENTS, decimals },
    chain_differences: audited,
  };
}

/** Every declared table of the market with every input, and of nothing. */
export async function builtTables() {
  const all = await inputs();
  return ALL.map((table) => {
    const given = all[table.name] ?? Object.fromEntries(table.of.map((name) => {
      if (LISTS[name] === undefined) {
        throw new Error(`Add to inputs() of tests/tables/market.ts the ${name} of ${table.name}`);
      }
      return [name, LISTS[name]];
    }));
    return { table, given, full: build(table, given), empty: build(table, nothingOf(table)) };
  });
}

/** Names and kinds of the columns that a frame really has. */
export function dtypesOf(frame: tables.Frame): [name: string, dtype: string][] {
  const schema: Record<string, { variant: string }> = frame.schema;
  return Object.entries(schema).map(([name, { variant }]) => [name, variant]);
}

/** Names and kinds of the columns that a table declares. */
export function declaredDtypes(table: tables.Table): [name: string, dtype: string][] {
  return table.columns.map(({ name, dtype }) => [name, dtype]);
}
