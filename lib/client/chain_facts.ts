import type { RpcAnswer, RpcCall } from "../evm/mod.ts";
import type { NodeSource } from "../evm/node/node_source.ts";
import type { OrderBook } from "./order_book.ts";

/** Facts about a chain that audits need. */
export interface ChainFacts {
  /** Chain id; absent if unknown. */
  readonly chainId?: number;
  /** Wrapped native token; absent if unknown. */
  readonly wrappedNativeToken?: string;
  /** Settlement contract; absent if unknown. */
  readonly settlementContract?: string;
}

/** The call for the id of a chain. */
export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

/** The id of a chain; `undefined` if the node does not tell, as a recording of no deployment. */
export function chainIdIn(answer: RpcAnswer | undefined): number | undefined {
  const result = answer !== undefined && "result" in answer ? answer.result : null;
  const isId = typeof result === "string" && /^0x[0-9a-f]{1,13}$/i.test(result);
  return isId && Number(result) > 0 ? Number(result) : undefined;
}

/** What a book, or a source in the same process, knows of its chain. */
export function knownFacts(source: NodeSource, book: OrderBook | undefined): ChainFacts {
  const deployment = typeof source === "object" ? Reflect.get(source, "deployment") : undefined;
  const { wrappedNativeToken: own, settlementContract: called } = Object(deployment);
  const wrapped = typeof own === "string" ? own : book?.network?.wrappedNativeToken.address;
  const contract = book?.settlementContract ?? (typeof called === "string" ? called : undefined);
  return {
    ...wrapped === undefined ? {} : { wrappedNativeToken: wrapped },
    ...contract === undefined ? {} : { settlementContract: contract },
  };
}
