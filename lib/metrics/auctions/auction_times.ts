import { NO_EXPIRY } from "../../endpoints/calls.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  requireList,
} from "../../errors/option_rules.ts";
import type { Competition, DebugReport, Order } from "../../schemas/mod.ts";
import { type ByUid, defineByUidRule, indexByUid, list } from "../not_computable.ts";
import {
  type BlockClock,
  defineTimesRule,
  type KnownTime,
  matchIndexedTimes,
  selectEarlier,
  selectLater,
  type TimeBracket,
  toBracket,
  toBracketedTime,
  toExactTime,
} from "../orders/fills.ts";

/** Sources of the times in addition to the auctions. */
export interface AuctionTimesOptions extends AuctionBracketsOptions {
  /** Timestamps of blocks by number, as `blockTimes` gets them from a node. */
  readonly blockTimes?: ReadonlyMap<number, Temporal.Instant>;
  /** Debug reports of orders: their events `traded` date the indexing of fills. */
  readonly debugReports?: Iterable<DebugReport>;
}

const OPTIONS: OptionRules<AuctionTimesOptions> = {
  orders: defineByUidRule("orders"),
  blockTimes: defineRule("a Map of timestamps by block number", (value) => value instanceof Map),
  debugReports: list(),
};

/** Allowed values of an option that takes times. */
export const TIMES = defineTimesRule<AuctionTimes>(["auction", "block"]);

/**
 * Maximum time from the timestamp of its start block to the beginning of an auction, with the difference
 * of clocks: one block interval, of which slots may be missed.
 */
const MAX_BEHIND_MS = 45_000;

/** A bound of the time of a block and of all blocks on one side of it. */
interface BlockBound {
  readonly block: number;
  readonly time: Temporal.Instant;
}

/**
 * Times of auctions and of blocks, from timestamps of blocks, events of debug reports, and the dates of
 * orders.
 *
 * An auction has the time of its start block, or the interval of {@linkcode auctionBrackets}. A block
 * has its timestamp; or the time of the first event `traded` of a fill in it; or an interval. Time
 * runs with block numbers: the interval starts at the closest earlier block with a timestamp, or at
 * the lower bound of the latest auction with an earlier start block, in whole seconds as timestamps
 * are. It ends with the same bounds of later blocks.
 *
 * Timestamps that contradict the orders are rejected: that of an auction which would have begun
 * more than 45 seconds before its newest order was created, and all of them where most do.
 *
 * @example Blocks and auctions between known ones
 * ```ts
 * import { AuctionTimes } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const at = (second: number) => Temporal.Instant.from(`2026-11-21T12:00:${second}Z`);
 * const auction = { auctionId: 7, auctionStartBlock: 100, auction: { orders: [] } };
 * const times = new AuctionTimes([auction], {
 *   blockTimes: new Map([[100, at(10)], [102, at(34)]]),
 * });
 *
 * assertEquals(times.auction(7), { at: at(10), basis: "block", bracket: null });
 * assertEquals(times.block(101)?.bracket, { min: at(10), max: at(34) });
 * assertEquals(times.block(99), null);
 * ```
 */
export class AuctionTimes implements BlockClock {
  readonly #startBlocks: ReadonlyMap<number, number>;
  readonly #brackets: ReadonlyMap<number, TimeBracket>;
  /** Timestamps of blocks as a node stated them; below, those that the orders do not contradict. */
  readonly #stated: ReadonlyMap<number, Temporal.Instant>;
  readonly #blocks: ReadonlyMap<number, Temporal.Instant>;
  readonly #events: ReadonlyMap<number, Temporal.Instant>;
  readonly #lower: readonly BlockBound[];
  readonly #upper: readonly BlockBound[];

