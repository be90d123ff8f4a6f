import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { network, networkByChainId } from "../../lib/networks/explorer_url.ts";
import type { NetworkName } from "../../lib/networks/network.ts";
import { NETWORKS } from "../../lib/networks/networks.ts";

Deno.test("network() returns a network by name", () => {
  assertStrictEquals(network("mainnet"), NETWORKS.mainnet);
  assertEquals(network("xdai").chainId, 100);
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

Deno.test("networkByChainId() finds every network", () => {
  for (const name of Object.keys(NETWORKS) as NetworkName[]) {
    assertEquals(networkByChainId(NETWORKS[name].chainId).name, name);
  }
});

Deno.test("networkByChainId() lists the known ids", () => {
  const error = assertThrows(() => networkByChainId(31337), InputError, "chain id 31337");
  assertEquals(error.remedy.startsWith("Pass one of 1 (mainnet), 100 (xdai), 42161"), true);
});
