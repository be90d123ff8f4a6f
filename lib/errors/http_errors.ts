import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";
import { hideSecrets, hideSecretsDeep } from "./secrets.ts";

/** Maximum length of the body excerpt in an error, in characters. */
const MAX_BODY_CHARS = 200;

/** Options of an {@linkcode HttpError}. */
export interface HttpErrorOptions extends OrderlensErrorOptions {
  /** HTTP status of the response; `null` if none is known, as of a node in this process. */
  status: number | null;
  /** Body of the response, of which the error keeps 200 characters; absent if it was not read. */
  body?: string;
  /** Method and path of the request, such as `GET /api/v1/version`; `null` of a search, which may take none. */
  request: string | null;
}

/**
 * Base class of errors about a response that arrived but cannot be used. Carries the request, the
 * status and the first 200 characters of the body, as far as there are any.
 *
 * @example One `instanceof` for every HTTP error
 * ```ts
 * import { HttpError, NotFoundError } from "orderlens";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const error = new NotFoundError("Cannot get the version", {
 *   request: "GET /api/v1/version",
 *   status: 404,
 *   body: "",
 *   remedy: "Check the address of the deployment",
 * });
 *
 * assert(error instanceof HttpError);
 * assertEquals(error.code, "not_found");
 * assertEquals(error.message.split("\n").slice(0, 3), [
 *   "Cannot get the version",
 *   "  request: GET /api/v1/version",
 *   "  status: 404",
 * ]);
 * ```
 */
export abstract class HttpError extends OrderlensError {
  /** HTTP status of the response; `null` if none is known, as of a node in this process. */
  readonly status: number | null;
  /** First 200 characters of the response's body; `""` when it had none, or was not read. */
  readonly body: string;
  /** Method and path of the request, such as `GET /api/v1/version`; `null` of a search, which may take none. */
  readonly request: string | null;

  /** Builds the error from the request and its response. */
  constructor(action: string, options: HttpErrorOptions) {
    const { request, status, facts } = options;
    const body = hideSecrets(options.body ?? "").slice(0, MAX_BODY_CHARS);
    const shownBody = options.body === undefined
      ? {}
      : { body: body === "" ? "empty" : JSON.stringify(body) };
    const shownFacts = {
      ...request !== null && { request },
      ...status !== null && { status },
      ...shownBody,
    };
    super(action, { ...options, facts: { ...shownFacts, ...facts } });
    this.status = status;
    this.body = body;
    this.request = request === null ? null : hideSecrets(request);
  }
}

/**
 * Thrown for a response that the API does not allow: an unexpected status, a body that is too large
 * or not JSON, a redirect to another host.
 */
export class HttpStatusError extends HttpError {
  /** Always `"http_status"`. */
  override readonly code = "http_status" as const;
}

/**
 * Thrown for a 404 that no order book sent: it lacks the service's own explanation, as the page of a web
 * server or of a gateway does. The address is not an order book's, or something in front of it responded
 * in its place, so that nothing is known about what was requested.
 *
 * @example The page of a web server
 * ```ts
 * import { connect, HttpStatusError, NoOrderBookError } from "orderlens";
 * import { assert, assertRejects } from "@std/assert";
 *
 * const book = connect({
 *   fetch: () => Promise.resolve(new Response("404 page not found", { status: 404 })),
 *   deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
 * });
 *
 * const error = await assertRejects(() => book.order(`0x${"ab".repeat(56)}`), NoOrderBookError);
 * assert(error instanceof HttpStatusError);
 * ```
 */
export class NoOrderBookError extends HttpStatusError {}

/** Thrown when the service itself states that it does not have the requested resource, or a search finds none. */
export class NotFoundError extends HttpError {
  /** Always `"not_found"`. */
  override readonly code = "not_found" as const;
}

/** Thrown when the service requires credentials, or rejects the ones it got. */
export class UnauthorizedError extends HttpError {
  /** Always `"unauthorized"`. */
  override readonly code = "unauthorized" as const;
}

