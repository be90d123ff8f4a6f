import { DecodeError, InputError, NotFoundError, type OrderlensError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, required, wholeNumber } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import type { Competition } from "../schemas/mod.ts";
import {
  type CallOptions,
  CONCURRENCY,
  DEFAULT_CONCURRENCY,
  Failures,
  ignoreNotFound,
  type Progress,
} from "./calls.ts";
import { findFirstExpiryMs, getCompetition, QUOTE_VALIDITY_MS } from "./competitions.ts";
import {
  type AuctionResponse,
  listIds,
  readAuction,
  walkAuctions,
  type WalkedAuction,
} from "./walk_auctions.ts";

const ACTION = "Cannot walk over competitions";

/** Auction ids to walk over, both ends inclusive. */
export interface AuctionIds {
  /** First id. */
  readonly from: number;
  /** Last id. */
  readonly to: number;
}

/** The latest auctions. */
export interface LatestAuctionIds {
  /**
   * Number of ids, ending with that of the latest visible competition. If the deployment has fewer,
   * all of its ids are walked; without a visible competition, none.
   */
  readonly last: number;
}

/** A competition that could not be decoded. */
export interface CompetitionFailure {
  /** Id of its auction. */
  readonly auctionId: number;
  /** The error. */
  readonly error: DecodeError;
}

/** Options of {@linkcode walkCompetitions}. */
export interface WalkCompetitionsOptions extends CallOptions {
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called for each id, in order, just before it is yielded. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Called for every competition that cannot be decoded. Without it, the walk still continues to
   * its end, and then throws an {@linkcode IncompleteListError}.
   */
  onFailure?: ((failure: CompetitionFailure) => void) | undefined;
}

const OPTIONS: OptionRules<WalkCompetitionsOptions> = {
  signal: AbortSignal,
  concurrency: CONCURRENCY,
  onProgress: Function,
  onFailure: Function,
};

/** Result of a walk for one auction id. */
export type WalkedCompetition =
  | {
    /** Id of the auction. */
    readonly auctionId: number;
    /** Its competition. */
    readonly competition: Competition;
    /** Never set with a competition. */
    readonly absent?: never;
    /** Never set with a competition. */
    readonly hidden?: never;
  }
  | {
    /** An id that has no competition and never will: a gap. */
    readonly auctionId: number;
    /** Marks a gap. */
    readonly absent: true;
    /** None. */
    readonly competition?: never;
    /** Not a gap. */
    readonly hidden?: never;
  }
  | {
    /** An id above the latest visible one, or a recent gap: its competition may still appear. */
    readonly auctionId: number;
    /** Marks a competition that may still appear. */
    readonly hidden: true;
    /** None yet. */
    readonly competition?: never;
    /** Not known to be a gap. */
    readonly absent?: never;
  };

/**
 * Walks over auction ids in ascending order and yields one entry per id: its competition, a gap, or
 * a competition that may still appear.
 *
 * A quote for the fast path takes an auction id, and has a competition only once its order arrives
 * (services#4713, not in a release as of 2026-09). So a missing id is a gap once a later auction is
 * an hour old, by the expiry of its orders: until then, its competition may still appear.
 *
 * Calls `GET /api/v2/solver_competition/{auctionId}`, several concurrently, and `…/latest` where a
 * 404 cannot be classified without it: at the first gap, and again at the end. Each id is requested
 * once, except those whose 404 came before the latest competition was known; ids above the latest
 * visible one are not requested once the walk has reached it. Memory stays bounded: at most
 * `concurrency` competitions are held. Leaving the loop sends nothing more. To resume a failed
 * walk, set `from` to the id after the last one yielded.
 *
 * `{ last: 1_000 }` requests the latest competition first and walks up to it. If the service shows
 * none, the walk is empty: there has been no auction yet, or the latest is hidden until its
 * deadline.
 *
 * @param transport Transport that sends the request.
 * @param ids First and last auction id, or the number of latest ids.
 * @returns One entry for each id, in order.
 * @throws {InputError} Immediately, if the ids are not a range, or an option is out of range or
 * unknown.
 * @throws {MismatchError} As soon as a response is for another auction than the requested one.
 * @throws {IncompleteListError} After the last id, if some competitions could not be decoded and
 *   `onFailure` is not set.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/solver_competition_v2.rs | the service}
 * @example A gap, and an id after the latest
 * ```ts
 * import { walkCompetitions } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const found: string[] = [];
 * for await (const entry of walkCompetitions(await replay("market_1"), { from: 2620, to: 2626 })) {
 *   const { auctionId, competition, absent } = entry;
 *   found.push(`${auctionId} ${competition ? "visible" : absent ? "absent" : "hidden"}`);
 * }
 *
 * assertEquals(found, [
 *   "2620 absent",
 *   "2621 absent",
 *   "2622 absent",
 *   "2623 visible",
 *   "2624 visible",
 *   "2625 hidden",
 *   "2626 hidden",
 * ]);
 * ```
 *
 * @example The latest two ids
 * ```ts
 * import { walkCompetitions } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const walked = await Array.fromAsync(walkCompetitions(await replay("market_1"), { last: 2 }));
 *
 * assertEquals(walked.map(({ auctionId }) => auctionId), [2623, 2624]);
 * ```
 */
