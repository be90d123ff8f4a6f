import type { SettlementInteraction } from "../../evm/mod.ts";
import { encodeHooks, type HookCall } from "../../evm/settlement/encode_settlement.ts";
import { HOOKS_TRAMPOLINE } from "../../networks/network.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { defaulted, optional, readField, requireMap, struct } from "./fields.ts";
import {
  integer,
  list,
  Mismatch,
  parseJson,
  parseU64,
  readAddress,
  readBytes,
  type Reader,
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
  const { metadata } = readRoot(parseJson(document));
  const { partnerFee, hooks, replacedOrder, ...fields } = metadata;
  if (metadata.enableFastPath && !hasFastPath) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  if (metadata.enableFastPath && metadata.validFrom !== null) {
    throw new Mismatch("'enableFastPath' and 'validFrom' are mutually exclusive");
  }
  const pre = hooks?.pre ?? [];
  const post = hooks?.post ?? [];
  return {
    ...fields,
    partnerFees: partnerFee ?? [],
    replacedOrder: replacedOrder?.uid ?? null,
    hookGas: [...pre, ...post].reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0),
    interactions: { pre: toCalls(pre), post: toCalls(post) },
  };
}

function readPartnerFee(value: unknown): PartnerFee {
  const fields = requireMap(value, "PartnerFee");
  const recipient = readField(fields, "recipient", readAddress);
  const readBps = (name: string) => readField(fields, name, integer("u64"));
  if ("surplusBps" in fields) {
    return { recipient, surplusBps: readBps("surplusBps"), maxVolumeBps: readBps("maxVolumeBps") };
  }
  if ("priceImprovementBps" in fields) {
    const priceImprovementBps = readBps("priceImprovementBps");
    return { recipient, priceImprovementBps, maxVolumeBps: readBps("maxVolumeBps") };
  }
  if ("volumeBps" in fields) return { recipient, volumeBps: readBps("volumeBps") };
  if ("bps" in fields) return { recipient, bps: readBps("bps") };
  throw new Mismatch("data did not match any variant of partner fee");
}

const readHook: Reader<HookCall> = struct("Hook", {
  target: readAddress,
  callData: readBytes,
  gasLimit: (limit) => parseU64(readText(limit)),
});

const readMetadata = struct("ProtocolAppData", {
  partnerFee: optional((value) => [value].flat().map(readPartnerFee)),
  hooks: optional(
    struct("Hooks", { pre: optional(list(readHook)), post: optional(list(readHook)) }),
  ),
  signer: optional(readAddress),
  replacedOrder: optional(struct("ReplacedOrder", { uid: readUid })),
  enableFastPath: (flag: unknown) => flag === true,
  validFrom: optional(integer("u32")),
});

const readRoot = struct("Root", { metadata: defaulted(readMetadata, readMetadata({})) });

function toCalls(hooks: readonly HookCall[]): SettlementInteraction[] {
  if (hooks.length === 0) return [];
  return [{ target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) }];
}
