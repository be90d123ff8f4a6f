import { type NodeSource, orderAt, type OrderDomain } from "../../evm/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import type { ReportedState } from "./reported_chain.ts";
import { type NotTold, notToldBy } from "./report_node.ts";

/** Where the state of an order is read. */
export interface StateSource {
  /** A node. */
  readonly node: NodeSource | undefined;
  /** Chain and settlement contract that give the order its UID. */
  readonly domain: OrderDomain;
  /** Ends the requests. */
  readonly signal: AbortSignal | undefined;
}

/**
 * What the settlement contract makes of an order at the latest block.
 *
 * @returns `null` without a node, for an order that was filled or has expired, and where the node does
 * not execute calls; why, where it fails.
 */
export async function orderState(
  order: Order,
  { node, domain, signal }: StateSource,
): Promise<ReportedState | NotTold | null> {
  if (node === undefined || order.status === "fulfilled" || order.status === "expired") return null;
  try {
    const found = await orderAt(node, domain, order, signal === undefined ? {} : { signal });
    if ("reason" in found) return null;
    const { block, at, filledAtoms, isSignatureValid, refusal } = found;
    return { block, at, filledAtoms, isSignatureValid, refusal };
  } catch (error) {
    return notToldBy(error);
  }
}

/** The state in words, as a sentence without a full stop. It does not say whether there are funds. */
export function stateText({ refusal }: ReportedState, isEthFlow: boolean): string {
  switch (refusal) {
    case null:
      return "Its signature is valid, and it is neither expired, filled nor cancelled";
    case "cancelled":
      return "Cancelled in the settlement contract";
    case "invalid_signature":
      return isEthFlow
        ? "The EthFlow contract does not sign it any more"
        : "The settlement contract refuses its signature";
    case "expired":
      return "Expired for the settlement contract";
    case "filled":
      return "Filled, as the settlement contract counts";
  }
}
