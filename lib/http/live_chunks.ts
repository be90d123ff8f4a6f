import { HttpStatusError } from "../errors/mod.ts";
import { type FailedAttempt, toFailure, toTimeout, toUnanswered } from "./failed_attempt.ts";
import type { Watch } from "./limits.ts";
import { readChunks } from "./read_body.ts";
import type { Settings } from "./settings.ts";
import { type HttpRequest, type Observation, requestLine } from "./transport.ts";

/** A response whose body is read while it arrives. */
interface LiveResponse {
  /** The response, its body unread. */
  readonly response: Response;
  /** Its request. */
  readonly request: HttpRequest;
  /** Watches its attempt. */
  readonly watch: Watch;
  /** Reports its end to the hooks. */
  readonly observation: Observation;
}

/**
 * Streams the text of a body in the chunks it arrives in, once. Leaving the loop, a fault or
 * the caller's abort closes the body.
 *
 * In a stream of events, a chunk is one or more complete events. The timeout runs only while an
 * event is awaited and restarts with each: neither comments nor an event that trickles in keep a
 * stream alive, since the service's stream ends by itself and has no comments. Any other body has
 * the timeout of one response, from the first chunk requested to its end.
 */
export function streamChunks(settings: Settings, live: LiveResponse): AsyncIterable<string> {
  const { response, watch, observation } = live;
  const pieces = readPieces(settings, live);
  let isFinished = false;
  let isClosed = false;
  function finish(error?: unknown): void {
    if (isFinished) return;
    isFinished = true;
    watch.cancel();
    response.body?.cancel().catch(() => {});
    observation.end({ status: response.status, error });
  }
  watch.signal.addEventListener("abort", () => finish(watch.signal.reason), { once: true });
  const iterator: AsyncIterator<string, undefined> = {
    async next(): Promise<IteratorResult<string, undefined>> {
      try {
        const piece = await pieces.next();
        if (piece.done) finish();
        return piece;
      } catch (error) {
        if (isClosed) return { done: true, value: undefined };
        finish(error);
        throw error;
      }
    },
    async return(): Promise<IteratorResult<string, undefined>> {
      isClosed = true;
      finish();
      await pieces.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* readPieces(
  settings: Settings,
  { response, request, watch, observation }: LiveResponse,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const limits = { signal: watch.signal, maxBytes: settings.maxBodyBytes };
  const { status, headers } = response;
  const events = isEventStream({ contentType: headers.get("content-type") })
    ? new EventSplitter({ request, status })
    : undefined;
  try {
    watch.startTimer();
    for await (const bytes of readChunks(response, request, limits)) {
      const text = decoder.decode(bytes, { stream: true });
      const piece = events === undefined ? text : events.push(text);
      if (piece === "") continue;
      if (events !== undefined) watch.stopTimer();
      yield piece;
      if (events !== undefined) watch.startTimer();
    }
    watch.stopTimer();
    const lastText = decoder.decode();
    const lastPiece = events === undefined ? lastText : events.push(lastText) + events.flush();
    if (lastPiece !== "") yield lastPiece;
  } catch (error) {
    request.signal?.throwIfAborted();
    const attempt: FailedAttempt = watch.isTimedOut
      ? toTimeout(error, settings.timeoutMs, events === undefined ? "response" : "event")
      : toFailure(error);
    const { origin } = request.at === "root" ? settings.root : settings.base;
    throw toUnanswered(attempt, request, { origin, attempts: observation.attempts });
  }
}

/**
 * Maximum length of an event, in characters, including the comments before it. An event of the
 * service is a quote of about 900 characters.
 */
const MAX_EVENT_CHARS = 1_048_576;

/** Whether the content type of a response is an event stream, or is absent. */
export function isEventStream({ contentType }: { readonly contentType: string | null }): boolean {
  return contentType === null || /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType);
}

/** A request and the status of its response, for the error. */
export interface StreamSource {
  /** The request. */
  readonly request: Pick<HttpRequest, "method" | "path">;
  /** Status of the response. */
  readonly status: number;
}

/**
 * Splits the text of a stream of server-sent events, which arrives in arbitrary chunks, after
 * complete events: at the blank line that ends an event with data. Text without data, such as
 * comments, stays with the next event.
 *
 * Reads every character once and joins every chunk once, however small, and buffers at most one
 * event.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | the standard}
 */
export class EventSplitter {
  readonly #source: StreamSource;
  #buffer: string[] = [];
  #bufferChars = 0;
  #isLineEmpty = true;
  /** Characters of `data` that the line matches so far; below 0 if it is another field. */
  #dataChars = 0;
  #hasData = false;
  #endsInReturn = false;

  /** Splits the stream of a request. */
  constructor(source: StreamSource) {
    this.#source = source;
  }

  /**
   * Adds the next chunk.
   *
   * @returns The text up to the end of the last complete event; `""` if no event ends in this
   * chunk.
   * @throws {HttpStatusError} If an event is longer than {@linkcode MAX_EVENT_CHARS}.
   */
  push(piece: string): string {
    let end = 0;
    for (let index = 0; index < piece.length; index++) {
      if (this.#endsEvent(piece.charCodeAt(index))) {
        this.#refuseLonger(piece.slice(end, index + 1));
        this.#bufferChars = 0;
        end = index + 1;
      }
    }
    const events = end === 0 ? "" : this.flush() + piece.slice(0, end);
    const remainder = piece.slice(end);
    this.#refuseLonger(remainder);
    if (remainder !== "") this.#buffer.push(remainder);
    this.#bufferChars += remainder.length;
    return events;
  }

  /** Returns and clears the text of an incomplete event. */
  flush(): string {
    const text = this.#buffer.join("");
    this.#buffer = [];
    return text;
  }

  /** Whether an event ends at this character. */
  #endsEvent(code: number): boolean {
    const isReturn = code === RETURN;
    const isSecondHalf = code === NEWLINE && this.#endsInReturn;
    this.#endsInReturn = isReturn;
    if (isSecondHalf) return false;
    const isEndOfLine = isReturn || code === NEWLINE;
    const isNamed = this.#dataChars === DATA.length;
    if (isNamed && (isEndOfLine || code === COLON)) this.#hasData = true;
    if (!isEndOfLine) {
      const isNext = !isNamed && code === DATA.charCodeAt(this.#dataChars);
      this.#dataChars = isNext ? this.#dataChars + 1 : NO_DATA;
      this.#isLineEmpty = false;
      return false;
    }
    const isEnd = this.#isLineEmpty && this.#hasData;
    if (this.#isLineEmpty) this.#hasData = false;
    this.#isLineEmpty = true;
    this.#dataChars = 0;
    return isEnd;
  }

  #refuseLonger(addition: string): void {
    if (this.#bufferChars + addition.length <= MAX_EVENT_CHARS) return;
    const { request, status } = this.#source;
    const line = requestLine(request);
    throw new HttpStatusError(
      `Cannot read the response to ${line}: one of its events is longer than ${MAX_EVENT_CHARS} characters`,
      {
        request: line,
        status,
        body: this.flush() + addition,
        remedy: "Check that the address is an order book's: its events have about 900 characters",
      },
    );
  }
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;
const DATA = "data";
const NO_DATA = -1;
