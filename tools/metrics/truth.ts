import { readJson } from "./read_json.ts";

/** A solution as the service stored it. */
export interface StoredSolution {
  readonly auction_id: number;
  /** Its place less one. */
  readonly uid: number;
  readonly solver: string;
  readonly is_winner: boolean;
  readonly filtered_out: boolean;
  readonly score: string;
}

/** The reference score of a solver in an auction, as the service stored it. */
export interface StoredReferenceScore {
  readonly auction_id: number;
  readonly solver: string;
  readonly reference_score: string;
}

/** What a solution does with an order, as the service stored it: of every order, known or not. */
export interface StoredProposal {
  readonly auction_id: number;
  readonly solution_uid: number;
  readonly order_uid: string;
}

/** The fees of an order in an auction, as the service stored them. */
export interface StoredExecution {
  readonly auction_id: number;
  readonly order_uid: string;
  readonly block_number: number;
  readonly executed_fee: string;
  readonly executed_fee_token: string;
  readonly protocol_fee_tokens: readonly string[];
  readonly protocol_fee_amounts: readonly string[];
}

/** A settlement, as the service indexed it. */
export interface StoredSettlement {
  readonly block_number: number;
  readonly log_index: number;
  readonly tx_hash: string;
  readonly auction_id: number | null;
  readonly solution_uid: number | null;
}

/** A trade, as the service indexed it. */
export interface StoredTrade {
  readonly block_number: number;
  readonly log_index: number;
  readonly order_uid: string;
  readonly sell_amount: string;
  readonly buy_amount: string;
}

/** An auction, as the service stored it. */
export interface StoredAuction {
  readonly id: number;
  readonly deadline: number;
  readonly order_uids?: readonly string[];
  readonly surplus_capturing_jit_order_owners?: readonly string[];
}

/** The service's own tables of one run, those that the checks read; a table may be missing. */
export interface Truth {
  readonly competition_auctions?: readonly StoredAuction[];
  readonly proposed_solutions?: readonly StoredSolution[];
  readonly proposed_trade_executions?: readonly StoredProposal[];
  readonly reference_scores?: readonly StoredReferenceScore[];
  readonly order_execution?: readonly StoredExecution[];
  readonly settlements?: readonly StoredSettlement[];
  readonly trades?: readonly StoredTrade[];
}

/** Reads `<scenario>.truth.json`; `null` without the file. */
export async function readTruth(file: string): Promise<Truth | null> {
  return await readJson(file) as Truth | null;
}

/** Rows of a table by what `keyOf` says of each. */
export function groupRows<Row, Key>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => Key,
): Map<Key, Row[]> {
  return Map.groupBy(rows ?? [], keyOf);
}
