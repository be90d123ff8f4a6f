import { type Lost, lostInTime, lostTo, unanswered } from "./lost.ts";
import type { Observation } from "./observation.ts";
import { bodyChunks } from "./read_body.ts";
import { readLimits, type Settings } from "./settings.ts";
import type { HttpRequest } from "./transport.ts";
import type { Watch } from "./watch.ts";

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
 * The text of a body in the pieces it arrives in, to be read once. Time runs only while a piece is
 * waited for. Leaving the loop, a fault or the caller's abort closes the body.
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
  try {
    watch.startTimer();
    for await (const bytes of bodyChunks(response, request, limits)) {
      watch.stopTimer();
      const text = decoder.decode(bytes, { stream: true });
      if (text !== "") yield text;
      watch.startTimer();
    }
    watch.stopTimer();
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (error) {
    request.signal?.throwIfAborted();
    const lost: Lost = watch.isTimedOut ? lostInTime(error, settings.timeoutMs) : lostTo(error);
    const { origin } = request.at === "root" ? settings.root : settings.base;
    throw unanswered(lost, request, { origin, attempts: observation.attempts });
  }
}
