import type { AuditedSettlement, OrderBook } from "../client/mod.ts";
import { IN_PROCESS_URL } from "../client/connect.ts";
import { isLive } from "../client/recent_auctions.ts";
import { Dataset } from "../datasets/mod.ts";
import { describeOrders, listMissing } from "../datasets/state/dataset_gaps.ts";
import { InputError, NotRecordedError } from "../errors/mod.ts";
import { settlement } from "../evm/mod.ts";
import { limitToStatus } from "../metrics/orders/calculate_status.ts";
import type { SettlementAudit } from "../metrics/mod.ts";
import { NETWORKS } from "../networks/networks.ts";
import { type MimeBundle, render } from "../notebook/mod.ts";
import type {
  AccountReport,
  AuctionReport,
  InspectNounOptions,
  OrderReport,
  SolverReport,
  TransactionReport,
} from "../reports/mod.ts";
import type { Order } from "../schemas/mod.ts";
import type { OwnTable, QueryOptions, SqlOptions, SqlRow, SqlSession } from "../sql/mod.ts";
import { writeRows, type WriteRowsOptions, type WrittenRows } from "../sql/write_rows.ts";
import { setSolverNames } from "../tables/columns/frame_files.ts";
import {
  buildTable,
  type Frame,
  type MarketTables,
  MARKOUT,
  type NamedSolver,
  type PriceSeries,
  type ReadRecords,
  type Records,
  TOKEN_FLOWS,
  WINNERS_CURSE,
} from "../tables/mod.ts";
import { readViews } from "../sql/catalogue.ts";
import { isFrame, type TableFrame } from "../sql/frame_tables.ts";
import { readFrame } from "../sql/result_frame.ts";
import { sameHex } from "../units/mod.ts";
import {
  formatOrders,
  listGaps,
  type MarketDescription,
  type MarketSpan,
  measureSpan,
  requireUnbidOrders,
  summarize,
} from "./describe_market.ts";
import { readInstances } from "./market_instances.ts";
import type { MarketOptions, OrderPopulation } from "./market_options.ts";
import {
  chooseNode,
  choosePopulation,
  listSolvers,
  type MarketOrigin,
  type MarketRecords,
  type MarketTokens,
  readAudits,
  readRecords,
  readTokens,
  readWrappedToken,
  requireNode,
} from "./market_records.ts";
import {
  createSqlTables,
  MARKET_TABLES,
  MARKET_VIEWS,
  type MarketViews,
  TABLE_METHODS,
  toTableRecords,
} from "./market_tables.ts";
import {
  compareRecords,
  countRequests,
  type MarketChanges,
  reopenDataset,
  toUnchanged,
} from "./refresh.ts";
import { readVerdicts } from "./verdicts.ts";

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Keys of the SQL session and of the records in the cache. */
const SQL_KEY = "sql";
const RECORDS_KEY = "records";

/** Limits of a query: signal, rows and memory; and tables of the caller. */
export interface MarketQueryOptions extends QueryOptions, Pick<SqlOptions, "memoryLimit"> {
  /**
   * Frames, arrays of rows, or paths of CSV, Parquet or JSON files, that the query may name in addition
   * to the tables. A column whose name ends in `_atoms` is an amount; addresses, hashes and order UIDs
   * are in lower case there, as in all tables, so that they join.
   */
  readonly with?: Readonly<Record<string, OwnTable>> | undefined;
}

/** Options of {@linkcode Market.write}. */
export interface MarketWriteOptions
  extends WriteRowsOptions, Pick<MarketQueryOptions, "with" | "memoryLimit" | "signal"> {}

/** The tables of {@linkcode MarketTables} and the views of {@linkcode MarketViews} are methods of a market. */
export interface Market extends MarketTables, MarketViews {}

/**
 * A range of auctions with all of its records, read on first use and cached.
 *
 * Each method of {@linkcode MarketTables} and {@linkcode MarketViews} gives the frame of one table or view.
 * {@linkcode openMarket} opens a market.
 */
