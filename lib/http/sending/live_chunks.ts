import {
  type FailedAttempt,
  failedBy,
  timedOutAttempt,
  unanswered,
} from "../reading/failed_attempt.ts";
import type { Observation } from "../requests/observation.ts";
import { bodyChunks } from "../reading/read_body.ts";
import { readLimits, type Settings } from "./settings.ts";
import type { HttpRequest } from "../requests/transport.ts";
import type { Watch } from "../limits/watch.ts";
import { isEventStream, WholeEvents } from "../reading/whole_events.ts";

/** An answer whose body is read while it arrives. */
export interface LiveAnswer {
  /** The answer, its body unread. */
  readonly response: Response;
  /** The request that it answers. */
  readonly request: HttpRequest;
  /** Watches its attempt. */
  readonly watch: Watch;
  /** Reports its end to the hooks. */
  readonly observation: Observation;
}

/**
 * The text of a body in the chunks it arrives in; it can be read once. Leaving the loop, a fault or
 * the caller's abort closes the body.
 *
 * In a stream of events, a chunk is one or more complete events. The timeout runs only while an
 * event is awaited and restarts with each: neither comments nor an event that trickles in keep a
 * stream alive, since the service's stream ends by itself and has no comments. Any other body has
 * the timeout of one answer, from the first chunk requested to its end.
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
