import { listIds } from "../endpoints/walk_auctions.ts";
import { NotRecordedError } from "../errors/mod.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import type { Competition } from "../schemas/mod.ts";
import type { AuctionReader } from "./auction_reader.ts";
import type { OrderBook } from "./order_book.ts";

/** An auction and a monotone key of it, e.g. its start block. */
interface AuctionValue {
  /** Auction id. */
  readonly id: number;
  /** The key. */
  readonly value: number;
}

/** Input of {@linkcode findAuction}. */
interface SearchOptions {
  /** Reads auctions. */
  readonly looks: Pick<AuctionReader, "findFirst">;
  /** Reads the key of an auction. */
  readonly valueOf: (competition: Competition) => Promise<number>;
  /** The newest auction. */
  readonly latest: Competition;
  /** The key to reach. */
  readonly target: number;
  /**
   * Number of consecutive ids without an auction after which none is looked for below, until the end.
   * @default {16}
   */
  readonly maxGap?: number;
  /** Distance of both bounds at which the search ends; at 1, no auction is between them. @default {1} */
  readonly within?: number;
}

/** The auctions on both sides of a key. */
export interface AuctionBounds {
  /** The last auction below the key; `null` if all auctions reach it. */
  readonly below: AuctionValue | null;
  /** The first auction that reaches the key; `null` if none does. */
  readonly above: AuctionValue | null;
}

/** An auction begins at most one block after its start block; twelve seconds is the longest. */
export const START_SLACK_MS = 15_000;

/** Maximum number of consecutive ids without an auction, unless there are none below. */
const MAX_GAP = 16;
/** Maximum number of interpolations before bisection. */
const MAX_AIMS = 8;
const FIRST_STRIDE = 64;
const GROWTH = 4;
/** Maximum number of strides that keys shorten. */
const MAX_EXTRAPOLATIONS = 4;
/** Auctions are not evenly spread over time: a stride is longer by a quarter, and by some ids. */
const MARGIN = 1.25;
const MIN_STRIDE = 8;
/** Maximum distance of two auctions at which bisection starts. */
const MAX_HALVED = 16;

/**
 * Finds the first auction whose key reaches a target: downwards from the newest in growing strides, no
 * longer than the keys so far suggest, then by interpolation, then by bisection; reads about 16 auctions.
 *
 * Ids without an auction are skipped. Below the first auction that the service stores there are none:
 * this is assumed after 16 consecutive ids without one, and verified at the end.
 */
export async function findAuction(search: SearchOptions): Promise<AuctionBounds> {
  const { latest, target, valueOf } = search;
  const newest = { id: latest.auctionId, value: await valueOf(latest) };
  if (newest.value < target) return { below: newest, above: null };
  const bisection = new Bisection(search, newest);
  for (;;) {
    await bisection.run();
    if (bisection.below !== null || !await bisection.findBelow()) return bisection;
  }
}

class Bisection implements AuctionBounds {
  readonly #search: SearchOptions;
  readonly #maxGap: number;
  below: AuctionValue | null = null;
  above: AuctionValue;
  /** All ids up to here are below the target, or have no auction. */
  #low = -1;
  /** Ids from here up to `above` have no auction. */
  #high: number;
  #stride = FIRST_STRIDE / GROWTH;
  /** The auction that was above before. */
  #higher: AuctionValue | null = null;
  #extrapolations = 0;
  #aim: { readonly id: number; isAbove: boolean | null } | null = null;
  #aims = 0;

  constructor(search: SearchOptions, above: AuctionValue) {
    this.#search = search;
    this.#maxGap = search.maxGap ?? MAX_GAP;
    this.above = above;
    this.#high = above.id;
  }

  async run(): Promise<void> {
    const within = this.#search.within ?? 1;
    while (this.#high - this.#low > 1) {
      if (this.below !== null && this.above.id - this.below.id <= within) return;
      await this.#read(this.#guess());
    }
  }

