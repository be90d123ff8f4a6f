import { isTransientOnceReached } from "../../client/connect_options.ts";
import { UIDS_PER_REQUEST } from "../../endpoints/orders_by_uids.ts";
import type { Clock } from "../../http/mod.ts";
import type { Network } from "../../networks/network.ts";
import { DAY_MS, MINUTE_MS } from "../../units/instant.ts";
import { formatShard, padId, parseShard, toShard, WALKED_SETTLEMENTS } from "../layout/files.ts";
import type { PoliteTransport } from "../rate_limit/polite_transport.ts";
import { SETTLEMENTS_PER_REQUEST } from "../shards/node_settlement.ts";
import type { ExportState, ItemKind } from "../state/export_state.ts";
import type { ExportSpec } from "../state/write_manifest.ts";
import { findUsualNetwork } from "./resolve_range.ts";
import type { ExportProgress } from "./export_options.ts";

/** Items of a kind per request, if not one. */
const ITEMS_PER_REQUEST: Readonly<Partial<Record<ItemKind, number>>> = {
  order: UIDS_PER_REQUEST,
  receipt: SETTLEMENTS_PER_REQUEST,
};
/** Fills of a usual auction: the estimate before any is known. */
const FOLLOW_UPS_PER_AUCTION = 0.9;
const MIN_AUCTIONS = 20;

interface KindCounts {
  readonly kind: ItemKind;
  readonly known: number;
  readonly ended: number;
  readonly pending: number;
}

export class ProgressReporter {
  readonly #onProgress: ((progress: ExportProgress) => void) | undefined;
  readonly #state: ExportState;
  #transport: PoliteTransport | null = null;
  #round = 0;
  #last: Pick<ExportProgress, "phase" | "shard"> = { phase: "competition", shard: "" };

  constructor(
    onProgress: ((progress: ExportProgress) => void) | undefined,
    state: ExportState,
  ) {
    this.#onProgress = onProgress;
    this.#state = state;
  }

  /** Sets the transport whose requests count, and the round. */
  begin(transport: PoliteTransport, round: number): void {
    this.#transport = transport;
    this.#round = round;
  }

  report(phase: ExportProgress["phase"], shard: number): void {
    this.#last = { phase, shard: formatShard(shard) };
    this.#send(null, toCountedKind(formatShard(shard)));
  }

  /**
   * Reports that all requests wait until a time, or with `null` that they continue.
   *
   * @param isDown Whether they wait because the deployment does not respond.
   */
  reportWait(untilMs: number | null, isDown: boolean): void {
    this.#send(untilMs, toCountedKind(this.#last.shard), isDown);
  }

  estimateRequestsLeft(): number | null {
    return estimateRequestsLeft(this.#countKinds());
  }

  #countKinds(): KindCounts[] {
    return this.#state.query<KindCounts>(
      `SELECT kind, count(*) AS known, count(state) AS ended,
       sum(state IS NULL OR isFinal = 0 AND round < ?) AS pending FROM items GROUP BY kind`,
      this.#round,
    );
  }

  #send(waitingUntilMs: number | null, kind: ItemKind, isDown = false): void {
    if (this.#onProgress === undefined) return;
    const counts = this.#countKinds();
    const kindCounts = counts.find((entry) => entry.kind === kind);
    this.#onProgress({
      ...this.#last,
      done: kindCounts?.ended ?? 0,
      total: kindCounts?.known ?? 0,
      requests: this.#transport?.requests ?? 0,
      requestsLeft: estimateRequestsLeft(counts),
      requestsPerMinute: this.#transport?.requestsPerMinute ?? 0,
      waitingUntilMs,
      isDown: waitingUntilMs !== null && isDown,
    });
  }
}

/** Returns the kind that is counted for a shard. */
function toCountedKind(shard: string): ItemKind {
  if (shard === formatShard(WALKED_SETTLEMENTS)) return "settlement";
  return (parseShard(shard) ?? 0) < 0 ? "order" : "competition";
}

/** Estimates the requests of pending items, and follow-up requests of pending auctions. */
function estimateRequestsLeft(counts: readonly KindCounts[]): number | null {
  let [pendingRequests, followUps] = [0, 0];
  for (const { kind, known, pending } of counts) {
    if (kind === "account" && pending > 0) return null;
    const perRequest = ITEMS_PER_REQUEST[kind] ?? 1;
    pendingRequests += Math.ceil(pending / perRequest);
    if (!["competition", "order", "settlement"].includes(kind)) followUps += known / perRequest;
  }
  const auctions = counts.find(({ kind }) => kind === "competition");
  if (auctions === undefined) return pendingRequests;
  const pendingAuctions = auctions.known - auctions.ended;
  const isEnough = auctions.ended >= MIN_AUCTIONS;
  const ratio = isEnough ? followUps / auctions.ended : FOLLOW_UPS_PER_AUCTION;
  return pendingRequests + Math.ceil(pendingAuctions * ratio);
}

