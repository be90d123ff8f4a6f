import type { ChainRecord } from "../lib/recordings/recorded_chain.ts";
import { unpack } from "./metrics/recorded_run.ts";

/** A settlement as the service stored it. */
export interface StoredSettlement {
  tx_hash: string;
  auction_id: number;
  solution_uid: number;
  block_number: number;
  log_index: number;
  solver: string;
  gas_used: string;
  effective_gas_price: string;
}

/** What the service stored of a shipped run. */
export interface StoredRun {
  readonly settlements: readonly StoredSettlement[];
  readonly trades: readonly {
    block_number: number;
    log_index: number;
    order_uid: string;
    sell_amount: string;
    buy_amount: string;
  }[];
  readonly proposed_solutions: readonly {
    auction_id: number;
    solver: string;
    score: string;
    is_winner: boolean;
    filtered_out: boolean;
  }[];
  readonly order_execution: readonly {
    order_uid: string;
    auction_id: number;
    executed_fee: string;
    protocol_fee_amounts: string[];
  }[];
  /** Whether a settlement came after its deadline. */
  isLate(settlement: StoredSettlement): boolean;
}

/** Reads what the service stored of a shipped run, such as `market_1`. */
export async function storedRun(name: string): Promise<StoredRun> {
  const stored = JSON.parse(await unpack(`${name}.truth.json.gz`));
  const executions: { auction_id: number; solution_uid: number; deadline_block: number }[] =
    stored.settlement_executions;
  const deadlines = new Map(
    executions.map((one) => [`${one.auction_id} ${one.solution_uid}`, one.deadline_block]),
  );
  const isLate = (one: StoredSettlement) =>
    one.block_number > deadlines.get(`${one.auction_id} ${one.solution_uid}`)!;
  return { ...stored, isLate };
}

/** What the chain of a shipped run recorded. */
export async function recordedChain(name: string): Promise<ChainRecord> {
  return JSON.parse(await unpack(`${name}.chain.json.gz`));
}