export class Market implements AsyncDisposable {
  /** Name in figures. */
  readonly source: string;
  /** Symbol of the native token, in which scores and values are. */
  readonly nativeSymbol: string;
  /** The option of every figure that names the source below it. */
  readonly caption: { readonly source: string };
  /** `caption` for figures of scores and values. */
  readonly nativeCaption: { readonly source: string; readonly nativeSymbol: string };
  /** The option of `explore` that links to the explorers of its network. */
  readonly links: { readonly href: string | null };
  #origin: MarketOrigin;
  readonly #options: MarketOptions;
  /** Names of solvers of the source and of the options. */
  readonly #solvers: readonly NamedSolver[];
  /** The dataset whose published tables are read; `null` where tables are derived. */
  #published: Dataset | null;
  #cache = new Map<string, Promise<unknown>>();
  /** Queries that are running: they end on the records with which they began. */
  readonly #running = new Set<Promise<unknown>>();
  #refreshing: Promise<MarketChanges> | null = null;

  /** Binds a market to its parts; {@linkcode openMarket} creates markets. */
  constructor(origin: MarketOrigin, options: MarketOptions) {
    this.source = options.label ?? formatLabel(origin.book);
    const { chainId } = origin.book;
    const network = Object.values(NETWORKS).find((candidate) => candidate.chainId === chainId);
    this.nativeSymbol = network?.nativeToken.symbol ?? "ETH";
    this.caption = { source: this.source };
    this.nativeCaption = { source: this.source, nativeSymbol: this.nativeSymbol };
    this.links = { href: origin.book.network?.name ?? null };
    this.#origin = origin;
    this.#solvers = listSolvers(origin, options);
    // Names may be an iterable that can be read once.
    this.#options = { ...options, solverNames: this.#solvers };
    this.#published = findPublished(origin, options);
    for (const name of TABLE_METHODS) this[name] = () => this.#readTable(name);
    const views = Object.entries(MARKET_VIEWS) as [keyof MarketViews, string][];
    for (const [name, view] of views) {
      this[name] = () => this.#readOnce(name, () => this.#readView(view));
    }
  }

  /** The deployment, recording or dataset behind it: every operation of the API. */
  get book(): OrderBook {
    return this.#origin.book;
  }

  /**
   * Reads the records: competitions, orders with their fills and debug reports, times, and facts of
   * tokens, the input of metrics and tables.
   */
  records(): Promise<MarketRecords> {
    return this.#readOnce(RECORDS_KEY, () => readRecords(this.#origin, this.#options));
  }

  /**
   * Reads what is new in a live deployment; tables, views and queries then have it, as those of a market
   * that is opened now.
   *
   * It requests the latest competition and the auctions since, and again ids of the last hour without a
   * competition, which may get one; orders that may still change, 128 at a time; of orders that changed
   * their fills and debug reports, and the auctions that may have settled them. An order with a debug
   * report that is open gets a new one if there were auctions. A market without changes takes one
   * request, one for each such id and one for each 128 orders that may change. If a request fails, the
   * market stays as it was.
   *
   * The folder of a dataset is read again if its manifest changed; recordings do not change.
   *
   * @throws {OrderlensError} If a request fails.
   *
   * @example Five auctions later
   * ```ts
   * import { openMarket } from "orderlens/market";
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
   * await using market = await openMarket(sandbox);
   * const before = (await market.auctions()).height;
   * await sandbox.advance({ auctions: 5 });
   * const { requests } = await market.refresh();
   *
   * assertEquals((await market.auctions()).height - before, 5);
   * assertEquals((await market.refresh()).auctions, 0);
   * assertEquals(requests! < 50, true);
   * ```
   */
  refresh(): Promise<MarketChanges> {
    this.#refreshing ??= this.#refresh().finally(() => this.#refreshing = null);
    return this.#refreshing;
  }

