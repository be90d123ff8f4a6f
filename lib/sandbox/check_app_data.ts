import { faultOf, JsonNumber } from "./json_body.ts";
import { hexOf, inWords, Mismatch, readBytes } from "./loose_values.ts";

/** Bytes that a document may have. */
export const DOCUMENT_LIMIT = 8192;

/** What the order book itself needs of a document. */
export interface CheckedAppData {
  /** Who must have signed an order with it; `null` where it does not say. */
  readonly signer: string | null;
}

/**
 * Checks a document for what the order book reads of it.
 *
 * @throws {Mismatch} Saying what is wrong with it.
 */
export function checkAppData(document: string): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  const place = `at line 1 column ${document.length}`;
  let root: unknown;
  try {
    root = JSON.parse(
      document,
      (_key, value) => typeof value === "number" ? new JsonNumber(String(value)) : value,
    );
  } catch (error) {
    throw new Mismatch(faultOf(document, error));
  }
  if (!isObject(root)) {
    throw new Mismatch(`invalid type: ${inWords(root)}, expected struct Root ${place}`);
  }
  const { metadata } = root;
  if (metadata === undefined) return { signer: null };
  if (!isObject(metadata)) {
    throw new Mismatch(
      `invalid type: ${inWords(metadata)}, expected struct ProtocolAppData ${place}`,
    );
  }
  try {
    checkPartnerFees(metadata.partnerFee);
    checkHooks(metadata.hooks);
    if (metadata.enableFastPath === true) {
      throw new Mismatch("'enableFastPath' is not yet supported");
    }
    const { signer } = metadata;
    return { signer: signer === undefined || signer === null ? null : addressOf(signer) };
  } catch (error) {
    throw error instanceof Mismatch ? new Mismatch(`${error.message} ${place}`) : error;
  }
}

function checkPartnerFees(fees: unknown): void {
  if (fees === undefined || fees === null) return;
  for (const fee of Array.isArray(fees) ? fees : [fees]) {
    if (!isObject(fee)) {
      throw new Mismatch(`invalid type: ${inWords(fee)}, expected struct PartnerFee`);
    }
    if (fee.recipient === undefined) throw new Mismatch("missing field `recipient`");
    addressOf(fee.recipient);
    const named = FORMS.find((form) => form[0]! in fee);
    if (named === undefined) throw new Mismatch("data did not match any variant of partner fee");
    for (const field of named) {
      const value = fee[field];
      if (!(value instanceof JsonNumber) || !/^\d+$/.test(value.source)) {
        throw new Mismatch(`invalid type: ${inWords(value ?? null)}, expected u64`);
      }
    }
  }
}

const FORMS: readonly (readonly string[])[] = [
  ["surplusBps", "maxVolumeBps"],
  ["priceImprovementBps", "maxVolumeBps"],
  ["volumeBps"],
  ["bps"],
];

function checkHooks(hooks: unknown): void {
  if (hooks === undefined || hooks === null) return;
  if (!isObject(hooks)) {
    throw new Mismatch(`invalid type: ${inWords(hooks)}, expected struct Hooks`);
  }
  for (const list of [hooks.pre ?? [], hooks.post ?? []]) {
    if (!Array.isArray(list)) {
      throw new Mismatch(`invalid type: ${inWords(list)}, expected a sequence`);
    }
    for (const hook of list) {
      if (!isObject(hook)) {
        throw new Mismatch(`invalid type: ${inWords(hook)}, expected struct Hook`);
      }
      for (const field of ["target", "callData", "gasLimit"]) {
        if (hook[field] === undefined) throw new Mismatch(`missing field \`${field}\``);
      }
      addressOf(hook.target);
      readBytes(hook.callData);
    }
  }
}

function addressOf(value: unknown): string {
  if (typeof value === "string") return hexOf(value, 20);
  throw new Mismatch(`invalid type: ${inWords(value)}, expected 20 bytes as a hex string`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof JsonNumber);
}
