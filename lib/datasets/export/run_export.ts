import { isPassing } from "../../client/connect_options.ts";
import { OrderBook } from "../../client/order_book.ts";
import { DEFAULT_CONCURRENCY } from "../../endpoints/calls.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { nodeOf, requireChain } from "../../evm/node/node_source.ts";
import {
  type DatasetPaths,
  rawPath,
  shardOf,
  UNBID_ORDERS,
  WALKED_SETTLEMENTS,
} from "../layout/files.ts";
import { removeIfThere } from "../layout/folders.ts";
import { type DatasetManifest, rawsOf } from "../layout/manifest.ts";
import {
  EnoughRequests,
  openLimit,
  patienceOf,
  PoliteTransport,
  rateOf,
} from "../rate_limit/polite_transport.ts";
import { isOfAuctions, needsOf } from "../shards/published_tables.ts";
import { tableContext } from "../shards/table_context.ts";
import { saidAbout } from "../state/citation.ts";
import type { ExportState, FiledKind } from "../state/export_state.ts";
import type { Keeping, Step } from "../state/keep_outcomes.ts";
import { publishShard, removeShard, repair, writeAnswers } from "../state/publish_shard.ts";
import { ExportClock, tellingOf } from "../state/run_journal.ts";
import { dropSegments } from "../state/segment_lines.ts";
import { type Assignment, writeManifest } from "../state/write_manifest.ts";
import { CompetitionAsker } from "./ask_competitions.ts";
import { AccountFills } from "./account_fills.ts";
import { askShard } from "./ask_shard.ts";
import { type Asking, isFinalCompetition } from "./asking.ts";
import { assignmentOf } from "./assignment.ts";
import type { ExportOptions } from "./export_options.ts";
import { sortedUids } from "./prepare_export.ts";
import { follow, FollowedAssignment, pollMsOf, ProgressReporter } from "./progress.ts";
import { shardsToAsk } from "./shards_to_ask.ts";
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
const LAST_REQUESTS = 200;

/** How a round is asked for and kept. */
interface Running {
  readonly asking: Asking;
  readonly keeping: Keeping;
  /** Asks for auctions; without one, those of each shard are a walk of their own. */
  readonly competitions?: CompetitionAsker;
  /** What the folder is an export of. */
  readonly followed: FollowedAssignment;
}

/** One run of an export: everything pending is asked for, kept, and made into files. */
export class ExportRun {
  readonly #book: OrderBook;
  readonly #options: ExportOptions;
  readonly #paths: DatasetPaths;
  readonly #state: ExportState;
  readonly #step: Step;
  readonly #transport: PoliteTransport;
  readonly #clock: ExportClock;
  readonly #progress: ProgressReporter;
  #stopped: "max_requests" | null = null;
  /** Records of an only file of auctions, and of orders without a bid: answers need not read them. */
  readonly #atHand = new Map<string, ShardContents>();

