import { BEST_OTHER_BIDS } from "./auctions/best_other_bids.ts";
import { BIDS } from "./auctions/bids.ts";
import { FAIR_GAIN } from "./auctions/fair_gain.ts";
import { MISSED_BASELINES } from "./auctions/missed_baselines.ts";
import { NATIVE_PRICES, OUTCOMES } from "./auctions/outcomes.ts";
import { REFERENCE_SCORES, SETTLEMENT_ATTEMPTS } from "./auctions/settlement_attempts.ts";
import { SOLUTION_ORDERS, SOLUTIONS } from "./auctions/solutions.ts";
import type { Table } from "./columns/frame.ts";
import { FEE_POLICIES, FEE_STEPS } from "./fees/fee_steps.ts";
import { FEES, PROTOCOL_FEES } from "./fees/fees.ts";
import { FILLS } from "./fills/fills.ts";
import { MARKOUT } from "./markout/markout.ts";
import { WINNERS_CURSE } from "./markout/winners_curse.ts";
import { EXECUTIONS, ORDER_AUCTIONS, ORDER_EVENTS } from "./orders/report_tables.ts";
import { LIFECYCLE } from "./orders/lifecycle.ts";
import { ORDERS } from "./orders/orders.ts";
import { TOKENS } from "./orders/tokens.ts";
import { TRADES } from "./orders/trades.ts";
import { ATTEMPTS } from "./rewards/attempts.ts";
import { AUCTION_REWARDS, REWARDS } from "./rewards/rewards.ts";
import { CHAIN_DIFFERENCES, SETTLEMENTS } from "./settlements/settlements.ts";
import { IMBALANCE_VALUES, IMBALANCES, TOKEN_FLOWS } from "./settlements/imbalances.ts";

/** Every declared table, for documentation and for checks of all tables. */
export const TABLES: readonly Table<never>[] = [
  ORDERS,
  TRADES,
  TOKENS,
  SOLUTIONS,
  SOLUTION_ORDERS,
  REFERENCE_SCORES,
  MISSED_BASELINES,
  NATIVE_PRICES,
  FEE_POLICIES,
  PROTOCOL_FEES,
  FEE_STEPS,
  EXECUTIONS,
  ORDER_EVENTS,
  ORDER_AUCTIONS,
  SETTLEMENT_ATTEMPTS,
  FILLS,
  FEES,
  BIDS,
  OUTCOMES,
  ATTEMPTS,
  FAIR_GAIN,
  BEST_OTHER_BIDS,
  LIFECYCLE,
  REWARDS,
  AUCTION_REWARDS,
  MARKOUT,
  WINNERS_CURSE,
  SETTLEMENTS,
  IMBALANCES,
  IMBALANCE_VALUES,
  TOKEN_FLOWS,
  CHAIN_DIFFERENCES,
];
