import { connect, type OrderBook } from "../../lib/client/mod.ts";
import type { Fetch } from "../../lib/http/mod.ts";
import type { Sandbox } from "../../lib/sandbox/mod.ts";

type Body = Record<string, unknown>;

/** A sandbox whose answers are changed on their way. */
export interface LyingBook {
  readonly book: OrderBook;
  /** Method and path of every request, in order. */
  readonly sent: readonly string[];
  /** Bodies of the requests that had one, parsed, by method and path. */
  readonly bodies: ReadonlyMap<string, Body>;
}

/**
 * Connects to a sandbox through something that changes successful answers to one request.
 *
 * @param route Method and beginning of the path, as `POST /api/v1/quote`.
 * @param lie Gives the answer instead of the true one.
 */
export function lyingBook(
  sandbox: Sandbox,
  route: string,
  lie: (truth: Body, request: string) => unknown,
): LyingBook {
  const sent: string[] = [];
  const bodies = new Map<string, Body>();
  const fetch: Fetch = async (url, init) => {
    const request = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
    sent.push(request);
    if (typeof init?.body === "string") bodies.set(request, JSON.parse(init.body));
    const answer = await sandbox.fetch(url, init);
    if (!answer.ok || !request.startsWith(route)) return answer;
    return Response.json(lie(await answer.json(), request), { status: answer.status });
  };
  const { deployment, clock } = sandbox;
  return { book: connect({ fetch, deployment, clock }), sent, bodies };
}

/** A lie about the quote within an answer of `POST quote`. */
export function misquoting(changes: Body | ((quote: Body) => Body)): (truth: Body) => Body {
  return (truth) => {
    const quote = truth.quote as Body;
    return {
      ...truth,
      quote: { ...quote, ...(typeof changes === "function" ? changes(quote) : changes) },
    };
  };
}