  /** Searches below the assumed first auction; returns whether there is one. */
  async findBelow(): Promise<boolean> {
    for (let distance = this.#maxGap; this.#high > 0; distance *= 2) {
      const from = Math.max(0, this.#high - distance);
      const competition = await this.#findFirst(from, Math.min(from + this.#maxGap, this.#high));
      if (competition !== null) {
        this.#low = -1;
        await this.#record(competition, from);
        return true;
      }
      if (from === 0) return false;
    }
    return false;
  }

  #guess(): number {
    const [low, high] = [this.#low, this.#high];
    const middle = low + Math.floor((high - low) / 2);
    if (this.below === null) return this.#guessBelow(middle);
    if (this.#aims > MAX_AIMS || high - low <= MAX_HALVED) return middle;
    const id = this.#aim === null ? this.#interpolate(this.below) : this.#stepFromAim(this.#aim);
    const isBetween = id > low && id < high;
    if (this.#aim === null) {
      this.#aim = { id: isBetween ? id : middle, isAbove: null };
      this.#stride = 1;
      this.#aims++;
    }
    return isBetween ? id : middle;
  }

  /** Guesses an id below the target: in growing strides, unless the two lowest auctions so far suggest another. */
  #guessBelow(middle: number): number {
    const [low, high] = [this.#low, this.#high];
    const longest = low === -1 ? this.#stride *= GROWTH : high - middle;
    const distance = this.#extrapolations < MAX_EXTRAPOLATIONS ? this.#extrapolate() : Infinity;
    const guess = high - Math.min(distance, low === -1 ? longest : Infinity);
    if (guess <= low || guess === high - longest) return Math.max(0, high - longest);
    this.#extrapolations++;
    return guess;
  }

  /** Distance from the lowest auction so far to the target, if keys go on as they do; at least a few ids. */
  #extrapolate(): number {
    const [higher, { id, value }] = [this.#higher, this.above];
    if (higher === null) return Infinity;
    const perId = (higher.value - value) / (higher.id - id);
    const distance = Math.ceil(MARGIN * (value - this.#search.target) / perId);
    return Number.isFinite(distance) && distance > 0 ? distance + MIN_STRIDE : Infinity;
  }

  #interpolate(lower: AuctionValue): number {
    const { above: upper } = this;
    const share = (this.#search.target - lower.value) / (upper.value - lower.value);
    return Number.isFinite(share) ? Math.round(lower.id + share * (upper.id - lower.id)) : -1;
  }

  #stepFromAim({ id, isAbove }: { readonly id: number; readonly isAbove: boolean | null }): number {
    this.#stride *= GROWTH;
    return isAbove === true ? id - this.#stride : id + this.#stride;
  }

  async #read(id: number): Promise<void> {
    const end = this.below === null ? Math.min(id + this.#maxGap, this.#high) : this.#high;
    const competition = await this.#findFirst(id, end);
    if (competition !== null) await this.#record(competition, id);
    else if (end === this.#high) this.#high = id;
    else this.#low = end - 1;
  }

  /** Records an auction; `from` is the first of the ids without one before it. */
  async #record(competition: Competition, from: number): Promise<void> {
    const auction = { id: competition.auctionId, value: await this.#search.valueOf(competition) };
    const isAbove = auction.value >= this.#search.target;
    if (isAbove) {
      this.#higher = this.above;
      this.above = auction;
      this.#high = from;
    } else {
      this.below = auction;
      this.#low = auction.id;
    }
    if (this.#aim === null) return;
    // The target is between the aim and this auction: interpolate again from there.
    if (this.#aim.isAbove !== null && this.#aim.isAbove !== isAbove) this.#aim = null;
    else this.#aim.isAbove ??= isAbove;
  }

  #findFirst(from: number, end: number): Promise<Competition | null> {
    return this.#search.looks.findFirst(listIds(from, end - 1));
  }
}

/** Accounts whose orders were read. */
export interface AccountsRead {
  /** Number of accounts whose orders were read. */
  readonly read: number;
  /** Number of accounts on whose orders somebody bid. */
  readonly bidding: number;
  /** Number of accounts whose latest orders only were read. */
  readonly cut: number;
  /** Sentences about orders that were not read, each with a space at the end; empty if all were. */
  readonly note: string;
}

/** Collects the UIDs of orders that auctions list, and of those that solvers brought. */
export function collectListedUids(competitions: readonly Competition[]): string[] {
  return competitions.flatMap(({ auction, solutions }) => [
    ...auction.orders,
    ...listUids(solutions),
  ]);
}

/** Collects the UIDs of orders that solvers bid on. */
export function collectBidUids(competitions: readonly Competition[]): string[] {
  return listUids(competitions.flatMap(({ solutions }) => solutions));
}

/** Collects the UIDs of orders in winning solutions. */
export function collectWinningUids(competitions: readonly Competition[]): string[] {
  return listUids(
    competitions.flatMap(({ solutions }) => solutions.filter(({ isWinner }) => isWinner)),
  );
}

function listUids(solutions: Competition["solutions"]): string[] {
  return solutions.flatMap(({ orders }) => orders.map(({ id }) => id));
}

/**
 * Collects the UIDs of orders of the accounts with most bids, sorted: those with bids, and the latest of
 * their lists. Recordings that lack the list of an account give only its orders with bids.
 */
export async function collectAccountUids(
  book: OrderBook,
  competitions: readonly Competition[],
  { accounts, ordersPerAccount, signal }: {
    readonly accounts: number;
    readonly ordersPerAccount: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ uids: string[]; accounts: AccountsRead }> {
  const bids = Map.groupBy(collectBidUids(competitions), (uid) => parseOrderUid(uid).owner);
  // An account may have many thousands of orders.
  const owners = [...bids].sort(([a, bidsA], [b, bidsB]) =>
    bidsB.length - bidsA.length || (a < b ? -1 : 1)
  )
    .slice(0, accounts);
  const uids = new Set<string>();
  let cut = 0;
  for (const [owner, bidUids] of owners) {
    for (const uid of bidUids) uids.add(uid);
    const list = await fetchLatestUids(book, owner, { limit: ordersPerAccount + 1, signal });
    if (list.length > ordersPerAccount) cut++;
    for (const uid of list.slice(0, ordersPerAccount)) uids.add(uid);
  }
  const note =
    (cut === 0
      ? ""
      : `Of ${cut} accounts, only the latest ${ordersPerAccount} orders and those bid on were read. `) +
    formatUnread(book, uids);
  return {
    uids: [...uids].sort(),
    accounts: { read: owners.length, bidding: bids.size, cut, note },
  };
}

/** Formats the number of a recording's orders that were not read. */
function formatUnread({ transport }: OrderBook, uids: ReadonlySet<string>): string {
  const recorded: unknown = "recorded" in transport ? Object(transport.recorded).orderUids : null;
  if (!Array.isArray(recorded)) return "";
  const readUids = new Set(Array.from(uids, (uid) => uid.toLowerCase()));
  const unread = recorded.filter((uid) => !readUids.has(String(uid).toLowerCase())).length;
  if (unread === 0) return "";
  return `${unread} of ${recorded.length} orders of the recording were not read. `;
}

/** Fetches the UIDs of an account's latest orders; none where a recording lacks the list. */
async function fetchLatestUids(
  book: OrderBook,
  owner: string,
  options: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const uids: string[] = [];
  try {
    for await (const { uid } of book.accountOrders(owner, options)) uids.push(uid);
  } catch (error) {
    if (!(error instanceof NotRecordedError)) throw error;
  }
  return uids;
}
