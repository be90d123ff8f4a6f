import { InputError } from "../../errors/mod.ts";
import { encodeQuoteRequest, type QuoteRequest } from "../../schemas/mod.ts";
import { jsonText } from "../call/json_text.ts";

/** Schemes in which the trader signs with a key, and which on-chain orders therefore never use. */
const ECDSA_SCHEMES: readonly string[] = ["eip712", "ethsign"];

/**
 * The body of a quote request. It always includes the price quality, `verified` unless the caller
 * sets another: the service and its specification differ on the default.
 *
 * @throws {InputError} If the service would reject or misread the request.
 */
export function quoteBody(request: QuoteRequest): string {
  const { signingScheme = "eip712" } = request;
  if (request.appDataHash != null && request.appData == null) {
    throw new InputError("Cannot quote with appDataHash but without appData", {
      facts: { appDataHash: request.appDataHash },
      remedy: "Pass the document as `appData`, or the hash as `appData` without `appDataHash`",
    });
  }
  if (request.onchainOrder === true && ECDSA_SCHEMES.includes(signingScheme)) {
    throw new InputError(
      `Cannot quote an on-chain order signed with ${signingScheme}`,
      { remedy: "Use the signing scheme `eip1271` or `presign`, or omit `onchainOrder`" },
    );
  }
  const { priceQuality = "verified" } = request;
  return jsonText(encodeQuoteRequest({ ...request, priceQuality }));
}

/** A short description of a quote request, for errors. */
export function quoteInWords({ kind, sellToken, buyToken }: QuoteRequest): string {
  return kind === "sell"
    ? `the sale of ${sellToken} for ${buyToken}`
    : `the purchase of ${buyToken} for ${sellToken}`;
}
