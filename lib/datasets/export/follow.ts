import { isTransient } from "../../client/is_transient.ts";
import type { Clock } from "../../http/mod.ts";
import type { Network } from "../../networks/network.ts";
import type { Competition } from "../../schemas/mod.ts";
import { usualNetwork } from "../ranges/usual_network.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;
/** Auctions between two looks at the newest one. */
const AUCTIONS_A_POLL = 5;
const FREQUENT_MS = 15 * SECOND_MS;
const RARE_MS = MINUTE_MS;
/** For deployments without a name, such as a sandbox. */
const USUAL_MS = 10 * SECOND_MS;
/** New ids, and the time, after which tables are made of what there is. */
const PUBLISHED_IDS = 50;
const PUBLISHED_AFTER_MS = MINUTE_MS;
/** After this time, what may still change is asked for again. */
const ASKED_AGAIN_MS = 10 * MINUTE_MS;
/** A newest auction whose winners have not settled is taken after so many looks. */
const POLLS_BEHIND = 3;
/** Failures in a row of a network that is expected back. */
const MOST_OUTAGES = 20;

/** What follows new auctions. */
export interface Following {
  /** The last auction id so far. */
  readonly to: () => number;
  /** The newest visible auction. */
  readonly latest: () => Promise<Competition>;
  /** Whether an auction can no longer change. */
  readonly isFinal: (competition: Competition) => boolean;
  /** Adds ids up to one; returns the shards that have them. */
  readonly extend: (to: number) => readonly number[];
  /** Asks for everything of a shard that is open in this round. */
  readonly ask: (shard: number) => Promise<void>;
  /** Shards with orders that new answers name, and which are to be asked for again. */
  readonly named: () => readonly number[];
  /** Makes the tables of all shards whose tables are older than their answers. */
  readonly publish: () => Promise<void>;
  /** Begins a round; returns the shards in which something may still change. */
  readonly beginRound: () => readonly number[];
  /** Waits. */
  readonly clock: Clock;
  /** Time between two looks at the newest auction, in milliseconds. */
  readonly pollMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Time between two looks at the newest auction: about five auctions, from 15 seconds to a minute. */
export function pollMsOf(network: Network | null): number {
  const usual = usualNetwork(network?.name);
  if (usual === null) return network === null ? USUAL_MS : RARE_MS;
  return Math.min(RARE_MS, Math.max(FREQUENT_MS, AUCTIONS_A_POLL * DAY_MS / usual.idsPerDay));
}

/**
 * Stays behind the newest final auction until the signal aborts, and rejects with its reason. A
 * network that fails for a while is waited for.
 */
export async function follow(following: Following): Promise<never> {
  const { clock, pollMs, signal } = following;
  const round = new FollowedRounds(following);
  for (let outages = 0;;) {
    try {
      await round.next();
      outages = 0;
    } catch (error) {
      if (signal.aborted || !isTransient(error) || ++outages > MOST_OUTAGES) throw error;
    }
    await clock.sleep(pollMs, signal);
  }
}

class FollowedRounds {
  readonly #following: Following;
  readonly #behind: BehindNewest;
  #unpublished = 0;
  #publishedMs: number;
  #askedAgainMs: number;

  constructor(following: Following) {
    this.#following = following;
    this.#behind = new BehindNewest(following);
    this.#publishedMs = this.#askedAgainMs = following.clock.now();
  }

  /** Adds what is new, asks for it, and makes tables if it is time. */
  async next(): Promise<void> {
    const { latest, to, extend, ask, named, clock } = this.#following;
    const newest = this.#behind.newest(await latest(), clock.now());
    if (newest > to()) {
      const before = to();
      const shards = extend(newest);
      this.#unpublished += newest - before;
      for (const shard of shards) await ask(shard);
      for (const shard of named()) await ask(shard);
      if (shards.length > 1 || this.#isTime()) await this.#publish();
    }
    if (clock.now() - this.#askedAgainMs >= ASKED_AGAIN_MS) await this.#askAgain();
  }

  #isTime(): boolean {
    return this.#unpublished >= PUBLISHED_IDS ||
      this.#following.clock.now() - this.#publishedMs >= PUBLISHED_AFTER_MS;
  }

  async #askAgain(): Promise<void> {
    const { ask, beginRound, clock } = this.#following;
    for (const shard of beginRound()) await ask(shard);
    await this.#publish();
    this.#askedAgainMs = clock.now();
  }

  async #publish(): Promise<void> {
    await this.#following.publish();
    this.#unpublished = 0;
    this.#publishedMs = this.#following.clock.now();
  }
}

/** The newest auction that can no longer change, or was the newest a few looks ago. */
class BehindNewest {
  readonly #isFinal: (competition: Competition) => boolean;
  readonly #lagMs: number;
  #seen: { readonly id: number; readonly atMs: number }[] = [];
  #newest = -1;

  constructor({ isFinal, pollMs }: Following) {
    this.#isFinal = isFinal;
    this.#lagMs = POLLS_BEHIND * pollMs;
  }

  newest(latest: Competition, nowMs: number): number {
    this.#seen.push({ id: latest.auctionId, atMs: nowMs });
    const old = this.#seen.filter(({ atMs }) => nowMs - atMs >= this.#lagMs);
    this.#seen = this.#seen.filter(({ atMs }) => nowMs - atMs < this.#lagMs);
    const known = [...old.map(({ id }) => id), this.#isFinal(latest) ? latest.auctionId : -1];
    return this.#newest = Math.max(this.#newest, ...known);
  }
}
