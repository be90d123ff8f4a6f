import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";
import { hideSecrets } from "./secrets.ts";

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
 * answer, so its effect on the server is unknown.
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

  /** Builds the error from the request and how it failed. */
  constructor(action: string, options: UnansweredErrorOptions) {
    const { request, attempts, facts } = options;
    super(action, { ...options, facts: { request, attempts, ...facts } });
    this.request = hideSecrets(request);
    this.attempts = attempts;
    this.mayHaveBeenReceived = options.mayHaveBeenReceived;
  }
}

/**
 * Thrown when a connection cannot be made, breaks, or closes before the complete answer has
 * arrived.
 */
export class NetworkError extends UnansweredError {
  /** Always `"network"`. */
  override readonly code = "network" as const;
}

/** Thrown when an answer, headers or body, takes longer than the transport's timeout. */
export class TimeoutError extends UnansweredError {
  /** Always `"timeout"`. */
  override readonly code = "timeout" as const;
}
