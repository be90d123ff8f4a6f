import { foundAt, type JsonNode, memberOf, placeIn } from "./json_node.ts";
import {
  integer,
  inWords,
  Mismatch,
  readAddress,
  readBytes,
  readText,
  readUid,
} from "./loose_values.ts";
import { readJson } from "./read_json.ts";

/** Bytes that a document may have. */
export const DOCUMENT_LIMIT = 8192;

/** What the order book itself needs of a document. */
export interface CheckedAppData {
  /** Who must have signed an order with it; `null` where it does not say. */
  readonly signer: string | null;
  /** UID of the order that it replaces; `null` where it does not say. */
  readonly replacedOrder: string | null;
  /** Gas that its hooks may take. */
  readonly hookGas: number;
}

const SAYS_NOTHING: CheckedAppData = { signer: null, replacedOrder: null, hookGas: 0 };

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
  optional(node, "partnerFee", (fees) => {
    for (const fee of fees.kind === "list" ? fees.items : [fees]) checkPartnerFee(fee);
  });
  const hookGas = optional(node, "hooks", hookGasOf) ?? SAYS_NOTHING.hookGas;
  const signer = optional(node, "signer", readAddress) ?? null;
  const replacedOrder = optional(node, "replacedOrder", replacedUidOf) ?? null;
  const fastPath = memberOf(node, "enableFastPath");
  if (fastPath?.kind === "boolean" && fastPath.value) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  return { signer, replacedOrder, hookGas };
}

function checkPartnerFee(node: JsonNode): void {
  requireStruct(node, { struct: "PartnerFee", size: "4 elements" });
  required(node, "recipient", readAddress);
  const form = FORMS.find(([name]) => memberOf(node, name!) !== undefined);
  if (form === undefined) {
    throw new Misplaced("data did not match any variant of partner fee", node.end);
  }
  for (const name of form) required(node, name, integer("u64"));
}

const FORMS: readonly (readonly string[])[] = [
  ["surplusBps", "maxVolumeBps"],
  ["priceImprovementBps", "maxVolumeBps"],
  ["volumeBps"],
  ["bps"],
];

function hookGasOf(node: JsonNode): number {
  requireStruct(node, { struct: "Hooks", size: "2 elements" });
  let gas = 0;
  for (const when of ["pre", "post"]) {
    optional(node, when, (list) => {
      if (list.kind !== "list") {
        throw new Mismatch(`invalid type: ${inWords(list)}, expected a sequence`);
      }
      for (const hook of list.items) gas += gasOfHook(hook);
    });
  }
  return gas;
}

function gasOfHook(node: JsonNode): number {
  requireStruct(node, { struct: "Hook", size: "3 elements" });
  required(node, "target", readAddress);
  required(node, "callData", readBytes);
  return required(node, "gasLimit", (limit) => {
    const text = readText(limit);
    if (!/^\d{1,15}$/.test(text)) throw new Mismatch("invalid digit found in string");
    return Number(text);
  });
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
