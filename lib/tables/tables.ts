import { AUCTIONS } from "./auctions/auctions.ts";
import { BEST_OTHER_BIDS } from "./auctions/best_other_bids.ts";
import { BIDS } from "./auctions/bids.ts";
import { FAIR_GAIN } from "./auctions/fair_gain.ts";
import { INSTANCE_ORDERS, INSTANCES } from "./auctions/instances.ts";
import { MISSED_BASELINES } from "./auctions/missed_baselines.ts";
import { ORDER_LISTINGS } from "./auctions/order_listings.ts";
import { NATIVE_PRICES, OUTCOMES } from "./auctions/outcomes.ts";
import { REFERENCE_SCORES, SETTLEMENT_ATTEMPTS } from "./auctions/settlement_attempts.ts";
import { SOLUTION_ORDERS, SOLUTIONS } from "./auctions/solutions.ts";
import { FEE_POLICIES, FEE_STEPS } from "./fees/fee_steps.ts";
import { FEES, PROTOCOL_FEES } from "./fees/fees.ts";
import { FILLS } from "./fills/fills.ts";
import { MARKOUT } from "./markout/markout.ts";
import { WINNERS_CURSE } from "./markout/winners_curse.ts";
import { APP_DATA } from "./orders/app_data.ts";
import { LIFECYCLE } from "./orders/lifecycle.ts";
import { ORDERS } from "./orders/orders.ts";
import { EXECUTIONS, ORDER_AUCTIONS, ORDER_EVENTS } from "./orders/report_tables.ts";
import { TOKENS } from "./orders/tokens.ts";
import { TRADES } from "./orders/trades.ts";
import { ATTEMPTS } from "./rewards/attempts.ts";
import { AUCTION_REWARDS, REWARDS } from "./rewards/rewards.ts";
import { BLOCKS } from "./settlements/blocks.ts";
import { IMBALANCE_VALUES, IMBALANCES, TOKEN_FLOWS } from "./settlements/imbalances.ts";
import { SETTLEMENT_SLIPPAGE } from "./settlements/settlement_slippage.ts";
import { CHAIN_DIFFERENCES, SETTLEMENTS } from "./settlements/settlements.ts";
import type { Frame } from "./columns/frame.ts";
import type { Table } from "./columns/table.ts";

/**
 * The tables of a market, with names, decimals, times with their basis and fee policies. Their columns
 * are in the data dictionary.
 */
export interface MarketTables {
  /** One row per auction with solutions. */
  auctions(): Promise<Frame>;
  /** One row per solution. */
  solutions(): Promise<Frame>;
  /** One row per order in a solution. */
  solutionOrders(): Promise<Frame>;
  /** One row per solver that won an auction: the score of the auction without it. */
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
  /** One row per known token of its orders: symbol and decimals. */
  tokenFacts(): Promise<Frame>;
  /** One row per auction and token. */
  nativePrices(): Promise<Frame>;
  /** One row per order and interval of auctions that list it. */
  orderListings(): Promise<Frame>;
  /** One row per auction whose instance is known: what solvers were asked to solve. */
  instances(): Promise<Frame>;
  /** One row per order with a bid in such an auction: where its limit and its role come from. */
  instanceOrders(): Promise<Frame>;
  /** One row per settlement that was compared with the chain; none without a node. */
  settlements(): Promise<Frame>;
  /** One row per settlement and token: the contract's imbalance; none without a node. */
  imbalances(): Promise<Frame>;
  /** One row per difference between the reports and the chain; none without a node. */
  chainDifferences(): Promise<Frame>;
  /** One row per settlement: its slippage after fees, with bounds; none without a node. */
  settlementSlippage(): Promise<Frame>;
  /** One row per fill: surplus, slippage and its parts, fees, the best other bid. */
  fills(): Promise<Frame>;
  /** One row per charged fee, recomputed to the atom. */
  fees(): Promise<Frame>;
  /** One row per order in a solution: executed or not, over its limit, left on the table. */
  bids(): Promise<Frame>;
  /** One row per solution, with its outcome if it won. */
  outcomes(): Promise<Frame>;
  /** One row per order in a winning solution: whether the win was settled, and the penalty. */
  attempts(): Promise<Frame>;
  /** One row per order in a winning solution, against its best single-pair bid. */
  fairGain(): Promise<Frame>;
  /** One row per order: its times and its end. */
  lifecycle(): Promise<Frame>;
  /** One row per solver and accounting week. */
  rewards(): Promise<Frame>;
  /** One row per winning solver and auction. */
  auctionRewards(): Promise<Frame>;
  /** One row per pair on which a solution scored less than the best single-pair bid. */
  missedBaselines(): Promise<Frame>;
  /** One row per fill with another bid for its order. */
  bestOtherBids(): Promise<Frame>;
  /** One row per step of a fill's amount, from clearing prices to the executed amount. */
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

/** Every table, in the order in which they are documented, by the method of a market. */
export const TABLES: Readonly<
  // The last four need more than the records of a market.
  Record<keyof MarketTables | "blocks" | "markout" | "winnersCurse" | "tokenFlows", Table>
> = {
  auctions: AUCTIONS,
  solutions: SOLUTIONS,
  solutionOrders: SOLUTION_ORDERS,
  referenceScores: REFERENCE_SCORES,
  orders: ORDERS,
  trades: TRADES,
  protocolFees: PROTOCOL_FEES,
  executions: EXECUTIONS,
  orderEvents: ORDER_EVENTS,
  appData: APP_DATA,
  tokenFacts: TOKENS,
  nativePrices: NATIVE_PRICES,
  orderListings: ORDER_LISTINGS,
  blocks: BLOCKS,
  settlements: SETTLEMENTS,
  imbalances: IMBALANCES,
  chainDifferences: CHAIN_DIFFERENCES,
  settlementSlippage: SETTLEMENT_SLIPPAGE,
  fills: FILLS,
  fees: FEES,
  bids: BIDS,
  outcomes: OUTCOMES,
  attempts: ATTEMPTS,
  fairGain: FAIR_GAIN,
  lifecycle: LIFECYCLE,
  rewards: REWARDS,
  auctionRewards: AUCTION_REWARDS,
  missedBaselines: MISSED_BASELINES,
  bestOtherBids: BEST_OTHER_BIDS,
  feeSteps: FEE_STEPS,
  feePolicies: FEE_POLICIES,
  orderAuctions: ORDER_AUCTIONS,
  settlementAttempts: SETTLEMENT_ATTEMPTS,
  imbalanceValues: IMBALANCE_VALUES,
  instances: INSTANCES,
  instanceOrders: INSTANCE_ORDERS,
  markout: MARKOUT,
  winnersCurse: WINNERS_CURSE,
  tokenFlows: TOKEN_FLOWS,
};
