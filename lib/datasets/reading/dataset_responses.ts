import { parseInstancePath } from "../../endpoints/instances.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { Responses } from "../../recordings/responses.ts";
import {
  findOtherSpelling,
  parseSettlement,
  type RecordedSettlement,
  Recording,
} from "../../recordings/recording.ts";
import {
  collectOrders,
  composeByUids,
  isByUids,
  parseRowRange,
  parseUids,
} from "../../recordings/recorded_lists.ts";
import {
  type Exchange,
  normalizePath,
  type RecordedResponse,
  toRoute,
} from "../../recordings/request_key.ts";
import { findFilesByValue, findRowsWithWord } from "../../tables/columns/frame_files.ts";
import {
  type DatasetPaths,
  SELECTED_ORDERS,
  toRawPath,
  toShard,
  toShardName,
} from "../layout/files.ts";
import { type DatasetManifest, listRaws } from "../layout/manifest.ts";
import {
  LineCache,
  ResponseFile,
  toCompetitionGroup,
  toGroup,
  toOrderGroup,
  toSettlementGroup,
} from "./response_file.ts";
import { SETTLEMENT_TABLES } from "../shards/published_tables.ts";

const COMPETITION =
  /^\/api\/v2\/solver_competition\/(?:(\d+)|(latest)|by_tx_hash\/(0x[0-9a-f]{64}))$/;
const UID_PATTERN = /0x[0-9a-f]{112}/;

/**
 * The responses of a dataset, each read when it is requested: auction ids determine the file, and the
 * tables that of an order. Without these tables, files are searched one after another.
 */
export class DatasetResponses {
  readonly #paths: DatasetPaths;
  readonly #manifest: DatasetManifest;
  readonly #files: ResponseFiles;
  readonly #baseUrl: string;
  readonly #orders: OrderFiles;

  constructor(paths: DatasetPaths, manifest: DatasetManifest, baseUrl: string) {
    this.#paths = paths;
    this.#manifest = manifest;
    this.#files = new ResponseFiles(paths, manifest);
    this.#baseUrl = baseUrl;
    this.#orders = new OrderFiles(this.#toPattern("orders"));
  }

  /**
   * Returns the response to a request.
   *
   * @throws {NotRecordedError} If the export has none.
   */
  async respond(request: HttpRequest): Promise<RecordedResponse> {
    const { method, path, body } = request;
    const key = normalizePath(path);
    const competition = method === "GET" ? COMPETITION.exec(key) : null;
    const instanceOf = method === "GET" ? parseInstancePath(key) : null;
    const response = competition !== null
      ? await this.#findCompetition(competition)
      : instanceOf !== null
      ? await this.#findLast(instanceOf, key)
      : isByUids(method, path)
      ? await this.#findByUids(body)
      : method === "GET"
      ? this.#replay(await this.#findExchanges(key), request)
      : undefined;
    if (response === undefined) throw this.#createMissingError(request, key);
    return response;
  }

