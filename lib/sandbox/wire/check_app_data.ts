import type { HookCall } from "../../evm/settlement/encode_hooks.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import { foundAt, type JsonNode, memberOf, placeIn } from "./json_node.ts";
import {
  integer,
  inWords,
  listOf,
  readAddress,
  readBytes,
  readText,
  readUid,
  u64In,
} from "./loose_values.ts";
import { Mismatch } from "./mismatch.ts";
import { readJson } from "./read_json.ts";

/** Bytes that a document may have. */
const DOCUMENT_LIMIT = 8192;

/** What the order book itself reads of a document. */
export interface CheckedAppData {
  /** Who must have signed an order with it; `null` where it does not say. */
  readonly signer: string | null;
  /** UID of the order that it replaces; `null` where it does not say. */
  readonly replacedOrder: string | null;
  /** Fees that it asks for, in its order. */
  readonly partnerFees: readonly PartnerFee[];
  /** Contract calls that it asks for. */
  readonly hooks: { readonly pre: readonly HookCall[]; readonly post: readonly HookCall[] };
}

const SAYS_NOTHING: CheckedAppData = {
  signer: null,
  replacedOrder: null,
  partnerFees: [],
  hooks: { pre: [], post: [] },
};

/** Gas that the hooks of a document may take. */
export function hookGas({ hooks }: CheckedAppData): number {
  return [...hooks.pre, ...hooks.post].reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0);
}

/**
 * Checks a document for what the order book reads of it.
 *
 * @throws {Mismatch} Saying what is wrong with it, and where.
 */
export function checkAppData(document: string): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  const { root, fault } = readJson(document);
  try {
    const checked = root === null ? SAYS_NOTHING : rootOf(root);
    if (fault === null) return checked;
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    throw new Mismatch(`${error.message} ${placeIn(document, error.at)}`);
  }
  throw new Mismatch(fault.message);
}

/** A mismatch with the place where it is found. */
class Misplaced extends Mismatch {
  constructor(message: string, readonly at: number) {
    super(message);
  }
}

type Reader<T> = (node: JsonNode) => T;

function rootOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "Root", size: "2 elements" });
  const metadata = memberOf(node, "metadata");
  return metadata === undefined ? SAYS_NOTHING : metadataOf(metadata);
}

function metadataOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "ProtocolAppData", size: "8 elements" });
  const { hooks, partnerFees } = SAYS_NOTHING;
  const checked = {
    partnerFees: optional(node, "partnerFee", partnerFeesOf) ?? partnerFees,
    hooks: optional(node, "hooks", hooksOf) ?? hooks,
    signer: optional(node, "signer", readAddress) ?? null,
    replacedOrder: optional(node, "replacedOrder", replacedUidOf) ?? null,
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
  const recipient = required(node, "recipient", readAddress);
  const bps = (name: string) => required(node, name, integer("u64"));
  if (memberOf(node, "surplusBps") !== undefined) {
    return { recipient, surplusBps: bps("surplusBps"), maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "priceImprovementBps") !== undefined) {
    const priceImprovementBps = bps("priceImprovementBps");
    return { recipient, priceImprovementBps, maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "volumeBps") !== undefined) return { recipient, volumeBps: bps("volumeBps") };
  if (memberOf(node, "bps") !== undefined) return { recipient, bps: bps("bps") };
  throw new Misplaced("data did not match any variant of partner fee", node.end);
}

function hooksOf(node: JsonNode): CheckedAppData["hooks"] {
  requireStruct(node, { struct: "Hooks", size: "2 elements" });
  const listed = (when: string) => optional(node, when, listOf(hookOf)) ?? [];
  return { pre: listed("pre"), post: listed("post") };
}

function hookOf(node: JsonNode): HookCall {
  requireStruct(node, { struct: "Hook", size: "3 elements" });
  return {
    target: required(node, "target", readAddress),
    callData: required(node, "callData", readBytes),
    gasLimit: required(node, "gasLimit", (limit) => u64In(readText(limit))),
  };
}

function replacedUidOf(node: JsonNode): string {
  requireStruct(node, { struct: "ReplacedOrder", size: "1 element" });
  return required(node, "uid", readUid);
}

function requireStruct(node: JsonNode, { struct, size }: { struct: string; size: string }): void {
  if (node.kind === "object") return;
  throw node.kind === "list"
    ? new Misplaced(
      `invalid length ${node.items.length}, expected struct ${struct} with ${size}`,
      node.end,
    )
    : new Misplaced(`invalid type: ${inWords(node)}, expected struct ${struct}`, foundAt(node));
}

function required<T>(node: JsonNode, name: string, read: Reader<T>): T {
  const value = memberOf(node, name);
  if (value === undefined) throw new Misplaced(`missing field \`${name}\``, node.end);
  return placed(value, read);
}

function optional<T>(node: JsonNode, name: string, read: Reader<T>): T | undefined {
  const value = memberOf(node, name);
  return value === undefined || value.kind === "null" ? undefined : placed(value, read);
}

function placed<T>(node: JsonNode, read: Reader<T>): T {
  try {
    return read(node);
  } catch (error) {
    if (!(error instanceof Mismatch) || error instanceof Misplaced) throw error;
    throw new Misplaced(error.message, foundAt(node));
  }
}
