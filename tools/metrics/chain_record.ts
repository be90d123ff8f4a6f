import { readJson } from "./read_json.ts";

/** A settlement transaction on the chain. */
export interface ChainSettlement {
  readonly from: string;
  readonly to: string;
  /** Calldata. */
  readonly input: string;
  readonly blockNumber: number;
}

/** An event of the settlement contract. */
export interface ChainLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly transactionHash: string;
}

/** On-chain settlements and events of one run. */
export interface ChainRecord {
  /** By transaction hash. */
  readonly settlements: Readonly<Record<string, ChainSettlement>>;
  readonly logs: readonly ChainLog[];
}

/** Reads `<scenario>.chain.json`; `null` without the file. */
export async function readChain(file: string): Promise<ChainRecord | null> {
  return await readJson(file) as ChainRecord | null;
}
