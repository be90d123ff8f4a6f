import { DecodeError, type HttpError } from "../../errors/mod.ts";
import { callable, checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { type HttpRequest, requestLine, type Transport } from "../../http/mod.ts";
import { decodeQuoteResponse, type QuoteRequest, type QuoteResponse } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { type Failure, Failures } from "../call/failures.ts";
import { openStream } from "./open_stream.ts";
import type { Purpose } from "../call/purpose.ts";
import { quoteBody, quoteInWords } from "./quote_body.ts";
import { requireQuoteOf } from "./require_quote_of.ts";
import { refusalOf } from "../call/refusal_of.ts";
import { withSignal } from "../call/send_for.ts";
import { type AnsweredRequest, WholeEvents } from "../../http/reading/whole_events.ts";

/**
 * Maximum number of consecutive events that are not quotes; then the stream is not one of quotes.
 */
const MOST_BROKEN_IN_A_ROW = 100;

/** Options of {@linkcode streamQuotes}. */
export interface StreamQuotesOptions extends CallOptions {
  /**
   * Called for every quote that cannot be decoded. Without it, the valid ones are still yielded,
   * and then an {@linkcode IncompleteListError} is thrown. The hundredth consecutive failure ends
   * the stream.
   */
  onFailure?: ((failure: Failure) => void) | undefined;
}

const OPTIONS: OptionRules<StreamQuotesOptions> = { ...CALL_OPTIONS, onFailure: callable() };

/**
 * Requests a price and a fee, and yields each quote that is better than the previous ones, as
 * solvers answer.
 *
 * Calls `POST /api/v1/quote/stream`. The service ignores `priceQuality` here: it tries to verify
 * every quote, and ranks verified ones above all others, so a later quote may be lower. Leaving the
 * loop ends the request. With a transport without streaming, all quotes arrive at once.
 *
 * @param transport Transport that sends the request.
 * @param request What to sell or buy, as for {@linkcode postQuote}.
 * @throws {InputError} Immediately, as {@linkcode postQuote} does.
 * @throws {ServiceError} If the service has no quote, for example with `NoLiquidity`, whether it
 *   says so in its answer or in the stream.
 * @throws {DecodeError} If the stream ends in the middle of a quote, or 100 consecutive events are
 * not quotes.
 * @throws {MismatchError} If a quote is for another trade, as for {@linkcode postQuote}.
 * @throws {HttpStatusError} If the answer is not an event stream, or one of its events is longer
 *   than a million characters.
 * @throws {TimeoutError} If no complete event arrives within `timeoutMs` of the transport. The
 *   whole stream may take longer: pass a `signal` to limit it.
 * @throws {IncompleteListError} After the last quote, if some could not be decoded and `onFailure`
 *   is not set.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { streamQuotes } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("quoting__quote_stream_smoke");
 * const quotes = streamQuotes(tape, {
 *   kind: "sell",
 *   sellAmountBeforeFee: 1000000000000000000n,
 *   from: "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344",
 *   sellToken: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
 *   buyToken: "0x68b1d87f95878fe05b998f19b66f4baba5de1aed",
 *   validFor: 1800,
 *   appData: `0x${"00".repeat(32)}`,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "eip712",
 *   priceQuality: "optimal",
 *   timeout: null,
 * });
 *
 * const amounts: bigint[] = [];
 * for await (const { quote } of quotes) amounts.push(quote.buyAmount);
 * assertEquals(amounts, [995687356423006375n]);
 * ```
 */
export function streamQuotes(
  transport: Transport,
  request: QuoteRequest,
  options: StreamQuotesOptions = {},
): AsyncGenerator<QuoteResponse, void, undefined> {
  checkOptions(options, OPTIONS, "Cannot quote");
  const sent = withSignal({
    method: "POST",
    path: "/api/v1/quote/stream",
    body: quoteBody(request),
    isRead: true,
  }, options);
  return readQuotes(transport, sent, { ...options, quoted: request });
}

async function* readQuotes(
  transport: Transport,
  request: HttpRequest,
  { quoted, onFailure }: StreamQuotesOptions & { quoted: QuoteRequest },
): AsyncGenerator<QuoteResponse, void, undefined> {
  const what = quoteInWords(quoted);
  const source = requestLine(request);
  const purpose = { wanted: `quote ${what}` };
  const failures = new Failures<Failure>(`the quotes of ${what}`, onFailure);
  let brokenInARow = 0;
  const { status, chunks } = await openStream(purpose, transport, request);
  for await (const event of readEvents(chunks, { request, status })) {
    if (event.name === "error") throw refusalIn(event, request, purpose);
    if (event.name !== "message") continue;
    let quote: QuoteResponse;
    try {
      quote = quoteIn(event, source);
    } catch (error) {
      if (!(error instanceof DecodeError) || event.isCut) throw error;
      failures.add({ error });
      if (++brokenInARow < MOST_BROKEN_IN_A_ROW) continue;
      failures.throwIfAny();
      throw error;
    }
    brokenInARow = 0;
    requireQuoteOf(quoted, quote, source);
    yield quote;
  }
  failures.throwIfAny();
}

function quoteIn({ data, isCut }: ServerEvent, source: string): QuoteResponse {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch (cause) {
    throw new DecodeError({
      what: "a quote",
      path: "",
      expected: isCut ? "complete: the stream ended in the middle of it" : "JSON",
      found: data.slice(0, 80),
      source,
    }, cause);
  }
  return decodeQuoteResponse(json, { source });
}

/** The error that the service ends a stream with, as if it were the whole answer. */
function refusalIn({ data }: ServerEvent, request: HttpRequest, purpose: Purpose): HttpError {
  const explained = { contentType: "application/json", headers: new Headers(), body: data };
  return refusalOf({ status: 200, ...explained }, request, purpose);
}

/** One event of a stream of server-sent events. */
interface ServerEvent {
  /** Name of the event; `message` if it has none. */
  readonly name: string;
  /** Its data; several `data` fields are joined by newlines. */
  readonly data: string;
  /** Whether the stream ended before the blank line that ends an event. */
  readonly isCut: boolean;
}

/**
 * Splits a stream into server-sent events: lines end in LF, CR or CRLF, also across chunks, lines
 * that begin with a colon are comments, a blank line ends an event, and events without data are
 * dropped.
 *
 * An event that is cut off by the end of the stream is returned and marked as cut. `id` and `retry`
 * are ignored: a stream of quotes is never resumed.
 *
 * @throws {HttpStatusError} If an event is longer than a million characters; nothing beyond is
 * read.
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | the standard}
 */
export async function* readEvents(
  chunks: AsyncIterable<string> | Iterable<string>,
  source: AnsweredRequest,
): AsyncGenerator<ServerEvent, void, undefined> {
  const events = new WholeEvents(source);
  let isFirst = true;
  for await (const chunk of chunks) {
    const whole = events.push(isFirst ? chunk.replace(/^\uFEFF/, "") : chunk);
    isFirst &&= chunk === "";
    yield* eventsIn(whole);
  }
  yield* eventsIn(events.rest());
}

/** The events of a text; one without a closing blank line is cut. */
function* eventsIn(text: string): Generator<ServerEvent, void, undefined> {
  let name = "";
  let data: string[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  // The empty text after the last line end is not a line.
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    if (line === "") {
      if (data.length > 0) yield eventOf(name, data, false);
      name = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  if (data.length > 0) yield eventOf(name, data, true);
}

function eventOf(name: string, data: readonly string[], isCut: boolean): ServerEvent {
  return { name: name === "" ? "message" : name, data: data.join("\n"), isCut };
}
