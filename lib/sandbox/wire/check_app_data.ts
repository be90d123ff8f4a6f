import { type Field, optional, required } from "./fields.ts";
import type { HookCall } from "../../evm/settlement/encode_calls.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { type JsonNode, memberOf, Mismatch, positionIn, readJson, reportedOffset } from "./json.ts";
import {
  describeNode,
  integer,
  listOf,
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
 * @throws {Mismatch} The error and its position.
 */
export function checkAppData(document: string): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  const { root, syntaxError } = readJson(document);
  try {
    const checked = root === null ? EMPTY : rootOf(root);
    if (syntaxError === null) return checked;
  } catch (error) {
    if (!(error instanceof LocatedMismatch)) throw error;
    throw new Mismatch(`${error.message} ${positionIn(document, error.at)}`);
  }
  throw new Mismatch(syntaxError.message);
}

/** A mismatch with its position. */
class LocatedMismatch extends Mismatch {
  constructor(message: string, readonly at: number) {
    super(message);
  }
}

function rootOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "Root", size: "2 elements" });
  const metadata = memberOf(node, "metadata");
  return metadata === undefined ? EMPTY : metadataOf(metadata);
}

function metadataOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "ProtocolAppData", size: "8 elements" });
  const { hooks, partnerFees } = EMPTY;
  const checked = {
    partnerFees: member(node, "partnerFee", optional(partnerFeesOf)) ?? partnerFees,
    hooks: member(node, "hooks", optional(hooksOf)) ?? hooks,
    signer: member(node, "signer", optional(readAddress)) ?? null,
    replacedOrder: member(node, "replacedOrder", optional(replacedUidOf)) ?? null,
  };
  const fastPath = memberOf(node, "enableFastPath");
  if (fastPath?.kind === "boolean" && fastPath.value) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  return checked;
}

function partnerFeesOf(node: JsonNode): PartnerFee[] {
  return (node.kind === "list" ? node.items : [node]).map(partnerFeeOf);
}

function partnerFeeOf(node: JsonNode): PartnerFee {
  requireStruct(node, { struct: "PartnerFee", size: "4 elements" });
  const recipient = member(node, "recipient", required(readAddress));
  const bps = (name: string) => member(node, name, required(integer("u64")));
  if (memberOf(node, "surplusBps") !== undefined) {
    return { recipient, surplusBps: bps("surplusBps"), maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "priceImprovementBps") !== undefined) {
    const priceImprovementBps = bps("priceImprovementBps");
    return { recipient, priceImprovementBps, maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "volumeBps") !== undefined) return { recipient, volumeBps: bps("volumeBps") };
  if (memberOf(node, "bps") !== undefined) return { recipient, bps: bps("bps") };
  throw new LocatedMismatch("data did not match any variant of partner fee", node.end);
}

function hooksOf(node: JsonNode): CheckedAppData["hooks"] {
  requireStruct(node, { struct: "Hooks", size: "2 elements" });
  const listed = (when: string) => member(node, when, optional(listOf(hookOf))) ?? [];
  return { pre: listed("pre"), post: listed("post") };
}

function hookOf(node: JsonNode): HookCall {
  requireStruct(node, { struct: "Hook", size: "3 elements" });
  return {
    target: member(node, "target", required(readAddress)),
    callData: member(node, "callData", required(readBytes)),
    gasLimit: member(node, "gasLimit", required((limit) => parseU64(readText(limit)))),
  };
}

function replacedUidOf(node: JsonNode): string {
  requireStruct(node, { struct: "ReplacedOrder", size: "1 element" });
  return member(node, "uid", required(readUid));
}

function requireStruct(node: JsonNode, { struct, size }: { struct: string; size: string }): void {
  if (node.kind === "object") return;
  throw node.kind === "list"
    ? new LocatedMismatch(
      `invalid length ${node.items.length}, expected struct ${struct} with ${size}`,
      node.end,
    )
    : new LocatedMismatch(
      `invalid type: ${describeNode(node)}, expected struct ${struct}`,
      reportedOffset(node),
    );
}

function member<T>(node: JsonNode, name: string, { read, fallback }: Field<T>): T {
  const value = memberOf(node, name);
  if (value !== undefined) return readLocated(value, read);
  if (fallback === undefined) {
    throw new LocatedMismatch(`missing field \`${name}\``, node.end);
  }
  return fallback.value;
}

function readLocated<T>(node: JsonNode, read: Field<T>["read"]): T {
  try {
    return read(node);
  } catch (error) {
    if (!(error instanceof Mismatch) || error instanceof LocatedMismatch) throw error;
    throw new LocatedMismatch(error.message, reportedOffset(node));
  }
}
