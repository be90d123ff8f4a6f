import {
  type Clock,
  type HttpRequest,
  type HttpResponse,
  retryAfterMs,
  type Transport,
} from "../../http/mod.ts";

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;
const MOST_WAITS = 10;
const NEVER_ABORTED = new AbortController().signal;

/**
 * Waits while a deployment limits the rate: as long as it says, otherwise twice as long each time, up
 * to ten minutes. All requests wait together, so that they do not add up to more.
 */
export class PatientTransport implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  readonly #clock: Clock;
  /** Number of requests sent. */
  requests = 0;
  #waitUntilMs = 0;

  /** Wraps a transport; `clock` is what waits. */
  constructor(transport: Transport, clock: Clock) {
    this.baseUrl = transport.baseUrl;
    this.#transport = transport;
    this.#clock = clock;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { signal = NEVER_ABORTED } = request;
    for (let waits = 0;; waits++) {
      const waitMs = this.#waitUntilMs - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      this.requests++;
      const response = await this.#transport.send(request);
      if (response.status !== 429 || waits === MOST_WAITS) return response;
      const own = Math.min(FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS);
      const asked = retryAfterMs(response.headers, this.#clock.now()) ?? own;
      this.#waitUntilMs = Math.max(this.#waitUntilMs, this.#clock.now() + asked);
    }
  }
}