  /**
   * Collects the bounds of all times.
   *
   * @param competitions Auctions of one network and environment, in any order.
   * @param options Orders of the auctions, timestamps of blocks, debug reports.
   * @throws {InputError} If an option is unknown or invalid.
   */
  constructor(competitions: Iterable<DatedAuction>, options: AuctionTimesOptions = {}) {
    checkOptions(options, OPTIONS, "Cannot compute times of auctions");
    const { blockTimes, debugReports, orders } = options;
    const auctions = Array.isArray(competitions) ? competitions : [...competitions];
    this.#startBlocks = new Map(
      auctions.map(({ auctionId, auctionStartBlock }) => [auctionId, auctionStartBlock]),
    );
    this.#brackets = auctionBrackets(auctions, orders === undefined ? {} : { orders });
    this.#stated = blockTimes ?? new Map();
    this.#blocks = this.#selectBelievedBlocks();
    this.#events = indexFirstEvents(debugReports ?? []);
    this.#lower = tightenBounds(this.#listLowerBounds(), (a, b) => a.block - b.block, selectLater);
    this.#upper = tightenBounds(this.#listUpperBounds(), (a, b) => b.block - a.block, selectEarlier)
      .reverse();
  }

  /**
   * Returns the time at which an auction began.
   *
   * @param auctionId Its id.
   * @returns The timestamp of its start block, or an interval; `null` if the auction was not passed
   * or its time is unknown.
   */
  auction(auctionId: number): KnownTime | null {
    const start = this.#startBlocks.get(auctionId);
    const time = start === undefined ? undefined : this.#blocks.get(start);
    if (time !== undefined) return toExactTime(time, "block");
    const bracket = this.#brackets.get(auctionId);
    return bracket === undefined ? null : toBracketedTime(bracket);
  }

  /**
   * Returns the time of a block, and so of its settlements and fills.
   *
   * @param number Its number.
   * @returns Its timestamp, the time of an event, or an interval; `null` if it is unknown.
   */
  block(number: number): KnownTime | null {
    const time = this.#blocks.get(number);
    if (time !== undefined) return toExactTime(time, "block");
    const event = this.#events.get(number);
    if (event !== undefined) return toExactTime(event, "event");
    const lowerCount = countUpTo(this.#lower, toBlock, number);
    const upperIndex = countUpTo(this.#upper, toBlock, number - 1);
    const bracket = toBracket(
      this.#lower[lowerCount - 1]?.time ?? null,
      this.#upper[upperIndex]?.time ?? null,
    );
    return bracket === null ? null : toBracketedTime(bracket);
  }

  statedBlock(number: number): Temporal.Instant | null {
    return this.#stated.get(number) ?? null;
  }

  /**
   * Drops the timestamps of auctions that began long before their orders were created; all of them if
   * most did, since the clock of the chain is behind the service then.
   */
  #selectBelievedBlocks(): ReadonlyMap<number, Temporal.Instant> {
    const contradicted = new Set<number>();
    let compared = 0;
    for (const [auctionId, { min }] of this.#brackets) {
      const block = this.#startBlocks.get(auctionId)!;
      const time = this.#stated.get(block);
      if (time === undefined) continue;
      compared++;
      const isBefore = time.epochMilliseconds + MAX_BEHIND_MS < min.epochMilliseconds;
      if (isBefore) contradicted.add(block);
    }
    if (contradicted.size === 0) return this.#stated;
    if (contradicted.size * 2 > compared) return new Map();
    return new Map([...this.#stated].filter(([block]) => !contradicted.has(block)));
  }

  /** Lists lower bounds: each holds for its block and all later ones. */
  *#listLowerBounds(): Iterable<BlockBound> {
    for (const [block, time] of this.#blocks) yield { block, time };
    for (const [auctionId, { min }] of this.#brackets) {
      const time = min.round({ smallestUnit: "second", roundingMode: "floor" });
      yield { block: this.#startBlocks.get(auctionId)! + 1, time };
    }
  }

  /** Lists upper bounds: each holds for its block and all earlier ones. */
  *#listUpperBounds(): Iterable<BlockBound> {
    for (const [block, time] of this.#blocks) yield { block, time };
    for (const [block, time] of this.#events) yield { block, time };
    for (const [auctionId, { max }] of this.#brackets) {
      if (max !== null) yield { block: this.#startBlocks.get(auctionId)!, time: max };
    }
  }
}

/** Indexes the earliest event of a fill in each block. */
function indexFirstEvents(debugReports: Iterable<DebugReport>): Map<number, Temporal.Instant> {
  const first = new Map<number, Temporal.Instant>();
  for (const report of debugReports) {
    const fills = report.trades.toSorted((a, b) =>
      a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
    );
    const times = matchIndexedTimes(fills, report);
    for (const [index, { blockNumber }] of fills.entries()) {
      const earliest = selectEarlier(first.get(blockNumber), times[index]);
      if (earliest !== null) first.set(blockNumber, earliest);
    }
  }
  return first;
}

const toBlock = ({ block }: BlockBound): number => block;

/** Sorts bounds, and makes each as tight as itself and those before it. */
function tightenBounds(
  bounds: Iterable<BlockBound>,
  compare: (a: BlockBound, b: BlockBound) => number,
  selectTighter: typeof selectLater,
): BlockBound[] {
  let tightest: Temporal.Instant | null = null;
  return [...bounds].sort(compare).map(({ block, time }) => {
    tightest = selectTighter(tightest, time)!;
    return { block, time: tightest };
  });
}

/** Counts the first items that have a number of at most `max`; the numbers ascend. */
export function countUpTo<Item>(
  items: readonly Item[],
  readNumber: (item: Item) => number,
  max: number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readNumber(items[middle]!) <= max) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The fields of an auction that bound its time. A `Competition` has them. */
export type DatedAuction = Pick<Competition, "auctionId" | "auctionStartBlock"> & {
  /** The orders in the auction. */
  readonly auction: Pick<Competition["auction"], "orders">;
};

/** Sources of the brackets in addition to the auctions. */
export interface AuctionBracketsOptions {
  /** Orders of the auctions: their creation dates are the lower bounds. */
  readonly orders?: ByUid<Pick<Order, "creationDate">>;
}

/** Length of an order UID as text. */
const UID_CHARS = 114;
/** Hex digits at the end of a UID: the expiry that was signed. */
const VALID_TO_DIGITS = 8;

/**
 * Returns the interval in which each auction began, without a node: after the newest `creationDate` among
 * its orders, and not after the smallest `validTo` among their UIDs.
 *
 * Auctions begin in the order of their start blocks, so the lower bound is the running maximum over
 * all earlier start blocks, and the upper one the running minimum over all later ones. Ids do not
 * follow time where an order took the fast path: its quote took the id, and its auction began when it
 * arrived (services#4713, not in a release as of 2026-09). The signed expiry of EthFlow orders is
 * always the maximum and does not count. Pass consecutive auctions and all of their orders: the more
 * of them there are, the closer the bounds.
 *
 * The lower bound is close: in recorded auctions it is within 5 seconds of the start block's timestamp
 * for nine of ten. An auction begins up to one block interval after its start block, so the bound can
 * be after the block's timestamp by as much. The upper one is loose: services include an order only
 * if it is valid for another minute or so.
 *
 * @param competitions Auctions of one network and environment, in any order.
 * @param options Orders of the auctions.
 * @returns The interval of each auction by id, ascending. An auction is absent if no creation date of
 * its or earlier orders is known, or if the bounds contradict each other.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example An order that was created at noon and was valid for ten minutes
 * ```ts
 * import { auctionBrackets } from "orderlens/metrics";
 * import { packOrderUid } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const creationDate = Temporal.Instant.from("2026-11-21T12:00:00.5Z");
 * const uid = packOrderUid({
 *   digest: `0x${"01".repeat(32)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   validTo: Date.parse("2026-11-21T12:10:00Z") / 1_000,
 * });
 * const auction = { auctionId: 7, auctionStartBlock: 100, auction: { orders: [uid] } };
 *
 * const bracket = auctionBrackets([auction], { orders: [{ uid, creationDate }] }).get(7);
 *
 * assertEquals([`${bracket?.min}`, `${bracket?.max}`], [
 *   "2026-11-21T12:00:00.5Z",
 *   "2026-11-21T12:10:00Z",
 * ]);
 * ```
 */
export function auctionBrackets(
  competitions: Iterable<DatedAuction>,
  options: AuctionBracketsOptions = {},
): Map<number, TimeBracket> {
  checkOptions(options, { orders: defineByUidRule("orders") }, ACTION);
  requireList(competitions, { action: ACTION, expected: "an array of decoded competitions" });
  const auctions = [...competitions].sort((a, b) => a.auctionId - b.auctionId);
  const byBlock = [...Map.groupBy(auctions, ({ auctionStartBlock }) => auctionStartBlock)]
    .sort(([a], [b]) => a - b).map(([, group]) => group);
  const mins = computeLowerBounds(byBlock, options);
  const maxs = computeUpperBounds(byBlock);
  return new Map(auctions.flatMap((auction) => {
    const bracket = toBracket(mins.get(auction)!, maxs.get(auction)!);
    return bracket === null ? [] : [[auction.auctionId, bracket] as const];
  }));
}

const ACTION = "Cannot compute times of auctions";

/** Auctions that began in one block, which do not bound each other. */
type AuctionGroup = readonly DatedAuction[];

/** Computes the newest creation date up to each auction; an order counts in the block that first lists it. */
function computeLowerBounds(
  byBlock: readonly AuctionGroup[],
  { orders = [] }: AuctionBracketsOptions,
) {
  const ordersByUid = indexByUid(orders);
  const firstBlocks = new Map<string, number>();
  const findNewest = ({ auction, auctionStartBlock }: DatedAuction) => {
    let newest: Temporal.Instant | null = null;
    for (const uid of auction.orders) {
      const block = firstBlocks.get(uid);
      if (block === auctionStartBlock || block === undefined) {
        newest = selectLater(newest, ordersByUid.get(uid)?.creationDate);
      }
      if (block === undefined) firstBlocks.set(uid, auctionStartBlock);
    }
    return newest;
  };
  return accumulateBounds(byBlock, findNewest, selectLater);
}

/** Computes the earliest signed expiry from each auction on. */
function computeUpperBounds(byBlock: readonly AuctionGroup[]) {
  const findFirstExpiry = ({ auction }: DatedAuction) => {
    let first = NO_EXPIRY;
    for (const uid of auction.orders) first = Math.min(first, readValidTo(uid));
    return first === NO_EXPIRY ? null : Temporal.Instant.fromEpochMilliseconds(first * 1_000);
  };
  return accumulateBounds(byBlock.toReversed(), findFirstExpiry, selectEarlier);
}

/** Computes the tightest bound of each auction: of its own, and those of the blocks before it. */
function accumulateBounds(
  byBlock: readonly AuctionGroup[],
  findBound: (auction: DatedAuction) => Temporal.Instant | null,
  selectTighter: typeof selectLater,
): Map<DatedAuction, Temporal.Instant | null> {
  const bounds = new Map<DatedAuction, Temporal.Instant | null>();
  let bound: Temporal.Instant | null = null;
  for (const auctions of byBlock) {
    const earlierBound: Temporal.Instant | null = bound;
    for (const auction of auctions) {
      const tightBound: Temporal.Instant | null = selectTighter(earlierBound, findBound(auction));
      bounds.set(auction, tightBound);
      bound = selectTighter(bound, tightBound);
    }
  }
  return bounds;
}

function readValidTo(uid: string): number {
  return uid.length === UID_CHARS ? Number.parseInt(uid.slice(-VALID_TO_DIGITS), 16) : NO_EXPIRY;
}
