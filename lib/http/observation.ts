import type { Clock } from "./clock.ts";
import type { HttpEnd, HttpHooks, HttpRetry } from "./http_hooks.ts";

/** Tells the hooks about one request. */
export class Observation {
  /** How often the request was sent so far. */
  attempts = 0;
  readonly #hooks: HttpHooks;
  readonly #clock: Clock;
  readonly #about: { readonly id: number; readonly request: string };
  /** Not asked for where nobody is told. */
  readonly #startMs: number | undefined;

  /** Tells that the request starts. */
  constructor(hooks: HttpHooks, clock: Clock, about: { id: number; request: string }) {
    this.#hooks = hooks;
    this.#clock = clock;
    this.#about = about;
    this.#startMs = hooks.onEnd === undefined ? undefined : clock.now();
    if (hooks.onStart !== undefined) told(() => hooks.onStart?.({ ...about }));
  }

  /** Tells that the last attempt failed and is repeated. */
  retry(event: Pick<HttpRetry, "waitMs" | "because">): void {
    told(() => this.#hooks.onRetry?.({ ...this.#about, attempt: this.attempts, ...event }));
  }

  /** Tells that the request is over. */
  end(event: Partial<Pick<HttpEnd, "status" | "from" | "error">>): void {
    if (this.#startMs === undefined) return;
    const elapsedMs = this.#clock.now() - this.#startMs;
    const rest = { status: undefined, from: "network", error: undefined, ...event } as const;
    told(() =>
      this.#hooks.onEnd?.({ ...this.#about, attempts: this.attempts, elapsedMs, ...rest })
    );
  }
}

function told(tell: () => void): void {
  try {
    tell();
  } catch {
    // A watcher's mistake must not make a request look failed that was not.
  }
}
