import { type FailedAttempt, failedBy, timedOutAttempt, unanswered } from "./failed_attempt.ts";
import type { Observation } from "./observation.ts";
import { bodyChunks } from "./read_body.ts";
import { readLimits, type Settings } from "./settings.ts";
import type { HttpRequest } from "./transport.ts";
import type { Watch } from "./watch.ts";
import { isEventStream, WholeEvents } from "./whole_events.ts";

/** An answer that is read while it arrives. */
export interface LiveAnswer {
  /** The answer, its body unread. */
  readonly response: Response;
  /** What it answers. */
  readonly request: HttpRequest;
  /** Watch over its attempt. */
  readonly watch: Watch;
  /** Who is told when it ends. */
  readonly observation: Observation;
}

/**
 * The text of a body in the pieces it arrives in, to be read once. Leaving the loop, a fault or the
 * caller's abort closes the body.
 *
 * Of a stream of events, a piece is one whole event or more. Time runs only while one is waited for, and
 * starts anew with each: neither comments nor an event that comes in drops keep a stream alive, since
 * that of the service ends by itself and sends no comments. Any other body has the time of one answer,
 * from the first piece asked for to its end.
 */
export function liveChunks(settings: Settings, live: LiveAnswer): AsyncIterable<string> {
  const { response, watch, observation } = live;
  const pieces = livePieces(settings, live);
  let isOver = false;
  let isLeft = false;
  function over(error?: unknown): void {
    if (isOver) return;
    isOver = true;
    watch.cancel();
    response.body?.cancel().catch(() => {});
    observation.end({ status: response.status, error });
  }
  watch.signal.addEventListener("abort", () => over(watch.signal.reason), { once: true });
  const iterator: AsyncIterator<string, undefined> = {
    async next(): Promise<IteratorResult<string, undefined>> {
      try {
        const piece = await pieces.next();
        if (piece.done) over();
        return piece;
      } catch (error) {
        if (isLeft) return { done: true, value: undefined };
        over(error);
        throw error;
      }
    },
    async return(): Promise<IteratorResult<string, undefined>> {
      isLeft = true;
      over();
      await pieces.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* livePieces(
  settings: Settings,
  { response, request, watch, observation }: LiveAnswer,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const limits = readLimits(settings, watch);
  const { status, headers } = response;
  const events = isEventStream({ contentType: headers.get("content-type") })
    ? new WholeEvents({ request, status })
    : undefined;
  try {
    watch.startTimer();
    for await (const bytes of bodyChunks(response, request, limits)) {
      const text = decoder.decode(bytes, { stream: true });
      const piece = events === undefined ? text : events.push(text);
      if (piece === "") continue;
      if (events !== undefined) watch.stopTimer();
      yield piece;
      if (events !== undefined) watch.startTimer();
    }
    watch.stopTimer();
    const last = decoder.decode();
    const rest = events === undefined ? last : events.push(last) + events.rest();
    if (rest !== "") yield rest;
  } catch (error) {
    request.signal?.throwIfAborted();
    const failed: FailedAttempt = watch.isTimedOut
      ? timedOutAttempt(error, settings.timeoutMs, events === undefined ? "answer" : "event")
      : failedBy(error);
    const { origin } = request.at === "root" ? settings.root : settings.base;
    throw unanswered(failed, request, { origin, attempts: observation.attempts });
  }
}
