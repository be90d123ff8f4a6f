import type { Ratio } from "../units/mod.ts";

/** The name of a public deployment: the path segment of its API root. */
export type NetworkName =
  | "mainnet"
  | "xdai"
  | "arbitrum_one"
  | "base"
  | "avalanche"
  | "polygon"
  | "bnb"
  | "linea"
  | "plasma"
  | "ink"
  | "sepolia";

/** One of a network's two deployments; staging has its own order book and auctions. */
export type Environment = "production" | "staging";

/** A token's address, symbol and decimals. */
export interface TokenFacts {
  /** Address, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  /** Symbol. */
  readonly symbol: string;
  /** Number of decimals. */
  readonly decimals: number;
}

/** Remedy for a text of Solana. */
export const NOT_SOLANA =
  "Pass an order, an account, a token or a transaction of an EVM network: orders of Solana are not read";

/**
 * Recognises an address or a transaction of Solana, in base58, whose orders this library does not
 * read; `null` if a text is neither.
 */
export function detectSolana(
  text: unknown,
): "an address of Solana" | "a transaction of Solana" | null {
  if (typeof text !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(text)) return null;
  if (/^[0-9a-f]+$/i.test(text)) return null;
  return text.length <= 44
    ? "an address of Solana"
    : text.length >= 86
    ? "a transaction of Solana"
    : null;
}

/** The two addresses that staging has used. */
export interface StagingAddresses {
  /** The address that production uses too; staging used it for years. */
  readonly same: string;
  /** Staging's own address, in use since 2026. */
  readonly newer: string;
}

/** The address in production and the two that staging has used. */
export interface AddressByEnvironment {
  /** Production's address. */
  readonly production: string;
  /** Staging's addresses; an order body names the settlement contract it was made for. */
  readonly staging: StagingAddresses;
}

/** The ETH-flow contracts, which place orders that sell the native token. */
export interface EthFlowContracts {
  /** Production's address. */
  readonly production: string;
  /** Staging's address. */
  readonly staging: string;
  /** Production's previous address; `null` if there is none. */
  readonly legacy: string | null;
}

/** Addresses of the protocol's contracts, `0x` and 40 lower-case hex digits each. */
export interface NetworkContracts {
  /**
   * The settlement contract: the verifying contract of an order's signature. Staging changed its
   * contract in 2026, so for a staging order use the `settlementContract` of its body.
   */
  readonly settlement: AddressByEnvironment;
  /** The contract that owners approve to move their sell tokens; each settlement contract has one. */
  readonly vaultRelayer: AddressByEnvironment;
  /** The ETH-flow contracts: owners of the orders whose trader is in `onchainUser`. */
  readonly ethFlow: EthFlowContracts;
  /** The contract of conditional orders (TWAP and others). */
  readonly composableCow: string;
}

/** API root of each environment. */
export interface ApiRoots {
  /** Production's root, without a slash at the end. */
  readonly production: string;
  /** Staging's root, without a slash at the end. */
  readonly staging: string;
}

/** The facts of one public deployment. */
export interface Network {
  /** The name that `connect` takes. */
  readonly name: NetworkName;
  /** Chain id, as in the EIP-712 domain of orders. */
  readonly chainId: number;
  /** Display name of the chain. */
  readonly label: string;
  /** Roots of the order book service. */
  readonly api: ApiRoots;
  /** The native token, with the address that orders use for it. */
  readonly nativeToken: TokenFacts;
  /** The token that wraps the native one. */
  readonly wrappedNativeToken: TokenFacts;
  /** The protocol's contracts. */
  readonly contracts: NetworkContracts;
  /** Root of the order explorer's pages of this network, without a slash at the end. */
  readonly explorer: string;
  /** Root of the network's block explorer, without a slash at the end. */
  readonly blockExplorer: string;
  /**
   * Number of blocks in which a winner must settle an auction; `null` if the source does not
   * state it.
   */
  readonly deadlineBlocks: number | null;
  /** That number by the day, newest last; responses name deadlines since 2025-12. */
  readonly deadlines: readonly DeadlineRule[];
  /**
   * Dated reward rules of solvers, newest last: those of a week are the latest in force at its start,
   * and none before the first. Empty if no source states any.
   */
  readonly rewards: readonly RewardRules[];
  /** The reward for quotes in force; `null` if no source states it. */
  readonly quoteReward: QuoteReward | null;
  /** Dated rewards for quotes, newest last. */
  readonly quoteRewards: readonly QuoteReward[];
  /** Auctions whose rewards the accounting multiplied by 0, where their ids are public. */
  readonly excludedAuctions: readonly ExcludedAuctions[];
}

