import { checkOptions } from "../../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import { decodeQuoteResponse, type QuoteRequest, type QuoteResponse } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { quoteBody, quoteInWords } from "./quote_body.ts";
import { requireQuoteOf } from "./require_quote_of.ts";
import { sendFor, withSignal } from "../call/send_for.ts";

/**
 * Requests a price and a fee.
 *
 * Calls `POST /api/v1/quote`, which changes nothing and is retried like a GET. The request always
 * includes `priceQuality`, `verified` by default.
 *
 * @param transport Transport that sends the request.
 * @param request What to sell or buy, by whom, and on which terms; `timeout` is how long the
 *   service waits for solvers, in milliseconds.
 * @returns Order parameters, net of fees, with the id to place the order with.
 * @throws {InputError} If the request is invalid, has `appDataHash` without `appData`, or combines
 *   `onchainOrder` with an ECDSA scheme; nothing is sent.
 * @throws {ServiceError} If the service has no quote, for example with `NoLiquidity`.
 * @throws {DecodeError} If the answer is not a quote.
 * @throws {MismatchError} If the quote is for another trade: if its tokens, kind, size, trader,
 *   receiver, app data, balances or `validTo` differ from the request.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { postQuote } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const { id, quote } = await postQuote(await replay("market_1"), {
 *   kind: "buy",
 *   buyAmountAfterFee: 1736962865000000000n,
 *   sellToken: "0x84ea74d481ee0a5332c457a4d796187f6ba67feb",
 *   buyToken: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
 *   from: "0xba78423395063915fbf92bab6d4c769676f0f55e",
 *   receiver: null,
 *   validFor: 1200,
 *   appData: '{"appCode":"Explorer","metadata":{"quote":{"slippageBips":50}},"version":"1.6.0"}',
 *   appDataHash: "0xd264a6172c6a19b5aceb4fa151dd8d1d9f1d45ed3f2c59e662a32811ba6f486a",
 *   priceQuality: "optimal",
 *   signingScheme: "presign",
 *   onchainOrder: false,
 * });
 *
 * assertEquals(id, 889);
 * assertEquals(quote.sellAmount, 174556992369345045114n);
 * assertEquals(quote.feeAmount, 31239849641246024n);
 * ```
 */
export async function postQuote(
  transport: Transport,
  request: QuoteRequest,
  options: CallOptions = {},
): Promise<QuoteResponse> {
  checkOptions(options, CALL_OPTIONS, "Cannot quote");
  const sent = withSignal({
    method: "POST",
    path: "/api/v1/quote",
    body: quoteBody(request),
    isRead: true,
  }, options);
  const response = await sendFor({ wanted: `quote ${quoteInWords(request)}` }, transport, sent);
  const source = requestLine(sent);
  const answer = decodeQuoteResponse(jsonOf(response, sent), { source });
  requireQuoteOf(request, answer, source);
  return answer;
}
