import { NATIVE_DECIMALS } from "../units/parse_atoms.ts";
import {
  freeze,
  type Network,
  type NetworkName,
  SHARED_CONTRACTS,
  SHARED_ETH_FLOW,
} from "./network.ts";
import {
  listDeadlines,
  listExclusions,
  listQuoteRewards,
  listRewardRules,
} from "./reward_history.ts";

/** The address of the native token in orders, on every network. */
export const NATIVE_TOKEN_ADDRESS = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** The facts that differ from network to network. */
interface NetworkSpec extends Pick<Network, "chainId" | "label" | "blockExplorer"> {
  /** Symbol of the native token; that of the wrapped one is `W` and the same in capitals. */
  readonly native: string;
  /** Address of the wrapped native token. */
  readonly wrapped: string;
  /** The legacy ETH-flow contract. */
  readonly legacyEthFlow: string | null;
  /** Path of the network in the explorer. */
  readonly explorer: string;
}

function createNetwork(name: NetworkName, spec: NetworkSpec): Network {
  const { native, wrapped, legacyEthFlow, explorer } = spec;
  const quoteRewards = listQuoteRewards(name);
  const deadlines = listDeadlines(name);
  const createToken = (address: string, symbol: string) => ({
    address,
    symbol,
    decimals: NATIVE_DECIMALS,
  });
  return {
    name,
    chainId: spec.chainId,
    label: spec.label,
    api: {
      production: `https://api.cow.fi/${name}`,
      staging: `https://barn.api.cow.fi/${name}`,
    },
    nativeToken: createToken(NATIVE_TOKEN_ADDRESS, native),
    wrappedNativeToken: createToken(wrapped, `W${native.toUpperCase()}`),
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: legacyEthFlow },
    },
    explorer: `https://explorer.cow.fi${explorer}`,
    blockExplorer: spec.blockExplorer,
    deadlineBlocks: deadlines.at(-1)?.blocks ?? null,
    deadlines,
    rewards: listRewardRules(name),
    quoteReward: quoteRewards.at(-1) ?? null,
    quoteRewards,
    excludedAuctions: listExclusions(name),
  };
}

/**
 * The facts of every public deployment, by name; frozen.
 *
 * API roots, tokens and contracts come from the protocol's packages, deadlines from its documentation,
 * both as of 2026-08, reward rules from documentation and code of the accounting, each with its source, block explorers from viem 2.57.20. Explorer roots are derived
 * from the explorer's network segments; none was opened to verify them.
 *
 * @see {@link https://github.com/cowprotocol/cow-sdk/tree/8a756e813dd5/packages/config | API roots, tokens, contracts}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/contracts/src/main.rs | legacy ETH-flow contracts}
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | deadlines and reward rules}
 *
 * @example Every chain by its id
 * ```ts
 * import { NETWORKS } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const chainIds = Object.values(NETWORKS).map((network) => network.chainId);
 *
 * assertEquals(chainIds.length, 11);
 * assertEquals(NETWORKS.xdai.chainId, 100);
 * ```
 */
export const NETWORKS: Readonly<Record<NetworkName, Network>> = freeze({
  mainnet: createNetwork("mainnet", {
    chainId: 1,
    label: "Ethereum",
    native: "ETH",
    wrapped: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    legacyEthFlow: "0x40a50cf069e992aa4536211b23f286ef88752187",
    explorer: "",
    blockExplorer: "https://etherscan.io",
  }),
  xdai: createNetwork("xdai", {
    chainId: 100,
    label: "Gnosis Chain",
    native: "xDAI",
    wrapped: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
    legacyEthFlow: "0x40a50cf069e992aa4536211b23f286ef88752187",
    explorer: "/gc",
    blockExplorer: "https://gnosisscan.io",
  }),
  arbitrum_one: createNetwork("arbitrum_one", {
    chainId: 42161,
    label: "Arbitrum One",
    native: "ETH",
    wrapped: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    legacyEthFlow: "0x6dfe75b5ddce1ade279d4fa6bd6aef3cbb6f49db",
    explorer: "/arb1",
    blockExplorer: "https://arbiscan.io",
  }),
  base: createNetwork("base", {
    chainId: 8453,
    label: "Base",
    native: "ETH",
    wrapped: "0x4200000000000000000000000000000000000006",
    legacyEthFlow: "0x3c3ea1829891bc9bec3d06a81d5d169e52a415e3",
    explorer: "/base",
    blockExplorer: "https://basescan.org",
  }),
  avalanche: createNetwork("avalanche", {
    chainId: 43114,
    label: "Avalanche",
    native: "AVAX",
    wrapped: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    legacyEthFlow: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95",
    explorer: "/avax",
    blockExplorer: "https://snowtrace.io",
  }),
  polygon: createNetwork("polygon", {
    chainId: 137,
    label: "Polygon",
    native: "POL",
    wrapped: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    legacyEthFlow: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95",
    explorer: "/pol",
    blockExplorer: "https://polygonscan.com",
  }),
  bnb: createNetwork("bnb", {
    chainId: 56,
    label: "BNB Smart Chain",
    native: "BNB",
    wrapped: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    legacyEthFlow: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95",
    explorer: "/bnb",
    blockExplorer: "https://bscscan.com",
  }),
  linea: createNetwork("linea", {
    chainId: 59144,
    label: "Linea",
    native: "ETH",
    wrapped: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
    legacyEthFlow: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95",
    explorer: "/linea",
    blockExplorer: "https://lineascan.build",
  }),
  plasma: createNetwork("plasma", {
    chainId: 9745,
    label: "Plasma",
    native: "XPL",
    wrapped: "0x6100e367285b01f48d07953803a2d8dca5d19873",
    legacyEthFlow: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95",
    explorer: "/plasma",
    blockExplorer: "https://plasmascan.to",
  }),
  ink: createNetwork("ink", {
    chainId: 57073,
    label: "Ink",
    native: "ETH",
    wrapped: "0x4200000000000000000000000000000000000006",
    legacyEthFlow: null,
    explorer: "/ink",
    blockExplorer: "https://explorer.inkonchain.com",
  }),
  sepolia: createNetwork("sepolia", {
    chainId: 11155111,
    label: "Sepolia",
    native: "ETH",
    wrapped: "0xfff9976782d46cc05630d1f6ebab18b2324d6b14",
    legacyEthFlow: "0x0b7795e18767259cc253a2df471db34c72b49516",
    explorer: "/sepolia",
    blockExplorer: "https://sepolia.etherscan.io",
  }),
});

/** Finds the symbol of a chain's native token; `null` for an unknown chain. */
export function findNativeSymbol(chainId: number): string | null {
  const network = Object.values(NETWORKS).find((candidate) => candidate.chainId === chainId);
  return network?.nativeToken.symbol ?? null;
}