/** Thrown when a deployment does not offer an operation, temporarily or at all. */
export class UnavailableError extends HttpError {
  /** Always `"unavailable"`. */
  override readonly code = "unavailable" as const;
}

/** Options of a {@linkcode RateLimitedError}. */
export interface RateLimitedErrorOptions extends HttpErrorOptions {
  /** Wait requested by the service, in milliseconds; absent when it named none. */
  retryAfterMs?: number | undefined;
}

/** Thrown when the service rejects a request because it received too many. */
export class RateLimitedError extends HttpError {
  /** Always `"rate_limited"`. */
  override readonly code = "rate_limited" as const;
  /**
   * Wait requested by the service, counted from its response, in milliseconds; `undefined` when it
   * named none.
   */
  readonly retryAfterMs: number | undefined;

  /** Builds the error from the request, its response and the requested wait. */
  constructor(action: string, options: RateLimitedErrorOptions) {
    const { retryAfterMs, facts } = options;
    super(action, {
      ...options,
      facts: { ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...facts },
    });
    this.retryAfterMs = retryAfterMs;
  }
}

/** Options of a {@linkcode ServiceError}. */
export interface ServiceErrorOptions extends HttpErrorOptions {
  /** Error type named by the service, such as `InsufficientBalance`. */
  errorType: string;
  /** Description given by the service. */
  description: string;
  /** Additional data from the service, as parsed JSON. */
  data?: unknown;
}

/** Thrown when the service rejects a request and explains why. */
export class ServiceError extends HttpError {
  /** Always `"service"`. */
  override readonly code = "service" as const;
  /** Error type named by the service, such as `InsufficientBalance`. */
  readonly errorType: string;
  /** Description given by the service. */
  readonly description: string;
  /** Additional data from the service, as parsed JSON; `undefined` when there is none. */
  readonly data: unknown;

  /** Builds the error from the request and the service's explanation. */
  constructor(action: string, options: ServiceErrorOptions) {
    const { errorType, description, facts } = options;
    super(action, { ...options, facts: { errorType, description, ...facts } });
    this.errorType = hideSecrets(errorType);
    this.description = hideSecrets(description);
    this.data = hideSecretsDeep(options.data);
  }
}

/** Options of a {@linkcode MismatchError}. */
export interface MismatchErrorOptions {
  /** Method and path of the request, such as `GET /api/v1/version`. */
  request: string;
  /** Field that differs, such as `uid` or `auctionId`. */
  field: string;
  /** Value that was requested, or that follows from the request. */
  asked: string;
  /** Value in the response. */
  answered: string;
  /** Remedy that replaces the default one. */
  remedy?: string | undefined;
}

/**
 * Thrown when a response is not about what was requested: it holds another order, another auction or
 * a document with another hash. Never retried, and the response is discarded.
 *
 * @example An order book that returns another auction
 * ```ts
 * import { connect, MismatchError } from "orderlens";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const competition = {
 *   auctionId: 8,
 *   auctionStartBlock: 1,
 *   auctionDeadlineBlock: 4,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [],
 * };
 * const book = connect({
 *   fetch: () => Promise.resolve(Response.json(competition)),
 *   deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
 * });
 *
 * const error = await assertRejects(() => book.competition(7), MismatchError);
 * assertEquals([error.field, error.asked, error.answered], ["auctionId", "7", "8"]);
 * ```
 */
export class MismatchError extends OrderlensError {
  /** Always `"mismatch"`. */
  override readonly code = "mismatch" as const;
  /** Method and path of the request, such as `GET /api/v1/version`. */
  readonly request: string;
  /** Field that differs, such as `uid` or `auctionId`. */
  readonly field: string;
  /** Value that was requested, or that follows from the request. */
  readonly asked: string;
  /** Value in the response. */
  readonly answered: string;

