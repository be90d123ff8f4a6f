import { connect, type OrderBook } from "../../lib/client/mod.ts";
import type { Fetch } from "../../lib/http/mod.ts";
import type { Sandbox } from "../../lib/sandbox/mod.ts";

type Body = Record<string, unknown>;

/** A sandbox with tampered answers. */
export interface TamperedBook {
  readonly book: OrderBook;
  /** Method and path of every request, in order. */
  readonly sent: readonly string[];
  /** Bodies of the requests that had one, parsed, by method and path. */
  readonly bodies: ReadonlyMap<string, Body>;
}

/**
 * Connects to a sandbox through a proxy that changes successful answers of one route.
 *
 * @param route Method and path prefix, such as `POST /api/v1/quote`.
 * @param tamper Returns the tampered answer.
 */
export function tamperedBook(
  sandbox: Sandbox,
  route: string,
  tamper: (truth: Body, request: string) => unknown,
): TamperedBook {
  const sent: string[] = [];
  const bodies = new Map<string, Body>();
  const fetch: Fetch = async (url, init) => {
    const request = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
    sent.push(request);
    if (typeof init?.body === "string") bodies.set(request, JSON.parse(init.body));
    const answer = await sandbox.fetch(url, init);
    if (!answer.ok || !request.startsWith(route)) return answer;
    return Response.json(tamper(await answer.json(), request), { status: answer.status });
  };
  const { deployment, clock } = sandbox;
  return { book: connect({ fetch, deployment, clock }), sent, bodies };
}

/** Changes the quote in an answer of `POST quote`. */
export function misquoting(changes: Body | ((quote: Body) => Body)): (truth: Body) => Body {
  return (truth) => {
    const quote = truth.quote as Body;
    return {
      ...truth,
      quote: { ...quote, ...(typeof changes === "function" ? changes(quote) : changes) },
    };
  };
}
