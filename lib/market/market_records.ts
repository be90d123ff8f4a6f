import {
  type AuditedSettlement,
  auditRange,
  type OrderBook,
  type RecentAuctions,
  recentAuctions,
} from "../client/mod.ts";
import { isRemote } from "../client/recent_auctions.ts";
import { readClock } from "../client/track_order.ts";
import { InputError } from "../errors/mod.ts";
import { requireChain, requireNode as connectTo } from "../evm/node/node_source.ts";
import { type NodeSource, type RpcNode, tokenFacts } from "../evm/mod.ts";
import type { NetworkName } from "../networks/network.ts";
import type { Deployment } from "../recordings/mod.ts";
import { effectiveValidTo, type Instance } from "../schemas/mod.ts";
import type { NamedSolver } from "../tables/mod.ts";
import { HexMap } from "../units/mod.ts";
import { indexNames } from "../tables/columns/lookups.ts";
import { readInstances } from "./market_instances.ts";
import type { MarketOptions, OrderPopulation } from "./market_options.ts";
import { readTokenNames } from "./market_tokens.ts";

/** Auction ids that are read of a network or a URL, unless `last` says otherwise. */
const DEFAULT_LAST = 20;

/** Origin of a market. */
export interface MarketOrigin {
  /** The deployment, recording or dataset that responds. */
  readonly book: OrderBook;
  /** The opened source; `null` of a network or a URL. */
  readonly origin: object | null;
  /** Records to read instead of its newest auctions. @default {the newest auctions} */
  readonly records?: () => Promise<RecentAuctions>;
  /** Records of an earlier market of it: what cannot change any more is not requested again. @default {none} */
  readonly earlier?: MarketRecords | null;
}

/** Facts of tokens: options of `show`, and of every table that takes tokens. */
export interface MarketTokens {
  /** Decimals by address. */
  readonly decimals: ReadonlyMap<string, number>;
  /** Symbols by address. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Tokens that are worth one US dollar; absent if the caller names none. */
  readonly dollarTokens?: readonly string[];
  /** The public network; absent of anything else. */
  readonly network?: NetworkName;
}

/** The records of a market, and further input of tables. */
export interface MarketRecords extends RecentAuctions {
  /** Facts of tokens. */
  readonly tokens: MarketTokens;
  /** Names of solvers from the source, which take precedence over the library's. */
  readonly solvers: readonly NamedSolver[];
  /** The wrapped native token, if it is known: an option of metrics and charts that take it. */
  readonly wrapping: { readonly wrappedNativeToken?: string };
  /** Instances of the auctions; `null` if no store of them is known. */
  readonly instances: readonly Instance[] | null;
  /** Time of the responses: now, or of a recording the latest time in them. */
  readonly now: Temporal.Instant;
}

/** Reads the facts of the deployment of a recording, a dataset or a sandbox. */
export function readDeployment({ origin }: MarketOrigin): Partial<Deployment> {
  return Object(origin !== null && "deployment" in origin ? origin.deployment : null);
}

/** Lists the names of solvers: of the source, then of the options, which count. */
export function listSolvers(
  market: MarketOrigin,
  { solverNames }: Pick<MarketOptions, "solverNames">,
): NamedSolver[] {
  const named = indexNames([...readDeployment(market).solvers ?? []]);
  for (const [address, name] of indexNames(solverNames)) named.set(address, name);
  return [...named].map(([address, name]) => ({ address, name }));
}

/** Chooses the node of a market: that of the options, otherwise its own chain. */
export function chooseNode({ origin }: MarketOrigin, { node }: MarketOptions): NodeSource | null {
  if (node !== undefined) return node;
  return isNode(origin) ? origin : null;
}

function isNode(origin: object | null): origin is { readonly rpc: RpcNode } {
  return origin !== null && "rpc" in origin && typeof origin.rpc === "function";
}

/**
 * Reads the auctions of a market with their records.
 *
 * @param earlier Records of an earlier reading: what cannot change any more is not requested again.
 * @default {those of the origin}
 */
export async function readRecords(
  market: MarketOrigin,
  options: MarketOptions,
  earlier: MarketRecords | null = market.earlier ?? null,
): Promise<MarketRecords> {
  const records = await (market.records?.() ?? readNewest(market, options, earlier));
  const traded = records.orders.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]);
  return {
    ...records,
    tokens: await readTokens(market, traded, options, earlier?.tokens),
    solvers: listSolvers(market, options),
    wrapping: readWrappedToken(market),
    instances: await readInstances(market, records.competitions, options, earlier?.instances),
    now: findResponseTime(market.book, records),
  };
}

async function readNewest(
  market: MarketOrigin,
  options: MarketOptions,
  earlier: MarketRecords | null,
): Promise<RecentAuctions> {
  const { accounts, ordersPerAccount, cacheFolder, onProgress, signal } = options;
  if (earlier === null) await requireOwnChain(market, options);
  return await recentAuctions(market.book, {
    auctions: options.last ?? await countIds(market),
    node: chooseNode(market, options),
    orders: choosePopulation(market, options),
    accounts,
    ordersPerAccount,
    cacheFolder,
    earlier,
    onProgress,
    signal,
  });
}

/**
 * Requires a passed node to be of the market's chain: another one would date other blocks.
 *
 * @throws {InputError} If it is of another chain.
 */
