/** One request to a deployment, before a base URL is put in front of its path. */
export interface HttpRequest {
  /** HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path and query after the base URL, beginning with `/`. */
  readonly path: string;
  /** Which of the transport's addresses the path is appended to. @default {"base"} */
  readonly at?: "base" | "root";
  /** Body to send, JSON as text; absent sends none. */
  readonly body?: string;
  /** Ends the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether the request only reads although it is not a `GET`, so that it may be sent again. */
  readonly isRead?: boolean;
  /** Whether an answer can never change any more, so that it may be kept; absent keeps none. */
  readonly isImmutable?: (response: HttpResponse) => boolean;
}

/** A whole answer: the body has been read to its end. */
export interface HttpResponse {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` when the answer had none. */
  readonly contentType: string | null;
  /** All headers of the answer; a replay knows only `content-type`. */
  readonly headers: Headers;
  /** The body as text, exactly as sent; `""` when there was none. */
  readonly body: string;
}

/** An answer whose body is still arriving. */
export interface HttpStream {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` when the answer had none. */
  readonly contentType: string | null;
  /**
   * The body's text in the pieces it arrives in, of a stream of events over HTTP in whole events; leaving
   * the loop ends the request.
   */
  readonly chunks: AsyncIterable<string>;
}

/**
 * The one way requests leave the library: the network, a recording and the embedded order book all
 * look like this, so nothing above needs to know which it talks to.
 */
export interface Transport {
  /** Address of the deployment without a trailing slash and without credentials. */
  readonly baseUrl: string;
  /** Sends one request and gives the whole answer, whatever its status. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends one request and gives its body as it arrives. Absent where bodies are at hand whole;
   * `send` then does.
   */
  stream?(request: HttpRequest): Promise<HttpStream>;
}