/**
 * Certainty of the first day of a rule: `"A"`, a source states it; `"B"`, it follows from the payout that
 * the rule was written for; `"C"`, it lies in a span of days.
 */
export type RuleSureness = "A" | "B" | "C";

/** First day of a rule of the accounting, and its source. */
export interface DatedRule {
  /** The first day where known, such as `2026-06-30`; `null` if no source states one. */
  readonly since: string | null;
  /** First and last day of the span in which `since` lies; absent where `since` is the day. */
  readonly span?: readonly [earliest: string, latest: string];
  /** Certainty of `since`. */
  readonly sure?: RuleSureness;
  /** The source: a document, a query or a change of the accounting's code. */
  readonly source?: string;
}

/** Metric by which the consistency budget is shared; `"none"` where it is not shared. */
export type ConsistencyMetric = "auctions" | "executed_orders" | "order_share" | "none";

/**
 * Rules by which a network rewards solvers for their bids, from a day on.
 *
 * The performance reward of a solver in one auction is
 * `max(-lowerCapAtoms, min(feeShare * protocolFee, uncapped))`, where `uncapped` is
 * `totalScore - min(totalScore, referenceScore) - missingScore`,
 * with `upperCapAtoms` in place of the share of the fees where the rules have one.
 * Governance votes change these values: a result that uses them is an estimate as of `asOf`.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export interface RewardRules extends DatedRule {
  /** The month in which the source stated these values, such as `2026-08`. */
  readonly asOf: string;
  /**
   * β: the share of a solver's protocol fees that caps its reward; a fraction of one. `null` where
   * the cap is `upperCapAtoms`.
   */
  readonly feeShare: Ratio | null;
  /** c_u: the maximum reward in one auction, in native atoms, as before CIP-74. */
  readonly upperCapAtoms?: bigint;
  /**
   * c_l: the maximum penalty of a solver in one auction, in native atoms, `> 0n`; unless its orders
   * have caps of their own.
   */
  readonly lowerCapAtoms: bigint;
  /**
   * Whether each order has a cap of its own, as CIP-87 decided: their sum over the orders that a
   * solver won and did not settle takes the place of `lowerCapAtoms`. Trades name the caps
   * (services#4878); where they do, this follows from them. `null` if it is not known: where trades
   * say nothing either, rewards have bounds that hold both.
   *
   * @default {false}
   */
  readonly hasOrderCaps?: boolean | null;
  /**
   * Whether a reference score counts at most as the total score; `null` if that is not known.
   *
   * @default {true}
   */
  readonly limitsReference?: boolean | null;
  /**
   * Number of blocks after the deadline in which a settlement still counts as in time.
   *
   * @default {0}
   */
  readonly graceBlocks?: number;
  /**
   * Whether the amount that the upper caps leave over is shared out for consistency, as since CIP-85.
   *
   * @default {true}
   */
  readonly hasConsistency?: boolean;
  /**
   * The metric by which it is shared.
   *
   * @default {order_share from 2026-06-30 on; not known before}
   */
  readonly consistencyMetric?: ConsistencyMetric;
}

/**
 * Reward of a solver for the quote of an executed order: the smaller of two amounts.
 *
 * Paid for executed fill-or-kill market orders; since 2025-08-12 only with a verified quote, if the
 * quoting solver bid at least as well as its quote and its bid was not filtered out.
 *
 * @see {@link https://github.com/cowprotocol/docs/blob/00b4a6dfa413a13af9467fc13f9f8cd8c9a7193c/docs/cow-protocol/reference/core/auctions/rewards.md | the protocol's documentation of 2025-11}
 */
export interface QuoteReward extends Partial<DatedRule> {
  /** The month in which the source stated these values, such as `2025-11`. */
  readonly asOf: string;
  /** The amount in the native token, in atoms. */
  readonly nativeAtoms: bigint;
  /** The amount in COW, which has 18 decimals, in atoms. */
  readonly cowAtoms: bigint;
  /**
   * Whether the quote has to be verified, and its solver to have bid at least as well.
   *
   * @default {true}
   */
  readonly needsBid?: boolean;
}

