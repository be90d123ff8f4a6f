import type { ChainRecord } from "../lib/recordings/recorded_chain.ts";
import type { StoredSettlement as Settlement, Truth } from "../tools/metrics/truth.ts";
import { unpack } from "./metrics/recorded_run.ts";

/** A settlement of an auction as the service stored it. */
export interface StoredSettlement extends Settlement {
  readonly auction_id: number;
  readonly solution_uid: number;
  readonly solver: string;
  readonly gas_used: string;
  readonly effective_gas_price: string;
}

/** What the service stored of a shipped run. */
export interface StoredRun extends Required<Omit<Truth, "settlements">> {
  readonly settlements: readonly StoredSettlement[];
  /** Whether a settlement came after its deadline. */
  isLate(settlement: StoredSettlement): boolean;
}

/** Reads what the service stored of a shipped run, such as `market_1`. */
export async function storedRun(name: string): Promise<StoredRun> {
  const stored = await parsed(`${name}.truth.json.gz`);
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
  return await parsed(`${name}.chain.json.gz`);
}

const files = new Map<string, Promise<ReturnType<typeof JSON.parse>>>();

/** A file, read once for all tests that ask for it. */
async function parsed(name: string) {
  return await files.getOrInsertComputed(name, () => unpack(name).then(JSON.parse));
}