  async #refresh(): Promise<MarketChanges> {
    const { book, origin } = this.#origin;
    if (origin instanceof Dataset) {
      const reopened = await reopenDataset(this.#origin, origin);
      if (reopened === null) return toUnchanged("Nothing changed: the dataset is as it was read");
      await this.#replace([], reopened.origin);
      return reopened.changes;
    }
    if (!isLive(book)) return toUnchanged("Nothing can change: a recording is complete");
    const sentBefore = countRequests(book);
    const earlier = await this.#readHeldRecords();
    const records = await readRecords(this.#origin, this.#options, earlier);
    await this.#replace([[RECORDS_KEY, Promise.resolve(records)]]);
    const sent = countRequests(book);
    const requests = sent === null || sentBefore === null ? null : sent - sentBefore;
    return compareRecords(earlier, records, requests);
  }

  /** Returns the records that were read; `null` without any. */
  async #readHeldRecords(): Promise<MarketRecords | null> {
    try {
      return (await this.#cache.get(RECORDS_KEY) ?? null) as MarketRecords | null;
    } catch {
      return null;
    }
  }

  /** Replaces all that was read and computed, once the queries that are running have ended. */
  async #replace(
    entries: readonly [string, Promise<unknown>][],
    origin: MarketOrigin = this.#origin,
  ): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
    const session = this.#cache.get(SQL_KEY) as Promise<SqlSession> | undefined;
    this.#cache = new Map(entries);
    this.#origin = origin;
    this.#published = findPublished(origin, this.#options);
    (await session)?.[Symbol.dispose]();
  }

  /** Runs a query that a refresh waits for. */
  async #track<Value>(run: () => Promise<Value>): Promise<Value> {
    const running = run();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /**
   * Reads its settlements, each compared with the chain: the audit, or the reason why there is none.
   * Without a node nothing is compared, as `describe` says.
   */
  audits(): Promise<readonly AuditedSettlement[]> {
    return this.#readOnce("audits", async () => {
      return await readAudits(this.#origin, await this.records(), this.#options);
    });
  }

  /**
   * Judges each of its orders, one row per order: the verdict, its cause and the next step, as `order`
   * gives them without a node. That takes some 2 ms an order, and requests for what the records lack,
   * such as the stage of an open order without a debug report.
   *
   * @example Causes of cancelled orders
   * ```ts
   * import { openMarket } from "orderlens/market";
   * import { assertEquals } from "@std/assert";
   *
   * await using market = await openMarket("market_1", { last: 60 });
   * const verdicts = await market.verdicts();
   * const rows = await market.sql(
   *   "SELECT cause, count(*) AS orders FROM orders JOIN verdicts USING (order_uid) " +
   *     "WHERE status = 'cancelled' GROUP BY cause ORDER BY cause",
   *   { with: { verdicts } },
   * );
   *
   * assertEquals(rows, [{ cause: "cancelled", orders: 1 }]);
   * ```
   */
  verdicts(): Promise<Frame> {
    return this.#readOnce("verdicts", async () => {
      const { signal } = this.#options;
      const records = this.#published === null ? await this.records() : null;
      const orders = records?.orders ?? await Array.fromAsync(this.#published!.orders());
      return await readVerdicts({ book: this.book, records, orders, signal });
    });
  }

  /**
   * Reads facts of tokens: options of `show`, for amounts in whole tokens and links.
   *
   * @param traded Addresses of the tokens, to read no others. @default {those of its orders}
   */
  async tokens(traded?: readonly string[]): Promise<MarketTokens> {
    if (traded === undefined) return (await this.records()).tokens;
    return await readTokens(this.#origin, traded, this.#options);
  }

  /**
   * Compares each fill with later prices, one row per fill.
   *
   * @param prices Prices over time, such as `priceSeries` makes.
   * @param options Delay of the prices after a fill.
   */
  async markout(
    prices: PriceSeries,
    options: Pick<Records, "delayMs"> = {},
  ): Promise<Frame> {
    const sources = await this.#readSources();
    return buildTable(MARKOUT, { ...sources, ...options, records: sources.records ?? [], prices });
  }

  /**
   * Measures whether winners against more bidders pay more, by prices after each fill, one row per number
   * of bidders.
   *
   * @param prices Prices over time, such as `priceSeries` makes.
   * @param options Delay of the prices after a fill.
   */
  async winnersCurse(
    prices: PriceSeries,
    options: Pick<Records, "delayMs"> = {},
  ): Promise<Frame> {
    return buildTable(WINNERS_CURSE, {
      markouts: (await this.markout(prices, options)).toRecords(),
    });
  }

  /**
   * Lists the token flows between accounts in one settlement, one row per flow.
   *
   * @throws {InputError} Without a node.
   */
  async tokenFlows(txHash: string): Promise<Frame> {
    const node = requireNode(this.#origin, this.#options);
    const onchain = await settlement(node, txHash);
    const traded = onchain.transfers.map(({ token }) => token);
    const tokens = await readTokens(this.#origin, [...traded, ...onchain.tokens], {
      ...this.#options,
      node,
    });
    return buildTable(TOKEN_FLOWS, {
      onchainSettlements: [onchain],
      ...tokens,
      ...readWrappedToken(this.#origin),
    });
  }

  /**
   * Queries its tables in SQL, by the names of the data dictionary, such as `fills` or `solution_orders`,
   * and the views that add them up, such as `leaderboard`. The dialect is DuckDB's, and amounts are
   * exact; see `openSql`.
   *
   * @param options Your own frames and files that the query names; limits, for queries of others.
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   */
  async sql<Row = SqlRow>(query: string, options: MarketQueryOptions = {}): Promise<Row[]> {
    return await this.#runQuery(query, options, (sql, limits) => sql.query<Row>(query, limits));
  }

  /**
   * Returns the rows of {@linkcode sql} as a frame: amounts, decimals and dates as text. For a view over a
   * part of a table, pass the part under the name of the table.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
   *
   * @example How concentrated the volume of sell orders is
   * ```ts
   * import pl from "nodejs-polars";
   * import { openMarket } from "orderlens/market";
   * import { assertEquals } from "@std/assert";
   *
   * await using market = await openMarket("dataset://market_1");
   * const fills = await market.fills();
   * const part = fills.filter(pl.col("kind").eq(pl.lit("sell")));
   * const query = "SELECT fills FROM concentration WHERE windows = 'week'";
   * const [all, sold] = [await market.frame(query), await market.frame(query, { with: { fills: part } })];
   *
   * assertEquals([all.toRecords(), sold.toRecords()], [[{ fills: 37 }], [{ fills: 27 }]]);
   * ```
   */
  async frame(query: string, options: MarketQueryOptions = {}): Promise<Frame> {
    return await this.#runQuery(query, options, async (session, limits) => {
      using result = await session.run(query, limits);
      return await readFrame(result);
    });
  }

  /**
   * Writes the rows of {@linkcode sql} into one file, by the end of its name: `.parquet`, `.csv` or
   * `.json`, which has one object a line.
   *
   * Parquet keeps the types of columns, and CSV and JSON the text of each value. Amounts are text with
   * every digit in all three; sums of whole numbers, such as `sum(fill_count)`, are `DECIMAL(38, 0)` in
   * Parquet. Null stays null: an empty cell of CSV, where the empty text is `""`. Text of CSV that a
   * spreadsheet would take for a formula begins with `'`. Rows without an order are sorted by their
   * columns.
   *
   * The file appears when it is complete.
   *
   * @param path A path or a `file:` URL, in a folder that exists.
   * @param options Your own tables that the query names, limits, and `overwrite`.
   * @returns Path, number of rows, columns, and length in bytes.
   * @throws {InputError} If the name ends otherwise, the folder is missing, something is at the path, or
   * the query fails.
   *
   * @example Fills for a spreadsheet
   * ```ts
   * import { openMarket } from "orderlens/market";
   * import { assertEquals } from "@std/assert";
   *
   * const folder = await Deno.makeTempDir();
   * await using market = await openMarket("dataset://market_1");
   * const query = "SELECT kind, sum(volume_atoms) AS volume_atoms FROM fills GROUP BY kind";
   * const { rows } = await market.write(query, `${folder}/volume.csv`);
   *
   * assertEquals(rows, 2);
   * assertEquals(
   *   await Deno.readTextFile(`${folder}/volume.csv`),
   *   "kind,volume_atoms\nbuy,10835176628352085630\nsell,27117541838313997262\n",
   * );
   * await Deno.remove(folder, { recursive: true });
   * ```
   */
  async write(
    query: string,
    path: string | URL,
    options: MarketWriteOptions = {},
  ): Promise<WrittenRows> {
    this.#requireOrders(query);
    const { with: extra, memoryLimit, signal = this.#options.signal, ...writing } = options;
    return await this.#track(() =>
      writeRows(path, writing, async (output) => {
        using session = await this.#openSession({ memoryLimit, with: extra, output });
        return await session.write(query, output, { signal });
      })
    );
  }

  /** Runs a query in the market's own session, or with limits and tables of the caller in a new one. */
  async #runQuery<Value>(
    query: string,
    options: MarketQueryOptions,
    use: (session: SqlSession, limits: QueryOptions) => Promise<Value>,
  ): Promise<Value> {
    this.#requireOrders(query);
    const { memoryLimit, with: extra, ...limits } = { signal: this.#options.signal, ...options };
    return await this.#track(async () => {
      if (memoryLimit === undefined && extra === undefined) {
        return await use(await this.#readOnce(SQL_KEY, () => this.#openSession()), limits);
      }
      using session = await this.#openSession({ memoryLimit, with: extra });
      return await use(session, limits);
    });
  }

  #requireOrders(query: string): void {
    if (this.#published === null) requireUnbidOrders(query, this.#population, this.#options);
  }

  /** Reads a view as a frame, without the origin of its rows, which is the same in all of them. */
  async #readView(name: string): Promise<Frame> {
    const { key } = (await readViews()).find((view) => view.name === name)!;
    return await this.frame(
      `SELECT * EXCLUDE (network, environment, chain_id) FROM ${name} ORDER BY ${key.join(", ")}`,
    );
  }

  /**
   * Opens its tables in SQL: the files of a dataset, except where frames have more, such as names of
   * unlisted solvers, or rewards by other rules.
   */
  async #openSession(
    { with: extra, ...limits }:
      & Pick<MarketQueryOptions, "memoryLimit" | "with">
      & Pick<SqlOptions, "output"> = {},
  ): Promise<SqlSession> {
    const { openFrames } = await import("../sql/open_sql.ts");
    const names = new Set(TABLE_METHODS.map((method) => MARKET_TABLES[method].name));
    const entries = Object.entries(extra ?? {});
    const parts = Object.fromEntries(
      entries.filter((entry): entry is [string, TableFrame] =>
        names.has(entry[0]) && isFrame(entry[1])
      ),
    );
    const files = Object.keys(parts).length === 0
      ? extra
      : Object.fromEntries(entries.filter(([name]) => !(name in parts)));
    const tables = createSqlTables(this, parts);
    if (this.#published === null || this.#solvers.length > 0) {
      return await openFrames(tables, { ...limits, with: files });
    }
    const derived = tables.filter(({ name }) => name in parts || !this.#isPublished(name));
    return await openFrames(derived, { ...limits, with: files, folders: [this.#published.folder] });
  }

  /** Closes the database of {@linkcode sql}; a later query opens it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    const opened = this.#cache.get(SQL_KEY) as Promise<SqlSession> | undefined;
    this.#cache.delete(SQL_KEY);
    (await opened)?.[Symbol.dispose]();
  }

  /** Reports the history of one order, and its causes. */
  async order(uid: string): Promise<OrderReport> {
    const { inspectRecords } = await import("../reports/order/inspect_order.ts");
    return await inspectRecords(this.book, uid, {
      ...this.#inspectOptions,
      ...await this.#findObserved(uid),
    });
  }

  /**
   * Finds an order in the records, and their time; empty for a live deployment and for a dataset, which has
   * each order once: there the report reads it.
   */
  async #findObserved(uid: string): Promise<{ order?: Order; asOf?: Temporal.Instant }> {
    if (this.#published !== null || isLive(this.book)) return {};
    const { orders, now } = await this.records();
    const order = orders.find((candidate) => sameHex(candidate.uid, uid));
    return order === undefined ? {} : { order, asOf: limitToStatus(order, now) };
  }

  /** Reports one auction. */
  async auction(auctionId: number): Promise<AuctionReport> {
    const { inspectAuction } = await import("../reports/mod.ts");
    const instances = await readInstances(this.#origin, [{ auctionId }], this.#options);
    const [instance] = instances ?? [];
    return await inspectAuction(this.book, auctionId, { ...this.#inspectOptions, instance });
  }

  /** Reports one solver in the market's auctions. */
  async solver(address: string): Promise<SolverReport> {
    const { inspectSolver } = await import("../reports/mod.ts");
    const { node: _, ...options } = this.#inspectOptions;
    const { ids } = await this.#readSpan();
    return await inspectSolver(this.book, address, { ...options, ...ids && { auctions: ids } });
  }

  /** Reports the newest orders of one account, and their outcomes. */
  async account(address: string): Promise<AccountReport> {
    const { inspectAccount } = await import("../reports/mod.ts");
    return await inspectAccount(this.book, address, this.#inspectOptions);
  }

  /** Reports one settlement. */
  async transaction(txHash: string): Promise<TransactionReport> {
    const { inspectTransaction } = await import("../reports/mod.ts");
    return await inspectTransaction(this.book, txHash, this.#inspectOptions);
  }

  /** Describes the market: source, span, orders, fills, gaps and their reasons. */
  async describe(): Promise<MarketDescription> {
    const dataset = this.#published;
    return {
      source: this.source,
      chainId: this.book.chainId,
      settlementContract: this.book.settlementContract,
      ...await this.#readSpan(),
      orders: (await this.orders()).height,
      ordersHeld: dataset === null
        ? formatOrders(await this.records(), this.#population)
        : describeOrders(dataset.manifest),
      fills: (await this.trades()).height,
      requests: isLive(this.book) ? countRequests(this.book) : null,
      missing: [
        ...dataset === null
          ? listGaps(await this.records(), {
            node: chooseNode(this.#origin, this.#options),
            population: this.#population,
          })
          : listMissing(dataset.manifest),
        ...this.book.network === null && this.#rewardTerms.rewardsOf === undefined
          ? ["Rewards: pass the network whose rules apply as `rewardsOf`."]
          : [],
      ],
    };
  }

  /** Renders the output of `show(market)`. */
  async [DISPLAY](): Promise<MimeBundle> {
    return await render(summarize(await this.describe()));
  }

  async #readSpan(): Promise<MarketSpan> {
    return measureSpan(await this.auctions());
  }

  /** Reads a table: of a dataset as it was published, of other sources from the records. */
  #readTable(name: keyof MarketTables): Promise<Frame> {
    const table = MARKET_TABLES[name];
    return this.#readOnce(name, async () => {
      if (!this.#isPublished(table.name)) {
        return await this.#derive(table.name, async () => {
          const records = await this.#readSources();
          return table.build(
            table.of.includes("audits")
              ? { ...records, audits: await this.#readAudits() }
              : records,
          );
        });
      }
      const columns = table.columns.map((column) => column.name);
      const rows = await this.#published!.table(table.name).select(...columns).collect()
        .catch((cause) => {
          throw toColumnError(`Cannot read ${table.name} of ${this.source}`, cause);
        });
      return setSolverNames(rows as Frame, this.#solvers);
    });
  }

  /** Derives a table; explains if a dataset lacks the responses that it needs. */
  async #derive(name: string, build: () => Promise<Frame>): Promise<Frame> {
    try {
      return await build();
    } catch (cause) {
      const { origin } = this.#origin;
      if (!(origin instanceof Dataset && cause instanceof NotRecordedError)) throw cause;
      throw new InputError(
        `Cannot derive ${name} of ${this.source}: its export lacks the responses`,
        {
          remedy: `Read one of ${origin.tables.join(", ")}, or export it without --tables`,
          cause,
        },
      );
    }
  }

  #isPublished(table: string): boolean {
    const { rewardsOf, cowPrice } = this.#options;
    if (/rewards$/.test(table) && (rewardsOf ?? cowPrice) !== undefined) return false;
    // Penalties depend on the rules too.
    if (table === "attempts" && rewardsOf !== undefined) return false;
    return this.#published?.tables.includes(table) === true;
  }

  #readSources(): Promise<ReadRecords> {
    return this.#readOnce(
      "sources",
      async () => toTableRecords(await this.records(), this.book, this.#rewardTerms),
    );
  }

  /** By what rewards are computed: as the caller says, otherwise as the publisher of a dataset did. */
  get #rewardTerms(): Pick<MarketOptions, "rewardsOf" | "cowPrice"> {
    const { origin } = this.#origin;
    const publisherTerms = origin instanceof Dataset ? origin.manifest.about : undefined;
    const { rewardsOf = publisherTerms?.rewardsOf, cowPrice = publisherTerms?.cowPrice } =
      this.#options;
    return { rewardsOf, cowPrice };
  }

  async #readAudits(): Promise<SettlementAudit[]> {
    return (await this.audits()).flatMap(({ audit }) => audit ?? []);
  }

  get #population(): OrderPopulation {
    return choosePopulation(this.#origin, this.#options);
  }

  get #inspectOptions(): InspectNounOptions {
    return {
      node: chooseNode(this.#origin, this.#options) ?? undefined,
      signal: this.#options.signal,
      solvers: new Map(this.#solvers.map(({ address, name }) => [address, name])),
    };
  }

  /** Reads a value once, and again if that failed. */
  #readOnce<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const cache = this.#cache;
    const cached = cache.get(name) as Promise<Value> | undefined;
    if (cached !== undefined) return cached;
    const promise = read();
    cache.set(name, promise);
    promise.catch(() => cache.delete(name));
    return promise;
  }
}

/** Converts the error for a table of an earlier version that lacks a column; others stay as they are. */
function toColumnError(action: string, cause: unknown): unknown {
  const message = cause instanceof Error ? cause.message : "";
  const [, column] = /unable to find column "(\w+)"/.exec(message) ?? [];
  return column === undefined ? cause : new InputError(`${action}: it has no column ${column}`, {
    remedy: "Build its tables with this version of the library: `orderlens rebuild DIR`",
    cause,
  });
}

function formatLabel({ network, environment, baseUrl }: OrderBook): string {
  if (network !== null) return `${network.label}${environment === "staging" ? ", staging" : ""}`;
  const [, market] = /^replay:\/\/(market_\d)$/.exec(baseUrl) ?? [];
  if (market !== undefined) return `${market}, simulated market on the real service`;
  return baseUrl === IN_PROCESS_URL ? "an order book in this process" : baseUrl;
}

/** Options without which a dataset is read as it was published. */
const DERIVING_OPTIONS = [
  "last",
  "decimals",
  "tokens",
  "dollarTokens",
  "node",
  "instances",
] as const;

function findPublished({ origin }: MarketOrigin, options: MarketOptions): Dataset | null {
  const isDerived = DERIVING_OPTIONS.some((name) => options[name] !== undefined);
  return origin instanceof Dataset && !isDerived ? origin : null;
}
