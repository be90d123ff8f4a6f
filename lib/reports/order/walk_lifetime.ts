import { AuctionReader } from "../../client/auction_reader.ts";
import { findAuction, START_SLACK_MS } from "../../client/find_auction.ts";
import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/calls.ts";
import { findFirstExpiryMs, QUOTE_VALIDITY_MS } from "../../endpoints/competitions.ts";
import {
  type AuctionResponse,
  isWithoutAuction,
  listIds,
  walkAuctions,
} from "../../endpoints/walk_auctions.ts";
import { NotFoundError, NotRecordedError, OrderlensError } from "../../errors/mod.ts";
import { blockTimes, type NodeSource } from "../../evm/mod.ts";
import { limitTime, TimeLimitError } from "../../http/time_limit.ts";
import type { Transport } from "../../http/mod.ts";
import { isFastPath } from "../../metrics/orders/calculate_status.ts";
import { type Competition, effectiveValidTo, isOpenStatus, type Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { explainFailure, type WalkedAuctions } from "./order_report.ts";

/** Limits of a walk; `Infinity` without one. */
export interface WalkLimits {
  /** Requests to the deployment, of which it takes at most half of what the rate limit leaves. */
  readonly requests: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Auction ids to look at. */
  readonly ids: number;
}

/** Options of {@linkcode walkLifetime}. */
export interface WalkOptions {
  /** Its limits. */
  readonly limits: WalkLimits;
  /** Competitions that were read before: those of its fills. */
  readonly known: readonly Competition[];
  /**
   * The auction that filled the order in time, after which none can have listed it; the block of its last
   * fill, if that came late or the deadline is unknown: auctions up to it may have; `null` without a fill.
   */
  readonly end: { readonly auctionId: number } | { readonly block: number } | null;
  /** A node, for the times of blocks. */
  readonly node: NodeSource | undefined;
  /** Called for each id, with the number of ids once it is known. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Aborts the walk. */
  readonly signal: AbortSignal | undefined;
}

/** Findings of a walk. */
export interface LifetimeWalk {
  /** Competitions of auctions that listed the order, or in which somebody bid on it. */
  readonly competitions: readonly Competition[];
  /** Ids that were looked at; `null` if no auction was visible, or the limits ended the walk before. */
  readonly walked: WalkedAuctions | null;
  /** Error of the deployment that ended it early; `null` if none did. */
  readonly failure: OrderlensError | null;
  /** Whether its limits ended it. */
  readonly isSpent: boolean;
}

/**
 * Walks the auctions that began between the creation of an order and its end, four requests at a
 * time: the newest first, down to the last one that listed the order, which decides; then, all
 * others, or as many as the limits allow, each in the middle of the longest part that is unread.
 *
 * The first and the last id are bisected: by block times with a node, otherwise by what the orders
 * of an auction prove, which leaves a few ids too many on both sides and none out. What was read
 * before the limits or a failure ended the walk counts.
 */
export async function walkLifetime(
  book: OrderBook,
  order: Order,
  options: WalkOptions,
): Promise<LifetimeWalk> {
  const { limits: { requests, ms }, signal } = options;
  const left = book.transport.countRequestsLeft?.() ?? Infinity;
  const meter = new RequestMeter(
    book.transport,
    requests === Infinity ? Infinity : Math.min(requests, Math.floor(left / 2)),
  );
  const walk = new Walk(order, meter, options);
  let failure: OrderlensError | null = null;
  let isSpent = false;
  try {
    await (ms === Infinity
      ? walk.run(signal)
      : limitTime(ms, signal, (limitedSignal) => walk.run(limitedSignal)));
  } catch (error) {
    isSpent = error instanceof BudgetSpentError || error instanceof TimeLimitError;
    if (!isSpent && (signal?.aborted || !(error instanceof OrderlensError))) throw error;
    if (!isSpent) failure = error as OrderlensError;
  }
  return { ...walk.summarize(), failure, isSpent };
}

/** Thrown in place of a request that the budget does not allow. */
class BudgetSpentError extends Error {}

/** A transport that sends a number of requests. */
class RequestMeter implements Transport {
  readonly #transport: Transport;
  left: number;

  constructor(transport: Transport, requests: number) {
    this.#transport = transport;
    this.left = requests;
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  async send(request: Parameters<Transport["send"]>[0]) {
    if (this.left < 1) throw new BudgetSpentError("The requests of the budget are spent");
    this.left--;
    return await this.#transport.send(request);
  }
}

/** Ids that are read together. */
const CHUNK = 4;
/** Ids below the end of the lifetime that are read, at most, until one lists the order. */
const MAX_NEWEST = 64;
/** Failures of the service in a row that end a walk. */
const MAX_FAILURES_IN_ROW = 4;
/** The first stored auction is that of the deployment if it has at most this id; others were deleted. */
const MAX_FIRST_ID = 16;

/** State of an id that was looked at. */
type IdState = "listed" | "other" | "absent" | "unread";

class Walk {
  readonly #order: Order;
  readonly #meter: RequestMeter;
  readonly #options: WalkOptions;
  /** Responses of searches, and of the newest ids. */
  readonly #cache = new Map<number, AuctionResponse>();
  readonly #states = new Map<number, IdState>();
  readonly #listed = new Map<number, Competition>();
  #from: number | null = null;
  #to = -1;
  #isStartSeen = false;
  #isEndSeen = false;
  #isLastMinuteSeen = false;
  #isAnySeen = false;
  #failuresInRow = 0;

  constructor(order: Order, meter: RequestMeter, options: WalkOptions) {
    this.#order = order;
    this.#meter = meter;
    this.#options = options;
    for (const competition of options.known) {
      this.#cache.set(competition.auctionId, { competition, error: null });
    }
  }

  async run(signal: AbortSignal | undefined): Promise<void> {
    const { node, end } = this.#options;
    const looks = new AuctionReader(this.#meter, signal, this.#cache);
    const latest = await readLatest(looks);
    if (latest === null) return;
    const search = createLifetimeSearch(looks, latest, { node, signal });
    const last = await search.findLastId(this.#order, end);
    this.#setEnd(last, latest);
    await this.#readNewest(search.startMs(this.#order), signal);
    if (!this.#isStartSeen) {
      const lowest = Math.min(...this.#listed.keys());
      const above = this.#listed.get(lowest) ?? latest;
      const { id, isFirst } = await search.findFirstId(this.#order, above);
      this.#from = id;
      this.#isStartSeen = isFirst;
    }
    this.#to = Math.max(this.#to, this.#from!);
    await this.#readRest(signal);
    this.#isAnySeen = this.#listed.size > 0 || this.#isLastMinuteSeen ||
      await search.hasBegunSince(latest, this.#order);
    if (last === null || last.isProven) return;
    this.#setEnd(await search.findLastId(this.#order, end, last), latest);
    await this.#readRest(signal);
  }

  #setEnd(last: LifetimeEnd | null, latest: Competition): void {
    this.#isEndSeen = last?.isProven === true;
    this.#isLastMinuteSeen ||= last !== null;
    this.#to = Math.max(this.#to, last?.id ?? latest.auctionId);
  }

  /** Reads down to the last auction that listed the order, or to the first that began before it. */
  async #readNewest(startMs: number, signal: AbortSignal | undefined): Promise<void> {
    const lowestId = Math.max(0, this.#to - MAX_NEWEST + 1);
    for (let id = this.#to; id >= lowestId; id -= CHUNK) {
      // The newest auction is read already, and mostly lists an open order.
      const ids = [...listIds(Math.max(lowestId, id - CHUNK + 1), id)].reverse();
      const cachedCount = ids.findIndex((auctionId) => !this.#cache.has(auctionId));
      for (const auctionId of cachedCount === -1 ? ids : ids.slice(0, cachedCount)) {
        this.#note(auctionId);
      }
      if (!ids.some((auctionId) => this.#states.get(auctionId) === "listed")) {
        const room = Math.min(this.#meter.left, this.#options.limits.ids - this.#states.size);
        if (room < 1) return;
        const unread = ids.filter((auctionId) => !this.#cache.has(auctionId)).slice(0, room);
        await this.#read(unread, signal, { isCached: true });
        for (const auctionId of ids) this.#note(auctionId);
      }
      if (ids.some((auctionId) => this.#states.get(auctionId) === "listed")) return;
      const earlier = ids.find((auctionId) => {
        const competition = this.#cache.get(auctionId)?.competition ?? null;
        return competition !== null && findFirstExpiryMs(competition) + 1_000 < startMs;
      });
      if (earlier === undefined) continue;
      this.#from = earlier + 1;
      this.#isStartSeen = true;
      return;
    }
  }

  /** Reads all other ids, newest first, or as many as the limits allow, by halves. */
  async #readRest(signal: AbortSignal | undefined): Promise<void> {
    const [from, to] = [this.#from!, this.#to];
    for (const id of this.#cache.keys()) if (id >= from && id <= to) this.#note(id);
    const done = this.#countRead(from, to);
    const total = to - from + 1;
    const room = Math.min(this.#options.limits.ids - done, this.#meter.left);
    const ids = total - done <= room ? [...listIds(from, to)].reverse() : halve(from, to);
    const unread = Iterator.from(ids).filter((id) => !this.#states.has(id))
      .take(Math.max(0, Math.min(room, total - done)));
    await this.#read(unread, signal, { total: Math.min(total, done + Math.max(0, room)) });
  }

  #countRead(from: number, to: number): number {
    return Iterator.from(this.#states.keys()).reduce(
      (count, id) => count + Number(id >= from && id <= to),
      0,
    );
  }

  /** Takes over an id that was read before. */
  #note(id: number): void {
    const response = this.#cache.get(id);
    if (response !== undefined && !this.#states.has(id)) this.#record(id, response);
  }

  #record(id: number, { competition, error }: AuctionResponse): void {
    if (competition === null) {
      this.#states.set(id, error instanceof NotFoundError ? "absent" : "unread");
    } else if (hasOrder(competition, this.#order.uid)) {
      this.#states.set(id, "listed");
      this.#listed.set(id, competition);
    } else this.#states.set(id, "other");
  }

  async #read(
    ids: Iterable<number>,
    signal: AbortSignal | undefined,
    { total, isCached = false }: { readonly total?: number; readonly isCached?: boolean },
  ): Promise<void> {
    const { onProgress } = this.#options;
    // The walk of many ids keeps only those that listed the order.
    const cache = isCached ? { cache: this.#cache } : {};
    for await (const step of walkAuctions(this.#meter, ids, { ...cache, signal })) {
      const { id, error } = step;
      const hasFailed = error !== null && !isWithoutAuction(error);
      this.#failuresInRow = hasFailed ? this.#failuresInRow + 1 : 0;
      this.#record(id, step);
      if (this.#failuresInRow >= MAX_FAILURES_IN_ROW) throw error;
      const done = total === undefined ? this.#states.size : this.#countRead(this.#from!, this.#to);
      onProgress?.({ done, ...total !== undefined && { total } });
    }
  }

  summarize(): Pick<LifetimeWalk, "competitions" | "walked"> {
    // A search may have met the order outside of what it took for its lifetime, but for the fill at its end.
    for (const [id, { competition }] of this.#cache) {
      const isAfterFill = this.#options.end !== null && id > this.#to;
      const isListed = competition !== null && hasOrder(competition, this.#order.uid);
      if (isListed && !isAfterFill) this.#note(id);
    }
    const competitions = [...this.#listed.values()].sort((a, b) => a.auctionId - b.auctionId);
    // Without its bounds, what was read of its lifetime are the auctions that listed it.
    const to = this.#to === -1 ? competitions.at(-1)?.auctionId ?? -1 : this.#to;
    const from = this.#from ?? Math.min(...this.#states.keys());
    if (to === -1 || from > to) return { competitions, walked: null };
    const isOrdered = this.#isOrdered(from);
    const count = (...states: readonly IdState[]) =>
      Iterator.from(this.#states).filter(([id, state]) =>
        id >= from && id <= to && states.includes(state)
      ).toArray().length;
    const read = this.#countRead(from, to);
    const walked: WalkedAuctions = {
      ...{ from, to, read, listed: count("listed") },
      ...{ absent: count("absent"), unread: count("unread") },
      isWhole: isOrdered && this.#isStartSeen && read === to - from + 1 && count("unread") === 0,
      isStartSeen: isOrdered && this.#isStartSeen,
      isEndSeen: isOrdered && this.#isEndSeen,
      isLastMinuteSeen: isOrdered && this.#isLastMinuteSeen,
      isLastSeen: isOrdered && this.#to !== -1 && this.#isLastSeen(from),
      isAnySeen: this.#isAnySeen || this.#listed.size > 0,
      isOrdered,
    };
    return { competitions, walked };
  }

  /** Whether every id above the last one that listed the order was read. */
  #isLastSeen(from: number): boolean {
    for (let id = this.#to; id >= from; id--) {
      const state = this.#states.get(id);
      if (state === "listed") return true;
      if (state === undefined || state === "unread") return false;
    }
    return false;
  }

  /**
   * Whether what was read follows time: later ids begin in later blocks, and none outside of the lifetime
   * listed the order. An auction of the fast path, of one order, has the id of its quote.
   */
  #isOrdered(from: number): boolean {
    let block = -Infinity;
    const competitions = new Map(
      [...this.#cache].flatMap(([id, { competition }]) =>
        competition === null ? [] : [[id, competition] as const]
      ),
    );
    for (const [id, competition] of this.#listed) competitions.set(id, competition);
    for (const [, { auction, auctionStartBlock }] of [...competitions].sort(([a], [b]) => a - b)) {
      if (auction.orders.length <= 1) continue;
      if (auctionStartBlock < block) return false;
      block = auctionStartBlock;
    }
    return this.#to === -1 || this.#listed.keys().every((id) => id >= from && id <= this.#to);
  }
}

/** Lists the ids from one to another by halves: the one in the middle, those in the middle of both halves, … */
function* halve(from: number, to: number): Generator<number, void, undefined> {
  const parts = [[from, to] as const];
  for (let index = 0; index < parts.length; index++) {
    const [low, high] = parts[index]!;
    if (low > high) continue;
    const middle = low + Math.floor((high - low) / 2);
    yield middle;
    parts.push([middle + 1, high], [low, middle - 1]);
  }
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

/** The last id that can have listed an order. */
interface LifetimeEnd {
  /** Its id. */
  readonly id: number;
  /** Whether the auction after it began after the order's end; otherwise in the order's last minute. */
  readonly isProven: boolean;
}

/**
 * The service lists an order only while it is valid for another minute, unless it is set up otherwise:
 * `min_order_validity_period` of `crates/autopilot` in cowprotocol/services is 60 s by default, and 59
 * were left at least in 812 recorded auctions. Clocks differ.
 */
const LAST_MINUTE_MS = 55_000;

/** Ids in a row without an auction, after which a search looks elsewhere: each takes a request. */
const SEARCH_GAP = 9;
/** Distance of ids at which a search ends: what is between is read anyway, or soon. */
const WITHIN = 16;

/** Distance of ids within which two auctions list mostly the same orders. */
const REACH = 64;

/** The ids below and above which no auction can have listed an order. */
function createLifetimeSearch(
  looks: AuctionReader,
  latest: Competition,
  { node, signal }: Pick<WalkOptions, "node" | "signal">,
) {
  type ValueOf = (competition: Competition) => Promise<number>;
  const find = (target: number, valueOf: ValueOf, newest = latest) =>
    findAuction({ looks, latest: newest, target, valueOf, maxGap: SEARCH_GAP, within: WITHIN });

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
  const findLatestStart: ValueOf = async (competition) =>
    await readBlockTime(competition) ?? findFirstExpiryMs(competition) + 1_000;

  /** A time that an auction did not begin before: it lists no order that is yet to be created. */
  const findEarliestStart: ValueOf = async (competition) =>
    await readBlockTime(competition) ??
      (await looks.findNewestOrder(competition, REACH))?.epochMilliseconds ?? -Infinity;

  /**
   * The last id before the first auction that is proved to have begun after a time, or in the minute
   * before it. Where an auction has no order that expires before, it may have: by the orders that came to
   * it, it has, or a later one.
   *
   * @param lastMinute Where the last minute begins, if the end is wanted.
   */
  const findLastBefore = async (
    target: number,
    lastMinute: LifetimeEnd | null,
  ): Promise<LifetimeEnd | null> => {
    const readLatestEnd: ValueOf = async (competition) =>
      await readBlockTime(competition) ?? findFirstExpiryMs(competition);
    let later = lastMinute === null
      ? (await find(target, readLatestEnd)).above?.id ?? null
      : lastMinute.id + 1;
    for (let step = 1; later !== null; step *= 2) {
      const competition = await looks.findFirst(listIds(later, latest.auctionId));
      if (competition === null) break;
      const { auctionId } = competition;
      const startMs = await findEarliestStart(competition);
      const id = auctionId - 1;
      if (startMs >= target) return { id, isProven: true };
      const isMinuteKept = findFirstExpiryMs(competition) - startMs >= LAST_MINUTE_MS;
      if (lastMinute === null && isMinuteKept && startMs >= target - LAST_MINUTE_MS) {
        return { id, isProven: false };
      }
      later = auctionId >= latest.auctionId ? null : Math.min(auctionId + step, latest.auctionId);
    }
    return lastMinute;
  };

  /** The time before which no auction can have listed it. */
  const startMs = (order: Order): number => {
    // The quote of an order that took the fast path has the id of its auction.
    const slackMs = isFastPath(order) ? QUOTE_VALIDITY_MS : node === undefined ? 0 : START_SLACK_MS;
    return order.creationDate.epochMilliseconds - slackMs;
  };

  return {
    startMs,
    /** Whether an auction is proved to have begun after the creation of an order. */
    hasBegunSince: async (competition: Competition, order: Order): Promise<boolean> =>
      await findEarliestStart(competition) >= order.creationDate.epochMilliseconds,
    /**
     * The first id that can have listed it, and whether earlier ones cannot: none can if an auction is stored
     * that began before.
     *
     * @param above An auction that did not begin before it.
     */
    findFirstId: async (order: Order, above: Competition) => {
      const { below: earlier, above: later } = await find(startMs(order), findLatestStart, above);
      const id = (earlier?.id ?? (later?.id ?? 0) - 1) + 1;
      return { id, isFirst: earlier !== null || id <= MAX_FIRST_ID };
    },
    /**
     * The last id that can have listed it; `null` if that may be hidden yet.
     *
     * @param lastMinute Where its last minute begins, if its end is wanted.
     */
    findLastId: async (
      order: Order,
      end: WalkOptions["end"],
      lastMinute: LifetimeEnd | null = null,
    ): Promise<LifetimeEnd | null> => {
      if (end !== null && "auctionId" in end) return { id: end.auctionId, isProven: true };
      if (end !== null) {
        const startBlock = (auction: Competition) => Promise.resolve(auction.auctionStartBlock);
        const { above: later } = await find(end.block + 1, startBlock);
        return later === null ? null : { id: later.id - 1, isProven: true };
      }
      if (isOpenStatus(order.status)) return null;
      return await findLastBefore((effectiveValidTo(order) + 1) * 1_000, lastMinute);
    },
  };
}

function hasOrder({ auction, solutions }: Competition, uid: string): boolean {
  return auction.orders.some((listedUid) => sameHex(listedUid, uid)) ||
    solutions.some(({ orders }) => orders.some(({ id }) => sameHex(id, uid)));
}
