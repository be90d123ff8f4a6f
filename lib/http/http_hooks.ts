/** A request that is about to be answered. */
export interface HttpStart {
  /** Number of the request, unique in its transport; the same in all events about it. */
  readonly id: number;
  /** Method and path, as `GET /api/v1/version`. */
  readonly request: string;
}

/** An attempt that failed and will be repeated. */
export interface HttpRetry extends HttpStart {
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  /** How long the transport waits before the next, in milliseconds. */
  readonly waitMs: number;
  /** Status that was answered, or why there was no answer, as `429` or `connection refused`. */
  readonly because: number | string;
}

/** A request that is over. */
export interface HttpEnd extends HttpStart {
  /** How often it was sent; 0 when the answer was at hand. */
  readonly attempts: number;
  /** Status of the answer; `undefined` when there was none. */
  readonly status: number | undefined;
  /** Where the answer came from: the other side, an answer kept until its `max-age`, or the folder. */
  readonly from: "network" | "memory" | "folder";
  /** What the call was rejected with; `undefined` when it gave an answer. */
  readonly error: unknown;
  /** Time from start to end, waits included, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Functions told what a transport does, for a progress bar or a log. What they throw is ignored:
 * watching a request never changes it.
 */
export interface HttpHooks {
  /** Called once for each request, before anything is sent. */
  onStart?(event: HttpStart): void;
  /** Called before the wait for another attempt. */
  onRetry?(event: HttpRetry): void;
  /** Called once for each request, also for one that failed or was aborted. */
  onEnd?(event: HttpEnd): void;
}
