/** A request that starts. */
export interface HttpStart {
  /** Number of the request, unique in its transport; the same in all events about it. */
  readonly id: number;
  /** Method and path, such as `GET /api/v1/version`. */
  readonly request: string;
}

/** A failed attempt that will be repeated. */
export interface HttpRetry extends HttpStart {
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
  /** Status of the answer, or why there was none, such as `429` or `connection refused`. */
  readonly because: number | string;
}

/** A request that ended. */
export interface HttpEnd extends HttpStart {
  /** Number of attempts; 0 if the answer was cached. */
  readonly attempts: number;
  /** Status of the answer; `undefined` when there was none. */
  readonly status: number | undefined;
  /**
   * Where the answer came from: the network, the memory cache (until its `max-age`), or the cache
   * folder.
   */
  readonly from: "network" | "memory" | "folder";
  /** Error that the call rejected with; `undefined` if it succeeded. */
  readonly error: unknown;
  /** Time from start to end, waits included, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Callbacks that report what a transport does, for a progress bar or a log. A throwing hook never
 * affects the request: its error is ignored.
 */
export interface HttpHooks {
  /** Called once for each request, before anything is sent. */
  onStart?(event: HttpStart): void;
  /** Called before the wait for another attempt. */
  onRetry?(event: HttpRetry): void;
  /** Called once for each request, also for one that failed or was aborted. */
  onEnd?(event: HttpEnd): void;
}