/** A spec whose range grows, if it follows new auctions. */
export class GrowingSpec {
  readonly #state: ExportState;
  #current: ExportSpec;

  /** Begins where an earlier run ended; the shard of the last id stays open. */
  constructor(spec: ExportSpec, state: ExportState) {
    this.#current = spec;
    this.#state = state;
    if (spec.request.follow) state.setMeta("openShard", String(toShard(this.to)));
  }

  get current(): ExportSpec {
    return this.#current;
  }

  get to(): number {
    return this.#current.range?.to ?? -1;
  }

  /** Sets the range of a walk over settlements, which follows from what they settled. */
  setRange(range: { readonly from: number; readonly to: number }): void {
    this.#current = { ...this.#current, range };
    this.#state.setMeta("assignment", JSON.stringify(this.#current));
  }

  /** Adds ids up to one permanently; returns their shards. */
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

/** Auctions between two polls of the newest one. */
const AUCTIONS_PER_POLL = 5;
const MIN_POLL_MS = 15_000;
const MAX_POLL_MS = MINUTE_MS;
/** For deployments without a name, such as a sandbox. */
const DEFAULT_POLL_MS = 10_000;
/** New ids, and the time, after which tables are written. */
const PUBLISH_AFTER_IDS = 50;
const PUBLISH_AFTER_MS = MINUTE_MS;
/** Time after which items that may change are requested again. */
const REFRESH_AFTER_MS = 10 * MINUTE_MS;
/** Polls after which a newest auction whose winners have not settled is exported. */
const POLLS_BEHIND = 3;
/** Transient failures in a row after which following ends. */
const MAX_OUTAGES = 20;

interface FollowOptions {
  readonly spec: GrowingSpec;
  /** Fetches the newest visible auction, and whether it can no longer change. */
  readonly latest: () => Promise<{ readonly id: number; readonly isFinal: boolean }>;
  /** Fetches the open items of shards in this round, and those that their responses name. */
  readonly fetch: (shards: readonly number[]) => Promise<void>;
  /** Fetches, in a new round, all items that may still change. */
  readonly refresh: () => Promise<void>;
  /** Writes the tables of all shards that are older than their responses. */
  readonly publish: () => Promise<void>;
  readonly clock: Clock;
  /** Time between two polls of the newest auction, in milliseconds. */
  readonly pollMs: number;
  readonly signal: AbortSignal;
}

/**
 * Chooses the time between two polls of the newest auction: about five auctions, from 15 seconds to a
 * minute.
 */
export function choosePollMs(network: Network | null): number {
  const usual = findUsualNetwork(network?.name);
  if (usual === null) return network === null ? DEFAULT_POLL_MS : MAX_POLL_MS;
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, AUCTIONS_PER_POLL * DAY_MS / usual.idsPerDay));
}

/**
 * Follows the newest final auction until the signal aborts, and rejects with its reason. Waits for a
 * network that fails for a while.
 */
export async function follow(options: FollowOptions): Promise<never> {
  const { spec, latest, fetch, refresh, clock, pollMs, signal } = options;
  // Auctions that were the newest, and when: a few polls later they are exported in any case.
  let sightings: { readonly id: number; readonly atMs: number }[] = [];
  let publishedIds = spec.to;
  let [publishedMs, refreshedMs, outages] = [clock.now(), clock.now(), 0];
  const publish = async () => {
    await options.publish();
    [publishedIds, publishedMs] = [spec.to, clock.now()];
  };
  const poll = async () => {
    const { id, isFinal } = await latest();
    const nowMs = clock.now();
    sightings.push({ id, atMs: isFinal ? -Infinity : nowMs });
    const isBehind = ({ atMs }: { readonly atMs: number }) => nowMs - atMs >= POLLS_BEHIND * pollMs;
    const newest = Math.max(spec.to, ...sightings.filter(isBehind).map((sighting) => sighting.id));
    sightings = sightings.filter((sighting) => !isBehind(sighting));
    if (newest > spec.to) {
      const shards = spec.extend(newest);
      await fetch(shards);
      const isTime = newest - publishedIds >= PUBLISH_AFTER_IDS ||
        clock.now() - publishedMs >= PUBLISH_AFTER_MS;
      if (shards.length > 1 || isTime) await publish();
    }
    if (clock.now() - refreshedMs < REFRESH_AFTER_MS) return;
    await refresh();
    await publish();
    refreshedMs = clock.now();
  };
  for (;;) {
    try {
      await poll();
      outages = 0;
    } catch (error) {
      if (signal.aborted || !isTransientOnceReached(error) || ++outages > MAX_OUTAGES) throw error;
    }
    await clock.sleep(pollMs, signal);
  }
}
