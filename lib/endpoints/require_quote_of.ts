import type { QuoteRequest, QuoteResponse } from "../schemas/mod.ts";
import { requireSame } from "./checks.ts";

/** 32 bytes of hex: app data given by its hash. */
const HASH = /^0x[0-9a-f]{64}$/i;

/**
 * The values of a field in the request and in the answer; `null` and `undefined` are not compared.
 */
type Pair = readonly [
  field: string,
  asked: string | number | bigint | null | undefined,
  answered: string | number | bigint | null | undefined,
];

/**
 * Rejects a quote for a trade other than the requested one. Only fields of the request are
 * compared, except `partiallyFillable`, which the service ignores in quotes.
 *
 * @param source The request, as formatted by `requestLine`.
 * @throws {MismatchError} If a field of the answer differs from the request.
 */
export function requireQuoteOf(request: QuoteRequest, answer: QuoteResponse, source: string): void {
  const { quote } = answer;
  const pairs: readonly Pair[] = [
    ["sellToken", request.sellToken, quote.sellToken],
    ["buyToken", request.buyToken, quote.buyToken],
    ["kind", request.kind, quote.kind],
    sizeOf(request, answer),
    ["from", request.from, answer.from],
    ["receiver", request.receiver, quote.receiver],
    ["validTo", request.validTo, quote.validTo],
    ["sellTokenBalance", request.sellTokenBalance, quote.sellTokenBalance],
    ["buyTokenBalance", request.buyTokenBalance, quote.buyTokenBalance],
    ["appDataHash", hashOf(request), hashOf(quote)],
  ];
  for (const [field, asked, answered] of pairs) {
    if (asked == null || answered == null) continue;
    requireSame(source, { field, asked, answered });
  }
}

function sizeOf(request: QuoteRequest, { quote }: QuoteResponse): Pair {
  if (request.kind === "buy") {
    return ["buyAmountAfterFee", request.buyAmountAfterFee, quote.buyAmount];
  }
  if ("sellAmountBeforeFee" in request && request.sellAmountBeforeFee != null) {
    const answered = quote.sellAmount + quote.feeAmount;
    return ["sellAmountBeforeFee", request.sellAmountBeforeFee, answered];
  }
  const asked = "sellAmountAfterFee" in request ? request.sellAmountAfterFee : undefined;
  return ["sellAmountAfterFee", asked, quote.sellAmount];
}

/**
 * The hash of the app data, if it was requested; a document's text is not compared, since it must
 * not appear in an error.
 */
function hashOf(
  { appData, appDataHash }: Pick<QuoteRequest, "appData" | "appDataHash">,
): string | undefined {
  return appDataHash ?? (appData != null && HASH.test(appData) ? appData : undefined);
}
