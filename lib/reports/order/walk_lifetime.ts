import { AuctionReader } from "../../client/auction_reader.ts";
import { findAuction, START_SLACK_MS } from "../../client/find_auction.ts";
import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/calls.ts";
import { findFirstExpiryMs, QUOTE_VALIDITY_MS } from "../../endpoints/competitions.ts";
import { listIds, walkAuctions } from "../../endpoints/walk_auctions.ts";
import { NotFoundError, NotRecordedError } from "../../errors/mod.ts";
import { blockTimes, type NodeSource } from "../../evm/mod.ts";
import { isFastPath } from "../../metrics/orders/calculate_status.ts";
import { type Competition, effectiveValidTo, type Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { explainFailure, type WalkedAuctions } from "./order_report.ts";

/** Auction ids that are walked at most, unless a caller says otherwise. */
const MAX_IDS = 1_000;

/** Options of {@linkcode walkLifetime}. */
export interface WalkOptions {
  /** Number of ids at most, or `true` for 1,000. */
  readonly deep: number | true;
  /**
   * The auction that filled the order in time, after which none can have listed it; the block of its last
   * fill, if that came late or the deadline is unknown: auctions up to it may have; `null` without a fill.
   */
  readonly end: { readonly auctionId: number } | { readonly block: number } | null;
  /** A node, for the times of blocks. */
  readonly node: NodeSource | undefined;
  /** Called for each id. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Aborts the walk. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Walks the auctions that began between the creation of an order and its end, four requests at a
 * time.
 *
 * The first and the last id are bisected: by block times with a node, otherwise by what the orders
 * of an auction prove, which leaves a few ids too many on both sides and none out. If there are
 * more ids than wanted, the last ones are walked.
 */
export async function walkLifetime(
  book: OrderBook,
  order: Order,
  options: WalkOptions,
): Promise<{ competitions: readonly Competition[]; walked: WalkedAuctions | null }> {
  const looks = new AuctionReader(book.transport, options.signal);
  const latest = await readLatest(looks);
  if (latest === null) return { competitions: [], walked: null };
  const bounds = createLifetimeSearch(looks, latest, options);
  const first = await bounds.findFirstId(order);
  const end = await bounds.findLastId(order, options.end);
  const to = Math.max(first, Math.min(end ?? Infinity, latest.auctionId));
  const maxIds = options.deep === true ? MAX_IDS : options.deep;
  const from = Math.max(first, to - maxIds + 1);
  const competitions: Competition[] = [];
  const missingCounts = { absent: 0, unread: 0 };
  const total = to - from + 1;
  let done = 0;
  const walk = walkAuctions(book.transport, listIds(from, to), { signal: options.signal });
  for await (const { competition, error } of walk) {
    options.onProgress?.({ done: ++done, total });
    if (competition === null) missingCounts[error instanceof NotFoundError ? "absent" : "unread"]++;
    else if (hasOrder(competition, order.uid)) competitions.push(competition);
  }
  return {
    competitions,
    walked: { from, to, ...missingCounts, isWhole: from === first, isEndSeen: end !== null },
  };
}

/** The newest auction; `null` if the deployment shows none. */
export async function readLatest(looks: AuctionReader): Promise<Competition | null> {
  try {
    return await looks.readLatest();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof NotRecordedError) return null;
    throw error;
  }
}

/** The ids below and above which no auction can have listed an order. */
function createLifetimeSearch(
  looks: AuctionReader,
  latest: Competition,
  { node, signal }: Pick<WalkOptions, "node" | "signal">,
) {
  const find = (target: number, valueOf: (competition: Competition) => Promise<number>) =>
    findAuction({ looks, latest, target, valueOf });

  const readBlockTime = async ({ auctionStartBlock }: Competition): Promise<number | null> => {
    if (node === undefined) return null;
    try {
      const times = await blockTimes(node, [auctionStartBlock], { signal });
      return times.get(auctionStartBlock)?.epochMilliseconds ?? null;
    } catch (error) {
      explainFailure(error);
      return null;
    }
  };

  /** A time that an auction did not begin after: an auction lists no order that has expired. */
  const findLatestStart = async (competition: Competition): Promise<number> =>
    await readBlockTime(competition) ?? findFirstExpiryMs(competition) + 1_000;

  /** A time that an auction did not begin before: it lists no order that is yet to be created. */
  const findEarliestStart = async (competition: Competition): Promise<number> =>
    await readBlockTime(competition) ??
      (await looks.findNewestOrder(competition))?.epochMilliseconds ?? -Infinity;

  return {
    findFirstId: async (order: Order): Promise<number> => {
      // The quote of an order that took the fast path has the id of its auction.
      const slackMs = isFastPath(order)
        ? QUOTE_VALIDITY_MS
        : node === undefined
        ? 0
        : START_SLACK_MS;
      const target = order.creationDate.epochMilliseconds - slackMs;
      const { below: earlier, above: later } = await find(target, findLatestStart);
      return (earlier?.id ?? (later?.id ?? 0) - 1) + 1;
    },
    /** The last id that can have listed it; `null` if that may be hidden yet. */
    findLastId: async (order: Order, end: WalkOptions["end"]): Promise<number | null> => {
      if (end !== null && "auctionId" in end) return end.auctionId;
      if (end !== null) {
        const startBlock = (auction: Competition) => Promise.resolve(auction.auctionStartBlock);
        const { above: later } = await find(end.block + 1, startBlock);
        return later === null ? null : later.id - 1;
      }
      if (order.status === "open" || order.status === "presignaturePending") return null;
      const { above: later } = await find((effectiveValidTo(order) + 1) * 1_000, findEarliestStart);
      return later === null ? null : later.id - 1;
    },
  };
}

function hasOrder({ auction, solutions }: Competition, uid: string): boolean {
  return auction.orders.some((listedUid) => sameHex(listedUid, uid)) ||
    solutions.some(({ orders }) => orders.some(({ id }) => sameHex(id, uid)));
}
