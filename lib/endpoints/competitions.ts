import { DecodeError, InputError, MismatchError, NotFoundError } from "../errors/mod.ts";
import {
  checkOptions,
  isWhole,
  needed,
  type OptionRules,
  wholeFrom,
} from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import {
  type Auction,
  type Competition,
  decodeAuction,
  decodeCompetition,
} from "../schemas/mod.ts";
import { HOUR_MS } from "../units/instant.ts";
import { sameHex } from "../units/mod.ts";
import {
  CALL_OPTIONS,
  type CallOptions,
  CONCURRENCY,
  DEFAULT_CONCURRENCY,
  Failures,
  mapInOrder,
  NO_EXPIRY,
  nullIfUnknown,
  type Progress,
  requireSame,
  uidParts,
} from "./calls.ts";
import { askJson } from "./send_for.ts";

/**
 * Gets the competition of one auction by its id, by the hash of a transaction that settled it, or
 * the latest one.
 *
 * Calls `GET /api/v2/solver_competition/{auctionId}`, `…/by_tx_hash/{txHash}` or `…/latest`. An
 * answer by id or hash may be cached on disk, if the transport has a cache folder, once every
 * winner has its settlement transaction. A competition with a winner that never settles is not
 * cached: its body has blocks but no time, so whether it is final cannot be determined.
 *
 * @param transport Transport that sends the request.
 * @param which An auction id, a transaction hash, or `"latest"`.
 * @returns The competition; solutions worst first, amounts in atoms.
 * @throws {InputError} If `which` is none of these; nothing is sent.
 * @throws {NotFoundError} If the service does not have the competition, or hides it until its
 * deadline.
 * @throws {DecodeError} If the answer is not a competition.
 * @throws {MismatchError} If it is for another auction, or does not name the requested transaction.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/solver_competition_v2.rs | the service}
 * @example By the transaction that settled it
 * ```ts
 * import { getCompetition } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const txHash = "0xf6cd30be1044908507d0561a99cecabb1ad288d00313e475784806955b2076f1";
 * const { auctionId, solutions } = await getCompetition(recording, txHash);
 *
 * assertEquals(auctionId, 2624);
 * assertEquals(solutions.filter((solution) => solution.isWinner).length, 2);
 * assertEquals((await getCompetition(recording, "latest")).auctionId, 2624);
 * ```
 */
export async function getCompetition(
  transport: Transport,
  which: number | string,
  options: GetCompetitionOptions = {},
): Promise<Competition> {
  checkOptions(options, COMPETITION_OPTIONS, "Cannot get a competition");
  const { segment, what } = readWhich(which);
  const { isRestricted = false } = options;
  if (isRestricted && typeof which !== "number") {
    throw new InputError(`Cannot get ${what} of the restricted operation`, {
      remedy: "Pass an auction id: the restricted operation takes no other",
    });
  }
  const path = `${isRestricted ? "/restricted" : ""}/api/v2/solver_competition/${segment}`;
  function read(body: unknown): Competition {
    const source = `GET ${path}`;
    const competition = decodeCompetition(body, { source });
    requireAbout(which, competition, source);
    return competition;
  }
  const { json } = await askJson(transport, {
    path,
    wanted: `get ${what}`,
    notFound:
      "Retry later if the auction is recent: a competition is hidden until its deadline, and is found by its transaction only once that is indexed; auction ids have gaps",
    ...isRestricted && {
      unauthorized:
        "Pass a partner's key in the option `headers`, or omit `isRestricted` and wait for the deadline",
    },
    isImmutable: ({ body }) => which !== "latest" && isSettled(read(JSON.parse(body))),
  }, options);
  return read(json);
}

/** Options of {@linkcode getCompetition}. */
export interface GetCompetitionOptions extends CallOptions {
  /**
   * Whether to ask the operation for partners, `GET /restricted/api/v2/solver_competition/{auctionId}`,
   * which does not hide an auction until its deadline. It is in no specification.
   *
   * @default {false}
   */
  isRestricted?: boolean | undefined;
}

const COMPETITION_OPTIONS: OptionRules<GetCompetitionOptions> = {
  ...CALL_OPTIONS,
  isRestricted: Boolean,
};

/**
 * Rejects a competition of another auction or of other transactions; any competition may be the
 * latest.
 */
function requireAbout(which: number | string, competition: Competition, request: string): void {
  const { auctionId, transactionHashes, solutions } = competition;
  if (typeof which === "number") {
    requireSame(request, { field: "auctionId", asked: which, answered: auctionId });
  } else if (which !== "latest") {
    const hashes = [...transactionHashes, ...solutions.map(({ txHash }) => txHash ?? "")];
    if (hashes.some((hash) => sameHex(hash, which))) return;
    const answered = transactionHashes.join(", ") || "none";
    throw new MismatchError({ request, field: "transaction", asked: which, answered });
  }
}

