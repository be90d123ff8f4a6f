import { connect } from "../../client/connect.ts";
import type { DeployedTransport, RecentAuctions, RecentAuctionsOptions } from "../../client/mod.ts";
import { recentAuctions } from "../../client/recent_auctions.ts";
import type { AuctionIds } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  requireWord,
} from "../../errors/option_rules.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "../../evm/mod.ts";
import type { HttpRequest, HttpResponse } from "../../http/mod.ts";
import { type Deployment, readFacts } from "../../recordings/deployment.ts";
import { combineNodes, parseSettlementCall } from "../../recordings/recording.ts";
import { toResponse } from "../../recordings/request_key.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { filterBetween, queryFrames, scanParquet } from "../../tables/columns/frame_files.ts";
import type { LazyFrame } from "../../tables/mod.ts";
import { type BlockFiles, blockFiles } from "../export/block_files.ts";
import { isAuctionRange } from "../export/export_options.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, listRaws, readManifest } from "../layout/manifest.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { DERIVED, lacksDerived, selectTables } from "../shards/published_tables.ts";
import { readRecords, type ShardRecord } from "../shards/shard_records.ts";
import { DatasetResponses } from "./dataset_responses.ts";

/** Options of {@linkcode Dataset.table}. */
export interface TableOptions {
  /** Auctions of the rows, both ends inclusive. @default {all} */
  auctions?: AuctionIds | undefined;
}

const TABLE_OPTIONS: OptionRules<TableOptions> = {
  auctions: defineRule("{ from, to } with auction ids, the lower first,", isAuctionRange),
};

/** Error code of a node for what it does not have. */
const NOT_RECORDED = -32001;

/** An exported dataset: its tables, its records, and its responses as a deployment. */
export class Dataset implements DeployedTransport {
  /** Its folder. */
  readonly folder: string;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
  /** The deployment that it was exported from, for `connect`. */
  readonly deployment: Deployment;
  /** `dataset://` and the name of the folder. */
  readonly baseUrl: string;
  #blocks: Promise<BlockFiles> | undefined;
  readonly #paths: DatasetPaths;
  readonly #responses: DatasetResponses;

  /** A dataset by its parts; {@linkcode openDataset} reads them. */
  constructor(paths: DatasetPaths, manifest: DatasetManifest, deployment: Deployment) {
    this.#paths = paths;
    this.folder = paths.folder;
    this.manifest = manifest;
    this.deployment = deployment;
    this.baseUrl = `dataset://${paths.folder.split(/[/\\]/).at(-1)}`;
    this.#responses = new DatasetResponses(paths, manifest, this.baseUrl);
  }

  /** Names of its tables. */
  get tables(): readonly string[] {
    return this.manifest.request.tables;
  }

