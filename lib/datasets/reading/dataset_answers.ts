import { NotRecordedError } from "../../errors/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { Answers } from "../../recordings/answers.ts";
import {
  otherSpelling,
  recordedSettlement,
  type RecordedSettlementAnswer,
  Recording,
} from "../../recordings/recording.ts";
import {
  composeByUids,
  isByUids,
  recordedOrders,
  rowRangeOf,
  uidsOf,
} from "../../recordings/recorded_lists.ts";
import { type Answer, type Exchange, pathKey, routeOf } from "../../recordings/request_key.ts";
import { findFilesByValue, findRowsWithWord } from "../../tables/columns/frame_files.ts";
import { type DatasetPaths, rawPath, SELECTED_ORDERS, shardIn, shardOf } from "../layout/files.ts";
import { type DatasetManifest, rawsOf } from "../layout/manifest.ts";
import {
  AnswerFile,
  competitionGroup,
  groupOf,
  orderGroup,
  RecentLines,
  settlementGroup,
} from "./answer_file.ts";
import { SETTLEMENT_TABLES } from "../shards/published_tables.ts";

const COMPETITION =
  /^\/api\/v2\/solver_competition\/(?:(\d+)|(latest)|by_tx_hash\/(0x[0-9a-f]{64}))$/;
const UID = /0x[0-9a-f]{112}/;

/**
 * The answers of a dataset, each read when it is asked for: auction ids name the file, and the tables
 * say in which one an order is. Without these tables, files are searched one after another.
 */
export class DatasetAnswers {
  readonly #paths: DatasetPaths;
  readonly #manifest: DatasetManifest;
  readonly #files: AnswerFiles;
  readonly #baseUrl: string;
  readonly #orders: OrderPlaces;

  /** Reads nothing yet. */
  constructor(paths: DatasetPaths, manifest: DatasetManifest, baseUrl: string) {
    this.#paths = paths;
    this.#manifest = manifest;
    this.#files = new AnswerFiles(paths, manifest);
    this.#baseUrl = baseUrl;
    this.#orders = new OrderPlaces(this.#tables("orders"));
  }

  /**
   * The answer to a request.
   *
   * @throws {NotRecordedError} If the export has none.
   */
  async to(request: HttpRequest): Promise<Answer> {
    const { method, path, body } = request;
    const key = pathKey(path);
    const competition = method === "GET" ? COMPETITION.exec(key) : null;
    const answer = competition !== null
      ? await this.#competition(competition)
      : isByUids(method, path)
      ? await this.#byUids(body)
      : method === "GET"
      ? this.#from(await this.#exchangesOf(key), request)
      : undefined;
    if (answer === undefined) throw this.#notExported(request, key);
    return answer;
  }