/** Whether every winner has its settlement transaction. */
function isSettled({ solutions }: Competition): boolean {
  const winners = solutions.filter((solution) => solution.isWinner);
  return winners.length > 0 && winners.every(({ txHash }) => txHash != null);
}

function readWhich(which: number | string): { segment: string; what: string } {
  if (which === "latest") return { segment: which, what: "the latest competition" };
  if (isWhole(which, 0)) {
    return { segment: `${which}`, what: `the competition of auction ${which}` };
  }
  if (typeof which === "string" && /^0x[0-9a-fA-F]{64}$/.test(which)) {
    return { segment: `by_tx_hash/${which}`, what: `the competition of transaction ${which}` };
  }
  const shown = typeof which === "string" ? JSON.stringify(which) : String(which);
  throw new InputError(`Cannot get the competition ${shown}`, {
    remedy:
      'Pass an auction id as a number, a transaction hash as 0x and 64 hex digits, or "latest"',
  });
}

/**
 * Gets the current auction, as solvers see it.
 *
 * Calls `GET /api/v1/auction`. The public deployments return it to solvers only.
 *
 * @param transport Transport that sends the request.
 * @returns The orders that may be settled, and the native prices of their tokens.
 * @throws {NotFoundError} If there has been no auction yet.
 * @throws {UnauthorizedError} If the caller is not allowed to see it.
 * @throws {DecodeError} If the answer is not an auction.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getAuction } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const auction = await getAuction(await replay("market_1"));
 *
 * assertEquals(auction.id, 2672);
 * assertEquals(auction.block, 3320);
 * ```
 */
export async function getAuction(
  transport: Transport,
  options: CallOptions = {},
): Promise<Auction> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the auction");
  const { json, source } = await askJson(transport, {
    path: "/api/v1/auction",
    wanted: "get the current auction",
    notFound: "Retry later: there has been no auction yet",
    unauthorized:
      "Pass a solver's key in the option `headers`, or use past auctions: their competitions are public",
  }, options);
  return decodeAuction(json, { source });
}

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
 * @throws {MismatchError} As soon as an answer is for another auction than the requested one.
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
    checkOptions(ids, { last: needed(wholeFrom(1)) }, ACTION);
    return walkLatest(transport, ids, { ...options, concurrency });
  }
  checkOptions(ids, { from: needed(wholeFrom(0)), to: needed(wholeFrom(0)) }, ACTION);
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
  const latest = await getCompetition(transport, "latest", { signal }).catch(nullIfUnknown);
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
  for await (const sighting of decided(new CompetitionWalk(transport), { from, to }, options)) {
    done++;
    onProgress?.({ done, total });
    const { auctionId, is } = sighting;
    if (is === "broken") failures.add({ auctionId, error: sighting.error });
    else if (is === "visible") yield { auctionId, competition: sighting.competition };
    else yield is === "absent" ? { auctionId, absent: true } : { auctionId, hidden: true };
  }
  failures.throwIfAny();
}

/**
 * The sightings of a walk. Ids without a competition wait for the next one: where it was undecided
 * whether they are above the latest one, they are requested again, and all of them are gaps if it is
 * old enough.
 */
async function* decided(
  walk: CompetitionWalk,
  { from, to }: AuctionIds,
  { concurrency, signal }: CallOptions & { concurrency: number },
): AsyncGenerator<Sighting, void, undefined> {
  let waiting: Sighting[] = [];
  async function decide({ auctionId, is }: Sighting, next: Sighting["is"]): Promise<Sighting> {
    if (is === "undecided") {
      if (next === "hidden") return { auctionId, is: next };
      const again = await walk.lookAgain(auctionId, signal);
      if (again.is !== "absent") return again;
    }
    return { auctionId, is: auctionId < walk.pastId ? "absent" : "hidden" };
  }
  const sightings = mapInOrder(
    idsOf({ from, to }),
    (id, ended) => walk.look(id, ended),
    { concurrency, signal },
  );
  for await (const sighting of sightings) {
    const { auctionId, is } = sighting;
    if (is === "undecided" || is === "absent" && auctionId > walk.pastId) {
      waiting.push(sighting);
      continue;
    }
    for (const one of waiting) yield await decide(one, is);
    waiting = [];
    yield sighting;
  }
  for (const one of waiting) yield await decide(one, "hidden");
}

