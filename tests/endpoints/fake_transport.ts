import type { HttpRequest, HttpResponse, Transport } from "orderlens/http";

/** What a fake transport answers; the rest is 200 and JSON. */
export interface FakeAnswer {
  readonly status?: number;
  readonly contentType?: string | null;
  readonly headers?: HeadersInit;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** The deployment of the recordings, and of every fake. */
export const DEPLOYMENT = {
  chainId: 1,
  settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
};

/** Answers requests from a function, and remembers them. */
export class FakeTransport implements Transport {
  readonly baseUrl = "http://fake.localhost";
  readonly deployment = DEPLOYMENT;
  readonly requests: HttpRequest[] = [];
  /** Requests under way, and the most there were at once. */
  pending = 0;
  mostPending = 0;
  readonly #answer: (request: HttpRequest) => FakeAnswer | Promise<FakeAnswer>;

  constructor(answer: (request: HttpRequest) => FakeAnswer | Promise<FakeAnswer>) {
    this.#answer = answer;
  }

  /** Paths asked for, in order. */
  get paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    this.mostPending = Math.max(this.mostPending, ++this.pending);
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = () => reject(request.signal?.reason);
    request.signal?.addEventListener("abort", abort);
    try {
      return response(await Promise.race([this.#answer(request), promise]));
    } finally {
      request.signal?.removeEventListener("abort", abort);
      this.pending--;
    }
  }
}

/** Answers every request with the same body. */
export function answering(body: unknown): FakeTransport {
  return new FakeTransport(() => ({ body }));
}

/** The whole answer. */
export function response(answer: FakeAnswer): HttpResponse {
  const { status = 200, body = "", headers = {} } = answer;
  const { contentType = typeof body === "string" ? null : "application/json" } = answer;
  return {
    status,
    contentType,
    headers: new Headers(headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** The service's 404. */
export const NOT_FOUND: FakeAnswer = {
  status: 404,
  body: { errorType: "NotFound", description: "not found" },
};
