import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";
import { hideSecrets } from "./secrets.ts";

/** What an error about a request that got no whole answer carries. */
export interface UnansweredErrorOptions extends OrderlensErrorOptions {
  /** Method and path of the request, as `GET /api/v1/version`. */
  request: string;
  /** How often it was sent, the first time included. */
  attempts: number;
  /** Whether the other side may have received the request and acted on it. */
  mayHaveBeenReceived: boolean;
}

/**
 * Base of {@linkcode NetworkError} and {@linkcode TimeoutError}: a request that got no whole answer,
 * so that nobody knows what the other side made of it.
 */
export abstract class UnansweredError extends OrderlensError {
  /** Method and path of the request, as `GET /api/v1/version`. */
  readonly request: string;
  /** How often it was sent, the first time included. */
  readonly attempts: number;
  /**
   * Whether the other side may have received the request and acted on it; `false` only where no
   * connection was made. Whoever sent something that must not happen twice looks first.
   */
  readonly mayHaveBeenReceived: boolean;

  /** Builds the error from the request and how it was lost. */
  constructor(action: string, options: UnansweredErrorOptions) {
    const { request, attempts, facts } = options;
    super(action, { ...options, facts: { request, attempts, ...facts } });
    this.request = hideSecrets(request);
    this.attempts = attempts;
    this.mayHaveBeenReceived = options.mayHaveBeenReceived;
  }
}

/** Thrown when a connection cannot be made, breaks, or ends before the whole answer has arrived. */
export class NetworkError extends UnansweredError {
  /** Always `"network"`. */
  override readonly code = "network" as const;
}

/** Thrown when an answer, headers or body, takes longer than the transport waits. */
export class TimeoutError extends UnansweredError {
  /** Always `"timeout"`. */
  override readonly code = "timeout" as const;
}