function* idsOf({ from, to }: AuctionIds): Generator<number> {
  for (let id = from; id <= to; id++) yield id;
}

/** Result for one auction id. */
export type Sighting =
  & { readonly auctionId: number }
  & (
    | { readonly is: "visible"; readonly competition: Competition }
    | { readonly is: "broken"; readonly error: DecodeError }
    | { readonly is: "absent" | "hidden" | "undecided" }
  );

/** How long an id that a quote took may get a competition: longer than any quote is valid. */
export const QUOTE_VALIDITY_MS: number = HOUR_MS;

/** When the first order of an auction expires, which it did not begin after; in unix milliseconds. */
export function firstExpiryMs({ auction }: Pick<Competition, "auction">): number {
  let first = NO_EXPIRY;
  for (const uid of auction.orders) first = Math.min(first, uidParts(uid).validTo);
  return first === NO_EXPIRY ? Infinity : first * 1_000;
}

/**
 * Requests auction ids in ascending order, and distinguishes gaps from competitions that are not
 * visible yet.
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
  /** Greatest id known to have been taken so long ago that no quote of then is valid. */
  pastId = -1;
  /** When the last quote that was taken before `pastId` stopped being valid; in unix milliseconds. */
  pastSinceMs = Infinity;
  /** Whether the service was asked for its latest competition and hides it. */
  #isLatestHidden = false;
  /** First id known to be above the latest visible one; ids from here on are not requested. */
  #hiddenFrom = Infinity;
  #asking: Promise<void> | undefined;

  /** Creates a walk over a transport; `now` is the time in unix milliseconds. */
  constructor(transport: Transport, now: () => number = Date.now) {
    this.#transport = transport;
    this.#now = now;
  }

  /** Ids are taken in ascending order, so all lower ones were taken before. */
  #see(competition: Competition): Competition {
    const { auctionId } = competition;
    const sinceMs = firstExpiryMs(competition) + QUOTE_VALIDITY_MS;
    if (auctionId > this.pastId && this.#now() > sinceMs) {
      this.pastId = auctionId;
      this.pastSinceMs = sinceMs;
    }
    return competition;
  }

  /** Requests an id for the first time; one that was absent before, once the latest is known. */
  async look(auctionId: number, signal: AbortSignal, wasAbsent = false): Promise<Sighting> {
    if (auctionId >= this.#hiddenFrom) return { auctionId, is: "hidden" };
    if (wasAbsent && this.#latest === undefined && !this.#isLatestHidden) {
      await this.#askForLatest(signal);
    }
    const visibleBefore = this.#visibleTo;
    const sighting = await this.#ask(auctionId, signal);
    if (sighting !== undefined) return sighting;
    if (auctionId < visibleBefore) return { auctionId, is: "absent" };
    if (auctionId > this.#visibleTo && !this.#isLatestHidden) await this.#askForLatest(signal);
    if (this.#latest?.auctionId === auctionId) {
      return { auctionId, is: "visible", competition: this.#latest };
    }
    if (auctionId < this.#visibleTo) return await this.lookAgain(auctionId, signal);
    if (this.#isLatestHidden) return { auctionId, is: "undecided" };
    this.#hiddenFrom = this.#visibleTo + 1;
    return { auctionId, is: "hidden" };
  }

  /** Requests an id again once a later one is known to be visible. */
  async lookAgain(auctionId: number, signal: AbortSignal | undefined): Promise<Sighting> {
    return await this.#ask(auctionId, signal) ?? { auctionId, is: "absent" };
  }

  get #visibleTo(): number {
    return this.#latest?.auctionId ?? -1;
  }

  /** Result of the request for an id; `undefined` for a 404. */
  async #ask(auctionId: number, signal: AbortSignal | undefined): Promise<Sighting | undefined> {
    try {
      const competition = await getCompetition(this.#transport, auctionId, { signal });
      return { auctionId, is: "visible", competition: this.#see(competition) };
    } catch (error) {
      if (error instanceof DecodeError) return { auctionId, is: "broken", error };
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Requests the latest competition; concurrent callers share one request. */
  async #askForLatest(signal: AbortSignal): Promise<void> {
    this.#asking ??= this.#updateLatest(signal).finally(() => this.#asking = undefined);
    await this.#asking;
  }

  async #updateLatest(signal: AbortSignal): Promise<void> {
    try {
      const latest = this.#see(await getCompetition(this.#transport, "latest", { signal }));
      if (latest.auctionId > this.#visibleTo) this.#latest = latest;
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof DecodeError)) throw error;
      this.#isLatestHidden = true;
    }
  }
}
