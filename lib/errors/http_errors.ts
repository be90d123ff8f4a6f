import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";
import { hideSecrets, withoutSecrets } from "./secrets.ts";

/** Length of the body excerpt that an error shows and keeps, in characters. */
const BODY_START_CHARS = 200;

/** Options of an {@linkcode HttpError}. */
export interface HttpErrorOptions extends OrderlensErrorOptions {
  /** HTTP status of the answer. */
  status: number;
  /** Body of the answer; the error keeps its first 200 characters. */
  body: string;
  /** Method and path of the request, such as `GET /api/v1/version`. */
  request: string;
}

/**
 * Base class of errors about an answer that arrived but cannot be used. Carries the request, the
 * status and the first 200 characters of the body.
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
  /** HTTP status of the answer. */
  readonly status: number;
  /** First 200 characters of the answer's body; `""` when it had none. */
  readonly body: string;
  /** Method and path of the request, such as `GET /api/v1/version`. */
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
 * Thrown for an answer that the API does not allow: an unexpected status, a body that is too large
 * or not JSON, a redirect to another host.
 */
export class HttpStatusError extends HttpError {
  /** Always `"http_status"`. */
  override readonly code = "http_status" as const;
}

/** Thrown when the service does not have the requested resource. */
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
   * Wait requested by the service, counted from its answer, in milliseconds; `undefined` when it
   * named none.
   */
  readonly retryAfterMs: number | undefined;

  /** Builds the error from the request, its answer and the requested wait. */
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
    this.data = withoutSecrets(options.data);
  }
}
