import { isTransientOnceReached } from "../../client/connect_options.ts";
import { OrderBook } from "../../client/order_book.ts";
import { DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import { getCompetition, isFinalCompetition } from "../../endpoints/competitions.ts";
import { routeInstances } from "../../endpoints/instances.ts";
import {
  type DatasetPaths,
  toRawPath,
  toShard,
  UNBID_ORDERS,
  WALKED_SETTLEMENTS,
} from "../layout/files.ts";
import { removePath } from "../layout/folders.ts";
import { type DatasetManifest, listRaws } from "../layout/manifest.ts";
import {
  openLimit,
  outageTimeoutMs,
  PoliteTransport,
  RequestLimitReached,
  resolveRate,
} from "../rate_limit/polite_transport.ts";
import { findNeeds, isUnbidFile } from "../shards/published_tables.ts";
import { createTableContext } from "../shards/table_context.ts";
import { changesRewards, mergeCitation } from "../state/citation.ts";
import type { ExportState, FiledKind } from "../state/export_state.ts";
import type { OnStep, OutcomeWriter } from "../state/write_outcomes.ts";
import {
  forgetDerived,
  publishShard,
  removeShard,
  repair,
  writeDerivedTables,
} from "../state/publish_shard.ts";
import { ExportClock, journalRun } from "../state/run_journal.ts";
import { dropSegments } from "../state/segment_lines.ts";
import { type ExportSpec, writeManifest } from "../state/write_manifest.ts";
import { CompetitionFetcher } from "./fetch_competitions.ts";
import { AccountFills } from "./account_fills.ts";
import { fetchShard } from "./fetch_shard.ts";
import type { ExportContext } from "./export_context.ts";
import { resolveSpec } from "./export_spec.ts";
import type { ExportOptions } from "./export_options.ts";
import { sortUids } from "./prepare_export.ts";
import { choosePollMs, follow, GrowingSpec, ProgressReporter } from "./progress.ts";
import { listShards } from "./list_shards.ts";
import { restoreState } from "./restore_state.ts";
import { walkSettlements } from "./walk_settlements.ts";
import type { ShardContents } from "../shards/shard_contents.ts";

/** Result of {@linkcode exportDataset}. */
export interface ExportResult {
  /** The dataset's folder. */
  readonly folder: string;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
  /** Number of requests that this run sent. */
  readonly requests: number;
  /** Reason why the run stopped before everything was requested; `null` if it did not. */
  readonly stopped: "max_requests" | null;
}

/** Maximum number of requests for items that may have changed, once an export that follows stops. */
const MAX_LAST_REQUESTS = 200;

interface ExportRound {
  readonly context: ExportContext;
  readonly writer: OutcomeWriter;
  /** Fetches auctions in one walk over all shards; without one, each fetch begins a new walk. */
  readonly competitions?: CompetitionFetcher;
  readonly spec: GrowingSpec;
}

/** One run of an export: fetches all pending items, stores them, and writes the files. */
export class ExportRun {
  readonly #book: OrderBook;
  readonly #options: ExportOptions;
  readonly #paths: DatasetPaths;
  readonly #state: ExportState;
  readonly #step: OnStep;
  readonly #transport: PoliteTransport;
  readonly #clock: ExportClock;
  readonly #progress: ProgressReporter;
  #stopped: "max_requests" | null = null;
  /**
   * Records by file of responses, if there is at most one file of auctions: derived tables need not
   * read them again.
   */
  readonly #loaded = new Map<string, ShardContents>();

  /** Creates a run in a folder that is locked, with its state open. */
  constructor(
    book: OrderBook,
    options: ExportOptions,
    folder: { readonly paths: DatasetPaths; readonly state: ExportState; readonly step: OnStep },
  ) {
    this.#options = options;
    this.#paths = folder.paths;
    this.#state = folder.state;
    this.#step = folder.step;
    this.#progress = new ProgressReporter(options.onProgress, folder.state);
    const { clock } = book;
    const { instances } = options;
    const transport = instances === undefined
      ? book.transport
      : routeInstances(book.transport, instances);
    const onPause = (untilMs: number | null) =>
      this.#progress.reportWait(untilMs, this.#transport.isDown);
    const limit = openLimit(book, options.rate, onPause);
    const timeoutMs = () =>
      outageTimeoutMs(this.#progress.estimateRequestsLeft(), resolveRate(book, options.rate));
    this.#transport = new PoliteTransport({ transport, limit, clock, outageTimeoutMs: timeoutMs });
    this.#clock = new ExportClock(clock, this.#transport, folder.state);
    const { network, environment, chainId, settlementContract } = book;
    const facts = { network, environment, chainId, settlementContract, clock };
    this.#book = new OrderBook({ transport: this.#transport, ...facts });
  }

  /** Runs to the end, or until the request limit, and writes the journal. */
  async run(): Promise<ExportResult> {
    const [{ signal }, { counts }] = [this.#options, this.#transport];
    const journal = {
      paths: this.#paths,
      state: this.#state,
      now: this.#clock.latest,
      counts,
      signal,
    };
    return await journalRun(journal, async () => {
      const manifest = await this.#run();
      const [{ requests }, stopped] = [this.#transport, this.#stopped];
      return { folder: this.#paths.folder, manifest, requests, stopped };
    });
  }

  async #run(): Promise<DatasetManifest> {
    const folder = { paths: this.#paths, state: this.#state };
    const { signal, follow: isFollowing = false } = this.#options;
    const spec = await this.#begin(folder);
    const roundNumber = this.#beginRound();
    this.#progress.begin(this.#transport, roundNumber);
    this.#transport.maxRequests = this.#options.maxRequests ?? Infinity;
    const context = this.#createContext(spec);
    const round: ExportRound = {
      context,
      writer: { ...folder, onStep: this.#step, round: roundNumber, now: this.#clock.latest },
      competitions: new CompetitionFetcher(context),
      spec: new GrowingSpec(spec, this.#state),
    };
    try {
      const shards = spec.walk == null ? await listShards(context, spec) : await this.#walk(round);
      for (const shard of [...shards, UNBID_ORDERS]) {
        try {
          await this.#fetchAll([shard], round);
        } catch (error) {
          if (error instanceof RequestLimitReached) await this.#publishIfStale(shard, round);
          throw error;
        }
        await this.#publishIfStale(shard, round);
        await this.#dropClosedSegments();
      }
      if (isFollowing) await this.#follow(round);
      this.#state.setMeta("isFinished", "yes");
    } catch (error) {
      if (error instanceof RequestLimitReached) this.#stopped = "max_requests";
      else if (!isFollowing || signal?.aborted !== true) throw error;
      else await this.#fetchLast(round);
      if (isFollowing) await this.#publishAll(round);
      if (this.#stopped === null) this.#state.setMeta("isFinished", "yes");
    }
    const { current: final } = round.spec;
    await writeDerivedTables(folder, createTableContext(final), { signal, atHand: this.#loaded });
    await dropSegments(this.#paths, this.#state);
    return await writeManifest(this.#paths, this.#state, final);
  }

  /** Resolves the spec of the folder, and restores its state from the responses in the folder. */
  async #begin(folder: Pick<OutcomeWriter, "paths" | "state">): Promise<ExportSpec> {
    const { spec: stored, isRestored } = await resolveSpec(this.#book, folder, this.#options);
    const spec: ExportSpec = { ...stored, ...mergeCitation(stored.about, this.#options) };
    if (changesRewards(stored.about, spec.about)) forgetDerived(this.#state);
    if (isRestored && await repair(folder)) {
      this.#state.setMeta("assignment", JSON.stringify(spec));
      await removePath(this.#paths.oldSegments);
      // Lists files that were written just before a crash: a segment is dropped once the manifest has
      // its file.
      await writeManifest(this.#paths, this.#state, spec);
      return spec;
    }
    const restored = await restoreState({
      context: this.#createContext(spec),
      writer: { ...folder, onStep: this.#step, round: 0, now: this.#clock.latest },
      spec,
      uids: sortUids(this.#options.uids ?? []),
    });
    // A folder has a manifest with its spec before it has files.
    if (this.#state.listFiles().length === 0) {
      await writeManifest(this.#paths, this.#state, restored);
    }
    return restored;
  }

  /** Finds the auctions that settled; returns their shards. */
  async #walk({ context, writer, spec }: ExportRound): Promise<number[]> {
    const { current: { walk } } = spec;
    const { node } = this.#options;
    if (walk == null || node === undefined) throw new TypeError("There is nothing to walk");
    const { shards, range } = await walkSettlements({
      context,
      writer,
      node,
      blocks: walk,
      onWritten: () => this.#progress.report("settlement", WALKED_SETTLEMENTS),
    });
    spec.setRange(range);
    return shards;
  }

  async #fetchAll(
    shards: readonly number[],
    { context, writer, competitions = new CompetitionFetcher(context) }: ExportRound,
  ): Promise<void> {
    for (const shard of shards) {
      const onWritten = (kind: FiledKind) => this.#progress.report(kind, shard);
      await fetchShard(shard, { context, writer, competitions, onWritten });
    }
  }

  async #follow({ context, writer, spec }: ExportRound): Promise<never> {
    const { clock, network } = this.#book;
    const { signal = new AbortController().signal } = this.#options;
    let round: ExportRound = { context, spec, writer: { ...writer, requeues: true } };
    const renewRound = () => ({ ...round, context: { ...context, fills: createFreshFills() } });
    return await follow({
      spec,
      latest: async () => {
        const latest = await getCompetition(this.#transport, "latest", { signal });
        const isFinal = isFinalCompetition(latest, context.now());
        return { id: latest.auctionId, isFinal };
      },
      fetch: async (shards) => {
        await this.#fetchAll(shards, renewRound());
        await this.#fetchAll(this.#state.listRequeuedShards(), renewRound());
      },
      refresh: async () => {
        this.#state.setMeta("isFinished", "yes");
        round = { ...round, writer: { ...round.writer, round: this.#beginRound() } };
        await this.#fetchAll(this.#state.listOpenShards(), renewRound());
      },
      publish: () => this.#publishAll(round),
      clock,
      pollMs: choosePollMs(network),
      signal,
    });
  }

  /** Requests items that may have changed one last time, before an export that follows ends. */
  async #fetchLast({ context, writer, spec }: ExportRound): Promise<void> {
    this.#state.setMeta("isFinished", "yes");
    const round: ExportRound = {
      context: { ...context, signal: undefined, fills: createFreshFills() },
      writer: { ...writer, requeues: true, round: this.#beginRound() },
      spec,
    };
    const { requests, maxRequests } = this.#transport;
    this.#transport.maxRequests = Math.min(maxRequests, requests + MAX_LAST_REQUESTS);
    try {
      await this.#fetchAll(this.#state.listOpenShards(), round);
      await this.#fetchAll(this.#state.listRequeuedShards(), round);
    } catch (error) {
      // Stored outcomes stay, and the manifest counts open items.
      if (!(error instanceof RequestLimitReached || isTransientOnceReached(error))) throw error;
    }
  }

  /** Publishes all shards whose responses are newer than their tables. */
  async #publishAll(round: ExportRound): Promise<void> {
    for (const shard of this.#state.listStaleShards()) await this.#publishIfStale(shard, round);
    await this.#dropClosedSegments();
  }

  async #dropClosedSegments(): Promise<void> {
    await dropSegments(this.#paths, this.#state, Number(this.#state.readMeta("openShard") ?? NaN));
  }

  async #publishIfStale(shard: number, round: ExportRound): Promise<void> {
    if (!this.#state.listStaleShards().includes(shard)) return;
    const { writer, spec: { current: spec } } = round;
    const context = createTableContext(spec);
    if (shard === UNBID_ORDERS && this.#state.countResponses(shard) === 0) {
      await removeShard(writer, shard, context.tables);
    } else {
      this.#progress.report("tables", shard);
      if (shard !== UNBID_ORDERS) this.#loaded.clear();
      const contents = await publishShard(writer, shard, context);
      const auctions = listRaws({ files: this.#state.listFiles() })
        .filter(({ path }) => !isUnbidFile(path));
      if (auctions.length <= 1) this.#loaded.set(toRawPath(shard), contents);
    }
    // An order that got its first bid is no longer in the file of orders without bids.
    if (shard !== UNBID_ORDERS && this.#state.listStaleShards().includes(UNBID_ORDERS)) {
      return await this.#publishIfStale(UNBID_ORDERS, round);
    }
    await writeManifest(this.#paths, this.#state, spec);
    this.#step("manifest written");
  }

  /**
   * Continues the round of an interrupted run, or begins one; returns its number. Failed items are
   * requested again, unless the run reached its request limit: items that always fail would use it up.
   */
  #beginRound(): number {
    const round = Number(this.#state.readMeta("round") ?? 0);
    if (round > 0 && this.#state.readMeta("isFinished") === "no") {
      if (this.#state.readMeta("runEnded") !== "max_requests") {
        this.#state.requeueFailed();
      }
      return round;
    }
    this.#state.runInTransaction(() => {
      this.#state.setMeta("round", String(round + 1));
      this.#state.setMeta("isFinished", "no");
    });
    return round + 1;
  }

  #createContext({ request, range, walk }: ExportSpec): ExportContext {
    const { concurrency = DEFAULT_CONCURRENCY, maxRequests = Infinity, signal } = this.#options;
    // An id without an auction takes three requests until it is certain.
    const limit = Math.max(1, Math.floor(maxRequests / 3));
    const manyShards = walk != null || range !== null && toShard(range.from) < toShard(range.to);
    return {
      transport: this.#transport,
      state: this.#state,
      needs: findNeeds(request),
      node: this.#options.node ?? null,
      settlementContract: this.#book.settlementContract.toLowerCase(),
      concurrency: Math.min(concurrency, limit),
      signal,
      now: this.#clock.now,
      failures: { inRow: 0 },
      executed: new Map(),
      fills: new AccountFills({ minOrders: manyShards ? 1 : 2, maxPages: Math.min(20, limit) }),
    };
  }
}

/** Creates an empty cache of fills by account, since fills read earlier are no longer complete. */
function createFreshFills(): AccountFills {
  return new AccountFills({ minOrders: 2, maxPages: 1 });
}