  /** Builds the error from the request and the two values. */
  constructor(options: MismatchErrorOptions) {
    const { request, field, asked, answered, remedy } = options;
    super(`Cannot use the response to ${request}: unexpected ${field}`, {
      facts: { asked, answered },
      remedy: remedy ??
        "Check the address of the deployment and any proxy in front of it, then retry; the response is not about what was requested",
    });
    this.request = hideSecrets(request);
    this.field = field;
    this.asked = hideSecrets(asked);
    this.answered = hideSecrets(answered);
  }
}

/** Options of an {@linkcode UnansweredError}. */
export interface UnansweredErrorOptions extends OrderlensErrorOptions {
  /** Method and path of the request, such as `GET /api/v1/version`. */
  request: string;
  /** Number of attempts, including the first. */
  attempts: number;
  /** Whether the server may have received the request and acted on it. */
  mayHaveBeenReceived: boolean;
}

/**
 * Base class of {@linkcode NetworkError} and {@linkcode TimeoutError}: the request got no complete
 * response, so its effect on the server is unknown.
 */
export abstract class UnansweredError extends OrderlensError {
  /** Method and path of the request, such as `GET /api/v1/version`. */
  readonly request: string;
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /**
   * Whether the server may have received the request and acted on it; `false` only where no
   * connection was made. Before repeating a request that must not take effect twice, check whether
   * it did.
   */
  readonly mayHaveBeenReceived: boolean;

  /** Builds the error from the request and its failure. */
  constructor(action: string, options: UnansweredErrorOptions) {
    const { request, attempts, facts } = options;
    super(action, { ...options, facts: { request, attempts, ...facts } });
    this.request = hideSecrets(request);
    this.attempts = attempts;
    this.mayHaveBeenReceived = options.mayHaveBeenReceived;
  }
}

/**
 * Thrown when a connection cannot be made, breaks, or closes before the complete response has
 * arrived.
 */
export class NetworkError extends UnansweredError {
  /** Always `"network"`. */
  override readonly code = "network" as const;
}

/** Thrown when a response, headers or body, takes longer than the transport's timeout. */
export class TimeoutError extends UnansweredError {
  /** Always `"timeout"`. */
  override readonly code = "timeout" as const;
}

/** Options of an {@linkcode UnconfirmedOrderError}. */
export interface UnconfirmedOrderOptions {
  /** UID of the order, computed from its own fields. */
  uid: string;
  /** Whether the order exists; `null` if that could not be determined. */
  exists: boolean | null;
  /** Status of the order, if it exists. */
  status?: string;
  /** The failure that left the outcome unknown. */
  cause: OrderlensError;
  /** The error of looking up the order, if that failed. */
  lookUpError?: unknown;
}

/**
 * Thrown when an order was sent but the response was lost, reports an internal error, cannot be read
 * or names another UID. The order was then looked up by its own UID, and never sent a second time.
 *
 * The `cause` is the failure that left the outcome unknown, with its own code: `network`,
 * `timeout`, `http_status`, `service`, `decode` or `mismatch`.
 */
export class UnconfirmedOrderError extends OrderlensError {
  /** Always `"unconfirmed"`; the `cause` is the underlying failure, with its own code. */
  override readonly code = "unconfirmed" as const;
  /** UID of the order. */
  readonly uid: string;
  /** Whether the order existed when it was looked up; `null` if that could not be determined. */
  readonly exists: boolean | null;
  /** Status of the order when it was looked up; `null` if it was not found. */
  readonly status: string | null;
  /** The error of looking up the order; `undefined` if that succeeded. */
  readonly lookUpError: unknown;

