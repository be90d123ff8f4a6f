import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { NETWORKS } from "../../lib/networks/networks.ts";
import { isNetworkName, parseNetworkName } from "../../lib/networks/explorer_url.ts";

Deno.test("isNetworkName() accepts names, but no inherited properties", () => {
  for (const name of Object.keys(NETWORKS)) assertEquals(isNetworkName(name), true, name);
  for (const text of ["", "Mainnet", "gnosis", "1", "__proto__", "constructor", "toString"]) {
    assertEquals(isNetworkName(text), false, text);
  }
});

Deno.test("parseNetworkName() returns a valid name", () => {
  assertEquals(parseNetworkName("arbitrum_one"), "arbitrum_one");
});

Deno.test("parseNetworkName() suggests the intended name", () => {
  const meant: readonly (readonly [string, string])[] = [
    ["mainet", "mainnet"],
    ["mianet", "mainnet"],
    ["MAINNET", "mainnet"],
    [" ink ", "ink"],
    ["ethereum", "mainnet"],
    ["etherium", "mainnet"],
    ["Ethereum", "mainnet"],
    ["1", "mainnet"],
    ["gnosis", "xdai"],
    ["Gnosis Chain", "xdai"],
    ["xDAI", "xdai"],
    ["100", "xdai"],
    ["arbitrum", "arbitrum_one"],
    ["arbitrum-one", "arbitrum_one"],
    ["Arbitrum One", "arbitrum_one"],
    ["abritrum", "arbitrum_one"],
    ["avax", "avalanche"],
    ["matic", "polygon"],
    ["polgyon", "polygon"],
    ["bsc", "bnb"],
    ["bas", "base"],
    ["sepola", "sepolia"],
    ["lina", "linea"],
    ["57073", "ink"],
  ];
  for (const [text, name] of meant) {
    assertThrows(() => parseNetworkName(text), InputError, `did you mean "${name}" (`);
  }
});

Deno.test("parseNetworkName() suggests nothing if no name is near", () => {
  for (const text of ["", "optimism", "solana", "__proto__", "x", "31337", "m".repeat(1_000)]) {
    const error = assertThrows(() => parseNetworkName(text), InputError);
    assertEquals(error.message.includes("did you mean"), false, text);
    assertEquals(error.remedy.startsWith("Pass one of mainnet, xdai"), true);
  }
});

Deno.test("parseNetworkName() truncates long texts in its message", () => {
  const error = assertThrows(() => parseNetworkName("m".repeat(1_000)), InputError);
  assertEquals(error.message.split("\n")[0], `Cannot find a network named "${"m".repeat(80)}…"`);
});

Deno.test("parseNetworkName() refuses what is no text, and knows a chain id by its number", () => {
  const refusal = (value: unknown) =>
    assertThrows(() => parseNetworkName(value as string), InputError).message.split("\n")[0];
  assertEquals(
    refusal(100),
    'Cannot find a network named 100: did you mean "xdai" (Gnosis Chain, chain id 100)?',
  );
  assertEquals(refusal(undefined), "Cannot find a network named undefined");
  assertEquals(refusal(null), "Cannot find a network named null");
  assertEquals(refusal({}), "Cannot find a network named an object");
});
