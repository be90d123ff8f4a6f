import type { Clock } from "./clock.ts";
import type { HttpEnd, HttpHooks, HttpRetry } from "./http_hooks.ts";

/** Reports one request to the hooks. */
export class Observation {
  /** Number of attempts so far. */
  attempts = 0;
  readonly #hooks: HttpHooks;
  readonly #clock: Clock;
  readonly #about: { readonly id: number; readonly request: string };
  /** The clock is not read if there are no hooks. */
  readonly #startMs: number | undefined;

  /** Reports that the request starts. */
  constructor(hooks: HttpHooks, clock: Clock, about: { id: number; request: string }) {
    this.#hooks = hooks;
    this.#clock = clock;
    this.#about = about;
    this.#startMs = hooks.onEnd === undefined ? undefined : clock.now();
    if (hooks.onStart !== undefined) callHook(() => hooks.onStart?.({ ...about }));
  }

  /** Reports that the last attempt failed and will be repeated. */
  retry(event: Pick<HttpRetry, "waitMs" | "because">): void {
    callHook(() => this.#hooks.onRetry?.({ ...this.#about, attempt: this.attempts, ...event }));
  }

  /** Reports that the request ended. */
  end(event: Partial<Pick<HttpEnd, "status" | "from" | "error">>): void {
    if (this.#startMs === undefined) return;
    const elapsedMs = this.#clock.now() - this.#startMs;
    const rest = { status: undefined, from: "network", error: undefined, ...event } as const;
    callHook(() =>
      this.#hooks.onEnd?.({ ...this.#about, attempts: this.attempts, elapsedMs, ...rest })
    );
  }
}

function callHook(call: () => void): void {
  try {
    call();
  } catch {
    // A throwing hook must not fail the request.
  }
}
