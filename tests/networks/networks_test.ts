import { assert, assertEquals, assertThrows } from "@std/assert";
import { ACCOUNTING_WEEK, type Network, type NetworkName } from "../../lib/networks/network.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../lib/networks/networks.ts";
import { formatAtoms, ratioToNumber } from "../../lib/units/mod.ts";
import source from "../testdata/networks/networks.json" with { type: "json" };
import { InputError } from "../../lib/errors/mod.ts";
import {
  explorerUrl,
  explorerUrls,
  isNetworkName,
  network,
  networkByChainId,
  parseExplorerUrl,
  parseNetworkName,
} from "../../lib/networks/explorer_url.ts";
import { accountingWeek } from "orderlens/metrics";
import { ruleSets } from "orderlens/networks";
import * as chains from "viem/chains";

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
    Object.values<Network>(NETWORKS).map(({ rewards, nativeToken: { decimals, symbol } }) => [
      ...new Set(rewards.map((rules) => formatAtoms(rules.lowerCapAtoms, decimals, { symbol }))),
    ]),
    source.networks.map(({ rewardLowerCap }) =>
      rewardLowerCap === null ? [] : [rewardLowerCap.replace("0.010", "0.01")]
    ),
  );
});

/**
 * The share of the fees that limits rewards, by the protocol's documentation as of 2026-08, and what is
 * paid for a quote unless six COW are less, as of 2025-11 (cowprotocol/docs 00b4a6dfa413).
 */
const REWARDS = {
  mainnet: [0.5, "0.0007 ETH"],
  xdai: [1, "0.15 xDAI"],
  arbitrum_one: [0.5, "0.00024 ETH"],
  base: [0.5, "0.00024 ETH"],
  avalanche: [1, "0.006 AVAX"],
  polygon: [1, "0.6 POL"],
  bnb: [1, "0.001 BNB"],
  linea: [1, "0.00003 ETH"],
  plasma: [1, "0.6 XPL"],
  ink: [1, "0.00003 ETH"],
  sepolia: [],
} as const satisfies Record<NetworkName, readonly unknown[]>;

Deno.test("NETWORKS limits rewards to a share of the fees, pays for quotes, and dates both", () => {
  assertEquals(Object.keys(NETWORKS), Object.keys(REWARDS));
  for (const { name, rewards, nativeToken, quoteReward } of Object.values<Network>(NETWORKS)) {
    const [share, native] = REWARDS[name];
    const now = rewards.at(-1);
    assertEquals<unknown>(now && ratioToNumber(now.feeShare!), share, name);
    assertEquals(now?.asOf, share === undefined ? undefined : "2026-08", name);
    for (const { since, source, sure } of rewards) {
      assert(since !== null && source !== undefined && sure !== undefined, name);
      assertEquals(accountingWeek(Temporal.Instant.from(`${since}T00:00:00Z`)).firstDay, since);
    }
    const { decimals, symbol } = nativeToken;
    const paid = quoteReward && formatAtoms(quoteReward.nativeAtoms, decimals, { symbol });
    assertEquals<unknown>(paid, native ?? null, name);
    if (quoteReward === null) continue;
    assertEquals([formatAtoms(quoteReward.cowAtoms, 18), quoteReward.asOf], ["6", "2025-11"], name);
  }
});

Deno.test("NETWORKS writes every address in lower case, and is deeply frozen", () => {
  let addresses = 0;
  const look = (value: unknown) => {
    // Where a source cuts UIDs, so do the auctions that it excludes.
    if (typeof value === "string" && value.startsWith("0x") && value.length > 10) {
      addresses++;
      assert(/^0x[0-9a-f]{40}$/.test(value), value);
    }
    if (typeof value !== "object" || value === null) return;
    assert(Object.isFrozen(value));
    Object.values(value).forEach(look);
  };
  look(NETWORKS);
  look(ACCOUNTING_WEEK);
  assert(addresses > 100);
});

Deno.test("network() rejects a misspelled name at compile time, and suggests the name at run time", () => {
  const error = assertThrows(
    // @ts-expect-error A slip must be a compile error.
    () => network("mainet"),
    InputError,
  );
  assertEquals(error.code, "input");
  assertEquals(
    error.message,
    'Cannot find a network named "mainet": did you mean "mainnet" (Ethereum, chain id 1)?\n' +
      'Fix: Pass "mainnet", or another of mainnet, xdai, arbitrum_one, base, avalanche, polygon, ' +
      "bnb, linea, plasma, ink, sepolia",
  );
});

