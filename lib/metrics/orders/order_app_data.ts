import { type AppData, decodeAppData } from "../../schemas/mod.ts";
import { DecodeError } from "../../errors/mod.ts";

/**
 * The app data document of an order, from the text in the order body.
 *
 * @returns `null` if the service does not have the text, or would not accept it as a document.
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
 * The document as far as partner fees are concerned: equivalent to {@linkcode orderAppData},
 * without parsing the many documents that cannot contain any.
 */
export function partnerAppData(
  order: { readonly fullAppData?: string | null | undefined },
): AppData | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  return text.includes("partnerFee") || text.includes("\\u") ? orderAppData(order) : NO_PARTNER_FEE;
}