export function walkCompetitions(
  transport: Transport,
  ids: AuctionIds | LatestAuctionIds,
  options: WalkCompetitionsOptions = {},
): AsyncGenerator<WalkedCompetition, void, undefined> {
  checkOptions(options, OPTIONS, ACTION);
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  if (isLatest(ids)) {
    checkOptions(ids, { last: required(wholeNumber(1)) }, ACTION);
    return walkLatest(transport, ids, { ...options, concurrency });
  }
  checkOptions(ids, { from: required(wholeNumber(0)), to: required(wholeNumber(0)) }, ACTION);
  const { from, to } = ids;
  if (from > to) {
    throw new InputError(`Cannot walk over competitions from auction ${from} to auction ${to}`, {
      remedy: "Pass the lower id as `from`",
    });
  }
  return walk(transport, { from, to }, { ...options, concurrency });
}

function isLatest(ids: AuctionIds | LatestAuctionIds): ids is LatestAuctionIds {
  return typeof ids === "object" && ids !== null && "last" in ids;
}

async function* walkLatest(
  transport: Transport,
  { last }: LatestAuctionIds,
  options: WalkCompetitionsOptions & { concurrency: number },
): AsyncGenerator<WalkedCompetition, void, undefined> {
  const { signal } = options;
  const latest = await getCompetition(transport, "latest", { signal }).catch(ignoreNotFound);
  if (latest === null) return;
  const to = latest.auctionId;
  yield* walk(transport, { from: Math.max(0, to - last + 1), to }, options);
}

async function* walk(
  transport: Transport,
  { from, to }: AuctionIds,
  options: WalkCompetitionsOptions & { concurrency: number },
): AsyncGenerator<WalkedCompetition, void, undefined> {
  const { onProgress, onFailure } = options;
  const failures = new Failures<CompetitionFailure>(`competitions ${from} to ${to}`, onFailure);
  const total = to - from + 1;
  let done = 0;
  for await (const lookup of decideGaps(new CompetitionWalk(transport), { from, to }, options)) {
    done++;
    onProgress?.({ done, total });
    const { auctionId, is } = lookup;
    if (is === "visible") yield { auctionId, competition: lookup.competition };
    else if (is !== "failed") {
      yield is === "absent" ? { auctionId, absent: true } : { auctionId, hidden: true };
    } else if (lookup.error instanceof DecodeError) {
      failures.add({ auctionId, error: lookup.error });
    } else throw lookup.error;
  }
  failures.throwIfAny();
}

/** Yields the results of a walk. A gap waits for the next auction: it is final if that is old enough. */
async function* decideGaps(
  walk: CompetitionWalk,
  { from, to }: AuctionIds,
  options: CallOptions & { concurrency: number },
): AsyncGenerator<CompetitionLookup, void, undefined> {
  const decide = (auctionId: number): CompetitionLookup => ({
    auctionId,
    is: auctionId < walk.pastId ? "absent" : "hidden",
  });
  const waiting: number[] = [];
  for await (const lookup of walk.lookUp(listIds(from, to), options)) {
    if (lookup.is === "absent" && lookup.auctionId > walk.pastId) {
      waiting.push(lookup.auctionId);
      continue;
    }
    yield* waiting.splice(0).map(decide);
    yield lookup;
  }
  yield* waiting.map(decide);
}

/** Result for one auction id. */
export type CompetitionLookup =
  & { readonly auctionId: number }
  & (
    | { readonly is: "visible"; readonly competition: Competition }
    | { readonly is: "failed"; readonly error: OrderlensError }
    | { readonly is: "absent" | "hidden" }
  );

/**
 * Walks over ascending auction ids, and distinguishes gaps from competitions that are not visible yet.
 *
 * A 404 means either; the latest visible competition decides. It is requested when a 404 cannot be
 * classified without it: at the first gap, and once more at the end of the walk. A 404 below the
 * latest is absent if the id was requested after the latest was known; otherwise the id is requested
 * again, since the competition may have become visible in between. If the service hides its latest
 * competition, a 404 stays undecided until a later competition is seen.
 */
export class CompetitionWalk {
  readonly #transport: Transport;
  readonly #now: () => number;
  #latest: Competition | undefined;
  /** Greatest id known to have been taken so long ago that no quote of that time is still valid. */
  pastId = -1;
  /** Time at which the last quote taken before `pastId` stopped being valid, in unix milliseconds. */
  pastSinceMs = Infinity;
  /** Whether the service hides its latest competition. */
  #isLatestHidden = false;
  /** First id known to be above the latest visible one; ids from here on are not requested. */
  #hiddenFrom = Infinity;

