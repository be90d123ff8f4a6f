import { hashAppData } from "../../evm/mod.ts";
import type { JsonNode } from "./json_node.ts";
import { parseHex } from "./loose_values.ts";
import { orNull } from "./mismatch.ts";
import { checkAppData, type CheckedAppData } from "./check_app_data.ts";
import type { Fields } from "./fields.ts";
import { orReject } from "./or_reject.ts";
import { rejection } from "./reply.ts";

/** The app data of an order or quote request: a document, a hash, or both. */
export type AppDataField =
  | { readonly kind: "document"; readonly document: string; readonly expected: string | null }
  | { readonly kind: "hash"; readonly hash: string };

/** Reads both app data fields; `null` if they are invalid. */
export function readAppDataField(fields: Fields): AppDataField | null {
  const document = textOf(fields.raw("appData"));
  if (document === null) return null;
  const expected = hashOf(textOf(fields.raw("appDataHash")));
  if (expected !== null) return { kind: "document", document, expected };
  const hash = document.startsWith("0x") ? hashOf(document) : null;
  return hash === null ? { kind: "document", document, expected: null } : { kind: "hash", hash };
}

function textOf(node: JsonNode | undefined): string | null {
  return node?.kind === "string" ? node.value : null;
}

function hashOf(text: string | null): string | null {
  return text === null ? null : orNull(() => parseHex(text, 32));
}

/** A validated document and its hash. */
export interface ValidDocument extends CheckedAppData {
  /** Its hash. */
  readonly hash: string;
}

/**
 * Checks a document and its hash.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkDocument(document: string, expected: string | null): ValidDocument {
  const checked = orReject(
    () => checkAppData(document),
    (reason) => rejection(400, "InvalidAppData", reason),
  );
  const hash = hashAppData(document);
  if (expected !== null && expected !== hash) {
    throw rejection(
      400,
      "AppDataHashMismatch",
      `calculated app data hash ${hash} doesn't match order app data field ${expected}`,
    );
  }
  return { hash, ...checked };
}