  /**
   * What a node answered about settlements, by hash; those that the export does not have are absent.
   * Each file is unpacked once for all of them, in the order of its lines.
   */
  async settlements(
    txHashes: Iterable<string>,
  ): Promise<Map<string, readonly RecordedSettlementAnswer[]>> {
    const found = new Map<string, readonly RecordedSettlementAnswer[]>();
    const wanted = [...new Set(txHashes)].sort();
    if (wanted.length === 0 || !SETTLEMENT_TABLES.some((name) => this.#has(name))) return found;
    for (const path of await this.#filesOfSettlements(wanted)) {
      const file = await this.#files.at(path);
      const groups = await file.groups();
      for (const txHash of wanted) {
        const group = settlementGroup(txHash);
        if (found.has(txHash) || !groups.has(group)) continue;
        const answers = (await file.exchanges(group)).map(recordedSettlement);
        found.set(txHash, answers.filter((one) => one !== null));
      }
    }
    return found;
  }

  async #filesOfSettlements(txHashes: readonly string[]): Promise<readonly string[]> {
    const { paths } = this.#files;
    if (!this.#has("settlements") || paths.length === 1) return paths;
    const found = await findFilesByValue(this.#tables("settlements"), "tx_hash", txHashes);
    const names = new Set(Array.from(found.values(), shardIn));
    return paths.filter((path) => names.has(shardIn(path)));
  }

  async #competition(
    [, id, latest, hash]: RegExpExecArray,
  ): Promise<Answer | undefined> {
    if (latest !== undefined) {
      const known = this.#manifest.ids.present.at(-1)?.[1];
      return await this.#ofAuction(known ?? (await this.auctionIds()).at(-1) ?? null);
    }
    if (id !== undefined) return await this.#ofAuction(Number(id));
    const group = groupOf(`/api/v2/solver_competition/by_tx_hash/${hash}`);
    const recorded = this.#isRouteKept(group) ? await this.#in(this.#files.paths, [group]) : [];
    return recorded.at(-1) ?? await this.#ofAuction(await this.#auctionSettledBy(hash!));
  }

  async #ofAuction(auctionId: number | null): Promise<Answer | undefined> {
    if (auctionId === null) return undefined;
    const { beforeHistory } = this.#manifest.ids;
    const group = competitionGroup(auctionId);
    if (beforeHistory.some(([from, to]) => from <= auctionId && auctionId <= to)) {
      const walked = { from: auctionId, to: auctionId };
      const none = new Answers(new Recording([]), { name: this.#baseUrl, walked });
      return none.to({ method: "GET", path: group });
    }
    const path = this.#files.ofAuction(auctionId);
    const file = path === undefined ? undefined : await this.#files.at(path);
    return (await file?.exchanges(group))?.at(-1);
  }

  /** Ids of the auctions that it has, ascending. */
  async auctionIds(): Promise<number[]> {
    const { present } = this.#manifest.ids;
    const ids = present.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, place) => from + place)
    );
    if (ids.length > 0 || this.#manifest.range !== null) return ids;
    for (const path of this.#files.paths) {
      for (const group of (await (await this.#files.at(path)).groups()).keys()) {
        const id = COMPETITION.exec(group)?.[1];
        if (id !== undefined) ids.push(Number(id));
      }
    }
    return ids.sort((a, b) => a - b);
  }

  async #auctionSettledBy(hash: string): Promise<number | null> {
    if (!this.#has("auctions")) return null;
    const [row] = await findRowsWithWord(this.#tables("auctions"), {
      column: "tx_hashes",
      word: hash,
      select: ["auction_id"],
    });
    return row === undefined ? null : Number(row.auction_id);
  }

  async #byUids(body: string | undefined): Promise<Answer | undefined> {
    const uids = uidsOf(body);
    if (uids === undefined) return undefined;
    const exchanges = await this.#ofOrders(uids, uids.map(orderGroup));
    const elements = new Map(recordedOrders(new Recording(exchanges)).elements);
    const others = uids.filter((uid) => !elements.has(uid));
    const listed = await this.#listed(others);
    for (const uid of others) if (!listed.has(uid)) elements.set(uid, null);
    return composeByUids({ elements, mentioned: () => listed }, body);
  }

  /** Which of some orders without a body exist, since auctions list them. */
  async #listed(uids: readonly string[]): Promise<ReadonlySet<string>> {
    if (uids.length === 0 || !this.#has("order_listings")) return new Set();
    const files = await findFilesByValue(this.#tables("order_listings"), "order_uid", uids);
    return new Set(files.keys());
  }

  /** What there is towards the answer of a GET. */
  async #exchangesOf(key: string): Promise<Exchange[]> {
    const groups = [key, otherSpelling(key)].flatMap((one) => one ?? []).map(groupOf);
    const uid = UID.exec(key)?.[0];
    if (uid !== undefined) return await this.#ofOrders([uid], groups);
    // Lists of accounts, and documents: an export that asked for none need not be searched.
    return this.#isRouteKept(key) ? await this.#in(this.#files.paths, groups) : [];
  }

  async #ofOrders(uids: readonly string[], groups: readonly string[]): Promise<Exchange[]> {
    const files = this.#files.paths;
    if (files.length === 1 || !this.#has("orders")) return await this.#in(files, groups);
    const names = await this.#orders.of(uids);
    return await this.#in(files.filter((path) => names.has(shardIn(path))), groups);
  }

  async #in(paths: readonly string[], groups: readonly string[]): Promise<Exchange[]> {
    const found: Exchange[] = [];
    for (const path of paths) {
      const file = await this.#files.at(path);
      const own = await file.groups();
      for (const group of groups) {
        if (!own.has(group)) continue;
        for (const exchange of await file.exchanges(group)) found.push(exchange);
      }
    }
    return found;
  }

