import type { AuditedSettlement, OrderBook } from "../client/mod.ts";
import { IN_PROCESS_URL } from "../client/connect.ts";
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
import type { QueryOptions, SqlOptions, SqlRow, SqlSession } from "../sql/mod.ts";
import { fillSolverNames } from "../tables/columns/frame_files.ts";
import {
  buildTable,
  type Frame,
  type MarketTables,
  MARKOUT,
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
import type { MarketOptions, OrderPopulation } from "./market_options.ts";
import {
  chooseNode,
  choosePopulation,
  type MarketOrigin,
  type MarketRecords,
  type MarketTokens,
  readAudits,
  readDeployment,
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
import { readVerdicts } from "./verdicts.ts";

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Key of the SQL session in the cache. */
const SQL_KEY = "sql";

/** Limits of a query: signal, rows and memory; and tables of the caller. */
export interface MarketQueryOptions extends QueryOptions, Pick<SqlOptions, "memoryLimit"> {
  /** Frames, or paths of CSV or Parquet files, that the query may name beside the tables. */
  readonly with?:
    | Readonly<Record<string, Pick<Frame, "columns" | "height" | "getColumn"> | string>>
    | undefined;
}

/** The tables of {@linkcode MarketTables} and the views of {@linkcode MarketViews} are methods of a market. */
export interface Market extends MarketTables, MarketViews {}

/**
 * A range of auctions with all of its records, read on first use and cached.
 *
 * Each method of {@linkcode MarketTables} and {@linkcode MarketViews} gives the frame of one table or view.
 * {@linkcode openMarket} opens a market.
 */
export class Market implements AsyncDisposable {
  /** The deployment, recording or dataset behind it: every operation of the API. */
  readonly book: OrderBook;
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
  readonly #origin: MarketOrigin;
  readonly #options: MarketOptions;
  /** The dataset whose published tables are read; `null` where tables are derived. */
  readonly #published: Dataset | null;
  readonly #cache = new Map<string, Promise<unknown>>();

  /** Binds a market to its parts; {@linkcode openMarket} creates markets. */
  constructor(origin: MarketOrigin, options: MarketOptions) {
    this.book = origin.book;
    this.source = options.label ?? formatLabel(origin.book);
    const { chainId } = origin.book;
    const network = Object.values(NETWORKS).find((candidate) => candidate.chainId === chainId);
    this.nativeSymbol = network?.nativeToken.symbol ?? "ETH";
    this.caption = { source: this.source };
    this.nativeCaption = { source: this.source, nativeSymbol: this.nativeSymbol };
    this.links = { href: origin.book.network?.name ?? null };
    this.#origin = origin;
    this.#options = options;
    this.#published = findPublished(origin, options);
    for (const name of TABLE_METHODS) this[name] = () => this.#readTable(name);
    const views = Object.entries(MARKET_VIEWS) as [keyof MarketViews, string][];
    for (const [name, view] of views) {
      this[name] = () => this.#readOnce(name, () => this.#readView(view));
    }
  }

  /**
   * Reads the records: competitions, orders with their fills and debug reports, times, and facts of
   * tokens, the input of metrics and tables.
   */
  records(): Promise<MarketRecords> {
    return this.#readOnce("records", () => readRecords(this.#origin, this.#options));
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

  /** Runs a query in the market's own session, or with limits and tables of the caller in a new one. */
  async #runQuery<Value>(
    query: string,
    options: MarketQueryOptions,
    use: (session: SqlSession, limits: QueryOptions) => Promise<Value>,
  ): Promise<Value> {
    if (this.#published === null) requireUnbidOrders(query, this.#population, this.#options);
    const { memoryLimit, with: extra, ...limits } = { signal: this.#options.signal, ...options };
    if (memoryLimit === undefined && extra === undefined) {
      return await use(await this.#readOnce(SQL_KEY, () => this.#openSession()), limits);
    }
    using session = await this.#openSession({ memoryLimit, with: extra });
    return await use(session, limits);
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
    { with: extra, ...limits }: Pick<MarketQueryOptions, "memoryLimit" | "with"> = {},
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
    if (this.#published === null || readDeployment(this.#origin).solvers !== undefined) {
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
    const { inspectOrder } = await import("../reports/mod.ts");
    return await inspectOrder(this.book, uid, {
      ...this.#inspectOptions,
      ...await this.#findObserved(uid),
    });
  }

  /**
   * Finds an order in the records, and their time; empty for a live deployment and for a dataset, which has
   * each order once: there the report reads it.
   */
  async #findObserved(uid: string): Promise<{ order?: Order; now?: Temporal.Instant }> {
    if (this.#published !== null || /^https?:/i.test(this.book.baseUrl)) return {};
    const { orders, now } = await this.records();
    const order = orders.find((candidate) => sameHex(candidate.uid, uid));
    return order === undefined ? {} : { order, now: limitToStatus(order, now) };
  }

  /** Reports one auction. */
  async auction(auctionId: number): Promise<AuctionReport> {
    const { inspectAuction } = await import("../reports/mod.ts");
    return await inspectAuction(this.book, auctionId, this.#inspectOptions);
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
      missing: [
        ...dataset === null
          ? listGaps(await this.records(), {
            node: chooseNode(this.#origin, this.#options),
            population: this.#population,
          })
          : listMissing(dataset.manifest),
        ...this.book.network === null && this.#options.rewardsOf === undefined
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
      const rows = await this.#published!.table(table.name).select(...columns).collect();
      return fillSolverNames(rows as Frame, readDeployment(this.#origin).solvers ?? []);
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
      async () => toTableRecords(await this.records(), this.book, this.#options),
    );
  }

  async #readAudits(): Promise<SettlementAudit[]> {
    return (await this.audits()).flatMap(({ audit }) => audit ?? []);
  }

  get #population(): OrderPopulation {
    return choosePopulation(this.#origin, this.#options);
  }

  get #inspectOptions(): InspectNounOptions {
    const solvers = readDeployment(this.#origin).solvers ?? [];
    return {
      node: chooseNode(this.#origin, this.#options) ?? undefined,
      signal: this.#options.signal,
      solvers: new Map(solvers.map(({ address, name }) => [address, name])),
    };
  }

  /** Reads a value once, and again if that failed. */
  #readOnce<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const cached = this.#cache.get(name) as Promise<Value> | undefined;
    if (cached !== undefined) return cached;
    const promise = read();
    this.#cache.set(name, promise);
    promise.catch(() => this.#cache.delete(name));
    return promise;
  }
}

function formatLabel({ network, environment, baseUrl }: OrderBook): string {
  if (network !== null) return `${network.label}${environment === "staging" ? ", staging" : ""}`;
  const [, market] = /^replay:\/\/(market_\d)$/.exec(baseUrl) ?? [];
  if (market !== undefined) return `${market}, simulated market on the real service`;
  return baseUrl === IN_PROCESS_URL ? "an order book in this process" : baseUrl;
}

/** Options without which a dataset is read as it was published. */
const DERIVING_OPTIONS = ["last", "decimals", "node"] as const;

function findPublished({ origin }: MarketOrigin, options: MarketOptions): Dataset | null {
  const isDerived = DERIVING_OPTIONS.some((name) => options[name] !== undefined);
  return origin instanceof Dataset && !isDerived ? origin : null;
}
