import { hashAppData } from "../evm/mod.ts";
import { checkAppData, type CheckedAppData } from "./check_app_data.ts";
import type { Fields } from "./fields.ts";
import { hexOf, Mismatch, readHex } from "./loose_values.ts";
import { refuse } from "./reply.ts";

/** App data as orders and quotes carry it: a document, a hash, or both. */
export type AppDataField =
  | { readonly kind: "document"; readonly document: string; readonly expected: string | null }
  | { readonly kind: "hash"; readonly hash: string };

/** Reads both fields; `null` where they are no app data. */
export function readAppDataField(fields: Fields): AppDataField | null {
  const appData = fields.raw("appData");
  const expected = fields.raw("appDataHash");
  if (typeof appData !== "string") return null;
  if (expected !== undefined && expected !== null) {
    try {
      return { kind: "document", document: appData, expected: readHex(expected, 32) };
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
    }
  }
  try {
    if (appData.startsWith("0x")) return { kind: "hash", hash: hexOf(appData, 32) };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
  }
  return { kind: "document", document: appData, expected: null };
}

/** A document that was found good, and its hash. */
export interface GoodDocument extends CheckedAppData {
  /** Its hash. */
  readonly hash: string;
}

/**
 * Checks a document and its hash.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkDocument(document: string, expected: string | null): GoodDocument {
  let checked: CheckedAppData;
  let hash: string;
  try {
    checked = checkAppData(document);
    hash = hashAppData(document.toWellFormed());
  } catch (error) {
    if (error instanceof Mismatch) throw refuse(400, "InvalidAppData", error.message);
    throw error;
  }
  if (expected !== null && expected !== hash) {
    throw refuse(
      400,
      "AppDataHashMismatch",
      `calculated app data hash ${hash} doesn't match order app data field ${expected}`,
    );
  }
  return { hash, ...checked };
}