  /** Answers from exchanges as a recording of them alone does. */
  #from(exchanges: readonly Exchange[], request: HttpRequest): Answer | undefined {
    if (exchanges.length === 0) return undefined;
    return new Answers(new Recording(exchanges), { name: this.#baseUrl }).to(request);
  }

  #notExported({ method, path }: HttpRequest, key: string): NotRecordedError {
    const routes = Object.entries(this.#manifest.answers);
    const isList = rowRangeOf(path) !== undefined;
    return new NotRecordedError(`Cannot answer ${method} ${path}: the export has no answer`, {
      facts: {
        dataset: this.#baseUrl,
        "answers kept": routes.map(([route, count]) => `${route} (${count})`).join(", "),
      },
      isRouteRecorded: this.#isRouteKept(key, method),
      remedy: isList
        ? "Read the records or the tables of the dataset, or export the `owner`, whose list is kept"
        : "Ask only for what the manifest names, or export a range that has it",
    });
  }

  /** Whether the export has any answer of a route, in either spelling. */
  #isRouteKept(key: string, method = "GET"): boolean {
    return [key, otherSpelling(key)].some((one) =>
      one !== undefined && `${method} ${routeOf(one)} 200` in this.#manifest.answers
    );
  }

  #has(table: string): boolean {
    return this.#manifest.request.tables.includes(table);
  }

  #tables(name: string): string {
    return this.#paths.pattern(`${name}/*.parquet`);
  }
}

/** Files whose index is kept: an index has a name for each thing that was asked for. */
const FILES_KEPT = 8;

/** The files of answers of a dataset, opened when something of theirs is asked for. */
class AnswerFiles {
  /** Paths of all files, as the manifest has them. */
  readonly paths: readonly string[];
  readonly #folder: DatasetPaths;
  readonly #recent = new RecentLines();
  readonly #open = new Map<string, AnswerFile>();

  /** Reads nothing yet. */
  constructor(folder: DatasetPaths, manifest: DatasetManifest) {
    this.#folder = folder;
    this.paths = rawsOf(manifest).map(({ path }) => path);
  }

  /** The path of the file that would have an auction; `undefined` if the dataset has none. */
  ofAuction(auctionId: number): string | undefined {
    const selected = rawPath(SELECTED_ORDERS);
    return [rawPath(shardOf(auctionId)), selected].find((path) => this.paths.includes(path));
  }

  /** A file by its path; the ones that were used least recently are closed. */
  async at(path: string): Promise<AnswerFile> {
    const file = this.#open.get(path) ?? new AnswerFile(this.#folder.file(path), this.#recent);
    this.#open.delete(path);
    this.#open.set(path, file);
    for (const [oldest, old] of this.#open) {
      if (this.#open.size <= FILES_KEPT) break;
      this.#open.delete(oldest);
      await old.close();
    }
    return file;
  }
}

/** Orders whose file is remembered: their fills and reports are asked for next. */
const REMEMBERED = 20_000;

/** Finds the files of orders through the table of orders. */
class OrderPlaces {
  readonly #pattern: string;
  readonly #known = new Map<string, string>();

  /** Reads nothing yet. */
  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Names of the files that have some orders, without folder and extension. */
  async of(uids: readonly string[]): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    const unknown: string[] = [];
    for (const uid of uids) {
      const name = this.#known.get(uid);
      if (name === undefined) unknown.push(uid);
      else names.add(name);
    }
    if (unknown.length === 0) return names;
    for (const [uid, file] of await findFilesByValue(this.#pattern, "order_uid", unknown)) {
      const name = shardIn(file);
      names.add(name);
      this.#known.set(uid, name);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(oldest);
    }
    return names;
  }
}