/** Number of blocks in which winners had to settle, from a day on. */
export interface DeadlineRule extends DatedRule {
  /** Number of blocks, counted from the end of an auction: its start block is some blocks before. */
  readonly blocks: number;
}

/** Auctions of one week whose rewards the accounting multiplied by 0. */
export interface ExcludedAuctions {
  /** First day of the accounting week. */
  readonly week: string;
  /** First and last id, and how many between them; those that are not named may be among them. */
  readonly ids?: { readonly from: number; readonly to: number; readonly count: number };
  /** Beginning and end of the UIDs of the orders whose auctions are meant, as the source cuts them. */
  readonly orders?: readonly (readonly [beginning: string, end: string])[];
  /** The source. */
  readonly source: string;
}

/** Start of the accounting week of solver payments. */
export interface AccountingWeek {
  /** Weekday of the start, 1 for Monday to 7 for Sunday. */
  readonly isoWeekday: number;
  /** Time of day of the start, in UTC. */
  readonly utcTime: string;
}

/**
 * The accounting week of solver payments, on every network: it begins on Tuesday, 00:00 UTC.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export const ACCOUNTING_WEEK: AccountingWeek = Object.freeze({ isoWeekday: 2, utcTime: "00:00" });

/**
 * The first day on which the consistency budget was distributed by success rate times order share.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export const CONSISTENCY_BY_ORDER_SHARE_SINCE = "2026-06-30";

/**
 * Contracts that have the same address on every network.
 *
 * @see {@link https://github.com/cowprotocol/cow-sdk/tree/8a756e813dd5/packages/config | the protocol's own list}
 */
export const SHARED_CONTRACTS = {
  settlement: {
    production: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
    staging: {
      same: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
      newer: "0xf553d092b50bdcbdded1a99af2ca29fbe5e2cb13",
    },
  },
  vaultRelayer: {
    production: "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110",
    staging: {
      same: "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110",
      newer: "0xc7242d167563352e2bca4d71c043fbe542db8fb2",
    },
  },
  composableCow: "0xfdafc9d1902f4e0b84f65f49f244b32b31013b74",
} as const;

/** The ETH-flow contracts of every network; the legacy one differs by network. */
export const SHARED_ETH_FLOW = {
  production: "0xba3cb449bd2b4adddbc894d8697f5170800eadec",
  staging: "0xb37add6ac288bd3825a901cba6ec65a89f31b8cc",
} as const;

/** Authenticates solvers; the same in production on every network. */
export const SOLVER_AUTHENTICATOR = "0x2c4c28ddbdac9c5e7055b4c863b72ea0149d8afe";

/**
 * Executes all hooks of an order in one call from the settlement contract; the same on every
 * network.
 */
export const HOOKS_TRAMPOLINE = "0x60bf78233f48ec42ee3f101b9a05ec7878728006";

/**
 * The handler of TWAPs, which generates their parts for ComposableCoW; the same on every network.
 *
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/main/networks.json | its deployments}
 */
export const TWAP_HANDLER = "0x6cf1e9ca41f7611def408122793c358a3d11e5a5";

/**
 * Factories of CoW Shed proxies, newest first: a proxy acts for one trader, and owns the TWAPs of a
 * trader without a wallet contract.
 *
 * @see {@link https://github.com/cowdao-grants/cow-shed/blob/main/networks.json | their deployments}
 */
export const COW_SHED_FACTORIES: readonly string[] = Object.freeze([
  "0x221c28ec177cf7da6f837dfd0052ba8f265fb4ca",
  "0x0a654985c5856ab562237286f36d55c0ff637213",
  "0x5e284e80f3bd6a7d80a8500d9c49878028110848",
  "0xc94f7d71d022e773b0b516841ff867c06f39726b",
  "0x312f92fe5f1710408b20d52a374fa29e099cfa86",
  "0x00e989b87700514118fa55326cd1cce82faebef6",
]);

/** Freezes a value deeply, since the whole process shares the facts. */
export function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freeze);
  }
  return value;
}