  /** Builds the error from the failure and the result of the lookup. */
  constructor(options: UnconfirmedOrderOptions) {
    const { uid, exists, status = null, cause, lookUpError } = options;
    const hasRequest = cause instanceof HttpError || cause instanceof UnansweredError ||
      cause instanceof MismatchError;
    const request = hasRequest ? cause.request : null;
    super(`Cannot confirm the creation of order ${uid}: ${LOOKUP_RESULTS[`${exists}`].text}`, {
      facts: {
        ...request !== null && { request },
        because: summarizeError(cause),
        ...(cause instanceof MismatchError ? { answered: cause.answered } : {}),
        exists: exists === null ? "unknown" : `${exists}`,
        ...(status === null ? {} : { status }),
        ...(lookUpError === undefined ? {} : { "look-up": summarizeError(lookUpError) }),
      },
      remedy: exists !== true && cause instanceof MismatchError
        ? "Check the chain id and the settlement contract of the connection, which the UID depends on, and look up both UIDs before sending anything again"
        : LOOKUP_RESULTS[`${exists}`].remedy,
      cause,
    });
    this.uid = uid;
    this.exists = exists;
    this.status = status === null ? null : hideSecrets(status);
    this.lookUpError = hideSecretsDeep(lookUpError);
  }
}

const LOOKUP_RESULTS = {
  true: {
    text: "no usable response arrived, but the order exists",
    remedy: "Do not send it again; follow it by its UID",
  },
  false: {
    text: "no usable response arrived, and the service does not have the order",
    remedy:
      "Look up the UID again in a few seconds, since the request may still be in flight, before sending the same signed order again",
  },
  null: {
    text: "no usable response arrived, and looking up the order failed too",
    remedy:
      "Look up the UID before sending anything again; the service stores the same signed order only once",
  },
} as const;

/** Options of an {@linkcode UnconfirmedCancellationError}. */
export interface UnconfirmedCancellationOptions {
  /** Status of each order in the cancellation, by UID; `null` where it could not be determined. */
  statuses: ReadonlyMap<string, string | null>;
  /** The failure that left the outcome unknown. */
  cause: OrderlensError;
  /** The error of looking up the orders, if that failed. */
  lookUpError?: unknown;
}

/**
 * Thrown when a cancellation was sent but the response was lost, reports an internal error or cannot
 * be read. The orders were then looked up, and the cancellation was never sent a second time.
 *
 * The `cause` is the failure that left the outcome unknown, with its own code: `network`,
 * `timeout`, `http_status`, `service` or `decode`.
 */
export class UnconfirmedCancellationError extends OrderlensError {
  /** Always `"unconfirmed"`; the `cause` is the underlying failure, with its own code. */
  override readonly code = "unconfirmed" as const;
  /**
   * Status of each order in the cancellation, by its UID as passed; `null` where it could not be
   * determined.
   */
  readonly statuses: ReadonlyMap<string, string | null>;
  /** The error of looking up the orders; `undefined` if that succeeded. */
  readonly lookUpError: unknown;

  /** Builds the error from the failure and the result of the lookup. */
  constructor(options: UnconfirmedCancellationOptions) {
    const { statuses, cause, lookUpError } = options;
    const cancelledCount = [...statuses.values()].filter((status) => status === "cancelled").length;
    const isDone = cancelledCount === statuses.size;
    super(
      `Cannot confirm the cancellation of ${statuses.size} orders: no usable response arrived, and ` +
        (lookUpError === undefined
          ? `${cancelledCount} of them are cancelled`
          : "looking up the orders failed too"),
      {
        facts: {
          because: summarizeError(cause),
          states: formatStatusCounts(statuses.values()),
          ...(lookUpError === undefined ? {} : { "look-up": summarizeError(lookUpError) }),
        },
        remedy: isDone
          ? "Do not send it again: all orders are cancelled"
          : "Check `statuses`, and look up the orders again in a few seconds, before cancelling those still open",
        cause,
      },
    );
    this.statuses = new Map(
      [...statuses].map(([uid, status]) => [uid, status === null ? null : hideSecrets(status)]),
    );
    this.lookUpError = hideSecretsDeep(lookUpError);
  }
}

/** Returns the first line of an error's message. */
export function summarizeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? text;
}

/** Returns the reason of an error, without the action that its message begins with. */
export function formatFault(error: OrderlensError): string {
  return summarizeError(error).replace(/^Cannot [^:]*: /, "");
}

function formatStatusCounts(statuses: Iterable<string | null>): string {
  const counts = new Map<string, number>();
  for (const status of statuses) {
    const name = status ?? "unknown";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}
