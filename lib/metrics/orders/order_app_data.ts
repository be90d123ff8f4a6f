import { type AppData, decodeAppData } from "../../schemas/mod.ts";
import { DecodeError } from "../../errors/mod.ts";

/**
 * The app data document of an order, from the text that order bodies carry.
 *
 * @returns `null` where the service does not know the text, or it is not a document the service would
 * read.
 */
export function orderAppData(
  order: { readonly fullAppData?: string | null | undefined },
): AppData | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  try {
    return decodeAppData(JSON.parse(text));
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

const NO_PARTNER_FEE: AppData = Object.freeze({});

/**
 * As much of the document as partner fees depend on: the same as {@linkcode orderAppData} for every
 * question about them, without parsing the many documents that cannot name any.
 */
export function partnerAppData(
  order: { readonly fullAppData?: string | null | undefined },
): AppData | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  return text.includes("partnerFee") || text.includes("\\u") ? orderAppData(order) : NO_PARTNER_FEE;
}
