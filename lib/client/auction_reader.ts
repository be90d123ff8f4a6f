import { type OrderLookup, requestChunk, UIDS_PER_REQUEST } from "../endpoints/orders_by_uids.ts";
import {
  type AuctionResponse,
  isWithoutAuction,
  listIds,
  readAuction,
  walkAuctions,
} from "../endpoints/walk_auctions.ts";
import { NotRecordedError } from "../errors/mod.ts";
import type { Transport } from "../http/mod.ts";
import { selectLater } from "../metrics/orders/fills.ts";
import type { Competition } from "../schemas/mod.ts";

/** Maximum distance of ids between an auction and its predecessor. */
const MAX_ID_DISTANCE = 4;

/** Fetches auctions by id and caches them. */
export class AuctionReader {
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;
  readonly #cache: Map<number, AuctionResponse>;
  readonly #created = new Map<number, Temporal.Instant | null>();

  /** Binds a reader to a transport; `cache` gets every response. */
  constructor(
    transport: Transport,
    signal: AbortSignal | undefined,
    cache: Map<number, AuctionResponse> = new Map(),
  ) {
    this.#transport = transport;
    this.#signal = signal;
    this.#cache = cache;
  }

  /**
   * Reads the newest visible auction.
   *
   * @throws {NotFoundError} If there is none.
   */
  async readLatest(): Promise<Competition> {
    const response = await readAuction(this.#transport, "latest", this.#signal);
    if (response.competition === null) throw response.error;
    this.#cache.set(response.competition.auctionId, response);
    return response.competition;
  }

  /** Finds the first auction among ids, in their order; `null` if none has one. */
  async findFirst(ids: Iterable<number>): Promise<Competition | null> {
    const options = { concurrency: 1, cache: this.#cache, signal: this.#signal };
    for await (const { competition, error } of walkAuctions(this.#transport, ids, options)) {
      if (competition !== null) return competition;
      if (!isWithoutAuction(error)) throw error;
    }
    return null;
  }

  /**
   * Finds the newest creation date among the orders that the predecessor does not list, and those that
   * solvers bid on: the auction did not begin earlier. It takes one request in addition to those for auctions.
   *
   * @param reach Distance of ids within which the nearest auction that was read before counts as the
   * predecessor; without one, the predecessor is requested. @default {0}
   */
  async findNewestOrder(competition: Competition, reach = 0): Promise<Temporal.Instant | null> {
    const { auctionId } = competition;
    const cached = this.#created.get(auctionId);
    if (cached !== undefined) return cached;
    const previous = this.#findCached(auctionId, reach) ??
      await this.findFirst([...listIds(Math.max(0, auctionId - MAX_ID_DISTANCE), auctionId - 1)]
        .reverse());
    const newest = await this.#readNewestOrder(competition, previous);
    this.#created.set(auctionId, newest);
    return newest;
  }

  /** The nearest auction below an id that was read before; `null` if none is within `reach`. */
  #findCached(auctionId: number, reach: number): Competition | null {
    for (let id = auctionId - 1; id >= auctionId - reach; id--) {
      const competition = this.#cache.get(id)?.competition ?? null;
      if (competition !== null) return competition;
    }
    return null;
  }

  async #readNewestOrder({ auction, solutions }: Competition, previous: Competition | null) {
    const previousUids = new Set(previous?.auction.orders);
    const fresh = previousUids.size === 0
      ? []
      : auction.orders.filter((uid) => !previousUids.has(uid));
    const bids = solutions.flatMap(({ orders }) => orders.map(({ id }) => id));
    const uids = [...new Set([...bids, ...fresh].map((uid) => uid.toLowerCase()))]
      .slice(0, UIDS_PER_REQUEST);
    if (uids.length === 0) return null;
    const never = new AbortController().signal;
    const findings = await this.#fetchOrders(uids, this.#signal ?? never);
    let newest: Temporal.Instant | null = null;
    for (const finding of findings) {
      if (typeof finding === "object" && "order" in finding) {
        newest = selectLater(newest, finding.order.creationDate);
      }
    }
    return newest;
  }

  /** Fetches the orders of one request; none where a recording lacks them. */
  async #fetchOrders(uids: readonly string[], signal: AbortSignal): Promise<OrderLookup[]> {
    try {
      return [...(await requestChunk(this.#transport, uids, signal)).lookups.values()];
    } catch (error) {
      if (error instanceof NotRecordedError) return [];
      throw error;
    }
  }
}
