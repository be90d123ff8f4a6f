import type { OrderBook } from "../../client/order_book.ts";
import { DEFAULT_CONCURRENCY } from "../../endpoints/call/call_options.ts";
import { rateLimiter } from "../../http/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { padded, SELECTED_ORDERS, shardName, shardOf } from "../layout/shard_name.ts";
import { IDS_PER_SHARD } from "../layout/shard_name.ts";
import { type KnownToken, type TableContext, tokensOf } from "../shards/table_context.ts";
import type { ExportState } from "../state/export_state.ts";
import { ITEM_KINDS, type ItemKind, type Outcome } from "../state/items.ts";
import { type Keeping, keepOutcomes, type Step } from "../state/keep_outcomes.ts";
import { publishShard } from "../state/publish_shard.ts";
import { repair } from "../state/repair.ts";
import { type Assignment, writeManifest } from "../state/write_manifest.ts";
import { CompetitionAsker } from "./ask_competitions.ts";
import { askOrders } from "./ask_orders.ts";
import { askOthers, askReports } from "./ask_others.ts";
import type { Asking } from "./asking.ts";
import type { ExportOptions, ExportProgress } from "./export_options.ts";
import { findFloor } from "./find_floor.ts";
import { PUBLIC_RATE } from "./plan_export.ts";
import { PatientTransport } from "./patient_transport.ts";
import { assignmentOf } from "./prepare_export.ts";

/** Outcomes that are kept together, their characters, and the time after which they are kept. */
const KEPT_TOGETHER = 64;
const KEPT_CHARS = 4_000_000;
const KEPT_AFTER_MS = 500;

/** One run of an export: everything pending is asked for, kept, and made into files. */
export class ExportRun {
  readonly #book: OrderBook;
  readonly #options: ExportOptions;
  readonly #paths: DatasetPaths;
  readonly #state: ExportState;
  readonly #step: Step;
  readonly #transport: PatientTransport;

  /** A run in a folder that is locked, with its state open. */
  constructor(
    book: OrderBook,
    options: ExportOptions,
    at: { readonly paths: DatasetPaths; readonly state: ExportState; readonly step: Step },
  ) {
    this.#book = book;
    this.#options = options;
    this.#paths = at.paths;
    this.#state = at.state;
    this.#step = at.step;
    this.#transport = new PatientTransport(book.transport, book.clock);
  }

  /** Number of requests sent. */
  get requests(): number {
    return this.#transport.requests;
  }