Deno.test("every network is found by its id and name alone, and the known ids are listed", () => {
  for (const [name, found] of Object.entries(NETWORKS)) {
    assert(networkByChainId(found.chainId) === found);
    assert(network(name as NetworkName) === found);
    assertEquals([parseNetworkName(name), isNetworkName(name)], [name, true]);
  }
  for (const text of ["", "Mainnet", "gnosis", "1", "__proto__", "constructor", "toString"]) {
    assertEquals(isNetworkName(text), false, text);
  }
  const error = assertThrows(() => networkByChainId(31337), InputError, "chain id 31337");
  assertEquals(error.remedy.startsWith("Pass one of 1 (mainnet), 100 (xdai), 42161"), true);
});

Deno.test("parseNetworkName() suggests the intended name", () => {
  const meant: Partial<Record<NetworkName, string>> = {
    mainnet: "mainet,mianet,MAINNET,ethereum,etherium,Ethereum,1",
    xdai: "gnosis,Gnosis Chain,xDAI,100",
    arbitrum_one: "arbitrum,arbitrum-one,Arbitrum One,abritrum",
    avalanche: "avax",
    polygon: "matic,polgyon",
    bnb: "bsc",
    base: "bas",
    sepolia: "sepola",
    linea: "lina",
    ink: " ink ,57073",
  };
  for (const [name, texts] of Object.entries(meant)) {
    for (const text of texts.split(",")) {
      assertThrows(() => parseNetworkName(text), InputError, `did you mean "${name}" (`);
    }
  }
});

Deno.test("parseNetworkName() suggests nothing if no name is near, and truncates long texts", () => {
  for (const text of ["", "optimism", "solana", "__proto__", "x", "31337", "m".repeat(1_000)]) {
    const error = assertThrows(() => parseNetworkName(text), InputError);
    assertEquals(error.message.includes("did you mean"), false, text);
    assertEquals(error.remedy.startsWith("Pass one of mainnet, xdai"), true);
    const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    assertEquals(error.message.split("\n")[0], `Cannot find a network named "${shown}"`);
  }
});

Deno.test("parseNetworkName() rejects values that are no text, and recognises chain ids", () => {
  const refusal = (value: unknown) =>
    assertThrows(() => parseNetworkName(value as string), InputError).message.split("\n")[0];
  const asId = '100: did you mean "xdai" (Gnosis Chain, chain id 100)?';
  const shown = new Map<unknown, string>([
    ...[[100, asId], [undefined, "undefined"], [null, "null"], [{}, "an object"]] as const,
  ]);
  for (const [value, text] of shown) {
    assertEquals(refusal(value), `Cannot find a network named ${text}`);
  }
});

// Fixed caps: solver-rewards#446 and #463. Shares: the documentation of 2025-11 and of 2026-08.
Deno.test("ruleSets() has the caps of each proposal", () => {
  const capsOf = (name: "mainnet" | "xdai" | "bnb" | "linea") =>
    ruleSets(name).map(({ name, auction, rewards: { feeShare, upperCapAtoms, ...rewards } }) =>
      [
        name,
        auction.fairness ? auction.maxWinners ?? "many" : auction.maxWinners,
        feeShare === null
          ? formatAtoms(upperCapAtoms!, 18)
          : `${feeShare.numerator}/${feeShare.denominator}`,
        rewards.hasConsistency ?? true,
        rewards.hasOrderCaps ?? false,
      ].join(" ")
    );
  const since74 = ["74 many 1/1 false false", "85 many 1/1 true false", "87 many 1/1 true true"]
    .map((rest) => `CIP-${rest}`);
  assertEquals(capsOf("mainnet"), [
    "CIP-36 1 0.012 false false",
    "CIP-67 many 0.012 false false",
    "CIP-74 many 1/1 false false",
    "CIP-85 many 1/2 true false",
    "CIP-87 many 1/2 true true",
  ]);
  assertEquals(capsOf("xdai"), [
    "CIP-57 1 10 false false",
    "CIP-67 many 10 false false",
    ...since74,
  ]);
  // Its caps are those of solver-rewards#602; it never had auctions of one winner.
  assertEquals(capsOf("bnb"), ["CIP-67 many 0.048 false false", ...since74]);
  assertEquals(capsOf("linea"), since74);
  assertEquals(ruleSets("sepolia"), []);
});

const UID = `0x${"Ab".repeat(56)}`;
const HASH = `0x${"Cd".repeat(32)}`;
const ADDRESS = `0x${"eF".repeat(20)}`;

