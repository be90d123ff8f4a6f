import {
  type AppData,
  decodeAppData,
  type Hook,
  type Interaction,
  type PartnerFee,
} from "../schemas/mod.ts";

/** What the order book reads out of an app data document. */
export interface AppDataTerms {
  /** Fees that it asks for, in its order. */
  readonly partnerFees: readonly PartnerFee[];
  /** Contract calls that it asks for. */
  readonly interactions: { readonly pre: Interaction[]; readonly post: Interaction[] };
}

const NOTHING: AppDataTerms = { partnerFees: [], interactions: { pre: [], post: [] } };

/** Reads a document; one that is unknown or no document asks for nothing. */
export function appDataTerms(document: string | null): AppDataTerms {
  const metadata = document === null || document === "{}"
    ? undefined
    : documentOf(document)?.metadata;
  if (metadata === undefined) return NOTHING;
  const { partnerFee, hooks } = metadata;
  const partnerFees = partnerFee === undefined
    ? []
    : isList(partnerFee)
    ? partnerFee
    : [partnerFee];
  return {
    partnerFees,
    interactions: { pre: callsOf(hooks?.pre), post: callsOf(hooks?.post) },
  };
}

function documentOf(text: string): AppData | undefined {
  try {
    return decodeAppData(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isList(fees: PartnerFee | readonly PartnerFee[]): fees is readonly PartnerFee[] {
  return Array.isArray(fees);
}

function callsOf(hooks: readonly Hook[] = []): Interaction[] {
  return hooks.map(({ target, callData }) => ({ target, value: 0n, callData }));
}
