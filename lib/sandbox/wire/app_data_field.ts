import { hashAppData } from "../../evm/mod.ts";
import type { JsonNode } from "./json_node.ts";
import { hexOf } from "./loose_values.ts";
import { orNull } from "./mismatch.ts";
import { checkAppData, type CheckedAppData } from "./check_app_data.ts";
import type { Fields } from "./fields.ts";
import { orRefuse } from "./or_refuse.ts";
import { refuse } from "./reply.ts";

/** App data as orders and quotes carry it: a document, a hash, or both. */
export type AppDataField =
  | { readonly kind: "document"; readonly document: string; readonly expected: string | null }
  | { readonly kind: "hash"; readonly hash: string };

/** Reads both fields; `null` where they are no app data. */
export function readAppDataField(fields: Fields): AppDataField | null {
  const document = textIn(fields.raw("appData"));
  if (document === null) return null;
  const expected = hashIn(textIn(fields.raw("appDataHash")));
  if (expected !== null) return { kind: "document", document, expected };
  const hash = document.startsWith("0x") ? hashIn(document) : null;
  return hash === null ? { kind: "document", document, expected: null } : { kind: "hash", hash };
}

function textIn(node: JsonNode | undefined): string | null {
  return node?.kind === "string" ? node.value : null;
}

function hashIn(text: string | null): string | null {
  return text === null ? null : orNull(() => hexOf(text, 32));
}

/** A validated document and its hash. */
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
  const checked = orRefuse(
    () => checkAppData(document),
    (reason) => refuse(400, "InvalidAppData", reason),
  );
  const hash = hashAppData(document);
  if (expected !== null && expected !== hash) {
    throw refuse(
      400,
      "AppDataHashMismatch",
      `calculated app data hash ${hash} doesn't match order app data field ${expected}`,
    );
  }
  return { hash, ...checked };
}
