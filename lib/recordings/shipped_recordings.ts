/** The recordings in `data/recorded`; `facts` if a deployment file exists. */
const SHIPPED: Readonly<Record<string, { readonly facts?: true }>> = {
  app_data__app_data: {},
  debug_order__debug_order_filter_reason: {},
  edges: { facts: true },
  ethflow__eth_flow_indexing_after_refund: {},
  ethflow__eth_flow_tx: {},
  hooks__partial_fills: {},
  market_1: { facts: true },
  order_cancellation__order_cancellation: {},
  protocol_fee__combined_protocol_fees: {},
  quoting__quote_stream_smoke: {},
  simulated_1: { facts: true },
  smart_contract_orders__smart_contract_orders: {},
  solver_competition__cannot_replace_order_bid_on_by_non_winning_solution: {},
  tracking_insufficient_funds__test: {},
  trades_v2__trades_v2_endpoints: {},
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

/** The files of a shipped recording; `undefined` if there is none with this name. */
export function shippedRecording(name: string): { file: URL; facts?: URL } | undefined {
  if (!Object.hasOwn(SHIPPED, name)) return undefined;
  const file = new URL(`${name}.ndjson.gz`, folder);
  return SHIPPED[name]?.facts
    ? { file, facts: new URL(`${name}.deployment.json`, folder) }
    : { file };
}