  /**
   * Finds a node's responses about settlements, by hash, without those that the export lacks. Each file
   * is unpacked once for all of them, in the order of its lines.
   */
  async findSettlements(
    txHashes: Iterable<string>,
  ): Promise<Map<string, readonly RecordedSettlement[]>> {
    const settlements = new Map<string, readonly RecordedSettlement[]>();
    const hashes = [...new Set(txHashes)].sort();
    if (hashes.length === 0 || !SETTLEMENT_TABLES.some((name) => this.#has(name))) {
      return settlements;
    }
    for (const path of await this.#findSettlementFiles(hashes)) {
      const file = await this.#files.open(path);
      const groups = await file.listGroups();
      for (const txHash of hashes) {
        const group = toSettlementGroup(txHash);
        if (settlements.has(txHash) || !groups.has(group)) continue;
        const responses = (await file.readExchanges(group)).map(parseSettlement);
        settlements.set(txHash, responses.filter((response) => response !== null));
      }
    }
    return settlements;
  }

  async #findSettlementFiles(txHashes: readonly string[]): Promise<readonly string[]> {
    const { paths } = this.#files;
    if (!this.#has("settlements") || paths.length === 1) return paths;
    const files = await findFilesByValue(this.#toPattern("settlements"), "tx_hash", txHashes);
    const names = new Set(Array.from(files.values(), toShardName));
    return paths.filter((path) => names.has(toShardName(path)));
  }

  async #findCompetition(
    [, id, latest, hash]: RegExpExecArray,
  ): Promise<RecordedResponse | undefined> {
    if (latest !== undefined) {
      const latestId = this.#manifest.ids.present.at(-1)?.[1];
      return await this.#findAuction(latestId ?? (await this.listAuctionIds()).at(-1) ?? null);
    }
    if (id !== undefined) return await this.#findAuction(Number(id));
    const group = toGroup(`/api/v2/solver_competition/by_tx_hash/${hash}`);
    const recorded = this.#isRouteKept(group)
      ? await this.#readGroups(this.#files.paths, [group])
      : [];
    return recorded.at(-1) ?? await this.#findAuction(await this.#findSettledAuction(hash!));
  }

  async #findAuction(auctionId: number | null): Promise<RecordedResponse | undefined> {
    if (auctionId === null) return undefined;
    const { beforeHistory } = this.#manifest.ids;
    const group = toCompetitionGroup(auctionId);
    if (beforeHistory.some(([from, to]) => from <= auctionId && auctionId <= to)) {
      const walked = { from: auctionId, to: auctionId };
      const noResponses = new Responses(new Recording([]), { name: this.#baseUrl, walked });
      return noResponses.respond({ method: "GET", path: group });
    }
    return await this.#findLast(auctionId, group);
  }

  /** Finds the last response of a group in the file of an auction. */
  async #findLast(auctionId: number, group: string): Promise<RecordedResponse | undefined> {
    const path = this.#files.findPath(auctionId);
    const file = path === undefined ? undefined : await this.#files.open(path);
    return (await file?.readExchanges(group))?.at(-1);
  }

  /** Lists the ids of its auctions, ascending. */
  async listAuctionIds(): Promise<number[]> {
    const { present } = this.#manifest.ids;
    const ids = present.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
    );
    if (ids.length > 0 || this.#manifest.range !== null) return ids;
    for (const path of this.#files.paths) {
      for (const group of (await (await this.#files.open(path)).listGroups()).keys()) {
        const id = COMPETITION.exec(group)?.[1];
        if (id !== undefined) ids.push(Number(id));
      }
    }
    return ids.sort((a, b) => a - b);
  }

  async #findSettledAuction(hash: string): Promise<number | null> {
    if (!this.#has("auctions")) return null;
    const [row] = await findRowsWithWord(this.#toPattern("auctions"), {
      column: "tx_hashes",
      word: hash,
      select: ["auction_id"],
    });
    return row === undefined ? null : Number(row.auction_id);
  }

  async #findByUids(body: string | undefined): Promise<RecordedResponse | undefined> {
    const uids = parseUids(body);
    if (uids === undefined) return undefined;
    const exchanges = await this.#findOrders(uids, uids.map(toOrderGroup));
    const elements = new Map(collectOrders(new Recording(exchanges)).elements);
    const missing = uids.filter((uid) => !elements.has(uid));
    const listed = await this.#findListed(missing);
    for (const uid of missing) if (!listed.has(uid)) elements.set(uid, null);
    return composeByUids({ elements, mentioned: () => listed }, body);
  }

  /** Finds the orders without a body that exist, since auctions list them. */
  async #findListed(uids: readonly string[]): Promise<ReadonlySet<string>> {
    if (uids.length === 0 || !this.#has("order_listings")) return new Set();
    const files = await findFilesByValue(this.#toPattern("order_listings"), "order_uid", uids);
    return new Set(files.keys());
  }

  /** Finds the exchanges for the response to a GET. */
  async #findExchanges(key: string): Promise<Exchange[]> {
    const groups = [key, findOtherSpelling(key)].flatMap((spelling) => spelling ?? []).map(toGroup);
    const uid = UID_PATTERN.exec(key)?.[0];
    if (uid !== undefined) return await this.#findOrders([uid], groups);
    // Lists of accounts, and documents: an export that requested none need not be searched.
    return this.#isRouteKept(key) ? await this.#readGroups(this.#files.paths, groups) : [];
  }

  async #findOrders(uids: readonly string[], groups: readonly string[]): Promise<Exchange[]> {
    const files = this.#files.paths;
    if (files.length === 1 || !this.#has("orders")) return await this.#readGroups(files, groups);
    const names = await this.#orders.findNames(uids);
    return await this.#readGroups(files.filter((path) => names.has(toShardName(path))), groups);
  }

  async #readGroups(paths: readonly string[], groups: readonly string[]): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    for (const path of paths) {
      const file = await this.#files.open(path);
      const fileGroups = await file.listGroups();
      for (const group of groups) {
        if (!fileGroups.has(group)) continue;
        for (const exchange of await file.readExchanges(group)) exchanges.push(exchange);
      }
    }
    return exchanges;
  }

  /** Replays exchanges as a recording of them alone. */
  #replay(exchanges: readonly Exchange[], request: HttpRequest): RecordedResponse | undefined {
    if (exchanges.length === 0) return undefined;
    return new Responses(new Recording(exchanges), { name: this.#baseUrl }).respond(request);
  }

  #createMissingError({ method, path }: HttpRequest, key: string): NotRecordedError {
    const routes = Object.entries(this.#manifest.answers);
    const isList = parseRowRange(path) !== undefined;
    return new NotRecordedError(`Cannot answer ${method} ${path}: the export has no response`, {
      facts: {
        dataset: this.#baseUrl,
        "stored responses": routes.map(([route, count]) => `${route} (${count})`).join(", "),
      },
      isRouteRecorded: this.#isRouteKept(key, method),
      remedy: isList
        ? "Read the records or the tables of the dataset, or export the `owner` with its list"
        : "Request only what the manifest lists, or export a range that has it",
    });
  }

  /** Whether the export has any response of a route, in either spelling. */
  #isRouteKept(key: string, method = "GET"): boolean {
    return [key, findOtherSpelling(key)].some((spelling) =>
      spelling !== undefined && `${method} ${toRoute(spelling)} 200` in this.#manifest.answers
    );
  }

  #has(table: string): boolean {
    return this.#manifest.request.tables.includes(table);
  }

  #toPattern(name: string): string {
    return this.#paths.pattern(`${name}/*.parquet`);
  }
}

