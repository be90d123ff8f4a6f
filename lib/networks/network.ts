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
  /** Dated reward rules of solvers, newest last; empty if the source does not state any. */
  readonly rewards: readonly RewardRules[];
  /** Dated reward for quotes; `null` if the source does not state it. */
  readonly quoteReward: QuoteReward | null;
}
