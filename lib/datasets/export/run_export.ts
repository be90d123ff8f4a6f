import { isPassing } from "../../client/connect_options.ts";
import { OrderBook } from "../../client/order_book.ts";
import { DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { requireChain, requireNode } from "../../evm/node/node_source.ts";
import {
  type DatasetPaths,
  toRawPath,
  toShard,
  UNBID_ORDERS,
  WALKED_SETTLEMENTS,
} from "../layout/files.ts";
import { removeIfExists } from "../layout/folders.ts";
import { type DatasetManifest, listRawFiles } from "../layout/manifest.ts";
import {
  openLimit,
  outageTimeoutMs,
  PoliteTransport,
  RequestLimitReached,
  resolveRate,
} from "../rate_limit/polite_transport.ts";
import { isAuctionFile, resolveNeeds } from "../shards/published_tables.ts";
import { createTableContext } from "../shards/table_context.ts";
import { mergeCitation } from "../state/citation.ts";
import type { ExportState, FiledKind } from "../state/export_state.ts";
import type { OnStep, OutcomeWriter } from "../state/write_outcomes.ts";
import { publishShard, removeShard, repair, writeDerivedTables } from "../state/publish_shard.ts";
import { ExportClock, journalRun } from "../state/run_journal.ts";
import { dropSegments } from "../state/segment_lines.ts";
import { type ExportSpec, writeManifest } from "../state/write_manifest.ts";
import { CompetitionFetcher } from "./fetch_competitions.ts";
import { AccountFills } from "./account_fills.ts";
import { fetchShard } from "./fetch_shard.ts";
import { type ExportContext, isFinalCompetition } from "./export_context.ts";
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
  /** What it contains now. */
  readonly manifest: DatasetManifest;
  /** Number of requests that this run sent. */
  readonly requests: number;
  /** Why it stopped before everything was asked for; `null` if it did not. */
  readonly stopped: "max_requests" | null;
}

/** Requests at most for what may have changed, when an export that follows is stopped. */
const MAX_LAST_REQUESTS = 200;

/** How a round is asked for and kept. */
interface ExportRound {
  readonly context: ExportContext;
  readonly writer: OutcomeWriter;
  /** Asks for auctions; without one, those of each shard are a walk of their own. */
  readonly competitions?: CompetitionFetcher;
  /** What the folder is an export of. */
  readonly spec: GrowingSpec;
}

