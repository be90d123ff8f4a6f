import { InputError } from "../errors/mod.ts";
import { encodeQuoteRequest, type QuoteRequest } from "../schemas/mod.ts";
import { jsonText } from "./json_text.ts";

/** Schemes whose orders a trader signs with a key, and so never places on-chain. */
const ECDSA_SCHEMES: readonly string[] = ["eip712", "ethsign"];

/**
 * The body of a quote request. It always says how carefully to price, `verified` unless the caller
 * says otherwise: the service and its specification differ on the default.
 *
 * @throws {InputError} If the service would refuse the request or read it otherwise than it is meant.
 */
export function quoteBody(request: QuoteRequest): string {
  const { signingScheme = "eip712" } = request;
  if (request.appDataHash != null && request.appData == null) {
    throw new InputError("Cannot quote with appDataHash but without appData", {
      facts: { appDataHash: request.appDataHash },
      remedy: "Pass the document as appData, or the hash as appData and nothing as appDataHash",
    });
  }
  if (request.onchainOrder === true && ECDSA_SCHEMES.includes(signingScheme)) {
    throw new InputError(
      `Cannot quote an order that is placed on-chain and signed with ${signingScheme}`,
      { remedy: "Use signingScheme `eip1271` or `presign`, or leave onchainOrder out" },
    );
  }
  const { priceQuality = "verified" } = request;
  return jsonText(encodeQuoteRequest({ ...request, priceQuality }));
}

/** A quote request in a few words, for errors. */
export function quoteInWords({ kind, sellToken, buyToken }: QuoteRequest): string {
  return kind === "sell"
    ? `the sale of ${sellToken} for ${buyToken}`
    : `the purchase of ${buyToken} for ${sellToken}`;
}
