import { BEST_OTHER_BIDS } from "./best_other_bids.ts";
import { EXECUTIONS } from "./executions.ts";
import { FEE_POLICIES } from "./fee_policies.ts";
import { FEE_STEPS } from "./fee_steps.ts";
import type { Table } from "./frame.ts";
import { LIFECYCLE } from "./lifecycle.ts";
import { MISSED_BASELINES } from "./missed_baselines.ts";
import { NATIVE_PRICES } from "./native_prices.ts";
import { ORDER_AUCTIONS } from "./order_auctions.ts";
import { ORDER_EVENTS } from "./order_events.ts";
import { ORDERS } from "./orders.ts";
import { PROTOCOL_FEES } from "./protocol_fees.ts";
import { REFERENCE_SCORES } from "./reference_scores.ts";
import { SETTLEMENT_ATTEMPTS } from "./settlement_attempts.ts";
import { SLIPPAGE } from "./slippage.ts";
import { SOLUTION_ORDERS } from "./solution_orders.ts";
import { SOLUTIONS } from "./solutions.ts";
import { SOLVER_LEADERBOARD } from "./solver_leaderboard.ts";
import { SOLVER_PAIRS } from "./solver_pairs.ts";
import { TRADES } from "./trades.ts";

/** Every table, as declared: for documentation and for checks over all of them. */
export const TABLES: readonly Table<never>[] = [
  ORDERS,
  TRADES,
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
  SLIPPAGE,
  BEST_OTHER_BIDS,
  SOLVER_LEADERBOARD,
  SOLVER_PAIRS,
  LIFECYCLE,
];
