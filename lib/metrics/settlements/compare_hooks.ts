import type { OnchainSettlement, TradeEvent } from "../../evm/mod.ts";
import { decodeHooks } from "../../evm/settlement/decode_hooks.ts";
import type { HookCall } from "../../evm/settlement/encode_hooks.ts";
import { orderAppData } from "../orders/order_app_data.ts";
import type { UidIndex } from "../by_uid.ts";
import type { SettlementDifference } from "./settlement_difference.ts";

/** The app data document of an order. */
export interface DocumentedOrder {
  /** The document as text. */
  readonly fullAppData?: string | null | undefined;
}

/**
 * What differs between the hooks that settled orders request and those that the settlement calls.
 * The hooks before a partially fillable order's trade are called with its first fill only.
 */
export function compareHooks(
  { trades, interactions }: Pick<OnchainSettlement, "trades" | "interactions">,
  fills: readonly TradeEvent[],
  orders: UidIndex<DocumentedOrder>,
): SettlementDifference[] {
  return (["pre", "post"] as const).flatMap((when) => {
    const called = interactions[when].flatMap(({ callData }) => decodeHooks(callData));
    const found: SettlementDifference[] = [];
    let last = -1;
    const used = new Set<number>();
    for (const [place, { orderUid: uid }] of fills.entries()) {
      for (const wanted of requestedHooks(orders.get(uid), when)) {
        const index = called.findIndex((hook, at) => !used.has(at) && isSame(hook, wanted));
        const reported = `${when}-hook ${wanted.target}`;
        if (index < 0) {
          if (when === "pre" && trades[place]?.partiallyFillable) continue;
          found.push({ what: "hook_missing", uid, onChain: "not called", reported });
        } else if (index < last) {
          const onChain = `call ${index + 1} of ${called.length}`;
          found.push({ what: "hooks_out_of_order", uid, onChain, reported });
        }
        used.add(index);
        last = Math.max(last, index);
      }
    }
    return found;
  });
}

function requestedHooks(order: DocumentedOrder | undefined, when: "pre" | "post"): HookCall[] {
  if (order?.fullAppData?.includes("hooks") !== true) return [];
  const hooks = orderAppData(order)?.metadata?.hooks?.[when] ?? [];
  return hooks.flatMap(({ target, callData, gasLimit }) => {
    const isNumber = /^\d+$/.test(String(gasLimit));
    return isNumber ? [{ target, callData, gasLimit: BigInt(gasLimit) }] : [];
  });
}

function isSame(one: HookCall, other: HookCall): boolean {
  return one.gasLimit === other.gasLimit &&
    one.target.toLowerCase() === other.target.toLowerCase() &&
    one.callData.toLowerCase() === other.callData.toLowerCase();
}
