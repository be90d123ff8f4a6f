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
