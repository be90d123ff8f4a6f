import type { SettlementInteraction } from "../../evm/mod.ts";
import { encodeHooks, type HookCall } from "../../evm/settlement/encode_settlement.ts";
import { HOOKS_TRAMPOLINE } from "../../networks/network.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { defaulted, Fields, optional, required } from "./fields.ts";
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
  /** Whether the solver of the quote may settle the order before it enters auctions. */
  readonly enableFastPath: boolean;
  /** Earliest time to enter an auction, in unix seconds; `null` if the document names none. */
  readonly validFrom: number | null;
  /** Partner fees, in the document's sequence. */
  readonly partnerFees: readonly PartnerFee[];
  /** Total gas limit of its hooks. */
  readonly hookGas: number;
  /** Its hooks, as calls of the settlement contract before and after the trade. */
  readonly interactions: OrderInteractions;
}

/** Contract calls before and after the trade of an order. */
export interface OrderInteractions {
  /** Before it. */
  readonly pre: SettlementInteraction[];
  /** After it. */
  readonly post: SettlementInteraction[];
}

const EMPTY: CheckedAppData = {
  signer: null,
  replacedOrder: null,
  enableFastPath: false,
  validFrom: null,
  partnerFees: [],
  hookGas: 0,
  interactions: { pre: [], post: [] },
};

/**
 * Checks the parts of a document that the order book evaluates.
 *
 * @param hasFastPath Whether the order book supports the fast path.
 * @throws {Mismatch} The error.
 */
export function checkAppData(document: string, hasFastPath: boolean = false): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  const checked = new Fields(parseJson(document), "Root")
    .get("metadata", defaulted(metadataOf, EMPTY));
  if (checked.enableFastPath && !hasFastPath) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  if (checked.enableFastPath && checked.validFrom !== null) {
    throw new Mismatch("'enableFastPath' and 'validFrom' are mutually exclusive");
  }
  return checked;
}

function metadataOf(value: unknown): CheckedAppData {
  const metadata = new Fields(value, "ProtocolAppData");
  const partnerFees = metadata.get("partnerFee", optional(partnerFeesOf)) ?? [];
  const { pre, post } = metadata.get("hooks", optional(hooksOf)) ?? { pre: [], post: [] };
  return {
    partnerFees,
    hookGas: [...pre, ...post].reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0),
    interactions: { pre: callOf(pre), post: callOf(post) },
    signer: metadata.get("signer", optional(readAddress)),
    replacedOrder: metadata.get("replacedOrder", optional(replacedUidOf)),
    enableFastPath: metadata.get("enableFastPath", optional((flag) => flag)) === true,
    validFrom: metadata.get("validFrom", optional(integer("u32"))),
  };
}

function partnerFeesOf(value: unknown): PartnerFee[] {
  return [value].flat().map(partnerFeeOf);
}

function partnerFeeOf(value: unknown): PartnerFee {
  const fee = new Fields(value, "PartnerFee");
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

function hooksOf(value: unknown): { pre: HookCall[]; post: HookCall[] } {
  const hooks = new Fields(value, "Hooks");
  const listed = (when: string) => hooks.get(when, optional(listOf(hookOf))) ?? [];
  return { pre: listed("pre"), post: listed("post") };
}

function hookOf(value: unknown): HookCall {
  const hook = new Fields(value, "Hook");
  return {
    target: hook.get("target", required(readAddress)),
    callData: hook.get("callData", required(readBytes)),
    gasLimit: hook.get("gasLimit", required((limit) => parseU64(readText(limit)))),
  };
}

function replacedUidOf(value: unknown): string {
  return new Fields(value, "ReplacedOrder").get("uid", required(readUid));
}

function callOf(hooks: readonly HookCall[]): SettlementInteraction[] {
  if (hooks.length === 0) return [];
  return [{ target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) }];
}
