import type { SettlementInteraction } from "../../evm/mod.ts";
import { encodeHooks, type HookCall } from "../../evm/settlement/encode_calls.ts";
import { HOOKS_TRAMPOLINE } from "../../networks/network.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { checkAppData } from "../wire/check_app_data.ts";
import { orNull } from "../wire/loose_values.ts";
import type { OrderInteractions } from "./book_order.ts";

/** The terms that an app data document adds to an order. */
interface AppDataTerms {
  /** Partner fees, in the document's sequence. */
  readonly partnerFees: readonly PartnerFee[];
  /** Hooks, as calls of the settlement contract. */
  readonly interactions: OrderInteractions;
}

const NOTHING: AppDataTerms = { partnerFees: [], interactions: { pre: [], post: [] } };

/** Reads a document; an unknown or invalid one adds no terms. */
export function appDataTerms(document: string | null): AppDataTerms {
  if (document === null || document === "{}") return NOTHING;
  const checked = orNull(() => checkAppData(document, true));
  if (checked === null) return NOTHING;
  const { partnerFees, hooks } = checked;
  return { partnerFees, interactions: { pre: callOf(hooks.pre), post: callOf(hooks.post) } };
}

function callOf(hooks: readonly HookCall[]): SettlementInteraction[] {
  if (hooks.length === 0) return [];
  return [{ target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) }];
}
