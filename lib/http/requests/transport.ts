/** One request to a deployment, with its path relative to a base URL. */
export interface HttpRequest {
  /** HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path and query after the base URL, beginning with `/`. */
  readonly path: string;
  /** Which of the transport's URLs the path is appended to. @default {"base"} */
  readonly at?: "base" | "root";
  /** Body to send, as JSON text; none if absent. */
  readonly body?: string;
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether the request only reads although it is not a `GET`, so that it may be repeated. */
  readonly isRead?: boolean;
  /**
   * Decides whether an answer can never change, so that it may be cached; if absent, no answer is
   * cached.
   */
  readonly isImmutable?: (response: HttpResponse) => boolean;
  /** Maximum number of repetitions of a failed attempt. @default {the option of the transport} */
  readonly retries?: number;
}

/** A complete answer: the body has been read to its end. */
export interface HttpResponse {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` if the answer has none. */
  readonly contentType: string | null;
  /** All headers of the answer; a replay knows only `content-type`. */
  readonly headers: Headers;
  /** The body as text, exactly as sent; `""` if there is none. */
  readonly body: string;
}

/** An answer whose body is still arriving. */
export interface HttpStream {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` if the answer has none. */
  readonly contentType: string | null;
  /**
   * The body's text in the chunks it arrives in; a stream of events over HTTP yields complete
   * events. Leaving the loop ends the request.
   */
  readonly chunks: AsyncIterable<string>;
}

/**
 * The interface through which the library sends every request: the network, a recording and the
 * embedded order book all implement it, so that callers need not distinguish them.
 */
export interface Transport {
  /** URL of the deployment, without a trailing slash and credentials. */
  readonly baseUrl: string;
  /** Sends one request and returns the complete answer, whatever its status. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends one request and returns its body as it arrives. Absent if bodies are only available
   * whole; `send` is used instead.
   */
  stream?(request: HttpRequest): Promise<HttpStream>;
}
