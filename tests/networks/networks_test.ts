import { assert, assertEquals } from "@std/assert";
import type { Network } from "../../lib/networks/network.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../lib/networks/networks.ts";
import { formatAtoms, ratioToNumber } from "../../lib/units/mod.ts";
import source from "../testdata/networks/networks.json" with { type: "json" };

const { everyNetwork } = source;

Deno.test("NETWORKS matches its source, network by network", () => {
  assertEquals<unknown>(
    Object.values<Network>(NETWORKS).map((network) => ({
      slug: network.name,
      chainId: network.chainId,
      label: network.label,
      api: { ...network.api },
      nativeSymbol: network.nativeToken.symbol,
      nativeDecimals: network.nativeToken.decimals,
      wrappedNativeToken: network.wrappedNativeToken.address,
      wrappedNativeSymbol: network.wrappedNativeToken.symbol,
      legacyEthFlow: network.contracts.ethFlow.legacy,
      explorer: network.explorer,
      deadlineBlocks: network.deadlineBlocks,
    })),
    source.networks.map(({ rewardLowerCap: _, ...facts }) => facts),
  );
});

Deno.test("NETWORKS has the contracts that all networks share", () => {
  assertEquals(NATIVE_TOKEN_ADDRESS, everyNetwork.nativeTokenAddress);
  for (const { nativeToken, wrappedNativeToken, contracts } of Object.values<Network>(NETWORKS)) {
    assertEquals(nativeToken.address, everyNetwork.nativeTokenAddress);
    assertEquals(wrappedNativeToken.decimals, nativeToken.decimals);
    assertEquals(contracts.settlement, everyNetwork.settlement);
    assertEquals(contracts.vaultRelayer, {
      production: everyNetwork.vaultRelayer.production,
      staging: {
        same: everyNetwork.vaultRelayer.production,
        newer: everyNetwork.vaultRelayer.stagingNewer,
      },
    });
    assertEquals(contracts.ethFlow.production, everyNetwork.ethFlow.production);
    assertEquals(contracts.ethFlow.staging, everyNetwork.ethFlow.staging);
    assertEquals(contracts.composableCow, everyNetwork.composableCow);
  }
});

Deno.test("NETWORKS has the reward caps of its source, in native atoms", () => {
  assertEquals(
    Object.values<Network>(NETWORKS).map(({ rewards, nativeToken: { decimals, symbol } }) =>
      rewards.map((rules) => formatAtoms(rules.lowerCapAtoms, decimals, { symbol }))
    ),
    source.networks.map(({ rewardLowerCap }) =>
      rewardLowerCap === null ? [] : [rewardLowerCap.replace("0.010", "0.01")]
    ),
  );
});

// The protocol's documentation of rewards, as of 2026-08.
Deno.test("NETWORKS limits rewards to half of the fees on three networks, to all elsewhere", () => {
  const shares = Object.values<Network>(NETWORKS).map(({ name, rewards }) =>
    [name, ...rewards.map((rules) => ratioToNumber(rules.feeShare!))] as const
  );
  assertEquals(shares, [
    ["mainnet", 0.5],
    ["xdai", 1],
    ["arbitrum_one", 0.5],
    ["base", 0.5],
    ["avalanche", 1],
    ["polygon", 1],
    ["bnb", 1],
    ["linea", 1],
    ["plasma", 1],
    ["ink", 1],
    ["sepolia"],
  ]);
});

// The protocol's documentation of rewards, as of 2025-11 (cowprotocol/docs 00b4a6dfa413).
Deno.test("NETWORKS pays a quote in native tokens or six COW, whichever is less", () => {
  const rewards = Object.values<Network>(NETWORKS).map(({ name, nativeToken, quoteReward }) =>
    quoteReward === null ? [name] : [
      name,
      formatAtoms(quoteReward.nativeAtoms, nativeToken.decimals, { symbol: nativeToken.symbol }),
      formatAtoms(quoteReward.cowAtoms, 18, { symbol: "COW" }),
    ]
  );
  assertEquals(rewards, [
    ["mainnet", "0.0007 ETH", "6 COW"],
    ["xdai", "0.15 xDAI", "6 COW"],
    ["arbitrum_one", "0.00024 ETH", "6 COW"],
    ["base", "0.00024 ETH", "6 COW"],
    ["avalanche", "0.006 AVAX", "6 COW"],
    ["polygon", "0.6 POL", "6 COW"],
    ["bnb", "0.001 BNB", "6 COW"],
    ["linea", "0.00003 ETH", "6 COW"],
    ["plasma", "0.6 XPL", "6 COW"],
    ["ink", "0.00003 ETH", "6 COW"],
    ["sepolia"],
  ]);
});

Deno.test("NETWORKS dates every rule that governance may change", () => {
  for (const { rewards, quoteReward } of Object.values<Network>(NETWORKS)) {
    for (const { asOf, since } of rewards) {
      assertEquals(asOf, "2026-08");
      assertEquals(since, null);
    }
    if (quoteReward !== null) assertEquals(quoteReward.asOf, "2025-11");
  }
});

Deno.test("NETWORKS writes every address in lower case", () => {
  const addresses =
    JSON.stringify(NETWORKS, (_, value) => typeof value === "bigint" ? `${value}` : value).match(
      /0x[0-9a-z]*/gi,
    ) ?? [];
  assert(addresses.length > 100);
  for (const address of addresses) assert(/^0x[0-9a-f]{40}$/.test(address), address);
});

Deno.test("NETWORKS is deeply frozen", () => {
  const assertFrozen = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    assert(Object.isFrozen(value));
    Object.values(value).forEach(assertFrozen);
  };
  assertFrozen(NETWORKS);
});
