import { usdc } from "viem/tokens";
import { assert, assertEquals } from "@std/assert";
import { NETWORKS } from "orderlens";
import { isNetworkName } from "orderlens/networks";
import { TOKEN_FACTS } from "orderlens/tables";
import deployment from "../../../data/recorded/market_1.deployment.json" with { type: "json" };

const byPlace = new Map(
  TOKEN_FACTS.map((fact) => [`${fact.network} ${fact.address}`, fact]),
);

Deno.test("data/tokens.json has each token of a network once, well-formed, with its source", () => {
  assertEquals(byPlace.size, TOKEN_FACTS.length);
  for (const { network, address, symbol, decimals, source } of TOKEN_FACTS) {
    assert(network === "local" || isNetworkName(network), network);
    assert(/^0x[0-9a-f]{40}$/.test(address), address);
    assert(symbol.length > 0 && source.length > 0, address);
    assert(Number.isInteger(decimals) && decimals >= 0 && decimals <= 18, address);
  }
});

Deno.test("data/tokens.json agrees with the networks' own facts", () => {
  for (const { name, nativeToken, wrappedNativeToken } of Object.values(NETWORKS)) {
    for (const token of [nativeToken, wrappedNativeToken]) {
      const fact = byPlace.get(`${name} ${token.address}`);
      assertEquals([fact?.symbol, fact?.decimals], [token.symbol, token.decimals], name);
    }
  }
});

Deno.test("data/tokens.json has every token of the recorded market", () => {
  for (const { address, symbol, decimals } of deployment.tokens) {
    const fact = byPlace.get(`local ${address}`);
    assertEquals([fact?.symbol, fact?.decimals], [symbol, decimals]);
  }
  assertEquals(byPlace.get(`local ${deployment.wrappedNativeToken}`)?.decimals, 18);
});

Deno.test("data/tokens.json has the USDC that its source names", () => {
  const addresses: Readonly<Record<number, string>> = usdc.addresses;
  const own = TOKEN_FACTS.filter(({ source }) => source.startsWith("viem"));
  assertEquals(own.length, 9);
  for (const { network, address, decimals } of own) {
    assert(isNetworkName(network));
    assertEquals(addresses[NETWORKS[network].chainId]?.toLowerCase(), address);
    assertEquals(decimals, usdc.decimals);
  }
});