  /** Runs to the end. */
  async run(): Promise<DatasetManifest> {
    const at = { paths: this.#paths, state: this.#state };
    const assignment = await assignmentOf(this.#book, at, this.#options);
    await repair({ ...at, step: this.#step });
    const round = this.#beginRound();
    const asking = this.#asking(assignment);
    const keeping: Keeping = { ...at, step: this.#step, round, now: asking.now };
    const context = contextOf(assignment);
    const competitions = new CompetitionAsker(asking);
    for (const shard of await this.#shards(assignment)) {
      for (const kind of ITEM_KINDS) {
        await this.#ask({ kind, shard }, asking, keeping, competitions);
      }
      if (!this.#isStale(shard)) continue;
      this.#report("tables", shard);
      await publishShard(keeping, shard, context);
      await writeManifest(this.#paths, this.#state, assignment);
      this.#step("manifest written");
    }
    this.#state.setMeta("isFinished", "yes");
    return await writeManifest(this.#paths, this.#state, assignment);
  }

  /** A run that was interrupted goes on in its round; after a finished one, a new round begins. */
  #beginRound(): number {
    const round = Number(this.#state.meta("round") ?? 0);
    if (round > 0 && this.#state.meta("isFinished") === "no") return round;
    this.#state.inOneStep(() => {
      this.#state.setMeta("round", String(round + 1));
      this.#state.setMeta("isFinished", "no");
    });
    return round + 1;
  }

  #asking({ request }: Assignment): Asking {
    const { concurrency = DEFAULT_CONCURRENCY, signal } = this.#options;
    const { clock, network } = this.#book;
    const rate = this.#options.rate ?? (network === null ? undefined : PUBLIC_RATE);
    return {
      transport: this.#transport,
      limiter: rate === undefined ? null : rateLimiter(rate, { clock }),
      state: this.#state,
      request,
      concurrency,
      signal,
      now: () => clock.now(),
      failures: { inRow: 0 },
    };
  }

  /** The shards in order, with everything that is known to be asked for in them. */
  async #shards({ range }: Assignment): Promise<number[]> {
    if (range === null) return [SELECTED_ORDERS];
    const floor = await this.#floor(range);
    const [first, last] = [shardOf(range.from), shardOf(range.to)];
    const shards: number[] = [];
    for (let shard = first; shard <= last; shard++) {
      shards.push(shard);
      const begin = Math.max(range.from, shard * IDS_PER_SHARD);
      const end = Math.min(range.to, (shard + 1) * IDS_PER_SHARD - 1);
      this.#state.inOneStep(() => {
        for (let id = begin; id <= end; id++) this.#addId(id, shard, floor);
      });
    }
    return shards;
  }

  #addId(id: number, shard: number, floor: number): void {
    this.#state.add("competition", padded(id), shard);
    if (id >= floor) return;
    this.#state.run(
      `UPDATE items SET state = 'beforeHistory', isFinal = 1
       WHERE kind = 'competition' AND key = ?`,
      padded(id),
    );
  }

  async #floor(range: { readonly from: number; readonly to: number }): Promise<number> {
    const known = this.#state.meta("floor");
    if (known !== null) return Number(known);
    const { signal } = this.#options;
    const floor = await findFloor({ transport: this.#transport, ...range, signal });
    this.#state.setMeta("floor", String(floor));
    return floor;
  }

  async #ask(
    { kind, shard }: { readonly kind: ItemKind; readonly shard: number },
    asking: Asking,
    keeping: Keeping,
    competitions: CompetitionAsker,
  ): Promise<void> {
    const items = this.#state.pending(shard, kind, keeping.round);
    if (items.length === 0) return;
    const outcomes = kind === "competition"
      ? competitions.ask(items)
      : kind === "order"
      ? askOrders(asking, items)
      : kind === "report"
      ? askReports(asking, items)
      : askOthers(asking, kind, items);
    // While outcomes are kept, the next ones are asked for.
    let kept = Promise.resolve();
    let waiting: Outcome[] = [];
    let [chars, keptAt] = [0, performance.now()];
    const keep = async () => {
      await kept;
      kept = keepOutcomes(keeping, shard, waiting);
      // It fails when it is awaited.
      kept.catch(() => {});
      [waiting, chars, keptAt] = [[], 0, performance.now()];
      this.#report(kind, shard);
    };
    try {
      for await (const outcome of outcomes) {
        waiting.push(outcome);
        for (const { line } of outcome.answers) chars += line.length;
        const isTime = performance.now() - keptAt > KEPT_AFTER_MS;
        if (waiting.length >= KEPT_TOGETHER || chars >= KEPT_CHARS || isTime) await keep();
      }
    } finally {
      await keep();
      await kept;
    }
    this.#report(kind, shard);
  }

  #isStale(shard: number): boolean {
    const rows = this.#state.rows<{ isStale: number }>(
      "SELECT isStale FROM shards WHERE shard = ?",
      shard,
    );
    return rows[0]?.isStale === 1;
  }

  #report(phase: ExportProgress["phase"], shard: number): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const kind = shard === SELECTED_ORDERS ? "order" : "competition";
    const [counts] = this.#state.rows<{ done: number; total: number }>(
      "SELECT count(state) AS done, count(*) AS total FROM items WHERE kind = ?",
      kind,
    );
    onProgress({
      phase,
      shard: shardName(shard),
      done: counts?.done ?? 0,
      total: counts?.total ?? 0,
      requests: this.requests,
    });
  }
}

/** What the tables of an export are built with. */
function contextOf({ source, request, deployment }: Assignment): TableContext {
  const { tokens = [] } = deployment as { readonly tokens?: readonly KnownToken[] };
  return { source, tables: request.tables, tokens: tokensOf(source, tokens) };
}