  /** A run in a folder that is locked, with its state open. */
  constructor(
    book: OrderBook,
    options: ExportOptions,
    at: { readonly paths: DatasetPaths; readonly state: ExportState; readonly step: Step },
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
    const patienceMs = () => patienceOf(this.#progress.requestsLeft(), rateOf(book, options.rate));
    this.#transport = new PoliteTransport({ transport, limit, clock, patienceMs });
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
    return await tellingOf(told, async () => {
      const manifest = await this.#run();
      const [{ requests }, stopped] = [this.#transport, this.#stopped];
      return { folder: this.#paths.folder, manifest, requests, stopped };
    });
  }

  async #run(): Promise<DatasetManifest> {
    const at = { paths: this.#paths, state: this.#state };
    const { node, signal, follow: isFollowing = false } = this.#options;
    if (node !== undefined) {
      const ask = nodeOf(node, "the chain id", { signal });
      await requireChain(ask, this.#book.chainId, "Cannot export");
    }
    const assignment = await this.#begin(at);
    const round = this.#beginRound();
    this.#progress.begin(this.#transport, round);
    this.#transport.maxRequests = this.#options.maxRequests ?? Infinity;
    const asking = this.#asking(assignment);
    const running: Running = {
      asking,
      keeping: { ...at, step: this.#step, round, now: this.#clock.latest },
      competitions: new CompetitionAsker(asking),
      followed: new FollowedAssignment(assignment, this.#state),
    };
    try {
      const shards = assignment.walk == null
        ? await shardsToAsk(asking, assignment)
        : await this.#walk(running);
      for (const shard of [...shards, UNBID_ORDERS]) {
        try {
          await this.#askAll([shard], running);
        } catch (error) {
          if (error instanceof EnoughRequests) await this.#publish(shard, running);
          throw error;
        }
        await this.#publish(shard, running);
        await this.#dropSegments();
      }
      if (isFollowing) await this.#follow(running);
      this.#state.setMeta("isFinished", "yes");
    } catch (error) {
      if (error instanceof EnoughRequests) this.#stopped = "max_requests";
      else if (!isFollowing || signal?.aborted !== true) throw error;
      else await this.#askLast(running);
      if (isFollowing) await this.#publishAll(running);
      if (this.#stopped === null) this.#state.setMeta("isFinished", "yes");
    }
    const { assignment: ended } = running.followed;
    await writeAnswers(at, tableContext(ended), { signal, atHand: this.#atHand });
    await dropSegments(this.#paths, this.#state);
    return await writeManifest(this.#paths, this.#state, ended);
  }

  /** What the folder is an export of; its state has every answer that the folder has. */
  async #begin(at: Pick<Keeping, "paths" | "state">): Promise<Assignment> {
    const { assignment: found, isRestored } = await assignmentOf(this.#book, at, this.#options);
    const assignment: Assignment = { ...found, ...saidAbout(found.about, this.#options) };
    if (isRestored && await repair(at)) {
      this.#state.setMeta("assignment", JSON.stringify(assignment));
      await removeIfThere(this.#paths.kept);
      // What was made just before a crash: a segment is dropped once the manifest has its file.
      await writeManifest(this.#paths, this.#state, assignment);
      return assignment;
    }
    const restored = await restoreState({
      asking: this.#asking(assignment),
      keeping: { ...at, step: this.#step, round: 0, now: this.#clock.latest },
      assignment,
      uids: sortedUids(this.#options.uids ?? []),
    });
    // A folder says what it is an export of before it has files.
    if (this.#state.files().length === 0) await writeManifest(this.#paths, this.#state, restored);
    return restored;
  }

  /** Finds the auctions that settled; returns the shards that have them. */
  async #walk({ asking, keeping, followed }: Running): Promise<number[]> {
    const { assignment: { walk } } = followed;
    const { node } = this.#options;
    if (walk == null || node === undefined) throw new TypeError("There is nothing to walk");
    const { shards, range } = await walkSettlements({
      asking,
      keeping,
      node,
      blocks: walk,
      onKept: () => this.#progress.report("settlement", WALKED_SETTLEMENTS),
    });
    followed.found(range);
    return shards;
  }

  async #askAll(
    shards: readonly number[],
    { asking, keeping, competitions = new CompetitionAsker(asking) }: Running,
  ): Promise<void> {
    for (const shard of shards) {
      const onKept = (kind: FiledKind) => this.#progress.report(kind, shard);
      await askShard(shard, { asking, keeping, competitions, onKept });
    }
  }

  async #follow({ asking, keeping, followed }: Running): Promise<never> {
    const { clock, network } = this.#book;
    const { signal = new AbortController().signal } = this.#options;
    let running: Running = { asking, followed, keeping: { ...keeping, asksAgain: true } };
    const anew = () => ({ ...running, asking: { ...asking, fills: newestFills() } });
    return await follow({
      followed,
      latest: async () => {
        const latest = await getCompetition(this.#transport, "latest", { signal });
        const isFinal = isFinalCompetition(latest, { firstAskedMs: null }, asking.now());
        return { id: latest.auctionId, isFinal };
      },
      ask: async (shards) => {
        await this.#askAll(shards, anew());
        await this.#askAll(this.#state.shardsAskedAgain(), anew());
      },
      askAgain: async () => {
        this.#state.setMeta("isFinished", "yes");
        running = { ...running, keeping: { ...running.keeping, round: this.#beginRound() } };
        await this.#askAll(this.#state.openShards(), anew());
      },
      publish: () => this.#publishAll(running),
      clock,
      pollMs: pollMsOf(network),
      signal,
    });
  }

  /** What may have changed is asked for once more before an export ends that follows. */
  async #askLast({ asking, keeping, followed }: Running): Promise<void> {
    this.#state.setMeta("isFinished", "yes");
    const running: Running = {
      asking: { ...asking, signal: undefined, fills: newestFills() },
      keeping: { ...keeping, asksAgain: true, round: this.#beginRound() },
      followed,
    };
    const { requests, maxRequests } = this.#transport;
    this.#transport.maxRequests = Math.min(maxRequests, requests + LAST_REQUESTS);
    try {
      await this.#askAll(this.#state.openShards(), running);
      await this.#askAll(this.#state.shardsAskedAgain(), running);
    } catch (error) {
      // What was kept is kept, and the manifest counts what is open.
      if (!(error instanceof EnoughRequests || isPassing(error))) throw error;
    }
  }

  /** Makes the tables of all shards whose answers are newer. */
  async #publishAll(running: Running): Promise<void> {
    for (const shard of this.#state.staleShards()) await this.#publish(shard, running);
    await this.#dropSegments();
  }

  async #dropSegments(): Promise<void> {
    await dropSegments(this.#paths, this.#state, Number(this.#state.meta("openShard") ?? NaN));
  }

  async #publish(shard: number, running: Running): Promise<void> {
    if (!this.#state.staleShards().includes(shard)) return;
    const { keeping, followed: { assignment } } = running;
    const context = tableContext(assignment);
    if (shard === UNBID_ORDERS && this.#state.countAnswers(shard) === 0) {
      await removeShard(keeping, shard, context.tables);
    } else {
      this.#progress.report("tables", shard);
      if (shard !== UNBID_ORDERS) this.#atHand.clear();
      const contents = await publishShard(keeping, shard, context);
      const auctions = rawsOf({ files: this.#state.files() })
        .filter(({ path }) => isOfAuctions(path));
      if (auctions.length <= 1) this.#atHand.set(rawPath(shard), contents);
    }
    // No order stands twice: one that was moved to its first bid is no longer without one.
    if (shard !== UNBID_ORDERS && this.#state.staleShards().includes(UNBID_ORDERS)) {
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
    const round = Number(this.#state.meta("round") ?? 0);
    if (round > 0 && this.#state.meta("isFinished") === "no") {
      if (this.#state.meta("runEnded") !== "max_requests") {
        this.#state.askFailedAgain();
      }
      return round;
    }
    this.#state.inOneStep(() => {
      this.#state.setMeta("round", String(round + 1));
      this.#state.setMeta("isFinished", "no");
    });
    return round + 1;
  }

  #asking({ request, range, walk }: Assignment): Asking {
    const { concurrency = DEFAULT_CONCURRENCY, maxRequests = Infinity, signal } = this.#options;
    // An id without an auction takes three requests until that is certain.
    const most = Math.max(1, Math.floor(maxRequests / 3));
    const areSeveral = walk != null || range !== null && shardOf(range.from) < shardOf(range.to);
    return {
      transport: this.#transport,
      state: this.#state,
      needs: needsOf(request),
      node: this.#options.node ?? null,
      settlementContract: this.#book.settlementContract.toLowerCase(),
      concurrency: Math.min(concurrency, most),
      signal,
      now: this.#clock.now,
      failures: { inRow: 0 },
      executed: new Map(),
      fills: new AccountFills({ leastOrders: areSeveral ? 1 : 2, mostPages: Math.min(20, most) }),
    };
  }
}

/** Fills of accounts as of now, where what was read before is not all any more. */
function newestFills(): AccountFills {
  return new AccountFills({ leastOrders: 2, mostPages: 1 });
}
