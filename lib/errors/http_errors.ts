import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";
import { hideSecrets, withoutSecrets } from "./secrets.ts";

/** How much of a body an error shows and keeps, in characters. */
const BODY_START_CHARS = 200;

/** What an error about an answer carries. */
export interface HttpErrorOptions extends OrderlensErrorOptions {
  /** HTTP status of the answer. */
  status: number;
  /** Body of the answer; the error keeps its first 200 characters. */
  body: string;
  /** Method and path of the request, as `GET /api/v1/version`. */
  request: string;
}

/**
 * Base of every error about an answer that arrived but cannot be used: what was asked, the status
 * and the first 200 characters of the body.
 *
 * @example One `instanceof` for every refusal
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
  /** HTTP status of the answer. */
  readonly status: number;
  /** First 200 characters of the answer's body; `""` when it had none. */
  readonly body: string;
  /** Method and path of the request, as `GET /api/v1/version`. */
  readonly request: string;

  /** Builds the error from the request and its answer. */
  constructor(action: string, options: HttpErrorOptions) {
    const { request, status, facts } = options;
    const body = hideSecrets(options.body.slice(0, BODY_START_CHARS));
    super(action, {
      ...options,
      facts: { request, status, body: body === "" ? "empty" : JSON.stringify(body), ...facts },
    });
    this.status = status;
    this.body = body;
    this.request = hideSecrets(request);
  }
}

/**
 * Thrown for an answer that HTTP delivered and the interface does not allow: an unexpected status, a
 * body that is not JSON or too large, a redirect to another host.
 */
export class HttpStatusError extends HttpError {
  /** Always `"http_status"`. */
  override readonly code = "http_status" as const;
}

/** Thrown when the service does not have what was asked for. */
export class NotFoundError extends HttpError {
  /** Always `"not_found"`. */
  override readonly code = "not_found" as const;
}

/** Thrown when the service asks for credentials, or refuses those it got. */
export class UnauthorizedError extends HttpError {
  /** Always `"unauthorized"`. */
  override readonly code = "unauthorized" as const;
}

/** Thrown when a deployment does not offer an operation, now or at all. */
export class UnavailableError extends HttpError {
  /** Always `"unavailable"`. */
  override readonly code = "unavailable" as const;
}

/** What {@linkcode RateLimitedError} carries. */
export interface RateLimitedErrorOptions extends HttpErrorOptions {
  /** How long the service asked to wait, in milliseconds, when it said. */
  retryAfterMs?: number | undefined;
}

/** Thrown when the service refuses a request because there were too many. */
export class RateLimitedError extends HttpError {
  /** Always `"rate_limited"`. */
  override readonly code = "rate_limited" as const;
  /** How long the service asked to wait from its answer on, in milliseconds; `undefined` when it did not say. */
  readonly retryAfterMs: number | undefined;

  /** Builds the error from the request, its answer and the wait asked for. */
  constructor(action: string, options: RateLimitedErrorOptions) {
    const { retryAfterMs, facts } = options;
    super(action, {
      ...options,
      facts: { ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...facts },
    });
    this.retryAfterMs = retryAfterMs;
  }
}

/** What {@linkcode ServiceError} carries. */
export interface ServiceErrorOptions extends HttpErrorOptions {
  /** Kind of refusal in the service's own words, as `InsufficientBalance`. */
  errorType: string;
  /** The service's sentence about it. */
  description: string;
  /** What else the service said about it, as parsed JSON. */
  data?: unknown;
}

/** Thrown when the service refuses a request and says why in its own terms. */
export class ServiceError extends HttpError {
  /** Always `"service"`. */
  override readonly code = "service" as const;
  /** Kind of refusal in the service's own words, as `InsufficientBalance`. */
  readonly errorType: string;
  /** The service's sentence about it. */
  readonly description: string;
  /** What else the service said about it, as parsed JSON; `undefined` when nothing. */
  readonly data: unknown;

  /** Builds the error from the request and the service's refusal. */
  constructor(action: string, options: ServiceErrorOptions) {
    const { errorType, description, facts } = options;
    super(action, { ...options, facts: { errorType, description, ...facts } });
    this.errorType = hideSecrets(errorType);
    this.description = hideSecrets(description);
    this.data = withoutSecrets(options.data);
  }
}
