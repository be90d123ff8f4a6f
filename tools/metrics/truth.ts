/** A stored solution. */
export interface StoredSolution {
  readonly auction_id: number;
  /** Its ranking minus 1. */
  readonly uid: number;
  readonly solver: string;
  readonly is_winner: boolean;
  readonly filtered_out: boolean;
  readonly score: string;
}

/** The stored reference score of a solver in an auction. */
export interface StoredReferenceScore {
  readonly auction_id: number;
  readonly solver: string;
  readonly reference_score: string;
}

/** A stored execution of an order in a solution, including unknown orders. */
export interface StoredProposal {
  readonly auction_id: number;
  readonly solution_uid: number;
  readonly order_uid: string;
}

/** The stored fees of an order in an auction. */
export interface StoredExecution {
  readonly auction_id: number;
  readonly order_uid: string;
  readonly block_number: number;
  readonly executed_fee: string;
  readonly executed_fee_token: string;
  readonly protocol_fee_tokens: readonly string[];
  readonly protocol_fee_amounts: readonly string[];
}

/** An indexed settlement. */
export interface StoredSettlement {
  readonly block_number: number;
  readonly log_index: number;
  readonly tx_hash: string;
  readonly auction_id: number | null;
  readonly solution_uid: number | null;
}

/** An indexed trade. */
export interface StoredTrade {
  readonly block_number: number;
  readonly log_index: number;
  readonly order_uid: string;
  readonly sell_amount: string;
  readonly buy_amount: string;
}

/** A stored event of an order. */
export interface StoredEvent {
  readonly order_uid: string;
  /** RFC 3339 text with microseconds at most. */
  readonly timestamp: string;
  readonly label: string;
  readonly reason: string | null;
}

/** A stored attempt to settle a solution. */
export interface StoredAttempt {
  readonly auction_id: number;
  readonly solution_uid: number;
  readonly outcome: string | null;
}

/** A stored app data document. */
export interface StoredAppData {
  /** The document as hex text. */
  readonly full_app_data: string;
}

/** A stored auction. */
export interface StoredAuction {
  readonly id: number;
  readonly price_tokens?: readonly string[];
  readonly price_values?: readonly string[];
  readonly deadline: number;
  readonly order_uids?: readonly string[];
  readonly surplus_capturing_jit_order_owners?: readonly string[];
}

/** The service's tables of one run that the checks read; a table may be missing. */
export interface Truth {
  readonly competition_auctions?: readonly StoredAuction[];
  readonly proposed_solutions?: readonly StoredSolution[];
  readonly proposed_trade_executions?: readonly StoredProposal[];
  readonly reference_scores?: readonly StoredReferenceScore[];
  readonly order_execution?: readonly StoredExecution[];
  readonly settlements?: readonly StoredSettlement[];
  readonly trades?: readonly StoredTrade[];
  readonly orders?: readonly unknown[];
  readonly order_events?: readonly StoredEvent[];
  readonly settlement_executions?: readonly StoredAttempt[];
  readonly app_data?: readonly StoredAppData[];
}

/** Groups rows of a table by key. */
export function groupRows<Row, Key>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => Key,
): Map<Key, Row[]> {
  return Map.groupBy(rows ?? [], keyOf);
}
