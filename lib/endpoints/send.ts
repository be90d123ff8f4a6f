import {
  DecodeError,
  type HttpError,
  HttpStatusError,
  NoOrderBookError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "../errors/mod.ts";
import {
  type HttpRequest,
  type HttpResponse,
  parseJson,
  requestLine,
  retryAfterMs,
  type Transport,
} from "../http/mod.ts";
import { decodeErrorBody, type DecodeOptions } from "../schemas/mod.ts";
import { type CallOptions, serializeBody } from "./calls.ts";

/** Texts about a request, for its errors. */
export interface Purpose {
  /** The action, as it follows "Cannot": `get order 0x12…`. */
  readonly action: string;
  /** Remedy if the service does not have it. */
  readonly notFound?: string;
  /** Remedy if the service requires credentials or rejects the ones sent. */
  readonly unauthorized?: string;
  /** Plain text of a 404 in which the service says that it does not have it, instead of JSON. */
  readonly absentText?: string;
  /** The feature that a deployment lacks if it has no such route; without it, all have the route. */
  readonly feature?: string;
  /** Remedy if a deployment has no such route. */
  readonly unavailable?: string;
}

/** A request and its texts for errors. */
export interface Call extends Purpose, Omit<HttpRequest, "method" | "body" | "signal" | "retries"> {
  /** HTTP method. @default {"GET"} */
  readonly method?: HttpRequest["method"];
  /** Body, sent as JSON. */
  readonly body?: unknown;
}

/** Builds the request of a call, with the caller's signal. */
export function toRequest(
  { method = "GET", body, ...call }: Call,
  { signal }: CallOptions,
): HttpRequest {
  const { action: _, notFound: __, unauthorized: ___, ...fields } = call;
  const { absentText: ____, feature: _____, unavailable: ______, ...request } = fields;
  return {
    method,
    ...request,
    ...body === undefined ? {} : { body: serializeBody(body) },
    ...signal === undefined ? {} : { signal },
  };
}

/** A successful response, and its request as errors name it. */
interface SuccessResponse extends Required<DecodeOptions> {
  readonly response: HttpResponse;
}

/** A successful response with parsed JSON. */
interface JsonResponse extends SuccessResponse {
  readonly json: unknown;
}

/** Whether a response is successful. */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * Sends a request and returns its response if it is successful.
 *
 * @throws {HttpError} Otherwise; see {@linkcode toHttpError}.
 */
export async function send(
  transport: Transport,
  call: Call,
  options: CallOptions,
): Promise<SuccessResponse> {
  const request = toRequest(call, options);
  const response = await transport.send(request);
  if (isSuccess(response)) return { response, source: requestLine(request) };
  throw toHttpError(response, request, call);
}

/**
 * Sends a request and returns its parsed JSON.
 *
 * @throws {HttpError} If the response is not a success, or not JSON.
 */
export async function requestJson(
  transport: Transport,
  call: Call,
  options: CallOptions,
): Promise<JsonResponse> {
  const { response, source } = await send(transport, call, options);
  return { response, source, json: parseJson(response, { method: "GET", ...call }) };
}

/**
 * Converts an unsuccessful response to a typed error. The only place that interprets a status:
 *
 * - 429: {@linkcode RateLimitedError};
 * - 401 and 403: {@linkcode UnauthorizedError}, unless the service explains what is wrong with the
 *   request (the signature of a cancellation, a deny-listed trader);
 * - 404 in which the service says "not found": {@linkcode NotFoundError};
 * - any other 404 without its explanation: {@linkcode UnavailableError} where a deployment may lack the
 *   route and the body is empty, as that of an unknown route is; otherwise
 *   {@linkcode NoOrderBookError};
 * - any other explanation of the service: {@linkcode ServiceError};
 * - anything else: {@linkcode HttpStatusError}.
 */
export function toHttpError(
  response: HttpResponse,
  request: HttpRequest,
  purpose: Purpose,
): HttpError {
  const { status } = response;
  const cannot = `Cannot ${purpose.action}`;
  const details = {
    request: requestLine(request),
    status,
    // The service's backtrace is of no use to a client.
    body: response.body.replace(ESCAPED_BACKTRACE, ""),
  };
  const explanation = parseExplanation(response);

  if (status === 429) {
    return new RateLimitedError(`${cannot}: too many requests`, {
      ...details,
      retryAfterMs: retryAfterMs(response.headers),
      remedy: "Wait before retrying, and lower the option `rateLimit`",
    });
  }
  const isExplained = explanation !== undefined && request.method !== "GET";
  if ((status === 401 || status === 403) && !isExplained) {
    return new UnauthorizedError(
      `${cannot}: the service ${status === 401 ? "requires credentials" : "denies access"}`,
      {
        ...details,
        remedy: purpose.unauthorized ??
          (isHtml(response)
            ? "Retry later, or from another address: a gateway in front of the service blocks this caller"
            : "Pass a partner's key in the option `headers`, or check the key that was passed"),
      },
    );
  }
  const isAbsent = explanation?.errorType === "NotFound" ||
    purpose.absentText !== undefined && response.body.trim() === purpose.absentText;
  if (status === 404 && isAbsent) {
    return new NotFoundError(`${cannot}: the service does not have it`, {
      ...details,
      remedy: purpose.notFound ?? "Check the input, the network and the environment",
    });
  }
  if (status === 404 && explanation === undefined) {
    return toMissingRouteError(details, request, purpose);
  }
  if (explanation !== undefined) {
    const { errorType, description, data } = explanation;
    return new ServiceError(`${cannot}: ${errorType}`, {
      ...details,
      errorType,
      description,
      data,
      remedy: findRemedy(errorType),
    });
  }
  return new HttpStatusError(`${cannot}: the response has status ${status}`, {
    ...details,
    remedy: chooseStatusRemedy(response),
  });
}

/** Whether a response is a page for people, as a gateway sends it. */
function isHtml({ contentType, body }: HttpResponse): boolean {
  return /^\s*text\/html\b/i.test(contentType ?? "") || /^\s*<(!doctype|html)\b/i.test(body);
}

/** Builds the error for a 404 that is not the service's own. */
function toMissingRouteError(
  details: Pick<HttpError, "request" | "status" | "body">,
  { method }: HttpRequest,
  { action, feature, unavailable }: Purpose,
): HttpError {
  const mayBeMissing = method !== "GET" || feature !== undefined;
  if (mayBeMissing && details.body === "") {
    return new UnavailableError(
      `Cannot ${action}: this deployment ${
        feature === undefined ? "has no such operation" : `does not offer ${feature}`
      }`,
      {
        ...details,
        remedy: unavailable ??
          "Check the address of the deployment; an older deployment may not offer the operation yet",
      },
    );
  }
  return new NoOrderBookError(`Cannot ${action}: no order book answers at this address`, {
    ...details,
    remedy:
      "Check the address of the deployment, with its path; if it is right, retry later: a gateway in front of it responded",
  });
}

function chooseStatusRemedy({ status, body }: HttpResponse): string {
  if (status >= 500) return "Retry later; the service or a proxy failed";
  if (status === 413) return "Send less: the body exceeds the size limit of the service";
  if (status >= 400 && body === "") {
    return "Check the input: the service rejects it without an explanation";
  }
  if (status >= 400) return "Correct the input as described in the body of the response";
  return "Check the address of the deployment: an order book does not respond like this";
}

/** Remedies by the error type of the service; the set is open. */
const REMEDIES: Readonly<Record<string, string>> = {
  AlreadyCancelled: "Leave out orders that are already cancelled",
  AppDataHashMismatch:
    "Compute the hash with hashAppData from exactly the text that is sent as app data",
  AppDataInvalid: "Correct the document; `description` says where parsing failed",
  AppDataMismatch: "Send the document that was registered under this hash, or another hash",
  AppdataFromMismatch: "Set `from` to the account in `metadata.signer` of the document",
  CustomSolverError: "Read `description`, which comes from a solver",
  DuplicatedOrder: "Do not send it again: the service already has this order, under the same UID",
  ExcessiveValidTo: "Choose an earlier validTo",
  FastPathDisabled: "Leave out `enableFastPath`: the fast path is off here",
  FastPathLimitTooTight:
    "Sign the amounts of the quote less partner fees, or leave `enableFastPath` out of the app data",
  Forbidden: "Trade from another account: the service rejects this one",
  IncompatibleSigningScheme: "Use a signing scheme that this kind of order allows",
  InsufficientAllowance:
    "Approve the vault relayer for at least the sell amount, from the owner's account",
  InsufficientBalance:
    "Make sure that the owner holds at least the sell amount and has approved it to the vault relayer",
  InsufficientFee: "Request a new quote",
  InsufficientFunds:
    "Make sure that the owner holds at least the sell amount and has approved it to the vault relayer",
  InsufficientLiquidity: "Try a smaller amount or another pair",
  InsufficientValidTo: "Choose a later validTo",
  InternalServerError: "Retry later; the service failed",
  InvalidAppData:
    "Correct the document as `description` says; if only its hash is sent, register the document first",
  InvalidEip1271Signature: "Check that the contract accepts this signature for the order's digest",
  InvalidLimit: "Request 1 to 1000 rows",
  InvalidNativeSellToken:
    "Sell the wrapped token, or place the order through the ETH-flow contract",
  InvalidQuote: "Request a new quote and place the order with its id",
  InvalidSignature: "Sign the digest of exactly this order, for this chain and settlement contract",
  InvalidTradeFilter: "Request the trades of either an owner or an order, not both",
  InvalidValidFrom: "Choose a validFrom before validTo",
  LIMIT_OUT_OF_BOUNDS: "Request 1 to 1000 rows",
  MetadataSerializationFailed: "Retry later; the service failed",
  MissingFrom: "Pass the owner as `from`: it cannot be recovered from this kind of signature",
  NoLiquidity: "Try another amount or pair, or retry later: no solver has a route now",
  NonZeroFee: "Sign the order with a feeAmount of 0n",
  OldOrderActivelyBidOn:
    "Wait until no solver bids on the order that is replaced, or cancel it first",
  OnChainOrder: "Cancel the order on-chain, where it was placed",
  OrderExpired: "Leave out the order: it has expired",
  OrderFullyExecuted: "Leave out the order: it is filled",
  OrderNotFound:
    "Check the UIDs, the network and the environment: one unknown order fails the whole list",
  QuoteNotFound: "Request a new quote and place the order with its id",
  QuoteNotVerified: "Request the price quality `optimal`, or another amount or account",
  SameBuyAndSellToken: "Choose two different tokens",
  SellAmountDoesNotCoverFee: "Sell more than the network fee; `data` says how much that is",
  SellAmountOverflow:
    "Choose a smaller sell amount: with the fee it exceeds the maximum of 256 bits",
  TokenTemporarilySuspended: "Retry later: trading of this token is suspended",
  TooManyLimitOrders: "Wait until some of the owner's open orders are filled, or cancel some",
  TooMuchGas: "Use hooks or a signature that need less gas",
  TradingOutsideAllowedWindow: "Retry when trading is open",
  TransferSimulationFailed: "Check that the owner can transfer the sell token",
  UnsupportedBuyTokenDestination: "Use buyTokenBalance `erc20`",
  UnsupportedOrderType: "Choose another kind of order: this deployment does not support this one",
  UnsupportedSellTokenSource: "Use sellTokenBalance `erc20`",
  UnsupportedToken: "Choose another token: the service does not support this one",
  WrongOwner: "Sign with the account that the order names as its owner",
  ZeroAmount: "Choose amounts above 0n",
};

/** Returns the remedy for an error of the service, by its `errorType`. */
export function findRemedy(errorType: string): string {
  return Object.hasOwn(REMEDIES, errorType)
    ? REMEDIES[errorType]!
    : "Read `description`: the library does not know this error type";
}

/** A backtrace at the end of some of the service's descriptions; `n` stands for a newline. */
const BACKTRACE = /\s*Stack backtrace:[\s\S]*$/;
const ESCAPED_BACKTRACE = /(?:\\n)*Stack backtrace:(?:[^"\\]|\\.)*/;

/** The service's explanation; its description may be empty. */
type Explanation = Required<Pick<ServiceError, "errorType" | "description">> & { data: unknown };

/**
 * Parses the service's explanation of a rejection; `undefined` if the body is none: empty, plain
 * text, HTML, or the JSON of a proxy.
 */
function parseExplanation({ body }: HttpResponse): Explanation | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const explained = decodeErrorBody(JSON.parse(body));
    if (typeof explained === "string") return undefined;
    const { errorType, description, data } = explained;
    return { errorType, description: description?.replace(BACKTRACE, "") ?? "", data };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** A call of a route with different paths in the live service and in the API specification. */
interface TwoPathCall extends Call {
  /** Key under which the choice is cached. */
  readonly route: "debug" | "transactionOrders";
  /** Path in the API specification. */
  readonly document: string;
  /** The feature that a deployment without the route lacks. */
  readonly feature: string;
  /** Remedy if a deployment has no such route. */
  readonly unavailable: string;
}

/** The routes that a deployment has under the path of the specification. */
const documentedRoutes = new WeakMap<Transport, Set<string>>();

/**
 * Requests JSON of a route with two paths.
 *
 * The service's path comes first; if the *route* responds 404 (without the service's own
 * explanation), the specification's path is tried once. The choice is cached per transport, so
 * later calls send one request.
 *
 * @throws {UnavailableError} If neither path exists.
 * @throws {NoOrderBookError} If something other than the service responded to one of them.
 */
export async function requestEitherPath(
  transport: Transport,
  { route, document, ...call }: TwoPathCall,
  options: CallOptions,
): Promise<JsonResponse> {
  const routes = documentedRoutes.get(transport) ?? new Set();
  const paths = routes.has(route) ? [document, call.path] : [call.path, document];
  let foreignError: HttpError | null = null;
  for (const path of paths) {
    const request = toRequest({ ...call, path }, options);
    const response = await transport.send(request);
    const source = requestLine(request);
    if (isRouteUnknown(response)) {
      const error = toHttpError(response, request, call);
      if (error instanceof NoOrderBookError) foreignError ??= error;
      if (path === paths[0]) continue;
      throw foreignError ?? error;
    }
    if (path === document) documentedRoutes.set(transport, routes.add(route));
    else routes.delete(route);
    if (!isSuccess(response)) throw toHttpError(response, request, call);
    return { response, source, json: parseJson(response, request) };
  }
  throw new TypeError("A route has two paths");
}

function isRouteUnknown(response: HttpResponse): boolean {
  return response.status === 404 && parseExplanation(response) === undefined;
}