/** One run of an export: everything pending is asked for, kept, and made into files. */
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
  /** Records of an only file of auctions, and of orders without a bid: answers need not read them. */
  readonly #loaded = new Map<string, ShardContents>();

  /** A run in a folder that is locked, with its state open. */
  constructor(
    book: OrderBook,
    options: ExportOptions,
    at: { readonly paths: DatasetPaths; readonly state: ExportState; readonly step: OnStep },
  ) {
    this.#options = options;
    this.#paths = at.paths;
    this.#state = at.state;
    this.#step = at.step;
    this.#progress = new ProgressReporter(options.onProgress, at.state);
    const { transport, clock } = book;
    const onPause = (untilMs: number | null) =>
      this.#progress.reportWait(untilMs, this.#transport.isDown);
    const limit = openLimit(book, options.rate, onPause);
    const patienceMs = () =>
      outageTimeoutMs(this.#progress.estimateRequestsLeft(), resolveRate(book, options.rate));
    this.#transport = new PoliteTransport({ transport, limit, clock, outageTimeoutMs: patienceMs });
    this.#clock = new ExportClock(clock, this.#transport, at.state);
    const { network, environment, chainId, settlementContract } = book;
    const facts = { network, environment, chainId, settlementContract, clock };
    this.#book = new OrderBook({ transport: this.#transport, ...facts });
  }

  /** Runs to the end, or to the last of the requests that are allowed, and tells the journal. */
  async run(): Promise<ExportResult> {
    const [{ signal }, { counts }] = [this.#options, this.#transport];
    const told = {
      paths: this.#paths,
      state: this.#state,
      now: this.#clock.latest,
      counts,
      signal,
    };
    return await journalRun(told, async () => {
      const manifest = await this.#run();
      const [{ requests }, stopped] = [this.#transport, this.#stopped];
      return { folder: this.#paths.folder, manifest, requests, stopped };
    });
  }

  async #run(): Promise<DatasetManifest> {
    const at = { paths: this.#paths, state: this.#state };
    const { node, signal, follow: isFollowing = false } = this.#options;
    if (node !== undefined) {
      const ask = requireNode(node, "the chain id", { signal });
      await requireChain(ask, this.#book.chainId, "Cannot export");
    }
    const assignment = await this.#begin(at);
    const round = this.#beginRound();
    this.#progress.begin(this.#transport, round);
    this.#transport.maxRequests = this.#options.maxRequests ?? Infinity;
    const asking = this.#createContext(assignment);
    const running: ExportRound = {
      context: asking,
      writer: { ...at, onStep: this.#step, round, now: this.#clock.latest },
      competitions: new CompetitionFetcher(asking),
      spec: new GrowingSpec(assignment, this.#state),
    };
    try {
      const shards = assignment.walk == null
        ? await listShards(asking, assignment)
        : await this.#walk(running);
      for (const shard of [...shards, UNBID_ORDERS]) {
        try {
          await this.#fetchAll([shard], running);
        } catch (error) {
          if (error instanceof RequestLimitReached) await this.#publish(shard, running);
          throw error;
        }
        await this.#publish(shard, running);
        await this.#dropSegments();
      }
      if (isFollowing) await this.#follow(running);
      this.#state.setMeta("isFinished", "yes");
    } catch (error) {
      if (error instanceof RequestLimitReached) this.#stopped = "max_requests";
      else if (!isFollowing || signal?.aborted !== true) throw error;
      else await this.#fetchLast(running);
      if (isFollowing) await this.#publishAll(running);
      if (this.#stopped === null) this.#state.setMeta("isFinished", "yes");
    }
    const { current: ended } = running.spec;
    await writeDerivedTables(at, createTableContext(ended), { signal, atHand: this.#loaded });
    await dropSegments(this.#paths, this.#state);
    return await writeManifest(this.#paths, this.#state, ended);
  }

  /** What the folder is an export of; its state has every answer that the folder has. */
  async #begin(at: Pick<OutcomeWriter, "paths" | "state">): Promise<ExportSpec> {
    const { assignment: found, isRestored } = await resolveSpec(this.#book, at, this.#options);
    const assignment: ExportSpec = { ...found, ...mergeCitation(found.about, this.#options) };
    if (isRestored && await repair(at)) {
      this.#state.setMeta("assignment", JSON.stringify(assignment));
      await removeIfExists(this.#paths.oldSegments);
      // What was made just before a crash: a segment is dropped once the manifest has its file.
      await writeManifest(this.#paths, this.#state, assignment);
      return assignment;
    }
    const restored = await restoreState({
      context: this.#createContext(assignment),
      writer: { ...at, onStep: this.#step, round: 0, now: this.#clock.latest },
      spec: assignment,
      uids: sortUids(this.#options.uids ?? []),
    });
    // A folder says what it is an export of before it has files.
    if (this.#state.listFiles().length === 0) {
      await writeManifest(this.#paths, this.#state, restored);
    }
    return restored;
  }

  /** Finds the auctions that settled; returns the shards that have them. */
  async #walk(
    { context: asking, writer: keeping, spec: followed }: ExportRound,
  ): Promise<number[]> {
    const { current: { walk } } = followed;
    const { node } = this.#options;
    if (walk == null || node === undefined) throw new TypeError("There is nothing to walk");
    const { shards, range } = await walkSettlements({
      context: asking,
      writer: keeping,
      node,
      blocks: walk,
      onWritten: () => this.#progress.report("settlement", WALKED_SETTLEMENTS),
    });
    followed.setRange(range);
    return shards;
  }

  async #fetchAll(
    shards: readonly number[],
    { context: asking, writer: keeping, competitions = new CompetitionFetcher(asking) }:
      ExportRound,
  ): Promise<void> {
    for (const shard of shards) {
      const onKept = (kind: FiledKind) => this.#progress.report(kind, shard);
      await fetchShard(shard, {
        context: asking,
        writer: keeping,
        competitions,
        onWritten: onKept,
      });
    }
  }

  async #follow({ context: asking, writer: keeping, spec: followed }: ExportRound): Promise<never> {
    const { clock, network } = this.#book;
    const { signal = new AbortController().signal } = this.#options;
    let running: ExportRound = {
      context: asking,
      spec: followed,
      writer: { ...keeping, requeues: true },
    };
    const anew = () => ({ ...running, asking: { ...asking, fills: createFreshFills() } });
    return await follow({
      spec: followed,
      latest: async () => {
        const latest = await getCompetition(this.#transport, "latest", { signal });
        const isFinal = isFinalCompetition(latest, { firstAskedMs: null }, asking.now());
        return { id: latest.auctionId, isFinal };
      },
      fetch: async (shards) => {
        await this.#fetchAll(shards, anew());
        await this.#fetchAll(this.#state.listRequeuedShards(), anew());
      },
      refresh: async () => {
        this.#state.setMeta("isFinished", "yes");
        running = { ...running, writer: { ...running.writer, round: this.#beginRound() } };
        await this.#fetchAll(this.#state.listOpenShards(), anew());
      },
      publish: () => this.#publishAll(running),
      clock,
      pollMs: choosePollMs(network),
      signal,
    });
  }

  /** What may have changed is asked for once more before an export ends that follows. */
  async #fetchLast(
    { context: asking, writer: keeping, spec: followed }: ExportRound,
  ): Promise<void> {
    this.#state.setMeta("isFinished", "yes");
    const running: ExportRound = {
      context: { ...asking, signal: undefined, fills: createFreshFills() },
      writer: { ...keeping, requeues: true, round: this.#beginRound() },
      spec: followed,
    };
    const { requests, maxRequests } = this.#transport;
    this.#transport.maxRequests = Math.min(maxRequests, requests + MAX_LAST_REQUESTS);
    try {
      await this.#fetchAll(this.#state.listOpenShards(), running);
      await this.#fetchAll(this.#state.listRequeuedShards(), running);
    } catch (error) {
      // What was kept is kept, and the manifest counts what is open.
      if (!(error instanceof RequestLimitReached || isPassing(error))) throw error;
    }
  }

  /** Makes the tables of all shards whose answers are newer. */
  async #publishAll(running: ExportRound): Promise<void> {
    for (const shard of this.#state.listStaleShards()) await this.#publish(shard, running);
    await this.#dropSegments();
  }

  async #dropSegments(): Promise<void> {
    await dropSegments(this.#paths, this.#state, Number(this.#state.readMeta("openShard") ?? NaN));
  }

  async #publish(shard: number, running: ExportRound): Promise<void> {
    if (!this.#state.listStaleShards().includes(shard)) return;
    const { writer: keeping, spec: { current: assignment } } = running;
    const context = createTableContext(assignment);
    if (shard === UNBID_ORDERS && this.#state.countResponses(shard) === 0) {
      await removeShard(keeping, shard, context.tables);
    } else {
      this.#progress.report("tables", shard);
      if (shard !== UNBID_ORDERS) this.#loaded.clear();
      const contents = await publishShard(keeping, shard, context);
      const auctions = listRawFiles({ files: this.#state.listFiles() })
        .filter(({ path }) => isAuctionFile(path));
      if (auctions.length <= 1) this.#loaded.set(toRawPath(shard), contents);
    }
    // No order stands twice: one that was moved to its first bid is no longer without one.
    if (shard !== UNBID_ORDERS && this.#state.listStaleShards().includes(UNBID_ORDERS)) {
      return await this.#publish(UNBID_ORDERS, running);
    }
    await writeManifest(this.#paths, this.#state, assignment);
    this.#step("manifest written");
  }

  /**
   * A run that was interrupted goes on in its round, and asks again for what failed; after a finished
   * one, a new round begins. With few requests allowed, what always fails would take all of them.
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
    // An id without an auction takes three requests until that is certain.
    const most = Math.max(1, Math.floor(maxRequests / 3));
    const areSeveral = walk != null || range !== null && toShard(range.from) < toShard(range.to);
    return {
      transport: this.#transport,
      state: this.#state,
      needs: resolveNeeds(request),
      node: this.#options.node ?? null,
      settlementContract: this.#book.settlementContract.toLowerCase(),
      concurrency: Math.min(concurrency, most),
      signal,
      now: this.#clock.now,
      failures: { inRow: 0 },
      executed: new Map(),
      fills: new AccountFills({ minOrders: areSeveral ? 1 : 2, maxPages: Math.min(20, most) }),
    };
  }
}

/** Fills of accounts as of now, where what was read before is not all any more. */
function createFreshFills(): AccountFills {
  return new AccountFills({ minOrders: 2, maxPages: 1 });
}
