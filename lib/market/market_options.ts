import type { DeployedFetch, DeployedTransport, OrderBook } from "../client/mod.ts";
import { INSTANCE_STORE } from "../datasets/export/export_options.ts";
import { DEPLOYMENT_OPTIONS } from "../client/connect_options.ts";
import type { RecentProgress } from "../client/recent_auctions.ts";
import { defineRule, oneOf, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/mod.ts";
import type { CowPrices } from "../metrics/mod.ts";
import { COW_PRICES, isCowPriceAtoms } from "../metrics/solvers/cow_price.ts";
import type { Environment, NetworkName } from "../networks/network.ts";
import { NETWORKS } from "../networks/networks.ts";
import { DOLLAR_TOKENS, SOLVER_NAMES, type SolverNames } from "../tables/columns/lookups.ts";
import type { MarketTokenNames } from "./market_tokens.ts";

/**
 * Source of a market: the name of a recording that ships, `dataset://` and the name of a dataset, a
 * folder of either, the name of a public network, the URL of a deployment, or any input of `connect`, such
 * as a sandbox.
 */
export type MarketSource = string | URL | DeployedTransport | DeployedFetch | OrderBook;

/** Orders of some auctions: all that they list, those that solvers bid on, those of winning solutions. */
export type OrderPopulation = "listed" | "bid" | "winning";

/** Options of {@linkcode openMarket}. */
export interface MarketOptions {
  /**
   * Number of auction ids, up to that of the latest competition; gaps count.
   *
   * @default {20 of a network or a URL, all of everything else}
   */
  last?: number | undefined;
  /**
   * Orders to read: all that its auctions list (`listed`), those that solvers `bid` on, or those of
   * `winning` solutions. A dataset that is read as it was published has its own, whatever this and
   * `accounts` say. Auctions of a public network list thousands of orders, each of which takes requests.
   *
   * @default {"bid" of a network or a URL, "listed" of everything else}
   */
  orders?: OrderPopulation | undefined;
  /**
   * Number of accounts whose orders are read, those with most bids first, with or without bids on the
   * orders. Orders of other accounts are then left out.
   *
   * @default {orders of all accounts, as `orders` says}
   */
  accounts?: number | undefined;
  /** Maximum number of orders per account, newest first, in addition to those bid on. @default {1000} */
  ordersPerAccount?: number | undefined;
  /** Deployment of a public network. @default {"production"} */
  environment?: Environment | undefined;
  /** Key of a deployment that takes one; no text shows it. @default {none} */
  apiKey?: string | undefined;
  /** Folder that caches final responses of a network or a URL, and responses of a node. @default {none} */
  cacheFolder?: string | undefined;
  /** Chain id of a URL; other sources have their own. */
  chainId?: number | undefined;
  /** Settlement contract of the deployment. @default {the source's own, or the public one} */
  settlementContract?: string | undefined;
  /**
   * A node of the network: its URL, or `null` without one. It provides timestamps of blocks, decimals of
   * tokens, and settlements.
   *
   * @default {the chain of a recording, a dataset or a sandbox; none of a network or a URL}
   */
  node?: NodeSource | null | undefined;
  /**
   * Names of solvers by address, which take precedence over those of the source and of
   * `data/solvers.json`: in all tables, charts and reports. @default {none}
   */
  solverNames?: SolverNames | undefined;
  /**
   * Symbols and decimals of tokens, which take precedence over those of the source, of a node and of the
   * files that ship: by address, or a token list in Uniswap's format, or its path. Tokens that share a symbol
   * have it with their shortened address. @default {none}
   */
  tokens?: MarketTokenNames | undefined;
  /**
   * Addresses of tokens that are worth one US dollar, by whose native prices values in US dollars are
   * computed. @default {USDC, USDT, DAI and bridged ones of the network}
   */
  dollarTokens?: readonly string[] | undefined;
  /** Decimals of tokens by address, which take precedence over those of `tokens` too. @default {none} */
  decimals?: ReadonlyMap<string, number> | Readonly<Record<string, number>> | undefined;
  /**
   * Store of the instances of auctions, as of an export: limits of orders without a record, and owners
   * whose orders capture surplus, are then those of the instances.
   *
   * @default {its own of a dataset that has instances, none of everything else}
   */
  instances?: string | URL | undefined;
  /**
   * Network whose documented rules reward the solvers. @default {that of a dataset, otherwise the
   * market's own}
   */
  rewardsOf?: NetworkName | undefined;
  /**
   * The price of COW, in which rewards are paid: native atoms for one COW in every week, or one record
   * with a source for each week. @default {those of a dataset, otherwise unknown}
   */
  cowPrice?: CowPrices | string | undefined;
  /** Name of the source in figures and `show`. @default {its name, network or URL} */
  label?: string | undefined;
  /** Called for each auction id and then for each order. */
  onProgress?: ((progress: RecentProgress) => void) | undefined;
  /** Aborts the requests. */
  signal?: AbortSignal | undefined;
}

const names = Object.keys(NETWORKS) as NetworkName[];

/** Allowed values of the {@linkcode MarketOptions}. */
export const MARKET_OPTIONS: OptionRules<MarketOptions> = {
  last: wholeNumber(1),
  orders: oneOf("listed", "bid", "winning"),
  accounts: wholeNumber(0),
  ordersPerAccount: wholeNumber(1),
  environment: oneOf("production", "staging"),
  apiKey: String,
  cacheFolder: String,
  chainId: DEPLOYMENT_OPTIONS.chainId,
  settlementContract: String,
  node: defineRule("the URL of a node, a sandbox, a recording, or null", () => true),
  decimals: defineRule(
    "decimals by address, as a Map or an object",
    (value) => {
      const byAddress = value instanceof Map ? [...value.keys()] : Object.keys(Object(value));
      return value === Object(value) &&
        byAddress.every((address) => /^0x[0-9a-f]{40}$/i.test(address));
    },
  ),
  solverNames: SOLVER_NAMES,
  tokens: defineRule(
    "symbols and decimals by address, a token list, or its path,",
    (value) =>
      typeof value === "string" || typeof value === "object" && value !== null &&
        !Array.isArray(value),
  ),
  dollarTokens: DOLLAR_TOKENS,
  instances: INSTANCE_STORE,
  rewardsOf: oneOf(...names),
  cowPrice: defineRule(
    `${COW_PRICES.expected} or the atoms as decimal text,`,
    (value) => isCowPriceAtoms(value) || COW_PRICES.accepts(value),
  ),
  label: String,
  onProgress: Function,
  signal: AbortSignal,
};
