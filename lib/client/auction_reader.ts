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
  readonly #cache = new Map<number, AuctionResponse>();
  readonly #created = new Map<number, Temporal.Instant | null>();

  /** Binds a reader to a transport. */
  constructor(transport: Transport, signal: AbortSignal | undefined) {
    this.#transport = transport;
    this.#signal = signal;
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
   */
  async findNewestOrder(competition: Competition): Promise<Temporal.Instant | null> {
    const { auctionId } = competition;
    const cached = this.#created.get(auctionId);
    if (cached !== undefined) return cached;
    const newest = await this.#readNewestOrder(competition);
    this.#created.set(auctionId, newest);
    return newest;
  }

  async #readNewestOrder({ auctionId, auction, solutions }: Competition) {
    const earlier = [...listIds(Math.max(0, auctionId - MAX_ID_DISTANCE), auctionId - 1)]
      .reverse();
    const previousUids = new Set((await this.findFirst(earlier))?.auction.orders);
    const fresh = previousUids.size === 0
      ? []
      : auction.orders.filter((uid) => !previousUids.has(uid));
    const bids = solutions.flatMap(({ orders }) => orders.map(({ id }) => id));
    const uids = [...new Set([...fresh, ...bids].map((uid) => uid.toLowerCase()))]
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
