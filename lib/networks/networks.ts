import { ratio } from "../units/mod.ts";
import {
  freeze,
  type Network,
  type NetworkName,
  SHARED_CONTRACTS,
  SHARED_ETH_FLOW,
} from "./network.ts";

/** The address that stands for the native token in orders, on every network. */
export const NATIVE_TOKEN_ADDRESS = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

const AUGUST_2026 = { asOf: "2026-08", since: null } as const;
const [HALF_OF_FEES, ALL_FEES] = [ratio(1n, 2n), ratio(1n, 1n)];
const SIX_COW = { asOf: "2025-11", cowAtoms: 6_000_000_000_000_000_000n } as const;

/**
 * The facts of every public deployment, by name; frozen.
 *
 * API roots, tokens and contracts come from the protocol's packages, deadlines and reward rules from
 * its documentation, both as of 2026-08, block explorers from viem 2.57.20. Explorer roots are derived
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
  mainnet: {
    name: "mainnet",
    chainId: 1,
    label: "Ethereum",
    api: {
      production: "https://api.cow.fi/mainnet",
      staging: "https://barn.api.cow.fi/mainnet",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x40a50cf069e992aa4536211b23f286ef88752187" },
    },
    explorer: "https://explorer.cow.fi",
    blockExplorer: "https://etherscan.io",
    deadlineBlocks: 3,
    rewards: [{ ...AUGUST_2026, feeShare: HALF_OF_FEES, lowerCapAtoms: 10_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 700_000_000_000_000n },
  },
  xdai: {
    name: "xdai",
    chainId: 100,
    label: "Gnosis Chain",
    api: {
      production: "https://api.cow.fi/xdai",
      staging: "https://barn.api.cow.fi/xdai",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "xDAI", decimals: 18 },
    wrappedNativeToken: {
      address: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
      symbol: "WXDAI",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x40a50cf069e992aa4536211b23f286ef88752187" },
    },
    explorer: "https://explorer.cow.fi/gc",
    blockExplorer: "https://gnosisscan.io",
    deadlineBlocks: 3,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 10_000_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 150_000_000_000_000_000n },
  },
  arbitrum_one: {
    name: "arbitrum_one",
    chainId: 42161,
    label: "Arbitrum One",
    api: {
      production: "https://api.cow.fi/arbitrum_one",
      staging: "https://barn.api.cow.fi/arbitrum_one",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x6dfe75b5ddce1ade279d4fa6bd6aef3cbb6f49db" },
    },
    explorer: "https://explorer.cow.fi/arb1",
    blockExplorer: "https://arbiscan.io",
    deadlineBlocks: 11,
    rewards: [{ ...AUGUST_2026, feeShare: HALF_OF_FEES, lowerCapAtoms: 10_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 240_000_000_000_000n },
  },
  base: {
    name: "base",
    chainId: 8453,
    label: "Base",
    api: {
      production: "https://api.cow.fi/base",
      staging: "https://barn.api.cow.fi/base",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0x4200000000000000000000000000000000000006",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x3c3ea1829891bc9bec3d06a81d5d169e52a415e3" },
    },
    explorer: "https://explorer.cow.fi/base",
    blockExplorer: "https://basescan.org",
    deadlineBlocks: 4,
    rewards: [{ ...AUGUST_2026, feeShare: HALF_OF_FEES, lowerCapAtoms: 10_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 240_000_000_000_000n },
  },
  avalanche: {
    name: "avalanche",
    chainId: 43114,
    label: "Avalanche",
    api: {
      production: "https://api.cow.fi/avalanche",
      staging: "https://barn.api.cow.fi/avalanche",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "AVAX", decimals: 18 },
    wrappedNativeToken: {
      address: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
      symbol: "WAVAX",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95" },
    },
    explorer: "https://explorer.cow.fi/avax",
    blockExplorer: "https://snowtrace.io",
    deadlineBlocks: 8,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 300_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 6_000_000_000_000_000n },
  },
  polygon: {
    name: "polygon",
    chainId: 137,
    label: "Polygon",
    api: {
      production: "https://api.cow.fi/polygon",
      staging: "https://barn.api.cow.fi/polygon",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "POL", decimals: 18 },
    wrappedNativeToken: {
      address: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
      symbol: "WPOL",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95" },
    },
    explorer: "https://explorer.cow.fi/pol",
    blockExplorer: "https://polygonscan.com",
    deadlineBlocks: 8,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 30_000_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 600_000_000_000_000_000n },
  },
  bnb: {
    name: "bnb",
    chainId: 56,
    label: "BNB Smart Chain",
    api: {
      production: "https://api.cow.fi/bnb",
      staging: "https://barn.api.cow.fi/bnb",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "BNB", decimals: 18 },
    wrappedNativeToken: {
      address: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      symbol: "WBNB",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95" },
    },
    explorer: "https://explorer.cow.fi/bnb",
    blockExplorer: "https://bscscan.com",
    deadlineBlocks: 5,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 40_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 1_000_000_000_000_000n },
  },
  linea: {
    name: "linea",
    chainId: 59144,
    label: "Linea",
    api: {
      production: "https://api.cow.fi/linea",
      staging: "https://barn.api.cow.fi/linea",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95" },
    },
    explorer: "https://explorer.cow.fi/linea",
    blockExplorer: "https://lineascan.build",
    deadlineBlocks: 4,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 1_500_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 30_000_000_000_000n },
  },
  plasma: {
    name: "plasma",
    chainId: 9745,
    label: "Plasma",
    api: {
      production: "https://api.cow.fi/plasma",
      staging: "https://barn.api.cow.fi/plasma",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "XPL", decimals: 18 },
    wrappedNativeToken: {
      address: "0x6100e367285b01f48d07953803a2d8dca5d19873",
      symbol: "WXPL",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x04501b9b1d52e67f6862d157e00d13419d2d6e95" },
    },
    explorer: "https://explorer.cow.fi/plasma",
    blockExplorer: "https://plasmascan.to",
    deadlineBlocks: 5,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 30_000_000_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 600_000_000_000_000_000n },
  },
  ink: {
    name: "ink",
    chainId: 57073,
    label: "Ink",
    api: {
      production: "https://api.cow.fi/ink",
      staging: "https://barn.api.cow.fi/ink",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0x4200000000000000000000000000000000000006",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: null },
    },
    explorer: "https://explorer.cow.fi/ink",
    blockExplorer: "https://explorer.inkonchain.com",
    deadlineBlocks: 5,
    rewards: [{ ...AUGUST_2026, feeShare: ALL_FEES, lowerCapAtoms: 1_500_000_000_000_000n }],
    quoteReward: { ...SIX_COW, nativeAtoms: 30_000_000_000_000n },
  },
  sepolia: {
    name: "sepolia",
    chainId: 11155111,
    label: "Sepolia",
    api: {
      production: "https://api.cow.fi/sepolia",
      staging: "https://barn.api.cow.fi/sepolia",
    },
    nativeToken: { address: NATIVE_TOKEN_ADDRESS, symbol: "ETH", decimals: 18 },
    wrappedNativeToken: {
      address: "0xfff9976782d46cc05630d1f6ebab18b2324d6b14",
      symbol: "WETH",
      decimals: 18,
    },
    contracts: {
      ...SHARED_CONTRACTS,
      ethFlow: { ...SHARED_ETH_FLOW, legacy: "0x0b7795e18767259cc253a2df471db34c72b49516" },
    },
    explorer: "https://explorer.cow.fi/sepolia",
    blockExplorer: "https://sepolia.etherscan.io",
    deadlineBlocks: null,
    rewards: [],
    quoteReward: null,
  },
});
