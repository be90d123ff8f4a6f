import { type DecodeError, InputError, NotFoundError } from "../errors/mod.ts";
import {
  callable,
  checkOptions,
  type OptionRules,
  SIGNAL,
  wholeFrom,
} from "../errors/option_rules.ts";
import { requireKnown } from "../errors/require_known.ts";
import type { Transport } from "../http/mod.ts";
import type { Competition } from "../schemas/mod.ts";
import type { CallOptions, Progress } from "./call_options.ts";
import { checkedCount } from "./checked_count.ts";
import { Failures } from "./failures.ts";
import { CompetitionWalk, type Sighting } from "./competition_walk.ts";
import { getCompetition } from "./get_competition.ts";
import { mapInOrder } from "./map_in_order.ts";

const DEFAULT_CONCURRENCY = 4;
const ACTION = "Cannot walk over competitions";

/** Auction ids to walk over, both ends inside. */
export interface AuctionIds {
  /** First id. */
  readonly from: number;
  /** Last id. */
  readonly to: number;
}

/** The latest auctions, however many there are. */
export interface LatestAuctionIds {
  /**
   * How many ids, up to that of the latest visible competition. A deployment with fewer has all of its
   * ids walked, and one without a visible competition none.
   */
  readonly last: number;
}

/** A competition that could not be decoded. */
export interface CompetitionFailure {
  /** Id of its auction. */
  readonly auctionId: number;
  /** What is wrong with it. */
  readonly error: DecodeError;
}

/** Options of {@linkcode walkCompetitions}. */
export interface WalkCompetitionsOptions extends CallOptions {
  /** Most requests at once, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Told for each id, in order, just before it is given. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Called for every competition that cannot be decoded. Without it the walk goes on all the same, and
   * then throws an {@linkcode IncompleteListError}.
   */
  onFailure?: ((failure: CompetitionFailure) => void) | undefined;
}

const OPTIONS: OptionRules<WalkCompetitionsOptions> = {
  signal: SIGNAL,
  concurrency: wholeFrom(1),
  onProgress: callable(),
  onFailure: callable(),
};

/** What a walk finds under one auction id. */
export type WalkedCompetition =
  | {
    /** Id of the auction. */
    readonly auctionId: number;
    /** Its competition. */
    readonly competition: Competition;
    /** Not with a competition. */
    readonly absent?: never;
    /** Not with a competition. */
    readonly hidden?: never;
  }
  | {
    /** An id below the latest visible one that has no competition, and will have none: a gap. */
    readonly auctionId: number;
    /** That it is a gap. */
    readonly absent: true;
    /** None. */
    readonly competition?: never;
    /** Not a gap. */
    readonly hidden?: never;
  }
  | {
    /** An id above the latest visible one: its competition may still come. */
    readonly auctionId: number;
    /** That it may come. */
    readonly hidden: true;
    /** None yet. */
    readonly competition?: never;
    /** Not known to be a gap. */
    readonly absent?: never;
  };

/**
 * Walks over auction ids, ascending, and gives what is under each: its competition, that it is a gap,
 * or that its competition may still come.
 *
 * Calls `GET /api/v2/solver_competition/{auctionId}`, several at once, and `…/latest` where a 404 cannot
 * be told without it: at the first gap, and again at the end. An id is asked for once, save for those
 * whose 404 came before the latest competition was known; ids above the latest visible one are not
 * asked for at all once the walk has met it. Memory stays flat: at most `concurrency` competitions are
 * held. A loop that is left sends nothing more, and a walk that failed goes on with `from` set behind
 * the last id that was given.
 *
 * `{ last: 1_000 }` asks for the latest competition first, and walks to it. Where the service shows none,
 * there is nothing to walk: it has held no auction yet, or hides the latest until its deadline.
 *
 * @param transport Where to ask.
 * @param ids First and last auction id, or how many of the latest.
 * @returns One entry for each id, in order.
 * @throws {InputError} At once, if the ids are no range, or an option is out of range or unknown.
 * @throws {MismatchError} As soon as an answer is of another auction than was asked for.
 * @throws {IncompleteListError} After the last id, if some competitions could not be decoded and there is
 *   no `onFailure`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/solver_competition_v2.rs | the service}
 * @example A gap, and what comes after the latest
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
    requireKnown(ids, ["last"], ACTION);
    checkedCount(ids.last, { name: "last", least: 1 });
    return walkLatest(transport, ids, { ...options, concurrency });
  }
  requireKnown(ids, ["from", "to"], ACTION);
  const { from, to } = ids;
  checkedCount(from, { name: "from", least: 0 });
  checkedCount(to, { name: "to", least: 0 });
  checkedCount(concurrency, { name: "concurrency", least: 1, most: 64 });
  if (from > to) {
    throw new InputError(`Cannot walk from auction ${from} to auction ${to}`, {
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
  const to = await latestId(transport, options);
  if (to === null) return;
  yield* walk(transport, { from: Math.max(0, to - last + 1), to }, options);
}

/** Id of the latest visible competition; `null` where the service shows none. */
async function latestId(transport: Transport, { signal }: CallOptions): Promise<number | null> {
  try {
    return (await getCompetition(transport, "latest", { signal })).auctionId;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
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
 * The sightings of a walk, none of them undecided: a run of undecided ids waits for what comes after
 * it. A visible competition makes gaps of them, unless they are visible by now too; otherwise they may
 * still come.
 */
async function* decided(
  walk: CompetitionWalk,
  { from, to }: AuctionIds,
  { concurrency, signal }: CallOptions & { concurrency: number },
): AsyncGenerator<Sighting, void, undefined> {
  let undecidedFrom: number | undefined;
  const sightings = mapInOrder(
    idsOf({ from, to }),
    (id, ended) => walk.look(id, ended),
    { concurrency, signal },
  );
  for await (const sighting of sightings) {
    if (sighting.is === "undecided") {
      undecidedFrom ??= sighting.auctionId;
      continue;
    }
    for (const id of idsOf({ from: undecidedFrom ?? Infinity, to: sighting.auctionId - 1 })) {
      yield sighting.is === "hidden"
        ? { auctionId: id, is: "hidden" }
        : await walk.lookAgain(id, signal);
    }
    undecidedFrom = undefined;
    yield sighting;
  }
  for (const auctionId of idsOf({ from: undecidedFrom ?? Infinity, to })) {
    yield { auctionId, is: "hidden" };
  }
}

function* idsOf({ from, to }: AuctionIds): Generator<number> {
  for (let id = from; id <= to; id++) yield id;
}
