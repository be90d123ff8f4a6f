import type { HookCall } from "../../evm/settlement/encode_calls.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { defaulted, Members, optional, required } from "./fields.ts";
import {
  integer,
  listOf,
  Mismatch,
  parseJson,
  parseU64,
  readAddress,
  readBytes,
  readText,
  readUid,
} from "./loose_values.ts";

/** Maximum size of a document, in bytes. */
const DOCUMENT_LIMIT = 8192;

/** The parts of a document that the order book evaluates. */
export interface CheckedAppData {
  /** Required signer of the order; `null` if the document names none. */
  readonly signer: string | null;
  /** UID of the order to replace; `null` if the document names none. */
  readonly replacedOrder: string | null;
  /** Partner fees, in the document's sequence. */
  readonly partnerFees: readonly PartnerFee[];
  /** Contract calls before and after the trade. */
  readonly hooks: { readonly pre: readonly HookCall[]; readonly post: readonly HookCall[] };
}

const EMPTY: CheckedAppData = {
  signer: null,
  replacedOrder: null,
  partnerFees: [],
  hooks: { pre: [], post: [] },
};

/** Total gas limit of the hooks of a document. */
export function hookGas({ hooks }: CheckedAppData): number {
  return [...hooks.pre, ...hooks.post].reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0);
}

/**
 * Checks the parts of a document that the order book evaluates.
 *
 * @throws {Mismatch} The error.
 */
export function checkAppData(document: string): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  return new Members(parseJson(document), "Root").get("metadata", defaulted(metadataOf, EMPTY));
}

function metadataOf(value: unknown): CheckedAppData {
  const metadata = new Members(value, "ProtocolAppData");
  const checked = {
    partnerFees: metadata.get("partnerFee", optional(partnerFeesOf)) ?? EMPTY.partnerFees,
    hooks: metadata.get("hooks", optional(hooksOf)) ?? EMPTY.hooks,
    signer: metadata.get("signer", optional(readAddress)),
    replacedOrder: metadata.get("replacedOrder", optional(replacedUidOf)),
  };
  if (metadata.get("enableFastPath", optional((flag) => flag)) === true) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  return checked;
}

function partnerFeesOf(value: unknown): PartnerFee[] {
  return [value].flat().map(partnerFeeOf);
}

function partnerFeeOf(value: unknown): PartnerFee {
  const fee = new Members(value, "PartnerFee");
  const recipient = fee.get("recipient", required(readAddress));
  const bps = (name: string) => fee.get(name, required(integer("u64")));
  if (fee.has("surplusBps")) {
    return { recipient, surplusBps: bps("surplusBps"), maxVolumeBps: bps("maxVolumeBps") };
  }
  if (fee.has("priceImprovementBps")) {
    const priceImprovementBps = bps("priceImprovementBps");
    return { recipient, priceImprovementBps, maxVolumeBps: bps("maxVolumeBps") };
  }
  if (fee.has("volumeBps")) return { recipient, volumeBps: bps("volumeBps") };
  if (fee.has("bps")) return { recipient, bps: bps("bps") };
  throw new Mismatch("data did not match any variant of partner fee");
}

function hooksOf(value: unknown): CheckedAppData["hooks"] {
  const hooks = new Members(value, "Hooks");
  const listed = (when: string) => hooks.get(when, optional(listOf(hookOf))) ?? [];
  return { pre: listed("pre"), post: listed("post") };
}

function hookOf(value: unknown): HookCall {
  const hook = new Members(value, "Hook");
  return {
    target: hook.get("target", required(readAddress)),
    callData: hook.get("callData", required(readBytes)),
    gasLimit: hook.get("gasLimit", required((limit) => parseU64(readText(limit)))),
  };
}

function replacedUidOf(value: unknown): string {
  return new Members(value, "ReplacedOrder").get("uid", required(readUid));
}
