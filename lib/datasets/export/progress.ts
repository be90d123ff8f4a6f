import { isPassing } from "../../client/connect_options.ts";
import { UIDS_PER_REQUEST } from "../../endpoints/orders_by_uids.ts";
import type { Clock } from "../../http/mod.ts";
import type { Network } from "../../networks/network.ts";
import { DAY_MS, MINUTE_MS } from "../../units/instant.ts";
import {
  formatShard,
  padId,
  parseShardName,
  toShard,
  WALKED_SETTLEMENTS,
} from "../layout/files.ts";
import type { PoliteTransport } from "../rate_limit/polite_transport.ts";
import type { ExportState, ItemKind } from "../state/export_state.ts";
import type { ExportSpec } from "../state/write_manifest.ts";
import { findUsualNetwork } from "./resolve_range.ts";
import type { ExportProgress } from "./export_options.ts";

/** How many things of a kind one request asks for, if not one. */
const ITEMS_PER_REQUEST: Readonly<Partial<Record<ItemKind, number>>> = {
  order: UIDS_PER_REQUEST,
  receipt: 50,
};
/** Fills of a usual auction: what is reckoned with before any is known. */
const FOLLOW_UPS_PER_AUCTION = 0.9;
const MIN_AUCTIONS = 20;

interface KindCounts {
  readonly kind: ItemKind;
  readonly known: number;
  readonly ended: number;
  readonly pending: number;
}

/** Says how far an export is, where somebody wants to know. */
export class ProgressReporter {
  readonly #onProgress: ((progress: ExportProgress) => void) | undefined;
  readonly #state: ExportState;
  #transport: PoliteTransport | null = null;
  #round = 0;
  #last: Pick<ExportProgress, "phase" | "shard"> = { phase: "competition", shard: "" };

  /** Reports of one run. */
  constructor(
    onProgress: ((progress: ExportProgress) => void) | undefined,
    state: ExportState,
  ) {
    this.#onProgress = onProgress;
    this.#state = state;
  }

  /** Says which requests to count, and in which round. */
  begin(transport: PoliteTransport, round: number): void {
    this.#transport = transport;
    this.#round = round;
  }

  /** Reports what is done in a shard. */
  report(phase: ExportProgress["phase"], shard: number): void {
    this.#last = { phase, shard: formatShard(shard) };
    this.#send(null, toCountedKind(formatShard(shard)));
  }

  /**
   * Reports that all requests wait until a time, or with `null` that they go on.
   *
   * @param isDown Whether they wait since the deployment does not answer.
   */
  reportWait(untilMs: number | null, isDown: boolean): void {
    this.#send(untilMs, toCountedKind(this.#last.shard), isDown);
  }

  /** Requests that are still to be sent, as far as is known; `null` if it is not. */
  estimateRequestsLeft(): number | null {
    return estimateRequestsLeft(this.#countKinds());
  }

  #countKinds(): KindCounts[] {
    return this.#state.queryRows<KindCounts>(
      `SELECT kind, count(*) AS known, count(state) AS ended,
       sum(state IS NULL OR isFinal = 0 AND round < ?) AS pending FROM items GROUP BY kind`,
      this.#round,
    );
  }

  #send(waitingUntilMs: number | null, kind: ItemKind, isDown = false): void {
    if (this.#onProgress === undefined) return;
    const counts = this.#countKinds();
    const counted = counts.find((one) => one.kind === kind);
    this.#onProgress({
      ...this.#last,
      done: counted?.ended ?? 0,
      total: counted?.known ?? 0,
      requests: this.#transport?.requests ?? 0,
      requestsLeft: estimateRequestsLeft(counts),
      requestsPerMinute: this.#transport?.requestsPerMinute ?? 0,
      waitingUntilMs,
      isDown: waitingUntilMs !== null && isDown,
    });
  }
}

/** What is counted while a shard is asked for. */
function toCountedKind(shard: string): ItemKind {
  if (shard === formatShard(WALKED_SETTLEMENTS)) return "settlement";
  return (parseShardName(shard) ?? 0) < 0 ? "order" : "competition";
}

/** Requests that pending things take, and those that follow from auctions that are not known yet. */
function estimateRequestsLeft(counts: readonly KindCounts[]): number | null {
  let [left, following] = [0, 0];
  for (const { kind, known, pending } of counts) {
    if (kind === "account" && pending > 0) return null;
    const each = ITEMS_PER_REQUEST[kind] ?? 1;
    left += Math.ceil(pending / each);
    if (!["competition", "order", "settlement"].includes(kind)) following += known / each;
  }
  const auctions = counts.find(({ kind }) => kind === "competition");
  if (auctions === undefined) return left;
  const unknown = auctions.known - auctions.ended;
  const isEnough = auctions.ended >= MIN_AUCTIONS;
  const ratio = isEnough ? following / auctions.ended : FOLLOW_UPS_PER_AUCTION;
  return left + Math.ceil(unknown * ratio);
}

/** An assignment whose range grows, if it follows new auctions. */
export class GrowingSpec {
  readonly #state: ExportState;
  #current: ExportSpec;