  /**
   * A table, read when it is collected: polars reads only the columns, files and rows that are needed.
   *
   * A filter of your own rules out files only if its number has the type of the column, such as
   * `pl.lit(2000).cast(pl.Int64)`: with a plain number, polars casts the whole column.
   *
   * @param options `auctions` selects rows by `auction_id`, so that files without them are not read.
   * @throws {InputError} If the dataset has no such table, or the table no `auction_id`.
   */
  table(name: string, options: TableOptions = {}): LazyFrame {
    const action = "Cannot open a table";
    requireWord(name, this.tables, { action, noun: "table" });
    checkOptions(options, TABLE_OPTIONS, action);
    if (lacksDerived(this.manifest) && DERIVED.includes(name)) {
      throw new InputError(`${action}: the derived tables of ${this.#paths.folder} are missing`, {
        facts: { table: name },
        remedy: "Run the same export again, or rebuild the dataset: `orderlens rebuild DIR`",
      });
    }
    const frame = scanParquet(this.#paths.pattern(`${name}/*.parquet`));
    const { auctions } = options;
    if (auctions === undefined) return frame;
    if (hasAuctionId(name)) return filterBetween(frame, "auction_id", auctions);
    throw new InputError(`${action} by auctions: ${name} has no auction_id`, {
      remedy: "Leave the option out, and join the table with one that has auction_id",
    });
  }

  /**
   * A query over its tables in SQL as polars has it, read when it is collected.
   *
   * Amounts are text, which SQL compares and adds as floating-point numbers if it is cast: select
   * them, and add them as `bigint`.
   *
   * @throws {Error} If polars rejects the query.
   *
   * @example How often each solver won
   * ```ts
   * import { openDataset } from "orderlens/datasets";
   * import { assertEquals } from "@std/assert";
   *
   * const dataset = await openDataset("market_1");
   * const winners = await dataset.sql(`
   *   SELECT solver, COUNT(*) AS won FROM solutions WHERE is_winner GROUP BY solver
   * `).collect();
   *
   * // Of 32 auctions, five have two winners.
   * assertEquals(winners.getColumn("won").sum(), 37);
   * ```
   */
  sql(query: string): LazyFrame {
    const isUnderived = lacksDerived(this.manifest);
    const names = this.tables.filter((name) => !isUnderived || !DERIVED.includes(name));
    return queryFrames(Object.fromEntries(names.map((name) => [name, this.table(name)])), query);
  }

  /** All competitions, by auction id. */
  async *competitions(): AsyncGenerator<Competition, void, undefined> {
    for await (const record of this.#readRecords()) {
      if (record.kind === "competition") yield record.competition;
    }
  }

  /** All orders: of one file of responses after another, by UID. */
  async *orders(): AsyncGenerator<Order, void, undefined> {
    for await (const record of this.#readRecords()) if (record.kind === "order") yield record.order;
  }

  /** All fills: of one file of responses after another, by the UID of their order. */
  async *trades(): AsyncGenerator<Trade, void, undefined> {
    for await (const record of this.#readRecords()) if (record.kind === "trade") yield record.trade;
  }

  /** All debug reports: of one file of responses after another, by UID. */
  async *debugReports(): AsyncGenerator<DebugReport, void, undefined> {
    for await (const record of this.#readRecords()) {
      if (record.kind === "report") yield record.report;
    }
  }

  /** Ids of the auctions that it has, ascending. */
  async auctionIds(): Promise<readonly number[]> {
    return await this.#responses.listAuctionIds();
  }

  /**
   * Its latest auctions with everything that tables take: the same as {@linkcode recentAuctions} of
   * `connect(dataset)`.
   *
   * @throws {InputError} If an option is invalid.
   */
  async recent(options: RecentAuctionsOptions): Promise<RecentAuctions> {
    return await recentAuctions(connect(this), options);
  }

  /**
   * Serves a request from the responses of the export, so that `connect(dataset)` is a book.
   *
   * Nothing is read before it is requested. Serves auctions by id or `latest`, the competition of a
   * settlement, orders by UID, their fills, their debug reports, and the lists of an export of an
   * account; reads each file of 1,000 auctions when something in it is requested, and holds the latest
   * 32 MB of responses and the index of eight files in memory.
   *
   * @throws {NotRecordedError} If the export has no response.
   * @throws {InputError} If a file of responses is damaged.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    return toResponse(await this.#responses.respond(request));
  }

  /**
   * A node of its chain, with what an export with the option `node` stores: timestamps of blocks, for
   * `auctionTimes`, and transactions and receipts of settlements, for `auditSettlement` and
   * `auditRange`. It is the node of another export too.
   */
  readonly rpc: RpcNode = combineNodes(
    (calls) => this.#callBlocks(calls),
    async (calls) => {
      const requested = calls.map(parseSettlementCall);
      const hashes = requested.flatMap((call) => call?.txHash ?? []);
      const stored = await this.#responses.findSettlements(hashes);
      const { chainId } = this.manifest.source;
      return calls.map(({ method }, index) => {
        if (method === "eth_chainId") return { result: `0x${chainId.toString(16)}` };
        const call = requested[index];
        return (call && stored.get(call.txHash)?.find(({ of }) => of === call.of)) ?? null;
      });
    },
  );

  async #callBlocks(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    if (!this.tables.includes("blocks")) {
      const message = `${this.baseUrl} has no such blocks or transactions`;
      return calls.map(() => ({ error: { code: NOT_RECORDED, message } }));
    }
    const { rpc } = await (this.#blocks ??= blockFiles(this.#paths.file("blocks")));
    return await rpc(calls);
  }

  async *#readRecords(): AsyncGenerator<ShardRecord, void, undefined> {
    for (const { path } of listRaws(this.manifest)) yield* readRecords(this.#paths.file(path));
  }
}

/**
 * Opens an exported dataset.
 *
 * Only needs to read its folder; a dataset may be opened while its export runs. Opening one reads its
 * manifest alone.
 *
 * @param folder Folder of the dataset, or the name of one that ships: `market_1`. `./market_1` is a
 *   folder; where that is a dataset too, the name alone is an error.
 * @throws {InputError} If it is not a dataset, or of another version.
 *
 * @example A dataset as a table, as records and as a book
 * ```ts
 * import { connect } from "orderlens";
 * import { openDataset } from "orderlens/datasets";
 * import { assertEquals } from "@std/assert";
 *
 * const dataset = await openDataset("market_1");
 *
 * const solutions = await dataset.table("solutions").collect();
 * const competitions = await Array.fromAsync(dataset.competitions());
 * const latest = await connect(dataset).competition("latest");
 *
 * assertEquals(solutions.height, competitions.flatMap(({ solutions }) => solutions).length);
 * assertEquals(latest.auctionId, competitions.at(-1)?.auctionId);
 * ```
 */
export async function openDataset(folder: string | URL): Promise<Dataset> {
  const paths = await findDataset(folder);
  const manifest = await readManifest(paths);
  const { deployment } = await readFacts(paths.file("deployment.json"));
  return new Dataset(paths, manifest, deployment);
}

function hasAuctionId(table: string): boolean {
  return selectTables([table]).some(({ columns }) =>
    columns.some(({ name }) => name === "auction_id")
  );
}
