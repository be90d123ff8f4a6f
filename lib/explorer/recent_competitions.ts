import type { OrderBook } from "../client/mod.ts";
import { readAuction, walkAuctions } from "../endpoints/walk_auctions.ts";
import { NotFoundError, NotRecordedError } from "../errors/mod.ts";
import type { Competition } from "../schemas/mod.ts";
import { memoize } from "./cache.ts";
import type { ListRows } from "./lists.ts";

/** Auctions that are kept. */
const MAX_CACHED = 200;

/** Auctions that are requested at the beginning. */
const INITIAL_COUNT = 25;

/** Settlements appear after their auction: as many are requested again at a time, for half an hour. */
const REFRESHED_COUNT = 10;
const MAX_SETTLING_MS = 1_800_000;

interface RecentAuction {
  readonly competition: Competition;
  readonly bids: readonly string[];
  readonly listed: readonly string[];
  /** Whether a winner has no settlement yet. */
  readonly isOpen: boolean;
  readonly firstSeenMs: number;
}

/** The newest auctions of a live deployment. */
export type RecentCompetitions = ReturnType<typeof followCompetitions>;

/**
 * The newest auctions of a live deployment, each requested as rarely as possible.
 *
 * @param options `freshMs` is the time for which cached responses are not requested again; `signal` ends requests.
 */
export function followCompetitions(
  book: OrderBook,
  { freshMs, signal, now = () => performance.now() }: {
    readonly freshMs: number;
    readonly signal?: AbortSignal;
    readonly now?: () => number;
  },
) {
  const auctions = new Map<number, RecentAuction>();
  /** Ids that are still to be requested: a failed request is made again. */
  const pendingIds = new Set<number>();
  let lastId: number | null = null;

  const listNewest = () =>
    [...auctions.values()].map(({ competition }) => competition)
      .sort((a, b) => b.auctionId - a.auctionId);

  const add = (competition: Competition) => {
    const { auctionId, auction, solutions } = competition;
    const bids = new Set(solutions.flatMap(({ orders }) => orders.map(({ id }) => id)));
    const seenMs = auctions.get(auctionId)?.firstSeenMs ?? now();
    // It goes behind the others, which are requested before it next time.
    auctions.delete(auctionId);
    auctions.set(auctionId, {
      competition,
      bids: [...bids],
      listed: auction.orders,
      isOpen: solutions.some(({ isWinner, txHash }) => isWinner && txHash == null),
      firstSeenMs: seenMs,
    });
  };

  /** Auctions that may still be settled, least recently requested first. */
  const listUnsettled = () => {
    const nowMs = now();
    return [...auctions].flatMap(([id, { isOpen, firstSeenMs: seenMs }]) =>
      isOpen && nowMs - seenMs < MAX_SETTLING_MS ? id : []
    );
  };

  const refresh = memoize(async () => {
    const { competition: latest, error } = await readAuction(book.transport, "latest", signal);
    if (error instanceof NotFoundError || error instanceof NotRecordedError) return;
    if (error !== null) throw error;
    const { auctionId } = latest;
    const oldest = Math.max(auctionId - (lastId === null ? INITIAL_COUNT : MAX_CACHED) + 1, 0);
    const from = lastId === null ? oldest : Math.max(lastId + 1, oldest);
    // After a long pause, what is older than the ids that are requested would stand behind a hole.
    if (lastId !== null && from > lastId + 1) auctions.clear();
    for (let id = from; id < auctionId; id++) pendingIds.add(id);
    lastId = Math.max(lastId ?? 0, auctionId);
    add(latest);
    const unsettled = listUnsettled().filter((id) => id !== auctionId).slice(0, REFRESHED_COUNT);
    for (const id of pendingIds) if (id < oldest) pendingIds.delete(id);
    const ids = [...pendingIds, ...unsettled].filter((id) => id >= oldest);
    for await (const step of walkAuctions(book.transport, ids, { concurrency: 1, signal })) {
      pendingIds.delete(step.id);
      if (step.competition !== null) add(step.competition);
      else if (!(step.error instanceof NotFoundError || step.error instanceof NotRecordedError)) {
        // It is requested again next time, after the others.
        pendingIds.add(step.id);
        break;
      }
    }
    for (const { auctionId } of listNewest().slice(MAX_CACHED)) auctions.delete(auctionId);
  }, { freshMs, now });

  return {
    /** The newest auctions, the newest first. */
    competitions: async (): Promise<Competition[]> => {
      await refresh();
      return listNewest();
    },
    /** UIDs of the orders that somebody bid on, or that an auction listed, the newest first. */
    uids: async (source: "bids" | "listed", limit: number): Promise<string[]> => {
      await refresh();
      const uids = new Set(
        listNewest().flatMap((competition) => auctions.get(competition.auctionId)![source]),
      );
      return [...uids].slice(0, limit);
    },
  };
}

/** The row of an auction in a list, without its time. */
export function toAuctionRow(competition: Competition): ListRows["auctions"] {
  const { auctionId, auctionStartBlock, auction, solutions, transactionHashes } = competition;
  const winners = solutions.filter(({ isWinner }) => isWinner);
  return {
    auction_id: auctionId,
    start_block: auctionStartBlock,
    orders: auction.orders.length,
    solutions: solutions.length,
    winners: [...new Set(winners.map(({ solverAddress }) => solverAddress))].join(" "),
    tx_hashes: transactionHashes.toSorted().join(" "),
    at_ms: null,
    latest_ms: null,
  };
}
