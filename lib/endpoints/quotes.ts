import { DecodeError, type HttpError, HttpStatusError, InputError } from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import { EventSplitter, isEventStream, type StreamSource } from "../http/live_chunks.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  requestLine,
  type Transport,
} from "../http/mod.ts";
import {
  decodeQuoteResponse,
  encodeQuoteRequest,
  type QuoteRequest,
  type QuoteResponse,
} from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, type Failure, Failures, requireSame } from "./calls.ts";
import { type Call, isSuccess, type Purpose, requestJson, toHttpError, toRequest } from "./send.ts";

/**
 * Maximum number of consecutive events that are not quotes; then the stream is not one of quotes.
 */
const MAX_FAILURES_IN_ROW = 100;

/** Options of {@linkcode streamQuotes}. */
export interface StreamQuotesOptions extends CallOptions {
  /**
   * Called for every quote that cannot be decoded. Without it, the valid ones are still yielded,
   * and then an {@linkcode IncompleteListError} is thrown. The hundredth consecutive failure ends
   * the stream.
   */
  onFailure?: ((failure: Failure) => void) | undefined;
}

/**
 * Requests a price and a fee, and yields each quote that is better than the previous ones, as
 * solvers answer.
 *
 * Calls `POST /api/v1/quote/stream`. The service ignores `priceQuality` here: it tries to verify
 * every quote, and ranks verified ones above all others, so a later quote may be lower. Leaving the
 * loop ends the request. With a transport without streaming, all quotes arrive at once.
 *
 * @param transport Transport that sends the request.
 * @param request The trade, as for {@linkcode postQuote}.
 * @throws {InputError} Immediately, as {@linkcode postQuote} does.
 * @throws {ServiceError} If the service has no quote, for example with `NoLiquidity`, whether it
 *   says so in its response or in the stream.
 * @throws {DecodeError} If the stream ends in the middle of a quote, or 100 consecutive events are
 * not quotes.
 * @throws {MismatchError} If a quote is for another trade, as for {@linkcode postQuote}.
 * @throws {HttpStatusError} If the response is not an event stream, or one of its events is longer
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
 * const recording = await replay("quoting__quote_stream_smoke");
 * const quotes = streamQuotes(recording, {
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
  checkOptions(options, { ...CALL_OPTIONS, onFailure: Function }, "Cannot quote");
  const call = buildQuoteCall("/api/v1/quote/stream", request);
  return readQuotes(transport, call, { ...options, quoteRequest: request });
}

async function* readQuotes(
  transport: Transport,
  call: Call,
  { quoteRequest, onFailure, signal }: StreamQuotesOptions & { quoteRequest: QuoteRequest },
): AsyncGenerator<QuoteResponse, void, undefined> {
  const request = toRequest(call, { signal });
  const source = requestLine(request);
  const failures = new Failures<Failure>(`the quotes of ${describeQuote(quoteRequest)}`, onFailure);
  let failuresInRow = 0;
  const { status, chunks } = await openStream(call, transport, request);
  for await (const event of readEvents(chunks, { request, status })) {
    if (event.name === "error") throw toStreamError(event, request, call);
    if (event.name !== "message") continue;
    let quote: QuoteResponse;
    try {
      quote = parseQuote(event, source);
    } catch (error) {
      if (!(error instanceof DecodeError) || event.isCut) throw error;
      failures.add({ error });
      if (++failuresInRow < MAX_FAILURES_IN_ROW) continue;
      failures.throwIfAny();
      throw error;
    }
    failuresInRow = 0;
    requireMatch(quoteRequest, quote, source);
    yield quote;
  }
  failures.throwIfAny();
}

function parseQuote({ data, isCut }: ServerEvent, source: string): QuoteResponse {
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

/** Converts the error event that ends a stream, as if it were the whole response. */
function toStreamError({ data }: ServerEvent, request: HttpRequest, purpose: Purpose): HttpError {
  const explained = { contentType: "application/json", headers: new Headers(), body: data };
  return toHttpError({ status: 200, ...explained }, request, purpose);
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
  source: StreamSource,
): AsyncGenerator<ServerEvent, void, undefined> {
  const events = new EventSplitter(source);
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = events.push(isFirst ? chunk.replace(/^\uFEFF/, "") : chunk);
    isFirst &&= chunk === "";
    yield* splitEvents(text);
  }
  yield* splitEvents(events.flush());
}

