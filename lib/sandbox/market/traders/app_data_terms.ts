import { encodeHooks, type HookCall } from "../../../evm/settlement/encode_hooks.ts";
import type { SettlementInteraction } from "../../../evm/mod.ts";
import { HOOKS_TRAMPOLINE } from "../../../networks/shared_contracts.ts";
import type { PartnerFee } from "../../../schemas/mod.ts";
import { orNull } from "../../wire/mismatch.ts";
import type { OrderInteractions } from "../state/book_order.ts";
import { checkAppData } from "../../wire/check_app_data.ts";

/** What an app data document makes of an order. */
export interface AppDataTerms {
  /** Fees that it asks for, in its order. */
  readonly partnerFees: readonly PartnerFee[];
  /** Contract calls that it asks for, as the settlement contract makes them. */
  readonly interactions: OrderInteractions;
}

const NOTHING: AppDataTerms = { partnerFees: [], interactions: { pre: [], post: [] } };

/** Reads a document; one that is unknown or no document asks for nothing. */
export function appDataTerms(document: string | null): AppDataTerms {
  if (document === null || document === "{}") return NOTHING;
  const checked = orNull(() => checkAppData(document));
  if (checked === null) return NOTHING;
  const { partnerFees, hooks } = checked;
  return { partnerFees, interactions: { pre: callOf(hooks.pre), post: callOf(hooks.post) } };
}

function callOf(hooks: readonly HookCall[]): SettlementInteraction[] {
  if (hooks.length === 0) return [];
  return [{ target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) }];
}
