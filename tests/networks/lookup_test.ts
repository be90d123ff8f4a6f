import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { network, networkByChainId } from "../../lib/networks/lookup.ts";
import type { NetworkName } from "../../lib/networks/network.ts";
import { NETWORKS } from "../../lib/networks/networks.ts";

Deno.test("network() gives the facts of a name", () => {
  assertStrictEquals(network("mainnet"), NETWORKS.mainnet);
  assertEquals(network("xdai").chainId, 100);
});

Deno.test("network() does not compile with a slip, and suggests the name where it runs", () => {
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

Deno.test("networkByChainId() lists the ids there are", () => {
  const error = assertThrows(() => networkByChainId(31337), InputError, "chain id 31337");
  assertEquals(error.remedy.startsWith("Pass one of 1 (mainnet), 100 (xdai), 42161"), true);
});
