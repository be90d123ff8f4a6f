import type { QuoteReward, RewardRules } from "./reward_rules.ts";

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

/** Which of the two deployments a network has: staging has its own order book and auctions. */
export type Environment = "production" | "staging";

/** A token's address and how its amounts read. */
export interface TokenFacts {
  /** Address, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  /** Symbol, as people write it. */
  readonly symbol: string;
  /** How many decimals one whole token has. */
  readonly decimals: number;
}

/** The two sets of contracts that staging has used. */
export interface StagingAddresses {
  /** The address that production uses too; staging's for years. */
  readonly same: string;
  /** Staging's own address, in use since 2026. */
  readonly newer: string;
}

/** An address in production, and the two that staging has used. */
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
  /** Production's address before the present one; `null` where there was none. */
  readonly legacy: string | null;
}

/** Addresses of the protocol's contracts, `0x` and 40 lower-case hex digits each. */
export interface NetworkContracts {
  /**
   * The settlement contract: the verifying contract of an order's signature. Staging changed its
   * own in 2026, so for an order of staging trust the `settlementContract` of its body.
   */
  readonly settlement: AddressByEnvironment;
  /** The contract that owners approve to move their sell tokens; each settlement contract has one. */
  readonly vaultRelayer: AddressByEnvironment;
  /** The ETH-flow contracts: owners of orders whose user is in `onchainUser`. */
  readonly ethFlow: EthFlowContracts;
  /** The contract of conditional orders (time-weighted and others). */
  readonly composableCow: string;
}

/** Where each environment of a network answers. */
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
  /** The chain's name for people. */
  readonly label: string;
  /** Roots of the order book service. */
  readonly api: ApiRoots;
  /** The native token under the address that orders use for it. */
  readonly nativeToken: TokenFacts;
  /** The token that wraps the native one. */
  readonly wrappedNativeToken: TokenFacts;
  /** The protocol's contracts. */
  readonly contracts: NetworkContracts;
  /** Root of the order explorer's pages of this network, without a slash at the end. */
  readonly explorer: string;
  /** Blocks a winner has to settle an auction; `null` where the source names none. */
  readonly deadlineBlocks: number | null;
  /** Reward rules of solvers, dated, newest last; empty where the source names none. */
  readonly rewards: readonly RewardRules[];
  /** The reward for quotes, dated; `null` where the source names none. */
  readonly quoteReward: QuoteReward | null;
}