  /** Creates a walk over a transport; `now` is the time in unix milliseconds. */
  constructor(transport: Transport, now: () => number = Date.now) {
    this.#transport = transport;
    this.#now = now;
  }

  /**
   * Yields one result for each of some ascending ids, in order.
   *
   * @param options `hasGaps` if some were absent before: the latest competition is requested first, so
   * that one request decides each of them.
   */
  async *lookUp(
    ids: Iterable<number>,
    { concurrency, signal, hasGaps = false }: CallOptions & {
      concurrency: number;
      hasGaps?: boolean;
    },
  ): AsyncGenerator<CompetitionLookup, void, undefined> {
    if (hasGaps && this.#latest === undefined && !this.#isLatestHidden) {
      // If it fails, the first 404 requests it again.
      await this.#readLatest(signal);
    }
    const undecided: number[] = [];
    // The latest id that was known to be visible when each was requested.
    const visibleBefore = new Map<number, number>();
    const iterator = Iterator.from(ids);
    let next = iterator.next();
    const requested = function* (this: CompetitionWalk) {
      for (; !next.done && next.value < this.#hiddenFrom; next = iterator.next()) {
        visibleBefore.set(next.value, this.#visibleTo);
        yield next.value;
      }
    }.call(this);
    for await (const step of walkAuctions(this.#transport, requested, { concurrency, signal })) {
      const visibleTo = visibleBefore.get(step.id)!;
      visibleBefore.delete(step.id);
      const lookup = await this.#decide(step, visibleTo, signal);
      if (lookup === null) {
        undecided.push(step.id);
        continue;
      }
      if (lookup.is === "visible") {
        for (const id of undecided.splice(0)) yield await this.requestAgain(id, signal);
      }
      yield lookup;
    }
    for (const auctionId of undecided) yield { auctionId, is: "hidden" };
    for (; !next.done; next = iterator.next()) yield { auctionId: next.value, is: "hidden" };
  }

  /** Classifies a step; `null` for an undecided 404. */
  async #decide(
    step: WalkedAuction,
    visibleBefore: number,
    signal: AbortSignal | undefined,
  ): Promise<CompetitionLookup | null> {
    const { id: auctionId, error } = step;
    if (!(error instanceof NotFoundError)) return this.#toLookup(auctionId, step);
    if (auctionId < visibleBefore) return { auctionId, is: "absent" };
    if (auctionId >= this.#hiddenFrom) return { auctionId, is: "hidden" };
    if (auctionId > this.#visibleTo && !this.#isLatestHidden) {
      const failure = await this.#readLatest(signal);
      if (failure !== null) return { auctionId, is: "failed", error: failure };
    }
    if (this.#latest?.auctionId === auctionId) {
      return { auctionId, is: "visible", competition: this.#latest };
    }
    if (auctionId < this.#visibleTo) return await this.requestAgain(auctionId, signal);
    if (this.#isLatestHidden) return null;
    this.#hiddenFrom = this.#visibleTo + 1;
    return { auctionId, is: "hidden" };
  }

  /** Updates the latest visible competition; returns the error if it cannot. */
  async #readLatest(signal: AbortSignal | undefined): Promise<OrderlensError | null> {
    const { competition, error } = await readAuction(this.#transport, "latest", signal);
    if (error instanceof NotFoundError || error instanceof DecodeError) {
      this.#isLatestHidden = true;
      return null;
    }
    if (competition === null) return error;
    this.#notePast(competition);
    if (competition.auctionId > this.#visibleTo) this.#latest = competition;
    return null;
  }

  /** Requests an id again once a later one is known to be visible. */
  async requestAgain(
    auctionId: number,
    signal: AbortSignal | undefined,
  ): Promise<CompetitionLookup> {
    return this.#toLookup(auctionId, await readAuction(this.#transport, auctionId, signal));
  }

  #toLookup(auctionId: number, { competition, error }: AuctionResponse): CompetitionLookup {
    if (error instanceof NotFoundError) return { auctionId, is: "absent" };
    if (competition === null) return { auctionId, is: "failed", error };
    this.#notePast(competition);
    return { auctionId, is: "visible", competition };
  }

  /**
   * Updates `pastId` if every quote that was valid during an auction has expired since. Ids are taken
   * in ascending order, so all lower ones were taken before.
   */
  #notePast(competition: Competition): void {
    const { auctionId } = competition;
    const sinceMs = findFirstExpiryMs(competition) + QUOTE_VALIDITY_MS;
    if (auctionId <= this.pastId || this.#now() <= sinceMs) return;
    this.pastId = auctionId;
    this.pastSinceMs = sinceMs;
  }

  get #visibleTo(): number {
    return this.#latest?.auctionId ?? -1;
  }
}