  /** Begins where an earlier run ended; the shard of the last id stays open. */
  constructor(assignment: ExportSpec, state: ExportState) {
    this.#current = assignment;
    this.#state = state;
    if (assignment.request.follow) state.setMeta("openShard", String(toShard(this.to)));
  }

  /** The assignment with the range so far. */
  get current(): ExportSpec {
    return this.#current;
  }

  /** The last auction id so far. */
  get to(): number {
    return this.#current.range?.to ?? -1;
  }

  /** Sets the range of a walk over settlements, which follows from what they settled. */
  setRange(range: { readonly from: number; readonly to: number }): void {
    this.#current = { ...this.#current, range };
    this.#state.setMeta("assignment", JSON.stringify(this.#current));
  }

  /** Adds ids up to one, for good; returns the shards that have them. */
  extend(to: number): number[] {
    const { range } = this.#current;
    if (range === null) return [];
    const shards = new Set<number>();
    this.#state.runInTransaction(() => {
      for (let id = range.to + 1; id <= to; id++) {
        shards.add(toShard(id));
        this.#state.add("competition", padId(id), toShard(id));
      }
      this.#current = { ...this.#current, range: { from: range.from, to } };
      this.#state.setMeta("assignment", JSON.stringify(this.#current));
      this.#state.setMeta("openShard", String(toShard(to)));
    });
    return [...shards];
  }
}

/** Auctions between two looks at the newest one. */
const AUCTIONS_PER_POLL = 5;
const MIN_POLL_MS = 15_000;
const MAX_POLL_MS = MINUTE_MS;
/** For deployments without a name, such as a sandbox. */
const DEFAULT_POLL_MS = 10_000;
/** New ids, and the time, after which tables are made of what there is. */
const PUBLISH_AFTER_IDS = 50;
const PUBLISH_AFTER_MS = MINUTE_MS;
/** After this time, what may still change is asked for again. */
const REFRESH_AFTER_MS = 10 * MINUTE_MS;
/** A newest auction whose winners have not settled is taken after so many looks. */
const MAX_POLLS_BEHIND = 3;
/** Failures in a row of a network that is expected back. */
const MAX_OUTAGES = 20;

/** What follows new auctions. */
interface FollowOptions {
  /** The auctions so far. */
  readonly spec: GrowingSpec;
  /** The newest visible auction, and whether it can no longer change. */
  readonly latest: () => Promise<{ readonly id: number; readonly isFinal: boolean }>;
  /** Asks for everything of shards that is open in this round, and for what their answers name. */
  readonly fetch: (shards: readonly number[]) => Promise<void>;
  /** Asks in a new round for everything that may still change. */
  readonly refresh: () => Promise<void>;
  /** Makes the tables of all shards whose tables are older than their answers. */
  readonly publish: () => Promise<void>;
  /** Waits. */
  readonly clock: Clock;
  /** Time between two looks at the newest auction, in milliseconds. */
  readonly pollMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Time between two looks at the newest auction: about five auctions, from 15 seconds to a minute. */
export function choosePollMs(network: Network | null): number {
  const usual = findUsualNetwork(network?.name);
  if (usual === null) return network === null ? DEFAULT_POLL_MS : MAX_POLL_MS;
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, AUCTIONS_PER_POLL * DAY_MS / usual.idsPerDay));
}

/**
 * Stays behind the newest final auction until the signal aborts, and rejects with its reason. A
 * network that fails for a while is waited for.
 */
export async function follow(following: FollowOptions): Promise<never> {
  const { spec: followed, latest, fetch: ask, refresh: askAgain, clock, pollMs, signal } =
    following;
  // Auctions that were the newest, and when: a few looks later they are taken in any case.
  let seen: { readonly id: number; readonly atMs: number }[] = [];
  let publishedIds = followed.to;
  let [publishedMs, askedAgainMs, outages] = [clock.now(), clock.now(), 0];
  const publish = async () => {
    await following.publish();
    [publishedIds, publishedMs] = [followed.to, clock.now()];
  };
  const look = async () => {
    const { id, isFinal } = await latest();
    const nowMs = clock.now();
    seen.push({ id, atMs: isFinal ? -Infinity : nowMs });
    const isBehind = ({ atMs }: { readonly atMs: number }) =>
      nowMs - atMs >= MAX_POLLS_BEHIND * pollMs;
    const newest = Math.max(followed.to, ...seen.filter(isBehind).map((one) => one.id));
    seen = seen.filter((one) => !isBehind(one));
    if (newest > followed.to) {
      const shards = followed.extend(newest);
      await ask(shards);
      const isTime = newest - publishedIds >= PUBLISH_AFTER_IDS ||
        clock.now() - publishedMs >= PUBLISH_AFTER_MS;
      if (shards.length > 1 || isTime) await publish();
    }
    if (clock.now() - askedAgainMs < REFRESH_AFTER_MS) return;
    await askAgain();
    await publish();
    askedAgainMs = clock.now();
  };
  for (;;) {
    try {
      await look();
      outages = 0;
    } catch (error) {
      if (signal.aborted || !isPassing(error) || ++outages > MAX_OUTAGES) throw error;
    }
    await clock.sleep(pollMs, signal);
  }
}