/** Files whose index is cached: an index has a name per item. */
const MAX_OPEN_FILES = 8;

/** The files of responses of a dataset, opened on demand. */
class ResponseFiles {
  /** Paths of all files, as the manifest has them. */
  readonly paths: readonly string[];
  readonly #folder: DatasetPaths;
  readonly #recent = new LineCache();
  readonly #files = new Map<string, ResponseFile>();

  constructor(folder: DatasetPaths, manifest: DatasetManifest) {
    this.#folder = folder;
    this.paths = listRaws(manifest).map(({ path }) => path);
  }

  /** Finds the path of the file that would have an auction. */
  findPath(auctionId: number): string | undefined {
    const selected = toRawPath(SELECTED_ORDERS);
    return [toRawPath(toShard(auctionId)), selected].find((path) => this.paths.includes(path));
  }

  /** Opens a file by its path; closes the least recently used ones. */
  async open(path: string): Promise<ResponseFile> {
    const file = this.#files.get(path) ?? new ResponseFile(this.#folder.file(path), this.#recent);
    this.#files.delete(path);
    this.#files.set(path, file);
    for (const [oldest, old] of this.#files) {
      if (this.#files.size <= MAX_OPEN_FILES) break;
      this.#files.delete(oldest);
      await old.close();
    }
    return file;
  }
}

/** Orders whose file is cached: their fills and reports are requested next. */
const MAX_CACHED_ORDERS = 20_000;

/** Finds the files of orders through the table of orders. */
class OrderFiles {
  readonly #pattern: string;
  readonly #names = new Map<string, string>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Finds the names of the files that have some orders, without folder and extension. */
  async findNames(uids: readonly string[]): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    const uncached: string[] = [];
    for (const uid of uids) {
      const name = this.#names.get(uid);
      if (name === undefined) uncached.push(uid);
      else names.add(name);
    }
    if (uncached.length === 0) return names;
    for (const [uid, file] of await findFilesByValue(this.#pattern, "order_uid", uncached)) {
      const name = toShardName(file);
      names.add(name);
      this.#names.set(uid, name);
    }
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= MAX_CACHED_ORDERS) break;
      this.#names.delete(oldest);
    }
    return names;
  }
}
