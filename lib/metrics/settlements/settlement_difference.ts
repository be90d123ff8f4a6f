/**
 * What differs between the chain and the report of a settlement:
 *
 * - `"reverted"`: the transaction failed
 * - `"other_contract"`: another contract than the settlement contract was called, and emitted the
 *   events
 * - `"other_order"`: the calldata encodes another order than the UID of its event, or another account
 *   signed it
 * - `"other_settled_amounts"`: the event has other amounts or another fee than the calldata gives
 * - `"other_auction"`: the calldata ends with the id of another auction
 * - `"transaction_not_reported"`: the competition does not have the transaction
 * - `"no_solution"`: no solution of the competition has the transaction or these orders
 * - `"not_a_winner"`: the solution did not win
 * - `"other_solver"`: another account submitted it
 * - `"late"`: the block is after the auction's deadline
 * - `"trade_not_reported"`: the solution does not have the order
 * - `"trade_not_settled"`: the order of the solution was not settled in the transaction
 * - `"other_amounts"`: the solution has other amounts
 * - `"fill_not_reported"`: no reported fill is the trade's event
 * - `"fill_not_settled"`: a reported fill of the transaction is none of its events
 * - `"other_fill"`: the reported fill has other amounts or another place in the chain
 * - `"other_executed_amounts"`: the order says that less was executed, or more of an order that is
 *   filled at once
 * - `"other_executed_fee"`: the order has another `executedFee`
 * - `"fees_exceed_total"`: the reported protocol fees exceed all fees of the trade
 * - `"hook_missing"`: a hook of an order is not among the interactions
 * - `"hooks_out_of_order"`: hooks are called in another order than that of the trades
 */
export type SettlementDifferenceKind =
  | "reverted"
  | "other_contract"
  | "other_order"
  | "other_settled_amounts"
  | "other_auction"
  | "transaction_not_reported"
  | "no_solution"
  | "not_a_winner"
  | "other_solver"
  | "late"
  | "trade_not_reported"
  | "trade_not_settled"
  | "other_amounts"
  | "fill_not_reported"
  | "fill_not_settled"
  | "other_fill"
  | "other_executed_amounts"
  | "other_executed_fee"
  | "fees_exceed_total"
  | "hook_missing"
  | "hooks_out_of_order";

/** One difference between the chain and what was reported. */
export interface SettlementDifference {
  /** What differs. */
  readonly what: SettlementDifferenceKind;
  /** Order concerned; `null` if it is the whole settlement. */
  readonly uid: string | null;
  /** According to the chain. */
  readonly onChain: string;
  /** According to the report. */
  readonly reported: string;
}

/** Amounts in a difference. */
export function amountsText(
  { sellAmount, buyAmount }: { readonly sellAmount: bigint; readonly buyAmount: bigint },
): string {
  return `sold ${sellAmount}, bought ${buyAmount}`;
}
