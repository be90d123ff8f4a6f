import { connect, type OrderBook } from "orderlens";
import type { Replay } from "orderlens/recordings";

const ROUTE = "/api/v2/solver_competition/";

/** A book of auctions that are so far apart that a dataset of few has several files of 1,000. */
export interface SpreadBook {
  /** The book. */
  readonly book: OrderBook;
  /** Ids from the first auction to the last. */
  readonly auctions: { readonly from: number; readonly to: number };
}

/**
 * The last auctions of a recording under other ids: the first is `from`, and each of the others is
 * `step` behind the one before. Ids between them have no auction; orders and fills stay as they are,
 * so that many auctions bid on the same order.
 */
export function spreadBook(
  recording: Replay,
  { count, from, step }: { readonly count: number; readonly from: number; readonly step: number },
): SpreadBook {
  const own = recording.recorded.auctionIds;
  const known = new Set(own);
  const absent = own.find((id) => !known.has(id + 1))! + 1;
  const chosen = own.slice(-count);
  const newOf = new Map(chosen.map((id, place) => [id, from + place * step]));
  const oldOf = new Map(Array.from(newOf, ([old, id]) => [`${ROUTE}${id}`, old]));
  oldOf.set(`${ROUTE}latest`, chosen.at(-1)!);
  const book = connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    async send(request) {
      const isById = /^\/api\/v2\/solver_competition\/(?:\d+|latest)$/.test(request.path);
      const path = isById ? `${ROUTE}${oldOf.get(request.path) ?? absent}` : request.path;
      const response = await recording.send({ ...request, path });
      if (!path.startsWith(ROUTE) || response.status !== 200) return response;
      const body = response.body.replace(
        /^\{"auctionId":(\d+)/,
        (whole, id) => newOf.has(Number(id)) ? `{"auctionId":${newOf.get(Number(id))}` : whole,
      );
      return { ...response, body };
    },
  });
  return { book, auctions: { from, to: from + (count - 1) * step } };
}