Deno.test("explorerUrl() links orders to the protocol's explorer, the rest to the block explorer", () => {
  const pages = [
    explorerUrl("mainnet", { uid: UID }),
    explorerUrl("arbitrum_one", { uid: UID }),
    explorerUrl("base", { transaction: HASH }),
    explorerUrl("bnb", { account: ADDRESS }),
    explorerUrl("ink", { token: ADDRESS }),
  ];
  assertEquals(pages, [
    `https://explorer.cow.fi/orders/${UID.toLowerCase()}`,
    `https://explorer.cow.fi/arb1/orders/${UID.toLowerCase()}`,
    `https://basescan.org/tx/${HASH.toLowerCase()}`,
    `https://bscscan.com/address/${ADDRESS.toLowerCase()}`,
    `https://explorer.inkonchain.com/token/${ADDRESS.toLowerCase()}`,
  ]);
});

Deno.test("NETWORKS has the block explorers that viem has", () => {
  const known = Object.values(chains);
  assert(Object.keys(NETWORKS).length > 10);
  for (const { name, chainId, blockExplorer } of Object.values(NETWORKS)) {
    const own = known.filter(({ id }) => id === chainId)
      .map((chain) => "blockExplorers" in chain ? chain.blockExplorers?.default.url : undefined);
    assert(own.includes(blockExplorer), `${name}: ${own}`);
    assert(new URL(blockExplorer).protocol === "https:" && !blockExplorer.endsWith("/"), name);
  }
});

Deno.test("explorerUrls() has the protocol's explorer too, where it has a page", () => {
  assertEquals(explorerUrls("base", { account: ADDRESS }), [
    `https://basescan.org/address/${ADDRESS.toLowerCase()}`,
    `https://explorer.cow.fi/base/address/${ADDRESS.toLowerCase()}`,
  ]);
  assertEquals(explorerUrls("mainnet", { transaction: HASH }), [
    `https://etherscan.io/tx/${HASH.toLowerCase()}`,
    `https://explorer.cow.fi/tx/${HASH.toLowerCase()}`,
  ]);
  assertEquals(explorerUrls("mainnet", { uid: UID }), [
    `https://explorer.cow.fi/orders/${UID.toLowerCase()}`,
  ]);
  assertEquals(explorerUrls("mainnet", { token: ADDRESS }).length, 1);
  for (const url of explorerUrls("base", { transaction: HASH })) {
    assertEquals(parseExplorerUrl(url), {
      network: "base",
      subject: { transaction: HASH.toLowerCase() },
    });
  }
});

Deno.test("explorerUrl() rejects subjects without a page", () => {
  const messageFor = (subject: unknown) =>
    assertThrows(() => explorerUrl("mainnet", subject as { uid: string }), InputError).message;
  assertEquals(
    messageFor({ uid: ADDRESS }),
    `Cannot link to an explorer for the uid "${ADDRESS}"\nFix: Pass 0x and 112 hex digits as uid`,
  );
  for (const wrong of ["", "0x", `${ADDRESS}"`, "javascript:alert(1)", null, 7n]) {
    assert(
      messageFor({ account: wrong }).startsWith("Cannot link to an explorer for the account "),
    );
  }
  assert(messageFor({}).includes("for 0 things"));
  assert(messageFor({ uid: UID, account: ADDRESS }).includes("for 2 things"));
  assert(messageFor({ order: UID }).includes('with "order"'));
  assert(messageFor(null).includes("with null"));
  assertThrows(() => explorerUrl("mainet" as "mainnet", { uid: UID }), InputError, "mainnet");
});

Deno.test("parseExplorerUrl() is the inverse of explorerUrl() on every network, and accepts any letter case, a query and a slash", () => {
  for (const { name } of Object.values(NETWORKS)) {
    for (
      const subject of [
        { uid: UID.toLowerCase() },
        { transaction: HASH.toLowerCase() },
        { account: ADDRESS.toLowerCase() },
      ]
    ) assertEquals(parseExplorerUrl(explorerUrl(name, subject)), { network: name, subject });
  }
  const subject = { uid: UID.toLowerCase() };
  const url = `https://EXPLORER.cow.fi/arb1/orders/${UID}/?tab=fills#top`;
  assertEquals(parseExplorerUrl(url), { network: "arbitrum_one", subject });
});

Deno.test("parseExplorerUrl() is null for other hosts, pages and lengths", () => {
  for (
    const text of [
      UID,
      `https://explorer.cow.fi.example/orders/${UID}`,
      `https://example.org/?https://explorer.cow.fi/orders/${UID}`,
      `https://explorer.cow.fi/elsewhere/orders/${UID}`,
      `https://explorer.cow.fi/tx/${UID}`,
      `https://explorer.cow.fi/orders/${UID}00`,
      `ftp://explorer.cow.fi/orders/${UID}`,
    ]
  ) assertEquals(parseExplorerUrl(text), null, text);
});
