/**
 * The recordings of `data/recorded`; `facts` if there is a file of facts beside the exchanges,
 * `chain` if there is one of the chain's records.
 */
const SHIPPED: Readonly<Record<string, { readonly facts?: true; readonly chain?: true }>> = {
  app_data__app_data: { chain: true },
  debug_order__debug_order_filter_reason: {},
  edges: { facts: true },
  ethflow__eth_flow_indexing_after_refund: { chain: true },
  ethflow__eth_flow_tx: { chain: true },
  hooks__partial_fills: { chain: true },
  market_1: { facts: true, chain: true },
  market_3: { facts: true, chain: true },
  order_cancellation__order_cancellation: {},
  protocol_fee__combined_protocol_fees: { chain: true },
  quoting__quote_stream_smoke: { chain: true },
  simulated_1: { facts: true, chain: true },
  smart_contract_orders__smart_contract_orders: { chain: true },
  solver_competition__cannot_replace_order_bid_on_by_non_winning_solution: { chain: true },
  tracking_insufficient_funds__test: { chain: true },
  trades_v2__trades_v2_endpoints: { chain: true },
};

const folder = new URL("../../data/recorded/", import.meta.url);

/**
 * Names of the recordings that ship with the library, sorted.
 *
 * @example The recorded market of the real service
 * ```ts
 * import { shippedRecordings } from "orderlens/recordings";
 * import { assert } from "@std/assert";
 *
 * assert((await shippedRecordings()).includes("market_1"));
 * ```
 */
export function shippedRecordings(): Promise<string[]> {
  return Promise.resolve(Object.keys(SHIPPED));
}

/** The files of one recording. */
export interface RecordingFiles {
  /** Name of the recording: that of the file or folder, without extensions. */
  readonly name: string;
  /** Files of exchanges, in reading sequence. */
  readonly files: readonly (string | URL)[];
  /** Deployment file; `undefined` if there is none. */
  readonly facts: string | URL | undefined;
  /** Files of the chain's records. */
  readonly chains: readonly (string | URL)[];
}

/** Finds the files of a shipped recording; `undefined` if none has the name. */
export function findShippedRecording(name: string): RecordingFiles | undefined {
  if (!Object.hasOwn(SHIPPED, name)) return undefined;
  const { facts, chain } = SHIPPED[name]!;
  return {
    name,
    files: [new URL(`${name}.ndjson.gz`, folder)],
    facts: facts && new URL(`${name}.deployment.json`, folder),
    chains: chain ? [new URL(`${name}.chain.json.gz`, folder)] : [],
  };
}