/** Splits a text into events; one without a closing blank line is marked as cut. */
function* splitEvents(text: string): Generator<ServerEvent, void, undefined> {
  let name = "";
  let data: string[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  // The empty text after the last line end is not a line.
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    if (line === "") {
      if (data.length > 0) yield toEvent(name, data, false);
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
  if (data.length > 0) yield toEvent(name, data, true);
}

function toEvent(name: string, data: readonly string[], isCut: boolean): ServerEvent {
  return { name: name === "" ? "message" : name, data: data.join("\n"), isCut };
}

/** Characters that are read of a body that is not an event stream, for the error. */
const EXCERPT_CHARS = 200;

type QuoteStream = Omit<HttpStream, "chunks"> & {
  readonly chunks: AsyncIterable<string> | Iterable<string>;
};

/** Opens the stream; a transport without streams returns all events at once. */
async function openStream(
  purpose: Purpose,
  transport: Transport,
  request: HttpRequest,
): Promise<QuoteStream> {
  const stream = transport.stream === undefined
    ? toStream(await transport.send(request))
    : await transport.stream(request);
  const { status, contentType, chunks } = stream;
  if (!isSuccess(stream)) {
    const body = (await Array.fromAsync(chunks)).join("");
    throw toHttpError({ headers: new Headers(), ...stream, body }, request, purpose);
  }
  if (isEventStream(stream)) return stream;
  throw new HttpStatusError(
    `Cannot ${purpose.action}: the response is ${contentType} instead of an event stream`,
    {
      request: requestLine(request),
      status,
      body: await readStart(chunks),
      remedy: "Check that the address is an order book's, and that no proxy answers for it",
    },
  );
}

function toStream(
  { body, ...response }: HttpResponse,
): QuoteStream & Pick<HttpResponse, "headers"> {
  return { ...response, chunks: [body] };
}

async function readStart(chunks: AsyncIterable<string> | Iterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length >= EXCERPT_CHARS) break;
  }
  return text;
}

/** Schemes in which the trader signs with a key, and which on-chain orders therefore never use. */
const ECDSA_SCHEMES: readonly string[] = ["eip712", "ethsign"];

/**
 * Builds the call of a quote. Its body always has the price quality, `verified` unless the caller
 * sets another: the service and its specification differ on the default.
 *
 * @throws {InputError} If the service would reject or misread the request.
 */
function buildQuoteCall(path: string, request: QuoteRequest): Call {
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
  const body = encodeQuoteRequest({ ...request, priceQuality });
  return { method: "POST", path, body, isRead: true, action: `quote ${describeQuote(request)}` };
}

/** Describes a quote request, for errors. */
function describeQuote({ kind, sellToken, buyToken }: QuoteRequest): string {
  return kind === "sell"
    ? `the sale of ${sellToken} for ${buyToken}`
    : `the purchase of ${buyToken} for ${sellToken}`;
}

/**
 * Requests a price and a fee.
 *
 * Calls `POST /api/v1/quote`, which changes nothing and is retried like a GET. The request always
 * includes `priceQuality`, `verified` by default.
 *
 * @param transport Transport that sends the request.
 * @param request Tokens, amount, trader and terms; `timeout` limits the service's wait for solvers,
 *   in milliseconds.
 * @returns Order parameters, net of fees, with the id to place the order with.
 * @throws {InputError} If the request is invalid, has `appDataHash` without `appData`, or combines
 *   `onchainOrder` with an ECDSA scheme; nothing is sent.
 * @throws {ServiceError} If the service has no quote, for example with `NoLiquidity`.
 * @throws {DecodeError} If the response is not a quote.
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
  const call = buildQuoteCall("/api/v1/quote", request);
  const { json, source } = await requestJson(transport, call, options);
  const response = decodeQuoteResponse(json, { source });
  requireMatch(request, response, source);
  return response;
}

/** 32 bytes of hex: app data given by its hash. */
const HASH = /^0x[0-9a-f]{64}$/i;

/**
 * The values of a field in the request and in the response; `null` and `undefined` are not compared.
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
 * @throws {MismatchError} If a field of the response differs from the request.
 */
function requireMatch(request: QuoteRequest, response: QuoteResponse, source: string): void {
  const { quote } = response;
  const pairs: readonly Pair[] = [
    ["sellToken", request.sellToken, quote.sellToken],
    ["buyToken", request.buyToken, quote.buyToken],
    ["kind", request.kind, quote.kind],
    pairSize(request, response),
    ["from", request.from, response.from],
    ["receiver", request.receiver, quote.receiver],
    ["validTo", request.validTo, quote.validTo],
    ["sellTokenBalance", request.sellTokenBalance, quote.sellTokenBalance],
    ["buyTokenBalance", request.buyTokenBalance, quote.buyTokenBalance],
    ["appDataHash", getAppDataHash(request), getAppDataHash(quote)],
  ];
  for (const [field, asked, answered] of pairs) {
    if (asked == null || answered == null) continue;
    requireSame(source, { field, asked, answered });
  }
}

function pairSize(request: QuoteRequest, { quote }: QuoteResponse): Pair {
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
 * Returns the hash of the app data, if it was requested; a document's text is not compared: it must
 * not appear in an error.
 */
function getAppDataHash(
  { appData, appDataHash }: Pick<QuoteRequest, "appData" | "appDataHash">,
): string | undefined {
  return appDataHash ?? (appData != null && HASH.test(appData) ? appData : undefined);
}
