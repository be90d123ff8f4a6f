import type { HttpRequest, HttpResponse } from "../../http/mod.ts";
import type { DeployedTransport } from "../../client/mod.ts";
import { requireWord } from "../../errors/require_word.ts";
import { type Deployment, readFacts } from "../../recordings/deployment.ts";
import { type Replay, replay } from "../../recordings/mod.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { scanParquet } from "../../tables/columns/frame_files.ts";
import type { LazyFrame } from "../../tables/mod.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { isPartitioned } from "../layout/partitions.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { type ShardRecord, shardRecords } from "../shards/shard_records.ts";

/** An exported dataset: its tables, its records, and its answers as a deployment. */
export class Dataset implements DeployedTransport {
  /** Its folder. */
  readonly folder: string;
  /** What it contains. */
  readonly manifest: DatasetManifest;
  /** The deployment that it was exported from, for `connect`. */
  readonly deployment: Deployment;
  /** `dataset://` and the name of the folder. */
  readonly baseUrl: string;
  readonly #paths: DatasetPaths;
  #replay: Promise<Replay> | undefined;

  /** A dataset by its parts; {@linkcode openDataset} reads them. */
  constructor(paths: DatasetPaths, manifest: DatasetManifest, deployment: Deployment) {
    this.#paths = paths;
    this.folder = paths.folder;
    this.manifest = manifest;
    this.deployment = deployment;
    this.baseUrl = `dataset://${paths.folder.split(/[/\\]/).at(-1)}`;
  }

  /** Names of its tables. */
  get tables(): readonly string[] {
    return this.manifest.request.tables;
  }

  /**
   * A table, read when it is collected: polars reads only the columns, files and rows that are
   * needed.
   *
   * @throws {InputError} If the dataset has no such table.
   */
  table(name: string): LazyFrame {
    requireWord(name, this.tables, { action: "Cannot open a table", what: "table" });
    const pattern = isPartitioned(this.manifest) ? "*/*.parquet" : "*.parquet";
    return scanParquet(this.#paths.file(`${name}/${pattern}`));
  }

  /** All competitions, by auction id. */
  async *competitions(): AsyncGenerator<Competition, void, undefined> {
    for await (const record of this.#records()) {
      if (record.kind === "competition") yield record.competition;
    }
  }

  /** All orders: of one file of answers after another, by UID. */
  async *orders(): AsyncGenerator<Order, void, undefined> {
    for await (const record of this.#records()) if (record.kind === "order") yield record.order;
  }

  /** All fills: of one file of answers after another, by the UID of their order. */
  async *trades(): AsyncGenerator<Trade, void, undefined> {
    for await (const record of this.#records()) if (record.kind === "trade") yield record.trade;
  }

  /** All debug reports: of one file of answers after another, by UID. */
  async *debugReports(): AsyncGenerator<DebugReport, void, undefined> {
    for await (const record of this.#records()) if (record.kind === "report") yield record.report;
  }

  /**
   * Answers a request from the answers of the export, so that `connect(dataset)` is a book. The first
   * request reads all of them into memory.
   *
   * @throws {NotRecordedError} If the export has no answer.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#replay ??= replay(this.folder.includes("/") ? this.folder : `./${this.folder}`);
    return await (await this.#replay).send(request);
  }

  async *#records(): AsyncGenerator<ShardRecord, void, undefined> {
    for (const { path } of this.manifest.files) {
      if (path.startsWith("raw/")) yield* shardRecords(this.#paths.file(path));
    }
  }
}

/**
 * Opens an exported dataset.
 *
 * Needs no more than to read its folder; a dataset may be opened while its export goes on.
 *
 * @param folder Folder of the dataset.
 * @throws {InputError} If it is not a dataset, or of another version.
 *
 * @example A dataset as a table, as records and as a book
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset, openDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await exportDataset(connect(await replay("market_1")), folder, {
 *   auctions: { from: 2620, to: 2624 },
 * });
 * const dataset = await openDataset(folder);
 *
 * const solutions = await dataset.table("solutions").collect();
 * const competitions = await Array.fromAsync(dataset.competitions());
 * const latest = await connect(dataset).competition("latest");
 *
 * assertEquals(solutions.height, competitions.flatMap(({ solutions }) => solutions).length);
 * assertEquals(latest.auctionId, 2624);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openDataset(folder: string | URL): Promise<Dataset> {
  const paths = new DatasetPaths(folder);
  const manifest = await readManifest(paths);
  const { deployment } = await readFacts(paths.file("deployment.json"));
  return new Dataset(paths, manifest, deployment);
}