async function requireOwnChain({ book }: MarketOrigin, options: MarketOptions): Promise<void> {
  const { node, signal } = options;
  if (node === undefined || node === null) return;
  const ask = connectTo(node, "the chain id", { signal });
  await requireChain(ask, book.chainId, "Cannot read a market");
}

/** Counts the ids that cover all auctions of a local source. */
async function countIds({ book, origin }: MarketOrigin): Promise<number> {
  if (isRemote(book)) return DEFAULT_LAST;
  const { recorded, auctionIds }: {
    recorded?: { auctionIds: readonly number[] };
    auctionIds?: () => Promise<readonly number[]>;
  } = Object(origin);
  const ids = recorded?.auctionIds ?? await auctionIds?.call(origin);
  return ids === undefined
    ? Number.MAX_SAFE_INTEGER
    : Math.max(1, (ids.at(-1) ?? 0) - (ids[0] ?? 0) + 1);
}

/** Chooses the orders of a market: of a local source all listed ones, as datasets do, unless options differ. */
export function choosePopulation(
  { book }: MarketOrigin,
  { orders }: MarketOptions,
): OrderPopulation {
  return orders ?? (isRemote(book) ? "bid" : "listed");
}

/**
 * Reads decimals and symbols: of the source, then of a passed node, then of the options. Those that ship
 * for the network are looked up by tables.
 *
 * @param earlier Facts of an earlier reading.
 */
export async function readTokens(
  market: MarketOrigin,
  traded: readonly string[],
  { node, tokens, dollarTokens, decimals: custom, cacheFolder, signal }: MarketOptions,
  earlier?: MarketTokens,
): Promise<MarketTokens> {
  const decimals = new HexMap<number>(earlier?.decimals);
  const symbols = new HexMap<string>(earlier?.symbols);
  for (const token of readDeployment(market).tokens ?? []) {
    decimals.set(token.address, token.decimals);
    symbols.set(token.address, token.symbol);
  }
  if (node !== undefined && node !== null) {
    const unknown = traded.filter((token) =>
      !(earlier?.decimals.has(token) && earlier.symbols.has(token))
    );
    const facts = await tokenFacts(node, unknown, {
      ...cacheFolder !== undefined && { cacheFolder },
      ...signal !== undefined && { signal },
    });
    for (const [token, fact] of facts) {
      if (fact.decimals !== null) decimals.set(token, fact.decimals);
      if (fact.symbol !== null) symbols.set(token, fact.symbol);
    }
  }
  const named = tokens === undefined ? [] : await readTokenNames(tokens, market.book.chainId);
  for (const [token, fact] of named) {
    if (fact.decimals !== undefined) decimals.set(token, fact.decimals);
    if (fact.symbol !== undefined) symbols.set(token, fact.symbol);
  }
  const entries = custom instanceof Map ? custom : Object.entries(custom ?? {});
  for (const [token, digits] of entries) decimals.set(token, digits);
  const { network } = market.book;
  return {
    decimals,
    symbols,
    ...dollarTokens !== undefined && { dollarTokens },
    ...network !== null && { network: network.name },
  };
}

/** Finds the time of the responses: now, or of a recording the latest time in them. */
function findResponseTime(
  book: OrderBook,
  { orders, debugReports, competitions, times }: RecentAuctions,
): Temporal.Instant {
  const now = readClock(book);
  if (now !== null) return now;
  const instants = [
    ...orders.map((order) =>
      order.status === "expired"
        ? Temporal.Instant.fromEpochMilliseconds((effectiveValidTo(order) + 1) * 1_000)
        : order.creationDate
    ),
    ...debugReports.flatMap(({ events }) => events.map(({ timestamp }) => timestamp)),
    ...competitions.flatMap(({ auctionId }) => times.auction(auctionId)?.at ?? []),
  ];
  return instants.reduce(
    (latest, time) => Temporal.Instant.compare(time, latest) > 0 ? time : latest,
    Temporal.Instant.fromEpochMilliseconds(0),
  );
}

/**
 * Requires the node of a market.
 *
 * @throws {InputError} Without one.
 */
export function requireNode(market: MarketOrigin, options: MarketOptions): NodeSource {
  const node = chooseNode(market, options);
  if (node !== null) return node;
  throw new InputError("Cannot read settlements without a node", {
    remedy: "Pass the URL of a node of the network as `node` to `openMarket`",
  });
}

/** Compares the settlements of the auctions with the chain; without a node, none of them. */
export async function readAudits(
  market: MarketOrigin,
  { competitions, trades, orders }: MarketRecords,
  options: MarketOptions,
): Promise<readonly AuditedSettlement[]> {
  const { signal } = options;
  const node = chooseNode(market, options);
  if (node === null) return [];
  const audited = auditRange(node, competitions, {
    trades,
    orders,
    ...readWrappedToken(market),
    settlementContract: market.book.settlementContract,
    signal,
  });
  return await Array.fromAsync(audited);
}

/** Reads the wrapped native token, if it is known. */
export function readWrappedToken(market: MarketOrigin): { readonly wrappedNativeToken?: string } {
  const wrapped = readDeployment(market).wrappedNativeToken ??
    market.book.network?.wrappedNativeToken.address;
  return wrapped === undefined ? {} : { wrappedNativeToken: wrapped };
}
